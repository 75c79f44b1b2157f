/**
 * Dates that count in law: a calendar date belongs to the place where it was set, and the instant follows from both.
 * All arithmetic across daylight saving goes through Intl.
 */

/** A date as its document has it, the zone it was set in, and the instant that it names. */
export interface LegalDate {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** By its IANA name; of a message, the offset that it was sent with, such as `+10:00`. */
  readonly timeZone: string
  /** ISO 8601, in UTC. */
  readonly at: string
}

/** A custom field as a date that counts in law; null where it is none. A bare date is taken as one of UTC. */
export function readLegalDate(value: unknown): LegalDate | null {
  if (typeof value === 'string') return ISO_DATE.test(value) ? makeLegalDate(value, 'UTC') : null
  if (typeof value !== 'object' || value === null) return null
  const { date, timeZone } = value as Record<string, unknown>
  return typeof date === 'string' && ISO_DATE.test(date) && typeof timeZone === 'string'
    ? makeLegalDate(date, timeZone)
    : null
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

/** Null where there is no such day, or no such zone. */
export function makeLegalDate(date: string, timeZone: string): LegalDate | null {
  const wall = Date.parse(`${date}T00:00Z`)
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== date || !isZone(timeZone))
    return null
  return { date, timeZone, at: instantOf(date, timeZone) }
}

export const DAY_MS = 86_400_000

const LOCAL = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** Whether a value that was stored by whomever is such a date. */
export function isLegalDate(value: unknown): value is LegalDate {
  if (typeof value !== 'object' || value === null) return false
  const { date, timeZone, at } = value as Record<keyof LegalDate, unknown>
  return (
    typeof date === 'string' &&
    ISO_DATE.test(date) &&
    typeof timeZone === 'string' &&
    isZone(timeZone) &&
    typeof at === 'string' &&
    INSTANT.test(at) &&
    !Number.isNaN(Date.parse(at))
  )
}

/** A name of the IANA database; offsets such as `+02:00`, which Intl may take as well, are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatFor(name)
    return true
  } catch {
    return false
  }
}

const OFFSET = /^([+-])(0\d|1[0-4]):([0-5]\d)$/

/** The name of a time zone, or an offset as a message has it: from `-14:59` to `+14:59`. */
export const isZone = (zone: string): boolean => OFFSET.test(zone) || isTimeZone(zone)

/**
 * The instant of a day's start, or of a local time, in a zone. Where a change of the clocks leaves it out, the instant of
 * the change; where it comes twice, the first.
 *
 *     instantOf('2024-07-01', 'America/New_York')        // '2024-07-01T04:00:00.000Z'
 *     instantOf('2024-01-01T09:30', 'America/New_York')  // '2024-01-01T14:30:00.000Z'
 */
export const instantOf = (local: string, timeZone: string): string =>
  new Date(instantAt(wallTimeOf(local), timeZone)).toISOString()

/** The same, in milliseconds. */
export function instantAt(wall: number, timeZone: string): number {
  // Clocks change at most once in two days, so that one of these two offsets holds.
  const offsets = [wall - DAY_MS, wall + DAY_MS].map(at => offsetAt(at, timeZone))
  const meant = offsets.map(offset => wall - offset).filter(at => localTimeOf(at, timeZone) === wall)
  if (meant.length > 0) return Math.min(...meant)
  let before = wall - DAY_MS
  let after = wall + DAY_MS
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localTimeOf(middle, timeZone) < wall) before = middle
    else after = middle
  }
  return after
}

/** The calendar date of an instant in a zone: `localDateOf('2024-07-01T03:00:00Z', 'America/New_York')` is `2024-06-30`. */
export const localDateOf = (instant: string | number | Date, timeZone: string): string =>
  new Date(localTimeOf(instant, timeZone)).toISOString().slice(0, 10)

/** What a clock in the zone shows at an instant, in milliseconds as `wallTimeOf` counts them. */
export function localTimeOf(instant: string | number | Date, timeZone: string): number {
  const at = new Date(instant).getTime()
  return at + offsetAt(at, timeZone)
}

/** A local date or time without a zone, in milliseconds as if it were UTC. */
export function wallTimeOf(local: string): number {
  const wall = LOCAL.test(local)
    ? Date.parse(local.includes('T') ? `${local}Z` : `${local}T00:00Z`)
    : Number.NaN
  // A day that its month does not have would be read as one of the next month.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== local.slice(0, 10))
    throw new RangeError('not a local date or time')
  return wall
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const [, sign, hours, minutes] = OFFSET.exec(timeZone) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const parts = formatFor(timeZone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find(found => found.type === type)?.value)
  const wall = new Date(0)
  // Not Date.UTC, which takes the years 0 to 99 for others.
  wall.setUTCFullYear(part('year'), part('month') - 1, part('day'))
  wall.setUTCHours(part('hour'), part('minute'), part('second'))
  return wall.getTime() - Math.floor(at / 1_000) * 1_000
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Made once a zone, as making one takes long. */
function formatFor(timeZone: string): Intl.DateTimeFormat {
  const made = formats.get(timeZone)
  if (made !== undefined) return made
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  // Zones can be spelled in many ways, so the number of names is bounded here.
  if (formats.size >= 1_000) formats.clear()
  formats.set(timeZone, format)
  return format
}
