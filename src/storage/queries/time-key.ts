/** A place in an order by time: what was made at the same moment is told apart by its id. */
export interface TimeKey {
  readonly createdAt: Date
  readonly id: string
}
