import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { sortedSet, targetKey } from '../../policy/tuple.js'
import { RESTRICTIONS } from '../../policy/vocabulary.js'
import {
  deleteOverlay,
  insertOverlay,
  listOverlays,
  type OverlayRow,
} from '../../storage/queries/overlays.js'
import { loadUnderTarget, retupleRecords } from '../../storage/queries/retuple-records.js'
import { changeTuple } from '../change-tuple.js'
import { target } from '../draft.js'
import { createdAt } from '../fields.js'
import { id } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { HIDDEN_TARGET, shownTarget, showTargets } from './targets.js'

const overlay = z
  .object({
    id: z.string().meta({ description: 'The id of the overlay.' }),
    target: shownTarget.meta({ description: 'What it holds for.' }),
    restriction: z.string().meta({ description: 'What it keeps back.' }),
    createdAt,
  })
  .meta({ id: 'Overlay', description: 'Something that is kept back, whoever asks.' })

const view = (row: OverlayRow, target: z.input<typeof shownTarget>): z.input<typeof overlay> => ({
  id: row.overlayId,
  target,
  restriction: row.restriction,
  createdAt: row.createdAt.toISOString(),
})

/** Restricts a target, everything in it, and everything derived from that (OV-1, OV-2). */
export const addOverlay = writeOperation({
  name: 'overlays.add',
  route: 'POST /overlays',
  summary: 'Restrict access to a corpus, filing unit, version, part, document or segment',
  sample: world => ({
    target: world.pick([
      { kind: 'document', ref: world.record() },
      { kind: 'corpus', ref: 'fresh' },
    ]),
    restriction: world.pick(['preview_only', 'blocked']),
  }),
  callers: 'owner',
  effects: ['overlay_added'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    target: target.meta({ description: 'What it holds for.' }),
    restriction: z
      .enum([...RESTRICTIONS, 'access_ceremony_required'])
      .meta({ description: 'What to keep back.' }),
  }),
  output: overlay,
  async run(request, input) {
    if (input.restriction === 'access_ceremony_required')
      throw new PrivityError(
        'b1_not_yet_supported',
        'access ceremonies are not supported yet; use explicit_access_required and a grant',
      )
    const owner = input.target.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    const row: OverlayRow = {
      overlayId: request.parts.clock.newId('overlay'),
      owner,
      targetKind: input.target.kind,
      targetRef: input.target.ref,
      target: targetKey(input.target.kind, owner, input.target.ref),
      restriction: input.restriction,
      createdAt: request.now,
      label: request.clearance,
    }
    await insertOverlay(request.tx, request.tenant, row)
    await nameInTuples(request, row.target)
    request.changesFactsOf(owner)
    return { output: view(row, { ...input.target, owner }), refs: [row.overlayId] }
  },
  async replay(request, refs) {
    const shown = (await listOwn(request)).find(({ id }) => refs.includes(id))
    if (shown === undefined) throw absent()
    return shown
  },
})

/** The first overlay on a target adds it to the tuples of the records under it. Later overlays only change facts. */
async function nameInTuples(request: WriteRequest, key: string): Promise<void> {
  const rows = await loadUnderTarget(request.tx, request.tenant, key)
  const moved = rows
    .filter(row => !row.tuple.overlayTargets.includes(key))
    .map(row =>
      changeTuple(row, { ...row.tuple, overlayTargets: sortedSet([...row.tuple.overlayTargets, key]) }),
    )
  await retupleRecords(request.tx, request.tenant, moved, request.now)
}

/** Lists the overlays on the caller's own things that were made by whoever sees no more than the caller. */
export const listOverlaysOf = readOperation({
  name: 'overlays.list',
  route: 'GET /overlays',
  summary: 'List your overlays',
  sample: () => ({}),
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ overlays: z.array(overlay).meta({ description: 'The overlays, oldest first.' }) }),
  run: async request => ({ overlays: await listOwn(request) }),
})

async function listOwn(request: ReadRequest): Promise<z.input<typeof overlay>[]> {
  const all = await listOverlays(request.tx, request.tenant, [...request.parts.identity.principals])
  const rows = await request.seen(all)
  const targets = await showTargets(request, rows)
  return rows.map((row, at) => view(row, targets[at] ?? HIDDEN_TARGET))
}

/** Removes one overlay; all others still apply. */
export const removeOverlay = writeOperation({
  name: 'overlays.remove',
  route: 'DELETE /overlays/:overlay',
  summary: 'Lift an overlay',
  // Whoever has heard of an overlay of others does not see enough to lift it.
  sample: world => ({ overlay: world.other() }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['overlay_removed'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ overlay: id.meta({ description: 'The overlay, by its id.' }) }),
  output: z.object({
    removed: z.boolean().meta({ description: 'Whether it was removed; false if it was not there.' }),
  }),
  async run(request, input) {
    const owners = [...request.parts.identity.principals]
    const owner = await deleteOverlay(request.tx, request.tenant, input.overlay, owners)
    if (owner === undefined) throw absent()
    request.changesFactsOf(owner)
    return { output: { removed: true }, refs: [input.overlay] }
  },
  replay: async () => ({ removed: true }),
})
