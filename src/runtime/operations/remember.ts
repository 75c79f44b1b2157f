import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { type Draft, draft } from '../draft.js'
import { writerLabel } from '../labels-of-writes.js'
import { findNamedEntities } from '../named-entities.js'
import { writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'
import { writeRecords } from '../write-records.js'
import { replayStored, storedRecord } from './stored.js'

const MOST_RECORDS = 1_000
const MOST_BATCH_BYTES = 32 * 1_048_576

/** Stores new records, all or none. */
export const remember = writeOperation({
  name: 'memory.remember',
  route: 'POST /records',
  summary: 'Keep one record or many',
  positional: ['records'],
  answers: 'records',
  policies: ['agent'],
  sample: world => ({
    records: [
      {
        kind: 'episodic',
        text: `what the viewer thinks of ${world.word()}`,
        sensitivity: 'public',
        visibilityClass: 'public_open',
        ...world.maybe(0.5, { derivedFrom: [world.record()] }),
        ...world.maybe(0.2, { owner: world.pick(['ana', 'ben', 'nobody']) }),
        ...world.maybe(0.2, { participants: [world.person()] }),
        ...world.maybe(0.1, { redactedOf: world.record() }),
        ...world.maybe(0.2, { mentions: [world.record()] }),
        ...world.maybe(0.3, { linkEntities: true }),
      },
    ],
  }),
  callers: 'anyone',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    records: z
      .array(draft)
      .min(1)
      .max(MOST_RECORDS)
      .meta({ description: 'The records to keep: all of them or none.' }),
  }),
  output: z.object({
    records: z.array(storedRecord).meta({ description: 'The records that were written, in the same order.' }),
  }),
  async run(request, { records }) {
    requireModestSize(records)
    const owners = records.map(record => record.owner ?? request.caller.actingFor)
    for (const [at, record] of records.entries()) requirePlace(request, record, owners[at] ?? '')

    const found = await findNamedEntities(request, records, owners)
    const named = records.flatMap(({ derivedFrom = [], redactedOf, mentions = [] }) => [
      ...derivedFrom,
      ...(redactedOf ? [redactedOf] : []),
      ...mentions,
    ])
    const cited = [...new Set([...named, ...found.flat()])]
    await lockRecords(request.tx, request.tenant, cited, 'shared')
    const visible = await request.fetchVisible(cited)
    const seen = (id: string) => {
      const decided = visible.get(id)
      return decided?.level === 'full' ? decided.row : null
    }
    for (const id of named) if (seen(id) === null) throw absent()
    for (const id of records.flatMap(({ mentions = [] }) => mentions))
      if (seen(id)?.tuple.kind !== 'entity') throw absent()
    const atLeast = await writerLabel(request)

    const stored = await writeRecords(
      request,
      records.map((record, at) => ({
        draft: record,
        owner: owners[at] ?? '',
        sources: [...new Set(record.derivedFrom)].flatMap(id => seen(id) ?? []),
        // Leaves out entities that were forgotten or relabelled since they were found.
        namedEntities: (found[at] ?? []).filter(id => seen(id) !== null),
        atLeast,
      })),
    )
    return { output: { records: stored }, refs: stored.map(({ id }) => id) }
  },
  replay: replayStored,
})

/**
 * Requires a vessel and an owner that the writer may write to (WR-1). Records of a mediation have their own
 * operations.
 */
function requirePlace(request: WriteRequest, record: Draft, owner: string): void {
  if (record.vessel !== 'user') throw absent()
  request.requireOwner(owner)
}

function requireModestSize(records: readonly Draft[]): void {
  const bytes = records.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  if (bytes > MOST_BATCH_BYTES)
    throw new PrivityError('too_large', `records: must be at most ${MOST_BATCH_BYTES} bytes of text together`)
}
