import type { Terminal } from './terminal.js'
import { displayWidth, padEnd, toOneLine, truncate } from './text.js'

export interface Column<Row> {
  readonly title: string
  /** Never shortened, because half an id is useless. */
  readonly whole?: boolean
  /** The column is left out on a terminal narrower than this. */
  readonly from?: number
  text(row: Row): string | number | null | undefined
}

const GAP = 2
const LEAST = 6

/** Prints a table whose columns together fit the terminal. */
export function printTable<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  all: readonly Column<Row>[],
  whenEmpty: string,
): void {
  if (rows.length === 0) {
    terminal.line(whenEmpty)
    return
  }
  const columns = all.filter(({ from = 0 }) => terminal.width >= from)
  const cells = rows.map(row => columns.map(column => toOneLine(String(column.text(row) ?? ''))))
  const widths = columns.map((column, at) =>
    Math.max(displayWidth(column.title), ...cells.map(row => displayWidth(row[at] ?? ''))),
  )
  narrow(widths, terminal.width, at => columns[at]?.whole !== true)
  const show = (row: readonly string[]) =>
    row
      .map((cell, at) => padEnd(truncate(cell, widths[at] ?? 0), widths[at] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd()
  terminal.line(terminal.style('dim', show(columns.map(({ title }) => title))))
  for (const row of cells) terminal.line(show(row))
}

/** Shrinks the widest columns that may shrink until all fit. */
function narrow(widths: number[], width: number, mayBe: (at: number) => boolean): void {
  for (;;) {
    const total = widths.reduce((sum, each) => sum + each, 0) + GAP * (widths.length - 1)
    const [widest, second] = widths
      .map((each, at) => ({ each, at }))
      .filter(({ at }) => mayBe(at))
      .sort((a, b) => b.each - a.each)
    if (total <= width || widest === undefined || widest.each <= LEAST) return
    widths[widest.at] = Math.max(LEAST, widest.each - (total - width), (second?.each ?? 0) - 1)
  }
}

/** Prints names with their values. */
export function printPairs(
  terminal: Terminal,
  pairs: readonly (readonly [string, string | number | null | undefined])[],
): void {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(0, ...shown.map(([name]) => displayWidth(name)))
  for (const [name, value] of shown)
    terminal.line(
      `${terminal.style('dim', padEnd(name, width))}${' '.repeat(GAP)}${toOneLine(String(value))}`,
    )
}
