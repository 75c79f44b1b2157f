import type { JsonSchema } from './json-schemas.js'

/** A valid input for a schema: the required fields, with their examples. */
export function exampleOf(schema: JsonSchema, shared: Readonly<Record<string, JsonSchema>>): unknown {
  const of = (part: JsonSchema) => exampleOf(part, shared)
  if (schema.example !== undefined) return schema.example
  if (schema.$ref !== undefined) return of(shared[schema.$ref.replace('#/components/schemas/', '')] ?? {})
  const [first] = schema.oneOf ?? schema.anyOf ?? []
  if (first !== undefined) return of(first)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map(name => [name, of(schema.properties?.[name] ?? {})]),
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
