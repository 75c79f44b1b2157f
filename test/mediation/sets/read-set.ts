import { readFileSync } from 'node:fs'

/** A rated message, and whether it is held back from tuning. */
export interface RatedMessage<Column extends string> {
  readonly heldBack: boolean
  readonly fields: Readonly<Record<Column, string>>
}

/** Reads a rated set: one message a line, columns split by tabs. Every second line is held back. */
export function readSet<const Column extends string>(
  name: string,
  columns: readonly Column[],
): RatedMessage<Column>[] {
  const lines = readFileSync(new URL(`${name}.tsv`, import.meta.url), 'utf8').split('\n')
  return lines
    .filter(line => line !== '' && !line.startsWith('#'))
    .map((line, at) => {
      const values = line.split('\t')
      if (values.length !== columns.length) throw new Error(`${name}, line ${at + 1}: ${line}`)
      const fields = Object.fromEntries(columns.map((column, place) => [column, values[place] ?? '']))
      return { heldBack: at % 2 === 1, fields: fields as Record<Column, string> }
    })
}

/** The names in a column that holds several. */
export const namesOf = (column: string): string[] => (column === '-' ? [] : column.split(','))
