import type { JsonSchemaType } from '@modelcontextprotocol/server'
import { z } from 'zod'
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
    override: ({ zodSchema, jsonSchema }) => spellMoment(zodSchema, jsonSchema),
  })
  return part(whole as Schema, input, fields) as JsonSchemaType
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
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    required: required.filter(name => name in fields),
    additionalProperties: false,
  }
}

/** A moment may be a Date in the library; in JSON it is a string. */
function spellMoment(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
  const { def } = schema._zod
  if (def.type !== 'union' || !def.options.some(option => option._zod.def.type === 'date')) return
  delete json.anyOf
  Object.assign(json, { type: 'string', format: 'date-time' })
}

/** The fields of an object, or of the objects in a list. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  if (def.type === 'object') return def.shape
  if (def.type === 'array') return shapeOf(def.element)
  return 'innerType' in def ? shapeOf(def.innerType) : {}
}
