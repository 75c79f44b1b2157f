import { z } from 'zod'
import { id, text } from './input.js'

/*
 * Fields that mean the same wherever they stand, each described once. A field of one operation alone is described where
 * it is declared.
 */

/** Ids and a hash for examples; they refer to nothing that exists. */
export const EXAMPLE_ID = '3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f'
export const OTHER_EXAMPLE_ID = '6a1d9f42-0c3b-4b8a-8f5e-2b3c4d5e6f70'
export const EXAMPLE_HASH = '0'.repeat(64)

export const recordId = id.meta({ description: 'The record, by its id.' })
export const searchRunId = id.meta({ description: 'The search, by the `searchRunId` of its receipt.' })
export const bindingId = id.meta({ description: 'The binding, by its id.' })
export const profileId = id.meta({ description: 'The session profile, by its id.' })
export const linkId = id.meta({ description: 'The share link, by its id.' })
export const viewId = id.meta({ description: 'The view, by its id.' })

/** The cursor in a request. */
export const pageCursor = text(2_000).optional().meta({
  description: 'The `cursor` of the previous page, with everything else as it was, to read the next one.',
})
/** The cursor in an answer. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Pass it as `cursor` to read the next page; null on the last page.' })

export const createdAt = z.string().meta({ description: 'When it was created.' })
export const schemaVersion = z.literal(1).meta({ description: 'The version of this format.' })

/** The description of a field, found through wrappers such as `optional`. */
export function descriptionOf(field: z.core.$ZodType): string | undefined {
  const { description } = z.globalRegistry.get(field) ?? {}
  return (
    description ??
    ('innerType' in field._zod.def ? descriptionOf(field._zod.def.innerType as z.core.$ZodType) : undefined)
  )
}

/** Gives a schema the description of another field, for example to the output that has the meaning of an input. */
export function describedAs<Schema extends z.ZodType>(field: z.ZodType, schema: Schema): Schema {
  const description = descriptionOf(field)
  return description === undefined ? schema : schema.meta({ description })
}
