import { parse } from 'yaml'
import { cleanNames } from '../names.js'

/** A text and the front matter between two lines of dashes before it. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Front matter fields that become fields of the record itself; others go into its `fields`. */
const OWN = new Set([
  'kind',
  'title',
  'language',
  'tags',
  'salience',
  'pinned',
  'confidence',
  'occurredAt',
  'validFrom',
  'validTo',
  'expiresAt',
  'sensitivity',
  'scope',
  'visibilityClass',
  'participants',
  'corpus',
  'filingUnit',
  'version',
  'versionKind',
  'part',
  'document',
  'segment',
  'conversation',
  'turn',
  'speaker',
  'surface',
  'owner',
])

const FENCED = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/

/** Reads YAML front matter. Throws if it is not valid YAML. */
export function readFrontMatter(text: string): FrontMatter {
  const unified = text.replaceAll('\r\n', '\n')
  const match = FENCED.exec(unified)
  if (match === null) return { fields: {}, text: unified }
  // The core schema leaves dates as text, like any other field.
  const value: unknown = parse(match[1] ?? '', { schema: 'core', maxAliasCount: 100 })
  if (value === null || value === undefined) return { fields: {}, text: unified.slice(match[0].length) }
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error('not a mapping')
  return { fields: value as Record<string, unknown>, text: unified.slice(match[0].length) }
}

/** Converts front matter to the fields of a record. */
export function fieldsOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue
    if (name === 'tags' || name === 'participants') own[name] = namesIn(value)
    else if (name === 'date' && !('occurredAt' in given)) own.occurredAt = momentIn(value)
    else if (/^(occurredAt|validFrom|validTo|expiresAt)$/.test(name)) own[name] = momentIn(value)
    else if (OWN.has(name)) own[name] = value
    else others[name] = value
  }
  return Object.keys(others).length === 0 ? own : { ...own, fields: others }
}

/** A list, or a string of names separated by commas. */
function namesIn(value: unknown): unknown {
  if (Array.isArray(value)) return cleanNames(value.map(String))
  return typeof value === 'string' ? cleanNames(value.split(',')) : value
}

/**
 * A date means its first moment, and a time without offset is in UTC. Other values are left for validation to refuse.
 */
function momentIn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [, day, time, offset] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?[ ]?(Z|[+-]\d{2}:\d{2})?$/.exec(value) ??
    []
  if (day === undefined) return value
  const clock = time === undefined ? '00:00:00' : time.length === 5 ? `${time}:00` : time
  return `${day}T${clock}${offset ?? 'Z'}`
}
