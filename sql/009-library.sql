-- Small things to try that people gave to the library of their tenant, anonymised. What they wrote first is kept nowhere.
-- It has no reference to a record, a vessel or a vector: nothing of those can stand here (RC-14).

create table privity.library_contributions (
  tenant_id text not null references privity.tenants,
  entry_id uuid not null,
  -- A pseudonym, as in history.
  author_id uuid not null,
  title text not null,
  text text not null,
  needs text[] not null,
  duration_days int not null,
  -- There is no contribution without it.
  opted_in_at timestamptz not null,
  withdrawn_at timestamptz,
  primary key (tenant_id, entry_id),
  -- Nothing is left of what was withdrawn (AU-4).
  check (withdrawn_at is null or (title = '' and text = '' and needs = '{}'))
);
create index library_contributions_standing
  on privity.library_contributions (tenant_id, opted_in_at, entry_id)
  where withdrawn_at is null;
create index library_contributions_by_author
  on privity.library_contributions (tenant_id, author_id, opted_in_at, entry_id);
