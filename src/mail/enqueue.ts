import { PrivityError } from '../errors.js'
import type { Clock } from '../runtime/clock.js'
import { parse } from '../runtime/input.js'
import type { ReadRequest, WriteRequest } from '../runtime/request.js'
import type { Secrets } from '../runtime/secrets.js'
import type { Transaction } from '../storage/database.js'
import { insertMail, type MailSubject } from '../storage/queries/mails.js'
import { countUse } from '../storage/queries/profile-uses.js'
import { type Mail, mailSchema } from './mailer.js'

/** Whether a mailer is configured. Without one, `enqueueMail` throws. */
export const canMail = (request: ReadRequest): boolean => request.parts.outbox.mails

/** What it takes to queue a mail, in a request or in a job. */
export interface MailQueue {
  readonly tx: Transaction
  readonly tenant: string
  readonly now: Date
  readonly parts: { readonly clock: Clock; readonly secrets: Pick<Secrets, 'seal'> }
}

type NewMail = Omit<Mail, 'id'> & { readonly expiresAt?: Date | null; readonly about?: MailSubject | null }

/**
 * Queues a mail and returns its id. It is committed with the request or not at all, and sent after the commit. Set
 * `expiresAt` for a mail that becomes useless, such as a code: it is not sent after that.
 */
export async function enqueueMail(request: WriteRequest, mail: NewMail): Promise<string> {
  if (!canMail(request))
    throw new PrivityError(
      'setup_incomplete',
      'this needs a mailer; set PRIVITY_MAIL_FOLDER or pass a mailer to open',
    )
  const id = await queueMail(request, mail)
  request.leavesToSend()
  return id
}

/** Does the same for a job that sends by itself. */
export async function queueMail(
  { tx, tenant, now, parts }: MailQueue,
  { expiresAt = null, about = null, ...asked }: NewMail,
): Promise<string> {
  const { id, ...mail } = parse(mailSchema, { ...asked, id: parts.clock.newId('mail') })
  const sealed = parts.secrets.seal(JSON.stringify(mail), mailSealContext(tenant, id))
  await insertMail(tx, tenant, { id, sealed, createdAt: now, expiresAt, about })
  return id
}

/** How much mail one address gets in an hour at most, whoever causes it. */
const MOST_TO_ADDRESS_AN_HOUR = 20

/** Counts a mail to an address, or tells that it has had enough for this hour. Only a digest of the address is kept. */
export async function mayMailTo(request: WriteRequest, address: string): Promise<boolean> {
  const { secrets, clock } = request.parts
  const digest = secrets.digest(JSON.stringify(['mail to', request.tenant, address])).toString('hex')
  const subject = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
  const { counted } = await countUse(
    request.tx,
    request.tenant,
    'mail',
    [{ subject, limit: MOST_TO_ADDRESS_AN_HOUR }],
    subject,
    { id: clock.newId('use'), since: new Date(request.now.getTime() - 3_600_000), at: request.now },
  )
  return counted
}

/** The context that an encrypted mail is bound to. */
export const mailSealContext = (tenant: string, mailId: string): string =>
  JSON.stringify(['mail', tenant, mailId])
