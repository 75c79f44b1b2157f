import type { Terminal } from './terminal.js'
import { cut, displayWidth, onOneLine, padEnd } from './text.js'

export interface Column<Row> {
  readonly title: string
  text(row: Row): string | number | null | undefined
}

const GAP = 2
const LEAST = 6

/** Prints rows under their titles, in columns that together fit the terminal. */
export function printTable<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  whenEmpty: string,
): void {
  if (rows.length === 0) {
    terminal.line(whenEmpty)
    return
  }
  const cells = rows.map(row => columns.map(column => onOneLine(String(column.text(row) ?? ''))))
  const widths = columns.map((column, at) =>
    Math.max(displayWidth(column.title), ...cells.map(row => displayWidth(row[at] ?? ''))),
  )
  narrow(widths, terminal.width)
  const show = (row: readonly string[]) =>
    row
      .map((cell, at) => padEnd(cut(cell, widths[at] ?? 0), widths[at] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd()
  terminal.line(terminal.style('dim', show(columns.map(({ title }) => title))))
  for (const row of cells) terminal.line(show(row))
}

/** Takes from the widest until all fit. */
function narrow(widths: number[], width: number): void {
  for (;;) {
    const total = widths.reduce((sum, each) => sum + each, 0) + GAP * (widths.length - 1)
    const widest = widths.indexOf(Math.max(...widths))
    if (total <= width || (widths[widest] ?? 0) <= LEAST) return
    widths[widest] = Math.max(
      LEAST,
      (widths[widest] ?? 0) - (total - width),
      secondWidest(widths, widest) - 1,
    )
  }
}

const secondWidest = (widths: readonly number[], widest: number) =>
  Math.max(0, ...widths.filter((_, at) => at !== widest))

/** Prints names and what they stand for. */
export function printPairs(
  terminal: Terminal,
  pairs: readonly (readonly [string, string | number | null | undefined])[],
): void {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(0, ...shown.map(([name]) => displayWidth(name)))
  for (const [name, value] of shown)
    terminal.line(
      `${terminal.style('dim', padEnd(name, width))}${' '.repeat(GAP)}${onOneLine(String(value))}`,
    )
}
