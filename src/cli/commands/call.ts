import { OPERATION_TABLE } from '../../generated/operation-table.js'
import type { OperationName } from '../../operations.js'
import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { readAll } from '../read-all.js'
import { didYouMean, findNearest, UsageError } from '../usage-error.js'

const NAMES = Object.keys(OPERATION_TABLE) as OperationName[]

export const callCommand: Command = {
  name: 'call',
  summary: 'Run any operation by its name, with its input as JSON; privity help operations lists them',
  arguments: [{ name: 'operation' }, { name: 'json', optional: true }],
  options: {
    'idempotency-key': {
      type: 'text',
      value: 'KEY',
      describe: 'a key that makes it safe to repeat the write',
    },
    'respect-consent': { type: 'flag', describe: 'leave out records of people who have not consented' },
  },
  examples: [
    { line: `call memory.list '{"limit": 5}'`, does: 'what the command does, as JSON' },
    { line: 'call policies.list --audience host', does: 'an operation for hosts' },
    { line: 'call memory.remember - < records.json', does: 'with input from a file' },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const [name = '', text] = args
    if (!NAMES.includes(name as OperationName))
      throw new UsageError(`there is no operation ${name}${didYouMean(findNearest(name, NAMES))}`, 'call')
    const input = readInput(text === '-' ? await readAll(process.stdin) : (text ?? '{}'))
    const { handle, settled } = await open()
    const answer = await handle.invoke(
      name as OperationName,
      input,
      omitUndefined({
        idempotencyKey: options.text('idempotency-key'),
        respectConsent: options.flag('respect-consent') || undefined,
      }),
    )
    if (name === 'memory.remember') await settled()
    terminal.document(answer)
  },
}

function readInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('the input must be a JSON object, for example \'{"limit": 5}\'', 'call')
  }
}
