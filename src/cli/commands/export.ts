import { existsSync } from 'node:fs'
import { PrivityError } from '../../errors.js'
import type { Command } from '../command.js'
import { CommandStopped, INTERRUPTED, untilInterrupted } from '../command-stopped.js'
import { ProgressBar } from '../output/progress-bar.js'
import { formatBytes, formatCount, formatDuration } from '../output/text.js'
import { FILTER_OPTIONS, filtersOf } from './records.js'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Export everything you may see as JSON lines, which import takes back',
  arguments: [{ name: 'file', optional: true }],
  options: {
    ...FILTER_OPTIONS,
    restart: { type: 'flag', describe: 'start over instead of resuming an interrupted export' },
    force: { type: 'flag', describe: 'overwrite an existing file' },
  },
  examples: [
    { line: 'export memory.jsonl', does: 'to a file; the same again goes on where it stopped' },
    { line: 'export --tag travel | gzip > travel.jsonl.gz', does: 'to a pipe' },
  ],
  needs: 'access',
  completesFiles: true,
  async run({ args, options, open, terminal }) {
    const [file = '-'] = args
    if (file !== '-' && existsSync(file) && !options.flag('force'))
      throw new PrivityError(
        'conflict',
        `${file} exists already; choose another file, or overwrite it with --force`,
      )
    const { exportFile } = await import('../../transfer/export-file.js')
    const { exportPages } = await import('../../transfer/export-records.js')
    const { handle } = await open()
    const query = filtersOf(options)
    const { signal, done } = untilInterrupted()
    const progress = new ProgressBar(terminal, 'record')
    try {
      if (file === '-') {
        let exported = 0
        for await (const { lines } of exportPages(handle, query)) {
          await terminal.stream(lines.map(line => `${line}\n`).join(''))
          exported += lines.length
          progress.show({ done: exported, share: null })
          if (signal.aborted) throw new CommandStopped(INTERRUPTED)
        }
        progress.clear()
        return
      }
      const result = await exportFile(handle, file, {
        query,
        restart: options.flag('restart'),
        signal,
        onProgress: ({ exported }) => progress.show({ done: exported, share: null }),
      })
      progress.clear()
      if (terminal.json) terminal.document({ file, ...result })
      else
        terminal.line(
          `exported ${formatCount(result.exported, 'record')} (${formatBytes(result.bytes)}) in ${formatDuration(progress.elapsedMs)}`,
        )
      if (!result.stopped) return
      if (!terminal.json) terminal.note(`stopped; run the same command again to go on with ${file}.partial`)
      throw new CommandStopped(INTERRUPTED)
    } finally {
      progress.clear()
      done()
    }
  },
}
