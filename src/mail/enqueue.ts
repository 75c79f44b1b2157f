import { PrivityError } from '../errors.js'
import { parse } from '../runtime/input.js'
import type { ReadRequest, WriteRequest } from '../runtime/request.js'
import { insertMail } from '../storage/queries/mails.js'
import { type Mail, mailSchema } from './mailer.js'

/** Whether a mailer is configured. Without one, `enqueueMail` throws. */
export const canMail = (request: ReadRequest): boolean => request.parts.outbox.mails

/**
 * Queues a mail and returns its id. It is committed with the request or not at all, and sent after the commit. Set
 * `expiresAt` for a mail that becomes useless, such as a code: it is not sent after that.
 */
export async function enqueueMail(
  request: WriteRequest,
  { expiresAt = null, ...asked }: Omit<Mail, 'id'> & { readonly expiresAt?: Date | null },
): Promise<string> {
  const { clock, secrets } = request.parts
  if (!canMail(request))
    throw new PrivityError('setup_incomplete', 'this needs mail, and no mailer is configured')
  const { id, ...mail } = parse(mailSchema, { ...asked, id: clock.newId('mail') })
  await insertMail(request.tx, request.tenant, {
    id,
    sealed: secrets.seal(JSON.stringify(mail), mailSealContext(request.tenant, id)),
    createdAt: request.now,
    expiresAt,
  })
  request.leavesToSend()
  return id
}

/** The context that an encrypted mail is bound to. */
export const mailSealContext = (tenant: string, mailId: string): string =>
  JSON.stringify(['mail', tenant, mailId])
