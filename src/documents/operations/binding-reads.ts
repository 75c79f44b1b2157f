import { z } from 'zod'
import { NONE, shownLevel } from '../../policy/faces.js'
import { isUnrestricted } from '../../runtime/caller.js'
import { id, moment, name, principal } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import { type ReadRequest, timesOf } from '../../runtime/request.js'
import {
  type ContributionRow,
  fetchManifest,
  fetchOutcomes,
  type LedgerCard,
  listContributions,
  listFires,
  listOutcomes,
  type OutcomeRow,
  weighContributions,
} from '../../storage/queries/binding-ledger.js'
import { documentName } from '../file-input.js'

// What a caller does not see in full of a document is in no answer here and in no figure: the statements leave it out, and
// the gates decide once more (BK-1). A binding of which nothing is seen and one that there is not are the same (NI-5).

/** Those whose document is seen in full. A file without a card is seen by whom row-level security lets see it. */
export async function onlySeen<Row extends { readonly card: LedgerCard | null }>(
  request: ReadRequest,
  rows: readonly Row[],
): Promise<Row[]> {
  const cards = rows.flatMap(({ card }) => card ?? [])
  const faces = await request.faces(cards.map(card => ({ tuple: card.tuple, times: timesOf(card) })))
  const full = new Set(cards.filter((_, at) => shownLevel(faces[at] ?? NONE) === 'full'))
  return rows.filter(({ card }) => card === null || full.has(card))
}

function show(request: ReadRequest, { card }: { readonly card: LedgerCard | null }): void {
  if (card !== null) request.showRow({ id: card.cardId, tuple: card.tuple }, 'full')
}

const outcome = z.object({
  binding: z.string(),
  sourceEventId: z.string(),
  targetKind: z.literal('document'),
  /** The name of the document. */
  targetRef: z.string().nullable(),
  outcome: z.string(),
  /** Why it failed. */
  problem: z.string().nullable(),
  version: z.int().nullable(),
  /** The file as it was taken in then. */
  extractionRunId: z.string().nullable(),
  /** What stands for the document now. */
  card: z.string().nullable(),
  at: z.string(),
})

function showOutcome(request: ReadRequest, row: OutcomeRow): z.input<typeof outcome> {
  show(request, row)
  return {
    binding: row.bindingId,
    sourceEventId: row.sourceEventId,
    targetKind: 'document',
    targetRef: row.document,
    outcome: row.outcome,
    problem: row.problem,
    version: row.version,
    extractionRunId: row.sourceId,
    card: row.card?.cardId ?? null,
    at: row.at.toISOString(),
  }
}

const ofEvent = z.strictObject({ binding: id, sourceEventId: name })

/** What became of the files that a fire found. */
export const bindingOutcome = readOperation({
  name: 'bindings.outcome',
  summary: 'Say what became of the files of one event',
  callers: 'anyone',
  input: ofEvent,
  output: z.object({ outcomes: z.array(outcome) }),
  async run(request, { binding, sourceEventId }) {
    const { tx, tenant } = request
    const rows = await onlySeen(request, await fetchOutcomes(tx, tenant, binding, sourceEventId))
    return { outcomes: rows.map(row => showOutcome(request, row)) }
  },
})

export const TARGET_KINDS = ['document', 'source', 'card'] as const

/** The other way round: which fires brought a document. */
export const bindingOutcomes = readOperation({
  name: 'bindings.outcomes',
  summary: 'Say which events brought a document',
  callers: 'anyone',
  input: z
    .strictObject({
      ...page,
      targetKind: z.enum(TARGET_KINDS),
      /** The name of a document, or the id of a file or of a card. */
      targetRef: documentName,
      /** Whose document, where it is named. */
      owner: principal.optional(),
    })
    .refine(({ targetKind, targetRef }) => targetKind === 'document' || id.safeParse(targetRef).success, {
      message: 'must be an id',
      path: ['targetRef'],
    }),
  output: z.object({ outcomes: z.array(outcome), cursor: z.string().nullable() }),
  async run(request, { targetKind, targetRef, owner = request.caller.actingFor, limit, cursor }) {
    const { tx, tenant } = request
    const target = {
      owner,
      document: targetKind === 'document' ? targetRef : null,
      source: targetKind === 'source' ? targetRef : null,
      card: targetKind === 'card' ? targetRef : null,
    }
    const found = await newestFirst(
      request,
      ['bindings.outcomes', targetKind, targetRef, owner],
      { limit, cursor },
      (before, most) => listOutcomes(tx, tenant, target, before, most),
      row => ({ createdAt: row.at, id: row.outcomeId }),
    )
    const rows = await onlySeen(request, found.rows)
    return { outcomes: rows.map(row => showOutcome(request, row)), cursor: found.cursor }
  },
})

/** What a fire looked at, in figures, and a digest by which two looks are told apart. Both are of what is seen of it. */
export const bindingManifest = readOperation({
  name: 'bindings.manifest',
  summary: 'Say what one event looked at, in figures',
  callers: 'anyone',
  input: ofEvent,
  output: z
    .object({
      binding: z.string(),
      sourceEventId: z.string(),
      startedAt: z.string(),
      endedAt: z.string(),
      /** How many entries had which outcome. */
      counts: z.record(z.string(), z.int()),
      stateDigest: z.string(),
    })
    .nullable(),
  async run(request, { binding, sourceEventId }) {
    const { tx, tenant, parts } = request
    const manifest = await fetchManifest(tx, tenant, binding, sourceEventId)
    const rows = await onlySeen(request, await fetchOutcomes(tx, tenant, binding, sourceEventId))
    if (manifest === undefined || rows.length === 0) return null
    const counts: Record<string, number> = {}
    for (const row of rows) counts[row.outcome] = (counts[row.outcome] ?? 0) + 1
    const state = rows.map(row => [row.document, row.version, row.sourceId, row.outcome, row.problem])
    return {
      binding,
      sourceEventId,
      startedAt: manifest.startedAt.toISOString(),
      endedAt: manifest.endedAt.toISOString(),
      counts,
      stateDigest: parts.secrets.digest(JSON.stringify(['binding state', state])).toString('hex'),
    }
  },
})

const CONTRIBUTION_STATES = ['confirmed', 'rejected', 'soft_deleted', 'extraction_failed'] as const

export const contribution = z.object({
  contribution: z.string(),
  binding: z.string(),
  document: z.string().nullable(),
  card: z.string().nullable(),
  extractionRunId: z.string().nullable(),
  state: z.enum(CONTRIBUTION_STATES),
  /** When somebody looked at it and kept it. */
  confirmedAt: z.string().nullable(),
  at: z.string(),
  changedAt: z.string(),
})

export function showContribution(request: ReadRequest, row: ContributionRow): z.input<typeof contribution> {
  show(request, row)
  return {
    contribution: row.contributionId,
    binding: row.bindingId,
    document: row.document,
    card: row.card?.cardId ?? null,
    extractionRunId: row.sourceId,
    state: row.state as (typeof CONTRIBUTION_STATES)[number],
    confirmedAt: row.confirmedAt?.toISOString() ?? null,
    at: row.at.toISOString(),
    changedAt: row.changedAt.toISOString(),
  }
}

/** The ledger of a binding: the documents that it brought and what became of them, the latest change first. */
export const bindingContributions = readOperation({
  name: 'bindings.contributions',
  summary: 'List the documents that a binding brought, and what became of them',
  callers: 'anyone',
  input: z.strictObject({
    ...page,
    binding: id,
    /** Those that changed from then on, and before then. */
    from: moment.optional(),
    to: moment.optional(),
  }),
  output: z.object({ contributions: z.array(contribution), cursor: z.string().nullable() }),
  async run(request, { binding, from = null, to = null, limit, cursor }) {
    const { tx, tenant } = request
    const found = await newestFirst(
      request,
      ['bindings.contributions', binding, from, to],
      { limit, cursor },
      (before, most) => listContributions(tx, tenant, binding, { from, to }, before, most),
      row => ({ createdAt: row.changedAt, id: row.contributionId }),
    )
    const rows = await onlySeen(request, found.rows)
    return { contributions: rows.map(row => showContribution(request, row)), cursor: found.cursor }
  },
})

const DAY = 86_400_000

/**
 * How useful a binding is. How much it brings says little: the figure to go by is `userEngagementRate`, the share of the
 * documents it brought in the window with which somebody has done something since. That is: confirmed the contribution;
 * pinned the document or a segment of it, or changed how salient one is; made a record from either, other than the next
 * version; or downloaded the document by a link. It is null where it brought no document that was read.
 */
export const bindingHealth = readOperation({
  name: 'bindings.health',
  summary: 'Say how useful a binding has been',
  callers: 'anyone',
  input: z.strictObject({ binding: id, windowDays: z.int().min(1).max(3_650).default(30) }),
  output: z.object({
    binding: z.string(),
    windowDays: z.int(),
    totalFires: z.int(),
    confirmedCount: z.int(),
    rejectedCount: z.int(),
    softDeletedCount: z.int(),
    extractionFailedCount: z.int(),
    /** 0 to 1. */
    userEngagementRate: z.number().nullable(),
  }),
  async run(request, { binding, windowDays }) {
    const { tx, tenant, now, caller } = request
    const from = new Date(now.getTime() - windowDays * DAY)
    const fires = await onlySeen(request, await listFires(tx, tenant, binding, from))
    const weighed = await weighContributions(tx, tenant, binding, from, isUnrestricted(caller))
    const seen = await onlySeen(request, weighed)
    const count = (state: (typeof CONTRIBUTION_STATES)[number]) =>
      seen.filter(row => row.state === state).length
    const documents = seen.filter(({ card }) => card !== null)
    const engaged = documents.filter(({ isEngaged }) => isEngaged)
    return {
      binding,
      windowDays,
      totalFires: new Set(fires.map(({ sourceEventId }) => sourceEventId)).size,
      confirmedCount: count('confirmed'),
      rejectedCount: count('rejected'),
      softDeletedCount: count('soft_deleted'),
      extractionFailedCount: count('extraction_failed'),
      userEngagementRate: documents.length === 0 ? null : engaged.length / documents.length,
    }
  },
})
