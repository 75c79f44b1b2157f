import { askCondition, askGate } from '../../src/policy/decide.js'
import { meet, shownLevel } from '../../src/policy/faces.js'
import { GATES } from '../../src/policy/gates/all.js'
import type { EffectiveView } from '../../src/policy/subject.js'
import { ownerOfKey, personIdOf, sortedSet, targetKey } from '../../src/policy/tuple.js'
import type { Audience } from '../../src/policy/vocabulary.js'
import type { RequestCaller } from '../../src/runtime/caller.js'
import { compartmentId } from '../../src/runtime/compartment-id.js'
import { rlsSettings } from '../../src/runtime/rls-settings.js'
import type { Database, Transaction } from '../../src/storage/database.js'
import { type PolicyWorld, subjectOf, tupleOf, type WorldCaller } from '../../src/testing/policy-world.js'

/** DE-5: the gates that stored facts settle without the request, and that of views, which are stored as well. */
const IN_SQL = [
  'tenant',
  'vessel',
  'consent',
  'participants',
  'trust',
  'visibility',
  'view',
  'overlay',
  'freshness',
]
const STORED_GATES = GATES.filter(({ name }) => IN_SQL.includes(name))

const asOwner = { access: 'write', role: null, settings: {} } as const

/** Many worlds in one database: each in tenants of its own, all with the same names and ids. */
export function apart(worlds: readonly PolicyWorld[], first = 0): PolicyWorld[] {
  return worlds.map((world, n) => {
    // Memories with provenance in the scope of a view seldom come about by chance.
    const { facts, records, callers } = (first + n) % 8 === 1 ? ofScopedMemories(world) : world
    const own = (tenant: string) => `${first + n} ${tenant}`
    return {
      facts: { ...facts, tenant: own(facts.tenant) },
      records: records.map(record => ({
        ...record,
        fields: {
          ...record.fields,
          tenant: own(record.fields.tenant),
          scopeTargets: onePerKind(record.fields.scopeTargets, record.fields.owner),
        },
      })),
      callers: callers.map((caller, at) => ({
        ...caller,
        tenant: own(caller.tenant),
        // An empty variable is one that is not set, and shows nothing at all.
        audience: caller.audience === '' ? 'unheard of' : caller.audience,
        views:
          caller.views &&
          new Map([...caller.views].map(([key, view]) => [key, withOwnScopes(view, ownerOfKey(key))])),
        profile: caller.views === null ? null : numbered(at),
      })),
    }
  })
}

/** The same world with memories in place of all that is in a corpus, for views that include those with provenance. */
function ofScopedMemories({ facts, records, callers }: PolicyWorld): PolicyWorld {
  const isIn = (fields: PolicyWorld['records'][number]['fields']) =>
    fields.corpus !== null && fields.surface !== null
  const scope = new Set([targetKey('document', 'ann', 'd'), targetKey('filing_unit', 'ann', 'f')])
  return {
    facts,
    records: records.map(record =>
      isIn(record.fields) ? { ...record, fields: { ...record.fields, surface: 'derived_memories' } } : record,
    ),
    callers: callers.map(caller => ({
      ...caller,
      views:
        caller.views &&
        new Map(
          [...caller.views].map(([key, view]) => [
            key,
            {
              ...view,
              derivedMemorySharePolicy: 'include_with_provenance',
              asksProvenance: true,
              scopes: [scope],
            },
          ]),
        ),
    })),
  }
}

/** What names a record is of its owner, and has one place of each kind. */
function onePerKind(targets: readonly string[], owner: string): readonly string[] {
  const byKind = new Map(
    targets.filter(target => ownerOfKey(target) === owner).map(target => [kindOf(target), target]),
  )
  return sortedSet(byKind.values())
}

const kindOf = (target: string) => (JSON.parse(target) as [string, string, string])[0]
const refOf = (target: string) => (JSON.parse(target) as [string, string, string])[2]

/** A view names what its owner has. */
const withOwnScopes = (view: EffectiveView, owner: string): EffectiveView => ({
  ...view,
  scopes: view.scopes.map(
    scope =>
      new Set([...scope].filter(target => ownerOfKey(target) === owner && kindOf(target) !== 'corpus')),
  ),
})

/** The views that show together what an effective one does. */
function viewsBehind(view: EffectiveView) {
  const snapshots = [view.snapshotAt, view.snapshotAt === null ? null : view.stoodAt]
  const scopes = view.scopes.length === 0 ? [null] : view.scopes
  return [...snapshots, ...scopes.slice(1).map(() => view.snapshotAt)].flatMap(snapshotAt =>
    scopes.map(scope => ({ snapshotAt, scope })),
  )
}

/** Writes worlds as the connecting role, which no policy binds. */
export async function storeWorlds(db: Database, worlds: readonly PolicyWorld[]): Promise<void> {
  for (let from = 0; from < worlds.length; from += 250) {
    const rows = worlds.slice(from, from + 250).map(rowsOf)
    const tables = Object.keys(rows[0] ?? {}) as (keyof ReturnType<typeof rowsOf>)[]
    await db.transaction(asOwner, async tx => {
      for (const table of tables)
        await insertRows(
          tx,
          table,
          rows.flatMap((ofWorld): object[] => ofWorld[table]),
        )
    })
  }
  await db.script('analyze')
}

async function insertRows(tx: Transaction, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  if (columns === '') return
  await tx.query(
    `insert into privity.${table} (${columns})
     select ${columns}
     from json_populate_recordset(null::privity.${table}, $1::json)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
}

/** The rows of a world, by table, in an order that foreign keys allow. */
function rowsOf({ facts, records, callers }: PolicyWorld) {
  const at = new Date(0).toISOString()
  const here = { tenant_id: facts.tenant }
  const target = { owner: '', target_kind: '', target_ref: '', created_at: at }
  const tuples = records.map(record => ({ record, tuple: tupleOf(facts, record) }))
  return {
    tenants: [facts, ...records.map(({ fields }) => fields), ...callers]
      .map(({ tenant }) => tenant)
      .map(tenant => ({
        tenant_id: tenant,
        created_at: at,
      })),
    groups: facts.memberships.map(({ group }) => ({
      ...here,
      group_id: group,
      owner: '',
      name: group,
      created_at: at,
    })),
    memberships: facts.memberships.map(({ group, member, role }) => ({
      ...here,
      group_id: group,
      member,
      role,
      created_at: at,
    })),
    people: facts.people.map(({ id, ...person }) => ({
      ...here,
      ...person,
      person_id: id,
      name: id,
      created_at: at,
      updated_at: at,
    })),
    sessions: facts.sessions.map(({ id, relationship }) => ({
      ...here,
      session_id: id,
      relationship,
      created_at: at,
    })),
    session_participants: facts.sessions.flatMap(({ id, participants }) =>
      participants.map(participant => ({ ...here, session_id: id, ...participant })),
    ),
    consent_records: facts.consents.map(({ id, decision, revoked, active }) => ({
      ...here,
      consent_record_id: id,
      owner: '',
      decision,
      revoked_at: revoked ? at : null,
      consent_active: active,
    })),
    overlays: facts.overlays.map((overlay, n) => ({
      ...here,
      ...target,
      ...overlay,
      overlay_id: numbered(n),
    })),
    overlaid_targets: [...facts.overlaidBefore, ...facts.overlays.map(overlay => overlay.target)].map(
      target => ({ ...here, target }),
    ),
    grants: facts.grants.map((grant, n) => ({ ...here, ...target, ...grant, grant_id: numbered(n) })),
    ...sharedRows(callers as readonly StoredCaller[], at),
    compartments: tuples.map(({ tuple }) => ({
      tenant_id: tuple.tenant,
      compartment_id: `\\x${compartmentId(tuple)}`,
      tuple,
    })),
    records: tuples.map(({ record, tuple }) => ({
      tenant_id: tuple.tenant,
      record_id: record.id,
      compartment_id: `\\x${compartmentId(tuple)}`,
      kind: tuple.kind,
      vessel: tuple.vessel,
      owner: tuple.owner,
      author: tuple.owner,
      session: tuple.session,
      relationship: tuple.relationship,
      content_type: tuple.contentType,
      confirmed: tuple.confirmed,
      addressees: tuple.addressees,
      consent_record: tuple.consentRecord,
      input_consents: tuple.inputConsents,
      corpus: tuple.corpus,
      surface: tuple.surface,
      targets: record.targets,
      ...placesOf(tuple.scopeTargets),
      ended_at: tuple.endedAt,
      redacted: tuple.redacted,
      opening: tuple.opening,
      sensitivity: tuple.sensitivity,
      scope: tuple.scope,
      visibility_class: tuple.visibilityClass,
      participants: tuple.participants.map(personIdOf),
      marked_shareable: tuple.markedShareable,
      lifecycle: tuple.lifecycle,
      text: '',
      salience: 0,
      pinned: false,
      confidence: 0,
      expires_at: record.times.expiresAt === null ? null : new Date(record.times.expiresAt).toISOString(),
      created_at: new Date(record.times.createdAt).toISOString(),
      updated_at: at,
      metadata_updated_at: at,
      preview_updated_at: at,
    })),
  }
}

/** A caller whose views are stored under a profile. */
type StoredCaller = WorldCaller & { readonly profile?: string | null }

const widened = (view: EffectiveView): EffectiveView => ({
  ...view,
  derivedMemorySharePolicy: view.asksProvenance ? 'include_with_provenance' : view.derivedMemorySharePolicy,
  hostAnnotationPolicy: 'include_all',
})

function sharedRows(callers: readonly StoredCaller[], at: string) {
  const bound = callers.flatMap(({ tenant, views, profile = null }, caller) =>
    views === null || profile === null
      ? []
      : [
          {
            tenant_id: tenant,
            profile,
            views: [...views].flatMap(([key, view], n) =>
              viewsBehind(view).map(({ snapshotAt, scope }, m) => ({
                key,
                // The strictest of several policies counts, so that one view is as strict as the effective one is.
                view: m === 0 ? view : widened(view),
                snapshotAt,
                scope,
                id: numbered(caller * 1_000 + n * 100 + m),
              })),
            ),
          },
        ],
  )
  return {
    shared_views: bound.flatMap(({ tenant_id, views }) =>
      views.map(({ key, view, snapshotAt, scope, id }) => ({
        tenant_id,
        view_id: id,
        owner: ownerOfKey(key),
        corpus: refOf(key),
        name: 'x',
        exposed_surfaces: [...view.surfaces],
        derived_memory_share_policy: view.derivedMemorySharePolicy,
        host_annotation_policy: view.hostAnnotationPolicy,
        view_temporal_mode: snapshotAt === null ? 'live_view' : 'snapshot_at_share',
        snapshot_at: snapshotAt === null ? null : new Date(snapshotAt).toISOString(),
        document_scope: {},
        is_scoped: scope !== null,
        visibility_class_ceiling: view.visibilityClassCeiling,
        discloses_exclusions: false,
        created_at: at,
      })),
    ),
    view_targets: bound.flatMap(({ tenant_id, views }) =>
      views.flatMap(({ id, scope }) =>
        [...(scope ?? [])].map(target => ({
          tenant_id,
          view_id: id,
          kind: kindOf(target),
          ref: refOf(target),
        })),
      ),
    ),
    profiles: bound.map(({ tenant_id, profile }) => ({
      tenant_id,
      profile_id: profile,
      owner: '',
      actor: '',
      session_kind: '',
      identity_mode: '',
      state: 'active',
      fields: {},
      created_by: '',
      created_at: at,
      version: 1,
      hash: '',
    })),
    profile_views: bound.flatMap(({ tenant_id, profile, views }) =>
      views.map(({ id }) => ({ tenant_id, profile_id: profile, view_id: id })),
    ),
  }
}

/** The columns that name a record, as its targets do. */
function placesOf(targets: readonly string[]) {
  const of = (kind: string) => {
    const found = targets.find(target => kindOf(target) === kind)
    return found === undefined ? null : refOf(found)
  }
  return {
    filing_unit: of('filing_unit'),
    version: of('version'),
    part: of('part'),
    document: of('document'),
    segment: of('segment'),
  }
}

const numbered = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** What row-level security is told of a generated caller. */
export function settingsOf(caller: StoredCaller, settings = rlsSettings): Record<string, string> {
  const { tenant, actor, actingFor, trust, respectConsent, visibility } = caller
  const request: RequestCaller = {
    tenant,
    actor,
    actingFor,
    audience: caller.audience as Audience,
    trust,
    heldTrust: trust,
    session: '',
    policy: null,
    ceiling: visibility?.ceiling ?? '',
    floor: visibility?.floor ?? null,
    key: null,
    expiresAt: null,
    profile: caller.profile ?? null,
    profileIsBound: false,
    heldCeiling: visibility?.ceiling ?? '',
    heldFloor: visibility?.floor ?? null,
    respectConsent,
  }
  return settings(request, new Date(caller.now))
}

/** Many callers in one statement, each with its own settings: a statement each would take minutes on PGlite. */
export async function installVisibleTo(db: Database): Promise<void> {
  await db.script(`
    create or replace function public.visible_to(callers jsonb) returns setof text[] language plpgsql as $$
    declare
      settings jsonb;
      found text[];
    begin
      for settings in select value from jsonb_array_elements(callers) loop
        perform set_config(key, value, true) from jsonb_each_text(settings);
        select coalesce(array_agg(tenant_id || ' ' || record_id order by record_id), '{}')
        into found
        from privity.records;
        return next found;
      end loop;
    end
    $$`)
}

export interface Disagreement {
  readonly caller: WorldCaller
  readonly world: PolicyWorld
  readonly inSql: readonly string[]
  readonly byGates: readonly string[]
}

/** Where the rows that row-level security passes are not the records that the stored gates show. */
export async function disagreements(
  db: Database,
  worlds: readonly PolicyWorld[],
  settingsFrom = rlsSettings,
): Promise<{ found: Disagreement[]; shown: number; asked: number }> {
  const asked = worlds.flatMap(world => world.callers.map(caller => ({ world, caller })))
  const settings = asked.map(({ caller }) => settingsOf(caller, settingsFrom))
  const rows = await db.transaction({ access: 'read', role: 'privity_app', settings: {} }, tx =>
    tx.query<{ found: string[] }>('select * from public.visible_to($1::jsonb) as found', [
      JSON.stringify(settings),
    ]),
  )
  const compared = asked.map(({ world, caller }, at) => ({
    world,
    caller,
    inSql: rows[at]?.found ?? ['no answer'],
    byGates: shownByGates(world, caller),
  }))
  return {
    found: compared.filter(({ inSql, byGates }) => inSql.join() !== byGates.join()),
    shown: compared.reduce((sum, { byGates }) => sum + byGates.length, 0),
    asked: compared.reduce((sum, { world }) => sum + world.records.length, 0),
  }
}

/** As `tenant record`, in the order of ids. */
export function shownByGates({ facts, records }: PolicyWorld, caller: WorldCaller): string[] {
  const subject = subjectOf(facts, caller)
  const shown = records.filter(record => {
    const tuple = tupleOf(facts, record)
    const verdicts = STORED_GATES.flatMap(gate => [
      askGate(gate, subject, tuple),
      askCondition(gate, subject, tuple, record.times),
    ])
    return shownLevel(meet(...verdicts.map(verdict => verdict.face))) !== 'none'
  })
  return shown.map(({ id, fields }) => `${fields.tenant} ${id}`).sort()
}
