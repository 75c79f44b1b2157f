import type { Values } from './command.js'
import { omitUndefined } from './omit-undefined.js'
import { type Column, printTable } from './output/table.js'
import type { Terminal } from './output/terminal.js'

/** The options of commands that print one page at a time. */
export const PAGE = {
  limit: { type: 'number', least: 1, describe: 'how many (50)' },
  cursor: { type: 'text', value: 'CURSOR', describe: 'continue after an earlier page' },
} as const

/** The page options as operations expect them. */
export const readPageOptions = (options: Values) =>
  omitUndefined({ limit: options.number('limit'), cursor: options.text('cursor') })

/** Prints a page as JSON, or as a table followed by how to get the next one. */
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
