import { PrivityError } from '../errors.js'
import type { Param } from './database.js'

type Parse = (text: string) => unknown

/** Encodes a parameter as the text that both engines send, so that neither driver's own conversions apply. */
export function encodeParam(param: Param): string | null {
  if (param === null || typeof param === 'string') return param
  if (typeof param !== 'object') return String(param)
  if (param instanceof Date) return encodeDate(param)
  if (param instanceof Uint8Array)
    return `\\x${Buffer.from(param.buffer, param.byteOffset, param.byteLength).toString('hex')}`
  const items = param.map(item => {
    const text = encodeParam(item)
    return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  })
  return `{${items.join(',')}}`
}

/** Formats a date in ISO form, with years before 1 and after 9999 in the notation of Postgres. */
function encodeDate(date: Date): string {
  if (Number.isNaN(date.getTime()))
    throw new PrivityError('invalid_input', 'must be a valid ISO 8601 time, for example 2026-11-17T09:00:00Z')
  const iso = date.toISOString()
  const year = date.getUTCFullYear()
  const rest = iso.slice(iso.indexOf('-', 1))
  return year > 0 ? `${pad(year, 4)}${rest}` : `${pad(1 - year, 4)}${rest} BC`
}

const LAST_TIME = 8.64e15

/**
 * Parses the output of a connection with datestyle ISO and time zone UTC, or what JSON made in that zone says.
 * Microseconds are truncated to milliseconds.
 */
export function parseTimestamptz(text: string): Date {
  const parts = /^(\d{4,6})(-\d\d-\d\d)[ T]([\d:.]+)\+00(?::00)?( BC)?$/.exec(text)
  if (parts === null)
    return new Date(text === 'infinity' ? LAST_TIME : text === '-infinity' ? -LAST_TIME : Number.NaN)
  const year = parts[4] === undefined ? Number(parts[1]) : 1 - Number(parts[1])
  const isoYear =
    year >= 0 && year <= 9999 ? pad(year, 4) : `${year < 0 ? '-' : '+'}${pad(Math.abs(year), 6)}`
  return new Date(`${isoYear}${parts[2]}T${parts[3]}Z`)
}

/** Copies the bytes into their own buffer at offset 0, so that typed arrays can view it. */
function parseBytea(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

/** Parses the text form of an array of any depth. */
export function parseArray(text: string, parse: Parse): unknown[] {
  let at = text.indexOf('{')

  function quoted(): string {
    let value = ''
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === '\\') at++
      value += text[at]
    }
    at++
    return value
  }

  function plain(): string {
    const start = at
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at++
    return text.slice(start, at)
  }

  function item(): unknown {
    if (text[at] === '{') return items()
    if (text[at] === '"') return parse(quoted())
    const value = plain()
    return value === 'NULL' ? null : parse(value)
  }

  function items(): unknown[] {
    const found: unknown[] = []
    at++
    while (at < text.length && text[at] !== '}') {
      if (text[at] === ',') at++
      else found.push(item())
    }
    at++
    return found
  }

  return items()
}

const asText: Parse = text => text

/** A type, its oid, the oid of its array, and the parser of its text. */
const TYPES: readonly (readonly [name: string, oid: number, arrayOid: number, parse: Parse])[] = [
  ['bool', 16, 1000, text => text === 't'],
  ['bytea', 17, 1001, parseBytea],
  ['char', 18, 1002, asText],
  ['name', 19, 1003, asText],
  ['int8', 20, 1016, asText],
  ['int2', 21, 1005, Number],
  ['int4', 23, 1007, Number],
  ['text', 25, 1009, asText],
  ['oid', 26, 1028, Number],
  ['json', 114, 199, text => JSON.parse(text)],
  ['float4', 700, 1021, Number],
  ['float8', 701, 1022, Number],
  ['bpchar', 1042, 1014, asText],
  ['varchar', 1043, 1015, asText],
  ['date', 1082, 1182, asText],
  ['timestamp', 1114, 1115, asText],
  ['timestamptz', 1184, 1185, parseTimestamptz],
  ['numeric', 1700, 1231, asText],
  ['uuid', 2950, 2951, asText],
  ['jsonb', 3802, 3807, text => JSON.parse(text)],
  ['xid8', 5069, 271, asText],
]

/** The parsers by oid. A value of any other type is returned as its text. */
export const parsers: Readonly<Record<number, Parse>> = Object.fromEntries(
  TYPES.flatMap(([, oid, arrayOid, parse]) => [
    [oid, parse],
    [arrayOid, (text: string) => parseArray(text, parse)],
  ]),
)

function pad(number: number, width: number): string {
  return String(number).padStart(width, '0')
}
