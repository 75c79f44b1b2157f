import { z } from 'zod'
import { id, text } from '../runtime/input.js'

export interface Mail {
  /** The same whenever this mail is sent again, so that who gets it twice can tell. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Hands mail on. It may be asked to send the same mail again where it was not known whether it had been sent. */
export interface Mailer {
  /** Resolves once the mail is in safe hands, and rejects where it is not; the signal says when nobody waits any more. */
  send(mail: Mail, options: { readonly signal: AbortSignal }): Promise<void>
}

/** One address as it stands in a header: without a name, a comment, quotes, or a second address. */
const ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u

/** A mail that can be sent. A line break in a header would begin another header. */
export const mailSchema = z.strictObject({
  id,
  to: text(320).refine(value => ADDRESS.test(value), { message: 'must be an e-mail address' }),
  subject: text(500).refine(value => !/[\p{Cc}\u2028\u2029]/u.test(value), { message: 'must be one line' }),
  text: text(65_536),
}) satisfies z.ZodType<Mail>
