import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isAgentAudience } from '../../policy/subject.js'
import { measureVisible } from '../../search/match.js'
import type { ReadingProgress } from '../../storage/queries/reading-progress.js'
import type { NewSearchRun } from '../../storage/queries/search-runs.js'
import { schemaVersion } from '../fields.js'
import type { VisibleSegment, VisibleSet } from '../index/visible-set.js'
import type { ReadRequest } from '../request.js'
import type { Digest } from '../secrets.js'
import { findPoliciesFor } from '../tenant-facts.js'
import type { ModelUse } from './compare-meanings.js'
import {
  type Completeness,
  type Coverage,
  classifyCompleteness,
  classifyInternalCompleteness,
  completeness,
  type ExclusionCounts,
} from './completeness.js'
import { corporaOf, type UsedExpansion } from './execute.js'
import type { UnifiedSearchPlan, ValidPlan } from './plan.js'
import { type FilterContext, narrowToQuestion } from './predicates.js'
import { filters, type Question } from './question.js'
import { longerRetention, type RetentionClass, retentionDates } from './retention.js'
import { PART_KINDS } from './router/posture.js'
import { expansionKind } from './router/validate.js'
import { surfacesOf, unitsOf } from './seen-names.js'

export const expansionRecord = z
  .object({
    expansionId: z.string().meta({ description: 'The id of the expansion.' }),
    queryRunId: z.string().meta({ description: 'The search it belongs to, by its id.' }),
    expansionKind: expansionKind.meta({ description: 'What sort of expansion it is.' }),
    appliedTerms: z.array(z.string()).meta({ description: 'The words that were added.' }),
    expansionSource: z
      .enum(['built_in', 'corpus'])
      .meta({ description: 'Whether the words are built in or come from a corpus.' }),
    expansionSourceCorpusRef: z.string().optional().meta({ description: 'The corpus they come from.' }),
    expansionVisibleToSession: z
      .literal(true)
      .meta({ description: 'The caller may read which words were added.' }),
    schemaVersion,
  })
  .meta({ id: 'Expansion', description: 'Words that were added to a question.' })

export const indexSnapshot = z
  .object({
    snapshotId: z.string().meta({ description: 'The id of the snapshot.' }),
    indexId: z.string().meta({ description: 'The index, by its id.' }),
    indexKind: z
      .enum(['words', 'vectors'])
      .optional()
      .meta({ description: 'Whether it is of words or of vectors; missing in old receipts.' }),
    model: z.string().optional().meta({ description: 'The model that made the vectors.' }),
    snapshotTimestamp: z.string().meta({ description: 'When the index was in this state.' }),
    documentsCoveredCount: z.int().meta({ description: 'Number of records in it.' }),
    schemaVersion,
  })
  .meta({ id: 'IndexSnapshot', description: 'The state of an index that was searched.' })
export type IndexSnapshot = z.infer<typeof indexSnapshot>

/** How semantic search took part, by model. */
const meaning = z.array(
  z
    .object({
      model: z.string().meta({ description: 'The model that made the vectors.' }),
      state: z.enum(['used', 'partial', 'not_understood', 'timeout', 'unavailable']).meta({
        description: 'Whether meaning was used; `partial` while visible records wait for their vectors.',
      }),
      waiting: z.int().meta({ description: 'Number of visible records that wait for their vectors.' }),
    })
    .meta({ id: 'MeaningUse', description: 'How the meaning of a question took part, with one model.' }),
)

const both = {
  receiptId: z.string().meta({ description: 'The id of the receipt.' }),
  searchRunId: z.string().meta({ description: 'The id of the search.' }),
  searchedCount: z.int().meta({ description: 'Number of records that were searched.' }),
  resultSetCompleteness: completeness.meta({ description: 'How complete the search was.' }),
  expansionDisclosureProvided: z
    .boolean()
    .meta({ description: 'Whether the caller was told which words were added.' }),
  meaning: meaning.meta({
    description: 'How the search by meaning went, by model; empty if there was none.',
  }),
  scopeDigest: z.string().meta({ description: 'A digest of where it looked.' }),
  schemaVersion,
}

// CV-2
export const internalReceipt = z
  .object({
    kind: z.literal('internal').meta({ description: 'The receipt of an owner or a host.' }),
    ...both,
    searchedCorpora: z.array(z.string()).meta({ description: 'The collections that were searched.' }),
    // What the question excluded is named, up to a limit; what policy excluded is only counted.
    searchedCorpusSegments: z
      .array(z.string())
      .meta({ description: 'The surfaces that were searched, as `corpus/surface`.' }),
    searchedFilingUnits: z.array(z.string()).meta({ description: 'The filings that were searched.' }),
    excludedCorpora: z.array(z.string()).meta({ description: 'The collections that were left out.' }),
    excludedFilingUnits: z.array(z.string()).meta({ description: 'The filings that were left out.' }),
    excludedFilingParts: z
      .array(z.string())
      .meta({ description: 'The parts of filings that were left out.' }),
    excludedCount: z.int().meta({ description: 'Number of records that were left out.' }),
    policyFilteredCount: z.int().meta({ description: 'Number of records that a policy left out.' }),
    visibilityFilteredCount: z
      .int()
      .meta({ description: 'Number of records that their visibility class left out.' }),
    stalenessFilteredCount: z
      .int()
      .meta({ description: 'Number of files that were left out because they wait to be read.' }),
    // The names are told with the answer. They are not kept, because files can be removed.
    waitingFiles: z
      .array(z.string())
      .meta({ description: 'Some of the files that wait to be read, by name; empty in a kept receipt.' }),
    unreadFiles: z.array(z.string()).meta({
      description:
        'Some of the files that could not be read, or not whole, by name; empty in a kept receipt.',
    }),
    indexSnapshotsUsed: z
      .array(z.string())
      .meta({ description: 'The states of the indexes that were searched, by their ids.' }),
    anyIndexStale: z.boolean().meta({ description: 'Whether an index was not current.' }),
    stalenessSummary: z
      .array(
        z.object({
          indexId: z.string().meta({ description: 'The index, by its id.' }),
          staleSeconds: z.number().meta({ description: 'Seconds that it is behind.' }),
        }),
      )
      .meta({ description: 'Indexes that were not current.' }),
    queryExpansionsUsed: z
      .array(z.string())
      .meta({ description: 'The expansions of the question, by their ids.' }),
  })
  .meta({
    id: 'InternalReceipt',
    description: 'What was searched and what was left out, for an owner or a host.',
  })

export const visibleReceipt = z
  .object({
    kind: z.literal('visible').meta({ description: 'The receipt of an agent or a recipient.' }),
    ...both,
    // CV-4
    excludedCountTotal: z
      .int()
      .nullable()
      .meta({ description: 'Number of records that the shared view left out; null without a shared view.' }),
  })
  .meta({ id: 'VisibleReceipt', description: 'What was searched, for an agent or a recipient.' })

export const receipt = z
  .discriminatedUnion('kind', [internalReceipt, visibleReceipt])
  .meta({ id: 'Receipt', description: 'What was searched, and how complete the search was.' })
export type Receipt = z.infer<typeof receipt>

/** The receipt as it is stored. The visible receipt is derived from it on reading. */
export type StoredReceipt = Omit<z.infer<typeof internalReceipt>, 'kind'> & {
  /** The completeness relative to what the searcher could see. */
  readonly visibleCompleteness: Completeness
  /** For a recipient's search: how many records its views excluded when they were shared (CV-4). */
  readonly excludedCountTotal?: number | null
}

/**
 * A reader who could see for themselves what was left out gets the whole receipt; others get the visible part (CV-2).
 */
export function receiptFor(
  reader: 'internal' | 'visible',
  { visibleCompleteness, excludedCountTotal = null, ...stored }: StoredReceipt,
): Receipt {
  if (reader === 'internal')
    return {
      kind: 'internal',
      ...stored,
      meaning: stored.meaning ?? [],
      waitingFiles: stored.waitingFiles ?? [],
      unreadFiles: stored.unreadFiles ?? [],
    }
  return {
    kind: 'visible',
    receiptId: stored.receiptId,
    searchRunId: stored.searchRunId,
    searchedCount: stored.searchedCount,
    excludedCountTotal,
    resultSetCompleteness: visibleCompleteness,
    expansionDisclosureProvided: stored.expansionDisclosureProvided,
    // Receipts from before semantic search have no such field.
    meaning: stored.meaning ?? [],
    scopeDigest: stored.scopeDigest,
    schemaVersion: 1,
  }
}

export const manifest = z
  .object({
    manifestId: z.string().meta({ description: 'The id of the manifest.' }),
    searchRunId: z.string().meta({ description: 'The id of the search.' }),
    planId: z.string().meta({ description: 'The plan, by its id.' }),
    executedAt: z.string().meta({ description: 'When the search ran.' }),
    executorExecutions: z
      .array(
        z.object({
          executorClass: z.string().meta({ description: 'The executor.' }),
          startedAt: z.string().meta({ description: 'When it began.' }),
          completedAt: z.string().meta({ description: 'When it ended.' }),
          resultCount: z.int().meta({ description: 'Number of results it found.' }),
          tokensRead: z.int().optional().meta({ description: 'Number of tokens of text it read.' }),
          unreadCount: z
            .int()
            .optional()
            .meta({ description: 'Number of candidates it had no budget left to read.' }),
          failures: z
            .array(
              z.object({
                failureKind: z.string().meta({ description: 'What sort of failure it is.' }),
                failureReasonCode: z.string().meta({ description: 'Why, as a code.' }),
              }),
            )
            .optional()
            .meta({ description: 'Why it found nothing.' }),
        }),
      )
      .meta({ description: 'What each executor did.' }),
    fusionStrategy: z.string().meta({ description: 'How their results were put in one order.' }),
    fusionCompletedAt: z.string().meta({ description: 'When that was done.' }),
    coverageReceiptInternalRef: z.string().meta({ description: 'The internal receipt, by its id.' }),
    coverageReceiptVisibleRef: z.string().meta({ description: 'The visible receipt, by its id.' }),
    sessionProfileRef: z.string().meta({ description: 'A digest of how the caller read.' }),
    policyGenerationId: z
      .string()
      .meta({ description: 'The policies that bound the caller, by their generation.' }),
    schemaVersion,
  })
  .meta({ id: 'SearchManifest', description: 'What ran in a search, and when.' })

/**
 * How long an executor took depends on all records, so a caller who sees only some is told just when it was asked.
 */
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

/** Everything that a search leaves (CV-1): what is answered now, and the row that is stored. */
export interface SearchAccount {
  readonly receipt: Receipt
  readonly expansions: ExpansionRecord[]
  readonly manifestId: string
  readonly run: NewSearchRun
}

/** The receipt of a search for anyone but a host. */
export function visibleReceiptOf({ run }: SearchAccount): z.infer<typeof visibleReceipt> {
  return receiptFor('visible', run.receipt as StoredReceipt) as z.infer<typeof visibleReceipt>
}

/** How a plan was executed. */
export interface ExecutionCounts {
  /** The number of all matches. */
  readonly matches: number
  /** The most matches of a single executor. If they exceed what it ranks, nobody looked at the rest. */
  readonly mostOfOne: number
  readonly expansions: readonly UsedExpansion[]
  readonly uses: readonly ModelUse[]
  /** How completely the files that the question concerns were read. */
  readonly reading: ReadingProgress
  readonly executions: readonly {
    readonly executorClass: string
    readonly resultCount: number
    /** When it began and ended; the time of the request if that was not measured. */
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
  asking: FilterContext,
  ran: ExecutionCounts,
): SearchAccount {
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
    searchedCount: measureVisible(searched).documents,
    excludedCount: excluded.policyFilteredCount + excluded.visibilityFilteredCount,
    ...excluded,
    stalenessFilteredCount: ran.reading.waiting,
    waitingFiles: [...ran.reading.waitingFiles],
    unreadFiles: [...ran.reading.unreadFiles],
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
    resultSetCompleteness: classifyInternalCompleteness(coverage, excluded),
    visibleCompleteness: classifyCompleteness(coverage),
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
      label: request.clearance,
      at,
      ...retentionDates(request.now, keptFor(request)),
      // The question is the caller's own, so it is stored only sealed.
      question: secrets.seal(JSON.stringify(plan.question), questionSealContext(searchRunId)),
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
      // Names of filings disappear with the filings: their digests mean nothing to those who do not know the names
      // (AU-4).
      receipt: {
        ...stored,
        searchedFilingUnits: stored.searchedFilingUnits.map(digestName),
        excludedFilingUnits: stored.excludedFilingUnits.map(digestName),
        waitingFiles: [],
        unreadFiles: [],
      },
      // Words are stored as digests; a later reader is told only those that they can see.
      expansions: expansions.map(({ appliedTerms, ...record }) => ({
        ...record,
        appliedDigests: appliedTerms.map(term => digestWord(request, secrets.digest, searchRunId, term)),
      })),
      indexSnapshots,
    },
  }
}

/** The maximum number of names of one kind in a receipt. */
const MOST_NAMED = 200

const named = (names: ReadonlySet<string>, without: ReadonlySet<string> = new Set()): string[] =>
  [...names]
    .filter(name => !without.has(name))
    .sort()
    .slice(0, MOST_NAMED)

/** The kinds of parts that a question excludes. */
const partsLeftOut = ({ scope: { partKinds } = {} }: Question): string[] =>
  partKinds === undefined ? [] : PART_KINDS.filter(kind => !partKinds.includes(kind))

/** A plan as it is stored: the words and names of the question are only in the sealed question (AU-3). */
function withoutWords(plan: UnifiedSearchPlan): UnifiedSearchPlan {
  const {
    caseScope: _,
    filingUnitScope: __,
    typeScope: ___,
    courtScope: ____,
    partyScope: _____,
    ...searchScope
  } = plan.searchScope
  const queryExpansionsPlanned = plan.queryExpansionsPlanned.map(one => ({ ...one, appliedTerms: [] }))
  return { ...plan, searchScope, queryExpansionsPlanned }
}

/** The number excluded by all views together; null for a caller that is not bound by views. */
function excludedByViews({ parts: { identity, profile } }: ReadRequest): number | null {
  if (identity.views === null || profile === null) return null
  return profile.viewRows.reduce((sum, { excludedCount }) => sum + (excludedCount ?? 0), 0)
}

/**
 * The digest of a word that matched, keyed like the sealed question. Only those who know the word can recognise it.
 */
export const digestWord = (request: ReadRequest, digest: Digest, searchRunId: string, word: string): string =>
  digestOf(request, ['word', searchRunId, word], digest)

/** A query expansion as it is stored. */
export type StoredExpansion = Omit<ExpansionRecord, 'appliedTerms'> & {
  readonly appliedDigests: readonly string[]
}

export const questionSealContext = (searchRunId: string) =>
  JSON.stringify(['question of a search', searchRunId])

/**
 * Counts what was left out that the reader could see for themselves (CV-2): for an owner, with its credential before
 * claims narrowed it; for an agent's search, as the person it works for.
 */
function exclusions(
  { caller }: ReadRequest,
  visible: VisibleSet,
  searched: readonly VisibleSegment[],
  question: Question,
  asking: FilterContext,
): ExclusionCounts {
  const count = (segments: readonly VisibleSegment[]) =>
    measureVisible(narrowToQuestion(segments, question, asking)).documents
  const here = measureVisible(searched).documents
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

/** The names of index snapshots before anything is searched. There is one even if nothing is visible. */
export function namesOfSnapshots(request: ReadRequest, searched: readonly VisibleSegment[]): string[] {
  const names = snapshotsOf(request, searched, [], '').map(({ snapshotId }) => snapshotId)
  return names.length > 0 ? names : [digestOf(request, ['nothing'])]
}

/**
 * One snapshot for each cell of which something is visible, and one for the vectors of each model. Its name is a
 * digest of what is visible.
 */
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
      indexKind: 'words' as const,
      snapshotTimestamp: at,
      documentsCoveredCount: measureVisible(parts).documents,
      schemaVersion: 1 as const,
    })),
    ...uses
      .filter(({ state }) => state === 'used' || state === 'partial')
      .map(({ model, waiting, covered }) => ({
        snapshotId: digestOf(request, ['vectors', model, waiting, fingerprint(searched)]),
        indexId: digestOf(request, ['vectors', model]),
        indexKind: 'vectors' as const,
        model,
        snapshotTimestamp: at,
        documentsCoveredCount: covered,
        schemaVersion: 1 as const,
      })),
  ]
}

/** A name for a state that reveals nothing to those who cannot see it. */
const digestOf = ({ parts }: ReadRequest, value: unknown, digest: Digest = parts.secrets.digest): string =>
  digest(JSON.stringify([parts.forId, value]))
    .toString('base64url')
    .slice(0, 22)

const EPHEMERAL = 'ephemeral_session_lifetime' satisfies RetentionClass

/** How long a search is kept if nothing extends it, according to the strictest profile of the caller (SP-1, CV-7). */
function keptFor({ parts }: ReadRequest): RetentionClass {
  const policies = parts.profile?.policies.all('transcript_retention_policy') ?? []
  return policies.reduce<RetentionClass>(
    (kept, policy) => longerRetention(kept, policy?.retention ?? EPHEMERAL),
    EPHEMERAL,
  )
}

/** Every capability policy that applies to a caller. */
function policiesOver({ parts: { caller, tenantFacts, profile } }: ReadRequest): unknown {
  return findPoliciesFor(caller, tenantFacts, profile)
}

/** How a caller reads: its credential, narrowed by its claims. */
function profileOf({ caller, parts }: ReadRequest) {
  const { trust, ceiling, floor, respectConsent, audience, policy } = caller
  const scopes = trust === null || trust.scopes === 'all' ? 'all' : [...trust.scopes].sort()
  const profile = parts.profile === null ? [] : [parts.profile.row.hash]
  return [audience, policy, trust?.maxSensitivity ?? null, scopes, ceiling, floor, respectConsent, ...profile]
}

/** Sums over the visible documents, which do not depend on their order or segments. */
function fingerprint(parts: readonly VisibleSegment[]): number[] {
  const sums = [0, 0, 0, 0]
  for (const part of parts)
    for (const [at, sum] of sumsOf(part).entries()) sums[at] = ((sums[at] as number) + sum) % 2 ** 48
  return sums
}

/** A mask is cached while nothing changes, so its sums are cached with it. */
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
    surfaces += mask.levels[document] as number
  }
  const sums = [first, second, surfaces, mask.words]
  knownSums.set(mask, sums)
  return sums
}

/** What of a question says where to look. How its words are read and its results are ordered does not. */
const selectorsOf = ({ posture, scope, ...question }: Question) => ({
  posture,
  scope,
  ...Object.fromEntries(
    Object.keys(filters).map(filter => [filter, question[filter as keyof typeof question]]),
  ),
})

/** The same with fields and lists in order, so that it does not matter in which order somebody named them. */
function inOrder(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value))
    return value.map(inOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([field, one]) => [field, inOrder(one)]),
  )
}

/** A keyed digest of what was searched. Without the key, nobody can guess a scope and compare (CV-6). */
function scopeDigest(
  request: ReadRequest,
  question: Question,
  searched: readonly VisibleSegment[],
  snapshots: readonly IndexSnapshot[],
): string {
  const scope = JSON.stringify([
    [...corporaOf(searched)].sort(),
    inOrder(selectorsOf(question)),
    snapshots.map(({ snapshotId }) => snapshotId).sort(),
    profileOf(request),
  ])
  const key = request.parts.secrets.digest(JSON.stringify(['scope', request.parts.forId]))
  return createHmac('sha256', key).update(scope).digest('hex')
}
