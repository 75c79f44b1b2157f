/** A position in an order by time. The id orders records that were made at the same moment. */
export interface TimeKey {
  readonly createdAt: Date
  readonly id: string
}
