import { type LegalDate, instantOf as startOf } from '../../runtime/legal-date.js'

export { isTimeZone, isZone, type LegalDate, localDateOf } from '../../runtime/legal-date.js'

/** Whether a text is a calendar day in the form `YYYY-MM-DD`, from the year 1000 on. */
export function isDate(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/**
 * The instant at which a day begins in a time zone. A day that the zone skipped (Apia, 30 December 2011) begins with
 * the day after it.
 *
 * @example
 * requireInstant('2024-03-01', 'America/Los_Angeles') // '2024-03-01T08:00:00.000Z'
 */
export function requireInstant(date: string, timeZone: string): string {
  if (!isDate(date)) throw new RangeError('not a date')
  return startOf(date, timeZone)
}

/** A date with its time zone and the instant at which it begins. */
export function requireLegalDate(date: string, timeZone: string): LegalDate {
  return { date, timeZone, at: requireInstant(date, timeZone) }
}
