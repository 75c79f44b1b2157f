import type { Positional, Route } from './runtime/operation.js'

/**
 * What is known of an operation without its schemas and its code, which a client in a browser must not carry: a row of
 * the table that `npm run generate` makes.
 */
export interface OperationTableRow {
  readonly route: Route
  /** It changes nothing: it takes no idempotency key, and may be asked again. */
  readonly reads?: true
  /** Null where there is nothing to be seen: over HTTP that is `not_found`. */
  readonly answersNull?: true
  readonly answeredOnce?: true
  readonly method?: string
  readonly positional?: Positional
  /** The first argument of its method is a list, or one of it. */
  readonly many?: true
  readonly answers?: string
}

/** Where the method of an operation stands: `groups.add_member` is `groups.addMember`, and `memory.get` is `get`. */
export function methodOf(name: string, { method }: Pick<OperationTableRow, 'method'>): string {
  return (method ?? name)
    .replace(/^memory\./, '')
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
