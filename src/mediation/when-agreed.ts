import type { RecordRow } from '../storage/queries/fetch-records.js'

/** When the last participant agreed; null until then. */
export const agreedAt = ({ fields }: RecordRow): string | null =>
  typeof fields.agreedAt === 'string' ? fields.agreedAt : null

/** Compares agreements by when they were agreed or else proposed, newest first (RC-10). */
export function newestAgreedFirst(one: RecordRow, other: RecordRow): number {
  const [a, b] = [timeOf(one) + one.id, timeOf(other) + other.id]
  return a < b ? 1 : a > b ? -1 : 0
}

const timeOf = (row: RecordRow) => agreedAt(row) ?? row.createdAt.toISOString()
