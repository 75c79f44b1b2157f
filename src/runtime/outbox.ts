/** Sends to others what requests leave to be sent, behind them. */
export interface Outbox {
  /** Whether mail can be sent from here. */
  readonly mails: boolean
  /** Something of this tenant waits, and stands. */
  noteWork(tenant: string): void
  /** Refuses a url that nothing may be sent to. */
  requireSendable(url: string): Promise<void>
}
