/**
 * The types of notifications. A denial has no type, and a consent request goes only to the owner of the original, so
 * a partner cannot learn of either (CB-8).
 */
export const NOTIFICATION_TYPES = [
  'session.invited',
  'session.joined',
  'session.state_changed',
  'consent.requested',
  'consent.granted',
  'consent.revoked',
  'stage.ready',
  'empathy.validated',
  'strategies.overlap',
  'agreement.proposed',
  'agreement.reached',
  'experiment.planned',
  'experiment.check_in',
  'experiment.reported',
  'share.requested',
  'share.opened',
  'share.downloaded',
  'share.refused',
  'share.locked',
  'share.full',
  'share.uploaded',
  'share.quarantined',
] as const

export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** A notification for one person. It refers to its subject by ids and holds no content. */
export interface NewNotification {
  /** The name of an actor. */
  readonly recipient: string
  readonly type: NotificationType
  readonly session: string | null
  /** Ids by what they refer to, such as `{ request: '…' }`. */
  readonly refs: Readonly<Record<string, string>>
}
