-- compatible
-- Turns that wait for the configured model to make facts of them (WR-7). It holds ids and states, no words.
create table privity.capture_jobs (
  tenant_id text not null references privity.tenants,
  job_id uuid not null,
  owner text not null,
  conversation text not null,
  record_ids uuid[] not null,
  -- The credential that captured them, sealed: it alone decides what is read. Null once the job has ended.
  sealed text,
  created_at timestamptz not null,
  attempts int not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  done_at timestamptz,
  failed_at timestamptz,
  -- Why the last attempt failed, as a code of ours.
  failure text,
  -- How many facts were made, and how many turns were kept back from a model on another machine.
  facts int,
  held_back int,
  -- The most that whoever captured them could be shown (NI-10).
  label jsonb,
  primary key (tenant_id, job_id)
);
create index capture_jobs_waiting on privity.capture_jobs (tenant_id, next_at) where sealed is not null;
create index capture_jobs_by_owner on privity.capture_jobs (tenant_id, owner, created_at, job_id);
