import { z } from 'zod'
import { VISIBILITY_CLASSES } from '../../../policy/vocabulary.js'
import { name } from '../../input.js'
import {
  DAY_MS,
  instantAt,
  isLegalDate,
  type LegalDate,
  localDateOf,
  localTimeOf,
  wallTimeOf,
} from '../../legal-date.js'
import { visibilityClass } from '../../vocabulary.js'

/**
 * Which date of a document is meant (002 §12.2). `ingested_at` is when its record was created; `sent_date` is for
 * messages.
 */
export const DATE_FIELDS = [
  'filing_date',
  'effective_date',
  'ruling_date',
  'ingested_at',
  'docket_entry_date',
  'sent_date',
] as const
export type DateField = (typeof DATE_FIELDS)[number]
const dateField = z
  .enum(DATE_FIELDS)
  .meta({ id: 'DateField', description: 'A date that a document may have.' })

/** The time zone in which the ends are read: the document's own, UTC, or the host's. */
export const TIMEZONE_BASES = ['originating', 'utc', 'host_user_local'] as const
export type TimezoneBasis = (typeof TIMEZONE_BASES)[number]

/** A day, a local time, or a time with its offset. */
const end = z
  .union([z.iso.date(), z.iso.datetime({ local: true, offset: true })])
  .refine(value => !value.startsWith('0000'), { message: 'must lie in the years 1 to 9999' })
  .nullable()
  .default(null)

const isDay = (end: string): boolean => !end.includes('T')
/** A time with an offset is the same instant everywhere; without one, it depends on the time zone basis. */
const isInstant = (end: string): boolean => /(?:Z|[+-]\d\d:?\d\d)$/.test(end) && !isDay(end)

/** The last millisecond of a day; a local time is its own. */
const latest = (end: string): number => wallTimeOf(end) + (isDay(end) ? DAY_MS - 1 : 0)

const temporalScope = z
  .strictObject({
    dateField: dateField.meta({ description: 'Which date of a document is meant.', example: 'filing_date' }),
    start: end.meta({ description: 'From this day or time; null for no beginning.', example: '2026-01-01' }),
    end: end.meta({ description: 'To this day or time; null for no end.', example: '2026-12-31' }),
    inclusiveEndpoints: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the days or times named count as within.' }),
    timezoneBasis: z
      .enum(TIMEZONE_BASES)
      .default('originating')
      .meta({ description: "Whose calendar is meant: the document's own, UTC, or the host's." }),
  })
  .superRefine(({ start, end }, context) => {
    if (start === null || end === null) return
    const problem = problemOf(start, end)
    if (problem !== null) context.addIssue({ code: 'custom', path: ['start'], message: problem })
  })
  .meta({ id: 'TemporalScope', description: 'Between which dates, and dates of what.' })

function problemOf(start: string, end: string): string | null {
  if (isInstant(start) !== isInstant(end)) return 'must have an offset where end has one, and none where not'
  const reversed = isInstant(start) ? Date.parse(start) > Date.parse(end) : wallTimeOf(start) > latest(end)
  return reversed ? 'must not lie after end' : null
}

const names = z.array(name).min(1).max(50).optional()

// SR-4
export const searchScope = z
  .strictObject({
    temporalScope: temporalScope.optional().meta({ description: 'Between which dates, and dates of what.' }),
    caseScope: names.meta({ description: 'Only these cases, by their numbers.', example: ['2:24-cv-01234'] }),
    corpusScope: names.meta({ description: 'Only these collections.', example: ['briefs'] }),
    filingUnitScope: names.meta({ description: 'Only these filings.', example: ['motion-12'] }),
    typeScope: names.meta({ description: 'Only documents of these types.', example: ['order'] }),
    courtScope: names.meta({
      description: 'Only documents of courts whose name holds one of these.',
      example: ['Delaware'],
    }),
    partyScope: names.meta({
      description: 'Only documents that name a party whose name holds one of these.',
      example: ['Berg'],
    }),
    visibilityClassScope: z
      .array(visibilityClass)
      .min(1)
      .max(VISIBILITY_CLASSES.length)
      .optional()
      .meta({ description: 'Only these visibility classes.', example: ['public_open'] }),
  })
  .meta({ id: 'SearchScope', description: 'Where to look: dates, cases, collections, filings and classes.' })
export type SearchScopeInput = z.output<typeof searchScope>
export type TemporalScope = z.output<typeof temporalScope>

/**
 * Whether a date lies between the ends. Anything that is missing or no date does not. Days are compared as days, so a
 * filing of March 1 in Honolulu counts as March 1, although it is March 2 in UTC.
 */
export function withinScope(
  { start, end, inclusiveEndpoints, timezoneBasis }: Omit<TemporalScope, 'dateField'>,
  hostTimeZone: string,
): (date: unknown) => boolean {
  const zone = timezoneBasis === 'host_user_local' ? hostTimeZone : 'UTC'
  const sideOf = (bound: string): ((date: LegalDate) => number) => {
    if (isInstant(bound)) return ({ at }) => Date.parse(at) - Date.parse(bound)
    if (timezoneBasis !== 'originating') return sideOfLocal(bound, zone)
    if (isDay(bound)) return ({ date }) => (date < bound ? -1 : date > bound ? 1 : 0)
    const wall = wallTimeOf(bound)
    return ({ at, timeZone }) => localTimeOf(at, timeZone) - wall
  }
  const fromStart = start === null ? null : sideOf(start)
  const fromEnd = end === null ? null : sideOf(end)
  const beyond = inclusiveEndpoints ? 0 : 1
  return date =>
    isLegalDate(date) &&
    (fromStart === null || fromStart(date) >= beyond) &&
    (fromEnd === null || fromEnd(date) <= -beyond)
}

/** Compares an instant with a day or a time in a zone: negative before it, 0 within it, positive after it. */
function sideOfLocal(bound: string, zone: string): (date: LegalDate) => number {
  const wall = wallTimeOf(bound)
  const from = instantAt(wall, zone)
  if (!isDay(bound)) return ({ at }) => Date.parse(at) - from
  const next = instantAt(wall + DAY_MS, zone)
  return ({ at }) => {
    const instant = Date.parse(at)
    return instant < from ? -1 : instant >= next ? 1 : 0
  }
}

/** The date on which a record was created, in the host's time zone, because that is where it was created. */
export const dateOfIngestion = (createdAt: Date, hostTimeZone: string): LegalDate => ({
  date: localDateOf(createdAt, hostTimeZone),
  timeZone: hostTimeZone,
  at: createdAt.toISOString(),
})
