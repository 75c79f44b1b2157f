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
import { target } from '../draft.js'
import { id } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { retupled } from '../retuple.js'
import { HIDDEN_TARGET, shownTarget, showTargets } from './targets.js'

const overlay = z.object({
  id: z.string(),
  target: shownTarget,
  restriction: z.string(),
  createdAt: z.string(),
})

const view = (row: OverlayRow, target: z.input<typeof shownTarget>): z.input<typeof overlay> => ({
  id: row.overlayId,
  target,
  restriction: row.restriction,
  createdAt: row.createdAt.toISOString(),
})

/** Restricts a target and everything in it, and everything made from that (OV-1, OV-2). */
export const addOverlay = writeOperation({
  name: 'overlays.add',
  summary: 'Restrict access to a corpus, filing unit, version, part, document or segment',
  callers: 'owner',
  effects: ['overlay_added'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({ target, restriction: z.enum([...RESTRICTIONS, 'access_ceremony_required']) }),
  output: overlay,
  async run(request, input) {
    if (input.restriction === 'access_ceremony_required')
      throw new PrivityError('b1_not_yet_supported', 'access ceremonies are not supported yet')
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

/** From its first overlay on, a target is part of the tuple of what lies under it; later ones change facts only. */
async function nameInTuples(request: WriteRequest, key: string): Promise<void> {
  const rows = await loadUnderTarget(request.tx, request.tenant, key)
  const moved = rows
    .filter(row => !row.tuple.overlayTargets.includes(key))
    .map(row =>
      retupled(row, { ...row.tuple, overlayTargets: sortedSet([...row.tuple.overlayTargets, key]) }),
    )
  await retupleRecords(request.tx, request.tenant, moved, request.now)
}

/** Overlays on what is one's own. */
export const listOverlaysOf = readOperation({
  name: 'overlays.list',
  summary: 'List your overlays',
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ overlays: z.array(overlay) }),
  run: async request => ({ overlays: await listOwn(request) }),
})

async function listOwn(request: ReadRequest): Promise<z.input<typeof overlay>[]> {
  const rows = await listOverlays(request.tx, request.tenant, [...request.parts.identity.principals])
  const targets = await showTargets(request, rows)
  return rows.map((row, at) => view(row, targets[at] ?? HIDDEN_TARGET))
}

/** Lifts one overlay; every other one still holds. */
export const removeOverlay = writeOperation({
  name: 'overlays.remove',
  summary: 'Lift an overlay',
  callers: 'owner',
  effects: ['overlay_removed'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ overlay: id }),
  output: z.object({ removed: z.boolean() }),
  async run(request, input) {
    const owners = [...request.parts.identity.principals]
    const owner = await deleteOverlay(request.tx, request.tenant, input.overlay, owners)
    if (owner === undefined) throw absent()
    request.changesFactsOf(owner)
    return { output: { removed: true }, refs: [input.overlay] }
  },
  replay: async () => ({ removed: true }),
})
