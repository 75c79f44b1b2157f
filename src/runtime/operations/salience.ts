import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isAgentAudience } from '../../policy/subject.js'
import { penalised, reinforced } from '../../search/salience.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { type Retupled, retupleRecords } from '../../storage/queries/retuple-records.js'
import { id } from '../input.js'
import { type WriteOperation, writeOperation } from '../operation.js'
import { absent } from '../request.js'
import { retupled } from '../retuple.js'
import { replayStored, storedRecord } from './stored.js'

/** How much a record is strengthened or weakened unless somebody says otherwise. */
const STEP = 0.1

const one = z.strictObject({ record: id })
const some = z.strictObject({
  record: id,
  /** The part of what is missing to 1 that is added, or of what there is that is taken. */
  by: z.number().min(0).max(1).optional(),
})
const output = z.object({ records: z.array(storedRecord) })

/** A record's salience as it is now. */
interface Present {
  readonly salience: number
  readonly pinned: boolean
  readonly by: number
}

/**
 * What the four have in common. They change how soon a record is found, never who may see it; and only they do: reading
 * a record leaves no mark that others could notice.
 *
 * What an agent does here raises no label (WR-2), for it writes nothing of what it was shown. So that a number cannot
 * carry that either, an agent's step is always the same: what is left is a step up or down, each of them audited.
 */
function salienceOperation<
  Input extends z.ZodType<{ record: string; by?: number | undefined }>,
  const Name extends `memory.${string}`,
>(
  declared: { name: Name; summary: string; effects: readonly string[]; input: Input },
  change: (present: Present) => Pick<Retupled, 'salience' | 'pinned'> | null,
): WriteOperation<Input, typeof output, Name> {
  return writeOperation({
    ...declared,
    callers: 'anyone',
    reversibility: 'reversible',
    changesFacts: false,
    output,
    async run(request, { record, by }) {
      if (by !== undefined && isAgentAudience(request.caller.audience))
        throw new PrivityError('not_allowed', 'only an owner may say by how much', {
          reason: 'session.audience_not_allowed',
        })
      await lockRecords(request.tx, request.tenant, [record], 'exclusive')
      const [row] = await request.requireWritable([record])
      if (row === undefined) throw absent()
      const salience = request.salienceOf(row)
      const changed = change({ salience, pinned: row.pinned, by: by ?? STEP })
      if (changed !== null)
        await retupleRecords(request.tx, request.tenant, [retupled(row, row.tuple, changed)], request.now)
      const { sensitivity, scope, visibilityClass } = row.tuple
      return { output: { records: [{ id: row.id, sensitivity, scope, visibilityClass }] }, refs: [row.id] }
    },
    replay: replayStored,
  })
}

/** What is left of it now grows, and fades from there. */
export const reinforce = salienceOperation(
  {
    name: 'memory.reinforce',
    summary: 'Make a record more salient',
    effects: ['record_reinforced'],
    input: some,
  },
  ({ salience, by }) => ({ salience: reinforced(salience, by) }),
)

export const penalise = salienceOperation(
  {
    name: 'memory.penalise',
    summary: 'Make a record less salient',
    effects: ['record_penalised'],
    input: some,
  },
  ({ salience, by }) => ({ salience: penalised(salience, by) }),
)

/** Keeps it at what it is now. */
export const pin = salienceOperation(
  { name: 'memory.pin', summary: 'Keep the salience of a record', effects: ['record_pinned'], input: one },
  ({ salience, pinned }) => (pinned ? null : { salience, pinned: true }),
)

/** It fades again, from now on. */
export const unpin = salienceOperation(
  {
    name: 'memory.unpin',
    summary: 'Let the salience of a record fade',
    effects: ['record_unpinned'],
    input: one,
  },
  ({ salience, pinned }) => (pinned ? { salience, pinned: false } : null),
)
