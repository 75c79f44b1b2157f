import { z } from 'zod'
import { GLOBAL_CELL } from '../index/cell.js'
import { cellsOf } from '../index/visible-set.js'
import { writeOperation } from '../operation.js'

/** Drops the indexes of the caller's own vessels, so that the next search rebuilds them. The global index is kept. */
export const rebuildIndex = writeOperation({
  name: 'index.rebuild',
  route: 'POST /index/rebuild',
  summary: 'Rebuild the index of your own memory',
  positional: [],
  sample: () => ({}),
  callers: 'owner',
  effects: ['index_rebuilt'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({}),
  output: z.object({ rebuilt: z.boolean().meta({ description: 'Whether the index is rebuilt.' }) }),
  async run(request) {
    const cells = cellsOf(request).filter(cell => cell !== GLOBAL_CELL)
    await request.parts.cells.drop(request.tx, request.tenant, cells)
    return { output: { rebuilt: true }, refs: [] }
  },
  replay: async () => ({ rebuilt: true }),
})
