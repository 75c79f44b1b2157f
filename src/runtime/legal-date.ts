/**
 * Legal dates: a calendar date belongs to the place where it was set, and the instant follows from both. All
 * arithmetic across daylight saving time uses Intl.
 */

/** A date as its document states it, the time zone it was set in, and the resulting instant. */
export interface LegalDate {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** An IANA name or, for a message, the offset it was sent with, such as `+10:00`. */
  readonly timeZone: string
  /** ISO 8601, in UTC. */
  readonly at: string
}

/** Reads a custom field as a legal date; null if it is none. A bare date is taken as UTC. */
export function readLegalDate(value: unknown): LegalDate | null {
  if (typeof value === 'string') return ISO_DATE.test(value) ? makeLegalDate(value, 'UTC') : null
  if (typeof value !== 'object' || value === null) return null
  const { date, timeZone } = value as Record<string, unknown>
  return typeof date === 'string' && ISO_DATE.test(date) && typeof timeZone === 'string'
    ? makeLegalDate(date, timeZone)
    : null
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

/** Returns null if the day or the zone does not exist. */
export function makeLegalDate(date: string, timeZone: string): LegalDate | null {
  const wall = Date.parse(`${date}T00:00Z`)
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== date || !isZone(timeZone))
    return null
  return { date, timeZone, at: instantOf(date, timeZone) }
}

export const DAY_MS = 86_400_000

const LOCAL = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** Whether a stored value, whoever wrote it, is a legal date. */
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

/**
 * Whether this is a name in the IANA database. Offsets such as `+02:00` do not count, although Intl may accept them.
 */
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

/** Accepts an IANA name or an offset as messages have it, from `-14:59` to `+14:59`. */
export const isZone = (zone: string): boolean => OFFSET.test(zone) || isTimeZone(zone)

/**
 * The instant at which a day starts, or at which clocks show a local time, in a zone. If a clock change skips that
 * time, it is the instant of the change; if the time occurs twice, it is the first one.
 *
 *     instantOf('2024-07-01', 'America/New_York')        // '2024-07-01T04:00:00.000Z'
 *     instantOf('2024-01-01T09:30', 'America/New_York')  // '2024-01-01T14:30:00.000Z'
 */
export const instantOf = (local: string, timeZone: string): string =>
  new Date(instantAt(wallTimeOf(local), timeZone)).toISOString()

/** The same as `instantOf`, with times in milliseconds. */
export function instantAt(wall: number, timeZone: string): number {
  // Clocks change at most once in two days, so one of these two offsets applies.
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

/** The local time in a zone at an instant, in the milliseconds of `wallTimeOf`. */
export function localTimeOf(instant: string | number | Date, timeZone: string): number {
  const at = new Date(instant).getTime()
  return at + offsetAt(at, timeZone)
}

/** A local date or time without a zone, in milliseconds as if it were UTC. */
export function wallTimeOf(local: string): number {
  const wall = LOCAL.test(local)
    ? Date.parse(local.includes('T') ? `${local}Z` : `${local}T00:00Z`)
    : Number.NaN
  // Date.parse would move a day that does not exist into the next month.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== local.slice(0, 10))
    throw new RangeError('not a local date or time')
  return wall
}

/** The offset of a zone from UTC at an instant, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const [, sign, hours, minutes] = OFFSET.exec(timeZone) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const parts = formatFor(timeZone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find(found => found.type === type)?.value)
  const wall = new Date(0)
  // Date.UTC is not used, because it maps the years 0 to 99 to 1900 to 1999.
  wall.setUTCFullYear(part('year'), part('month') - 1, part('day'))
  wall.setUTCHours(part('hour'), part('minute'), part('second'))
  return wall.getTime() - Math.floor(at / 1_000) * 1_000
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats are cached by zone, because creating one is slow. */
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
  // A zone can be spelled in many ways, so the cache is bounded.
  if (formats.size >= 1_000) formats.clear()
  formats.set(timeZone, format)
  return format
}
