-- Credentials that callers present at a door. What a key says never changes; whether it stands is read with every
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
  primary key (tenant_id, key_id)
);
create unique index api_keys_by_name on privity.api_keys (tenant_id, owner, name) where revoked_at is null;
create index api_keys_by_maker on privity.api_keys (tenant_id, made_with);

-- What a refused caller asks about: its own refusals, by the id it was given.
create index audit_entries_by_id on privity.audit_entries (tenant_id, entry_id);
