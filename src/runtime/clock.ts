import { randomUUID } from 'node:crypto'

/** What an id is for. */
export type IdPurpose =
  | 'record'
  | 'person'
  | 'group'
  | 'overlay'
  | 'grant'
  | 'actor'
  | 'operation'
  | 'generation'
  | 'lane'
  | 'entry'
  | 'checkpoint'
  | 'search'
  | 'saved_search'
  | 'consent_request'
  | 'session'
  | 'relationship'
  | 'bridge_request'
  | 'consent_record'
  | 'turn'
  | 'key'
  | 'library_entry'
  | 'notification'
  | 'webhook'
  | 'delivery'
  | 'mail'
  | 'request'
  | 'lease'
  | 'use'
  | 'profile'
  | 'view'
  | 'link'
  | 'link_request'
  | 'revocation'
  | 'binding'
  | 'download'
  | 'signal'
  | 'source'
  | 'watched'
  | 'outcome'
  | 'contribution'

/** The two things a test may replace. Ids must be random: nothing may be told from one (NI-6). */
export interface Clock {
  readonly now: () => Date
  readonly newId: (purpose: IdPurpose) => string
  /** How long a failed call waits is drawn by it, 0 to 1. */
  readonly random?: () => number
  /** The secret of a new API key. */
  readonly newSecret?: (bytes: number) => Uint8Array
}

export const SYSTEM_CLOCK: Clock = { now: () => new Date(), newId: () => randomUUID() }
