/**
 * What people are told of. A denial has no type, and a request for consent is told to the owner of what is asked for:
 * there is nothing that a partner could be told of either (CB-8).
 */
export const NOTIFICATION_TYPES = [
  'session.invited',
  'session.joined',
  'session.state_changed',
  'consent.requested',
  'consent.granted',
  'consent.revoked',
  'stage.ready',
  'agreement.proposed',
  'agreement.reached',
  'share.requested',
  'share.locked',
] as const

export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Something to tell one person. It names what it speaks of by ids, and holds no word of it. */
export interface NewNotification {
  /** The name of an actor. */
  readonly recipient: string
  readonly type: NotificationType
  readonly session: string | null
  /** Ids by what they are of, such as `{ request: '…' }`. */
  readonly refs: Readonly<Record<string, string>>
}
