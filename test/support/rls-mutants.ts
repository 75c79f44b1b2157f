import type { NamedMutation } from './mutants.js'

const sql = (what: string, find: string, replace: string): NamedMutation => [
  what,
  { file: 'sql/rls.sql', find, replace },
]

const POLICIES = ['vessel', 'consent', 'participants', 'trust', 'visibility', 'view', 'overlay', 'freshness']
const policy = (name: string) =>
  `create policy ${name} on privity.records as restrictive for select to privity_app using (`

/** Found by comparing the rows with the gates. */
export const ROW_MUTANTS: readonly NamedMutation[] = [
  ...POLICIES.map(name => sql(`${name}: without it`, policy(name), `${policy(name)} true or `)),

  sql(
    'vessel: any owner',
    `      owner = privity.setting('principal')\n      or exists`,
    `      owner is not null\n      or exists`,
  ),
  sql(
    'vessel: groups of others',
    `          and m.member = privity.setting('principal')\n          and records.owner`,
    '          and records.owner',
  ),
  sql(
    'vessel: a role without a name',
    `and records.owner in ('group:' || m.group_id, 'role:' || m.group_id || '/' || nullif(m.role, ''))`,
    `and records.owner in ('group:' || m.group_id, 'role:' || m.group_id || '/' || m.role)`,
  ),
  sql('vessel: sessions of others', `          and s.actor = privity.setting('principal')\n`, ''),
  sql('vessel: any session of the caller', '          and s.session_id = records.session\n', ''),
  sql(
    'vessel: an unknown one',
    `    when 'global' then true\n    else false`,
    `    when 'global' then true\n    else true`,
  ),

  sql(
    'consent: not of others',
    `    owner = privity.setting('principal')\n    or case`,
    '    true\n    or case',
  ),
  sql(
    'consent: of the owner too',
    `    owner = privity.setting('principal')\n    or case`,
    '    false\n    or case',
  ),
  sql(
    'consent: content without a record',
    `and kind in ('consented_content', 'empathy_draft'`,
    `and kind in ('empathy_draft'`,
  ),
  sql(
    'consent: unknown decision passes',
    `c.consent_record_id = records.consent_record\n          and c.decision = 'GRANTED'`,
    `c.consent_record_id = records.consent_record\n          and c.decision <> 'DENIED'`,
  ),
  sql(
    'consent: revoked passes',
    `c.consent_record_id = records.consent_record\n          and c.decision = 'GRANTED'\n          and c.revoked_at is null`,
    `c.consent_record_id = records.consent_record\n          and c.decision = 'GRANTED'`,
  ),
  sql(
    'consent: inactive passes',
    `c.consent_record_id = records.consent_record\n          and c.decision = 'GRANTED'\n          and c.revoked_at is null\n          and c.consent_active`,
    `c.consent_record_id = records.consent_record\n          and c.decision = 'GRANTED'\n          and c.revoked_at is null`,
  ),
  sql(
    'consent: common ground survives',
    `kind in ('agreement', 'micro_experiment')`,
    `kind in ('agreement', 'micro_experiment', 'common_ground')`,
  ),
  sql(
    'consent: agreements do not survive',
    `kind in ('agreement', 'micro_experiment')`,
    `kind = 'micro_experiment'`,
  ),
  sql(
    'consent: experiments do not survive',
    `kind in ('agreement', 'micro_experiment')`,
    `kind = 'agreement'`,
  ),
  sql(
    'consent: denied inputs pass',
    `c.consent_record_id = input.id\n          and c.decision = 'GRANTED'`,
    'c.consent_record_id = input.id',
  ),
  sql(
    'consent: revoked inputs pass',
    `c.consent_record_id = input.id\n          and c.decision = 'GRANTED'\n          and c.revoked_at is null`,
    `c.consent_record_id = input.id\n          and c.decision = 'GRANTED'`,
  ),

  sql(
    'participants: pending passes',
    `p.consent = 'granted'\n          or exists`,
    `p.consent <> 'revoked'\n          or exists`,
  ),
  sql(
    'participants: by audience',
    `using (\n  privity.setting('respect_consent') = 'off'`,
    `using (\n  privity.setting('audience') = 'owner'`,
  ),
  sql(
    'participants: one is enough',
    `from unnest(records.participants) as participant (id)`,
    `from unnest(records.participants[1:1]) as participant (id)`,
  ),
  sql(
    'participants: seated in a session of others',
    `              and self.actor = privity.setting('principal')\n`,
    '',
  ),
  sql('participants: anyone in a session', `              and seated.actor = p.actor\n`, ''),
  sql('participants: nobody is seated', `seated.session_id = records.session`, `seated.session_id = ''`),

  sql('trust: a rank too high', `'agent') then 1 else 0 end`, `'agent') then 2 else 0 end`),
  sql('trust: a rank too low', `'agent') then 1 else 0 end`, `'agent') then 0 else 0 end`),
  sql('trust: metadata to recipients', `'agent') then 1 else 0 end`, `'agent') then 1 else 1 end`),
  sql(
    'trust: an unknown sensitivity',
    `array_position(array['public', 'low', 'medium', 'high', 'hyper'], sensitivity)\n`,
    `coalesce(array_position(array['public', 'low', 'medium', 'high', 'hyper'], sensitivity), 0)\n`,
  ),
  sql(
    'trust: one scope is enough',
    `nullif(scope, ''), '+') <@ string_to_array(`,
    `nullif(scope, ''), '+') && string_to_array(`,
  ),
  sql('trust: an empty scope', `nullif(scope, '')`, 'scope'),
  sql(
    'trust: every scope',
    `or privity.setting('all_scopes') = 'on'`,
    `or privity.setting('all_scopes') is not null`,
  ),
  sql('trust: no scope of those who hold all', `    or privity.setting('all_scopes') = 'on'\n`, ''),

  sql('visibility: no floor', `    privity.setting('floor') = 'none'\n    or`, '    true\n    or'),
  sql(
    'visibility: an unknown floor',
    `    privity.setting('floor') = 'none'\n    or`,
    `    array_position(array['party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'], privity.setting('floor')) is null\n    or`,
  ),
  sql(
    'visibility: a rank too high',
    `    visibility_class\n  ) <= array_position(`,
    `    visibility_class\n  ) <= 1 + array_position(`,
  ),
  sql(
    'visibility: an unknown class',
    `array_position(\n    array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],\n    visibility_class\n  )`,
    `coalesce(array_position(\n    array['public_open', 'party_confidential', 'work_product_internal', 'privileged', 'sealed', 'firewalled'],\n    visibility_class\n  ), 0)`,
  ),

  sql('view: agents are never bound', `and privity.setting('bound') = 'off')`, ')'),
  sql(
    'view: what cannot be decided',
    `        ) is not true\n    )\n  )\n);`,
    `        ) is false\n    )\n  )\n);`,
  ),
  sql('view: every surface', 'records.surface = any (v.exposed_surfaces)', 'records.surface is not null'),
  sql(
    'view: any corpus of the owner',
    'and v.corpus = records.corpus\n    )\n    and not exists',
    ')\n    and not exists',
  ),
  sql('view: no ceiling', '    v.visibility_class_ceiling\n          )', `    'firewalled'\n          )`),
  sql(
    'view: memories that nobody marked',
    `'include_only_user_marked_shareable' and records.marked_shareable`,
    `'include_only_user_marked_shareable'`,
  ),
  sql('view: memories that cite nothing', `and c.tuple -> 'citedPlaces' <> '[]'`, ''),
  sql('view: memories of any surface', 'cited.place::jsonb ->> 0 = any (v.exposed_surfaces)', 'true'),
  sql(
    'view: memories of any corpus',
    `named.target::jsonb = jsonb_build_array('corpus', of_owner, of_corpus)`,
    'true',
  ),
  sql(
    'view: memories of what is out of scope',
    'not v.is_scoped\n              or exists',
    'true\n              or exists',
  ),
  sql(
    'view: no memory by a scoped view',
    `not v.is_scoped\n              or exists`,
    `not v.is_scoped\n              or false and exists`,
  ),
  sql(
    'view: memories of which one view shows the sources',
    'cited.place::jsonb ->> 0 = any (v.exposed_surfaces)\n            and exists',
    `v.derived_memory_share_policy <> 'include_with_provenance'\n            or exists`,
  ),
  sql(
    'view: notes that nobody marked',
    `'include_marked_shareable' and records.marked_shareable`,
    `'include_marked_shareable'`,
  ),
  sql('view: what came later', 'or records.created_at <= v.snapshot_at', 'or true'),
  sql('view: what is out of scope', 'not v.is_scoped\n            or exists', 'true\n            or exists'),

  sql(
    'overlay: unknown passes',
    `o.restriction = 'none'\n`,
    `o.restriction not in ('explicit_access_required', 'preview_only', 'redacted_only', 'not_shareable', 'blocked')\n`,
  ),
  sql('overlay: previews are hidden', `o.restriction = 'preview_only' and (`, `false and (`),
  sql('overlay: a preview of every chunk', `(records.kind <> 'segment' or records.opening)`, 'true'),
  sql(
    'overlay: a preview of no chunk',
    `(records.kind <> 'segment' or records.opening)`,
    `records.kind <> 'segment'`,
  ),
  sql(
    'overlay: the original for its twin',
    `(o.restriction = 'redacted_only' and records.redacted)`,
    `o.restriction = 'redacted_only'`,
  ),
  sql(
    'overlay: shared',
    `'not_shareable' and privity.setting('audience') in ('owner', 'host', 'agent')`,
    `'not_shareable'`,
  ),
  sql(
    'overlay: shared with an unknown audience',
    `'not_shareable' and privity.setting('audience') in ('owner', 'host', 'agent')`,
    `'not_shareable' and privity.setting('audience') <> 'recipient'`,
  ),
  sql('overlay: the first target only', 'o.target = any (records.targets)', 'o.target = records.targets[1]'),
  sql('overlay: granted for something else', '              and g.target = o.target\n', ''),
  sql(
    'overlay: granted to others',
    `g.grantee in (privity.setting('principal'), privity.setting('link'))`,
    'g.grantee is not null',
  ),
  sql(
    'overlay: granted to a role without a name',
    `and g.grantee in ('group:' || m.group_id, 'role:' || m.group_id || '/' || nullif(m.role, ''))`,
    `and g.grantee in ('group:' || m.group_id, 'role:' || m.group_id || '/' || m.role)`,
  ),
  sql('overlay: no grants to groups', 'where m.tenant_id = g.tenant_id', 'where false'),

  sql(
    'freshness: stale passes',
    `lifecycle in ('active', 'contested')`,
    `lifecycle in ('active', 'contested', 'stale')`,
  ),
  sql(
    'freshness: unknown passes',
    `lifecycle in ('active', 'contested')`,
    `lifecycle not in ('superseded', 'retracted', 'stale', 'forgotten')`,
  ),
  sql('freshness: contested is hidden', `lifecycle in ('active', 'contested')`, `lifecycle = 'active'`),
  sql(
    'freshness: an instant too long',
    `expires_at > privity.setting('now')`,
    `expires_at >= privity.setting('now')`,
  ),
  sql(
    'freshness: no expiry',
    `expires_at is null or expires_at > privity.setting('now')::timestamptz`,
    'true',
  ),
]

/** What a request tells row-level security, told wrongly. */
export const SETTING_MUTANTS: readonly NamedMutation[] = (
  [
    [
      'the actor for whom it acts for',
      `'privity.principal': caller.actingFor`,
      `'privity.principal': caller.actor`,
    ],
    ['always an owner', `'privity.audience': caller.audience`, `'privity.audience': 'owner'`],
    ['consent not respected', `caller.respectConsent ? 'on' : 'off'`, `'off'`],
    [
      'trust where there is none',
      `caller.trust?.maxSensitivity ?? ''`,
      `caller.trust?.maxSensitivity ?? 'hyper'`,
    ],
    ['all scopes', `scopes === 'all' ? 'on' : 'off'`, `'on'`],
    ['scopes run together', `.sort().join('+')`, `.sort().join(',')`],
    ['no floor', `caller.floor ?? 'none'`, `'none'`],
    ['an older clock', 'now.toISOString()', 'new Date(+now - 1).toISOString()'],
  ] as const
).map(([what, find, replace]) => [what, { file: 'src/runtime/rls-settings.ts', find, replace }])

/** Found by looking at what the roles may do. */
export const LOCK_MUTANTS: readonly NamedMutation[] = [
  ...POLICIES.map(name =>
    sql(`${name}: permissive`, policy(name), policy(name).replace(' as restrictive', '')),
  ),
  sql('tenant: any', `using (tenant_id = privity.setting(''tenant''))`, 'using (true)'),
  sql(
    'not forced',
    'alter table privity.%I force row level security',
    'alter table privity.%I no force row level security',
  ),
  sql(
    'operator: sees more than tenants',
    'create policy operator on privity.tenants',
    'create policy operator on privity.actors',
  ),
  sql(
    'operator: sees who was audited',
    'grant select (tenant_id, lane_id, seq, at) on privity.audit_entries to privity_operator',
    'grant select on privity.audit_entries to privity_operator',
  ),
  sql(
    'operator: makes tenants',
    'grant select on privity.tenants to privity_operator',
    'grant select, insert on privity.tenants to privity_operator',
  ),
  sql(
    'operator: deletes any tenant',
    `using (tenant_id = privity.setting(''deleted_tenant''))`,
    `using (tenant_id <> privity.setting(''deleted_tenant''))`,
  ),
  sql('any row may be written', `with check (tenant_id = privity.setting(''tenant''))`, 'with check (true)'),
  sql(
    'operations may be rewritten',
    'grant update (audited) on privity.operations',
    'grant update on privity.operations',
  ),
  sql(
    'lanes may be moved',
    'grant update (closed_at, closed_seq, closed_hash)',
    'grant update (lane_id, closed_at, closed_seq, closed_hash)',
  ),
  sql(
    'entries may be rewritten',
    'grant insert on privity.operations, privity.audit_lanes, privity.audit_entries,',
    'grant insert, update on privity.operations, privity.audit_lanes, privity.audit_entries,',
  ),
  sql(
    'entries may be deleted',
    'privity.api_keys\nto privity_writer;',
    'privity.api_keys, privity.audit_entries\nto privity_writer;',
  ),
  sql(
    'keys may be read',
    'privity.embeddings\nto privity_index;',
    'privity.embeddings, privity.keys\nto privity_index;',
  ),
  sql(
    'a reader may write',
    'privity.api_keys\nto privity_writer;',
    'privity.api_keys\nto privity_writer, privity_app;',
  ),
  sql(
    'a reader reads the words of everybody',
    'revoke select on privity.changes, privity.index_parts, privity.embeddings from privity_app;',
    '',
  ),
  sql(
    'a reader reads what everybody means',
    'privity.index_parts, privity.embeddings from privity_app;',
    'privity.index_parts from privity_app;',
  ),
  sql(
    'a tenant that is not set is one',
    `return nullif(current_setting('privity.' || name, true), '')`,
    `return coalesce(nullif(current_setting('privity.' || name, true), ''), case name when 'tenant' then 'filled' end)`,
  ),
  sql(
    "settings are read with the owner's rights",
    'privity.setting(name text) returns text\n  language sql stable parallel safe\n',
    'privity.setting(name text) returns text\n  language sql stable parallel safe security definer\n',
  ),
]
