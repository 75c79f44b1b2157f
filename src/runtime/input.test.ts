import { expect, it } from 'vitest'
import { z } from 'zod'
import { id, languageCode, moment, parse } from './input.js'

const problem = (schema: z.ZodType, value: unknown): string => {
  try {
    parse(z.strictObject({ field: schema }), { field: value })
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

it.each([
  [id, 'seven', 'must be a UUID, for example 3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f'],
  [moment, 'tomorrow', 'must be an ISO 8601 time with its offset, for example 2026-11-17T09:00:00Z'],
  [moment, '2026-11-17', 'must be an ISO 8601 time with its offset, for example 2026-11-17T09:00:00Z'],
  [z.iso.datetime(), 'x', 'must be an ISO 8601 time with its offset, for example 2026-11-17T09:00:00Z'],
  [z.iso.date(), 'x', 'must be an ISO 8601 date, for example 2026-11-17'],
  [z.url(), 'x', 'must be a URL, for example https://app.example.com'],
  [z.email(), 'x', 'must be an email address, for example ana@example.com'],
  [languageCode, '?', 'must be a language code (BCP 47), for example en or pt-BR'],
  [z.string().regex(/^[a-z]+$/), '7', 'must match /^[a-z]+$/'],
  [z.string().min(2), 'a', 'must have at least 2 characters'],
  [z.array(z.string()).min(1), [], 'must have at least 1 entry'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
  [z.int().max(9), 10, 'must be at most 9'],
  [z.boolean(), 'yes', 'must be of type boolean'],
  [z.enum(['low', 'high']), 'x', 'must be one of low, high'],
  [z.string(), undefined, 'is required'],
])('says what was expected, and never what was given: %#', (schema, value, expected) => {
  expect(problem(schema, value)).toBe(`field: ${expected}`)
})
