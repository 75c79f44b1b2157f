import { noteOf } from './field-notes.js'
import type { JsonSchema } from './json-schemas.js'

/** An input that a schema takes: what is required, with the values that the notes on fields name. */
export function exampleOf(
  schema: JsonSchema,
  operation: string,
  shared: Readonly<Record<string, JsonSchema>>,
  field = '',
): unknown {
  const known = noteOf(operation, field)?.example
  if (
    known !== undefined &&
    (schema.type === 'object') === (typeof known === 'object' && !Array.isArray(known))
  )
    return known
  const of = (part: JsonSchema, name = field) => exampleOf(part, operation, shared, name)
  if (schema.$ref !== undefined) return of(shared[schema.$ref.replace('#/components/schemas/', '')] ?? {})
  const [first] = schema.oneOf ?? schema.anyOf ?? []
  if (first !== undefined) return of(first)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map(name => [name, of(schema.properties?.[name] ?? {}, name)]),
      )
    case 'array':
      return typeof schema.items === 'object' ? [of(schema.items)] : []
    case 'number':
    case 'integer':
      return schema.minimum ?? 0
    case 'boolean':
      return true
    default:
      return 'a word'
  }
}
