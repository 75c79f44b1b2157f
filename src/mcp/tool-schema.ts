import type { JsonSchemaType } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** Which fields of an input a model is shown, and what it is told of each; of an object or a list of them, the fields of those. */
export interface Fields {
  readonly [field: string]: string | { readonly description: string; readonly fields: Fields }
}

interface Schema {
  [keyword: string]: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

/** The part of an operation's input schema that a tool shows. A field that the operation does not have is a mistake here. */
export function toolSchema(input: z.ZodType, fields: Fields): JsonSchemaType {
  const { $schema: _, ...whole } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => spellMoment(zodSchema, jsonSchema),
  })
  return part(whole as Schema, fields) as JsonSchemaType
}

function part({ properties = {}, required = [] }: Schema, fields: Fields): Schema {
  const shown = Object.entries(fields).map(([name, told]) => {
    const whole = properties[name]
    if (whole === undefined) throw new Error(`the operation has no field ${name}`)
    if (typeof told === 'string') return [name, { ...whole, description: told }] as const
    const { items, ...list } = whole
    if (items === undefined)
      return [name, { description: told.description, ...part(whole, told.fields) }] as const
    return [name, { ...list, description: told.description, items: part(items, told.fields) }] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    required: required.filter(name => name in fields),
    additionalProperties: false,
  }
}

/** A moment may be a Date in the library; elsewhere it is text. */
function spellMoment(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
  const { def } = schema._zod
  if (def.type !== 'union' || !def.options.some(option => option._zod.def.type === 'date')) return
  delete json.anyOf
  Object.assign(json, { type: 'string', format: 'date-time' })
}
