import { PrivityError } from '../../errors.js'
import type { Handle } from '../../handle.js'
import {
  AUDIENCES,
  DOCUMENT_KINDS,
  MEMORY_KINDS,
  SENSITIVITIES,
  SURFACES,
  VISIBILITY_CLASSES,
} from '../../policy/vocabulary.js'
import type { RecordView } from '../../runtime/record-view.js'
import type { RecordToImport } from '../../transfer/item.js'
import type { Command, Options, Values } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { printRecord, printResults } from '../output/records.js'
import { type Column, printPairs, printTable } from '../output/table.js'
import { formatCount, formatMoment, truncate } from '../output/text.js'
import { PAGE, printPage } from '../page.js'
import { readAll } from '../read-all.js'
import { UsageError } from '../usage-error.js'

/** What people write and look for. Records of a mediation are written by its own operations. */
const WRITTEN_KINDS = [...MEMORY_KINDS, ...DOCUMENT_KINDS] as const

/** The options for a new record. */
export const RECORD_OPTIONS = {
  kind: { type: 'text', values: WRITTEN_KINDS, describe: 'what it is' },
  title: { type: 'text', value: 'TEXT', describe: 'a title' },
  tag: { type: 'texts', value: 'NAME', describe: 'a tag; may be repeated' },
  participant: { type: 'texts', value: 'PERSON', describe: 'someone who takes part in it; may be repeated' },
  sensitivity: { type: 'text', values: SENSITIVITIES, describe: 'the sensitivity label' },
  'record-scope': { type: 'text', value: 'NAME', describe: 'the scope it belongs to' },
  'visibility-class': { type: 'text', values: VISIBILITY_CLASSES, describe: 'its visibility class' },
  corpus: { type: 'text', value: 'NAME', describe: 'the corpus it belongs to' },
  surface: {
    type: 'text',
    values: SURFACES,
    describe: 'its surface in the corpus; only records with a surface can be shared',
  },
  'occurred-at': { type: 'moment', describe: 'when it happened' },
} as const satisfies Options

/** The filters for a list or a search. */
export const FILTER_OPTIONS = {
  kind: { type: 'texts', values: WRITTEN_KINDS, describe: 'only of this kind; may be repeated' },
  tag: { type: 'texts', value: 'NAME', describe: 'only with this tag; may be repeated' },
  person: { type: 'texts', value: 'NAME', describe: 'only with this person; may be repeated' },
  corpus: { type: 'text', value: 'NAME', describe: 'only in this corpus' },
  after: { type: 'moment', describe: 'only records created after this time' },
  before: { type: 'moment', describe: 'only records created before this time' },
} as const satisfies Options

export function filtersOf(options: Values) {
  return omitUndefined({
    kinds: options.texts('kind') as (typeof WRITTEN_KINDS)[number][] | undefined,
    tags: options.texts('tag'),
    people: options.texts('person'),
    corpus: options.text('corpus'),
    createdAfter: options.text('after'),
    createdBefore: options.text('before'),
  })
}

const remember: Command = {
  name: 'remember',
  summary: 'Store a text, from the arguments or from standard input',
  arguments: [{ name: 'text', optional: true, many: true }],
  options: RECORD_OPTIONS,
  examples: [
    {
      line: 'remember "Ben leaves his job in May." --participant ben --tag family',
      does: 'keep a note about someone',
    },
    { line: 'remember --title Minutes --kind document < minutes.txt', does: 'keep what a file says' },
  ],
  needs: 'access',
  makesStore: true,
  async run({ args, options, open, terminal }) {
    const isGiven = args.length > 0 && args[0] !== '-'
    if (!isGiven && process.stdin.isTTY) terminal.note('type the text to store, then press Ctrl-D')
    const text = isGiven ? args.join(' ') : await readAll(process.stdin)
    if (text.trim() === '')
      throw new UsageError(
        'there is no text to store; give it as an argument or on standard input',
        'remember',
      )
    const { handle, settled } = await open()
    const stored = await handle.remember({
      ...omitUndefined({
        title: options.text('title'),
        tags: options.texts('tag'),
        participants: options.texts('participant'),
        sensitivity: options.text('sensitivity'),
        scope: options.text('record-scope'),
        visibilityClass: options.text('visibility-class'),
        corpus: options.text('corpus'),
        surface: options.text('surface'),
        occurredAt: options.text('occurred-at'),
      }),
      kind: options.text('kind') ?? 'note',
      text,
    } as RecordToImport)
    await settled()
    if (terminal.json) terminal.document(stored)
    else
      terminal.line(
        `kept ${stored.id} (${[stored.sensitivity, stored.scope, stored.visibilityClass].filter(Boolean).join(', ')})`,
      )
  },
}

const capture: Command = {
  name: 'capture',
  summary: 'Keep a conversation from standard input, and the facts stated in it',
  arguments: [],
  options: {
    conversation: {
      type: 'text',
      value: 'NAME',
      describe: 'the conversation to go on with; a new one by default',
    },
    me: { type: 'text', value: 'NAME', describe: 'the name that stands for you in it' },
    about: { type: 'texts', value: 'PERSON', describe: 'someone whom all of it is about; may be repeated' },
    sensitivity: { type: 'text', values: SENSITIVITIES, describe: 'the sensitivity label' },
  },
  examples: [
    { line: 'capture --me Ana < call.txt', does: 'a conversation with a line "Name: text" for each message' },
    { line: 'capture < messages.json', does: 'a list of messages as memory.capture takes them' },
  ],
  needs: 'access',
  makesStore: true,
  async run({ options, open, terminal }) {
    if (process.stdin.isTTY) terminal.note('type lines "Name: text", then press Ctrl-D')
    const messages = readMessages(await readAll(process.stdin), options.text('me'))
    const { handle, settled } = await open()
    const answer = await handle.capture({
      messages,
      ...omitUndefined({
        conversation: options.text('conversation'),
        about: options.texts('about'),
        sensitivity: options.text('sensitivity') as (typeof SENSITIVITIES)[number] | undefined,
      }),
    })
    await settled()
    if (terminal.json) terminal.document(answer)
    else {
      const turns = answer.turns.filter(({ isNew }) => isNew).length
      terminal.line(`kept ${formatCount(turns, 'turn')} of the conversation ${answer.conversation}`)
      for (const { outcome, text } of answer.facts) terminal.line(`${outcome}: ${text}`)
    }
  },
}

type CapturedMessage = Parameters<Handle['capture']>[0]['messages'][number]

/** Messages as JSON, or as lines that begin with a name; a line without one goes on with the message before it. */
function readMessages(given: string, me: string | undefined): CapturedMessage[] {
  if (given.trim() === '')
    throw new UsageError('there is no conversation; give it on standard input', 'capture')
  if (given.trimStart().startsWith('[')) {
    try {
      return JSON.parse(given)
    } catch {
      throw new UsageError('standard input must be a JSON list of messages, or lines "Name: text"', 'capture')
    }
  }
  const messages: { speaker?: string; text: string }[] = []
  for (const line of given.split(/\r?\n/).filter(each => each.trim() !== '')) {
    const [, name, text] = /^\s*([^:]{1,80}?)\s*:\s+(.+)$/.exec(line) ?? []
    const last = messages.at(-1)
    if (name === undefined || text === undefined) {
      if (last === undefined) throw new UsageError('the first line must be "Name: text"', 'capture')
      last.text += `\n${line}`
    } else messages.push({ text, ...(name.toLowerCase() === me?.toLowerCase() ? {} : { speaker: name }) })
  }
  return messages
}

const search: Command = {
  name: 'search',
  summary: 'Search what you may see, best first',
  arguments: [{ name: 'query', many: true }],
  options: {
    ...FILTER_OPTIONS,
    mode: {
      type: 'text',
      values: ['text', 'vector', 'hybrid'],
      describe: 'search by keywords, by meaning (vector), or both (hybrid)',
    },
    limit: { type: 'number', least: 1, describe: 'the maximum number of results (10)' },
    cursor: { type: 'text', value: 'CURSOR', describe: 'continue after an earlier page' },
    scores: { type: 'flag', describe: 'show how each score is calculated' },
  },
  examples: [
    { line: 'search "new job" --tag family', does: 'search within a tag' },
    {
      line: 'search "new job" --as helper --audience agent --for owner --max-sensitivity low',
      does: 'see what an agent would be told',
    },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const found = await handle.search(args.join(' '), {
      ...filtersOf(options),
      ...omitUndefined({
        mode: options.text('mode') as 'text' | 'vector' | 'hybrid' | undefined,
        limit: options.number('limit'),
        cursor: options.text('cursor'),
        explain: options.flag('scores') || undefined,
      }),
    })
    if (terminal.json) terminal.document(found)
    else printResults(terminal, found)
  },
}

const ID_COLUMN: Column<RecordView> = { title: 'id', whole: true, text: ({ id }) => id }
const ABOUT_COLUMNS: readonly Column<RecordView>[] = [
  { title: 'kind', from: 100, text: ({ kind }) => kind },
  { title: 'sensitivity', from: 100, text: ({ sensitivity }) => sensitivity },
  { title: 'text', text: ({ payload }) => truncate(payload?.title ?? payload?.text ?? '(not shown)', 100) },
]

const list: Command = {
  name: 'list',
  summary: 'List what you may see, newest first',
  arguments: [],
  options: {
    ...FILTER_OPTIONS,
    oldest: { type: 'flag', describe: 'oldest first' },
    ...PAGE,
  },
  examples: [{ line: 'list --tag family --limit 20', does: 'the newest of a tag' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.list({
      ...filtersOf(options),
      ...omitUndefined({
        order: options.flag('oldest') ? ('oldest' as const) : undefined,
        limit: options.number('limit'),
        cursor: options.text('cursor'),
      }),
    })
    printPage(
      terminal,
      page,
      page.records,
      [ID_COLUMN, { title: 'made', text: ({ createdAt }) => formatMoment(createdAt) }, ...ABOUT_COLUMNS],
      'no records that you may see',
    )
  },
}

const ORDERS = ['oldest', 'newest'] as const

const timeline: Command = {
  name: 'timeline',
  summary: 'List what you may see in order of when it happened, oldest first',
  arguments: [],
  options: {
    from: { type: 'moment', describe: 'only from this time on' },
    to: { type: 'moment', describe: 'only before this time' },
    kind: FILTER_OPTIONS.kind,
    person: FILTER_OPTIONS.person,
    order: { type: 'text', values: ORDERS, describe: 'the order' },
    ...PAGE,
  },
  examples: [
    { line: 'timeline --from 2026-01-01 --to 2026-02-01', does: 'what happened in January' },
    { line: 'timeline --person ben --order newest --limit 10', does: 'the latest with someone' },
  ],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.timeline(
      omitUndefined({
        from: options.text('from'),
        to: options.text('to'),
        kinds: options.texts('kind') as (typeof WRITTEN_KINDS)[number][] | undefined,
        people: options.texts('person'),
        order: options.text('order') as (typeof ORDERS)[number] | undefined,
        limit: options.number('limit'),
        cursor: options.text('cursor'),
      }),
    )
    printPage(
      terminal,
      page,
      page.records,
      [
        {
          title: 'happened',
          text: ({ payload, createdAt }) => formatMoment(payload?.occurredAt ?? createdAt),
        },
        ID_COLUMN,
        ...ABOUT_COLUMNS,
      ],
      'no records that you may see',
    )
  },
}

/** Absent and not permitted get exactly the same message (NI-5). */
const noSuchRecord = () => new PrivityError('not_found', 'there is no such record')

const get: Command = {
  name: 'get',
  summary: 'Read one record',
  arguments: [{ name: 'id' }],
  options: {},
  examples: [{ line: 'get 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61', does: 'read a record by its id' }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const record = await handle.get(args[0] ?? '')
    if (record === null) throw noSuchRecord()
    if (terminal.json) terminal.document(record)
    else printRecord(terminal, record)
  },
}

const explain: Command = {
  name: 'explain',
  summary: 'Show every gate and its verdict on a record, for you or for someone who works for you',
  arguments: [{ name: 'id' }],
  options: {
    'look-as': { type: 'text', value: 'ACTOR', describe: 'the caller to look as (you)' },
    'look-audience': { type: 'text', values: AUDIENCES, describe: 'the kind of caller (agent)' },
    'look-max-sensitivity': {
      type: 'text',
      values: SENSITIVITIES,
      describe: 'the highest sensitivity that the caller may see in full',
    },
  },
  examples: [
    {
      line: 'explain 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61 --look-as helper --look-max-sensitivity low',
      does: 'why an agent is shown a record or not',
    },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const actor = options.text('look-as')
    const maxSensitivity = options.text('look-max-sensitivity')
    const as =
      actor === undefined
        ? {}
        : {
            as: {
              actor,
              audience: options.text('look-audience') ?? 'agent',
              ...omitUndefined({ trust: maxSensitivity && { maxSensitivity, authenticated: true } }),
            },
          }
    const verdict = await handle.explain({ record: args[0] ?? '', ...as } as Parameters<Handle['explain']>[0])
    if (verdict === null) throw noSuchRecord()
    if (terminal.json) {
      terminal.document(verdict)
      return
    }
    const style = { full: 'green', none: 'red' } as const
    terminal.line(
      `shown: ${terminal.style(style[verdict.shown as 'full' | 'none'] ?? 'yellow', verdict.shown)}`,
    )
    terminal.line()
    printTable(
      terminal,
      verdict.gates,
      [
        { title: 'gate', text: ({ gate }) => gate },
        { title: 'allows', text: ({ face }) => face.level },
        { title: 'reason', text: ({ reason }) => reason },
        { title: 'which means', text: ({ description }) => description },
      ],
      'no gates',
    )
  },
}

const forget: Command = {
  name: 'forget',
  summary: 'Delete records and everything made from them, for good',
  arguments: [{ name: 'id', many: true, optional: true }],
  options: {
    about: { type: 'text', value: 'PERSON', describe: 'what this person takes part in or is named in' },
    phrase: { type: 'text', value: 'TEXT', describe: 'what says these words, one after the other' },
    ...FILTER_OPTIONS,
    yes: { type: 'flag', describe: 'delete what was found by conditions, without showing it first' },
  },
  examples: [
    { line: 'forget 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61', does: 'delete a record' },
    { line: 'forget --about Frank', does: 'show what would be deleted; add --yes to delete it' },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const asked = {
      ...filtersOf(options),
      ...omitUndefined({ about: options.text('about'), phrase: options.text('phrase') }),
    }
    const byCondition = Object.keys(asked).length > 0
    if (byCondition === args.length > 0)
      throw new UsageError('give either ids, or conditions such as --about', 'forget')
    const { handle } = await open()
    const found = byCondition ? await handle.forgetCandidates(asked) : null
    const ids = found?.records ?? [...args]
    if (found !== null && (!options.flag('yes') || ids.length === 0)) {
      if (terminal.json) terminal.document(found)
      else {
        printTable(terminal, found.found, [ID_COLUMN, ...ABOUT_COLUMNS], 'nothing was found')
        if (ids.length > 0)
          terminal.note(
            `${formatCount(ids.length, 'record')} and ${formatCount(found.derivedCount, 'record')} made from them would be deleted; add --yes to delete them`,
          )
      }
      return
    }
    const answer = await handle.forget(ids)
    if (terminal.json) terminal.document(answer)
    else terminal.line(`forgot ${formatCount(answer.forgotten.length, 'record')} and what was made from them`)
  },
}

const why: Command = {
  name: 'why',
  summary: 'Show why a request of yours was refused, by its request id',
  arguments: [{ name: 'request' }],
  options: {},
  examples: [{ line: 'why 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61', does: 'the reason of a refusal' }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const answer = await handle.requests.whyRefused(args[0] ?? '')
    if (answer === null) throw new PrivityError('not_found', 'there is no such request')
    if (terminal.json) terminal.document(answer)
    else
      printPairs(terminal, [
        ['request', answer.requestId],
        ['at', formatMoment(answer.at)],
        ['operation', answer.operation],
        ['refused as', answer.code],
        ['reason', answer.reason.code],
        ['because', answer.reason.text],
      ])
  },
}

export const RECORD_COMMANDS = [remember, capture, search, list, timeline, get, explain, forget, why]
