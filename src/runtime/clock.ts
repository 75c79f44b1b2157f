import { randomUUID } from 'node:crypto'

/** What an id is made for. */
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
  | 'change_request'
  | 'session'
  | 'relationship'
  | 'bridge_request'
  | 'consent_record'
  | 'turn'
  | 'conversation'
  | 'capture_job'
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
  | 'upload'
  | 'signal'
  | 'source'
  | 'watched'
  | 'outcome'
  | 'contribution'

/**
 * The clock and the source of ids, both replaceable in tests. Ids must be random, so that they reveal nothing (NI-6).
 */
export interface Clock {
  readonly now: () => Date
  readonly newId: (purpose: IdPurpose) => string
  /** Milliseconds since some moment, from a source that nobody can set. Without it, time only moves with `now`. */
  readonly elapsed?: () => number
  /** Whether it may be set back, for tests that replay a history. Nobody may use such a clock for anything else. */
  readonly mayGoBack?: boolean
  /** Returns a number from 0 to 1, which spreads the delay before a failed call is retried. */
  readonly random?: () => number
  /** Returns the secret of a new API key. */
  readonly newSecret?: (bytes: number) => Uint8Array
}

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  newId: () => randomUUID(),
}
