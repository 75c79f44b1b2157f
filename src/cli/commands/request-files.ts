import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { formatMoment, toOneLine } from '../output/text.js'
import { describeRecipient, openAddressOf, readIdentity } from './share.js'

export const requestFilesCommand: Command = {
  name: 'request-files',
  summary: 'Ask somebody outside for files by a link that only takes files in; the link is shown once',
  arguments: [{ name: 'name' }],
  options: {
    message: { type: 'text', value: 'TEXT', describe: 'what you ask for, which the sender sees' },
    corpus: { type: 'text', value: 'NAME', describe: 'the corpus to file them in (Received files)' },
    folder: { type: 'text', value: 'PATH', describe: 'the folder of the corpus to file them in' },
    email: { type: 'text', value: 'ADDRESS', describe: 'only for whoever receives mail at this address' },
    passcode: {
      type: 'flag',
      describe: 'only for whoever knows a passcode: PRIVITY_PASSCODE, or asked for at the terminal',
    },
    approve: { type: 'flag', describe: 'only for people whom you approve by name' },
    'expires-at': { type: 'moment', describe: 'when the link expires' },
  },
  examples: [
    {
      line: 'request-files "Payslips of Berg" --message "Please send your payslips of 2026." --corpus taxes',
      does: 'whoever has the link can send files, and sees nothing of yours but the message',
    },
  ],
  needs: 'access',
  async run(context) {
    const { options, terminal, open, args } = context
    const identity = await readIdentity(context, 'request-files')
    const { handle } = await open()
    const { link, token } = await handle.links.requestFiles({
      name: args[0] ?? '',
      ...identity,
      ...omitUndefined({
        message: options.text('message'),
        corpus: options.text('corpus'),
        folder: options.text('folder'),
        expiresAt: options.text('expires-at'),
      }),
    })
    const address = openAddressOf(context, token)
    if (terminal.json) return terminal.document({ link, token, address })
    const note = (text: string) => terminal.note(toOneLine(text))
    note(`asks for files: ${link.name}`)
    note(
      `  for ${describeRecipient(link)}, ${link.expiresAt === null ? 'until you revoke it' : `until ${formatMoment(link.expiresAt)}`}`,
    )
    note(`  revoke it with privity links revoke ${link.link} --reason …`)
    terminal.line(address ?? token ?? '(what opens it was shown before)')
    terminal.note(
      terminal.style('yellow', 'this is shown once: hand it on now, and to nobody else', 'stderr'),
    )
  },
}
