import type { Handle } from '../../handle.js'
import { REASON_CODES } from '../../policy/reason-codes.js'
import type { Command } from '../command.js'
import { type Column, printPairs, printTable } from '../output/table.js'
import type { Terminal } from '../output/terminal.js'
import { PAGE, printMore, readPageOptions } from '../page.js'

type Answer = Awaited<ReturnType<Handle['capabilities']['who']>>
type CapabilityAnswer = Answer['capabilities'][number]
type Verdict = CapabilityAnswer['who'][number]
type CredentialAnswer = Answer['credentials'][number]

const capabilitiesCommand: Command = {
  name: 'capabilities',
  summary: 'Show who may do what, and why',
  arguments: [{ name: 'capability or namespace', optional: true }],
  options: PAGE,
  examples: [
    { line: 'capabilities', does: 'everything that can be done, and who may' },
    { line: 'capabilities memory', does: 'one namespace, and which key, link or session may do what' },
    { line: 'capabilities memory.forget', does: 'what each policy says of one, and why each key may or not' },
    {
      line: 'capabilities agents --audience owner',
      does: 'your own keys, links and sessions',
    },
  ],
  needs: 'access',
  audience: 'host',
  async run({ args, options, open, terminal }) {
    const [name] = args
    const { handle } = await open()
    if (name === undefined) {
      const capabilities = await everything(handle)
      if (terminal.json) terminal.document({ capabilities })
      else printAll(terminal, capabilities)
      return
    }
    const answer = await handle.capabilities.who({ of: name, ...readPageOptions(options) })
    if (terminal.json) {
      terminal.document(answer)
      return
    }
    const [first] = answer.capabilities
    if (first !== undefined && first.capability === name && answer.capabilities.length === 1)
      printOne(terminal, first, answer.credentials)
    else {
      printAll(terminal, answer.capabilities)
      printHolders(terminal, name, answer.credentials)
    }
    printMore(terminal, answer)
  },
}

/** The capabilities of all namespaces, without credentials: those are shown only for a single namespace. */
async function everything(handle: Handle): Promise<CapabilityAnswer[]> {
  const { capabilities } = await handle.capabilities.list()
  const asked: CapabilityAnswer[] = []
  for (const of of new Set(capabilities.map(({ namespace }) => namespace)))
    asked.push(...(await handle.capabilities.who({ of, limit: 1 })).capabilities)
  return asked
}

function printAll(terminal: Terminal, asked: readonly CapabilityAnswer[]): void {
  const mayOf = ({ who }: CapabilityAnswer) => who.filter(({ refusal }) => refusal === null)
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

/** Prints what each key, link or profile may do in a namespace. */
function printHolders(terminal: Terminal, namespace: string, held: readonly CredentialAnswer[]): void {
  const own = (capability: string) => capability.slice(namespace.length + 1)
  const mayText = ({ may }: CredentialAnswer) => {
    const permitted = may.filter(one => one.permitted)
    if (permitted.length === may.length) return 'all of it'
    return permitted.map(({ capability }) => own(capability)).join(', ') || 'nothing'
  }
  terminal.line('')
  printTable(terminal, held, [...HOLDER, { title: 'may', text: mayText }], 'no keys, links or sessions')
}

const HOLDER: readonly Column<CredentialAnswer>[] = [
  { title: 'credential', text: ({ kind, name }) => `${kind} ${name}` },
  { title: 'owner', text: ({ owner }) => owner },
  { title: 'audience', text: ({ audience }) => audience ?? 'who names it' },
  { title: 'policy', text: ({ policy }) => policy },
  { title: 'profile', text: ({ profile }) => profile ?? '-' },
]

function printOne(terminal: Terminal, one: CapabilityAnswer, held: readonly CredentialAnswer[]): void {
  printPairs(terminal, [
    ['capability', one.capability],
    ['description', one.description],
    ['state', one.lifecycleState],
    ['capacity', capacityText(one)],
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
  terminal.line('')
  printTable(
    terminal,
    held,
    [
      ...HOLDER,
      { title: 'may', text: ({ may }) => (may.every(({ permitted }) => permitted) ? 'yes' : 'no') },
      { title: 'refusal', text: ({ may }) => may[0]?.refusal ?? '' },
    ],
    'no keys, links or sessions',
  )
}

function capacityText({ leaseClass, limits }: CapabilityAnswer): string | null {
  if (leaseClass === null) return null
  if (limits === null) return `${leaseClass}: none`
  const { total, perCredential, seconds } = limits
  return `${leaseClass}: ${total} at once, ${perCredential} for one, ${seconds} s`
}

/** The name of an audience, or the name of the tenant's policy marked as one. */
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
  summary: 'List reason codes, with who owns each and who may read it',
  arguments: [{ name: 'prefix', optional: true }],
  options: {
    owner: {
      type: 'text',
      values: [...new Set([...REASON_CODES.map(({ owner }) => owner), 'host'])].sort(),
      describe: 'the component that owns them',
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
