import type { JsonSchemaType } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { DOCUMENT_KINDS, MEMORY_KINDS } from '../policy/vocabulary.js'
import { descriptionOf } from '../runtime/fields.js'

/**
 * The input fields that a model is shown, with their descriptions: `true` for the operation's own description, or a
 * text written for models; for an object or a list of objects, also their fields.
 */
export interface ToolFields {
  readonly [field: string]: true | string | { readonly description: string; readonly fields: ToolFields }
}

interface Schema {
  [keyword: string]: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

/** The part of an operation's input schema that a tool shows. Throws if the operation has no such field. */
export function toolSchema(input: z.ZodType, fields: ToolFields): JsonSchemaType {
  const { $schema: _, ...whole } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    // Titles and examples are left out, because every word of a tool costs tokens.
    metadata: z.registry(),
    override: ({ zodSchema, jsonSchema }) => {
      spellMoment(zodSchema, jsonSchema)
      shorten(jsonSchema)
    },
  })
  return { ...part(whole as Schema, input, fields), additionalProperties: false } as JsonSchemaType
}

function part(
  { properties = {}, required = [] }: Schema,
  input: z.core.$ZodType,
  fields: ToolFields,
): Schema {
  const declared = shapeOf(input)
  const shown = Object.entries(fields).map(([name, told]) => {
    const whole = properties[name]
    const field = declared[name]
    if (whole === undefined || field === undefined) throw new Error(`the operation has no field ${name}`)
    if (told === true) return [name, { ...whole, description: descriptionOf(field) }] as const
    if (typeof told === 'string') return [name, { ...whole, description: told }] as const
    const { items, ...list } = whole
    if (items === undefined)
      return [name, { description: told.description, ...part(whole, field, told.fields) }] as const
    return [name, { ...list, description: told.description, items: part(items, field, told.fields) }] as const
  })
  const needed = required.filter(name => name in fields)
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    ...(needed.length > 0 && { required: needed }),
  }
}

/** A moment may be a Date in the library; in JSON it is a string. */
function spellMoment(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
  const { def } = schema._zod
  if (def.type !== 'union' || !def.options.some(option => option._zod.def.type === 'date')) return
  delete json.anyOf
  Object.assign(json, { type: 'string', format: 'date-time' })
}

/** Bounds and patterns that the operation checks, in words of its own, and that cost a model more than they tell it. */
const CHECKED = [
  'pattern',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'additionalProperties',
]
/** The kinds of records that agents read and write; those of mediations have operations of their own. */
const KINDS_FOR_AGENTS: readonly string[] = [...MEMORY_KINDS, ...DOCUMENT_KINDS]

function shorten(json: z.core.JSONSchema.BaseSchema): void {
  for (const keyword of CHECKED) delete json[keyword]
  if (json.enum?.includes('episodic'))
    json.enum = json.enum.filter(kind => KINDS_FOR_AGENTS.includes(String(kind)))
  // What may be null may be left out as well, and one way to write a day is enough.
  const [first, ...others] = json.anyOf ?? []
  if (typeof first !== 'object' || others.length === 0 || !others.every(isNullOrText)) return
  delete json.anyOf
  if (json.default === null) delete json.default
  Object.assign(json, first)
  for (const keyword of CHECKED) delete json[keyword]
}

const isNullOrText = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  'type' in schema &&
  (schema.type === 'null' || schema.type === 'string')

/** The fields of an object, or of the objects in a list. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  if (def.type === 'object') return def.shape
  if (def.type === 'array') return shapeOf(def.element)
  return 'innerType' in def ? shapeOf(def.innerType) : {}
}
