import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { formatMoment } from '../output/text.js'
import { PAGE, printPage, readPageOptions } from '../page.js'

const STATES = ['open', 'accepted', 'declined'] as const

const changesList: Command = {
  name: 'changes list',
  summary: 'List the changes that your agents ask for',
  arguments: [],
  options: { state: { type: 'text', values: STATES, describe: 'only those in this state' }, ...PAGE },
  examples: [{ line: 'changes list --state open', does: 'what waits for you' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.changes.list({
      ...readPageOptions(options),
      ...omitUndefined({ state: options.text('state') as (typeof STATES)[number] | undefined }),
    })
    printPage(
      terminal,
      page,
      page.requests,
      [
        { title: 'request', text: ({ id }) => id },
        { title: 'when', text: ({ createdAt }) => formatMoment(createdAt) },
        { title: 'by', text: ({ requestedBy }) => requestedBy ?? '' },
        { title: 'wants to', text: ({ how }) => how },
        { title: 'record', text: ({ record }) => record ?? '' },
        { title: 'state', text: ({ state }) => state },
        { title: 'says', text: ({ text, reason }) => [text, reason].filter(Boolean).join(' / ') },
      ],
      'no agent asked for a change',
    )
  },
}

const decide = (name: 'accept' | 'decline', decision: 'accepted' | 'declined', does: string): Command => ({
  name: `changes ${name}`,
  summary: name === 'accept' ? 'Do what an agent asked for' : 'Decline what an agent asked for',
  arguments: [{ name: 'request' }],
  options: {},
  examples: [{ line: `changes ${name} REQUEST`, does }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const answer = await handle.changes.decide({ request: args[0] ?? '', decision })
    if (terminal.json) terminal.document(answer)
    else terminal.line(`${decision}${answer.record === null ? '' : `: now ${answer.record}`}`)
  },
})

export const CHANGE_COMMANDS: readonly Command[] = [
  changesList,
  decide('accept', 'accepted', 'an id from changes list'),
  decide('decline', 'declined', 'nothing changes'),
]
