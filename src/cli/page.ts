import type { Values } from './command.js'
import { omitUndefined } from './omit-undefined.js'
import { type Column, printTable } from './output/table.js'
import type { Terminal } from './output/terminal.js'

/** The options of a command that answers a page at a time. */
export const PAGE = {
  limit: { type: 'number', least: 1, describe: 'how many (50)' },
  cursor: { type: 'text', value: 'CURSOR', describe: 'go on after an earlier page' },
} as const

/** What they say, as operations take it. */
export const readPageOptions = (options: Values) =>
  omitUndefined({ limit: options.number('limit'), cursor: options.text('cursor') })

/** A page as JSON, or as a table and how to go on after it. */
export function printPage<Row>(
  terminal: Terminal,
  page: { readonly cursor: string | null },
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  whenEmpty: string,
): void {
  if (terminal.json) {
    terminal.document(page)
    return
  }
  printTable(terminal, rows, columns, whenEmpty)
  printMore(terminal, page)
}

export function printMore(terminal: Terminal, { cursor }: { readonly cursor: string | null }): void {
  if (cursor !== null) terminal.note(`more with --cursor ${cursor}`)
}
