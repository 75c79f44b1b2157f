import { PrivityError } from '../errors.js'

type Scalar = string | number | boolean | null | Date | Uint8Array

/** A value that can be bound to `$n`. JSON is bound as its text. */
export type Param = Scalar | readonly Scalar[]

/**
 * Runs one statement per call; both engines refuse a text with several.
 *
 * Both engines return the same values: int8, xid8, numeric, date and timestamp as strings, timestamptz as Date
 * (infinity as the first or last Date there is), json and jsonb parsed, bytea as Uint8Array, arrays as arrays of
 * these.
 */
export interface Transaction {
  query<Row>(sql: string, params?: readonly Param[]): Promise<Row[]>
}

export interface TransactionOptions {
  access: 'read' | 'write'
  /** The role that runs the statements; null is the connecting role. */
  role: string | null
  settings: Readonly<Record<string, string>>
}

export interface StatementOptions {
  /** `log` writes what nothing rests on that a process remembers: the audit and what belongs to it. */
  access: 'read' | 'write' | 'log'
  /** The tenant whose turn it is. */
  tenant: string
}

export interface Database {
  readonly engine: 'postgres' | 'pglite'
  /**
   * Runs one transaction: 'read' is repeatable read, read only; 'write' is read committed. Role and settings are
   * transaction-local. Commits when `fn` returns, rolls back when it throws.
   *
   * `fn` must be safe to repeat: after a deadlock or a serialization failure it is run again. It may not open a
   * transaction of its own, since PGlite has one connection and would wait for itself.
   */
  transaction<T>(options: TransactionOptions, fn: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs one statement that is a transaction of its own, as the connecting role. It is how functions are called that
   * run as another role (`stored-function.ts`): one round trip, and what it reads is one snapshot. It must be safe to
   * repeat, as must `fn` of a transaction.
   */
  statement<Row>(options: StatementOptions, sql: string, params?: readonly Param[]): Promise<Row[]>
  /** Runs a script of several statements as the connecting role, in one transaction. Only for set-up. */
  script(sql: string): Promise<void>
  /**
   * Only of an embedded store in a folder: copies its files into another folder, as they are between two transactions.
   * Requests wait only for the copying, so that a backup can be made of the copy.
   */
  copyFiles?(folder: string): Promise<void>
  /** Waits for running transactions, then closes the database. */
  close(): Promise<void>
}

/** Called with the text of every statement before it runs, in order; never with a value. */
export type Observe = (sql: string) => void

/**
 * Set for each transaction, so that the text of values, and so their parsing, does not depend on the server's
 * configuration.
 */
const CONNECTION_SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
}

/**
 * Begins a transaction and sets role and settings in one text, which takes one round trip. `show` formats a value.
 */
export function beginStatement(
  options: TransactionOptions,
  show: (value: string) => string = literal,
): string {
  const mode =
    options.access === 'read'
      ? 'isolation level repeatable read read only'
      : 'isolation level read committed read write'
  const settings = Object.entries({ ...CONNECTION_SETTINGS, ...options.settings })
  // The role comes last, so that the connecting role makes the settings.
  if (options.role !== null) settings.push(['role', options.role])
  const calls = settings.map(([name, value]) => `set_config(${literal(name)}, ${show(value)}, true)`)
  return `begin ${mode}; select ${calls.join(', ')}`
}

/** A string literal that is valid whatever the value of standard_conforming_strings. */
export function literal(value: string): string {
  if (value.includes('\0'))
    throw new PrivityError('invalid_input', 'a setting must not contain a NUL character')
  const quoted = `'${value.replaceAll("'", "''")}'`
  return value.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}
