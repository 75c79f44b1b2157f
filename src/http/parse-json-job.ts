import type { JobResult } from '../runtime/threads/threads.js'

export type ParsedJson =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'not_json' | 'too_many_values' }

/** The most values that one body may hold: taking in and checking more would stop everybody else. */
export const MOST_VALUES = 100_000

/** Parses a long body in a thread. */
export default (bytes: Uint8Array): JobResult<ParsedJson> => ({ value: parseJson(bytes) })

export function parseJson(bytes: Uint8Array): ParsedJson {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return { kind: 'not_json' }
  }
  return hasAtMost(value, MOST_VALUES) ? { kind: 'json', value } : { kind: 'too_many_values' }
}

function hasAtMost(value: unknown, most: number): boolean {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (++count > most) return false
    if (typeof next !== 'object' || next === null) continue
    const parts = Array.isArray(next) ? next : Object.values(next)
    if (count + open.length + parts.length > most) return false
    for (const part of parts) open.push(part)
  }
  return true
}
