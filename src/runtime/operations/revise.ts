import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { joinLabels } from '../../policy/labels.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { contentFields, type Draft, draft, inOrder, labelFields } from '../draft.js'
import { endLife } from '../end-life.js'
import { id, text } from '../input.js'
import { writerLabel } from '../labels-of-writes.js'
import { writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'
import { followSources, followSuccessors, nameInReplaced, retupled } from '../retuple.js'
import { writeRecords } from '../write-records.js'
import { replayStored, storedRecord } from './stored.js'

const successor = z
  .strictObject({ ...contentFields, ...labelFields })
  .refine(({ validFrom, validTo }) => inOrder(validFrom, validTo), {
    message: 'must not end before it begins',
    path: ['validTo'],
  })

const input = z.discriminatedUnion('how', [
  /** The new record takes the old one's place. */
  z.strictObject({ how: z.literal('supersede'), record: id, by: successor }),
  /** The new record stands beside the old one. */
  z.strictObject({ how: z.literal('fork'), record: id, by: successor }),
  /** Several records become one. */
  z.strictObject({ how: z.literal('merge'), records: z.array(id).min(2).max(100), by: successor }),
  /** Somebody disagrees: the record stays, marked. */
  z.strictObject({ how: z.literal('contest'), record: id, reason: text(2_000).optional() }),
  /** It no longer holds, and nothing takes its place. */
  z.strictObject({ how: z.literal('retract'), record: id }),
])

/** Changes what is known, keeping what was: a record's text is never edited in place (TR-7, TR-8). */
export const revise = writeOperation({
  name: 'memory.revise',
  summary: 'Supersede, fork, merge, contest or retract records',
  callers: 'anyone',
  effects: ['record_revised'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input,
  output: z.object({ records: z.array(storedRecord) }),
  async run(request, change) {
    const ids = change.how === 'merge' ? [...new Set(change.records)] : [change.record]
    if (change.how === 'merge' && ids.length < 2)
      throw new PrivityError('invalid_input', 'records: must be at least 2 different ones')
    await lockRecords(request.tx, request.tenant, ids, change.how === 'fork' ? 'shared' : 'exclusive')
    const rows = await request.requireWritable(ids)
    if (change.how !== 'contest' && change.how !== 'retract' && rows.some(isCard))
      throw new PrivityError('conflict', 'this stands for a file: bring a new version of the file instead')

    switch (change.how) {
      case 'supersede':
      case 'merge': {
        await endLife(request, rows, 'superseded')
        const successors = await replace(request, rows, change.by)
        await nameInReplaced(request, successors)
        return made(successors)
      }
      case 'fork':
        return made(await replace(request, rows, change.by))
      case 'contest': {
        const atLeast = await writerLabel(request)
        const contested = rows.map(row =>
          retupled(
            row,
            { ...row.tuple, ...joinLabels(row.tuple, atLeast), lifecycle: 'contested' },
            { contestedReason: change.reason },
          ),
        )
        await retupleRecords(request.tx, request.tenant, contested, request.now)
        const moved = contested.map(({ id, tuple }) => ({ id, label: tuple, targets: [], inputConsents: [] }))
        await followSources(request, moved)
        return { output: { records: contested.map(asStored) }, refs: ids }
      }
      case 'retract':
        await endLife(request, rows, 'retracted')
        await followSuccessors(request, rows, { takenBack: true })
        return { output: { records: [] }, refs: ids }
    }
  },
  // What was retracted is gone from every answer, so a repeated retraction answers as the first did.
  replay: async (request, refs, { how }) =>
    how === 'retract' ? { records: [] } : replayStored(request, refs),
})

/** The card of a file says what its document is; a card with parts has segments. */
const isCard = ({ tuple, fields }: RecordRow): boolean => tuple.kind === 'document' && 'parts' in fields

/** The successor: in the first record's place, derived from all of them, never under a lower label. */
async function replace(request: WriteRequest, rows: readonly RecordRow[], by: z.output<typeof successor>) {
  const [first] = rows
  if (first === undefined) throw absent()
  if (rows.some(row => row.tuple.owner !== first.tuple.owner))
    throw new PrivityError('invalid_input', 'records: must all have one owner')
  const base: Draft = draft.parse({
    kind: first.tuple.kind,
    ...defined({
      surface: first.tuple.surface,
      corpus: first.tuple.corpus,
      filingUnit: first.filingUnit,
      version: first.version,
      versionKind: first.versionKind,
      part: first.part,
      document: first.document,
      segment: first.segment,
      title: first.title,
    }),
    text: by.text,
    tags: [...new Set(rows.flatMap(row => row.tags))].slice(0, 100),
    fields: first.fields,
    salience: request.salienceOf(first),
    pinned: first.pinned,
    confidence: first.confidence,
    // A label is never lowered by leaving it out: it starts from the records' own.
    sensitivity: 'public',
    visibilityClass: 'public_open',
  })
  const atLeast = await writerLabel(request)
  return writeRecords(request, [
    { draft: { ...base, ...by }, owner: first.tuple.owner, sources: rows, atLeast },
  ])
}

/** Without the entries that hold nothing: an absent field is left out, not null. */
function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

const made = (records: z.input<typeof storedRecord>[]) => ({
  output: { records },
  refs: records.map(record => record.id),
})

const asStored = ({ id, tuple }: Pick<RecordRow, 'id' | 'tuple'>): z.input<typeof storedRecord> => ({
  id,
  sensitivity: tuple.sensitivity,
  scope: tuple.scope,
  visibilityClass: tuple.visibilityClass,
})
