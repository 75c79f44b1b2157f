import { z } from 'zod'
import { NONE, shownLevel } from '../../policy/faces.js'
import { bindingId, EXAMPLE_ID, nextCursor } from '../../runtime/fields.js'
import { id, moment, name, principal } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import { type ReadRequest, timesOf } from '../../runtime/request.js'
import type { SampleInput, SampleWorld } from '../../runtime/sample-world.js'
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
} from '../../storage/queries/watch-ledger.js'
import { documentName } from '../file-input.js'

// What a caller does not see in full of a document is in no answer here and in no figure: the statements leave it out, and
// the gates decide once more (BK-1). A watch of which nothing is seen and one that there is not are the same (NI-5).

/** Those whose document is seen in full. A file without a card is seen by whom row-level security lets see it. */
export async function filterSeen<Row extends { readonly card: LedgerCard | null }>(
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

const outcome = z
  .object({
    binding: z.string().meta({ description: 'The binding, by its id.' }),
    sourceEventId: z.string().meta({ description: 'The event, as the watcher calls it.' }),
    targetKind: z.literal('document').meta({ description: 'What the outcome is about.' }),
    targetRef: z
      .string()
      .nullable()
      .meta({ description: 'The name of the document; null if the reader may not see it.' }),
    outcome: z.string().meta({ description: 'What became of the file.' }),
    problem: z.string().nullable().meta({ description: 'Why it failed, as a code; null if it did not.' }),
    version: z.int().nullable().meta({ description: 'The number of the version that came of it.' }),
    extractionRunId: z
      .string()
      .nullable()
      .meta({ description: 'The file as it was taken in then, by its id.' }),
    card: z
      .string()
      .nullable()
      .meta({ description: 'The record that stands for the document now, by its id.' }),
    at: z.string().meta({ description: 'When it was written down.' }),
  })
  .meta({ id: 'BindingOutcome', description: 'What became of a file that a binding brought.' })

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

const ofEvent = z.strictObject({
  binding: bindingId,
  sourceEventId: name.meta({ description: 'The event, as the watcher calls it.', example: EXAMPLE_ID }),
})

const sampleEvent = (world: SampleWorld): SampleInput => ({
  binding: world.madeOrOther('watched'),
  sourceEventId: world.pick(['first', 'second', 'third']),
})

/** What became of the files that a fire found. */
export const watchOutcome = readOperation({
  name: 'bindings.outcome',
  route: 'GET /bindings/:binding/outcome',
  summary: 'Report what became of the files of one event',
  policies: ['agent', 'reader'],
  sample: sampleEvent,
  callers: 'anyone',
  input: ofEvent,
  output: z.object({
    outcomes: z.array(outcome).meta({ description: 'The outcome of each file of the event.' }),
  }),
  async run(request, { binding, sourceEventId }) {
    const { tx, tenant } = request
    const rows = await filterSeen(request, await fetchOutcomes(tx, tenant, binding, sourceEventId))
    return { outcomes: rows.map(row => showOutcome(request, row)) }
  },
})

export const OUTCOME_TARGET_KINDS = ['document', 'source', 'card'] as const

/** The other way round: which fires brought a document. */
export const watchOutcomes = readOperation({
  name: 'bindings.outcomes',
  route: 'POST /binding-outcomes',
  summary: 'List the events that brought a document',
  policies: ['agent', 'reader'],
  sample: world =>
    world.pick([
      { targetKind: 'document', targetRef: 'mine.txt', limit: world.pick([1, 50]) },
      { targetKind: 'card', targetRef: world.record() },
    ]),
  callers: 'anyone',
  input: z
    .strictObject({
      ...pageInput,
      targetKind: z.enum(OUTCOME_TARGET_KINDS).meta({
        description: 'What `targetRef` names: a document, a file as it was taken in, or a card.',
        example: 'document',
      }),
      targetRef: documentName.meta({
        description: 'The name of the document, or the id of the file or card.',
        example: 'briefs/motion.pdf',
      }),
      owner: principal
        .optional()
        .meta({ description: 'Who owns the document. Default: you.', example: 'ana' }),
    })
    .refine(({ targetKind, targetRef }) => targetKind === 'document' || id.safeParse(targetRef).success, {
      message: 'must be a UUID, for example 3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f',
      path: ['targetRef'],
    }),
  output: z.object({
    outcomes: z.array(outcome).meta({ description: 'What became of it at each event, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { targetKind, targetRef, owner = request.caller.actingFor, limit, cursor }) {
    const { tx, tenant } = request
    const target = {
      owner,
      document: targetKind === 'document' ? targetRef : null,
      source: targetKind === 'source' ? targetRef : null,
      card: targetKind === 'card' ? targetRef : null,
    }
    const found = await listNewestFirst(
      request,
      ['bindings.outcomes', targetKind, targetRef, owner],
      { limit, cursor },
      (before, most) => listOutcomes(tx, tenant, target, before, most),
      row => ({ createdAt: row.at, id: row.outcomeId }),
    )
    const rows = await filterSeen(request, found.rows)
    return { outcomes: rows.map(row => showOutcome(request, row)), cursor: found.cursor }
  },
})

/** What a fire looked at, in figures, and a digest by which two looks are told apart. Both are of what is seen of it. */
export const watchManifest = readOperation({
  name: 'bindings.manifest',
  route: 'GET /bindings/:binding/manifest',
  summary: 'Report what one event looked at, in figures',
  policies: ['agent', 'reader'],
  sample: sampleEvent,
  callers: 'anyone',
  input: ofEvent,
  output: z
    .object({
      binding: z.string().meta({ description: 'The binding, by its id.' }),
      sourceEventId: z.string().meta({ description: 'The event, as the watcher calls it.' }),
      startedAt: z.string().meta({ description: 'When the watcher began to look.' }),
      endedAt: z.string().meta({ description: 'When the event was written down.' }),
      counts: z.record(z.string(), z.int()).meta({ description: 'Number of files by outcome.' }),
      stateDigest: z
        .string()
        .meta({ description: "A digest of all the binding's documents after the event." }),
    })
    .nullable(),
  async run(request, { binding, sourceEventId }) {
    const { tx, tenant, parts } = request
    const manifest = await fetchManifest(tx, tenant, binding, sourceEventId)
    const rows = await filterSeen(request, await fetchOutcomes(tx, tenant, binding, sourceEventId))
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

export const contribution = z
  .object({
    contribution: z.string().meta({ description: 'The line of the ledger, by its id.' }),
    binding: z.string().meta({ description: 'The binding, by its id.' }),
    document: z
      .string()
      .nullable()
      .meta({ description: 'The name of the document; null if the reader may not see it.' }),
    card: z.string().nullable().meta({ description: 'The record that stands for the document, by its id.' }),
    extractionRunId: z.string().nullable().meta({ description: 'The file as it was taken in, by its id.' }),
    state: z.enum(CONTRIBUTION_STATES).meta({ description: 'What became of what the binding brought.' }),
    confirmedAt: z
      .string()
      .nullable()
      .meta({ description: 'When somebody confirmed it; null if nobody has.' }),
    at: z.string().meta({ description: 'When it was brought.' }),
    changedAt: z.string().meta({ description: 'When its state last changed.' }),
  })
  .meta({
    id: 'BindingContribution',
    description: 'A document that a binding brought, and whether it was kept.',
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

/** The ledger of a watch: the documents that it brought and what became of them, the latest change first. */
export const watchContributions = readOperation({
  name: 'bindings.contributions',
  route: 'GET /bindings/:binding/contributions',
  summary: 'List the documents that a binding brought, and what became of them',
  policies: ['agent', 'reader'],
  sample: world => ({
    binding: world.madeOrOther('watched'),
    limit: world.pick([1, 50]),
  }),
  callers: 'anyone',
  input: z.strictObject({
    ...pageInput,
    binding: bindingId,
    from: moment.optional().meta({ description: 'Only those that changed at or after this moment.' }),
    to: moment.optional().meta({ description: 'Only those that changed before this moment.' }),
  }),
  output: z.object({
    contributions: z.array(contribution).meta({ description: 'What the binding brought, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { binding, from = null, to = null, limit, cursor }) {
    const { tx, tenant } = request
    const found = await listNewestFirst(
      request,
      ['bindings.contributions', binding, from, to],
      { limit, cursor },
      (before, most) => listContributions(tx, tenant, binding, { from, to }, before, most),
      row => ({ createdAt: row.changedAt, id: row.contributionId }),
    )
    const rows = await filterSeen(request, found.rows)
    return { contributions: rows.map(row => showContribution(request, row)), cursor: found.cursor }
  },
})

const DAY = 86_400_000

/**
 * How useful a watch is. How much it brings says little: the figure to go by is `userEngagementRate`, the share of the
 * documents it brought in the window with which somebody has done something since. That is: confirmed the contribution;
 * pinned the document or a chunk of it, or changed how salient one is; made a record from either, other than the next
 * version; or downloaded the document by a link. It is null where it brought no document that was read.
 */
export const watchHealth = readOperation({
  name: 'bindings.health',
  route: 'GET /bindings/:binding/health',
  summary: 'Report how useful a binding has been',
  policies: ['agent', 'reader'],
  sample: world => ({
    binding: world.madeOrOther('watched'),
    windowDays: world.pick([1, 30]),
  }),
  callers: 'anyone',
  input: z.strictObject({
    binding: bindingId,
    windowDays: z
      .int()
      .min(1)
      .max(3_650)
      .default(30)
      .meta({ description: 'The last days to look at.', example: 30 }),
  }),
  output: z.object({
    binding: z.string().meta({ description: 'The binding, by its id.' }),
    windowDays: z.int().meta({ description: 'The last days that were looked at.' }),
    totalFires: z.int().meta({ description: 'Number of events.' }),
    confirmedCount: z.int().meta({ description: 'Number of documents that somebody confirmed.' }),
    rejectedCount: z.int().meta({ description: 'Number of documents that somebody rejected.' }),
    softDeletedCount: z.int().meta({ description: 'Number of documents that were removed since.' }),
    extractionFailedCount: z.int().meta({ description: 'Number of files that could not be read.' }),
    userEngagementRate: z.number().nullable().meta({
      description:
        'The part of the documents that somebody confirmed or rejected, from 0 to 1; null if there are none.',
    }),
  }),
  async run(request, { binding, windowDays }) {
    const { tx, tenant, now } = request
    const from = new Date(now.getTime() - windowDays * DAY)
    const fires = await filterSeen(request, await listFires(tx, tenant, binding, from))
    const weighed = await weighContributions(tx, tenant, binding, from, request.seesEverything)
    const seen = await filterSeen(request, weighed)
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
