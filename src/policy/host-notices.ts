/** What happens at a link that its host can be told of. */
export const HOST_EVENTS = ['opened', 'downloaded', 'uploaded', 'refused', 'locked', 'full'] as const
export type HostEvent = (typeof HOST_EVENTS)[number]

/** How notices are mailed: each at once, or together once an hour or a day. */
export const DIGESTS = ['none', 'hourly', 'daily'] as const
export type DigestTime = (typeof DIGESTS)[number]

/** What the host of a link is told of, and how. In-app notifications and webhooks get every event that is asked for. */
export interface HostNotices {
  readonly events: readonly HostEvent[]
  /** Where they are mailed to as well; null for nowhere. */
  readonly email: string | null
  readonly digest: DigestTime
}

/** How long a digest collects, in milliseconds; null if each notice is mailed at once. */
export function digestMs(digest: DigestTime): number | null {
  switch (digest) {
    case 'none':
      return null
    case 'hourly':
      return 3_600_000
    case 'daily':
      return 86_400_000
  }
}
