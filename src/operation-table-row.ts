import type { Positional, Route } from './runtime/operation.js'

/**
 * What is known about an operation without its schemas and code, which a browser client must not include: a row of
 * the table that `npm run generate` creates.
 */
export interface OperationTableRow {
  readonly route: Route
  /** The operation changes nothing, so it takes no idempotency key and can be retried. */
  readonly reads?: true
  /** The operation may return null, which over HTTP is `not_found`. */
  readonly answersNull?: true
  readonly answeredOnce?: true
  readonly method?: string
  readonly positional?: Positional
  /** The first argument of its method is a list or a single item. */
  readonly many?: true
  readonly answers?: string
}

/** The path of an operation's method: `groups.add_member` is `groups.addMember`, and `memory.get` is `get`. */
export function methodOf(name: string, { method }: Pick<OperationTableRow, 'method'>): string {
  return (method ?? name)
    .replace(/^memory\./, '')
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
