-- breaking
-- Search: what the index follows, receipts, saved searches.

alter table privity.records
  -- A BCP 47 code, where the writer gave one; otherwise the index tells it from the text.
  add column language text,
  -- What an index is made of: an owner's vessel, or a session's. The runtime names cells in the same way.
  add column cell text not null generated always as (
    case vessel when 'user' then 'user:' || owner when 'shared' then 'shared:' || coalesce(session, '') else vessel end
  ) stored;
create index records_by_cell on privity.records (tenant_id, cell, compartment_id, record_id);

-- The change log, now by cell, so that work of others delays nobody. Nothing has followed it before.
drop table privity.changes;
create table privity.changes (
  tenant_id text not null,
  cell text not null,
  xid xid8 not null default pg_current_xact_id(),
  record_id uuid not null,
  primary key (tenant_id, cell, xid, record_id)
);

-- The index of a cell as it was at `horizon`, in parts. `written_by` is the writing transaction: a row whose xmin is
-- another has been restored from a dump, where transaction ids mean nothing, and is not used.
create table privity.index_parts (
  tenant_id text not null,
  cell text not null,
  part int not null,
  format int not null,
  horizon xid8 not null,
  written_by xid8 not null default pg_current_xact_id(),
  bytes bytea not null,
  primary key (tenant_id, cell, part)
);
alter table privity.index_parts alter column bytes set storage external;

-- One row a search: what was planned, done and covered (CV-1). Without the words of any record; the question is sealed.
create table privity.search_runs (
  tenant_id text not null references privity.tenants,
  search_run_id uuid not null,
  actor_id uuid not null,
  for_id uuid not null,
  audience text not null,
  at timestamptz not null,
  retention_class text not null,
  retained_because text[] not null default '{}',
  -- When all but the index snapshots is due to be purged, and when they are.
  due_at timestamptz not null,
  index_snapshots_due_at timestamptz not null,
  question text,
  plan jsonb,
  manifest jsonb,
  receipt jsonb,
  expansions jsonb,
  index_snapshots jsonb not null,
  primary key (tenant_id, search_run_id)
);
create index search_runs_by_principal on privity.search_runs (tenant_id, for_id, at, search_run_id);
create index search_runs_due on privity.search_runs (tenant_id, due_at) where receipt is not null;

create table privity.saved_searches (
  tenant_id text not null references privity.tenants,
  saved_search_id uuid not null,
  actor_id uuid not null,
  for_id uuid not null,
  name text not null,
  -- Sealed, as in a receipt.
  question text not null,
  -- What the last look found, and the one before it: versions of faces by record, all of it as keyed digests.
  seen jsonb not null default '{}',
  seen_before jsonb not null default '{}',
  created_at timestamptz not null,
  checked_at timestamptz,
  primary key (tenant_id, saved_search_id),
  unique (tenant_id, actor_id, for_id, name)
);
