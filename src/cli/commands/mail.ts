import { randomUUID } from 'node:crypto'
import { PrivityError } from '../../errors.js'
import { ADDRESS, MailRejected } from '../../mail/mailer.js'
import type { Command } from '../command.js'
import { mailerOf } from '../mailer-of.js'
import { formatMoment } from '../output/text.js'
import { UsageError } from '../usage-error.js'

const TEST_MS = 30_000

const mailTest: Command = {
  name: 'mail test',
  summary: 'Send a test mail through the configured mail server',
  arguments: [{ name: 'address' }],
  options: {},
  examples: [
    { line: 'mail test you@example.org', does: 'whether PRIVITY_SMTP_URL and PRIVITY_MAIL_FROM work' },
  ],
  needs: 'nothing',
  async run({ args, env, terminal }) {
    const [to = ''] = args
    if (!ADDRESS.test(to)) throw new UsageError(`${to} is not an e-mail address`, 'mail test')
    const configured = await mailerOf(env)
    if (configured === null)
      throw new PrivityError(
        'setup_incomplete',
        'no mail server is configured: set PRIVITY_SMTP_URL, such as smtp://user:password@mail.example.org:587, and PRIVITY_MAIL_FROM',
      )
    const mail = {
      id: randomUUID(),
      to,
      subject: 'Mail from Privity works',
      text: 'This is a test mail. Codes for share links and requests to delete copies are sent like this.\n',
    }
    await configured.mailer.send(mail, { signal: AbortSignal.timeout(TEST_MS) }).catch(thrown => {
      throw new PrivityError(
        thrown instanceof MailRejected ? 'invalid_input' : 'unavailable',
        `${configured.through} did not take the mail: ${reasonOf(thrown)}`,
      )
    })
    if (terminal.json) terminal.document({ mail: mail.id, to, through: configured.through })
    else terminal.line(`${configured.through} took a test mail for ${to}`)
  },
}

/** What the mail server said, for whoever configures it. */
const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof MailRejected) return 'it refuses this address'
  const { response, message } = thrown as { response?: string; message?: string }
  return (response ?? message ?? 'unknown reason').replace(/\s+/g, ' ').slice(0, 300)
}

const mailList: Command = {
  name: 'mail list',
  summary: 'Show whether the mail of your links was delivered',
  arguments: [],
  options: { link: { type: 'text', value: 'ID', describe: 'only mail of this link' } },
  examples: [{ line: 'mail list', does: 'codes and recall requests, newest first' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const link = options.text('link')
    const { mails } = await handle.mail.list(link === undefined ? {} : { link })
    if (terminal.json) return terminal.document({ mails })
    for (const mail of mails)
      terminal.line(
        `${formatMoment(mail.createdAt)}  ${mail.purpose.padEnd(8)} ${mail.state}${mail.lastFailure === null ? '' : ` (${mail.lastFailure}, tried ${mail.attempts} times)`}`,
      )
    if (mails.length === 0) terminal.note('no mail was sent for your links')
  },
}

export const MAIL_COMMANDS: readonly Command[] = [mailTest, mailList]
