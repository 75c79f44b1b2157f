import { z } from 'zod'
import { descriptionOf } from '../runtime/fields.js'
import { id, moment } from '../runtime/input.js'

/** The part of JSON Schema that is used here. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  example?: unknown
  const?: unknown
  enum?: unknown[]
  default?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  items?: JsonSchema | boolean
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

/** Converts the schemas of operations to JSON Schema, and collects shared definitions. */
export class JsonSchemas {
  readonly #shared = new Map<string, JsonSchema>()

  /** The shared schemas, by name. */
  get shared(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#shared].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const made = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => amend(zodSchema, jsonSchema as JsonSchema),
    })
    const { $schema: _, $defs = {}, ...root } = JSON.parse(JSON.stringify(made).replace(REFERENCE, renamed))
    for (const [given, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      const name = given.replace(ANONYMOUS, JSON_VALUE)
      const { id: _, ...described } = definition as JsonSchema & { id?: string }
      if (!this.#shared.has(name)) this.#shared.set(name, withTimes(described))
    }
    return withTimes(root)
  }
}

/** Only the schema of arbitrary JSON refers to itself. */
const ANONYMOUS = /^__schema\d+$/
const JSON_VALUE = 'Json'
const REFERENCE = /"#\/\$defs\/(\w+)"/g
const renamed = (_: string, name: string) => `"#/components/schemas/${name.replace(ANONYMOUS, JSON_VALUE)}"`

const SPELLINGS = new Map<unknown, JsonSchema>([
  [moment, { type: 'string', format: 'date-time' }],
  [id, { type: 'string', format: 'uuid' }],
])
const OF_A_FIELD = new Set(['$ref', 'description', 'example', 'default'])

/** Adds what the conversion cannot know: the format of ids and times, and refinements in words. */
function amend(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  const shared = sharedAncestor(zodSchema)
  const spelling = SPELLINGS.get(zodSchema)
  if (spelling !== undefined || SPELLINGS.has(shared)) {
    for (const key of Object.keys(schema)) if (!OF_A_FIELD.has(key)) delete schema[key as keyof JsonSchema]
    Object.assign(schema, spelling)
    return
  }
  // A field keeps its own description, even if its schema has one too.
  const own = z.globalRegistry.get(zodSchema)?.description
  if (schema.$ref !== undefined && own !== undefined) schema.description = own
  if (schema.format === 'uuid' || schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  const rules = rulesOf(zodSchema)
  if (rules.length === 0) return
  const most = rules.map(rule => /^must be at most (\d+) bytes$/.exec(rule)?.[1]).find(Boolean)
  if (schema.type === 'string') {
    // Every character takes at least one byte, so the limit in bytes is also one in characters.
    if (most !== undefined) schema.maxLength = Number(most)
    if (rules.includes('must not be empty')) schema.minLength = 1
  }
  const said = `${rules.join('; ').replace(/^m/, 'M')}.`
  schema.description = [descriptionOf(zodSchema), said].filter(Boolean).join(' ')
}

/** This rule applies to every text and is documented once. */
const STORABLE = 'must be well-formed Unicode without NUL'

/** The messages of a schema's refinements, without those that a shared schema already documents. */
function rulesOf(schema: z.core.$ZodType): string[] {
  const { def } = schema._zod
  const inner = 'innerType' in def && def.type !== 'nullable' ? (def.innerType as z.core.$ZodType) : undefined
  const within = inner === undefined || isShared(inner) ? [] : rulesOf(inner)
  const shared = sharedAncestor(schema)
  const saidThere = shared === undefined ? [] : messagesOf(shared)
  return [...within, ...messagesOf(schema)].filter(rule => rule !== STORABLE && !saidThere.includes(rule))
}

function messagesOf({ _zod: { def } }: z.core.$ZodType): string[] {
  return (def.checks ?? []).flatMap(check => {
    const { error } = check._zod.def
    if (check._zod.def.check !== 'custom' || error === undefined) return []
    const said = error({ code: 'custom', path: [], input: undefined } as never)
    return typeof said === 'string' ? [said] : []
  })
}

const isShared = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.id !== undefined

/** The named schema that this one extends by a description or a rule. */
function sharedAncestor({ _zod: { parent } }: z.core.$ZodType): z.core.$ZodType | undefined {
  if (parent === undefined) return undefined
  return isShared(parent) ? parent : sharedAncestor(parent)
}

/** Marks every time in an answer as a date-time. */
function withTimes(schema: JsonSchema): JsonSchema {
  const result = { ...schema }
  if (schema.properties)
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, part]) => [field, asTime(field, withTimes(part))]),
    )
  if (typeof schema.items === 'object') result.items = withTimes(schema.items)
  if (typeof schema.additionalProperties === 'object')
    result.additionalProperties = withTimes(schema.additionalProperties)
  if (schema.anyOf) result.anyOf = schema.anyOf.map(withTimes)
  if (schema.oneOf) result.oneOf = schema.oneOf.map(withTimes)
  return result
}

const asTime = (field: string, schema: JsonSchema): JsonSchema =>
  /(?:^a|A)t$/.test(field) && schema.$ref === undefined && isText(schema)
    ? { ...schema, format: 'date-time' }
    : schema

const isText = ({ type }: JsonSchema) => type === 'string' || (Array.isArray(type) && type.includes('string'))
