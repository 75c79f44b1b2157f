-- Row-level security: the second lock (DE-6). Installed apart from the tables, so that a variant can be installed in
-- its place. Five roles, none of which owns a table or bypasses a policy:
--   privity_app     reads for a caller: tenant, and on records the meet of all gates that stored facts decide (DE-5)
--   privity_writer  writes what the runtime has decided, inside one tenant; may not alter the audit
--   privity_index   feeds the index: sees every record of one tenant
--   privity_operator  sees which tenants there are and when something was last audited, and nothing else of them;
--                   deletes one tenant whole (OP-5)
--   privity_backup  reads every row of every tenant, to copy the store, and changes nothing (OP-1)
-- A setting that is not set is null, null is not true, and not true is no row.

do $$
declare
  role text;
  usable boolean;
begin
  foreach role in array array[
    'privity_app', 'privity_writer', 'privity_index', 'privity_operator', 'privity_backup'
  ] loop
    begin
      if not exists (select 1 from pg_roles where rolname = role) then
        execute format('create role %I nologin noinherit', role);
      end if;
    exception
      -- roles belong to the cluster: another database may be making the same one
      when duplicate_object or unique_violation then null;
    end;
    -- From Postgres 16 on, whoever makes a role is its member without the right to take it on.
    if current_setting('server_version_num')::int >= 160000 then
      usable := pg_has_role(current_user, role, 'set');
    else
      usable := pg_has_role(current_user, role, 'member');
    end if;
    if not usable then
      execute format('grant %I to current_user', role);
    end if;
  end loop;
end
$$;

grant usage on schema privity to privity_app, privity_writer, privity_index, privity_operator, privity_backup;

create or replace function privity.setting(name text) returns text
  language sql stable parallel safe
  return nullif(current_setting('privity.' || name, true), '');

-- Start from nothing: this file says all there is.
do $$
declare
  item record;
begin
  for item in select policyname, tablename from pg_policies where schemaname = 'privity' loop
    execute format('drop policy %I on privity.%I', item.policyname, item.tablename);
  end loop;
  for item in
    select c.relname as tablename
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'privity' and c.relkind = 'r'
  loop
    execute format(
      'revoke all on privity.%I from privity_app, privity_writer, privity_index, privity_operator, privity_backup',
      item.tablename
    );
    execute format('grant select on privity.%I to privity_backup', item.tablename);
    if exists (
      select 1 from information_schema.columns
      where table_schema = 'privity' and table_name = item.tablename and column_name = 'tenant_id'
    ) then
      execute format('alter table privity.%I enable row level security', item.tablename);
      execute format('alter table privity.%I force row level security', item.tablename);
      execute format(
        'create policy tenant on privity.%I to privity_app, privity_writer, privity_index
           using (tenant_id = privity.setting(''tenant''))
           with check (tenant_id = privity.setting(''tenant''))',
        item.tablename
      );
      execute format('create policy backup on privity.%I for select to privity_backup using (true)', item.tablename);
      execute format(
        'create policy deletion on privity.%I for delete to privity_operator
           using (tenant_id = privity.setting(''deleted_tenant''))',
        item.tablename
      );
      execute format('grant delete on privity.%I to privity_operator', item.tablename);
      execute format('grant select on privity.%I to privity_app, privity_writer', item.tablename);
    end if;
  end loop;
end
$$;

grant insert, update, delete on
  privity.tenants, privity.generations, privity.actors, privity.groups, privity.memberships, privity.people,
  privity.sessions, privity.session_participants, privity.consent_records, privity.compartments, privity.records,
  privity.relations, privity.derivations, privity.overlays, privity.overlaid_targets, privity.grants,
  privity.capability_namespaces, privity.capabilities, privity.policies, privity.reason_codes, privity.exposures,
  privity.changes, privity.index_parts, privity.search_runs, privity.saved_searches, privity.consent_requests,
  privity.notifications, privity.webhooks, privity.webhook_deliveries,
  privity.library_contributions,
  privity.sources, privity.source_contents, privity.recognitions, privity.recognised_pages,
  privity.bindings, privity.binding_manifests, privity.binding_outcomes, privity.binding_contributions,
  privity.binding_rejections,
  privity.session_signals, privity.corpus_signals, privity.record_signals,
  privity.scoped_targets, privity.shared_views, privity.view_targets, privity.share_links, privity.link_requests, privity.link_codes, privity.profiles,
  privity.profile_views, privity.session_bindings, privity.session_policies, privity.profile_uses, privity.downloads, privity.watermarks, privity.uploads, privity.readings,
  privity.capacity_leases, privity.capacities, privity.mails, privity.capture_jobs, privity.change_requests,
  privity.relationships, privity.session_invitations, privity.bridge_requests, privity.strategy_rankings, privity.turns,
  privity.embeddings, privity.api_keys
to privity_writer;
-- No reader needs what a key's secret is compared with.
revoke select on privity.api_keys from privity_app;
grant select (
  tenant_id, key_id, owner, name, credential, made_with, created_by, created_at, expires_at, revoked_at, last_used_at,
  profile_id, label
) on privity.api_keys to privity_app;
-- Nor what a link, a passcode, a code or a ticket is compared with.
revoke select on privity.share_links, privity.link_requests, privity.link_codes from privity_app;
grant select (
  tenant_id, link_id, owner, created_by, name, owner_session, view_ids, document_access_policy, allowed_actions,
  recipient_identity_mode, recipient_email, approved_name, max_sensitivity, session_seconds, rate_limits, watermark_downloads, watermark_policy, audit_visibility, policy_refs, expires_at,
  created_at, revoked_at, revoke_reason, revocation, session_idle_seconds, agreement, address_rules, notices, copy_of, asks_passcode, file_request
) on privity.share_links to privity_app;
grant select (
  tenant_id, request_id, link_id, name, state, created_at, decided_at
) on privity.link_requests to privity_app;
-- Nor what stays in a session.
revoke select on privity.session_signals from privity_app;
-- Nor what was recognised on pages: it is told as the text of a document.
revoke select on privity.recognitions, privity.recognised_pages from privity_app;
-- Nor the bytes of what was sent in.
revoke select on privity.uploads from privity_app;
grant select (
  tenant_id, upload_id, owner, link_id, profile_id, name, declared_type, media_type, message, size, sha256, state, failure, warnings,
  record_id, created_at, decided_at
) on privity.uploads to privity_app;
-- Nor mail that waits.
revoke select on privity.mails from privity_app;
grant select (
  tenant_id, mail_id, owner, link_id, purpose, created_at, attempts, next_at, sent_at, failed_at, failure
) on privity.mails to privity_app;
-- Nor the credential of turns that wait for a model.
revoke select on privity.capture_jobs from privity_app;
grant select (
  tenant_id, job_id, owner, conversation, record_ids, created_at, attempts, next_at, done_at, failed_at, failure, facts,
  held_back, label
) on privity.capture_jobs to privity_app;
-- Nor what a webhook signs with.
revoke select on privity.webhooks from privity_app;
grant select (
  tenant_id, webhook_id, url, types, description, created_by, created_at, disabled_at, last_success_at,
  last_failure_at, last_failure, given_up
) on privity.webhooks to privity_app;
-- History is appended to. Closing a lane and noting that an operation is audited are the only changes to it.
grant insert on privity.operations, privity.audit_lanes, privity.audit_entries, privity.audit_checkpoints to privity_writer;
grant update (audited) on privity.operations to privity_writer;
grant update (closed_at, closed_seq, closed_hash) on privity.audit_lanes to privity_writer;

grant select on
  privity.records, privity.compartments, privity.relations, privity.derivations, privity.changes, privity.index_parts,
  privity.embeddings
to privity_index;
-- An index holds the words of everybody: nobody reads it for a caller.
revoke select on privity.changes, privity.index_parts, privity.embeddings from privity_app;

grant select on privity.tenants to privity_operator;
create policy operator on privity.tenants for select to privity_operator using (true);
-- When a store is opened, its time goes on from the latest entry, whatever the machine's clock says.
grant select (tenant_id, lane_id, opened_at, closed_at) on privity.audit_lanes to privity_operator;
grant select (tenant_id, lane_id, seq, at) on privity.audit_entries to privity_operator;
create policy operator on privity.audit_lanes for select to privity_operator using (true);
create policy operator on privity.audit_entries for select to privity_operator using (true);

-- What is stored beside records has the label of the most that its author could be shown, and passes the gates that a
-- record of that label would, in full (NI-10). Null counts as the strictest label there is.
create or replace function privity.passes(label jsonb) returns boolean
  language sql stable parallel safe
  return
    array_position(array['public', 'low', 'medium', 'high', 'hyper'], coalesce(label ->> 'sensitivity', 'hyper'))
      <= array_position(array['public', 'low', 'medium', 'high', 'hyper'], privity.setting('max_sensitivity'))
    and (
      privity.setting('all_scopes') = 'on'
      or (label is not null and label ->> 'scope' is null)
      or string_to_array(nullif(label ->> 'scope', ''), '+') <@ string_to_array(privity.setting('scopes'), '+')
    )
    and array_position(
      array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
      coalesce(label ->> 'visibilityClass', 'firewalled')
    ) <= array_position(
      array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
      privity.setting('ceiling')
    )
    and (
      privity.setting('floor') = 'none'
      or array_position(
        array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
        privity.setting('floor')
      ) <= array_position(
        array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
        privity.setting('ceiling')
      )
    )
    and (
      privity.setting('respect_consent') = 'off'
      or (
        label is not null
        and not exists (
          select 1
          from jsonb_array_elements_text(label -> 'participants') as named (person)
          where not exists (
            select 1
            from privity.people p
            where p.tenant_id = privity.setting('tenant')
              and p.owner = named.person::jsonb ->> 1
              and p.person_id::text = named.person::jsonb ->> 2
              and p.consent = 'granted'
          )
        )
      )
    );
-- What was stored under somebody's profile or by a link tells of that, so to others it has the strictest label; whoever is
-- bound by views sees nothing else than what was stored under the same profile.
create or replace function privity.sees(label jsonb) returns boolean
  language sql stable parallel safe
  return
    case
      when label ->> 'profile' = coalesce(
        privity.setting('profile'),
        case when privity.setting('audience') not in ('owner', 'host', 'agent') then 'recipient' end
      ) then privity.passes(label)
      when privity.setting('audience') not in ('owner', 'host', 'agent') or privity.setting('bound') = 'on' then false
      else privity.passes(case when label ->> 'profile' is null then label end)
    end;
create policy label on privity.saved_searches as restrictive for select to privity_app using (privity.sees(label));
create policy label on privity.capture_jobs as restrictive for select to privity_app using (privity.sees(label));
create policy label on privity.change_requests as restrictive for select to privity_app using (privity.sees(label));
create policy label on privity.consent_requests as restrictive for select to privity_app using (privity.sees(label));
create policy label on privity.search_runs as restrictive for select to privity_app using (privity.sees(label));
create policy label on privity.operations as restrictive for select to privity_app using (privity.sees(label));
create policy label on privity.audit_entries as restrictive for select to privity_app using (privity.sees(label));

create policy recipient on privity.notifications as restrictive for select to privity_app using (
  recipient = privity.setting('principal')
);

-- What somebody is asked to share, and what was retrieved for their turns, nobody else reads (CB-8).
create policy owner on privity.bridge_requests as restrictive for select to privity_app
  using (owner = privity.setting('principal'));
create policy actor on privity.turns as restrictive for select to privity_app
  using (actor = privity.setting('principal'));

-- A file is seen with its card. One without a card is seen with the card that it follows, where that is seen in full and it
-- comes out no stricter;
-- and by an owner from whom nothing is held back, unless an overlay lies on what it lies in. Where consent is respected, as
-- for a model, one that was said to be about people is not there; nor is any, to others of its owner's callers.
create policy card on privity.sources as restrictive for select to privity_app using (
  (
    owner = privity.setting('principal')
    or exists (
      select 1
      from privity.memberships m
      where m.tenant_id = sources.tenant_id
        and m.member = privity.setting('principal')
        and sources.owner in ('group:' || m.group_id, 'role:' || m.group_id || '/' || nullif(m.role, ''))
    )
  )
  and (
    exists (
      select 1
      from privity.records card
      where card.tenant_id = sources.tenant_id
        and card.record_id = sources.record_id
      -- Looked up for each file: the planner else decides on every record of the tenant.
      offset 0
    )
    or exists (
      select 1
      from privity.records card
      where sources.record_id is null
        and sources.as_followed
        and card.tenant_id = sources.tenant_id
        and card.record_id = sources.follows
        and array_position(array['public', 'low', 'medium', 'high', 'hyper'], card.sensitivity)
          <= array_position(array['public', 'low', 'medium', 'high', 'hyper'], privity.setting('max_sensitivity'))
        and not exists (
          select 1
          from privity.overlays o
          where o.tenant_id = sources.tenant_id
            and (
              (o.target = any (sources.targets) and o.target <> all (card.targets))
              or (o.target = any (card.targets) and o.restriction = 'preview_only')
            )
        )
    )
    or (
      record_id is null
      and privity.setting('audience') in ('owner', 'host')
      and privity.setting('bound') = 'off'
      and (
        privity.setting('respect_consent') = 'off'
        -- About nobody, as far as it was said; whom it names, it will name on its card.
        or (
          jsonb_array_length(coalesce(asked -> 'participants', '[]')) = 0
          and jsonb_array_length(coalesce(asked -> 'atLeast' -> 'participants', '[]')) = 0
        )
      )
      and privity.setting('max_sensitivity') = 'hyper'
      and privity.setting('all_scopes') = 'on'
      and privity.setting('ceiling') = 'firewalled'
      and not exists (
        select 1
        from privity.overlays o
        where o.tenant_id = sources.tenant_id
          and o.target = any (sources.targets)
      )
    )
  )
);
create policy source on privity.source_contents as restrictive for select to privity_app using (
  exists (
    select 1
    from privity.sources s
    where s.tenant_id = source_contents.tenant_id
      and s.source_id = source_contents.source_id
  )
);

-- What is watched is known to whom its owner is, and what became of a document to whoever sees the document. What was never
-- taken in has no label: it is told to an owner from whom nothing is held back.
create policy owner on privity.bindings as restrictive for select to privity_app using (
  privity.setting('audience') in ('owner', 'host', 'agent')
  and (
    owner = privity.setting('principal')
    or exists (
      select 1
      from privity.memberships m
      where m.tenant_id = bindings.tenant_id
        and m.member = privity.setting('principal')
        and bindings.owner in ('group:' || m.group_id, 'role:' || m.group_id || '/' || nullif(m.role, ''))
    )
  )
);
do $$
declare
  ledger text;
begin
  foreach ledger in array array['binding_outcomes', 'binding_contributions'] loop
    execute format(
      'create policy document on privity.%1$I as restrictive for select to privity_app using (
         case
           when record_id is not null then exists (
             select 1 from privity.records r where r.tenant_id = %1$I.tenant_id and r.record_id = %1$I.record_id)
           when source_id is not null then exists (
             select 1 from privity.sources s where s.tenant_id = %1$I.tenant_id and s.source_id = %1$I.source_id)
           else
             privity.setting(''audience'') in (''owner'', ''host'')
             and privity.setting(''bound'') = ''off''
             and privity.setting(''respect_consent'') = ''off''
             and privity.setting(''max_sensitivity'') = ''hyper''
             and privity.setting(''all_scopes'') = ''on''
             and privity.setting(''ceiling'') = ''firewalled''
         end)',
      ledger
    );
  end loop;
end
$$;

-- The gates, again, in SQL.

create policy vessel on privity.records as restrictive for select to privity_app using (
  case vessel
    when 'user' then
      owner = privity.setting('principal')
      or exists (
        select 1
        from privity.memberships m
        where m.tenant_id = records.tenant_id
          and m.member = privity.setting('principal')
          and records.owner in ('group:' || m.group_id, 'role:' || m.group_id || '/' || nullif(m.role, ''))
      )
      -- Whoever is of no known audience counts as a recipient.
      or privity.setting('audience') not in ('owner', 'host', 'agent') and exists (
        select 1
        from privity.profile_views p
        join privity.shared_views v using (tenant_id, view_id)
        where p.tenant_id = records.tenant_id
          and p.profile_id = privity.setting('profile')::uuid
          and v.owner = records.owner
          and v.corpus = records.corpus
      )
    when 'shared' then
      exists (
        select 1
        from privity.session_participants s
        where s.tenant_id = records.tenant_id
          and s.session_id = records.session
          and s.actor = privity.setting('principal')
      )
    when 'global' then true
    else false
  end
);

create policy consent on privity.records as restrictive for select to privity_app using (
  (
    owner = privity.setting('principal')
    or case
      when consent_record is null then
        not (
          vessel = 'shared'
          and kind in ('consented_content', 'empathy_draft', 'empathy_attempt', 'strategy_proposal')
        )
      else exists (
        select 1
        from privity.consent_records c
        where c.tenant_id = records.tenant_id
          and c.consent_record_id = records.consent_record
          and c.decision = 'GRANTED'
          and c.revoked_at is null
          and c.consent_active
      )
    end
  )
  and (
    kind in ('agreement', 'micro_experiment')
    or not exists (
      select 1
      from unnest(records.input_consents) as input (id)
      where not exists (
        select 1
        from privity.consent_records c
        where c.tenant_id = records.tenant_id
          and c.consent_record_id = input.id
          and c.decision = 'GRANTED'
          and c.revoked_at is null
          and c.consent_active
      )
    )
  )
);

create policy participants on privity.records as restrictive for select to privity_app using (
  privity.setting('respect_consent') = 'off'
  or not exists (
    select 1
    from unnest(records.participants) as participant (id)
    where not exists (
      select 1
      from privity.people p
      where p.tenant_id = records.tenant_id
        and p.person_id = participant.id
        and (
          p.consent = 'granted'
          or exists (
            select 1
            from privity.session_participants seated
            join privity.session_participants self using (tenant_id, session_id)
            where seated.tenant_id = records.tenant_id
              and seated.session_id = records.session
              and seated.actor = p.actor
              and self.actor = privity.setting('principal')
          )
        )
    )
  )
);

create policy trust on privity.records as restrictive for select to privity_app using (
  array_position(array['public', 'low', 'medium', 'high', 'hyper'], sensitivity)
    <= array_position(array['public', 'low', 'medium', 'high', 'hyper'], privity.setting('max_sensitivity'))
      -- Whoever is of no known audience counts as a recipient, who gets no metadata of what is one rank above.
      + case when privity.setting('audience') in ('owner', 'host', 'agent') then 1 else 0 end
  and (
    scope is null
    or privity.setting('all_scopes') = 'on'
    or string_to_array(nullif(scope, ''), '+') <@ string_to_array(privity.setting('scopes'), '+')
  )
);

create policy visibility on privity.records as restrictive for select to privity_app using (
  array_position(
    array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
    visibility_class
  ) <= array_position(
    array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
    privity.setting('ceiling')
  )
  and (
    privity.setting('floor') = 'none'
    or array_position(
      array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
      privity.setting('floor')
    ) <= array_position(
      array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
      privity.setting('ceiling')
    )
  )
);

-- A record under redacted_only shows its twin, so the row itself stays shut unless it is one.
create policy overlay on privity.records as restrictive for select to privity_app using (
  not exists (
    select 1
    from privity.overlays o
    where o.tenant_id = records.tenant_id
      and o.target = any (records.targets)
      and (
        o.restriction = 'none'
        or (o.restriction = 'preview_only' and (records.kind <> 'segment' or records.opening))
        or (o.restriction = 'redacted_only' and records.redacted)
        or (o.restriction = 'not_shareable' and privity.setting('audience') in ('owner', 'host', 'agent'))
        or (
          o.restriction = 'explicit_access_required'
          and exists (
            select 1
            from privity.grants g
            where g.tenant_id = o.tenant_id
              and g.target = o.target
              and (
                g.grantee in (privity.setting('principal'), privity.setting('link'))
                or exists (
                  select 1
                  from privity.memberships m
                  where m.tenant_id = g.tenant_id
                    and m.member = privity.setting('principal')
                    and g.grantee in ('group:' || m.group_id, 'role:' || m.group_id || '/' || nullif(m.role, ''))
                )
              )
          )
        )
      ) is not true -- a setting that is not set makes it null, which restricts as well
  )
);

-- Whether a memory cites places, and all of the views on its corpus show each of them (SV-1). As a function it costs the
-- planner nothing where no such memory is read.
create or replace function privity.shows_sources(
  of_tenant text, of_owner text, of_corpus text, of_compartment bytea
) returns boolean
  language sql stable parallel safe
  return exists (
    select 1
    from privity.compartments c
    where c.tenant_id = of_tenant
      and c.compartment_id = of_compartment
      and c.tuple -> 'citedPlaces' <> '[]'
      and not exists (
        select 1
        from jsonb_array_elements_text(c.tuple -> 'citedPlaces') as cited (place)
        cross join privity.profile_views p
        join privity.shared_views v using (tenant_id, view_id)
        where p.tenant_id = of_tenant
          and p.profile_id = privity.setting('profile')::uuid
          and v.owner = of_owner
          and v.corpus = of_corpus
          and (
            cited.place::jsonb ->> 0 = any (v.exposed_surfaces)
            and exists (
              select 1
              from jsonb_array_elements_text(cited.place::jsonb - 0) as named (target)
              where named.target::jsonb = jsonb_build_array('corpus', of_owner, of_corpus)
            )
            and (
              not v.is_scoped
              or exists (
                select 1
                from jsonb_array_elements_text(cited.place::jsonb - 0) as named (target)
                join privity.view_targets t on named.target::jsonb = jsonb_build_array(t.kind, v.owner, t.ref)
                where t.tenant_id = v.tenant_id
                  and t.view_id = v.view_id
              )
            )
          ) is not true
      )
  );

-- Whoever is bound by views sees what all of the views on a corpus show, and of no other corpus anything.
create policy view on privity.records as restrictive for select to privity_app using (
  (privity.setting('audience') in ('owner', 'host', 'agent') and privity.setting('bound') = 'off')
  or (
    exists (
      select 1
      from privity.profile_views p
      join privity.shared_views v using (tenant_id, view_id)
      where p.tenant_id = records.tenant_id
        and p.profile_id = privity.setting('profile')::uuid
        and v.owner = records.owner
        and v.corpus = records.corpus
    )
    and not exists (
      select 1
      from privity.profile_views p
      join privity.shared_views v using (tenant_id, view_id)
      where p.tenant_id = records.tenant_id
        and p.profile_id = privity.setting('profile')::uuid
        and v.owner = records.owner
        and v.corpus = records.corpus
        and (
          records.surface = any (v.exposed_surfaces)
          and records.surface in (
            'source_documents', 'filing_metadata', 'filing_relationships', 'court_rulings',
            'court_disposition_observations', 'host_outcome_analysis', 'neutral_topics', 'host_annotations',
            'host_strategy_notes', 'host_topics', 'derived_memories', 'derived_outcomes_synthesis'
          )
          and array_position(
            array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
            records.visibility_class
          ) <= array_position(
            array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],
            v.visibility_class_ceiling
          )
          and (
            records.surface <> 'derived_memories'
            or (
              v.derived_memory_share_policy = 'include_with_provenance'
              and privity.shows_sources(records.tenant_id, records.owner, records.corpus, records.compartment_id)
            )
            or (v.derived_memory_share_policy = 'include_only_user_marked_shareable' and records.marked_shareable)
          )
          and (
            records.surface not in ('host_annotations', 'host_strategy_notes', 'host_topics')
            or v.host_annotation_policy = 'include_all'
            or (v.host_annotation_policy = 'include_marked_shareable' and records.marked_shareable)
          )
          and (
            v.view_temporal_mode in ('live_view', 'live_view_with_change_log')
            or records.created_at <= v.snapshot_at
          )
          and (
            not v.is_scoped
            or exists (
              select 1
              from privity.view_targets t
              where t.tenant_id = v.tenant_id
                and t.view_id = v.view_id
                and (t.kind, t.ref) in (
                  ('document', records.document),
                  ('document', records.record_id::text),
                  ('version', records.version),
                  ('filing_unit', records.filing_unit),
                  ('part', records.part),
                  ('segment', records.segment)
                )
            )
          )
        ) is not true
    )
  )
);

create policy freshness on privity.records as restrictive for select to privity_app using (
  (
    lifecycle in ('active', 'contested')
    -- What was made from a version that was replaced, for whoever shows it as that (SR-14).
    or (lifecycle = 'stale' and ended_at is not null and privity.setting('framed') = 'stale')
    or (
      lifecycle in ('superseded', 'stale')
      -- Snapshots show what was current when all of them were taken; a live view shows no more than what is now.
      and ended_at > (
        select
          case
            when bool_and(v.view_temporal_mode not in ('live_view', 'live_view_with_change_log'))
              then max(v.snapshot_at)
          end
        from privity.profile_views p
        join privity.shared_views v using (tenant_id, view_id)
        where p.tenant_id = records.tenant_id
          and p.profile_id = privity.setting('profile')::uuid
          and v.owner = records.owner
          and v.corpus = records.corpus
      )
    )
  )
  and (expires_at is null or expires_at > privity.setting('now')::timestamptz)
);
