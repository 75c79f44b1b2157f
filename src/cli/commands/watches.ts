import { resolve } from 'node:path'
import { PrivityError } from '../../errors.js'
import type { Handle } from '../../handle.js'
import type { Watch, WatchOptions } from '../../watching/watch-until-stopped.js'
import type { Command, Context } from '../command.js'
import { untilInterrupted } from '../command-stopped.js'
import { printPairs, printTable } from '../output/table.js'
import type { Terminal } from '../output/terminal.js'
import { formatCount, formatMoment, toOneLine } from '../output/text.js'
import { PAGE, printPage, readPageOptions } from '../page.js'
import { UsageError } from '../usage-error.js'
import { FILE_OPTIONS, fileOptionsOf, sayProblem } from './file-options.js'

const watchesList: Command = {
  name: 'bindings',
  summary: 'List the folders and feeds that are watched',
  arguments: [],
  options: {},
  examples: [{ line: 'bindings', does: 'what is watched' }],
  needs: 'access',
  async run({ open, terminal }) {
    const { handle } = await open()
    const found = await handle.bindings.list()
    if (terminal.json) terminal.document(found)
    else
      printTable(
        terminal,
        found.bindings,
        [
          { title: 'name', text: ({ name }) => name },
          { title: 'kind', text: ({ kind }) => kind },
          { title: 'location', text: ({ location }) => location },
          { title: 'corpus', text: ({ corpus }) => corpus },
          { title: 'state', text: ({ state }) => state },
          { title: 'id', whole: true, from: 120, text: ({ id }) => id },
        ],
        'nothing is watched',
      )
  },
}

const watchesAdd: Command = {
  name: 'bindings add',
  summary: 'Add a folder or feed to watch',
  arguments: [{ name: 'name' }, { name: 'location' }],
  options: FILE_OPTIONS,
  examples: [
    { line: 'bindings add inbox ./inbox --corpus brief-bank', does: 'a folder' },
    { line: 'bindings add court https://example.org/opinions.xml --corpus opinions', does: 'a feed' },
  ],
  needs: 'access',
  makesStore: true,
  async run({ args, options, open, terminal }) {
    const [name = '', location = ''] = args
    const corpus = options.text('corpus')
    if (corpus === undefined) throw new UsageError('bindings add needs --corpus', 'bindings add')
    const isFeed = /^https?:/i.test(location)
    const { handle } = await open()
    const made = await handle.bindings.create({
      name,
      kind: isFeed ? 'feed' : 'folder',
      location: isFeed ? location : resolve(location),
      corpus,
      defaults: fileOptionsOf(options),
    })
    if (terminal.json) terminal.document(made)
    else terminal.line(`${toOneLine(made.name)} is watched by privity watch`)
  },
}

/** A command on one watch, given by its name or id. */
function onWatch(
  verb: string,
  summary: string,
  does: string,
  options: Command['options'],
  run: (handle: Handle, watch: Watch, context: Context) => Promise<void>,
): Command {
  return {
    name: `bindings ${verb}`,
    summary,
    arguments: [{ name: 'binding' }],
    options,
    examples: [{ line: `bindings ${verb} inbox`, does }],
    needs: 'access',
    async run(context) {
      const { handle } = await context.open()
      await run(handle, await findWatch(handle, context.args[0] ?? ''), context)
    },
  }
}

async function findWatch(handle: Handle, named: string): Promise<Watch> {
  const { bindings } = await handle.bindings.list()
  const watch = bindings.find(({ id, name }) => name === named || id === named)
  if (watch === undefined) throw new PrivityError('not_found', 'not found')
  return watch
}

const setsState = (verb: 'pause' | 'resume', summary: string, state: 'paused' | 'active') =>
  onWatch(verb, summary, `${verb} one`, {}, async (handle, { id }, { terminal }) => {
    const watch = await handle.bindings.setState({ binding: id, state })
    if (terminal.json) terminal.document(watch)
    else terminal.line(`${toOneLine(watch.name)} is ${state}`)
  })

const watchesRemove = onWatch(
  'remove',
  'Stop watching a folder or feed; what it brought stays',
  'end one',
  {},
  async (handle, { id, name }, { terminal }) => {
    const removed = await handle.bindings.remove(id)
    if (terminal.json) terminal.document(removed)
    else terminal.line(`${toOneLine(name)} is watched no longer; its documents stay`)
  },
)

const watchesLog = onWatch(
  'log',
  'List the documents that a binding brought, and what became of them',
  'what it brought',
  PAGE,
  async (handle, { id }, { terminal, options }) => {
    const page = await handle.bindings.contributions({ binding: id, ...readPageOptions(options) })
    printPage(
      terminal,
      page,
      page.contributions,
      [
        { title: 'changed', text: ({ changedAt }) => formatMoment(changedAt) },
        {
          title: 'state',
          text: ({ state, confirmedAt }) => (confirmedAt === null ? state : `${state} by you`),
        },
        { title: 'document', text: ({ document }) => document },
        { title: 'id', whole: true, text: ({ contribution }) => contribution },
      ],
      'it has brought nothing yet',
    )
  },
)

const watchesHealth = onWatch(
  'health',
  'Show how useful a binding has been',
  'the last 30 days of one',
  { days: { type: 'number', least: 1, most: 3_650, describe: 'the number of days to report on (30)' } },
  async (handle, { id }, { terminal, options }) => {
    const windowDays = options.number('days') ?? 30
    const health = await handle.bindings.health({ binding: id, windowDays })
    if (terminal.json) {
      terminal.document(health)
      return
    }
    const rate = health.userEngagementRate
    printPairs(terminal, [
      ['of its documents, acted on', rate === null ? 'none yet' : `${Math.round(rate * 100)} %`],
      ['events', health.totalFires],
      ['confirmed', health.confirmedCount],
      ['rejected', health.rejectedCount],
      ['gone from the source', health.softDeletedCount],
      ['not readable', health.extractionFailedCount],
      ['over', formatCount(windowDays, 'day')],
    ])
  },
)

const judges = (verdict: 'confirm' | 'reject', summary: string): Command => ({
  name: `bindings ${verdict}`,
  summary,
  arguments: [{ name: 'contribution' }],
  options: {},
  examples: [
    { line: `bindings ${verdict} 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61`, does: 'by its id in the log' },
  ],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const judged = await handle.bindings.judge({ contribution: args[0] ?? '', verdict })
    if (terminal.json) terminal.document(judged)
    else terminal.line(`${toOneLine(judged.document ?? judged.contribution)} is ${judged.state}`)
  },
})

const watchCommand: Command = {
  name: 'watch',
  summary: 'Watch all active bindings, until Ctrl-C',
  arguments: [],
  options: {
    every: {
      type: 'number',
      value: 'SECONDS',
      least: 0.1,
      most: 86_400,
      describe: 'seconds between two scans (5 for folders, 900 for feeds)',
    },
  },
  examples: [{ line: 'watch', does: 'take in what comes into the folders and feeds of privity bindings' }],
  needs: 'access',
  async run({ options, open, terminal, env }) {
    const { handle } = await open()
    const { bindings } = await handle.bindings.list()
    const active = bindings.filter(({ state }) => state === 'active')
    if (active.length === 0)
      throw new PrivityError('not_found', 'nothing is watched; add a folder with privity bindings add')
    const { signal, done } = untilInterrupted()
    const every = options.number('every')
    try {
      await watchAll(handle, active, {
        terminal,
        signal,
        env,
        ...(every === undefined ? {} : { intervalMs: every * 1_000 }),
      })
    } finally {
      done()
    }
  },
}

/** Watches until interrupted, and prints what happens. */
export async function watchAll(
  handle: Handle,
  watches: readonly Watch[],
  {
    terminal,
    signal,
    env,
    intervalMs,
  }: {
    terminal: Terminal
    signal: AbortSignal
    env: Context['env']
    intervalMs?: number
  },
): Promise<void> {
  const { watchFolder } = await import('../../watching/watch-folder.js')
  const { watchFeed } = await import('../../watching/watch-feed.js')
  if (!terminal.json) terminal.note(`watching ${formatCount(watches.length, 'place')}; Ctrl-C stops`)
  await Promise.all(
    watches.map(watch => {
      const options: WatchOptions = {
        signal,
        ...(intervalMs === undefined ? {} : { intervalMs }),
        onProblem: ({ document, problem }) =>
          sayProblem(terminal, null, { document: document ?? watch.name, problem }),
        onFire(entries) {
          for (const { document, outcome } of entries) {
            if (terminal.json) terminal.document({ binding: watch.name, document, outcome })
            else terminal.line(`${outcome}: ${toOneLine(document)}`)
          }
        },
      }
      return watch.kind === 'folder'
        ? watchFolder(handle, watch, options)
        : watchFeed(handle, watch, { ...options, allowPrivate: env.PRIVITY_FEEDS_PRIVATE === 'on' })
    }),
  )
}

export const WATCH_COMMANDS = [
  watchesList,
  watchesAdd,
  setsState('pause', 'Pause a binding: nothing is taken from it for now', 'paused'),
  setsState('resume', 'Resume a paused binding', 'active'),
  watchesRemove,
  watchesLog,
  watchesHealth,
  judges('confirm', 'Confirm what a binding brought'),
  judges('reject', 'Reject what a binding brought: the same file is not brought again'),
  watchCommand,
]
