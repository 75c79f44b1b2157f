import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { formatMoment } from '../output/text.js'
import { PAGE, printPage, readPageOptions } from '../page.js'

const STATES = ['waiting', 'done', 'failed'] as const

const capturesList: Command = {
  name: 'captures list',
  summary: 'Show which conversations the model has read, and which failed',
  arguments: [],
  options: { state: { type: 'text', values: STATES, describe: 'only those in this state' }, ...PAGE },
  examples: [{ line: 'captures list --state failed', does: 'what the model could not read, and why' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.captures.list({
      ...readPageOptions(options),
      ...omitUndefined({ state: options.text('state') as (typeof STATES)[number] | undefined }),
    })
    printPage(
      terminal,
      page,
      page.jobs,
      [
        { title: 'job', text: ({ job }) => job },
        { title: 'when', text: ({ createdAt }) => formatMoment(createdAt) },
        { title: 'conversation', text: ({ conversation }) => conversation },
        { title: 'turns', text: ({ turns }) => String(turns) },
        { title: 'state', text: ({ state }) => state },
        { title: 'facts', text: ({ facts }) => (facts === null ? '' : String(facts)) },
        { title: 'failure', text: ({ lastFailure }) => lastFailure ?? '' },
      ],
      'no conversation was given to a model',
    )
  },
}

const capturesRetry: Command = {
  name: 'captures retry',
  summary: 'Retry what the model failed to read',
  arguments: [{ name: 'job' }],
  options: {},
  examples: [{ line: 'captures retry JOB', does: 'an id from captures list' }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle, settled } = await open()
    const job = await handle.captures.retry(args[0] ?? '')
    await settled()
    if (terminal.json) terminal.document(job)
    else terminal.line(`${job.job} is read again`)
  },
}

export const CAPTURE_COMMANDS: readonly Command[] = [capturesList, capturesRetry]
