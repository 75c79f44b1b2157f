import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isAgentAudience } from '../../policy/subject.js'
import { lowerSalience, raiseSalience } from '../../search/salience.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { retupleRecords, type TupleChange } from '../../storage/queries/retuple-records.js'
import { changeTuple } from '../change-tuple.js'
import { recordId } from '../fields.js'
import { type Operation, type WriteOperation, writeOperation } from '../operation.js'
import { absent } from '../request.js'
import { replayStored, storedRecord } from './stored.js'

/** The default step by which a record is strengthened or weakened. */
const STEP = 0.1

const one = z.strictObject({ record: recordId })
const some = z.strictObject({
  record: recordId,
  by: z.number().min(0).max(1).optional().meta({
    description: 'The part to add of what is missing to 1, or to take away of what there is.',
    example: 0.5,
  }),
})
const output = z.object({
  records: z.array(storedRecord).meta({ description: 'The record, as it is labelled.' }),
})

/** A record's salience at this moment. */
interface CurrentSalience {
  readonly salience: number
  readonly pinned: boolean
  readonly by: number
}

/**
 * What the four operations have in common. They change how prominently a record is found, never who may see it, and
 * nothing else does: reading a record leaves no mark that others could notice. An agent's call raises no label
 * (WR-2), because it writes nothing of what the agent was shown. So that a number cannot carry that either, an
 * agent's step has a fixed size: all it can convey is up or down, and each step is audited.
 */
function salienceOperation<
  Input extends z.ZodType<{ record: string; by?: number | undefined }>,
  const Name extends `memory.${string}`,
>(
  declared: { name: Name; effects: readonly string[]; input: Input } & Pick<
    Operation,
    'route' | 'summary' | 'positional' | 'sample'
  >,
  change: (present: CurrentSalience) => Pick<TupleChange, 'salience' | 'pinned'> | null,
): WriteOperation<Input, typeof output, Name> {
  return writeOperation({
    ...declared,
    policies: ['agent'],
    callers: 'anyone',
    reversibility: 'reversible',
    changesFacts: false,
    output,
    async run(request, { record, by }) {
      if (by !== undefined && isAgentAudience(request.caller.audience))
        throw new PrivityError(
          'not_allowed',
          'by: only an owner may set the amount; leave it out, or ask the person you work for',
          {
            reason: 'session.audience_not_allowed',
          },
        )
      await lockRecords(request.tx, request.tenant, [record], 'exclusive')
      const [row] = await request.requireWritable([record])
      if (row === undefined) throw absent()
      const salience = request.salienceOf(row)
      const changed = change({ salience, pinned: row.pinned, by: by ?? STEP })
      if (changed !== null)
        await retupleRecords(request.tx, request.tenant, [changeTuple(row, row.tuple, changed)], request.now)
      const { sensitivity, scope, visibilityClass } = row.tuple
      return { output: { records: [{ id: row.id, sensitivity, scope, visibilityClass }] }, refs: [row.id] }
    },
    replay: replayStored,
  })
}

/** Raises the salience that is left now; it fades from there. */
export const reinforce = salienceOperation(
  {
    name: 'memory.reinforce',
    route: 'POST /records/:record/reinforce',
    summary: 'Raise the salience of a record',
    positional: ['record', '...'],
    sample: world => ({ record: world.record(), ...world.maybe(0.5, { by: 0.5 }) }),
    effects: ['record_reinforced'],
    input: some,
  },
  ({ salience, by }) => ({ salience: raiseSalience(salience, by) }),
)

export const penalise = salienceOperation(
  {
    name: 'memory.penalise',
    route: 'POST /records/:record/penalise',
    summary: 'Lower the salience of a record',
    positional: ['record', '...'],
    sample: world => ({ record: world.record(), ...world.maybe(0.5, { by: 0.5 }) }),
    effects: ['record_penalised'],
    input: some,
  },
  ({ salience, by }) => ({ salience: lowerSalience(salience, by) }),
)

/** Keeps the salience at its present value. */
export const pin = salienceOperation(
  {
    name: 'memory.pin',
    route: 'PUT /records/:record/pin',
    summary: 'Pin a record, so that its salience does not fade',
    positional: ['record'],
    sample: world => ({ record: world.record() }),
    effects: ['record_pinned'],
    input: one,
  },
  ({ salience, pinned }) => (pinned ? null : { salience, pinned: true }),
)

/** Lets the salience fade again from now on. */
export const unpin = salienceOperation(
  {
    name: 'memory.unpin',
    route: 'DELETE /records/:record/pin',
    summary: 'Unpin a record, so that its salience fades with time',
    positional: ['record'],
    sample: world => ({ record: world.record() }),
    effects: ['record_unpinned'],
    input: one,
  },
  ({ salience, pinned }) => (pinned ? { salience, pinned: false } : null),
)
