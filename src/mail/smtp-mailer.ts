import { createTransport } from 'nodemailer'
import { PrivityError } from '../errors.js'
import { parse } from '../runtime/input.js'
import { mailHtml } from './mail-html.js'
import { ADDRESS, type Mailer, MailRejected, mailSchema } from './mailer.js'

export interface SmtpOptions {
  /** `smtp://user:password@host:587` upgrades to TLS where the server can; `smtps://…:465` begins with it. */
  readonly url: string
  /** The address that mail is sent from, such as `sharing@example.org`. */
  readonly from: string
}

const CONNECT_MS = 10_000
const SILENCE_MS = 25_000

/** Sends mail over SMTP. */
export function smtpMailer({ url, from }: SmtpOptions): Mailer {
  if (!/^smtps?:\/\/./i.test(url) || !URL.canParse(url))
    throw new PrivityError('invalid_input', 'the SMTP address must look like smtp://user:password@host:587')
  if (!ADDRESS.test(from))
    throw new PrivityError(
      'invalid_input',
      'the sender of mail must be an address, such as sharing@example.org',
    )
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    async send(given, { signal }) {
      const { id, to, subject, text, fromName } = parse(mailSchema, given)
      signal.throwIfAborted()
      const transport = createTransport({
        url,
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const stop = () => transport.close()
      signal.addEventListener('abort', stop, { once: true })
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from: { address: from, name: fromName ?? 'Privity' },
          to,
          subject,
          text,
          html: mailHtml(subject, text),
          // No holiday notice should answer a code.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (thrown) {
        throw isRefusedForGood(thrown) ? new MailRejected() : thrown
      } finally {
        signal.removeEventListener('abort', stop)
        transport.close()
      }
    },
  }
}

/** Whether the server knows that this address never gets mail. Anything else, a wrong password too, may be mended. */
function isRefusedForGood(thrown: unknown): boolean {
  const { code, responseCode } = thrown as { code?: unknown; responseCode?: unknown }
  return code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 550 && responseCode < 560
}
