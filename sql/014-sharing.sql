-- Sharing: how one caller reads now (profiles), what of a corpus is shared (views), with whom (links), and what they took.

alter table privity.records
  -- When a newer record took its place, or its source's: a snapshot from before still shows it (SV-4).
  add column ended_at timestamptz;

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

alter table privity.api_keys
  -- A key that opens a profile and nothing else.
  add column profile_id uuid;
