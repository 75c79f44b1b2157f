-- compatible
-- What an audit entry binds beyond itself (AU-1): whose names its pseudonyms stood for, by a digest under a key of each
-- pseudonym, and the row of the operation. With a pseudonym's row its key goes too, and the digest tells nothing any more.

alter table privity.actors add column digest_key bytea not null
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

alter table privity.audit_entries
  -- 1: written before there were bindings.
  add column version smallint not null default 1,
  add column actor_digest bytea,
  add column for_digest bytea,
  add column operation_digest bytea;

-- `audit verify` looks for operations without an entry.
create index audit_entries_by_operation on privity.audit_entries (tenant_id, operation_id) where operation_id is not null;
