import { z } from 'zod'
import type { TimeKey } from '../storage/queries/time-key.js'
import { cursorBoundary } from './cursor-boundary.js'
import { pageCursor } from './fields.js'
import type { ReadRequest } from './request.js'

/** The input of every paginated list. */
export const pageInput = {
  limit: z.int().min(1).max(200).default(50).meta({ description: 'Most entries on the page.' }),
  cursor: pageCursor,
}

/**
 * A page of what a caller may list, newest first, with a sealed cursor that is bound to the caller and the question
 * (NI-9).
 */
export async function listNewestFirst<Row>(
  request: ReadRequest,
  question: readonly [operation: string, ...unknown[]],
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
  load: (before: TimeKey | null, most: number) => Promise<Row[]>,
  keyOf: (row: Row) => TimeKey,
): Promise<{ rows: Row[]; cursor: string | null }> {
  const { secrets } = request.parts
  const [operation, ...rest] = question
  const boundTo = cursorBoundary(request, operation, rest)
  const before = cursor === undefined ? null : readKey(secrets.open(cursor, boundTo))
  const rows = await load(before, limit + 1)
  const last = rows[limit - 1]
  const more = rows.length > limit && last !== undefined
  return {
    rows: rows.slice(0, limit),
    cursor: more ? secrets.seal(writeKey(keyOf(last)), boundTo) : null,
  }
}

const writeKey = ({ createdAt, id }: TimeKey) => `${String(createdAt.getTime()).padStart(16, '0')}${id}`
const readKey = (key: string): TimeKey => ({
  createdAt: new Date(Number(key.slice(0, 16))),
  id: key.slice(16),
})
