import type { Label } from '../../policy/labels.js'
import type { StoredLabel } from '../../policy/stored-label.js'

/** The reader and the conversation. */
export interface Conversation {
  readonly actorId: string
  readonly forId: string
  readonly session: string
}

/**
 * The reader, its credential and the conversation. What was shown within one conversation labels what is then written
 * in it (WR-2).
 */
export interface ExposureKey extends Conversation {
  /** The digest of the clearance of the credential (NI-10). */
  readonly credential: string
  /** The hour in which it was shown. After a day it no longer counts (WR-6). */
  readonly hour: Date
}

export const exposureKeyText = (key: ExposureKey) =>
  JSON.stringify([key.actorId, key.forId, key.session, key.credential, key.hour.getTime()])

/** What was shown under one credential, and the most that it may be shown; null if it counts for all of them. */
export interface Exposure extends Label {
  readonly clearance: StoredLabel | null
  /** The records that raised the label, as far as it was records. */
  readonly records: readonly string[]
}

/** How many records are kept as reasons for a label. */
export const MOST_REASONS = 50

/**
 * The labels that a write must inherit, read without waiting for locks. A write outside every conversation may be
 * based on any of them.
 */
export const READ_EXPOSURES = `
  select sensitivity, scope, visibility_class as "visibilityClass", participants, clearance, records
  from privity.exposures
  where tenant_id = $1
    and actor_id = $2
    and for_id = $3
    and ($4 = '' or session = $4)
    and hour > $5`
