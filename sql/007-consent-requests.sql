-- What agents ask of the people they work for: that somebody be granted. It says nothing about who is there.

create table privity.consent_requests (
  tenant_id text not null references privity.tenants,
  request_id uuid not null,
  -- Who asks, and for whom they work, who decides.
  actor_id uuid not null,
  for_id uuid not null,
  -- A name, as it was asked for: whether there is such a person is not looked at before the decision.
  person text not null,
  reason text,
  -- What the asker had been shown, for the name may be made of it; null is nothing (WR-2).
  label jsonb,
  state text not null default 'open' check (state in ('open', 'granted', 'denied')),
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (tenant_id, request_id)
);
create unique index consent_requests_open
  on privity.consent_requests (tenant_id, actor_id, for_id, person)
  where state = 'open';
create index consent_requests_by_principal
  on privity.consent_requests (tenant_id, for_id, created_at, request_id);
