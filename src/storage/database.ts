import { PrivityError } from '../errors.js'

type Scalar = string | number | boolean | null | Date | Uint8Array

/** What may be bound to `$n`. JSON is bound as its text. */
export type Param = Scalar | readonly Scalar[]

/**
 * One statement per call; several in one text are refused by both engines.
 *
 * Values come back alike on both: int8, xid8, numeric, date and timestamp as strings, timestamptz as Date (infinity
 * as the first or last Date there is), json and jsonb parsed, bytea as Uint8Array, arrays as arrays of these.
 */
export interface Transaction {
  query<Row>(sql: string, params?: readonly Param[]): Promise<Row[]>
}

export interface TransactionOptions {
  access: 'read' | 'write'
  /** The role the statements run as; null is the connecting role. */
  role: string | null
  settings: Readonly<Record<string, string>>
}

export interface Database {
  readonly engine: 'postgres' | 'pglite'
  /**
   * One transaction: 'read' is repeatable read, read only; 'write' is read committed. Role and settings are
   * transaction-local. Commits when `fn` returns, rolls back when it throws.
   *
   * `fn` must be safe to repeat: after a deadlock or a serialization failure it is run again. It may not open a
   * transaction of its own, since PGlite has one connection and would wait for itself.
   */
  transaction<T>(options: TransactionOptions, fn: (tx: Transaction) => Promise<T>): Promise<T>
  /** Runs a script of several statements as the connecting role (set-up only), in one transaction. */
  script(sql: string): Promise<void>
  /** Waits for the running transactions. */
  close(): Promise<void>
}

/** Called with the text of every statement, in order and before it runs; never with a value. */
export type Observe = (sql: string) => void

/** Fixed for each transaction so that text, and so parsed values, do not depend on how a server is set up. */
const CONNECTION_SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
}

/** Begin, settings and role as one text, so one round trip; `show` writes a value into it. */
export function beginStatement(
  options: TransactionOptions,
  show: (value: string) => string = literal,
): string {
  const mode =
    options.access === 'read'
      ? 'isolation level repeatable read read only'
      : 'isolation level read committed read write'
  const settings = Object.entries({ ...CONNECTION_SETTINGS, ...options.settings })
  // The role comes last: the settings are made by the connecting role.
  if (options.role !== null) settings.push(['role', options.role])
  const calls = settings.map(([name, value]) => `set_config(${literal(name)}, ${show(value)}, true)`)
  return `begin ${mode}; select ${calls.join(', ')}`
}

/** A string literal that means the same whatever standard_conforming_strings says. */
export function literal(value: string): string {
  if (value.includes('\0')) throw new PrivityError('invalid_input', 'a setting may not hold a nul character')
  const quoted = `'${value.replaceAll("'", "''")}'`
  return value.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}
