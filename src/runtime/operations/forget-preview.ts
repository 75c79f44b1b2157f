import { z } from 'zod'
import { derivedFrom } from '../../storage/queries/derived-from.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { id } from '../input.js'
import { readOperation } from '../operation.js'
import { recordView } from '../record-view.js'

/** How far derivations are followed, and how many records are looked at: enough to be told before deciding. */
const MOST_STEPS = 8
const MOST_RECORDS = 1_000
const MOST_SHOWN = 50

/**
 * Tells what `memory.forget` would delete besides, as far as the caller can see it. It goes from one visible record to
 * the next: what is reached only through a hidden one is hidden too, or its deletion would tell of that one (NI-6).
 */
export const forgetPreview = readOperation({
  name: 'memory.forget_preview',
  route: 'POST /records/forget-preview',
  summary: 'Show what would be deleted with records',
  positional: ['records'],
  sample: world => ({ records: [world.record()] }),
  callers: 'owner',
  input: z.strictObject({
    records: z.array(id).min(1).max(100).meta({ description: 'Ids of the records to delete.' }),
  }),
  output: z.object({
    derived: z
      .array(recordView)
      .meta({ description: `What was made from them and would be deleted too, at most ${MOST_SHOWN}.` }),
    count: z.int().meta({ description: 'Number of such records that you can see.' }),
    complete: z.boolean().meta({ description: 'Whether all of them were counted.' }),
  }),
  async run(request, { records }) {
    const { tx, tenant } = request
    const known = new Set(records)
    const derived: z.input<typeof recordView>[] = []
    const visible = async (ids: readonly string[]) =>
      (await request.view(await fetchRecords(tx, tenant, ids))).filter(view => view !== null)
    let last = (await visible([...known])).map(view => view.id)
    for (let step = 0; step < MOST_STEPS && last.length > 0; step++) {
      const next = await derivedFrom(tx, tenant, last, MOST_RECORDS)
      const views = (await visible(next)).filter(view => !known.has(view.id))
      for (const view of views) known.add(view.id)
      derived.push(...views)
      last = derived.length > MOST_RECORDS ? [] : views.map(view => view.id)
    }
    const shown = derived.slice(0, MOST_SHOWN)
    for (const view of shown) request.show(view)
    return {
      derived: shown,
      count: derived.length,
      complete: last.length === 0 && derived.length <= MOST_RECORDS,
    }
  },
})
