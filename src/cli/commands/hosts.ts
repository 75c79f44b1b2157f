import type { Handle } from '../../handle.js'
import { AUDIENCES, SENSITIVITIES } from '../../policy/vocabulary.js'
import { type Place, requireStore, type StorePlace } from '../access.js'
import type { Command } from '../command.js'
import { CommandStopped } from '../command-stopped.js'
import { omitUndefined } from '../omit-undefined.js'
import { printTable } from '../output/table.js'
import type { Terminal } from '../output/terminal.js'
import { formatCount, formatMoment, toOneLine } from '../output/text.js'
import { PAGE, printPage, readPageOptions } from '../page.js'
import { UsageError } from '../usage-error.js'

type NewKey = Parameters<Handle['keys']['create']>[0]

const keysList: Command = {
  name: 'keys list',
  summary: 'List API keys and their last use; never a secret',
  arguments: [],
  options: {
    ...PAGE,
  },
  examples: [{ line: 'keys list', does: 'who holds a key, and who has used it' }],
  needs: 'access',
  audience: 'host',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.keys.list(readPageOptions(options))
    printPage(
      terminal,
      page,
      page.keys,
      [
        { title: 'id', whole: true, text: ({ id }) => id },
        { title: 'name', text: ({ name }) => name },
        { title: 'actor', text: ({ actor }) => actor },
        { title: 'audience', text: ({ audience }) => audience },
        { title: 'for', from: 120, text: key => (key.for === key.actor ? '' : key.for) },
        { title: 'up to', from: 120, text: ({ trust }) => trust?.maxSensitivity },
        { title: 'last used', text: ({ lastUsedAt }) => formatMoment(lastUsedAt) || 'never' },
        {
          title: 'state',
          text: ({ revokedAt, expiresAt }) =>
            revokedAt !== null ? 'revoked' : expiresAt === null ? '' : `expires ${formatMoment(expiresAt)}`,
        },
      ],
      'no keys yet',
    )
  },
}

/** Prints a secret; nothing else does. */
export function showSecret(terminal: Terminal, secret: string | null): void {
  terminal.line(secret ?? '(the secret was shown before)')
  terminal.note(terminal.style('yellow', 'this is shown once: keep it now', 'stderr'))
}

const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key; its secret is shown once',
  arguments: [{ name: 'name' }],
  options: {
    'key-actor': {
      type: 'text',
      value: 'ACTOR',
      describe: 'the owner of the key, or the name of the agent (you)',
    },
    'key-audience': {
      type: 'text',
      values: AUDIENCES,
      describe: 'the kind of caller that its holder is (owner)',
    },
    'key-for': { type: 'text', value: 'PERSON', describe: 'the person an agent works for (you)' },
    'key-max-sensitivity': {
      type: 'text',
      values: SENSITIVITIES,
      describe: 'the highest sensitivity that it may see in full',
    },
    'key-scope': { type: 'texts', value: 'NAME', describe: 'a scope that it may see; may be repeated' },
    policy: { type: 'text', value: 'NAME', describe: 'its capability policy' },
    'expires-at': { type: 'moment', describe: 'when it expires' },
    'chooses-session': { type: 'flag', describe: 'let each request name its own conversation' },
  },
  examples: [
    { line: 'keys create laptop', does: 'a key for yourself' },
    {
      line: 'keys create assistant --key-actor helper --key-audience agent --key-max-sensitivity low',
      does: 'a key for an agent that works for you',
    },
  ],
  needs: 'access',
  makesStore: true,
  audience: 'host',
  async run({ args, options, open, terminal }) {
    const maxSensitivity = options.text('key-max-sensitivity')
    const scopes = options.texts('key-scope')
    if (scopes !== undefined && maxSensitivity === undefined)
      throw new UsageError('--key-scope needs --key-max-sensitivity', 'keys create')
    const audience = options.text('key-audience')
    if (audience === 'agent' && options.text('key-actor') === undefined)
      throw new UsageError('an agent needs its own name: add --key-actor NAME', 'keys create')
    if ((audience === 'agent' || audience === 'recipient') && maxSensitivity === undefined)
      throw new UsageError(
        `--key-audience ${audience} needs --key-max-sensitivity: the most it may see`,
        'keys create',
      )
    const { handle } = await open()
    const made = await handle.keys.create({
      name: args[0] ?? '',
      ...omitUndefined({
        actor: options.text('key-actor'),
        audience: options.text('key-audience'),
        for: options.text('key-for'),
        trust: maxSensitivity && { maxSensitivity, ...omitUndefined({ scopes }) },
        policy: options.text('policy'),
        expiresAt: options.text('expires-at'),
        choosesSession: options.flag('chooses-session') || undefined,
      }),
    } as NewKey)
    if (terminal.json) terminal.document(made)
    else showSecret(terminal, made.secret)
  },
}

const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key and every key made with it, from the next request on',
  arguments: [{ name: 'id' }],
  options: {},
  examples: [{ line: 'keys revoke 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61', does: 'revoke a key' }],
  needs: 'access',
  audience: 'host',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const key = await handle.keys.revoke(args[0] ?? '')
    if (terminal.json) terminal.document(key)
    else terminal.line(`revoked ${toOneLine(key.name)}`)
  },
}

/** A store knows its tenants; a caller of a server must not learn of other tenants. */
export function storeOf(place: Place, command: Command): StorePlace {
  if ('url' in place) throw new UsageError(`${command.name} works on a store`, command.name)
  requireStore(place, command)
  return place
}

const auditList: Command = {
  name: 'audit list',
  summary: 'List the audit log, newest first',
  arguments: [],
  options: {
    ...PAGE,
  },
  examples: [{ line: 'audit list --limit 20', does: 'the latest 20 entries' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.audit.list(readPageOptions(options))
    printPage(
      terminal,
      page,
      page.entries,
      [
        { title: 'at', text: ({ at }) => at.slice(0, 19).replace('T', ' ') },
        { title: 'actor', text: ({ actor }) => actor },
        { title: 'audience', text: ({ audience }) => audience },
        { title: 'operation', text: ({ operation }) => operation },
        { title: 'outcome', text: ({ outcome }) => outcome },
        { title: 'reason', text: ({ reason }) => reason },
        { title: 'records', text: ({ records }) => records.length || '' },
      ],
      'nothing yet',
    )
  },
}

const auditOperations: Command = {
  name: 'audit operations',
  summary: 'List what was changed, newest first, and whether it can be undone',
  arguments: [],
  options: {
    operation: { type: 'text', value: 'NAME', describe: 'only this operation, such as links.grant' },
    of: { type: 'text', value: 'ID', describe: 'only what was about this link, view, session or record' },
    ...PAGE,
  },
  examples: [
    { line: 'audit operations --operation links.grant', does: 'every link that was granted' },
    { line: 'audit operations --of <link>', does: 'what was done with a link' },
  ],
  needs: 'access',
  audience: 'host',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.audit.operations({
      ...readPageOptions(options),
      ...omitUndefined({ name: options.text('operation'), of: options.text('of') }),
    })
    printPage(
      terminal,
      page,
      page.operations,
      [
        { title: 'at', text: ({ at }) => at.slice(0, 19).replace('T', ' ') },
        { title: 'actor', text: ({ actor }) => actor },
        { title: 'operation', text: ({ name }) => name },
        { title: 'effects', text: ({ effects }) => effects.join(', ') },
        { title: 'undone', text: ({ reversibility }) => reversibility.replaceAll('_', ' ') },
        { title: 'about', text: ({ refs }) => refs.join(', ') },
      ],
      'nothing yet',
    )
  },
}

const auditVerify: Command = {
  name: 'audit verify',
  summary: 'Verify the audit of a tenant, against an earlier checkpoint if one is given',
  arguments: [{ name: 'checkpoint.json', optional: true }],
  options: {},
  examples: [
    { line: 'audit verify', does: 'check every hash chain' },
    {
      line: 'audit verify checkpoint.json',
      does: 'also check that nothing before the checkpoint was cut or changed',
    },
  ],
  needs: 'access',
  audience: 'host',
  completesFiles: true,
  async run({ args, open, terminal }) {
    const [file] = args
    const checkpoint = file === undefined ? undefined : await readJsonFile(file)
    const { handle } = await open()
    const answer = await handle.audit.verify(
      checkpoint === undefined ? {} : ({ checkpoint } as Parameters<Handle['audit']['verify']>[0]),
    )
    if (terminal.json) terminal.document(answer)
    else {
      const { ok, entries, lanes, checkpoints, problems } = answer
      const what = `${formatCount(entries, 'entry', 'entries')} in ${formatCount(lanes, 'lane')}, ${formatCount(checkpoints, 'checkpoint')}`
      terminal.line(
        ok ? `${terminal.style('green', 'ok')}: ${what}` : `${terminal.style('red', 'not ok')}: ${what}`,
      )
      if (problems.length > 0)
        printTable(
          terminal,
          problems,
          [
            { title: 'problem', text: ({ kind }) => kind },
            { title: 'lane', whole: true, text: ({ laneId }) => laneId },
            { title: 'entry', text: ({ seq }) => seq },
            { title: 'checkpoint', whole: true, text: ({ checkpointId }) => checkpointId },
          ],
          '',
        )
    }
    if (!answer.ok) throw new CommandStopped(VERIFY_FAILED)
  },
}
/** The exit code for any setup problem. */
const VERIFY_FAILED = 7

async function readJsonFile(file: string): Promise<unknown> {
  const { readFile } = await import('node:fs/promises')
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    throw new UsageError(`${toOneLine(file)} is not a file of JSON`, 'audit verify')
  }
}

const auditCheckpoint: Command = {
  name: 'audit checkpoint',
  summary: 'Take a checkpoint of the audit, as JSON; keep it somewhere else',
  arguments: [],
  options: {},
  examples: [
    { line: 'audit checkpoint > checkpoint.json', does: 'keep it elsewhere, to verify against later' },
  ],
  needs: 'access',
  audience: 'host',
  async run({ open, terminal }) {
    const { handle } = await open()
    terminal.document(await handle.audit.checkpoint())
  },
}

export const HOST_COMMANDS = [
  keysList,
  keysCreate,
  keysRevoke,
  auditList,
  auditOperations,
  auditVerify,
  auditCheckpoint,
]
