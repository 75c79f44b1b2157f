-- breaking
-- What is stored beside records carries the label of the most that its author's credential was shown (NI-10):
-- sensitivity, scope ('' is every scope), visibilityClass, participants and profile. Null is the strictest label.
-- `credential` is a digest of that clearance, where something is unique or counted within a credential.

alter table privity.saved_searches add column credential text not null default '';
alter table privity.saved_searches drop constraint saved_searches_tenant_id_actor_id_for_id_name_key;
alter table privity.saved_searches add unique (tenant_id, actor_id, for_id, name, credential);

alter table privity.consent_requests add column credential text not null default '';
drop index privity.consent_requests_open;
create unique index consent_requests_open
  on privity.consent_requests (tenant_id, actor_id, for_id, person, credential)
  where state = 'open';

-- Until now null meant that an agent had been shown nothing. What people stored had no label at all.
update privity.saved_searches s
set label = '{"sensitivity": "public", "scope": null, "visibilityClass": "public_open", "participants": []}'
where s.label is null
  and exists (
    select 1
    from privity.operations o
    where o.tenant_id = s.tenant_id
      and o.name = 'searches.save'
      and o.audience = 'agent'
      and o.refs @> array[s.saved_search_id]);
update privity.consent_requests r
set label = '{"sensitivity": "public", "scope": null, "visibilityClass": "public_open", "participants": []}'
where r.label is null
  and exists (
    select 1
    from privity.operations o
    where o.tenant_id = r.tenant_id
      and o.name = 'consents.request'
      and o.audience = 'agent'
      and o.refs @> array[r.request_id]);

alter table privity.search_runs add column label jsonb;
alter table privity.audit_entries add column label jsonb;

-- An idempotency key belongs to a credential: no other key of the actor can confirm what was done with it.
alter table privity.operations add column label jsonb, add column credential text not null default '';
drop index privity.operations_by_idempotency_key;
create unique index operations_by_idempotency_key
  on privity.operations (tenant_id, actor_id, for_id, name, idempotency_key, credential)
  where idempotency_key is not null;

-- What was shown is kept by credential. What was kept before counts for every credential of the agent.
alter table privity.exposures add column credential text not null default '', add column clearance jsonb;
alter table privity.exposures drop constraint exposures_pkey;
alter table privity.exposures add primary key (tenant_id, actor_id, for_id, session, credential);

alter table privity.overlays add column label jsonb;
alter table privity.grants add column label jsonb;
alter table privity.groups add column label jsonb, add column credential text not null default '';
alter table privity.groups drop constraint groups_tenant_id_owner_name_key;
alter table privity.groups add unique (tenant_id, owner, name, credential);
alter table privity.api_keys add column label jsonb, add column maker_digest text not null default '';
drop index privity.api_keys_by_name;
create unique index api_keys_by_name on privity.api_keys (tenant_id, owner, name, maker_digest) where revoked_at is null;
