import { z } from 'zod'
import { id, text } from '../runtime/input.js'

export interface Mail {
  /** The same for every attempt to send this mail, so that a recipient can recognize duplicates. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** In whose name it is sent, beside the address of the server. */
  readonly fromName?: string | undefined
}

/** Thrown by a mailer for an address that will never get mail: trying again is of no use. */
export class MailRejected extends Error {}

/** Sends mail. It may get the same mail again if it is not known whether the first attempt succeeded. */
export interface Mailer {
  /** Resolves once the mail is accepted, and rejects if it is not. The signal aborts when nobody waits any longer. */
  send(mail: Mail, options: { readonly signal: AbortSignal }): Promise<void>
}

/** One plain address for a header: without a name, a comment, quotes or a second address. */
export const ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u

/** A valid mail. A line break in a header would start another header. */
export const mailSchema = z.strictObject({
  id,
  to: text(320).refine(value => ADDRESS.test(value), { message: 'must be an e-mail address' }),
  subject: text(500).refine(value => !/[\p{Cc}\u2028\u2029]/u.test(value), { message: 'must be one line' }),
  text: text(65_536),
  fromName: text(200)
    .refine(value => !/[\p{Cc}\u2028\u2029]/u.test(value), { message: 'must be one line' })
    .optional(),
}) satisfies z.ZodType<Mail>
