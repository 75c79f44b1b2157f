-- breaking
-- A person is known by any spelling of any of their names (PC-7). Each name is a row with its folded form as its key;
-- all rows but one of a person point to that one. Records keep the id they were written with, so that a merge can be
-- taken apart again. The foreign key makes consent one: setting it on a person sets it on every name they have.

alter table privity.people add column key text;
alter table privity.people add column same_as uuid;
-- When the owner removed the person. Until they are named again the row stands for their id and keeps no name.
alter table privity.people add column removed_at timestamptz;

-- Names that differ in case, width or spaces alone become one person. Names were folded nowhere until now, so this is
-- the one time that the database does it; later the application folds.
do $$
declare
  collation_name text := (
    select quote_ident(collname)
    from pg_collation
    where collname in ('und-x-icu', 'pg_c_utf8', 'default')
    order by array_position(array['und-x-icu', 'pg_c_utf8', 'default'], collname::text)
    limit 1
  );
begin
  execute format(
    $sql$
      update privity.people
      set key = trim(regexp_replace(
        replace(replace(lower(normalize(name, nfkc) collate %s), 'ß', 'ss'), 'ς', 'σ'),
        '\s+', ' ', 'g'))
    $sql$,
    collation_name
  );
end
$$;
update privity.people p
set same_as = first.person_id, key = null
from (
  select distinct on (tenant_id, owner, key) tenant_id, owner, key, person_id
  from privity.people
  -- The owner's own person stays the person.
  order by tenant_id, owner, key, actor is not distinct from owner desc, created_at, person_id
) first
where p.tenant_id = first.tenant_id
  and p.owner = first.owner
  and p.key = first.key
  and p.person_id <> first.person_id;
-- The strictest consent of all spellings holds, except for the owner's own.
update privity.people p
set consent = strictest.consent
from (
  select
    tenant_id,
    coalesce(same_as, person_id) as person_id,
    (array_agg(consent order by array_position(array['revoked', 'pending', 'granted'], consent)))[1] as consent
  from privity.people
  group by 1, 2
) strictest
where p.tenant_id = strictest.tenant_id
  and p.person_id = strictest.person_id
  and p.actor is distinct from p.owner;
update privity.people p
set consent = root.consent
from privity.people root
where root.tenant_id = p.tenant_id
  and root.person_id = p.same_as;

alter table privity.people add unique (tenant_id, owner, key);
alter table privity.people add unique (tenant_id, person_id, consent);
alter table privity.people
  add foreign key (tenant_id, same_as, consent)
  references privity.people (tenant_id, person_id, consent)
  on update cascade on delete cascade;
create index people_by_same_as on privity.people (tenant_id, same_as) where same_as is not null;
-- A removed person has no name left to be unique.
alter table privity.people drop constraint people_tenant_id_owner_name_key;
