-- breaking
-- The schema as it was first released. This file is frozen (frozen.json): whatever changes later is a file of its own.
-- Row-level security lives apart, in rls.sql. `tenant_id` leads every key; ids are random and made by the runtime;
-- nothing here counts.

-- --------------------------------------------------------------------------------------------------
-- Tenants, and who acts in them.
-- --------------------------------------------------------------------------------------------------

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

-- Secrets for cursors and digests. No application role may read it.
create table privity.keys (
  key_id uuid primary key,
  purpose text not null,
  secret bytea not null,
  created_at timestamptz not null default now()
);

-- A credential that callers present at a door. What a key says never changes; whether it stands is read with every
-- request. The secret itself is nowhere.
create table privity.api_keys (
  tenant_id text not null references privity.tenants,
  key_id uuid not null,
  -- The principal it acts for, whose key it is.
  owner text not null,
  name text not null,
  secret_hash bytea not null,
  credential jsonb not null,
  -- The key it was made with: it falls with that one.
  made_with uuid,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- A key that opens a profile and nothing else.
  profile_id uuid,
  primary key (tenant_id, key_id)
);
create unique index api_keys_by_name on privity.api_keys (tenant_id, owner, name) where revoked_at is null;
create index api_keys_by_maker on privity.api_keys (tenant_id, made_with);

-- --------------------------------------------------------------------------------------------------
-- Records, and what ties them together.
-- --------------------------------------------------------------------------------------------------

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
  -- A BCP 47 code, where the writer gave one; otherwise the index tells it from the text.
  language text,
  -- What an index is made of: an owner's vessel, or a session's. The runtime names cells in the same way.
  cell text not null generated always as (
    case vessel when 'user' then 'user:' || owner when 'shared' then 'shared:' || coalesce(session, '') else vessel end
  ) stored,
  -- When `salience` was what it says; null is since the record was created. What is left of it is worked out on
  -- reading.
  salience_at timestamptz,
  -- Does not fade.
  pinned boolean not null default false,
  -- When a newer record took its place, or its source's: a snapshot from before still shows it (SV-4).
  ended_at timestamptz,
  primary key (tenant_id, record_id)
);
create index records_by_vessel on privity.records (tenant_id, vessel, owner, created_at, record_id);
create index records_by_cell on privity.records (tenant_id, cell, compartment_id, record_id);
create index records_entities on privity.records (tenant_id, owner, record_id) where kind = 'entity';
create index records_by_consent on privity.records (tenant_id, consent_record) where consent_record is not null;
create index records_of_mediation
  on privity.records (tenant_id, vessel, relationship, kind, created_at, record_id)
  where relationship is not null;
create index records_by_document on privity.records (tenant_id, owner, document) where document is not null;

create table privity.relations (
  tenant_id text not null,
  from_id uuid not null,
  to_id uuid not null,
  type text not null,
  created_at timestamptz not null,
  -- Whoever tells of an edge is part of what the edge is: the same one may be told by several, or by nobody in
  -- particular, and each telling is seen or hidden on its own (PC-5).
  sources uuid[] not null default '{}',
  primary key (tenant_id, from_id, to_id, type, sources),
  foreign key (tenant_id, from_id) references privity.records on delete cascade,
  foreign key (tenant_id, to_id) references privity.records on delete cascade,
  check (from_id <> to_id)
);
create index relations_by_target on privity.relations (tenant_id, to_id);
create index relations_by_source on privity.relations using gin (sources) where sources <> '{}';

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

-- --------------------------------------------------------------------------------------------------
-- Policy: what people restrict and give, what callers can do, and how much of it at once.
-- --------------------------------------------------------------------------------------------------

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
  -- Who registered it (CP-1); null for what is built in.
  registered_by text,
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

-- Who runs what is bounded, in whatever process (CP-3). A row goes when its request ends, or counts no more once its
-- time is over: whoever holds one renews it, so that only who died or hangs loses it.
create table privity.capacity_leases (
  tenant_id text not null references privity.tenants,
  lease_class text not null,
  lease_id uuid not null,
  -- The credential that a quota counts for: its key, or pseudonyms of who acts and for whom.
  holder text not null,
  taken_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, lease_class, lease_id)
);

-- How much of a class a tenant may have, as its host says; what the operator gives bounds it.
create table privity.capacities (
  tenant_id text not null references privity.tenants,
  lease_class text not null,
  total int not null,
  per_credential int not null,
  seconds int not null,
  primary key (tenant_id, lease_class)
);

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

-- --------------------------------------------------------------------------------------------------
-- History: every change, and the audit of what was asked.
-- --------------------------------------------------------------------------------------------------

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
-- The log of operations is read newest first, or by what an operation was about.
create index operations_by_time on privity.operations (tenant_id, created_at, operation_id);
create index operations_by_ref on privity.operations using gin (refs);

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
-- What a refused caller asks about: its own refusals, by the id it was given.
create index audit_entries_by_id on privity.audit_entries (tenant_id, entry_id);

create table privity.audit_checkpoints (
  tenant_id text not null references privity.tenants,
  checkpoint_id uuid not null,
  at timestamptz(3) not null,
  heads jsonb not null,
  previous bytea not null,
  hash bytea not null,
  primary key (tenant_id, checkpoint_id)
);

-- --------------------------------------------------------------------------------------------------
-- Search: what the index follows, vectors, receipts, saved searches.
-- --------------------------------------------------------------------------------------------------

-- The change log, by cell, so that work of others delays nobody. A row carries the id of the transaction that wrote it;
-- readers go by that (see changesSince).
create table privity.changes (
  tenant_id text not null,
  cell text not null,
  xid xid8 not null default pg_current_xact_id(),
  record_id uuid not null,
  -- True where only a vector came: the index has the record already.
  vector boolean not null default false,
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

-- The vectors of records, by model.
create table privity.embeddings (
  tenant_id text not null,
  record_id uuid not null,
  -- Vectors of different models are never compared; several may stand side by side.
  model text not null,
  -- Of what was embedded: an equal text needs no second call.
  content_hash bytea not null,
  -- Whole numbers of 16 bits; empty where the text holds nothing to embed.
  vector bytea not null,
  primary key (tenant_id, record_id, model),
  foreign key (tenant_id, record_id) references privity.records on delete cascade
);
alter table privity.embeddings alter column vector set storage external;
-- The model last: before the hash, it would tempt a planner without statistics to read all vectors of a model.
create index embeddings_by_content on privity.embeddings (tenant_id, content_hash, model);

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
  -- What whoever saved it had been shown, for its name and question may be made of it; null is nothing (WR-2).
  label jsonb,
  primary key (tenant_id, saved_search_id),
  unique (tenant_id, actor_id, for_id, name)
);

-- --------------------------------------------------------------------------------------------------
-- Mediation: who takes part in a session and how far they are, what they were asked to share and decided, and what was
-- retrieved for a turn. What they say and share are records like any other.
-- --------------------------------------------------------------------------------------------------

-- The people of one process and of those before it. `members` is sorted.
create table privity.relationships (
  tenant_id text not null references privity.tenants,
  relationship_id text not null,
  members text[] not null,
  created_at timestamptz not null,
  primary key (tenant_id, relationship_id),
  unique (tenant_id, members)
);

create table privity.sessions (
  tenant_id text not null references privity.tenants,
  session_id text not null,
  relationship text not null,
  created_at timestamptz not null,
  state text not null default 'CREATED'
    check (state in ('CREATED', 'INVITED', 'ACTIVE', 'PAUSED', 'RESOLVED', 'ABANDONED')),
  title text,
  -- Everybody it is meant for, sorted: who is not among its participants has not joined yet.
  members text[] not null default '{}',
  updated_at timestamptz,
  primary key (tenant_id, session_id)
);

create table privity.session_participants (
  tenant_id text not null,
  session_id text not null,
  actor text not null,
  stage int not null default 0,
  joined_at timestamptz,
  -- When a stage was entered, and when a gate was passed that rests on nothing else but the person's word.
  entered jsonb not null default '{}',
  confirmed jsonb not null default '{}',
  -- How strongly they felt when they last said so: it tells how much to recall, whatever a stage lets be read.
  felt int,
  felt_at timestamptz,
  primary key (tenant_id, session_id, actor),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade
);
create index session_participants_by_actor on privity.session_participants (tenant_id, actor);

create table privity.session_invitations (
  tenant_id text not null,
  session_id text not null,
  actor text not null,
  created_at timestamptz not null,
  -- Who declined is not asked again.
  declined_at timestamptz,
  primary key (tenant_id, session_id, actor),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade
);
create index session_invitations_by_actor on privity.session_invitations (tenant_id, actor);

create table privity.consent_records (
  tenant_id text not null references privity.tenants,
  consent_record_id uuid not null,
  session_id text,
  owner text not null,
  decision text not null,
  decided_at timestamptz,
  revoked_at timestamptz,
  consent_active boolean not null default false,
  content_type text,
  content_description text,
  -- The original in its owner's vessel, and what was shared of it; either may be forgotten later.
  original_id uuid,
  content_id uuid,
  primary key (tenant_id, consent_record_id)
);
create index consent_records_by_owner on privity.consent_records (tenant_id, session_id, owner, decided_at);
create index consent_records_revoked on privity.consent_records (tenant_id, consent_record_id, revoked_at);
create index consent_records_active on privity.consent_records (tenant_id, consent_record_id, consent_active);

-- What a person is asked to share, until they decide. The preview is what the other would read.
create table privity.bridge_requests (
  tenant_id text not null,
  request_id uuid not null,
  session_id text not null,
  owner text not null,
  content_type text not null,
  content_description text not null,
  transformed_preview text not null,
  original_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The decision, once there is one.
  consent_record_id uuid,
  -- Since it was seen to have expired: it stays undecided, and can be made anew.
  closed_at timestamptz,
  primary key (tenant_id, request_id),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade,
  foreign key (tenant_id, original_id) references privity.records on delete cascade
);
create unique index bridge_requests_open
  on privity.bridge_requests (tenant_id, session_id, original_id, content_type)
  where consent_record_id is null and closed_at is null;
create index bridge_requests_by_owner
  on privity.bridge_requests (tenant_id, session_id, owner, created_at, request_id);

-- How a participant orders the strategies of the pool. A place is kept when its strategy leaves. `seen` are the consents
-- of the others' strategies that they had before them: the ranking stands while those do and no others come.
create table privity.strategy_rankings (
  tenant_id text not null,
  session_id text not null,
  actor text not null,
  proposals uuid[] not null,
  seen uuid[] not null,
  submitted_at timestamptz not null,
  primary key (tenant_id, session_id, actor),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade
);

-- One plan a turn: what was asked for, what ran, and what of it reached the model, by id and never by content.
create table privity.turns (
  tenant_id text not null,
  session_id text not null,
  actor text not null,
  turn_id text not null,
  stage int not null,
  intent text not null,
  depth text not null,
  planner text not null,
  queries jsonb not null,
  items jsonb not null,
  token_budget int not null,
  tokens int not null,
  bundle_digest text not null,
  at timestamptz not null,
  primary key (tenant_id, session_id, actor, turn_id),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade
);
create index turns_by_time on privity.turns (tenant_id, session_id, actor, at, turn_id);

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

-- --------------------------------------------------------------------------------------------------
-- Notifications, and where else to tell of them: webhooks and mail.
-- --------------------------------------------------------------------------------------------------

-- What happened that concerns somebody. It says of what it speaks by ids, and never holds a word of it (CB-8).
create table privity.notifications (
  tenant_id text not null references privity.tenants,
  notification_id uuid not null,
  -- The name of an actor.
  recipient text not null,
  type text not null,
  session_id text,
  refs jsonb not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (tenant_id, notification_id)
);
create index notifications_by_recipient
  on privity.notifications (tenant_id, recipient, created_at, notification_id);
create index notifications_unread on privity.notifications (tenant_id, recipient) where read_at is null;

create table privity.webhooks (
  tenant_id text not null references privity.tenants,
  webhook_id uuid not null,
  url text not null,
  -- Null is all of them.
  types text[],
  description text,
  -- What signs its deliveries, so that it has to be readable: sealed with the keys of the store.
  secret text not null,
  -- A pseudonym.
  created_by uuid not null,
  created_at timestamptz not null,
  -- Since its receiver said that it is gone.
  disabled_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  -- How many deliveries were tried for too long.
  given_up int not null default 0,
  primary key (tenant_id, webhook_id)
);

-- What waits to be sent, written together with what it tells of. A row goes once it has arrived or is given up. All its
-- times are those of the store's own clock: several processes share it, and theirs may differ.
create table privity.webhook_deliveries (
  tenant_id text not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  -- Null is a ping.
  notification_id uuid,
  created_at timestamptz not null default now(),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  -- Until then it is somebody's who is sending it.
  leased_until timestamptz,
  primary key (tenant_id, delivery_id),
  foreign key (tenant_id, webhook_id) references privity.webhooks on delete cascade,
  foreign key (tenant_id, notification_id) references privity.notifications on delete cascade
);
create index webhook_deliveries_by_webhook on privity.webhook_deliveries (tenant_id, webhook_id, next_at);
create index webhook_deliveries_by_notification on privity.webhook_deliveries (tenant_id, notification_id);

-- Mail that waits to be sent, written together with what it is about. To whom and what it says is sealed with the keys of
-- the store, and gone once the mail was sent or given up: only when that was stays, and why it failed. When it is sent is
-- by the store's own clock, as several processes share it and theirs may differ.
create table privity.mails (
  tenant_id text not null references privity.tenants,
  mail_id uuid not null,
  -- Address, subject and text; null once it was sent or given up.
  sealed text,
  created_at timestamptz not null,
  -- It is of no use after this, as a code that has ended.
  expires_at timestamptz,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  -- Until then it is somebody's who is sending it.
  leased_until timestamptz,
  sent_at timestamptz,
  -- Since when it is given up.
  failed_at timestamptz,
  -- Why the last attempt failed.
  failure text,
  primary key (tenant_id, mail_id)
);
create index mails_waiting on privity.mails (tenant_id, next_at) where sealed is not null;

-- --------------------------------------------------------------------------------------------------
-- Sharing: how one caller reads now (profiles), what of a corpus is shared (views), with whom (links), and what they took.
-- --------------------------------------------------------------------------------------------------

-- Targets that ever stood in the scope of a view: what a compartment's tuple has to name.
create table privity.scoped_targets (
  tenant_id text not null references privity.tenants,
  target text not null,
  primary key (tenant_id, target)
);

-- Part of one corpus, as it is shared. It is never changed once it was shared.
create table privity.shared_views (
  tenant_id text not null references privity.tenants,
  view_id uuid not null,
  owner text not null,
  corpus text not null,
  name text not null,
  -- The profile it was made under; null for its owner's plain use.
  owner_session uuid,
  exposed_surfaces text[] not null,
  derived_memory_share_policy text not null,
  host_annotation_policy text not null,
  view_temporal_mode text not null,
  snapshot_at timestamptz,
  document_scope jsonb not null,
  -- Whether it is limited to what stands in view_targets.
  is_scoped boolean not null default false,
  visibility_class_ceiling text not null,
  discloses_exclusions boolean not null,
  -- Counted once, when it was shared (CV-4).
  excluded_count int,
  shared_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, view_id)
);
create index shared_views_by_owner on privity.shared_views (tenant_id, owner, created_at, view_id);

-- The scope of a view once more, target by target.
create table privity.view_targets (
  tenant_id text not null,
  view_id uuid not null,
  kind text not null,
  ref text not null,
  primary key (tenant_id, view_id, kind, ref),
  foreign key (tenant_id, view_id) references privity.shared_views on delete cascade
);

create table privity.share_links (
  tenant_id text not null references privity.tenants,
  link_id uuid not null,
  -- Whose views it shares: a person, or a group.
  owner text not null,
  created_by text not null,
  name text not null,
  owner_session uuid,
  token_hash bytea not null,
  view_ids uuid[] not null,
  document_access_policy text,
  allowed_actions jsonb not null,
  recipient_identity_mode text not null,
  -- Sealed: who is meant is nobody else's business.
  recipient_email text,
  passcode_hash text,
  approved_name text,
  max_sensitivity text not null,
  session_seconds int not null,
  rate_limits jsonb not null,
  watermark_downloads boolean not null,
  audit_visibility text not null,
  -- The typed policies that its sessions refer to.
  policy_refs jsonb not null default '{}',
  expires_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text,
  revocation jsonb,
  -- Wrong passcodes since the last right one, and until when none is looked at.
  failures int not null default 0,
  locked_until timestamptz,
  -- The one-time code that was sent last.
  code_hash bytea,
  code_expires_at timestamptz,
  code_failures int not null default 0,
  primary key (tenant_id, link_id)
);
create index share_links_by_owner on privity.share_links (tenant_id, owner, created_at, link_id);

-- Sessions that wait for their host.
create table privity.link_requests (
  tenant_id text not null,
  request_id uuid not null,
  link_id uuid not null,
  name text not null,
  ticket_hash bytea not null,
  state text not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (tenant_id, request_id),
  foreign key (tenant_id, link_id) references privity.share_links on delete cascade
);
create index link_requests_by_link on privity.link_requests (tenant_id, link_id, created_at, request_id);

create table privity.profiles (
  tenant_id text not null references privity.tenants,
  profile_id uuid not null,
  -- Whose it is: the host's principal, also for those who come by its links.
  owner text not null,
  -- Who may ask under it.
  actor text not null,
  session_kind text not null,
  identity_mode text not null,
  state text not null,
  link_id uuid,
  -- Whom the host let in by name, and the request that it approved.
  recipient_name text,
  link_request uuid,
  -- The profile that spawned it.
  parent_profile uuid,
  -- The other fields, as they were given.
  fields jsonb not null,
  expires_at timestamptz,
  -- A session whose link was revoked may have until then, and is revoked from then on.
  ends_at timestamptz,
  ends_reason text,
  created_by text not null,
  created_at timestamptz not null,
  activated_at timestamptz,
  suspended_at timestamptz,
  suspended_reason text,
  revoked_at timestamptz,
  revoked_reason_code text,
  version int not null,
  hash text not null,
  policy_generation uuid,
  primary key (tenant_id, profile_id),
  foreign key (tenant_id, link_id) references privity.share_links
);
create index profiles_by_owner on privity.profiles (tenant_id, owner, created_at, profile_id);
create index profiles_by_parent on privity.profiles (tenant_id, parent_profile) where parent_profile is not null;
create index profiles_by_link on privity.profiles (tenant_id, link_id) where link_id is not null;
create index profiles_that_end on privity.profiles (tenant_id, expires_at) where state in ('active', 'suspended');

create table privity.profile_views (
  tenant_id text not null,
  profile_id uuid not null,
  view_id uuid not null,
  primary key (tenant_id, profile_id, view_id),
  foreign key (tenant_id, profile_id) references privity.profiles on delete cascade,
  foreign key (tenant_id, view_id) references privity.shared_views
);

-- How a native session is bound to its profile (SP-6).
create table privity.session_bindings (
  tenant_id text not null,
  binding_id uuid not null,
  profile_id uuid not null,
  parent_binding uuid,
  binding jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, binding_id),
  foreign key (tenant_id, profile_id) references privity.profiles on delete cascade
);
create index session_bindings_by_profile on privity.session_bindings (tenant_id, profile_id);
create index session_bindings_by_parent on privity.session_bindings (tenant_id, parent_binding);

-- Typed policies that profiles refer to.
create table privity.session_policies (
  tenant_id text not null references privity.tenants,
  kind text not null,
  policy_id text not null,
  owner text not null,
  policy jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, kind, owner, policy_id)
);

-- What counts against a rate. Rows older than the longest window are removed by whoever counts next.
create table privity.profile_uses (
  tenant_id text not null,
  -- A profile, or the link of all its sessions.
  subject uuid not null,
  kind text not null,
  at timestamptz not null,
  use_id uuid not null,
  primary key (tenant_id, subject, kind, at, use_id)
);

-- What left: each download.
create table privity.downloads (
  tenant_id text not null,
  download_id uuid not null,
  profile_id uuid not null,
  link_id uuid,
  record_id uuid not null,
  bytes int not null,
  at timestamptz not null,
  -- The place of watermarks: what was put on it, and when it ceased to count.
  watermark jsonb,
  watermark_invalid_at timestamptz,
  primary key (tenant_id, download_id),
  foreign key (tenant_id, profile_id) references privity.profiles
);
create index downloads_by_link on privity.downloads (tenant_id, link_id, at, download_id);

-- --------------------------------------------------------------------------------------------------
-- Utility signals: what readers do that may tell how useful a result was. They are counts: never when, and never by whom.
-- --------------------------------------------------------------------------------------------------

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

-- --------------------------------------------------------------------------------------------------
-- Documents: the files that cards and segments are made from.
-- --------------------------------------------------------------------------------------------------

-- One version of one file.
create table privity.sources (
  tenant_id text not null references privity.tenants,
  source_id uuid not null,
  owner text not null,
  -- The name of the file; versions of it are counted among what their writer saw.
  document text not null,
  version int not null,
  -- The card that was made of it. A file that was not read, or could not be, has none.
  record_id uuid,
  -- The card that it takes the place of once it is read. What is forgotten takes along what waits to replace it.
  follows uuid,
  -- Whether it comes out under no stricter label than the card that it follows: whoever sees that may know of it.
  as_followed boolean not null,
  -- What it lies in, as an overlay names it.
  targets text[] not null,
  corpus text not null,
  filing_unit text,
  version_kind text,
  media_type text,
  sha256 bytea not null,
  size int not null,
  state text not null,
  problem text,
  pages int,
  characters int,
  segments int,
  -- What was given with it, and what was found in it.
  metadata jsonb not null,
  found jsonb,
  -- Everything else that was asked for, for whoever reads it later.
  asked jsonb not null,
  binding_id uuid,
  created_at timestamptz not null,
  extracted_at timestamptz,
  primary key (tenant_id, source_id),
  foreign key (tenant_id, record_id) references privity.records on delete cascade,
  foreign key (tenant_id, follows) references privity.records on delete cascade
);
create unique index sources_by_record on privity.sources (tenant_id, record_id) where record_id is not null;
create index sources_by_follows on privity.sources (tenant_id, follows) where follows is not null;
create index sources_by_document on privity.sources (tenant_id, owner, document, version);
create index sources_by_owner on privity.sources (tenant_id, owner, created_at, source_id);

create table privity.source_contents (
  tenant_id text not null,
  source_id uuid not null,
  bytes bytea not null,
  primary key (tenant_id, source_id),
  foreign key (tenant_id, source_id) references privity.sources on delete cascade
);
alter table privity.source_contents alter column bytes set storage external;

-- --------------------------------------------------------------------------------------------------
-- Bindings: folders and feeds that are watched, and what became of what was found there. No table here keeps a word of a
-- document: a row points to the file and the card that it tells of, has its name from them, and goes with them (AU-4).
-- --------------------------------------------------------------------------------------------------

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
