import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { joinLabels, type Label, LEAST_LABEL } from '../../policy/labels.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { changeTuple, followSources, followSuccessors, nameInReplaced } from '../change-tuple.js'
import { contentFields, type Draft, draft, isInOrder, labelFields } from '../draft.js'
import { endRecords } from '../end-records.js'
import { EXAMPLE_ID, OTHER_EXAMPLE_ID, recordId } from '../fields.js'
import { id, text } from '../input.js'
import { writerLabel } from '../labels-of-writes.js'
import { writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'
import { TYPED_FIELD, typedOf } from '../typed.js'
import { writeRecords } from '../write-records.js'
import { replayStored, storedRecord } from './stored.js'

const successor = z
  .strictObject({ ...contentFields, ...labelFields })
  .refine(({ validFrom, validTo }) => isInOrder(validFrom, validTo), {
    message: 'must not end before it begins',
    path: ['validTo'],
  })
  .meta({ id: 'RecordRevision', description: 'What takes the place of a record, or stands beside it.' })

const howOf = <Value extends string>(value: Value) =>
  z.literal(value).meta({ description: 'What happens to the old record.' })

const input = z.discriminatedUnion('how', [
  /** The new record replaces the old one. */
  z.strictObject({
    how: howOf('supersede'),
    record: recordId,
    by: successor.meta({ description: 'The record that takes its place or stands beside it.' }),
  }),
  /** The new record is stored beside the old one. */
  z.strictObject({
    how: howOf('fork'),
    record: recordId,
    by: successor.meta({ description: 'The record that takes its place or stands beside it.' }),
  }),
  /** One new record replaces several. */
  z.strictObject({
    how: howOf('merge'),
    records: z
      .array(id)
      .min(2)
      .max(100)
      .meta({
        description: 'The records that become one, by their ids.',
        example: [EXAMPLE_ID, OTHER_EXAMPLE_ID],
      }),
    by: successor.meta({ description: 'The record that takes its place or stands beside it.' }),
  }),
  /** The record stays and is marked as contested. */
  z.strictObject({
    how: howOf('contest'),
    record: recordId,
    reason: text(2_000).optional().meta({ description: 'Why.', example: 'She asked me to.' }),
  }),
  /** The record no longer holds, and nothing replaces it. */
  z.strictObject({
    how: howOf('retract'),
    record: recordId,
  }),
])

/** Sets every field, because a revision takes over what it leaves out from the record it revises. */
const sampleSuccessor = { title: 'revised', text: 'as the viewer has it', fields: {} }

/** Changes what is known and keeps the history: a record's text is never edited in place (TR-7, TR-8). */
export const revise = writeOperation({
  name: 'memory.revise',
  route: 'POST /records/revise',
  summary: 'Supersede, fork, merge, contest or retract records',
  policies: ['agent'],
  sample: world =>
    world.pick([
      { how: 'supersede', record: world.record(), by: sampleSuccessor },
      { how: 'fork', record: world.record(), by: sampleSuccessor },
      { how: 'contest', record: world.record() },
      { how: 'retract', record: world.record() },
      { how: 'merge', records: [world.record(), world.record()], by: sampleSuccessor },
    ]),
  callers: 'anyone',
  effects: ['record_revised'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input,
  output: z.object({
    records: z.array(storedRecord).meta({ description: 'The records that were written or changed.' }),
  }),
  async run(request, change) {
    const ids = change.how === 'merge' ? [...new Set(change.records)] : [change.record]
    if (change.how === 'merge' && ids.length < 2)
      throw new PrivityError('invalid_input', 'records: must contain at least 2 different ids')
    await lockRecords(request.tx, request.tenant, ids, change.how === 'fork' ? 'shared' : 'exclusive')
    const rows = await request.requireWritable(ids)
    const records = await changeRecord(request, rows, change)
    const isNew = change.how !== 'retract' && change.how !== 'contest'
    return { output: { records }, refs: isNew ? records.map(record => record.id) : ids }
  },
  // A retracted record is in no answer any more, so a repeated retraction answers like the first.
  replay: async (request, refs, { how }) =>
    how === 'retract' ? { records: [] } : replayStored(request, refs),
})

/** What is done to records that are locked and may be changed. */
type Change =
  | { readonly how: 'supersede' | 'merge' | 'fork'; readonly by: z.output<typeof successor> }
  | { readonly how: 'contest'; readonly reason?: string | undefined }
  | { readonly how: 'retract' }

/**
 * Changes records that are locked and that the caller may change; returns what was written or changed. `words` is the
 * label of what somebody else wrote for it, whose act this is not.
 */
export async function changeRecord(
  request: WriteRequest,
  rows: readonly RecordRow[],
  change: Change,
  words: Label = LEAST_LABEL,
): Promise<z.input<typeof storedRecord>[]> {
  if (change.how !== 'contest' && change.how !== 'retract' && rows.some(isCard))
    throw new PrivityError(
      'conflict',
      'this record belongs to a file; ingest a new version of the file instead',
    )
  const atLeast = async () => joinLabels(words, await writerLabel(request))
  switch (change.how) {
    case 'supersede':
    case 'merge': {
      await endRecords(request, rows, 'superseded')
      const successors = await replace(request, rows, change.by, atLeast)
      await nameInReplaced(request, successors)
      return successors
    }
    case 'fork':
      return replace(request, rows, change.by, atLeast)
    case 'contest': {
      const label = await atLeast()
      const contested = rows.map(row =>
        changeTuple(
          row,
          { ...row.tuple, ...joinLabels(row.tuple, label), lifecycle: 'contested' },
          { contestedReason: change.reason },
        ),
      )
      await retupleRecords(request.tx, request.tenant, contested, request.now)
      const moved = contested.map(({ id, tuple }) => ({ id, label: tuple, targets: [], inputConsents: [] }))
      await followSources(request, moved)
      return contested.map(asStored)
    }
    case 'retract':
      await endRecords(request, rows, 'retracted')
      await followSuccessors(request, rows, { takenBack: true })
      return []
  }
}

/** Whether this is the card of a file: a card with parts has chunks. */
const isCard = ({ tuple, fields }: RecordRow): boolean => tuple.kind === 'document' && 'parts' in fields

/** Writes the successor: in the first record's place, derived from all of them, never under a lower label. */
async function replace(
  request: WriteRequest,
  rows: readonly RecordRow[],
  by: z.output<typeof successor>,
  labelOfWords: () => Promise<Label>,
) {
  const [first] = rows
  if (first === undefined) throw absent()
  if (rows.some(row => row.tuple.owner !== first.tuple.owner))
    throw new PrivityError('invalid_input', 'records: must all have one owner')
  requireTyped(first, by)
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
      conversation: first.conversation,
      turn: first.turn,
      speaker: first.speaker,
      title: first.title,
    }),
    text: by.text,
    tags: [...new Set(rows.flatMap(row => row.tags))].slice(0, 100),
    fields: first.fields,
    spans: by.spans,
    salience: request.salienceOf(first),
    pinned: first.pinned,
    confidence: first.confidence,
    // The least label: `writeRecords` raises it to that of the records, so omitting it never lowers a label.
    sensitivity: 'public',
    visibilityClass: 'public_open',
  })
  const atLeast = await labelOfWords()
  return writeRecords(request, [
    { draft: { ...base, ...by }, owner: first.tuple.owner, sources: rows, atLeast },
  ])
}

/** The structured part of a revision is of the record's kind, and has evidence where the record requires it (TR-10). */
function requireTyped({ tuple, fields }: RecordRow, by: z.output<typeof successor>): void {
  const inFields = by.fields !== undefined && TYPED_FIELD in by.fields
  const part = by.typed ?? (inFields ? typedOf(by.fields ?? {}) : undefined)
  if (part === null || (part !== undefined && part.kind !== tuple.kind))
    throw new PrivityError('invalid_input', `by.typed: must be of the kind ${tuple.kind}, as the record is`)
  const known = typedOf(fields)
  if (known?.kind === 'semantic' && known.requiresEvidence === true && (by.spans ?? []).length === 0)
    throw new PrivityError('invalid_input', 'by.spans: must name evidence, as the record requires it')
}

/** Removes null entries, because a draft leaves absent fields out. */
function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

const asStored = ({ id, tuple }: Pick<RecordRow, 'id' | 'tuple'>): z.input<typeof storedRecord> => ({
  id,
  sensitivity: tuple.sensitivity,
  scope: tuple.scope,
  visibilityClass: tuple.visibilityClass,
})
