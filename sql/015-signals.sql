-- compatible
-- Utility signals: what readers do that may tell how useful a result was. They are counts: never when, and never by whom.

-- What stays in a session. Nothing reads it for a caller, and it goes with the session.
create table privity.session_signals (
  tenant_id text not null,
  profile_id uuid not null,
  kind text not null,
  record_id uuid,
  times bigint not null,
  dwell_ms bigint not null,
  unique nulls not distinct (tenant_id, profile_id, kind, record_id),
  foreign key (tenant_id, profile_id) references privity.profiles on delete cascade,
  foreign key (tenant_id, record_id) references privity.records on delete cascade
);
create index session_signals_by_record on privity.session_signals (tenant_id, record_id);

-- Sums over a corpus: what waits for its host, and what the host accepted or gave itself.
create table privity.corpus_signals (
  tenant_id text not null references privity.tenants,
  owner text not null,
  standing text not null default 'pending' check (standing in ('pending', 'accepted')),
  -- Empty for what belongs to no corpus.
  corpus text not null,
  kind text not null,
  times bigint not null,
  dwell_ms bigint not null,
  primary key (tenant_id, owner, standing, corpus, kind)
);

-- The host's own, by record.
create table privity.record_signals (
  tenant_id text not null,
  owner text not null,
  record_id uuid not null,
  kind text not null,
  times bigint not null,
  dwell_ms bigint not null,
  primary key (tenant_id, owner, record_id, kind),
  foreign key (tenant_id, record_id) references privity.records on delete cascade
);
create index record_signals_by_record on privity.record_signals (tenant_id, record_id, kind, owner);
