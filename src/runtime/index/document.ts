import { createHash } from 'node:crypto'
import { SOURCE_KINDS, VERSION_KINDS } from '../../policy/vocabulary.js'
import { LANGUAGES, type Language } from '../../search/languages.js'
import type { FaceText } from '../../search/postings.js'
import { DEFAULT_SALIENCE, type Salience } from '../../search/salience.js'
import type { IndexDocument } from '../../search/segment.js'
import { traitsOf } from '../../search/traits.js'
import type { IndexRow } from '../../storage/queries/index-feed.js'
import type { Domain } from '../domain.js'
import { type LegalDate, readLegalDate } from '../legal-date.js'
import { previewOf } from '../preview.js'
import { searchedTags } from '../record-view.js'
import { PART_KINDS, type PartKind } from '../search/router/posture.js'

/**
 * A record in the form that is indexed. Each face contains what it shows and nothing else (NI-4). The keys of the
 * record's domain are found here unless they are given.
 */
export function indexDocument(
  row: IndexRow,
  compartment: number,
  domain: Domain | null = null,
  domainKeys: readonly string[] | null = null,
): IndexDocument {
  const title = row.title ?? ''
  const tags = searchedTags(row)
  return {
    id: row.id,
    compartment,
    createdAt: row.createdAt.getTime(),
    occurredAt: row.occurredAt?.getTime() ?? null,
    expiresAt: row.expiresAt?.getTime() ?? null,
    salience: salienceOf(row),
    tags: row.tags,
    filing:
      row.filingUnit === null
        ? null
        : {
            unit: unitOf(row, row.filingUnit),
            version: row.version,
            rank: versionRank(row.versionKind),
          },
    turn:
      row.conversation === null || row.turn === null
        ? null
        : { conversation: conversationOf(row, row.conversation), at: row.turn },
    speaker: row.speaker,
    traits: traitsOf(row.text),
    full: {
      parts: [title, row.text, ...tags],
      language: spoken(row.language),
      keys: [
        ...fieldKeys(row.fields),
        ...dateKeys(row.fields),
        ...namedPartKeys(row.part),
        ...validityKeys(row),
        ...(domainKeys ??
          (row.tuple.corpus !== null && domain?.has(row.tuple.corpus) ? domain.keysOf(row) : [])),
      ],
    },
    // Only an overlay leads to a preview, and the tuple lists the targets that ever had one.
    preview: row.tuple.overlayTargets.length === 0 ? null : previewFace(row, tags),
    metadata: { parts: [...tags], language: 'und', keys: [] },
  }
}

function previewFace(row: IndexRow, tags: readonly string[]): FaceText {
  const { title, text } = previewOf(row)
  // The language is detected from what is shown, because a preview does not show the one that the writer named.
  return { parts: [title ?? '', text, ...tags], language: null, keys: [] }
}

/**
 * The filing unit is qualified by its owner, because two owners may use the same name. A record derived from a filing
 * is no version of it, so it gets a unit of its own and is not collapsed into another version.
 */
const unitOf = ({ id, tuple }: IndexRow, name: string) =>
  JSON.stringify([tuple.owner, name, ...(SOURCES.has(tuple.kind) ? [] : [id])])
const SOURCES: ReadonlySet<string> = new Set(SOURCE_KINDS)
export const unitName = (unit: string): string => (JSON.parse(unit) as [string, string])[1]

/** A conversation is qualified by its owner as well, because two owners may use the same name. */
const conversationOf = ({ tuple: { owner } }: IndexRow, name: string) => JSON.stringify([owner, name])

/** Returns null for most records: nobody has changed their salience. */
function salienceOf({ salience, salienceAt, createdAt, pinned }: IndexRow): Salience | null {
  const since = salienceAt.getTime()
  const starting = salience === DEFAULT_SALIENCE && since === createdAt.getTime() && !pinned
  return starting ? null : { salience, since, pinned }
}

/** The rank of a version (SR-10): the strongest kind comes first, unknown kinds last. */
function versionRank(kind: string | null): number {
  const at = (VERSION_KINDS as readonly string[]).indexOf(kind ?? '')
  return at < 0 ? VERSION_KINDS.length : at
}

/** The language that the writer named, if there is a stemmer for it. */
function spoken(code: string | null): Language | null {
  if (code === null) return null
  const [base = ''] = code.toLowerCase().split('-')
  return LANGUAGES.find(language => language === base) ?? 'und'
}

/** The keys for filters on custom fields: one for each plain value and each plain value in a list. */
function fieldKeys(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter(item => item === null || typeof item !== 'object')
      .map(item => fieldKey(field, item)),
  )
}

/** The legal dates of 002 §12.2, with the custom field that holds each. */
const DATE_FIELDS = {
  filing_date: 'filingDate',
  effective_date: 'effectiveDate',
  ruling_date: 'rulingDate',
  docket_entry_date: 'docketEntryDate',
  sent_date: 'sentDate',
} as const
export type IndexedDateField = keyof typeof DATE_FIELDS

/** Dates are indexed as keys. A range is found by walking all keys of a field, of which there are few. */
function dateKeys(fields: Readonly<Record<string, unknown>>): string[] {
  // Most records have no fields at all.
  for (const _ in fields) return legalDateKeys(fields)
  return []
}

function legalDateKeys(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(DATE_FIELDS).flatMap(([field, name]) => {
    const date = readLegalDate(fields[name])
    return date === null ? [] : [JSON.stringify(['date', field, date.date, date.timeZone, date.at])]
  })
}

/**
 * The kind in the name of a part such as `brief.pdf#exhibit-1`. Whoever sees the name sees the kind, even without
 * fields.
 */
function namedPartKeys(part: string | null): string[] {
  const named = part?.match(/#([a-z_]+)-\d+$/)?.[1]
  const kind = PART_KINDS.find(known => known === named)
  return kind === undefined ? [] : [namedPartKey(kind)]
}

/** When a record holds, if it says so (TR-9). Such records are few, and a search walks these keys. */
const validityKeys = ({ validFrom = null, validTo = null }: IndexRow): string[] =>
  validFrom === null && validTo === null
    ? []
    : [
        `${VALIDITY_PREFIX}${JSON.stringify(validFrom?.getTime() ?? null)},${JSON.stringify(validTo?.getTime() ?? null)}]`,
      ]

export const VALIDITY_PREFIX = '["validity",'

/** Whether what has this key holds at a moment: from its beginning on, up to but not including its end. */
export function holdsAt(key: string, at: number): boolean {
  const [, from, to] = JSON.parse(key) as [string, number | null, number | null]
  return (from ?? at) <= at && at < (to ?? Number.POSITIVE_INFINITY)
}

export const NAMED_PART_PREFIX = '["part",'
export const namedPartKey = (kind: PartKind): string => JSON.stringify(['part', kind])

export const dateKeyPrefix = (field: IndexedDateField): string => `["date","${field}",`

export function dateOfKey(key: string): LegalDate {
  const [, , date, timeZone, at] = JSON.parse(key) as [string, string, string, string, string]
  return { date, timeZone, at }
}

const LONGEST_KEY = 200

export function fieldKey(field: string, value: unknown): string {
  const key = JSON.stringify(['field', field, value])
  return key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('base64')
}
