import { PrivityError } from '../errors.js'
import { parse } from '../runtime/input.js'
import type { ReadRequest, WriteRequest } from '../runtime/request.js'
import { insertMail } from '../storage/queries/mails.js'
import { type Mail, mailSchema } from './mailer.js'

/** Whether there is a mailer: without one, `enqueueMail` refuses. */
export const canMail = (request: ReadRequest): boolean => request.parts.outbox.mails

/**
 * Leaves a mail to be sent, and answers its id. It stands with the request or not at all, and is sent once it stands. What
 * is of no use after a time, such as a code, says so with `expiresAt`, and is not sent any more after it.
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

/** What a mail is sealed for. */
export const mailSealContext = (tenant: string, mailId: string): string =>
  JSON.stringify(['mail', tenant, mailId])
