import { fetchChunks } from '../storage/queries/chunks.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { setRole } from '../storage/queries/set-role.js'
import type { DecidedRecord, ReadRequest } from './request.js'

/** A visible piece of a document's text. */
export interface SeenChunk {
  readonly row: RecordRow
  readonly start: number
  readonly end: number
  readonly page: number | null
  readonly partKind: string | null
}

/**
 * The chunks of a card that are visible in full, in text order. Nothing reveals others: a card whose chunks are all
 * hidden looks like one without chunks. Where a chunk begins was recorded when the file was read, and belongs to the
 * chunk like its page.
 */
export async function loadSeenChunks(request: ReadRequest, card: string): Promise<SeenChunk[]> {
  return (await loadChunks(request, card)).filter(({ level }) => level === 'full')
}

/** All visible chunks of a card, each with the level at which it is seen. */
export async function loadChunks(
  request: ReadRequest,
  card: string,
): Promise<(SeenChunk & Pick<DecidedRecord, 'level'>)[]> {
  const { role, tx, tenant } = request
  if (role !== 'privity_app') await setRole(tx, 'privity_app')
  const rows = await fetchChunks(tx, tenant, card)
  if (role !== 'privity_app') await setRole(tx, role)
  const decided = await request.decide(rows)
  return decided.flatMap(({ row, level }) => {
    const span = row.spans[0] as { start?: number; end?: number; page?: number } | undefined
    if (level === 'none' || span?.start === undefined || span.end === undefined) return []
    const { partKind } = row.fields
    return [
      {
        row,
        level,
        start: span.start,
        end: span.end,
        page: span.page ?? null,
        partKind: typeof partKind === 'string' ? partKind : null,
      },
    ]
  })
}

/** A document's text as far as it is visible; null if nothing is, or if it has no chunks. */
export const joinChunks = (chunks: readonly SeenChunk[]): string | null =>
  chunks.length === 0 ? null : chunks.map(({ row }) => row.text).join('')
