-- breaking
-- Links that people manage: whom they are for, what is agreed to, when sessions end that nobody uses, and how the host
-- is told (ST-10).
alter table privity.share_links
  -- Sessions end after this many seconds without use; null for links from before, whose sessions do not.
  add column session_idle_seconds int,
  -- What recipients agree to before they are let in; its hash is recorded with each session.
  add column agreement text,
  -- Addresses and domains that are let in or kept out, sealed.
  add column address_rules text,
  -- What the host is told of, and how. The address in it is sealed.
  add column notices jsonb not null default '{}',
  -- The digest that is being collected: since when, and when it is due.
  add column digest_from timestamptz,
  add column digest_at timestamptz,
  -- The link whose terms it has.
  add column copy_of uuid,
  add column asks_passcode boolean generated always as (passcode_hash is not null) stored;
create index share_links_with_digest on privity.share_links (tenant_id, digest_at) where digest_at is not null;

-- Codes by mail, one for each address: several people may open one link at the same time.
create table privity.link_codes (
  tenant_id text not null,
  link_id uuid not null,
  -- A digest of the address.
  address bytea not null,
  code_hash bytea not null,
  expires_at timestamptz not null,
  failures int not null default 0,
  primary key (tenant_id, link_id, address),
  foreign key (tenant_id, link_id) references privity.share_links on delete cascade
);
alter table privity.share_links drop column code_hash, drop column code_expires_at, drop column code_failures;

alter table privity.profiles
  -- When it ends if nobody uses it; each use moves this on.
  add column idle_at timestamptz,
  -- The address that the recipient proved, sealed.
  add column recipient_email text,
  -- SHA-256 of what they agreed to when it was opened.
  add column agreement_hash text;
