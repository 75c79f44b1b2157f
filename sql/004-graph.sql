-- breaking
-- Graph: edges that records tell of.

-- Whoever tells of an edge is part of what the edge is: the same one may be told by several, or by nobody in particular,
-- and each telling is seen or hidden on its own (PC-5).
alter table privity.relations
  add column sources uuid[] not null default '{}',
  drop constraint relations_pkey,
  add primary key (tenant_id, from_id, to_id, type, sources);
create index relations_by_source on privity.relations using gin (sources) where sources <> '{}';

create index records_entities on privity.records (tenant_id, owner, record_id) where kind = 'entity';
