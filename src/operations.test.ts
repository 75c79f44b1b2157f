import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from './operations.js'
import { descriptionOf } from './runtime/fields.js'

/** Every field of what operations take and answer, with a path that leads to it. */
function fieldsOf(
  schema: z.core.$ZodType,
  at: string,
  seen: Set<z.core.$ZodType>,
): [string, z.core.$ZodType][] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  const within = (part: z.core.$ZodType, path = at) => fieldsOf(part, path, seen)
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, field]): [string, z.core.$ZodType][] => [
      [`${at}.${name}`, field],
      ...within(field, `${at}.${name}`),
    ])
  if (def.type === 'array') return within(def.element)
  if (def.type === 'union') return def.options.flatMap(option => within(option))
  if (def.type === 'record') return within(def.valueType)
  if (def.type === 'pipe') return [...within(def.in), ...within(def.out)]
  return 'innerType' in def ? within(def.innerType) : []
}

const FIELDS = OPERATIONS.flatMap(({ name, input, output }) => [
  ...fieldsOf(input, `${name} <-`, new Set()),
  ...fieldsOf(output, `${name} ->`, new Set()),
])

describe('the fields of operations', () => {
  it('each say what they are, in a sentence', () => {
    expect(FIELDS.length).toBeGreaterThan(2_000)
    const silent = FIELDS.filter(([, field]) => !/^[A-Z`].*\.$/.test(descriptionOf(field) ?? ''))
    expect(silent.map(([path]) => path)).toEqual([])
  })

  it('each take the example that they give', () => {
    const given = FIELDS.flatMap(([path, field]) => {
      const { example } = z.globalRegistry.get(field) ?? {}
      return example === undefined ? [] : [{ path, field, example }]
    })
    expect(given.length).toBeGreaterThan(300)
    const wrong = given.filter(({ field, example }) => !z.safeParse(field, example).success)
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})
