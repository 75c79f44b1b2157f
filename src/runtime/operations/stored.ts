import { z } from 'zod'
import { absent, type WriteRequest } from '../request.js'

/** What a writer learns of a record it wrote. */
export const storedRecord = z.object({
  id: z.string(),
  sensitivity: z.string(),
  scope: z.string().nullable(),
  visibilityClass: z.string(),
})

/** A repeated write answers with the same records, if the caller may still see them (NI-7). */
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
