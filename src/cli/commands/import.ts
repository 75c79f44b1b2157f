import { ERRORS, PrivityError } from '../../errors.js'
import type { Handle } from '../../handle.js'
import { DATE_ORDERS, type DateOrder, FORMATS, type Format } from '../../transfer/formats.js'
import type { ImportProblem, ImportProgress } from '../../transfer/import-records.js'
import type { RecordToImport } from '../../transfer/item.js'
import type { Command, Values } from '../command.js'
import { CommandStopped, INTERRUPTED, untilInterrupted } from '../command-stopped.js'
import { omitUndefined } from '../omit-undefined.js'
import { ProgressBar } from '../output/progress-bar.js'
import type { Terminal } from '../output/terminal.js'
import { formatCount, formatDuration, toOneLine } from '../output/text.js'
import { UsageError } from '../usage-error.js'
import { RECORD_OPTIONS } from './records.js'

/** How many problems a JSON answer lists; further ones are only counted. */
const MOST_LISTED = 1_000

const { title: _, participant: __, 'occurred-at': ___, ...DEFAULTS } = RECORD_OPTIONS

export const importCommand: Command = {
  name: 'import',
  summary: 'Import JSON lines, a folder of text, a mailbox or a chat export',
  arguments: [{ name: 'source' }],
  options: {
    format: { type: 'text', values: FORMATS, describe: 'the format, if it cannot be detected' },
    ...DEFAULTS,
    me: {
      type: 'texts',
      value: 'NAME',
      describe: 'your own name in the export, so that you are not a participant of your own memories',
    },
    'date-order': {
      type: 'text',
      values: DATE_ORDERS,
      describe: 'the order of day and month in the dates of a chat export',
    },
    encoding: { type: 'text', value: 'NAME', describe: 'the encoding of texts (utf-8)' },
    strict: { type: 'flag', describe: 'stop at the first problem' },
    'dry-run': { type: 'flag', describe: 'read and check the records without storing any' },
    again: { type: 'flag', describe: 'store records again that were imported before' },
  },
  examples: [
    { line: 'import notes/ --tag notes', does: 'a folder of Markdown and text, with the folders in it' },
    { line: 'import mail.mbox --me "Ana Silva" --dry-run', does: 'look at a mailbox first' },
    { line: 'import "WhatsApp Chat with Ben.txt" --me Ana', does: 'a chat' },
    { line: 'import memory.jsonl', does: 'an export of Privity, or records as JSON lines' },
  ],
  needs: 'access',
  makesStore: true,
  completesFiles: true,
  async run({ args, options, open, terminal }) {
    const [path = ''] = args
    const meter = { read: 0, size: null as number | null }
    const { importRecords } = await import('../../transfer/import-records.js')
    const items = await itemsOf(path, options, meter)
    const { handle, settled } = await open()
    const { signal, done } = untilInterrupted()
    const progress = new ProgressBar(terminal, 'record')
    const problems: ImportProblem[] = []
    let reached: ImportProgress | null = null
    try {
      const result = await importRecords(handle, items, {
        defaults: defaultsOf(options),
        me: options.texts('me') ?? [],
        strict: options.flag('strict'),
        dryRun: options.flag('dry-run'),
        ...(options.flag('again') ? { salt: String(Date.now()) } : {}),
        signal,
        onProgress(state) {
          reached = state
          const share = meter.size === null ? null : Math.min(1, meter.read / Math.max(1, meter.size))
          progress.show({ done: state.stored, share })
        },
        onProblem(problem) {
          if (problems.length < MOST_LISTED) problems.push(problem)
          if (terminal.json) return
          progress.clear()
          terminal.note(
            `${terminal.style('yellow', toOneLine(problem.where), 'stderr')}: ${toOneLine(problem.problem)}${hintOf(problem)}`,
          )
        },
      })
      progress.clear()
      if (!result.stopped) await settled()
      sayResult(terminal, result, problems, progress.elapsedMs, options.flag('dry-run'))
      if (!options.flag('dry-run') && result.stored > 0 && !terminal.json) await sayMatches(terminal, handle)
      if (result.stopped) throw new CommandStopped(INTERRUPTED)
      if (result.stored === 0 && result.problems > 0) throw new CommandStopped(ERRORS.invalid_input.exit)
    } catch (error) {
      progress.clear()
      if (error instanceof PrivityError && reached !== null && !terminal.json) sayHowFar(terminal, reached)
      throw error
    } finally {
      done()
      // An open stdin would keep the process alive, although nothing reads it any more.
      if (path === '-') process.stdin.destroy()
    }
  },
}

async function itemsOf(path: string, options: Values, meter: { read: number; size: number | null }) {
  const format = options.text('format') as Format | undefined
  const encoding = options.text('encoding')
  const {
    findSource,
    readSource,
    readStream,
    measureSource: sizeOf,
  } = await import('../../transfer/source.js')
  if (path === '-') {
    if (format !== undefined && format !== 'jsonl' && format !== 'mbox')
      throw new UsageError(
        'standard input can only be read as jsonl or mbox; add --format jsonl or --format mbox',
        'import',
      )
    return readStream(process.stdin, format, { encoding })
  }
  const source = await findSource(path, format)
  meter.size = await sizeOf(source)
  return readSource(source, {
    encoding,
    dateOrder: options.text('date-order') as DateOrder | undefined,
    onBytes: bytes => {
      meter.read += bytes
    },
  })
}

/** Kinds and labels for records that have none of their own. */
function defaultsOf(options: Values): Partial<RecordToImport> {
  return omitUndefined({
    kind: options.text('kind'),
    tags: options.texts('tag'),
    sensitivity: options.text('sensitivity'),
    scope: options.text('record-scope'),
    visibilityClass: options.text('visibility-class'),
    corpus: options.text('corpus'),
    surface: options.text('surface'),
  }) as Partial<RecordToImport>
}

/** Proposes people who may be the same; an import often names one person in several ways (PC-7). */
async function sayMatches(terminal: Terminal, handle: Handle): Promise<void> {
  // A credential that may not list people gets no proposals, and the import has succeeded all the same.
  const { matches } = await handle.people.matches({}).catch(() => ({ matches: [] }))
  const [first] = matches
  if (first === undefined) return
  terminal.note(
    `${toOneLine(first.person.name)} may be ${toOneLine(first.into.name)}${
      matches.length > 1 ? `, and ${matches.length - 1} more people may be the same` : ''
    }: see privity people matches`,
  )
}

function sayResult(
  terminal: Terminal,
  result: ImportProgress,
  problems: readonly ImportProblem[],
  elapsedMs: number,
  dryRun: boolean,
): void {
  if (terminal.json) {
    terminal.document({ ...result, problems: { count: result.problems, listed: problems }, dryRun })
    return
  }
  const { stored, related, skipped, stopped } = result
  const rate = Math.round(stored / Math.max(0.001, elapsedMs / 1_000)).toLocaleString('en')
  const took = `(${formatDuration(elapsedMs)}, ${rate}/s)`
  // It is not known whether they were stored before, because a repeated request gets the same answer as the first.
  terminal.line(
    dryRun
      ? `${formatCount(stored, 'record')} can be stored; this was a dry run ${took}`
      : `${formatCount(stored, 'record')} of the source ${stored === 1 ? 'is' : 'are'} in the store ${took}`,
  )
  if (related > 0) terminal.line(`related ${formatCount(related, 'time')}`)
  for (const [why, count] of Object.entries(skipped))
    terminal.line(`left out ${count.toLocaleString('en')}: ${why}`)
  if (result.problems > 0) terminal.line(`${formatCount(result.problems, 'problem')}, listed above`)
  if (stopped) sayHowFar(terminal, result)
}

const hintOf = ({ problem }: ImportProblem) =>
  problem === 'is not UTF-8' ? '; if it is in another encoding, name it, as in --encoding latin1' : ''

function sayHowFar(terminal: Terminal, { stored, reached }: ImportProgress): void {
  const where =
    reached === null
      ? 'before anything was stored'
      : `after ${formatCount(stored, 'record')} (${toOneLine(reached)})`
  terminal.note(`stopped ${where}; run the same command again to go on, nothing is stored twice`)
}
