-- compatible
-- Bindings: folders and feeds that are watched, and what became of what was found there. No table here keeps a word of a
-- document: a row points to the file and the card that it tells of, has its name from them, and goes with them (AU-4).

create table privity.bindings (
  tenant_id text not null references privity.tenants,
  binding_id uuid not null,
  owner text not null,
  name text not null,
  -- 'folder' or 'feed'.
  kind text not null,
  -- The path of the folder, or the address of the feed.
  location text not null,
  corpus text not null,
  -- What is asked for with every file.
  defaults jsonb not null,
  -- 'active' or 'paused'.
  state text not null,
  created_at timestamptz not null,
  primary key (tenant_id, binding_id),
  unique (tenant_id, owner, name)
);

-- One a fire. What was seen is told by its outcomes, as far as whoever asks sees those.
create table privity.binding_manifests (
  tenant_id text not null,
  binding_id uuid not null,
  source_event_id text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (tenant_id, binding_id, source_event_id),
  foreign key (tenant_id, binding_id) references privity.bindings on delete cascade
);

-- What became of one entry of a fire.
create table privity.binding_outcomes (
  tenant_id text not null,
  outcome_id uuid not null,
  binding_id uuid not null,
  source_event_id text not null,
  -- The file as it was taken in: the run that extracted it.
  source_id uuid,
  version int,
  -- The card that stands for the document now, whatever version this tells of.
  record_id uuid,
  -- The name of a file that was not taken in, which has it from nowhere else. It goes once the file is.
  document text,
  outcome text not null,
  problem text,
  at timestamptz not null,
  primary key (tenant_id, outcome_id),
  foreign key (tenant_id, binding_id, source_event_id) references privity.binding_manifests on delete cascade,
  foreign key (tenant_id, source_id) references privity.sources on delete cascade,
  foreign key (tenant_id, record_id) references privity.records on delete cascade
);
create index binding_outcomes_by_event on privity.binding_outcomes (tenant_id, binding_id, source_event_id);
create index binding_outcomes_by_source on privity.binding_outcomes (tenant_id, source_id);
create index binding_outcomes_by_record on privity.binding_outcomes (tenant_id, record_id, at, outcome_id);

-- The ledger: what a binding has brought into its corpus, and what is thought of it. One row a document.
create table privity.binding_contributions (
  tenant_id text not null,
  contribution_id uuid not null,
  binding_id uuid not null,
  source_id uuid,
  record_id uuid,
  document text,
  -- 'confirmed', 'rejected', 'soft_deleted' or 'extraction_failed'.
  state text not null,
  -- When somebody looked at it and kept it.
  confirmed_at timestamptz,
  at timestamptz not null,
  changed_at timestamptz not null,
  primary key (tenant_id, contribution_id),
  foreign key (tenant_id, binding_id) references privity.bindings on delete cascade,
  foreign key (tenant_id, source_id) references privity.sources on delete cascade,
  foreign key (tenant_id, record_id) references privity.records on delete cascade
);
create index binding_contributions_by_binding
  on privity.binding_contributions (tenant_id, binding_id, changed_at, contribution_id);
create index binding_contributions_by_source on privity.binding_contributions (tenant_id, source_id);
create index binding_contributions_by_record on privity.binding_contributions (tenant_id, record_id);

-- Files that were rejected, by keyed digests that outlast them: they are not brought back.
create table privity.binding_rejections (
  tenant_id text not null,
  binding_id uuid not null,
  digest bytea not null,
  primary key (tenant_id, binding_id, digest),
  foreign key (tenant_id, binding_id) references privity.bindings on delete cascade
);
