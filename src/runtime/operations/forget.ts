import { z } from 'zod'
import { forgetRecords, lockOwned } from '../../storage/queries/forget-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { id } from '../input.js'
import { writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'

/**
 * Deletes records with everything derived from them and the versions they replaced (AU-4). No gate is asked about the
 * deletion by an owner who sees everything: they can forget even what an overlay hides from them (PC-6). Whoever sees
 * less deletes what it sees in full (NI-11).
 */
export const forget = writeOperation({
  name: 'memory.forget',
  route: 'POST /records/forget',
  summary: 'Delete records and everything made from them',
  positional: ['records'],
  sample: world => ({ records: [world.record()] }),
  callers: 'owner',
  effects: ['record_forgotten'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    records: z.array(id).min(1).max(1_000).meta({ description: 'Ids of the records to delete.' }),
  }),
  output: z.object({
    forgotten: z.array(z.string()).meta({ description: 'Ids of the records that were deleted.' }),
    forgottenAt: z
      .string()
      .nullable()
      .meta({ description: 'When they were deleted; null if there were none.' }),
  }),
  async run(request, { records }) {
    const ids = [...new Set(records)]
    await forgetOwned(request, ids)
    return { output: { forgotten: ids, forgottenAt: request.now.toISOString() }, refs: ids }
  },
  replay: async (_request, refs) => ({ forgotten: [...refs], forgottenAt: null }),
})

/** Deletes the caller's own records, and those of its groups, that it sees in full. */
export async function forgetOwned(request: WriteRequest, ids: readonly string[]): Promise<void> {
  const { seesEverything } = request
  const mine = seesEverything
    ? await lockOwned(request.tx, request.tenant, ids, request.caller.actingFor)
    : new Set<string>()
  const others = ids.filter(id => !mine.has(id))
  await lockRecords(request.tx, request.tenant, others, 'exclusive')
  // A record of a group can be forgotten by every member who sees everything, and something of it.
  const visible = await request.fetchVisible(others)
  for (const id of others) {
    const decided = visible.get(id)
    const isSeen = seesEverything ? decided?.level !== 'none' : decided?.level === 'full'
    if (decided === undefined || !isSeen || decided.row.tuple.vessel !== 'user') throw absent()
    request.requireOwner(decided.row.tuple.owner)
  }
  const changed = await forgetRecords(request.tx, request.tenant, ids)
  for (const owner of changed) request.changesFactsOf(owner)
}
