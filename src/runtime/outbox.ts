/** Sends to other services, in the background, what requests have queued. */
export interface Outbox {
  /** Whether this process can send email. */
  readonly mails: boolean
  /** Called when something of this tenant is committed and waits to be sent. */
  noteWork(tenant: string): void
  /** Tells the host of a link, after the answer, that somebody was not let in. */
  noteRefused(tenant: string, link: string): void
  /** Throws for a URL that nothing may be sent to. */
  requireSendable(url: string): void
}
