-- breaking
-- Tables. Row-level security lives apart, in rls.sql. `tenant_id` leads every key; ids are random and made by the
-- runtime; nothing here counts.

create table privity.tenants (
  tenant_id text primary key,
  created_at timestamptz not null
);

-- Facts carry a generation per owner whose facts they are; '' stands for the tenant's own (capabilities, policies).
create table privity.generations (
  tenant_id text not null references privity.tenants,
  owner text not null,
  generation uuid not null,
  primary key (tenant_id, owner)
);

-- The only place that maps a name to the pseudonym used in operations and audit: deleting the row erases the name.
create table privity.actors (
  tenant_id text not null references privity.tenants,
  actor text not null,
  actor_id uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, actor),
  unique (tenant_id, actor_id)
);

create table privity.groups (
  tenant_id text not null references privity.tenants,
  group_id uuid not null,
  owner text not null,
  name text not null,
  created_at timestamptz not null,
  primary key (tenant_id, group_id),
  unique (tenant_id, owner, name)
);

create table privity.memberships (
  tenant_id text not null,
  group_id uuid not null,
  member text not null,
  role text not null default '',
  created_at timestamptz not null,
  primary key (tenant_id, group_id, member, role),
  foreign key (tenant_id, group_id) references privity.groups on delete cascade
);
create index memberships_by_member on privity.memberships (tenant_id, member);

create table privity.people (
  tenant_id text not null references privity.tenants,
  person_id uuid not null,
  owner text not null,
  name text not null,
  consent text not null default 'pending' check (consent in ('granted', 'pending', 'revoked')),
  actor text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, person_id),
  unique (tenant_id, owner, name)
);

create table privity.sessions (
  tenant_id text not null references privity.tenants,
  session_id text not null,
  relationship text not null,
  created_at timestamptz not null,
  primary key (tenant_id, session_id)
);

create table privity.session_participants (
  tenant_id text not null,
  session_id text not null,
  actor text not null,
  stage int not null default 0,
  primary key (tenant_id, session_id, actor),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade
);
create index session_participants_by_actor on privity.session_participants (tenant_id, actor);

create table privity.consent_records (
  tenant_id text not null references privity.tenants,
  consent_record_id uuid not null,
  session_id text,
  owner text not null,
  decision text not null,
  decided_at timestamptz,
  revoked_at timestamptz,
  consent_active boolean not null default false,
  primary key (tenant_id, consent_record_id)
);

create table privity.compartments (
  tenant_id text not null references privity.tenants,
  compartment_id bytea not null,
  tuple jsonb not null,
  primary key (tenant_id, compartment_id)
);

create table privity.records (
  tenant_id text not null references privity.tenants,
  record_id uuid not null,
  compartment_id bytea not null,
  kind text not null,
  vessel text not null,
  owner text not null,
  author text not null,
  session text,
  relationship text,
  content_type text,
  confirmed boolean not null default false,
  addressees text[] not null default '{}',
  consent_record uuid,
  input_consents uuid[] not null default '{}',
  corpus text,
  filing_unit text,
  version text,
  version_kind text,
  part text,
  document text,
  segment text,
  surface text,
  targets text[] not null default '{}',
  redacted boolean not null default false,
  -- On a redacted twin: the record it stands in for (OV-3).
  redacted_of uuid,
  sensitivity text not null,
  scope text,
  visibility_class text not null,
  participants uuid[] not null default '{}',
  marked_shareable boolean not null default false,
  lifecycle text not null default 'active',
  contested_reason text,
  title text,
  text text not null,
  tags text[] not null default '{}',
  fields jsonb not null default '{}',
  salience float8 not null,
  confidence float8 not null,
  provenance jsonb not null default '{}',
  spans jsonb not null default '[]',
  occurred_at timestamptz,
  valid_from timestamptz,
  valid_to timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When something that a lesser face shows last changed (NI-9).
  metadata_updated_at timestamptz not null,
  preview_updated_at timestamptz not null,
  primary key (tenant_id, record_id)
);
create index records_by_vessel on privity.records (tenant_id, vessel, owner, created_at, record_id);

create table privity.relations (
  tenant_id text not null,
  from_id uuid not null,
  to_id uuid not null,
  type text not null,
  created_at timestamptz not null,
  primary key (tenant_id, from_id, to_id, type),
  foreign key (tenant_id, from_id) references privity.records on delete cascade,
  foreign key (tenant_id, to_id) references privity.records on delete cascade,
  check (from_id <> to_id)
);
create index relations_by_target on privity.relations (tenant_id, to_id);

create table privity.derivations (
  tenant_id text not null,
  record_id uuid not null,
  source_id uuid not null,
  primary key (tenant_id, record_id, source_id),
  foreign key (tenant_id, record_id) references privity.records on delete cascade,
  foreign key (tenant_id, source_id) references privity.records on delete cascade,
  check (record_id <> source_id)
);
create index derivations_by_source on privity.derivations (tenant_id, source_id);

create table privity.overlays (
  tenant_id text not null references privity.tenants,
  overlay_id uuid not null,
  owner text not null,
  target_kind text not null,
  target_ref text not null,
  target text not null,
  restriction text not null,
  created_at timestamptz not null,
  primary key (tenant_id, overlay_id)
);
create index overlays_by_target on privity.overlays (tenant_id, target);
create index overlays_by_owner on privity.overlays (tenant_id, owner);

-- Targets that ever had an overlay: what a compartment's tuple has to name (an overlay lifted leaves it here).
create table privity.overlaid_targets (
  tenant_id text not null references privity.tenants,
  target text not null,
  primary key (tenant_id, target)
);

create table privity.grants (
  tenant_id text not null references privity.tenants,
  grant_id uuid not null,
  owner text not null,
  grantee text not null,
  target_kind text not null,
  target_ref text not null,
  target text not null,
  created_at timestamptz not null,
  primary key (tenant_id, grant_id)
);
create index grants_by_target on privity.grants (tenant_id, target);
create index grants_by_owner on privity.grants (tenant_id, owner);

create table privity.capability_namespaces (
  tenant_id text not null references privity.tenants,
  namespace text not null,
  description text not null,
  parent_namespace text,
  registration_basis text not null,
  registered_at timestamptz not null,
  primary key (tenant_id, namespace)
);

-- Capabilities of the host's own tools, and the lifecycle of built-in ones where the host changed it.
create table privity.capabilities (
  tenant_id text not null references privity.tenants,
  capability_id text not null,
  namespace text not null,
  name text not null,
  description text not null,
  lifecycle_state text not null,
  registration_basis text not null,
  metadata jsonb not null,
  registered_at timestamptz not null,
  primary key (tenant_id, capability_id)
);

create table privity.policies (
  tenant_id text not null references privity.tenants,
  policy_id text not null,
  mode text not null,
  allowed_capabilities jsonb not null,
  denied_capabilities jsonb not null,
  parent_ref text,
  created_at timestamptz not null,
  primary key (tenant_id, policy_id)
);

create table privity.reason_codes (
  tenant_id text not null references privity.tenants,
  code text not null,
  description text not null,
  visibility text not null,
  owner text not null,
  primary key (tenant_id, code)
);

-- Every state change (AU-2). `audited` turns true when its entry stands in a lane.
create table privity.operations (
  tenant_id text not null references privity.tenants,
  operation_id uuid not null,
  name text not null,
  actor_id uuid not null,
  for_id uuid not null,
  audience text not null,
  authenticated boolean not null,
  effects text[] not null,
  reversibility text not null,
  refs uuid[] not null,
  causal_parents uuid[] not null default '{}',
  idempotency_key text,
  request_digest bytea,
  policy_generation uuid,
  created_at timestamptz not null,
  audited boolean not null default false,
  primary key (tenant_id, operation_id)
);
create unique index operations_by_idempotency_key
  on privity.operations (tenant_id, actor_id, for_id, name, idempotency_key)
  where idempotency_key is not null;
create index operations_by_generation
  on privity.operations (tenant_id, policy_generation)
  where policy_generation is not null;
create index operations_unaudited on privity.operations (tenant_id, created_at) where not audited;

-- What an agent was shown in a session, as the label that its writing takes (WR-2).
create table privity.exposures (
  tenant_id text not null references privity.tenants,
  actor_id uuid not null,
  for_id uuid not null,
  session text not null,
  sensitivity text not null,
  scope text,
  visibility_class text not null,
  participants text[] not null,
  primary key (tenant_id, actor_id, for_id, session)
);

create table privity.audit_lanes (
  tenant_id text not null references privity.tenants,
  lane_id uuid not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_seq int,
  closed_hash bytea,
  primary key (tenant_id, lane_id)
);

create table privity.audit_entries (
  tenant_id text not null,
  lane_id uuid not null,
  seq int not null,
  previous bytea not null,
  hash bytea not null,
  entry_id uuid not null,
  -- As exact as what is hashed, so that nothing can be altered beyond it.
  at timestamptz(3) not null,
  actor_id uuid not null,
  for_id uuid not null,
  audience text not null,
  authenticated boolean not null,
  operation text not null,
  outcome text not null,
  reason text,
  refs uuid[] not null,
  counts jsonb not null,
  operation_id uuid,
  primary key (tenant_id, lane_id, seq),
  foreign key (tenant_id, lane_id) references privity.audit_lanes
);
create index audit_entries_by_principal on privity.audit_entries (tenant_id, for_id, at, entry_id);

create table privity.audit_checkpoints (
  tenant_id text not null references privity.tenants,
  checkpoint_id uuid not null,
  at timestamptz(3) not null,
  heads jsonb not null,
  previous bytea not null,
  hash bytea not null,
  primary key (tenant_id, checkpoint_id)
);

-- The change log. A row carries the id of the transaction that wrote it; readers go by that (see changesSince).
create table privity.changes (
  tenant_id text not null,
  xid xid8 not null default pg_current_xact_id(),
  record_id uuid not null,
  primary key (tenant_id, xid, record_id)
);

-- Secrets for cursors and digests. No application role may read it.
create table privity.keys (
  key_id uuid primary key,
  purpose text not null,
  secret bytea not null,
  created_at timestamptz not null default now()
);
