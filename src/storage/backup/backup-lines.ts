import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'

/**
 * A backup is text, a line for each row as JSON. Lines that begin with `#` frame them: one at the beginning, one before
 * and one after the rows of each table, and one at the end. The digest of a table is of its lines, so that a row that
 * was altered, added, removed or moved is noticed; the digest at the end is of all framing lines.
 */
export const FORMAT = 1

const header = z.object({
  privity: z.literal('backup'),
  format: z.int(),
  schema: z.int(),
  engine: z.enum(['pglite', 'postgres']),
  createdAt: z.iso.datetime(),
  /** Of a copy of one tenant: its name. */
  tenant: z.string().optional(),
})
export type BackupHeader = z.infer<typeof header>

const tableStart = z.object({ table: z.string(), columns: z.array(z.string()) })
const tableEnd = z.object({ end: z.string(), rows: z.int(), sha256: z.string() })
const backupEnd = z.object({ complete: z.literal(true), tables: z.int(), rows: z.int(), sha256: z.string() })

export const frame = (content: object) => `#${JSON.stringify(content)}\n`

/** Counts and hashes the lines of one table. */
export class TableDigest {
  readonly #hash: Hash = createHash('sha256')
  rows = 0

  add(row: string): void {
    this.#hash.update(row).update('\n')
    this.rows++
  }

  hex(): string {
    return this.#hash.digest('hex')
  }
}

/** What a reader of a backup meets, in order. Rows come as they stand in the file, as JSON. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'row'; readonly row: string }
  | { readonly kind: 'table-end'; readonly table: string; readonly rows: number }
  | { readonly kind: 'end'; readonly tables: number; readonly rows: number }

/** Reads the lines of a backup and checks that it is whole and unaltered. Throws `invalid_input` if it is not. */
export async function* readBackupLines(lines: AsyncIterable<string>): AsyncGenerator<BackupPart> {
  const whole = createHash('sha256')
  let state: 'start' | 'between' | 'rows' | 'end' = 'start'
  let digest = new TableDigest()
  let table = ''
  let tables = 0
  let rows = 0
  for await (const line of lines) {
    if (state === 'end') throw damaged('something follows its end')
    if (!line.startsWith('#')) {
      if (state !== 'rows')
        throw state === 'start' ? notABackup() : damaged('a row stands outside of a table')
      digest.add(line)
      yield { kind: 'row', row: line }
      continue
    }
    const content = parseFrame(line, state)
    if (state === 'start') {
      const head = header.safeParse(content).data
      if (head === undefined) throw notABackup()
      if (head.format > FORMAT)
        throw new PrivityError(
          'invalid_input',
          `this backup has format ${head.format}, and this version of privity reads up to ${FORMAT}; upgrade privity`,
        )
      yield { kind: 'header', header: head }
      state = 'between'
    } else if (state === 'rows') {
      const end = tableEnd.safeParse(content).data
      if (end === undefined || end.end !== table) throw damaged(`table ${table} does not end`)
      if (end.rows !== digest.rows)
        throw damaged(`table ${table} has ${digest.rows} rows instead of ${end.rows}`)
      if (end.sha256 !== digest.hex()) throw damaged(`table ${table} does not match its checksum`)
      yield { kind: 'table-end', table, rows: end.rows }
      rows += end.rows
      state = 'between'
    } else {
      const start = tableStart.safeParse(content).data
      if (start !== undefined) {
        table = start.table
        digest = new TableDigest()
        tables++
        yield { kind: 'table', table, columns: start.columns }
        state = 'rows'
      } else {
        const end = backupEnd.safeParse(content).data
        if (end === undefined) throw damaged('a line is not understood')
        if (end.tables !== tables || end.rows !== rows || end.sha256 !== whole.copy().digest('hex'))
          throw damaged('its end does not match what stands before it')
        yield { kind: 'end', tables, rows }
        state = 'end'
      }
    }
    whole.update(line).update('\n')
  }
  if (state === 'start') throw notABackup()
  if (state !== 'end') throw damaged('it ends too early')
}

function parseFrame(line: string, state: string): unknown {
  try {
    return JSON.parse(line.slice(1))
  } catch {
    throw state === 'start' ? notABackup() : damaged('a line is not understood')
  }
}

const notABackup = () =>
  new PrivityError(
    'invalid_input',
    'this file is not a backup of privity, or it is encrypted with another key',
  )

export const damaged = (how: string) =>
  new PrivityError('invalid_input', `the backup is damaged: ${how}; nothing was restored`)
