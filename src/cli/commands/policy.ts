import type { Handle } from '../../handle.js'
import { REASON_CODES } from '../../policy/reason-codes.js'
import type { Command } from '../command.js'
import { printPairs, printTable } from '../output/table.js'
import type { Terminal } from '../output/terminal.js'

type Asked = Awaited<ReturnType<Handle['capabilities']['who']>>['capabilities'][number]
type Verdict = Asked['who'][number]

const capabilitiesCommand: Command = {
  name: 'capabilities',
  summary: 'Show who may do what, and why',
  arguments: [{ name: 'capability or namespace', optional: true }],
  options: {},
  examples: [
    { line: 'capabilities', does: 'everything that can be done, and who may' },
    { line: 'capabilities memory', does: 'of one namespace' },
    { line: 'capabilities memory.forget', does: 'what each policy says of one, by which pattern' },
  ],
  needs: 'access',
  audience: 'host',
  async run({ args, open, terminal }) {
    const [name] = args
    const { handle } = await open()
    const asked: Asked[] = []
    for (const of of name === undefined ? await namespacesOf(handle) : [name])
      asked.push(...(await handle.capabilities.who({ of })).capabilities)
    const [first] = asked
    if (terminal.json) terminal.document({ capabilities: asked })
    else if (first !== undefined && first.capability === name && asked.length === 1) printOne(terminal, first)
    else printAll(terminal, asked)
  },
}

async function namespacesOf(handle: Handle): Promise<string[]> {
  const { capabilities } = await handle.capabilities.list()
  return [...new Set(capabilities.map(({ namespace }) => namespace))]
}

function printAll(terminal: Terminal, asked: readonly Asked[]): void {
  const mayOf = ({ who }: Asked) => who.filter(({ refusal }) => refusal === null)
  printTable(
    terminal,
    asked,
    [
      { title: 'capability', whole: true, text: ({ capability }) => capability },
      { title: 'state', text: ({ lifecycleState }) => lifecycleState },
      { title: 'who may', text: one => mayOf(one).map(holderText).join(', ') || 'nobody' },
      { title: 'why', text: one => [...new Set(mayOf(one).map(whyText))].join(', ') },
    ],
    'nothing can be done',
  )
}

function printOne(terminal: Terminal, one: Asked): void {
  printPairs(terminal, [
    ['capability', one.capability],
    ['description', one.description],
    ['state', one.lifecycleState],
    ['capacity', one.leaseClass],
    ['callers', one.callers],
  ])
  terminal.line('')
  printTable(
    terminal,
    one.who,
    [
      { title: 'who', text: holderText },
      { title: 'may', text: ({ refusal }) => (refusal === null ? 'yes' : 'no') },
      { title: 'policy says', text: whyText },
      { title: 'through', text: ({ through }) => through.join(' > ') },
      { title: 'refusal', text: ({ refusal }) => refusal },
    ],
    '',
  )
}

/** An audience by its name, a policy of the tenant as one. */
const holderText = ({ audience, policy }: Verdict) => audience ?? `policy ${policy}`

const whyText = ({ reason, pattern }: Verdict) =>
  pattern === null ? reason : `${reason} ${patternText(pattern)}`

function patternText(pattern: NonNullable<Verdict['pattern']>): string {
  switch (pattern.kind) {
    case 'exact':
      return pattern.capability
    case 'prefix_wildcard':
      return pattern.prefix.endsWith('*') ? pattern.prefix : `${pattern.prefix}*`
    case 'namespace_all':
      return `${pattern.namespace} (all)`
  }
}

const reasonsCommand: Command = {
  name: 'reasons',
  summary: 'List reason codes: who answers for each, and who may read it',
  arguments: [{ name: 'prefix', optional: true }],
  options: {
    owner: {
      type: 'text',
      values: [...new Set([...REASON_CODES.map(({ owner }) => owner), 'host'])].sort(),
      describe: 'the part that answers for them',
    },
  },
  examples: [
    { line: 'reasons', does: 'every reason for which something may be refused' },
    { line: 'reasons session. --owner runtime', does: 'those of one namespace, of one owner' },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const [prefix = ''] = args
    const owner = options.text('owner')
    const { handle } = await open()
    const { reasons: all } = await handle.reasons.list()
    const reasons = all.filter(
      reason => reason.code.startsWith(prefix) && (owner === undefined || reason.owner === owner),
    )
    if (terminal.json) terminal.document({ reasons })
    else
      printTable(
        terminal,
        reasons,
        [
          { title: 'code', whole: true, text: ({ code }) => code },
          { title: 'owner', text: reason => reason.owner },
          { title: 'visibility', text: ({ visibility }) => visibility },
          { title: 'description', text: ({ description }) => description },
        ],
        'no such reasons',
      )
  },
}

export const POLICY_COMMANDS = [capabilitiesCommand, reasonsCommand]
