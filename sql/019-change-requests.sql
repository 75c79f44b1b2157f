-- compatible
-- What agents ask the person they work for to change or forget (WR-8). Such a request holds words, so it goes with its record.
create table privity.change_requests (
  tenant_id text not null references privity.tenants,
  request_id uuid not null,
  -- Who asks, and for whom they work, who decides.
  actor_id uuid not null,
  for_id uuid not null,
  credential text not null,
  how text not null check (how in ('forget', 'retract', 'contest', 'supersede')),
  -- Null once it was forgotten because of this request.
  record_id uuid,
  text text,
  reason text,
  state text not null default 'open' check (state in ('open', 'accepted', 'declined')),
  created_at timestamptz not null,
  decided_at timestamptz,
  -- What whoever asks could be shown, for their words may be made of it (NI-10).
  label jsonb,
  primary key (tenant_id, request_id),
  foreign key (tenant_id, record_id) references privity.records on delete cascade
);
create index change_requests_by_principal on privity.change_requests (tenant_id, for_id, created_at, request_id);
create index change_requests_by_record on privity.change_requests (tenant_id, record_id);
