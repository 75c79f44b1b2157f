import type { Level } from '../../policy/faces.js'
import { referenceFace } from '../../policy/reference.js'
import type { EffectiveView, PersonFacts, Subject } from '../../policy/subject.js'
import { type PolicyTuple, personIdOf, personKey } from '../../policy/tuple.js'
import type { Database } from '../../storage/database.js'

/** A stored record, as far as sharing needs it. */
interface StoredRow {
  readonly id: string
  readonly tuple: PolicyTuple
  readonly targets: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly filingUnit: string | null
  readonly version: string | null
  readonly part: string | null
  readonly document: string | null
  readonly segment: string | null
  readonly spans: readonly { readonly start?: number }[]
}

interface StoredView {
  readonly owner: string
  readonly corpus: string
  readonly surfaces: readonly string[]
  readonly derived: string
  readonly notes: string
  readonly mode: string
  readonly snapshotAt: Date | null
  readonly scope: {
    readonly kind: string
    readonly documentRefs?: readonly string[]
    readonly versionRefs?: readonly string[]
    readonly selector?: readonly { readonly kind: string; readonly ref: string }[]
  }
  readonly ceiling: string
  readonly sharedAt: Date | null
}

/** What the viewer sees of one record. */
export interface SeenRecord {
  readonly id: string
  readonly kind: string
  readonly corpus: string
  readonly level: Level
  /** The level if every view were live. */
  readonly live: Level
  readonly createdAt: number
  readonly targets: readonly string[]
  /** Names of the people in it. */
  readonly people: readonly string[]
}

/** A corpus as all views of it together show it, computed independently from the stored rows. */
export interface SeenCorpus extends EffectiveView {
  readonly key: string
  readonly corpus: string
  /** When the first of the viewer's views was shared. */
  readonly sharedAt: number
}

export interface SeenByLink {
  readonly records: ReadonlyMap<string, SeenRecord>
  readonly corpora: ReadonlyMap<string, SeenCorpus>
}

/** Everything that a tenant holds, read without any policy, and what a link shows of it at a moment. */
export interface SharedContents {
  seenAt(now: number): SeenByLink
  /** How many records of its corpora the host sees but a view leaves out now. */
  excludedAt(now: number, host: string): number
}

/** Reads the tables with the connecting role, so that it shares nothing with the code under test. */
export async function inspectShared(db: Database, tenant: string, link: string): Promise<SharedContents> {
  const stored = await db.transaction({ access: 'read', role: null, settings: {} }, async tx => ({
    rows: await tx.query<StoredRow>(
      `select
         r.record_id as "id", c.tuple, r.targets, r.created_at as "createdAt", r.expires_at as "expiresAt",
         r.filing_unit as "filingUnit", r.version, r.part, r.document, r.segment, r.spans
       from privity.records r
       join privity.compartments c using (tenant_id, compartment_id)
       where r.tenant_id = $1`,
      [tenant],
    ),
    people: await tx.query<{ owner: string; id: string; name: string } & PersonFacts>(
      'select owner, person_id as "id", name, consent, actor from privity.people where tenant_id = $1',
      [tenant],
    ),
    overlays: await tx.query<{ target: string; restriction: string }>(
      'select target, restriction from privity.overlays where tenant_id = $1',
      [tenant],
    ),
    grants: await tx.query<{ target: string; grantee: string }>(
      'select target, grantee from privity.grants where tenant_id = $1',
      [tenant],
    ),
    views: await tx.query<StoredView & { discloses: boolean }>(
      `select
         v.owner, v.corpus, v.exposed_surfaces as "surfaces", v.derived_memory_share_policy as "derived",
         v.host_annotation_policy as "notes", v.view_temporal_mode as "mode", v.snapshot_at as "snapshotAt",
         v.document_scope as "scope", v.visibility_class_ceiling as "ceiling", v.shared_at as "sharedAt",
         v.discloses_exclusions as "discloses"
       from privity.share_links l
       join privity.shared_views v on v.tenant_id = l.tenant_id and v.view_id = any (l.view_ids)
       where l.tenant_id = $1
         and l.link_id = $2`,
      [tenant, link],
    ),
    links: await tx.query<{ maxSensitivity: string }>(
      'select max_sensitivity as "maxSensitivity" from privity.share_links where tenant_id = $1 and link_id = $2',
      [tenant, link],
    ),
  }))
  const nameOf = new Map(stored.people.map(({ id, name }) => [id, name]))
  const corpora = meetByHand(stored.views)
  const maxSensitivity = stored.links[0]?.maxSensitivity ?? ''
  const subject = (now: number, over: Partial<Subject>): Subject => {
    const principals = over.principals ?? new Set([`link:${link}`])
    return {
      tenant,
      actor: `link:${link}`,
      actingFor: `link:${link}`,
      audience: 'recipient',
      trust: { maxSensitivity, scopes: new Set(['share_link']), authenticated: false },
      respectConsent: true,
      people: new Map(stored.people.map(person => [personKey(person.owner, person.id), person])),
      sessions: new Map(),
      contract: null,
      consents: new Map(),
      visibility: { ceiling: highest(stored.views.map(({ ceiling }) => ceiling)), floor: null },
      views: corpora,
      overlays: {
        get: key =>
          stored.overlays.filter(({ target }) => target === key).map(({ restriction }) => restriction),
      },
      grants: new Set(
        stored.grants.filter(({ grantee }) => principals.has(grantee)).map(({ target }) => target),
      ),
      now,
      ...over,
      principals,
    }
  }
  const levelOf = (seer: Subject, row: StoredRow): Level => {
    const times = { createdAt: row.createdAt.getTime(), expiresAt: row.expiresAt?.getTime() ?? null }
    // These are all targets of the row, not of its tuple, because choosing those is the job of the code under test.
    const opening = row.tuple.kind === 'segment' && opensWithin(row.spans)
    const named = { overlayTargets: row.targets, scopeTargets: targetsOf(row), opening }
    const { form, level } = referenceFace(seer, { ...row.tuple, ...times, ...named })
    return form === 'original' ? level : 'none'
  }
  return {
    seenAt(now) {
      const [still, moving] = [subject(now, {}), subject(now, { views: alive(corpora) })]
      const records = stored.rows.map(
        (row): SeenRecord => ({
          id: row.id,
          kind: row.tuple.kind,
          corpus: keyOf(row.tuple.owner, row.tuple.corpus ?? ''),
          level: levelOf(still, row),
          live: levelOf(moving, row),
          createdAt: row.createdAt.getTime(),
          targets: row.targets,
          people: row.tuple.participants.map(key => nameOf.get(personIdOf(key)) ?? ''),
        }),
      )
      return { records: new Map(records.map(record => [record.id, record])), corpora }
    },
    excludedAt(now, host) {
      const asHost = subject(now, {
        actor: host,
        actingFor: host,
        audience: 'owner',
        principals: new Set([host]),
        trust: { maxSensitivity: 'hyper', scopes: 'all', authenticated: true },
        respectConsent: false,
        visibility: { ceiling: 'firewalled', floor: null },
        views: null,
      })
      const counts = stored.views
        .filter(({ discloses }) => discloses)
        .map(view => {
          const alone = meetByHand([view])
          const shown = subject(now, {
            views: alone,
            grants: asHost.grants,
            visibility: { ceiling: view.ceiling, floor: null },
          })
          const inCorpus = stored.rows.filter(
            ({ tuple }) => tuple.owner === view.owner && tuple.corpus === view.corpus,
          )
          const count = (seer: Subject) => inCorpus.filter(row => levelOf(seer, row) !== 'none').length
          return count(asHost) - count(shown)
        })
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

/** Whether a chunk with these spans begins within the first 200 characters of its document. */
export const opensWithin = ([span]: readonly { readonly start?: number }[]): boolean =>
  span?.start !== undefined && span.start < 200

const keyOf = (owner: string, corpus: string) => JSON.stringify(['corpus', owner, corpus])

/** The targets that name the record itself. */
function targetsOf({ id, tuple, ...row }: StoredRow): string[] {
  const named: [string, string | null][] = [
    ['corpus', tuple.corpus],
    ['filing_unit', row.filingUnit],
    ['version', row.version],
    ['part', row.part],
    ['document', row.document],
    ['document', id],
    ['segment', row.segment],
  ]
  return named.flatMap(([kind, ref]) => (ref === null ? [] : [JSON.stringify([kind, tuple.owner, ref])]))
}

/** From the least to the most restrictive. */
const DERIVED = ['include_with_provenance', 'include_only_user_marked_shareable', 'exclude_all']
const NOTES = ['include_all', 'include_marked_shareable', 'exclude_all']
const CLASSES = 'public_open party_confidential work_product_internal privileged sealed firewalled'.split(' ')
const MODES = 'live_view_with_change_log live_view snapshot_at_share_with_drift_disclosure snapshot_at_share'
const last = (order: readonly string[], values: readonly string[]) =>
  order.filter(value => values.includes(value)).at(-1) ?? ''
const highest = (ceilings: readonly string[]) => last(CLASSES, ceilings)

/** Combines several views of one corpus: each may only take away. */
function meetByHand(views: readonly StoredView[]): Map<string, SeenCorpus> {
  const met = new Map<string, SeenCorpus>()
  for (const key of new Set(views.map(view => keyOf(view.owner, view.corpus)))) {
    const own = views.filter(view => keyOf(view.owner, view.corpus) === key)
    const [first] = own
    if (first === undefined) continue
    const times = own.flatMap(({ mode, snapshotAt }) =>
      mode.startsWith('snapshot') ? [snapshotAt?.getTime() ?? 0] : [],
    )
    met.set(key, {
      key,
      corpus: first.corpus,
      surfaces: new Set(first.surfaces.filter(surface => own.every(one => one.surfaces.includes(surface)))),
      derivedMemorySharePolicy: last(
        DERIVED,
        own.map(({ derived }) => derived),
      ),
      asksProvenance: own.some(({ derived }) => derived === 'include_with_provenance'),
      hostAnnotationPolicy: last(
        NOTES,
        own.map(({ notes }) => notes),
      ),
      visibilityClassCeiling: CLASSES.find(one => own.some(({ ceiling }) => ceiling === one)) ?? '',
      temporalMode: last(
        MODES.split(' '),
        own.map(({ mode }) => mode),
      ),
      snapshotAt: times.length === 0 ? null : Math.min(...times),
      stoodAt: times.length < own.length ? null : Math.max(...times),
      scopes: own.flatMap(view => scopeOf(view)),
      sharedAt: Math.min(...views.map(({ sharedAt }) => sharedAt?.getTime() ?? 0)),
    })
  }
  return met
}

function scopeOf({ owner, scope }: StoredView): Set<string>[] {
  const set = (kind: string, refs: readonly string[] = []) => [
    new Set(refs.map(ref => JSON.stringify([kind, owner, ref]))),
  ]
  switch (scope.kind) {
    case 'all_documents':
      return []
    case 'explicit_document_list':
      return set('document', scope.documentRefs)
    case 'filing_unit_version_list':
      return set('version', scope.versionRefs)
    default:
      return [new Set((scope.selector ?? []).map(({ kind, ref }) => JSON.stringify([kind, owner, ref])))]
  }
}

const alive = (corpora: ReadonlyMap<string, SeenCorpus>): ReadonlyMap<string, EffectiveView> =>
  new Map([...corpora].map(([key, view]) => [key, { ...view, snapshotAt: null, stoodAt: null }]))
