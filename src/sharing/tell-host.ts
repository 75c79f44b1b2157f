import { type MailQueue, queueMail } from '../mail/enqueue.js'
import { addNotifications, type Notifying } from '../notifications/notify.js'
import type { NotificationType } from '../notifications/types.js'
import { digestMs, type HostEvent } from '../policy/host-notices.js'
import type { WriteRequest } from '../runtime/request.js'
import type { Secrets } from '../runtime/secrets.js'
import { beginDigest } from '../storage/queries/link-digests.js'
import type { LinkRow } from '../storage/queries/share-links.js'
import { provedAddress } from './recipient-address.js'
import { openNotices } from './share-link.js'

/** What it takes to tell a host something, in a request or in a job. */
export type Telling = Notifying & MailQueue & { readonly parts: { readonly secrets: Secrets } }

/** What happened at a link. */
export interface LinkEvent {
  readonly event: HostEvent
  /** Who did it, as far as they proved it. */
  readonly who?: string | null
  /** Ids beside that of the link, by what they are of. */
  readonly refs?: Readonly<Record<string, string>>
  /** For a file that waits in quarantine. */
  readonly isAlert?: boolean
}

/** What one guess or one file after the other would repeat is told once in this time. */
export const REPEATED_MS = 3_600_000
const REPEATS: ReadonlySet<HostEvent> = new Set(['downloaded', 'refused', 'full'])

/** Tells whoever granted a link what happened at it, as they asked for it (ST-10). */
export async function tellHost(request: WriteRequest, link: LinkRow, event: LinkEvent): Promise<void> {
  if (await tell(request, link, event, request.parts.outbox.mails)) request.leavesToSend()
}

/** Does the same for a job; returns whether there is something to send. */
export async function tell(
  telling: Telling,
  link: LinkRow,
  { event, who = null, refs = {}, isAlert = false }: LinkEvent,
  mails: boolean,
): Promise<boolean> {
  const { events, email, digest } = openNotices(telling.parts, link)
  if (!events.includes(event) && !isAlert) return false
  const type: NotificationType = isAlert ? 'share.quarantined' : `share.${event}`
  const notice = { recipient: link.createdBy, type, session: null, refs: { link: link.linkId, ...refs } }
  const toldSince = REPEATS.has(event) ? new Date(telling.now.getTime() - REPEATED_MS) : null
  const { told, deliveries } = await addNotifications(telling, [notice], toldSince)
  if (told === 0 || email === null || !mails) return deliveries > 0
  const collects = digestMs(digest)
  if (collects !== null) {
    await beginDigest(telling.tx, telling.tenant, link.linkId, telling.now, collects)
    return deliveries > 0
  }
  const happened = sentenceOf(event, link.name, who ?? 'Somebody', isAlert)
  await queueMail(telling, {
    to: email,
    subject: happened.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 200),
    text: `${happened}\n\nYou get this mail because you asked for it when you shared these documents. To change that, change the notices of the link.\n`,
    about: { owner: link.owner, link: link.linkId, purpose: 'notice' },
  })
  return true
}

/** Who is in the session of a request, as far as they proved it. */
export function whoIsIn({ parts }: WriteRequest, link: LinkRow): string | null {
  const row = parts.profile?.row
  if (row === undefined) return null
  const { profileId, linkId, recipientName, recipientEmail: ownEmail } = row
  return (
    recipientName ?? provedAddress(parts, { profileId, linkId, ownEmail, linkEmail: link.recipientEmail })
  )
}

function sentenceOf(event: HostEvent, name: string, who: string, isAlert: boolean): string {
  switch (event) {
    case 'opened':
      return `${who} opened “${name}”.`
    case 'downloaded':
      return `${who} downloaded documents of “${name}”.`
    case 'uploaded':
      return isAlert
        ? `${who} sent a file by “${name}” that failed its checks and waits in quarantine.`
        : `${who} sent you a file by “${name}”.`
    case 'refused':
      return `Somebody tried to open “${name}” and was not let in.`
    case 'locked':
      return `“${name}” is locked for 15 minutes: too many wrong passcodes were entered.`
    case 'full':
      return `“${name}” is full: somebody could not open it, because as many sessions are open as it allows.`
  }
}
