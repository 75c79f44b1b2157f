-- compatible
-- Files that recipients sent in by a link. Each waits in the inbox of its host, until it is filed as a document or
-- discarded; what failed its checks waits in quarantine (ST-7).
create table privity.uploads (
  tenant_id text not null references privity.tenants,
  upload_id uuid not null,
  -- Whose link it came by: a person, or a group.
  owner text not null,
  link_id uuid not null,
  profile_id uuid not null,
  name text not null,
  declared_type text,
  media_type text not null,
  message text not null,
  size int not null,
  sha256 bytea not null,
  -- Null once it was filed or discarded.
  bytes bytea,
  state text not null,
  -- The check that it failed; null if it passed them all.
  failure text,
  warnings text[] not null,
  -- The card of the document that it became.
  record_id uuid,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (tenant_id, upload_id),
  foreign key (tenant_id, link_id) references privity.share_links,
  foreign key (tenant_id, profile_id) references privity.profiles
);
create index uploads_by_owner on privity.uploads (tenant_id, owner, created_at, upload_id);
create index uploads_by_profile on privity.uploads (tenant_id, profile_id, created_at, upload_id);
create index uploads_by_sha256 on privity.uploads (tenant_id, link_id, sha256);
