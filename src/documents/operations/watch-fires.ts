import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { bindingId, EXAMPLE_ID } from '../../runtime/fields.js'
import { id, moment, name } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { fetchSources, type SourceRow } from '../../storage/queries/sources.js'
import {
  type Contribution,
  deleteOutcomesNamed,
  fetchContribution,
  fetchManifest,
  findContribution,
  insertManifest,
  insertOutcome,
  judgeContribution,
  type NewOutcome,
  saveContribution,
} from '../../storage/queries/watch-ledger.js'
import {
  deleteRejections,
  insertRejection,
  loadRejections,
  lockWatch,
  type WatchRow,
} from '../../storage/queries/watches.js'
import { documentName } from '../file-input.js'
import { lockFile, readAsCaller } from '../known-file.js'
import { contribution, filterSeen, showContribution } from './watch-reads.js'

export const ENTRY_OUTCOMES = [
  'created',
  'versioned',
  'described',
  'unchanged',
  'removed',
  'failed',
  'rejected',
] as const

const entry = z.strictObject({
  document: documentName,
  outcome: z.enum(ENTRY_OUTCOMES).meta({ description: 'What became of the file.', example: 'created' }),
  source: id
    .optional()
    .meta({ description: 'The `source` that `documents.ingest` returned, if it took the file in.' }),
  problem: z
    .string()
    .regex(/^[a-z_]{1,60}$/, { message: 'must be a code' })
    .optional()
    .meta({ description: 'Why the file was not taken in, as a code.', example: 'too_large' }),
})
type Entry = z.output<typeof entry>

/**
 * Records one event of a watch: its manifest, outcomes and contributions together (BK-2). A repeated event changes
 * nothing. A file that has not changed is not recorded, nor is an event that holds nothing else.
 */
export const recordWatchFire = writeOperation({
  name: 'bindings.fire',
  route: 'POST /bindings/:binding/fires',
  summary: 'Record what became of the files that a binding found',
  sample: world => ({
    binding: world.madeOrOther('watched'),
    sourceEventId: world.pick(['first', 'second', 'third']),
    entries: [
      world.pick([
        { document: 'mine.txt', outcome: 'created', source: world.madeOrOther('source') },
        { document: 'mine.txt', outcome: 'failed', problem: 'too_large' },
        { document: 'mine.txt', outcome: 'removed' },
      ]),
    ],
  }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['binding_fired'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    binding: bindingId,
    sourceEventId: name.meta({
      description: 'The event, as the watcher calls it. Do not put the name of a file in it.',
      example: EXAMPLE_ID,
    }),
    startedAt: moment.optional().meta({ description: 'When the watcher began to look. Default: now.' }),
    entries: z
      .array(entry)
      .min(1)
      .max(500)
      .refine(entries => new Set(entries.map(({ document }) => document)).size === entries.length, {
        message: 'must name each document once',
      })
      .meta({ description: 'What became of each file, each file once.' }),
  }),
  output: z.object({
    binding: z.string().meta({ description: 'The binding, by its id.' }),
    sourceEventId: z.string().meta({ description: 'The event, as the watcher calls it.' }),
    written: z.boolean().meta({
      description: 'Whether anything was written: false if the event was known, or had nothing new.',
    }),
  }),
  async run(request, { binding: bindingId, sourceEventId, startedAt, entries }) {
    const { tx, tenant, now } = request
    const binding = await lockOwnWatch(request, bindingId)
    if (binding.state === 'paused')
      throw new PrivityError('conflict', 'the binding is paused; resume it first')
    const answer = (written: boolean) => ({
      output: { binding: bindingId, sourceEventId, written },
      refs: [bindingId],
    })
    if ((await fetchManifest(tx, tenant, bindingId, sourceEventId)) !== undefined) return answer(false)
    const rejections = await rejectionsOf(request, bindingId)
    const news: News[] = []
    // The entries are locked in one order, so that two events that name the same files do not deadlock.
    for (const one of entries.toSorted((a, b) => (a.document < b.document ? -1 : 1))) {
      const found = await newsOf(request, binding, sourceEventId, one, rejections)
      if (found !== null) news.push(found)
    }
    if (news.length === 0) return answer(false)
    await insertManifest(tx, tenant, { bindingId, sourceEventId, startedAt: startedAt ?? now, endedAt: now })
    for (const { outcome, contribution, named } of news) {
      if (outcome.document === null) await deleteOutcomesNamed(tx, tenant, bindingId, named)
      await insertOutcome(tx, tenant, outcome)
      if (contribution !== null) await saveContribution(tx, tenant, contribution)
    }
    return answer(true)
  },
  async replay(request, _refs, { binding, sourceEventId }) {
    await lockOwnWatch(request, binding)
    return { binding, sourceEventId, written: false }
  },
})

/**
 * Locks a watch that the caller owns and is told of, as one who sees everything (NI-10). For anyone else it does not
 * exist.
 */
export async function lockOwnWatch(request: WriteRequest, bindingId: string): Promise<WatchRow> {
  const row = await lockWatch(request.tx, request.tenant, bindingId)
  if (row === undefined || !request.seesEverything) throw absent()
  request.requireOwner(row.owner)
  return row
}

/** What one entry adds to the ledgers. */
interface News {
  readonly named: string
  readonly outcome: NewOutcome
  /** Null if the contribution stays as it is. */
  readonly contribution: Contribution | null
}

/** What is new about a file, or null if nothing is. The lookup sees only what the caller sees (NI-5). */
async function newsOf(
  request: WriteRequest,
  binding: WatchRow,
  sourceEventId: string,
  given: Entry,
  rejections: Rejections,
): Promise<News | null> {
  const { tx, tenant, now, parts } = request
  const { bindingId } = binding
  const file = await lockFile(request, binding.owner, given.document)
  const [card] = file.cards
  const source = file.sources.find(({ sourceId }) => sourceId === given.source) ?? null
  if (given.source !== undefined && source === null) throw absent()
  const known = await findContribution(tx, tenant, bindingId, {
    cards: file.cards.map(one => one.id),
    sources: file.sources.map(({ sourceId }) => sourceId),
    document: given.document,
  })
  // A file that the watch never brought cannot be removed, and one that is hidden must look the same.
  if (source === null && (given.outcome === 'removed' || given.outcome === 'rejected') && known === undefined)
    return null
  const isRejected = source === null ? given.outcome === 'rejected' : rejections.hold(source)
  const outcome = isRejected && given.outcome !== 'removed' ? 'rejected' : given.outcome
  const state = stateAfter(outcome, source, known?.state ?? null)
  const isKnown = known !== undefined && known.sourceId === (source?.sourceId ?? known.sourceId)
  if (isKnown && known.state === state) return null
  const recordId = source === null ? (card?.id ?? null) : cardOf(source)
  const sourceId = source?.sourceId ?? known?.sourceId ?? null
  const document = recordId === null && sourceId === null ? given.document : null
  return {
    named: given.document,
    outcome: {
      outcomeId: parts.clock.newId('outcome'),
      bindingId,
      sourceEventId,
      sourceId,
      version: source?.version ?? null,
      recordId,
      document,
      outcome,
      problem: given.problem ?? source?.problem ?? null,
      at: now,
    },
    contribution: {
      contributionId: known?.contributionId ?? parts.clock.newId('contribution'),
      bindingId,
      sourceId,
      recordId,
      document,
      state,
      at: now,
    },
  }
}

/** A file that was not read belongs to the card that it follows, unless it would get a stricter label. */
const cardOf = ({ recordId, asFollowed, follows }: SourceRow): string | null =>
  recordId ?? (asFollowed ? follows : null)

/** A rejected file stays rejected until its bytes change. */
function stateAfter(outcome: Entry['outcome'], source: SourceRow | null, before: string | null): string {
  if (outcome === 'rejected') return 'rejected'
  if (outcome === 'removed') return before === 'rejected' ? 'rejected' : 'soft_deleted'
  return outcome === 'failed' || source?.state === 'failed' ? 'extraction_failed' : 'confirmed'
}

/** Files that a watch must not bring again. */
interface Rejections {
  hold(file: Pick<SourceRow, 'sha256'>): boolean
  /** The stored digests that match a file. */
  keptOf(file: Pick<SourceRow, 'sha256'>): readonly Uint8Array[]
}

async function rejectionsOf(request: ReadRequest, bindingId: string): Promise<Rejections> {
  const { secrets } = request.parts
  const kept = await loadRejections(request.tx, request.tenant, bindingId)
  const keptOf: Rejections['keptOf'] = ({ sha256 }) =>
    kept.filter(digest => secrets.isKeptOf(digest, rejectedName(bindingId, sha256)))
  return { keptOf, hold: file => keptOf(file).length > 0 }
}

const rejectedName = (bindingId: string, sha256: Uint8Array): string =>
  JSON.stringify(['rejected', bindingId, Buffer.from(sha256).toString('hex')])

/**
 * Tells a watcher which files were rejected, so that it does not bring them again. A restricted credential learns of
 * none, because by guessing bytes it could find out about documents that it does not see.
 */
export const rejectedFiles = readOperation({
  name: 'bindings.rejected',
  route: 'POST /bindings/:binding/rejected',
  summary: 'List the files that a binding must not bring again',
  sample: world => ({
    binding: world.madeOrOther('watched'),
    sha256: [world.pick(['0', '1']).repeat(64)],
  }),
  callers: 'owner',
  needsWholeSight: { otherwise: { rejected: [] } },
  input: z.strictObject({
    binding: bindingId,
    // SHA-256 of each file.
    sha256: z
      .array(z.string().regex(/^[0-9a-f]{64}$/, { message: 'must be a SHA-256 in hex' }))
      .min(1)
      .max(500)
      .meta({
        description: 'SHA-256 of the bytes of each file, in hex.',
        example: ['0000000000000000000000000000000000000000000000000000000000000000'],
      }),
  }),
  output: z.object({
    rejected: z.array(z.string()).meta({
      description: 'Those of the digests whose files were rejected and must not be taken in again.',
    }),
  }),
  async run(request, { binding, sha256 }) {
    const rejections = await rejectionsOf(request, binding)
    return { rejected: sha256.filter(hex => rejections.hold({ sha256: Buffer.from(hex, 'hex') })) }
  },
})

/** Confirms or rejects what a watch brought. The document stays; a watch does not bring rejected bytes again. */
export const judgeContributionOf = writeOperation({
  name: 'bindings.judge',
  route: 'POST /binding-contributions/:contribution/judge',
  summary: 'Confirm or reject what a binding brought',
  sample: world => ({
    contribution: world.madeOrOther('contribution'),
    verdict: world.pick(['confirm', 'reject']),
  }),
  callers: 'owner',
  effects: ['contribution_judged'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({
    contribution: id.meta({ description: 'A line of the ledger, by its id.' }),
    verdict: z.enum(['confirm', 'reject']).meta({
      description: '`confirm` keeps the file; `reject` refuses the same bytes from then on.',
      example: 'confirm',
    }),
  }),
  output: contribution,
  async run(request, { contribution: contributionId, verdict }) {
    const { tx, tenant, now } = request
    const before = await requireContribution(request, contributionId)
    const [file] = await fetchSources(tx, tenant, before.sourceId === null ? [] : [before.sourceId])
    if (file !== undefined) {
      const rejections = await rejectionsOf(request, before.bindingId)
      const digest = request.parts.secrets.keep(rejectedName(before.bindingId, file.sha256))
      if (verdict === 'confirm') await deleteRejections(tx, tenant, before.bindingId, rejections.keptOf(file))
      else if (!rejections.hold(file)) await insertRejection(tx, tenant, before.bindingId, digest)
    }
    const state = verdict === 'confirm' ? 'confirmed' : 'rejected'
    await judgeContribution(tx, tenant, contributionId, state, now)
    const after = { ...before, state, changedAt: now, confirmedAt: state === 'confirmed' ? now : null }
    return { output: showContribution(request, after), refs: [contributionId] }
  },
  replay: async (request, [contributionId = '']) =>
    showContribution(request, await requireContribution(request, contributionId)),
})

/** A contribution that the caller sees, from a watch that the caller may act for. */
async function requireContribution(request: WriteRequest, contributionId: string) {
  const row = await readAsCaller(request, () => fetchContribution(request.tx, request.tenant, contributionId))
  const [seen] = await filterSeen(request, row === undefined ? [] : [row])
  if (seen === undefined) throw absent()
  await lockOwnWatch(request, seen.bindingId)
  return seen
}
