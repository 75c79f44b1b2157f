import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isAgentAudience } from '../../policy/subject.js'
import { sizeOf } from '../../search/match.js'
import type { Reading } from '../../storage/queries/reading-of.js'
import type { SearchRun } from '../../storage/queries/search-runs.js'
import type { VisibleSegment, VisibleSet } from '../index/visible-set.js'
import type { ReadRequest } from '../request.js'
import type { Digest } from '../secrets.js'
import { policiesBinding } from '../tenant-facts.js'
import {
  COMPLETENESS,
  type Completeness,
  type Coverage,
  classify,
  classifyInternal,
  type Excluded,
} from './completeness.js'
import { corporaOf, type UsedExpansion } from './execute.js'
import type { ModelUse } from './meant.js'
import type { UnifiedSearchPlan, ValidPlan } from './plan.js'
import { type Asking, narrow } from './predicates.js'
import type { Question } from './question.js'
import { dueAt, type RetentionClass, stronger } from './retention.js'
import { PART_KINDS } from './router/posture.js'
import { surfacesOf, unitsOf } from './seen-names.js'

export const expansionRecord = z.object({
  expansionId: z.string(),
  queryRunId: z.string(),
  expansionKind: z.enum([
    'synonym',
    'stemming',
    'citation_normalization',
    'legal_term_expansion',
    'embedding_neighbor',
  ]),
  appliedTerms: z.array(z.string()),
  expansionSource: z.enum(['built_in', 'corpus']),
  /** The corpus that brought it. */
  expansionSourceCorpusRef: z.string().optional(),
  expansionVisibleToSession: z.literal(true),
  schemaVersion: z.literal(1),
})

export const indexSnapshot = z.object({
  snapshotId: z.string(),
  indexId: z.string(),
  snapshotTimestamp: z.string(),
  documentsCoveredCount: z.int(),
  schemaVersion: z.literal(1),
})
export type IndexSnapshot = z.infer<typeof indexSnapshot>

/** How the meaning of a question took part, by model. */
const meaning = z.array(
  z.object({
    model: z.string(),
    /** `partial` where visible records wait for their vectors; the last two where words had to do. */
    state: z.enum(['used', 'partial', 'not_understood', 'timeout', 'unavailable']),
    /** Visible records that wait. */
    waiting: z.int(),
  }),
)

const both = {
  receiptId: z.string(),
  searchRunId: z.string(),
  searchedCount: z.int(),
  resultSetCompleteness: z.enum(COMPLETENESS),
  expansionDisclosureProvided: z.boolean(),
  meaning,
  scopeDigest: z.string(),
  schemaVersion: z.literal(1),
}

/** What a host gets: counts cover what that host may itself see (CV-2). */
export const internalReceipt = z.object({
  kind: z.literal('internal'),
  ...both,
  searchedCorpora: z.array(z.string()),
  // What the question left out of what the searcher sees is named, up to a number; what policy left out is counted alone.
  /** The surfaces of each corpus, `corpus/surface`. */
  searchedCorpusSegments: z.array(z.string()),
  searchedFilingUnits: z.array(z.string()),
  excludedCorpora: z.array(z.string()),
  excludedFilingUnits: z.array(z.string()),
  excludedFilingParts: z.array(z.string()),
  excludedCount: z.int(),
  policyFilteredCount: z.int(),
  visibilityFilteredCount: z.int(),
  stalenessFilteredCount: z.int(),
  indexSnapshotsUsed: z.array(z.string()),
  anyIndexStale: z.boolean(),
  stalenessSummary: z.array(z.object({ indexId: z.string(), staleSeconds: z.number() })),
  queryExpansionsUsed: z.array(z.string()),
})

/** What everyone else gets. */
export const visibleReceipt = z.object({
  kind: z.literal('visible'),
  ...both,
  /** Set with a shared view; there is no such figure for vessels (CV-4). */
  excludedCountTotal: z.int().nullable(),
})

export const receipt = z.discriminatedUnion('kind', [internalReceipt, visibleReceipt])
export type Receipt = z.infer<typeof receipt>

/** The receipt as it is stored: the visible one is made of it on reading. */
export type StoredReceipt = Omit<z.infer<typeof internalReceipt>, 'kind'> & {
  /** Relative to what the searcher could see. */
  readonly visibleCompleteness: Completeness
  /** Of a recipient's search: what its views left out when they were shared (CV-4). */
  readonly excludedCountTotal?: number | null
}

/** CV-2: whoever could see for themselves what was left out reads all of it; anyone else, what is derived for them. */
export function receiptFor(
  reader: 'internal' | 'visible',
  { visibleCompleteness, excludedCountTotal = null, ...stored }: StoredReceipt,
): Receipt {
  if (reader === 'internal') return { kind: 'internal', ...stored, meaning: stored.meaning ?? [] }
  return {
    kind: 'visible',
    receiptId: stored.receiptId,
    searchRunId: stored.searchRunId,
    searchedCount: stored.searchedCount,
    excludedCountTotal,
    resultSetCompleteness: visibleCompleteness,
    expansionDisclosureProvided: stored.expansionDisclosureProvided,
    // Those of before meaning was searched have none.
    meaning: stored.meaning ?? [],
    scopeDigest: stored.scopeDigest,
    schemaVersion: 1,
  }
}

export const manifest = z.object({
  manifestId: z.string(),
  searchRunId: z.string(),
  planId: z.string(),
  executedAt: z.string(),
  executorExecutions: z.array(
    z.object({
      executorClass: z.string(),
      startedAt: z.string(),
      completedAt: z.string(),
      resultCount: z.int(),
      /** Tokens of text that it read of its budget, and candidates that it had none left to read. */
      tokensRead: z.int().optional(),
      unreadCount: z.int().optional(),
      /** Why it gave nothing. */
      failures: z.array(z.object({ failureKind: z.string(), failureReasonCode: z.string() })).optional(),
    }),
  ),
  fusionStrategy: z.string(),
  fusionCompletedAt: z.string(),
  /** One receipt is stored, and the visible one is made of it. */
  coverageReceiptInternalRef: z.string(),
  coverageReceiptVisibleRef: z.string(),
  /** How the caller read: a keyed digest of its credential and claims. */
  sessionProfileRef: z.string(),
  /** The policies that bind the caller, as they were: facts of owners and of the tenant move by what it may not see. */
  policyGenerationId: z.string(),
  schemaVersion: z.literal(1),
})

/** How long an executor took depends on everything there is: whoever sees only part of it is told when it was asked. */
export function manifestFor(
  reader: 'internal' | 'visible',
  stored: z.infer<typeof manifest>,
): z.infer<typeof manifest> {
  if (reader === 'internal') return stored
  const { executedAt: at } = stored
  return {
    ...stored,
    executorExecutions: stored.executorExecutions.map(one => ({ ...one, startedAt: at, completedAt: at })),
    fusionCompletedAt: at,
  }
}

export type ExpansionRecord = z.infer<typeof expansionRecord>

/** Everything a search leaves (CV-1): what is answered now, and the row that is kept. */
export interface Account {
  readonly receipt: Receipt
  readonly expansions: ExpansionRecord[]
  readonly manifestId: string
  readonly run: SearchRun
}

/** The receipt of a search as anyone but a host gets it. */
export function visibly({ run }: Account): z.infer<typeof visibleReceipt> {
  return receiptFor('visible', run.receipt as StoredReceipt) as z.infer<typeof visibleReceipt>
}

/** How a plan was carried out. */
export interface Ran {
  /** Matches in all. */
  readonly matches: number
  /** The most that one executor met: more than it ranks is more than anybody looked at. */
  readonly mostOfOne: number
  readonly expansions: readonly UsedExpansion[]
  readonly uses: readonly ModelUse[]
  /** How far the files were read that it is about. */
  readonly reading: Reading
  readonly executions: readonly {
    readonly executorClass: string
    readonly resultCount: number
    /** When it began and ended; the time of the request, where nobody looked. */
    readonly startedAt?: Date
    readonly completedAt?: Date
    readonly tokensRead?: number
    readonly unread?: number
    readonly failures: readonly { readonly failureKind: string; readonly failureReasonCode: string }[]
  }[]
}

export function accountFor(
  request: ReadRequest,
  plan: ValidPlan,
  visible: VisibleSet,
  searched: readonly VisibleSegment[],
  asking: Asking,
  ran: Ran,
): Account {
  const { clock, secrets } = request.parts
  const at = request.now.toISOString()
  const searchRunId = clock.newId('search')
  const { uses } = ran
  const indexSnapshots = snapshotsOf(request, searched, uses, at)
  const expansions = ran.expansions.map(
    ({ expansionKind, appliedTerms, source }): ExpansionRecord => ({
      expansionId: clock.newId('search'),
      queryRunId: searchRunId,
      expansionKind,
      appliedTerms: [...appliedTerms],
      expansionSource: source === 'built_in' ? 'built_in' : 'corpus',
      ...(source === 'built_in' ? {} : { expansionSourceCorpusRef: source.corpus }),
      expansionVisibleToSession: true,
      schemaVersion: 1,
    }),
  )
  const failures = ran.executions.flatMap(({ failures }) => failures)
  const coverage: Coverage = {
    matches: ran.mostOfOne,
    topK: plan.plan.topK,
    anyIndexStale: ran.reading.waits || uses.some(({ waiting }) => waiting > 0),
    indexHealthy:
      !ran.reading.unread &&
      !uses.some(({ state }) => state === 'timeout' || state === 'unavailable') &&
      !failures.some(({ failureKind }) => failureKind === 'executor_failed'),
    withinLimits: !failures.some(({ failureKind }) => failureKind === 'deadline_exceeded'),
    expansionsUsed: expansions.length,
    expansionsDisclosed: true,
  }
  const excluded = exclusions(request, visible, searched, plan.question, asking)
  const stored: StoredReceipt = {
    receiptId: clock.newId('search'),
    searchRunId,
    searchedCorpora: [...corporaOf(searched)].sort(),
    searchedCorpusSegments: named(surfacesOf(searched)),
    searchedFilingUnits: named(unitsOf(searched)),
    excludedCorpora: named(corporaOf(visible.segments), corporaOf(searched)),
    excludedFilingUnits: named(unitsOf(visible.segments), unitsOf(searched)),
    excludedFilingParts: partsLeftOut(plan.question),
    searchedCount: sizeOf(searched).documents,
    excludedCount: excluded.policyFilteredCount + excluded.visibilityFilteredCount,
    ...excluded,
    stalenessFilteredCount: ran.reading.waiting,
    indexSnapshotsUsed: indexSnapshots.map(({ snapshotId }) => snapshotId),
    anyIndexStale: coverage.anyIndexStale,
    stalenessSummary: [
      { of: ['files'], since: ran.reading.waitingSince?.getTime() ?? null },
      ...uses.map(({ model, waitingSince }) => ({ of: ['vectors', model], since: waitingSince })),
    ].flatMap(({ of, since }) =>
      since === null
        ? []
        : [
            {
              indexId: digestOf(request, of),
              staleSeconds: Math.max(0, Math.floor((request.now.getTime() - since) / 1_000)),
            },
          ],
    ),
    queryExpansionsUsed: expansions.map(({ expansionId }) => expansionId),
    expansionDisclosureProvided: coverage.expansionsDisclosed,
    meaning: uses.map(({ model, state, waiting }) => ({ model, state, waiting })),
    resultSetCompleteness: classifyInternal(coverage, excluded),
    visibleCompleteness: classify(coverage),
    excludedCountTotal: excludedByViews(request),
    scopeDigest: scopeDigest(request, plan.question, searched, indexSnapshots),
    schemaVersion: 1,
  }
  const manifestId = clock.newId('search')
  const digestName = (name: string) => digestWord(request, secrets.digest, searchRunId, name)
  return {
    receipt: receiptFor(isAgentAudience(request.caller.audience) ? 'visible' : 'internal', stored),
    expansions,
    manifestId,
    run: {
      searchRunId,
      actorId: request.parts.actorId,
      forId: request.parts.forId,
      audience: request.caller.audience,
      at,
      ...dueAt(request.now, keptFor(request)),
      // The question is the caller's own: sealed, so that it lies readable nowhere.
      question: secrets.seal(JSON.stringify(plan.question), questionBound(searchRunId)),
      plan: {
        ...withoutWords(plan.plan),
        searchIndexSnapshots: indexSnapshots.map(({ snapshotId }) => snapshotId),
      },
      manifest: {
        manifestId,
        searchRunId,
        planId: plan.plan.planId,
        executedAt: at,
        executorExecutions: ran.executions.map(one => ({
          executorClass: one.executorClass,
          startedAt: one.startedAt?.toISOString() ?? at,
          completedAt: one.completedAt?.toISOString() ?? at,
          resultCount: one.resultCount,
          ...(one.tokensRead === undefined ? {} : { tokensRead: one.tokensRead }),
          ...(one.unread === undefined ? {} : { unreadCount: one.unread }),
          ...(one.failures.length === 0 ? {} : { failures: [...one.failures] }),
        })),
        fusionStrategy: plan.plan.resultFusionStrategy,
        fusionCompletedAt: ran.executions.at(-1)?.completedAt?.toISOString() ?? at,
        coverageReceiptInternalRef: stored.receiptId,
        coverageReceiptVisibleRef: stored.receiptId,
        sessionProfileRef: digestOf(request, ['profile', profileOf(request)]),
        policyGenerationId: digestOf(request, ['policies', policiesOver(request)]),
        schemaVersion: 1,
      } satisfies z.infer<typeof manifest>,
      // Names of filings go with the filings: what is kept of them says nothing to who does not know them (AU-4).
      receipt: {
        ...stored,
        searchedFilingUnits: stored.searchedFilingUnits.map(digestName),
        excludedFilingUnits: stored.excludedFilingUnits.map(digestName),
      },
      // Words are kept as digests: whoever reads of them later is told those that they can see.
      expansions: expansions.map(({ appliedTerms, ...record }) => ({
        ...record,
        appliedDigests: appliedTerms.map(term => digestWord(request, secrets.digest, searchRunId, term)),
      })),
      indexSnapshots,
    },
  }
}

/** Names in a receipt, and of those of one kind no more than this. */
const MOST_NAMED = 200

const named = (names: ReadonlySet<string>, without: ReadonlySet<string> = new Set()): string[] =>
  [...names]
    .filter(name => !without.has(name))
    .sort()
    .slice(0, MOST_NAMED)

/** Kinds of parts that a question leaves out. */
const partsLeftOut = ({ scope: { partKinds } = {} }: Question): string[] =>
  partKinds === undefined ? [] : PART_KINDS.filter(kind => !partKinds.includes(kind))

/** A plan as it is kept: words and names that were asked for stand in the sealed question alone (AU-3). */
function withoutWords(plan: UnifiedSearchPlan): UnifiedSearchPlan {
  const { caseScope: _, filingUnitScope: __, ...searchScope } = plan.searchScope
  const queryExpansionsPlanned = plan.queryExpansionsPlanned.map(one => ({ ...one, appliedTerms: [] }))
  return { ...plan, searchScope, queryExpansionsPlanned }
}

/** The figure of all its views together; there is none for who is bound by none. */
function excludedByViews({ parts: { identity, profile } }: ReadRequest): number | null {
  if (identity.views === null || profile === null) return null
  return profile.viewRows.reduce((sum, { excludedCount }) => sum + (excludedCount ?? 0), 0)
}

/** A word that counted in a search, for those who know the word: by the key that sealed the question of the search. */
export const digestWord = (request: ReadRequest, digest: Digest, searchRunId: string, word: string): string =>
  digestOf(request, ['word', searchRunId, word], digest)

/** An expansion as it is stored. */
export type StoredExpansion = Omit<ExpansionRecord, 'appliedTerms'> & {
  readonly appliedDigests: readonly string[]
}

export const questionBound = (searchRunId: string) => JSON.stringify(['question of a search', searchRunId])

/**
 * What was left out that whoever reads of it could see for themselves (CV-2): an owner with the credential it holds,
 * before its own claims narrowed it; of an agent's search, the person it works for.
 */
function exclusions(
  { caller }: ReadRequest,
  visible: VisibleSet,
  searched: readonly VisibleSegment[],
  question: Question,
  asking: Asking,
): Excluded {
  const count = (segments: readonly VisibleSegment[]) => sizeOf(narrow(segments, question, asking)).documents
  const here = sizeOf(searched).documents
  if (!isAgentAudience(caller.audience)) {
    const held = count(visible.seenAs({ trust: caller.heldTrust, respectConsent: false }))
    return { policyFilteredCount: held - here, visibilityFilteredCount: 0, stalenessFilteredCount: 0 }
  }
  const open = { ceiling: 'firewalled', floor: null } as const
  const anyClass = count(visible.seenAs({ visibility: open }))
  const whole = count(
    visible.seenAs({
      audience: 'owner',
      respectConsent: false,
      trust: { maxSensitivity: 'hyper', scopes: 'all', authenticated: true },
      visibility: open,
    }),
  )
  return {
    policyFilteredCount: Math.max(0, whole - anyClass),
    visibilityFilteredCount: Math.max(0, anyClass - here),
    stalenessFilteredCount: 0,
  }
}

/** The names that snapshots have before anything was searched; of nothing seen there is one as well. */
export function namesOfSnapshots(request: ReadRequest, searched: readonly VisibleSegment[]): string[] {
  const names = snapshotsOf(request, searched, [], '').map(({ snapshotId }) => snapshotId)
  return names.length > 0 ? names : [digestOf(request, ['nothing'])]
}

/** One for each cell of which something is seen, and one for the vectors of each model: named by what is seen of it. */
function snapshotsOf(
  request: ReadRequest,
  searched: readonly VisibleSegment[],
  uses: readonly ModelUse[],
  at: string,
): IndexSnapshot[] {
  const byCell = new Map<string, VisibleSegment[]>()
  for (const part of searched)
    if (part.mask.documents.length > 0) byCell.set(part.cell, [...(byCell.get(part.cell) ?? []), part])
  return [
    ...[...byCell].map(([cell, parts]) => ({
      snapshotId: digestOf(request, [cell, fingerprint(parts)]),
      indexId: digestOf(request, [cell]),
      snapshotTimestamp: at,
      documentsCoveredCount: sizeOf(parts).documents,
      schemaVersion: 1 as const,
    })),
    ...uses
      .filter(({ state }) => state === 'used' || state === 'partial')
      .map(({ model, waiting, covered }) => ({
        snapshotId: digestOf(request, ['vectors', model, waiting, fingerprint(searched)]),
        indexId: digestOf(request, ['vectors', model]),
        snapshotTimestamp: at,
        documentsCoveredCount: covered,
        schemaVersion: 1 as const,
      })),
  ]
}

/** A name for a state that tells nothing of it to whoever cannot see it. */
const digestOf = ({ parts }: ReadRequest, value: unknown, digest: Digest = parts.secrets.digest): string =>
  digest(JSON.stringify([parts.forId, value]))
    .toString('base64url')
    .slice(0, 22)

const EPHEMERAL = 'ephemeral_session_lifetime' satisfies RetentionClass

/** How long a search is kept if nothing upgrades it: as the strictest profile of the session has it (SP-1, CV-7). */
function keptFor({ parts }: ReadRequest): RetentionClass {
  const policies = parts.profile?.policies.all('transcript_retention_policy') ?? []
  return policies.reduce<RetentionClass>(
    (kept, policy) => stronger(kept, policy?.retention ?? EPHEMERAL),
    EPHEMERAL,
  )
}

/** Every capability policy that a caller is under. */
function policiesOver({ parts: { caller, tenantFacts, profile } }: ReadRequest): unknown {
  return policiesBinding(caller, tenantFacts, profile)
}

/** How a caller reads: its credential, narrowed by its claims. */
function profileOf({ caller, parts }: ReadRequest) {
  const { trust, ceiling, floor, respectConsent, audience, policy } = caller
  const scopes = trust === null || trust.scopes === 'all' ? 'all' : [...trust.scopes].sort()
  const profile = parts.profile === null ? [] : [parts.profile.row.hash]
  return [audience, policy, trust?.maxSensitivity ?? null, scopes, ceiling, floor, respectConsent, ...profile]
}

/** Sums over the visible documents, the same in whatever order and whichever segments they stand. */
function fingerprint(parts: readonly VisibleSegment[]): number[] {
  const sums = [0, 0, 0, 0]
  for (const part of parts)
    for (const [at, sum] of sumsOf(part).entries()) sums[at] = ((sums[at] as number) + sum) % 2 ** 48
  return sums
}

/** Masks are kept while nothing changes, and their sums with them. */
const knownSums = new WeakMap<VisibleSegment['mask'], readonly number[]>()

function sumsOf({ segment, mask }: VisibleSegment): readonly number[] {
  const known = knownSums.get(mask)
  if (known !== undefined) return known
  const { ids } = segment.data
  let first = 0
  let second = 0
  let surfaces = 0
  for (const document of mask.documents) {
    const at = document * 16
    first += ((ids[at] as number) << 16) | ((ids[at + 1] as number) << 8) | (ids[at + 2] as number)
    second += ((ids[at + 3] as number) << 16) | ((ids[at + 4] as number) << 8) | (ids[at + 5] as number)
    surfaces += mask.surfaces[document] as number
  }
  const sums = [first, second, surfaces, mask.words]
  knownSums.set(mask, sums)
  return sums
}

/** What was searched, as one value: keyed, so that nobody can guess a scope and compare (CV-6). */
function scopeDigest(
  request: ReadRequest,
  { query: _, ...selectors }: Question,
  searched: readonly VisibleSegment[],
  snapshots: readonly IndexSnapshot[],
): string {
  const scope = JSON.stringify([
    [...corporaOf(searched)].sort(),
    selectors,
    snapshots.map(({ snapshotId }) => snapshotId).sort(),
    profileOf(request),
  ])
  const key = request.parts.secrets.digest(JSON.stringify(['scope', request.parts.forId]))
  return createHmac('sha256', key).update(scope).digest('hex')
}
