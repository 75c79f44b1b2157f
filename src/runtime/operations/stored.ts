import { z } from 'zod'
import { absent, type WriteRequest } from '../request.js'

export const storedRecord = z
  .object({
    id: z.string().meta({ description: 'The id of the record.' }),
    sensitivity: z.string().meta({ description: 'The sensitivity it was kept with.' }),
    scope: z.string().nullable().meta({ description: 'The scope it was kept in; null if none.' }),
    visibilityClass: z.string().meta({ description: 'The visibility class it was kept with.' }),
  })
  .meta({
    id: 'StoredRecord',
    description: 'What a writer learns of a record it wrote: its id and its label.',
  })

/** Answers a repeated write with the same records, if the caller may still see them (NI-7). */
export async function replayStored(
  request: WriteRequest,
  refs: readonly string[],
): Promise<{ records: z.input<typeof storedRecord>[] }> {
  const found = await request.fetchVisible(refs)
  return {
    records: refs.map(id => {
      const decided = found.get(id)
      if (decided === undefined || decided.level === 'none') throw absent()
      const { sensitivity, scope, visibilityClass } = decided.row.tuple
      return { id, sensitivity, scope, visibilityClass }
    }),
  }
}
