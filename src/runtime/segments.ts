import type { RecordRow } from '../storage/queries/fetch-records.js'
import { fetchSegments } from '../storage/queries/segments.js'
import { setRole } from '../storage/queries/set-role.js'
import type { ReadRequest } from './request.js'

/** Part of a document's text, as its segment has it. */
export interface Stretch {
  readonly row: RecordRow
  readonly start: number
  readonly end: number
  readonly page: number | null
  readonly partKind: string | null
}

/**
 * The segments of a card that are seen in full, in the order of the text. Nothing tells of others: a card all of whose
 * segments are hidden is one without any. Where a segment begins was recorded when the file was read, and is a fact of that
 * segment, as its page is.
 */
export async function segmentsOf(request: ReadRequest, card: string): Promise<Stretch[]> {
  const { role, tx, tenant } = request
  if (role !== 'privity_app') await setRole(tx, 'privity_app')
  const rows = await fetchSegments(tx, tenant, card)
  if (role !== 'privity_app') await setRole(tx, role)
  const decided = await request.decide(rows)
  return decided.flatMap(({ row, level }) => {
    const span = row.spans[0] as { start?: number; end?: number; page?: number } | undefined
    if (level !== 'full' || span?.start === undefined || span.end === undefined) return []
    const { partKind } = row.fields
    return [
      {
        row,
        start: span.start,
        end: span.end,
        page: span.page ?? null,
        partKind: typeof partKind === 'string' ? partKind : null,
      },
    ]
  })
}

/** A document's text as far as it is seen; null where nothing of it is, or it has no segments. */
export const joined = (segments: readonly Stretch[]): string | null =>
  segments.length === 0 ? null : segments.map(({ row }) => row.text).join('')
