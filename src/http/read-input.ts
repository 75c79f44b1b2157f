import { z } from 'zod'
import { PrivityError } from '../errors.js'
import type { Operation } from '../runtime/operation.js'

/** How a field is written in a query string. */
type Spelling = 'text' | 'number' | 'boolean' | 'json' | 'list'

/**
 * Makes the input of an operation from the path, the query and the body. The operation's schema reports what is
 * wrong.
 */
export type ReadInput = (
  path: Readonly<Record<string, string>>,
  query: URLSearchParams,
  body: unknown,
) => Record<string, unknown>

export function inputReader(operation: Operation): ReadInput {
  const takesBody = !/^(?:GET|DELETE) /.test(operation.route)
  const spelling: ReadonlyMap<string, Spelling> = takesBody ? new Map() : spellingsOf(operation)
  return (path, query, body) => {
    const given = takesBody ? objectOf(body) : fromQuery(query, spelling)
    for (const name of Object.keys(path))
      if (Object.hasOwn(given, name))
        throw new PrivityError('invalid_input', `${name}: is in the path already; leave it out here`)
    return { ...given, ...path }
  }
}

/** Reads fields from a query string. */
export function queryReader(operation: Operation): (query: URLSearchParams) => Record<string, unknown> {
  const spelling = spellingsOf(operation)
  return query => fromQuery(query, spelling)
}

function objectOf(body: unknown): Record<string, unknown> {
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new PrivityError('invalid_input', 'the body must be a JSON object')
  // Spreading would take an own field `__proto__` for the prototype.
  if (Object.hasOwn(body, '__proto__'))
    throw new PrivityError('invalid_input', 'the body must not contain the key __proto__')
  return body as Record<string, unknown>
}

function fromQuery(query: URLSearchParams, spelling: ReadonlyMap<string, Spelling>): Record<string, unknown> {
  const given = new Map<string, unknown>()
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name)
    const how = spelling.get(name) ?? 'text'
    if (how !== 'list' && values.length > 1)
      throw new PrivityError('invalid_input', `${name.slice(0, 40)}: is given more than once`)
    given.set(name, how === 'list' ? listOf(values) : readValue(values[0] ?? '', how))
  }
  return Object.fromEntries(given)
}

/** An empty list is written as its name without a value. */
const listOf = (values: readonly string[]) => (values.length === 1 && values[0] === '' ? [] : [...values])

/** A value that does not fit its type is left as it is, so that the schema rejects it. */
function readValue(value: string, how: Spelling): unknown {
  if (how === 'number' && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value)
  if (how === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (how !== 'json') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function spellingsOf({ input }: Operation): ReadonlyMap<string, Spelling> {
  const { properties = {} } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    // Named schemas would become references, which do not reveal their type.
    metadata: z.registry(),
  })
  return new Map(Object.entries(properties).map(([name, schema]) => [name, spellingOf(schema)]))
}

function spellingOf(schema: z.core.JSONSchema._JSONSchema): Spelling {
  if (typeof schema === 'boolean') return 'text'
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return 'list'
    case 'object':
      return 'json'
    default:
      return 'text'
  }
}
