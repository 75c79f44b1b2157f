import { readFile } from 'node:fs/promises'
import { ERRORS, PrivityError } from '../../errors.js'
import type { IngestFolderOptions, IngestProblem, IngestProgress } from '../../watching/ingest-folder.js'
import type { Command, Values } from '../command.js'
import { CommandStopped, INTERRUPTED, untilInterrupted } from '../command-stopped.js'
import { omitUndefined } from '../omit-undefined.js'
import { ProgressBar } from '../output/progress-bar.js'
import type { Terminal } from '../output/terminal.js'
import { formatCount, formatDuration, toOneLine } from '../output/text.js'
import { UsageError } from '../usage-error.js'
import { FILE_OPTIONS, fileOptionsOf, sayProblem } from './file-options.js'
import { watchAll } from './watches.js'

/** How many problems a JSON answer lists; further ones are only counted. */
const MOST_LISTED = 1_000

export const ingestCommand: Command = {
  name: 'ingest',
  summary: 'Ingest files as documents: PDF, Office, HTML, Markdown, text, mail and scans',
  arguments: [{ name: 'path', many: true }],
  options: {
    ...FILE_OPTIONS,
    document: {
      type: 'text',
      value: 'NAME',
      describe: 'the name of the document, or the prefix for the files of a folder',
    },
    metadata: { type: 'text', value: 'FILE', describe: 'a JSON file with their metadata' },
    later: {
      type: 'flag',
      describe: 'store the files now, and extract their text later with documents extract',
    },
    watch: { type: 'flag', describe: 'keep watching the folder for new files, until Ctrl-C' },
    'dry-run': { type: 'flag', describe: 'check the files without storing any' },
  },
  examples: [
    {
      line: 'ingest briefs/ --corpus brief-bank',
      does: 'a folder and the folders in it, as briefs/…; under another name with --document',
    },
    {
      line: 'ingest opposition.pdf --corpus brief-bank --version-kind amended --filing-unit motion-12',
      does: 'one file, and what it is',
    },
    { line: 'ingest inbox/ --corpus mail --watch', does: 'a folder, and what comes into it' },
  ],
  needs: 'access',
  makesStore: true,
  completesFiles: true,
  async run({ args, options, open, terminal, env }) {
    const corpus = options.text('corpus')
    if (corpus === undefined) throw new UsageError('ingest needs --corpus', 'ingest')
    const document = options.text('document')
    if (document !== undefined && (args.length > 1 || options.flag('watch')))
      throw new UsageError('--document works with one file or folder, and not with --watch', 'ingest')
    const isDry = options.flag('dry-run')
    if (options.flag('watch') && (args.length > 1 || isDry))
      throw new UsageError('--watch works with one folder, and not with --dry-run', 'ingest')
    const metadata = await metadataOf(options.text('metadata'))
    const { handle, settled, recognised } = await open()
    const { ingestFolder } = await import('../../watching/ingest-folder.js')
    const { signal, done } = untilInterrupted()
    const progress = new ProgressBar(terminal, 'document')
    const problems: IngestProblem[] = []
    const asked: IngestFolderOptions = {
      corpus,
      ...fileOptionsOf(options),
      ...omitUndefined({ document, metadata }),
      ...(options.flag('later') ? { extract: 'later' as const } : {}),
      dryRun: isDry,
      signal,
      onProblem(problem) {
        if (problems.length < MOST_LISTED) problems.push(problem)
        sayProblem(terminal, progress, problem)
      },
    }
    try {
      let total = NONE
      for (const path of args) {
        const before = total
        const show = (state: IngestProgress) =>
          progress.show({
            done: doneOf(sum(before, state)),
            // Folders that follow are not listed yet.
            share: args.length > 1 ? null : state.files / Math.max(1, state.filesInAll),
          })
        total = sum(before, await ingestFolder(handle, path, { ...asked, onProgress: show }))
        if (total.stopped) break
      }
      progress.clear()
      const recognises = total.needOcr > 0 && !isDry && (env.PRIVITY_OCR ?? 'off') !== 'off'
      if (recognises && !total.stopped) {
        terminal.note('recognising scanned pages; Ctrl-C stops, and the next command or server goes on')
        await recognised(signal)
      }
      if (!total.stopped && !signal.aborted) await settled()
      sayResult(terminal, total, problems, progress.elapsedMs, isDry)
      if (total.stopped) throw new CommandStopped(INTERRUPTED)
      if (options.flag('watch'))
        await watchAll(handle, await findOrCreateWatch(handle, args[0] ?? '', corpus, options), {
          terminal,
          signal,
          env,
        })
      // A script must notice that files are missing, although the others were taken in.
      else if (total.failed > 0) throw new CommandStopped(ERRORS.invalid_input.exit)
    } finally {
      progress.clear()
      done()
    }
  },
}

/** Watching a folder needs a watch; an existing watch of this folder is reused. */
async function findOrCreateWatch(
  handle: Parameters<typeof watchAll>[0],
  path: string,
  corpus: string,
  options: Values,
) {
  const { resolve } = await import('node:path')
  const location = resolve(path)
  const { bindings } = await handle.bindings.list()
  const known = bindings.find(
    one => one.location === location && one.corpus === corpus && one.kind === 'folder',
  )
  return [
    known ??
      (await handle.bindings.create({
        name: location.slice(-200),
        kind: 'folder',
        location,
        corpus,
        defaults: fileOptionsOf(options),
      })),
  ]
}

async function metadataOf(path: string | undefined): Promise<IngestFolderOptions['metadata'] | undefined> {
  if (path === undefined) return undefined
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new PrivityError('invalid_input', `${path} ${why}`)
  }
}

const NONE: IngestProgress = {
  created: 0,
  versioned: 0,
  described: 0,
  unchanged: 0,
  failed: 0,
  needOcr: 0,
  unlike: 0,
  readable: 0,
  files: 0,
  filesInAll: 0,
  reached: null,
  stopped: false,
}

const sum = (a: IngestProgress, b: IngestProgress): IngestProgress => ({
  created: a.created + b.created,
  versioned: a.versioned + b.versioned,
  described: a.described + b.described,
  unchanged: a.unchanged + b.unchanged,
  failed: a.failed + b.failed,
  needOcr: a.needOcr + b.needOcr,
  unlike: a.unlike + b.unlike,
  readable: a.readable + b.readable,
  files: a.files + b.files,
  filesInAll: a.filesInAll + b.filesInAll,
  reached: b.reached ?? a.reached,
  stopped: b.stopped,
})

const doneOf = ({ created, versioned, described, unchanged, readable }: IngestProgress) =>
  created + versioned + described + unchanged + readable

function sayResult(
  terminal: Terminal,
  total: IngestProgress,
  problems: readonly IngestProblem[],
  elapsedMs: number,
  dryRun: boolean,
): void {
  if (terminal.json) {
    terminal.document({ ...total, problems, dryRun })
    return
  }
  const { created, versioned, described, unchanged, failed, needOcr, unlike, readable, reached, stopped } =
    total
  const took = `(${formatDuration(elapsedMs)})`
  terminal.line(
    dryRun
      ? `${formatCount(readable, 'document')} can be ingested; this was a dry run ${took}`
      : `${formatCount(created, 'new document')}, ${formatCount(versioned, 'new version')}, ${unchanged.toLocaleString('en')} unchanged ${took}`,
  )
  if (described > 0) terminal.line(`${formatCount(described, 'document')} unchanged, with new metadata`)
  if (needOcr > 0) terminal.line(`${needOcr.toLocaleString('en')} need OCR, listed above`)
  if (unlike > 0)
    terminal.line(
      `${formatCount(unlike, 'new version')} with next to nothing of the one before, listed above: another file of the same name?`,
    )
  if (failed > 0) terminal.line(`${failed.toLocaleString('en')} could not be read (listed above)`)
  if (stopped)
    terminal.note(
      `stopped ${reached === null ? 'before the first file' : `after ${toOneLine(reached)}`}; run the same command again to go on, what is taken in stays`,
    )
}
