/** A calendar date where it was written: the day, the zone it was counted in, and the instant that day began there. */
export interface LegalDate {
  /** `YYYY-MM-DD` */
  readonly date: string
  /** An IANA name. */
  readonly timeZone: string
  /** The first instant of that day in that zone, as ISO 8601 in UTC. */
  readonly at: string
}

const DAY = 86_400_000
const MOST_ZONES = 1_000

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Whether a name is a time zone that this machine knows. Bare offsets (`+02:00`) are not names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    return false
  }
}

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`, from the year 1000 on. */
export function isDate(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/**
 * The instant a day begins in a zone: local midnight, or the first moment after it where the clocks skip midnight. If
 * midnight comes twice, the first. A day that a zone left out (Apia, 30 December 2011) begins with the day after it.
 *
 * @example
 * instantOf('2024-03-01', 'America/Los_Angeles') // '2024-03-01T08:00:00.000Z'
 */
export function instantOf(date: string, timeZone: string): string {
  if (!isDate(date)) throw new RangeError('not a date')
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const clock = clockOf(timeZone)
  const local = (at: number) => readClock(clock, at)
  // What the clocks showed against UTC a day before and a day after: midnight is by one of the two.
  const offsets = [midnight - DAY, midnight + DAY].map(at => local(at) - at)
  const midnights = offsets.map(offset => midnight - offset).filter(at => local(at) === midnight)
  if (midnights.length > 0) return new Date(Math.min(...midnights)).toISOString()
  let before = midnight - DAY
  let after = midnight + DAY
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (local(middle) < midnight) before = middle
    else after = middle
  }
  return new Date(after).toISOString()
}

/** The day it is in a zone at an instant, as `YYYY-MM-DD`. */
export function localDateOf(instant: string | number | Date, timeZone: string): string {
  const at = new Date(instant).getTime()
  return new Date(readClock(clockOf(timeZone), at)).toISOString().slice(0, 10)
}

/** A date with its zone and instant. */
export function legalDate(date: string, timeZone: string): LegalDate {
  return { date, timeZone, at: instantOf(date, timeZone) }
}

/** What a wall clock shows at an instant, as if it were UTC, so that two readings can be compared. */
function readClock(clock: Intl.DateTimeFormat, at: number): number {
  const shown: Record<string, number> = {}
  for (const { type, value } of clock.formatToParts(at)) shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  const milliseconds = ((at % 1_000) + 1_000) % 1_000
  return Date.UTC(year, month - 1, day, hour, minute, second) + milliseconds
}

/** Making a formatter is slow, and few zones are ever asked for. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (clocks.size >= MOST_ZONES) clocks.clear()
  clocks.set(timeZone, made)
  return made
}
