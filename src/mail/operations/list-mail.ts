import { z } from 'zod'
import { createdAt, nextCursor } from '../../runtime/fields.js'
import { id } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import { listMails, type MailStateRow, mailStateOf } from '../../storage/queries/mails.js'

const mailState = z
  .object({
    mail: z.string().meta({ description: 'The id of the mail; its `Message-ID` begins with it.' }),
    purpose: z
      .string()
      .meta({ description: 'What it is about: a `code`, a `recall` request or a `notice`.' }),
    link: z.string().nullable().meta({ description: 'The link it belongs to, by its id; null if none.' }),
    state: z.enum(['waiting', 'sent', 'rejected', 'failed', 'expired']).meta({
      description:
        'Whether the mail server took it. `rejected`: it refused the address for good; `expired`: it was useless before it could be sent.',
    }),
    attempts: z.int().meta({ description: 'How often it was tried.' }),
    lastFailure: z.string().nullable().meta({
      description: 'Why the last attempt failed: `not_sent`, `timed_out`, `rejected` or `expired`.',
    }),
    createdAt,
    nextAttemptAt: z.string().nullable().meta({ description: 'When it is tried next; null if it is not.' }),
    sentAt: z.string().nullable().meta({ description: 'When the mail server took it; null if it did not.' }),
  })
  .meta({ id: 'MailState', description: 'How far a mail got. Its address and its words are not kept.' })

/** Lists mail that was sent for the caller's links, with its delivery state and nothing of what it says (ST-9). */
export const listMail = readOperation({
  name: 'mail.list',
  route: 'GET /mail',
  summary: 'See whether the mail of your links was delivered',
  sample: world => ({ limit: world.pick([1, 50]), ...world.maybe(0.3, { link: world.madeOrOther('link') }) }),
  callers: 'owner',
  needsWholeSight: { otherwise: { mails: [], cursor: null } },
  input: z.strictObject({
    ...pageInput,
    link: id.optional().meta({ description: 'Only mail of this link, by its id.' }),
  }),
  output: z.object({
    mails: z.array(mailState).meta({ description: 'The mail, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { link = null, limit, cursor }) {
    const { tx, tenant, parts } = request
    const found = await listNewestFirst(
      request,
      ['mail.list', link],
      { limit, cursor },
      (before, most) => listMails(tx, tenant, [...parts.identity.principals], link, before, most),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return { mails: found.rows.map(viewMail), cursor: found.cursor }
  },
})

function viewMail(row: MailStateRow): z.input<typeof mailState> {
  const isOver = row.sentAt !== null || row.failedAt !== null
  return {
    mail: row.id,
    purpose: row.purpose ?? 'other',
    link: row.linkId,
    state: mailStateOf(row),
    attempts: row.attempts,
    lastFailure: row.failure,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: isOver ? null : row.nextAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
  }
}
