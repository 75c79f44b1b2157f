import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isUnrestricted } from '../../runtime/caller.js'
import { id, moment, name } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import {
  type Contribution,
  deleteNamed,
  fetchContribution,
  fetchManifest,
  findContribution,
  insertManifest,
  insertOutcome,
  judgeContribution,
  type NewOutcome,
  saveContribution,
} from '../../storage/queries/binding-ledger.js'
import {
  type BindingRow,
  deleteRejections,
  insertRejection,
  loadRejections,
  lockBinding,
} from '../../storage/queries/bindings.js'
import { fetchSources, type SourceRow } from '../../storage/queries/sources.js'
import { documentName } from '../file-input.js'
import { asCaller, lockFile } from '../known-file.js'
import { contribution, onlySeen, showContribution } from './binding-reads.js'

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
  outcome: z.enum(ENTRY_OUTCOMES),
  /** What `documents.ingest` answered, where it took the file in. */
  source: id.optional(),
  /** Why it was not taken in. */
  problem: z
    .string()
    .regex(/^[a-z_]{1,60}$/, { message: 'must be a code' })
    .optional(),
})
type Entry = z.output<typeof entry>

/**
 * Writes down one event of what is watched: manifest, outcomes and contributions together (BK-2). The same event again
 * changes nothing. A file that is found as it is known is no news: an event of nothing else leaves nothing.
 */
export const fireBinding = writeOperation({
  name: 'bindings.fire',
  summary: 'Write down what became of the files that a binding found',
  callers: 'owner',
  effects: ['binding_fired'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    binding: id,
    /** Chosen by whoever watches. It is no place for the name of a file. */
    sourceEventId: name,
    startedAt: moment.optional(),
    entries: z
      .array(entry)
      .min(1)
      .max(500)
      .refine(entries => new Set(entries.map(({ document }) => document)).size === entries.length, {
        message: 'must name each document once',
      }),
  }),
  output: z.object({
    binding: z.string(),
    sourceEventId: z.string(),
    /** False where this event was written down before, or nothing of it was new. */
    written: z.boolean(),
  }),
  async run(request, { binding: bindingId, sourceEventId, startedAt, entries }) {
    const { tx, tenant, now } = request
    const binding = await lockForOwner(request, bindingId)
    if (binding.state === 'paused') throw new PrivityError('conflict', 'the binding is paused')
    const answer = (written: boolean) => ({
      output: { binding: bindingId, sourceEventId, written },
      refs: [bindingId],
    })
    if ((await fetchManifest(tx, tenant, bindingId, sourceEventId)) !== undefined) return answer(false)
    const rejections = await rejectionsOf(request, bindingId)
    const news: News[] = []
    // In one order, so that two events that name the same files do not wait for each other.
    for (const one of entries.toSorted((a, b) => (a.document < b.document ? -1 : 1))) {
      const found = await newsOf(request, binding, sourceEventId, one, rejections)
      if (found !== null) news.push(found)
    }
    if (news.length === 0) return answer(false)
    await insertManifest(tx, tenant, { bindingId, sourceEventId, startedAt: startedAt ?? now, endedAt: now })
    for (const { outcome, contribution, named } of news) {
      if (outcome.document === null) await deleteNamed(tx, tenant, bindingId, named)
      await insertOutcome(tx, tenant, outcome)
      if (contribution !== null) await saveContribution(tx, tenant, contribution)
    }
    return answer(true)
  },
  async replay(request, _refs, { binding, sourceEventId }) {
    await lockForOwner(request, binding)
    return { binding, sourceEventId, written: false }
  },
})

/** A binding of whoever asks; to anyone else there is none. */
export async function lockForOwner(request: WriteRequest, bindingId: string): Promise<BindingRow> {
  const row = await lockBinding(request.tx, request.tenant, bindingId)
  if (row === undefined) throw absent()
  request.requireOwner(row.owner)
  return row
}

/** What an entry adds to the ledgers. */
interface News {
  readonly named: string
  readonly outcome: NewOutcome
  /** Null where what is thought of it stays as it is. */
  readonly contribution: Contribution | null
}

/** Null for what is known already. The file is looked for as its bringer sees it (NI-5). */
async function newsOf(
  request: WriteRequest,
  binding: BindingRow,
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
  // What was never brought cannot be removed, and what is not there cannot be told apart from it.
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

/** A file that was not read is known with the card that it follows, unless it comes out under a stricter label. */
const cardOf = ({ recordId, asFollowed, follows }: SourceRow): string | null =>
  recordId ?? (asFollowed ? follows : null)

/** What was rejected stays rejected until there are other bytes. */
function stateAfter(outcome: Entry['outcome'], source: SourceRow | null, before: string | null): string {
  if (outcome === 'rejected') return 'rejected'
  if (outcome === 'removed') return before === 'rejected' ? 'rejected' : 'soft_deleted'
  return outcome === 'failed' || source?.state === 'failed' ? 'extraction_failed' : 'confirmed'
}

/** Files that a binding must not bring back. */
interface Rejections {
  hold(file: Pick<SourceRow, 'sha256'>): boolean
  /** The digests that were kept of it. */
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
 * Tells whoever watches which files were rejected, so that they are not brought again. A narrower credential is told of
 * none: by guessing bytes it could learn of documents that it does not see.
 */
export const rejectedFiles = readOperation({
  name: 'bindings.rejected',
  summary: 'Tell which files a binding must not bring again',
  callers: 'owner',
  input: z.strictObject({
    binding: id,
    /** SHA-256 of the bytes of each file, in hex. */
    sha256: z
      .array(z.string().regex(/^[0-9a-f]{64}$/, { message: 'must be a SHA-256 in hex' }))
      .min(1)
      .max(500),
  }),
  output: z.object({ rejected: z.array(z.string()) }),
  async run(request, { binding, sha256 }) {
    const rejections = await rejectionsOf(request, binding)
    if (!isUnrestricted(request.caller)) return { rejected: [] }
    return { rejected: sha256.filter(hex => rejections.hold({ sha256: Buffer.from(hex, 'hex') })) }
  },
})

/** Keeps or rejects what a binding brought. The document stays; its bytes are not brought again once they are rejected. */
export const judgeContributionOf = writeOperation({
  name: 'bindings.judge',
  summary: 'Confirm or reject what a binding brought',
  callers: 'owner',
  effects: ['contribution_judged'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({ contribution: id, verdict: z.enum(['confirm', 'reject']) }),
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

/** A contribution that the caller sees, of a binding whose owner it may act for. */
async function requireContribution(request: WriteRequest, contributionId: string) {
  const row = await asCaller(request, () => fetchContribution(request.tx, request.tenant, contributionId))
  const [seen] = await onlySeen(request, row === undefined ? [] : [row])
  if (seen === undefined) throw absent()
  await lockForOwner(request, seen.bindingId)
  return seen
}
