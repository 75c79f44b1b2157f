import { z } from 'zod'
import { trustContext } from '../runtime/caller.js'
import { draft } from '../runtime/draft.js'
import { id, languageCode, moment, name, scopeName } from '../runtime/input.js'
import { searchResult } from '../runtime/operations/search.js'
import { storedRecord } from '../runtime/operations/stored.js'
import { recordView } from '../runtime/record-view.js'
import { expansionRecord, indexSnapshot, manifest, receipt } from '../runtime/search/receipt.js'
import { noteOf } from './field-notes.js'

/** A JSON Schema, as far as it is looked into here. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
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

/** Schemas that are described once, and referred to. */
const SHARED = z.registry<{ id: string }>()
const share = (schema: z.ZodType, id: string) => SHARED.add(schema, { id })
share(id, 'Id')
share(moment, 'Moment')
share(name, 'Name')
share(scopeName, 'ScopeName')
share(languageCode, 'LanguageCode')
share(trustContext, 'TrustContext')
share(draft, 'Draft')
share(storedRecord, 'StoredRecord')
share(recordView, 'RecordView')
share(searchResult, 'SearchResult')
share(receipt, 'Receipt')
share(manifest, 'Manifest')
share(indexSnapshot, 'IndexSnapshot')
share(expansionRecord, 'ExpansionRecord')

/** Turns the schemas of operations into JSON Schemas, gathering what they share. */
export class JsonSchemas {
  readonly #shared = new Map<string, JsonSchema>()

  /** What everything refers to, by name. */
  get shared(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#shared].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  of(schema: z.ZodType, io: 'input' | 'output', operation: string): JsonSchema {
    const made = z.toJSONSchema(schema, {
      io,
      metadata: SHARED,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => amend(zodSchema, jsonSchema as JsonSchema),
    })
    const { $schema: _, $defs = {}, ...root } = JSON.parse(JSON.stringify(made).replace(REFERENCE, renamed))
    for (const [given, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      const name = given.replace(ANONYMOUS, JSON_VALUE)
      const { id: _, ...described } = definition as JsonSchema & { id?: string }
      if (!this.#shared.has(name)) this.#shared.set(name, withNotes(described, ''))
    }
    return withNotes(root, operation)
  }
}

/** The only schema that refers to itself is that of any JSON. */
const ANONYMOUS = /^__schema\d+$/
const JSON_VALUE = 'Json'
const REFERENCE = /"#\/\$defs\/(\w+)"/g
const renamed = (_: string, name: string) => `"#/components/schemas/${name.replace(ANONYMOUS, JSON_VALUE)}"`

const MOMENT = { type: 'string', format: 'date-time', description: 'ISO 8601 with its offset.' }
const ID = { type: 'string', format: 'uuid' }

/** What a conversion cannot know: how ids and moments are spelt, and what refinements say in words. */
function amend(zodSchema: unknown, schema: JsonSchema): void {
  const spelling = zodSchema === moment ? MOMENT : zodSchema === id ? ID : null
  if (spelling !== null) {
    for (const key of Object.keys(schema)) delete schema[key as keyof JsonSchema]
    Object.assign(schema, spelling)
    return
  }
  if (schema.format === 'uuid' || schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  const rules = rulesOf(zodSchema as z.core.$ZodType).filter(rule => rule !== STORABLE)
  if (rules.length === 0) return
  const most = rules.map(rule => /^must be at most (\d+) bytes$/.exec(rule)?.[1]).find(Boolean)
  if (schema.type === 'string') {
    // No character is shorter than a byte.
    if (most !== undefined) schema.maxLength = Number(most)
    if (rules.includes('must not be empty')) schema.minLength = 1
  }
  schema.description = `${rules.join('; ').replace(/^m/, 'M')}.`
}

/** Of every text, and said once for all of them. */
const STORABLE = 'must be well-formed Unicode without NUL'

/** What the refinements of a schema say when they do not hold. */
function rulesOf({ _zod: { def } }: z.core.$ZodType): string[] {
  return (def.checks ?? []).flatMap(check => {
    const { error } = check._zod.def
    if (check._zod.def.check !== 'custom' || error === undefined) return []
    const said = error({ code: 'custom', path: [], input: undefined } as never)
    return typeof said === 'string' ? [said] : []
  })
}

/** The same, with every field described and every time in an answer marked as one. */
function withNotes(schema: JsonSchema, operation: string): JsonSchema {
  const within = (part: JsonSchema) => withNotes(part, operation)
  const result = { ...schema }
  if (schema.properties)
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, part]) => [
        field,
        described(field, within(part), operation),
      ]),
    )
  if (typeof schema.items === 'object') result.items = within(schema.items)
  if (typeof schema.additionalProperties === 'object')
    result.additionalProperties = within(schema.additionalProperties)
  if (schema.anyOf) result.anyOf = schema.anyOf.map(within)
  if (schema.oneOf) result.oneOf = schema.oneOf.map(within)
  return result
}

function described(field: string, schema: JsonSchema, operation: string): JsonSchema {
  const note = noteOf(operation, field)?.note
  const description = [note, schema.description].filter(Boolean).join(' ')
  const isTime = /(?:^a|A)t$/.test(field) && schema.$ref === undefined && isText(schema)
  return {
    ...schema,
    ...(isTime ? { format: 'date-time' } : {}),
    ...(description === '' ? {} : { description }),
  }
}

const isText = ({ type }: JsonSchema) => type === 'string' || (Array.isArray(type) && type.includes('string'))
