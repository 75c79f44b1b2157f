/** How long the stored run of a search is kept (002 §20.1). */
export const RETENTION_CLASSES = [
  'ephemeral_session_lifetime',
  'durable_audit_1y',
  'durable_audit_7y',
] as const
export type RetentionClass = (typeof RETENTION_CLASSES)[number]

/** Index health is essential to an audit, so it outlives an ephemeral search. */
export const INDEX_SNAPSHOT_CLASS = 'durable_audit_1y' satisfies RetentionClass

/** The reasons to keep a search for longer (CV-7). */
export const UPGRADES = [
  'persisted_in_answer',
  'delivered_to_downstream_consumer',
  'used_for_feedback',
  'referenced_by_saved_search_or_standing_order',
  'user_marked_audit_essential',
] as const
export type Upgrade = (typeof UPGRADES)[number]

const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR
const LENGTH: Readonly<Record<RetentionClass, number>> = {
  // The end of a profile is not known in advance, so the grace period counts from each search.
  ephemeral_session_lifetime: 24 * HOUR,
  durable_audit_1y: YEAR,
  durable_audit_7y: 7 * YEAR,
}

/** The longer of two retention classes; a search is never downgraded. */
export function longerRetention(a: RetentionClass, b: RetentionClass): RetentionClass {
  return RETENTION_CLASSES.indexOf(a) >= RETENTION_CLASSES.indexOf(b) ? a : b
}

/** When a search of this class expires, and when its index snapshots do. */
export function retentionDates(
  at: Date,
  retentionClass: RetentionClass,
): { retentionClass: RetentionClass; dueAt: string; indexSnapshotsDueAt: string } {
  const after = (length: number) => new Date(at.getTime() + length).toISOString()
  return {
    retentionClass,
    dueAt: after(LENGTH[retentionClass]),
    indexSnapshotsDueAt: after(Math.max(LENGTH[retentionClass], LENGTH[INDEX_SNAPSHOT_CLASS])),
  }
}
