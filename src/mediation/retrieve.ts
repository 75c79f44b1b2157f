import type { MemoryDepth } from '../policy/memory-intent.js'
import {
  QUERY_TARGETS,
  type QuerySource,
  type QueryType,
  RETRIEVAL_CONTRACTS,
} from '../policy/retrieval-contract.js'
import { firstCharacters } from '../runtime/preview.js'
import type { RecordView } from '../runtime/record-view.js'
import type { ReadRequest } from '../runtime/request.js'
import { parseQuestion, question } from '../runtime/search/question.js'
import { fetchResults, runSearch } from '../runtime/search/run.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import {
  listSharedVessel,
  listUserVessel,
  type MediationFilter,
} from '../storage/queries/mediation-records.js'
import { listSessionsOfRelationship, loadFirstSessionTime } from '../storage/queries/sessions.js'
import type { BundleItem } from './bundle.js'
import { factsOf } from './item-facts.js'
import { suggestExperiments } from './library/suggest-experiments.js'
import type { PlanQuery } from './query.js'
import { isValidRetrievalPlan, type ValidRetrievalPlan } from './retrieval-plan.js'
import { findStaleRecords, STALE } from './staleness.js'
import { agreedAt, newestAgreedFirst } from './when-agreed.js'

/** Below this cosine distance a record counts as similar to the message (RC-4). */
const NEAR = 0.3

/** The most records that one query returns. */
const MOST: Readonly<Record<MemoryDepth, number>> = { none: 0, minimal: 3, light: 5, full: 20 }

/** The most records of a shared type. What both know is given as far as the budget holds it (RC-19). */
const MOST_SHARED = 50
const mostOf = (type: RecordType, depth: MemoryDepth): number =>
  QUERY_TARGETS[type].vessel === 'shared' && depth !== 'none' ? MOST_SHARED : MOST[depth]

/** An item and the view of its record, which is shown only if the item gets into the bundle. */
export interface RetrievedItem {
  readonly item: BundleItem
  readonly view: RecordView | null
}

/**
 * Runs a plan. User vessels and shared vessels are read separately, and every record is decided again (RC-2, RC-18).
 */
export async function retrieve(
  request: ReadRequest,
  plan: ValidRetrievalPlan,
  message: string,
): Promise<RetrievedItem[]> {
  if (!isValidRetrievalPlan(plan)) throw new Error('only a plan that was validated is run')
  const found: RetrievedItem[] = []
  const known = new Set<string>()
  for (const query of plan.queries) {
    for (const each of await run(request, plan, query, message)) {
      const { record } = each.item.provenance
      // A record that two queries found is included once.
      if (record !== null && known.has(record)) continue
      if (record !== null) known.add(record)
      found.push(each)
    }
  }
  return found.sort((one, other) => placeOf(one.item) - placeOf(other.item))
}

/** An item of an earlier bundle, as it is logged: what it was and where it came from, without its text (AU-3). */
export interface LoggedItem {
  readonly type: QueryType
  readonly source: QuerySource
  readonly record: string | null
}

/**
 * Of what a plan retrieved before, what may be told now, in the same order. Records are fetched by their ids and
 * decided again; times, counts and suggestions, which have none, are read again.
 */
export async function retrieveAgain(
  request: ReadRequest,
  plan: ValidRetrievalPlan,
  message: string,
  told: readonly LoggedItem[],
): Promise<RetrievedItem[]> {
  if (!isValidRetrievalPlan(plan)) throw new Error('only a plan that was validated is run')
  const allowed = new Set(plan.queries.map(({ type }) => type))
  const known = new Map(
    told.flatMap((item, place) =>
      item.record !== null && allowed.has(item.type) ? [[item.record, { ...item, place }] as const] : [],
    ),
  )
  const rows = await request.fetch([...known.keys()].sort())
  const found = await itemsOf(request, plan, rows, ({ id }) => known.get(id))
  const placed = found.map(each => ({
    each,
    place: known.get(each.item.provenance.record ?? '')?.place ?? 0,
  }))
  const without = told.filter(({ record }) => record === null).map(({ type }) => type)
  for (const query of plan.queries.filter(({ type }) => without.includes(type)))
    for (const each of await run(request, plan, query, message))
      placed.push({ each, place: told.findIndex(({ type }) => type === query.type) })
  return placed.sort((one, other) => one.place - other.place).map(({ each }) => each)
}

/** What comes first if the budget does not hold all of it: the partner's words, then what both settled (RC-19). */
const IN_ORDER: readonly QueryType[] = [
  'consented_content',
  'common_ground',
  'agreement',
  'session_outcomes',
  'micro_experiment',
  'need',
  'boundary',
  'emotional_reading',
  'user_event',
  'experiment_suggestion',
  'relationship_metadata',
  'session_metadata',
]

/** The place of an item in a bundle. Within a type, what is similar to the message precedes what is only new. */
function placeOf({ type, source, provenance: { from } }: BundleItem): number {
  const isOwnWord = type === 'consented_content' && from === 'you'
  const place = isOwnWord ? IN_ORDER.indexOf('micro_experiment') + 0.5 : IN_ORDER.indexOf(type)
  const strategy = type === 'consented_content' && from === 'session' ? 0.25 : 0
  return place + strategy + (source === 'vector' ? 0 : 0.1)
}

function run(
  request: ReadRequest,
  plan: ValidRetrievalPlan,
  query: PlanQuery,
  message: string,
): Promise<RetrievedItem[]> {
  switch (query.type) {
    case 'session_metadata':
      return sessionMetadata(request, plan)
    case 'relationship_metadata':
      return relationshipMetadata(request, plan)
    case 'experiment_suggestion':
      return suggestions(request, plan, message)
    default:
      return query.source === 'vector'
        ? nearBy(request, plan, query.type, message)
        : structured(request, plan, query.type)
  }
}

/** When earlier sessions took place and how they ended, without anything that was said in them. */
async function sessionMetadata(request: ReadRequest, plan: ValidRetrievalPlan): Promise<RetrievedItem[]> {
  const { contract, depth } = plan
  const rows = await listSessionsOfRelationship(
    request.tx,
    request.tenant,
    request.caller.actingFor,
    contract.relationship,
    MOST[depth] + 1,
  )
  return rows
    .filter(({ sessionId }) => sessionId !== contract.session)
    .slice(0, MOST[depth])
    .map(({ createdAt, state }) =>
      figure('session_metadata', plan, `A session of ${dayOf(createdAt)}: ${state}.`, createdAt),
    )
}

async function relationshipMetadata(
  request: ReadRequest,
  plan: ValidRetrievalPlan,
): Promise<RetrievedItem[]> {
  const { tx, tenant, caller } = request
  const { relationship } = plan.contract
  const since = await loadFirstSessionTime(tx, tenant, caller.actingFor, relationship)
  const sessions = await listSessionsOfRelationship(tx, tenant, caller.actingFor, relationship, 1_000)
  if (since === null) return []
  const count = sessions.length === 1 ? '1 session' : `${sessions.length} sessions`
  return [figure('relationship_metadata', plan, `${count} since ${dayOf(since)}.`, since)]
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

function figure(type: QueryType, { contract }: ValidRetrievalPlan, text: string, at: Date): RetrievedItem {
  return {
    item: {
      type,
      text,
      facts: {},
      source: 'metadata',
      provenance: { from: 'session', session: null, at: at.toISOString(), record: null },
      consentState: 'not_needed',
      stageScope: contract.stage,
      face: 'full',
    },
    view: null,
  }
}

/** Suggestions from the library, which never holds anything from a vessel (RC-14). */
async function suggestions(
  request: ReadRequest,
  { contract, depth }: ValidRetrievalPlan,
  message: string,
): Promise<RetrievedItem[]> {
  const entries = await suggestExperiments(request, message, Math.min(5, MOST[depth]))
  return entries.map(({ title, text }) => ({
    item: {
      type: 'experiment_suggestion',
      text: `${title}: ${text}`,
      facts: {},
      source: 'vector',
      provenance: { from: 'library', session: null, at: null, record: null },
      consentState: 'not_needed',
      stageScope: contract.stage,
      face: 'full',
    },
    view: null,
  }))
}

type RecordType = Exclude<QueryType, 'session_metadata' | 'relationship_metadata' | 'experiment_suggestion'>

/**
 * The newest records of a type. The query applies the contract's own filter, so that the limit counts visible
 * records.
 */
async function structured(
  request: ReadRequest,
  plan: ValidRetrievalPlan,
  type: RecordType,
): Promise<RetrievedItem[]> {
  const { tx, tenant, caller } = request
  const { contract, depth } = plan
  const { vessel, kind } = QUERY_TARGETS[type]
  const which = RETRIEVAL_CONTRACTS[type][contract.stage]?.which ?? {}
  const filter: MediationFilter = {
    relationship: contract.relationship,
    notSession: which.prior ? contract.session : undefined,
    kinds: [kind, ...(which.alsoKinds ?? [])],
    contentTypes: which.contentTypes,
    confirmed: which.confirmed,
    inFull: true,
  }
  const rows =
    vessel === 'user'
      ? await listUserVessel(tx, tenant, caller.actingFor, filter, null, mostOf(type, depth))
      : await listSharedVessel(
          tx,
          tenant,
          caller.actingFor,
          'addressed or own',
          filter,
          null,
          mostOf(type, depth),
        )
  if (kind === 'agreement') rows.sort(newestAgreedFirst)
  return itemsOf(request, plan, rows, () => ({ type, source: 'structured' }))
}

/** Records of a type that are similar to the message, among exactly those that the contract allows. */
async function nearBy(
  request: ReadRequest,
  plan: ValidRetrievalPlan,
  type: RecordType,
  message: string,
): Promise<RetrievedItem[]> {
  const query = asQuery(message)
  if (query === '') return []
  const also = RETRIEVAL_CONTRACTS[type][plan.contract.stage]?.which.alsoKinds ?? []
  const searched = await runSearch(
    request,
    parseQuestion(
      question.parse({
        query,
        kinds: [QUERY_TARGETS[type].kind, ...also],
        mode: 'vector',
        maxDistance: NEAR,
      }),
    ),
  )
  // Without an embedding model, search falls back to keywords, and a keyword match is not similarity (RC-4).
  if (searched.executed.byWords) return []
  const best = searched.executed.ranked.slice(0, mostOf(type, plan.depth))
  const results = await fetchResults(request, searched, best)
  return itemsOf(
    request,
    plan,
    results.map(({ row }) => row),
    () => ({ type, source: 'vector' }),
  )
}

/** The beginning of a message as a search query, without search operators. */
const asQuery = (message: string) =>
  firstCharacters(message, 500)
    .replace(/["*]/g, ' ')
    .replace(/(^|\s)-+/g, '$1')
    .trim()

/** Who worded a record; nobody is named for a strategy (RC-9). A record of the whole session may still be in one person's words. */
function authorOf({ tuple, fields }: RecordRow, self: string): 'you' | 'partner' | 'session' {
  if (tuple.kind === 'strategy_proposal') return 'session'
  const by = tuple.consentRecord === null && tuple.vessel === 'shared' ? fields.by : tuple.owner
  if (typeof by !== 'string') return 'session'
  return by === self ? 'you' : 'partner'
}

async function itemsOf(
  request: ReadRequest,
  { contract }: ValidRetrievalPlan,
  rows: readonly RecordRow[],
  foundAs: (row: RecordRow) => { readonly type: QueryType; readonly source: QuerySource } | undefined,
): Promise<RetrievedItem[]> {
  const views = await request.view(rows)
  const stale = await findStaleRecords(request, rows)
  return rows.flatMap((row, at): RetrievedItem[] => {
    const view = views[at]
    const as = foundAs(row)
    if (view?.face !== 'full' || view.payload === null || as === undefined) return []
    const { actingFor } = request.caller
    const own = row.tuple.owner === actingFor && row.tuple.kind !== 'strategy_proposal'
    const shared = row.tuple.consentRecord !== null
    return [
      {
        view,
        item: {
          type: as.type,
          text: stale.has(row.id) ? `${view.payload.text} ${STALE.staleNotice}` : view.payload.text,
          facts: factsOf(request, row),
          source: as.source,
          provenance: {
            from: authorOf(row, actingFor),
            session: row.tuple.session === contract.session ? 'current' : 'prior',
            at: agreedAt(row) ?? row.createdAt.toISOString(),
            record: row.id,
          },
          consentState: own ? 'own' : shared ? 'granted' : 'derived',
          stageScope: contract.stage,
          face: 'full',
        },
      },
    ]
  })
}
