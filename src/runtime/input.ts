import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { foldName } from '../policy/person-name.js'

/** Lone surrogates are not Unicode, and Postgres stores no NUL. */
const isStorable = (text: string): boolean => !/[\u{d800}-\u{dfff}\0]/u.test(text)

/** A string that can be stored unchanged, at most `bytes` long in UTF-8. */
export function text(bytes: number) {
  return z
    .string()
    .refine(isStorable, { message: 'must be well-formed Unicode without NUL' })
    .refine(value => Buffer.byteLength(value) <= bytes, {
      message: `must be at most ${bytes} bytes`,
      params: { code: 'too_large' },
    })
}

/** A name that people give to something: short, on one line, not blank. */
export const name = text(200)
  .refine(value => value.trim().length > 0, { message: 'must not be empty' })
  .refine(value => !/\p{Cc}/u.test(value), { message: 'must not contain control characters' })
  .meta({ id: 'Name' })

/** A name of a person, of which something is left when it is folded (PC-7). */
export const personName = name.refine(value => foldName(value) !== '', {
  message: 'must have a letter, a digit or a sign that can be seen',
})

/** An actor, `group:<id>` or `role:<id>/<role>`. */
export const principal = name

/**
 * Whether a name is that of an actor. A name in the form of a group, role, session or link would be mistaken for one.
 */
export const isActorName = (value: string): boolean =>
  !/^(?:group|role|session|link|profile|recipient):/.test(value)

/** `+` joins scopes, so a scope may not contain it. */
export const scopeName = name
  .refine(value => !value.includes('+'), { message: 'must not contain a plus sign' })
  .meta({ id: 'ScopeName' })

const A_UUID = 'must be a UUID, for example 3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f'
const A_MOMENT = 'must be an ISO 8601 time with its offset, for example 2026-11-17T09:00:00Z'

export const id = z
  .uuid({ message: A_UUID })
  .transform(value => value.toLowerCase())
  .meta({ id: 'Id', example: '3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f' })

/** A BCP 47 code, such as `en` or `pt-BR`. */
export const languageCode = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/, {
    message: 'must be a language code (BCP 47), for example en or pt-BR',
  })
  .meta({ id: 'LanguageCode' })

/** A moment in time: a Date, or an ISO 8601 string with its offset. */
export const moment = z
  .union([z.date(), z.iso.datetime({ offset: true })], { message: A_MOMENT })
  .transform(value => new Date(value))
  // Only years of four digits, because ISO and Postgres write others differently.
  .refine(at => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9_999, {
    message: 'must be in the years 1 to 9999',
  })
  .meta({ id: 'Moment', description: 'ISO 8601 with its offset.', example: '2026-01-01T00:00:00Z' })

type JsonObject = Record<string, z.core.util.JSONType>

/** A JSON object defined by the caller, with bounded size and depth and only strings that can be stored. */
export function jsonObject(bytes: number) {
  return z.preprocess(
    // Checked before the schema, which would silently drop `__proto__` and recurse until the stack overflows.
    (value: JsonObject, context) => {
      const size = { left: bytes }
      const message = jsonProblem(value, size)
      if (message !== null) context.issues.push({ code: 'custom', message, input: value })
      // Every value takes a byte at least. One with more is refused before it is looked at for longer.
      else if (size.left < 0)
        context.issues.push({
          code: 'custom',
          message: `must be at most ${bytes} bytes`,
          params: { code: 'too_large' },
          input: value,
        })
      return value
    },
    z.record(z.string(), z.json()).refine(value => Buffer.byteLength(JSON.stringify(value)) <= bytes, {
      message: `must be at most ${bytes} bytes`,
      params: { code: 'too_large' },
    }),
  )
}

const MOST_NESTED = 64

/** Says why a value cannot be stored as JSON and read back unchanged; null if it can. */
function jsonProblem(value: unknown, size: { left: number }, depth = 0): string | null {
  if (--size.left < 0) return null
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return null
  if (typeof value === 'string') return isStorable(value) ? null : 'must be well-formed Unicode without NUL'
  if (typeof value !== 'object' || !(Array.isArray(value) || isPlain(value))) return 'must be JSON'
  if (depth === MOST_NESTED) return `must not be nested deeper than ${MOST_NESTED}`
  if (Object.hasOwn(value, '__proto__')) return 'must not contain the key __proto__'
  const parts: unknown[] = Array.isArray(value) ? value : Object.entries(value).flat()
  for (const part of parts) {
    const problem = jsonProblem(part, size, depth + 1)
    if (problem !== null) return problem
  }
  return null
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Parses input with its schema, or throws an error that says what is wrong without repeating the value. */
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

/** The schema's own message if none of its variants fits. */
const ownMessage = ({ message }: Issue) => (message === 'Invalid input' ? 'is not valid' : message)

/** The problem in our own words, because Zod's messages may quote the value. */
function problem(issue: Issue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be of type ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `unknown field ${issue.keys
        .slice(0, 3)
        .map(key => key.slice(0, 40))
        .join(', ')}`
    case 'too_small':
      return `must ${amount(issue.origin, 'least', issue.minimum)}`
    case 'too_big':
      return `must ${amount(issue.origin, 'most', issue.maximum)}`
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `must be one of ${issue.options.map(String).join(', ')}`
        : ownMessage(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? ownFormat(issue)
    default:
      return 'is not valid'
  }
}

/** What a format looks like, with an example. */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: A_UUID,
  datetime: A_MOMENT,
  date: 'must be an ISO 8601 date, for example 2026-11-17',
  url: 'must be a URL, for example https://app.example.com',
  email: 'must be an email address, for example ana@example.com',
  base64: 'must be base64',
}

/** The message of the schema or its pattern; the messages of Zod itself begin with `Invalid`. */
function ownFormat({ message, pattern }: Extract<Issue, { code: 'invalid_format' }>): string {
  if (!message.startsWith('Invalid')) return message
  return pattern === undefined ? 'is not valid' : `must match ${pattern}`
}

function amount(origin: string, bound: 'least' | 'most', count: number | bigint): string {
  if (origin === 'string') return `have at ${bound} ${count} ${count === 1 ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set')
    return `have at ${bound} ${count} ${count === 1 ? 'entry' : 'entries'}`
  return `be at ${bound} ${count}`
}
