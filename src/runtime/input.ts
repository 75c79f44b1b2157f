import { z } from 'zod'
import { PrivityError } from '../errors.js'

/** Lone surrogates are not Unicode, and Postgres stores no NUL. */
const isStorable = (text: string): boolean => !/[\u{d800}-\u{dfff}\0]/u.test(text)

/** A string that can be stored as it is, at most `bytes` long in UTF-8. */
export function text(bytes: number) {
  return z
    .string()
    .refine(isStorable, { message: 'must be well-formed Unicode without NUL' })
    .refine(value => Buffer.byteLength(value) <= bytes, {
      message: `must be at most ${bytes} bytes`,
      params: { code: 'too_large' },
    })
}

/** A name people give to something: short, one line, not blank. */
export const name = text(200)
  .refine(value => value.trim().length > 0, { message: 'must not be empty' })
  .refine(value => !/\p{Cc}/u.test(value), { message: 'must not hold control characters' })

/** An actor, `group:<id>` or `role:<id>/<role>`. */
export const principal = name

/** `+` joins scopes, so it cannot stand in one. */
export const scopeName = name.refine(value => !value.includes('+'), { message: 'must not hold a plus sign' })

export const id = z.uuid({ message: 'must be an id' }).transform(value => value.toLowerCase())

/** A moment: a Date, or ISO 8601 with its offset. */
export const moment = z
  .union([z.date(), z.iso.datetime({ offset: true })])
  .transform(value => new Date(value))

/** A JSON object of the caller's own, bounded, of storable strings only. */
export function jsonObject(bytes: number) {
  return z
    .record(z.string(), z.json())
    .refine(value => isStorable(JSON.stringify(value).replaceAll('\\u0000', '\0')), {
      message: 'must be well-formed Unicode without NUL',
    })
    .refine(value => Buffer.byteLength(JSON.stringify(value)) <= bytes, {
      message: `must be at most ${bytes} bytes`,
      params: { code: 'too_large' },
    })
}

/** Reads input against its schema, or says what is wrong with it without repeating it. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) return result.data
  const tooLarge = result.error.issues.some(
    issue => issue.code === 'custom' && issue.params?.code === 'too_large',
  )
  const problems = result.error.issues.slice(0, 3).map(describe)
  throw new PrivityError(tooLarge ? 'too_large' : 'invalid_input', problems.join('; '))
}

type Issue = z.core.$ZodIssue

function describe(issue: Issue): string {
  const path = issue.path.map(String).join('.')
  return path === '' ? problem(issue) : `${path}: ${problem(issue)}`
}

/** In our words: the messages of the library may quote the value. */
function problem(issue: Issue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be of type ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `unknown field ${issue.keys.map(key => key.slice(0, 40)).join(', ')}`
    case 'too_small':
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be an id' : 'has the wrong form'
    default:
      return 'is not valid'
  }
}
