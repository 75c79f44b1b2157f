import { isDate } from './legal-date.js'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const NTH = '(?:st|nd|rd|th)?'

/** The forms of a date, as a regular expression source without groups; use it with the flag `i`. */
export const WRITTEN_DATE = [
  `${MONTH}\\.?\\s{1,4}\\d{1,2}${NTH}\\s?,?\\s{0,4}\\d{4}(?!\\d)`,
  `\\d{1,2}${NTH}\\s{1,4}(?:day\\s{1,4}of\\s{1,4})?${MONTH}\\.?\\s?,?\\s{1,4}\\d{4}(?!\\d)`,
  `\\d{4}-\\d{2}-\\d{2}(?!\\d)`,
  `\\d{1,2}[/-]\\d{1,2}[/-](?:\\d{4}|\\d{2})(?![\\d/-])`,
].join('|')

/**
 * The day that a written date means, as `YYYY-MM-DD`, or null if it is not a date. All-numeric dates are month, day,
 * year, as United States courts write them; two-digit years from 70 on belong to the twentieth century.
 */
export function readDate(written: string): string | null {
  const numbers = (written.match(/\d+/g) ?? []).map(Number)
  const month =
    MONTHS.indexOf(
      /[a-z]{3,}/gi
        .exec(written.replace(/\bday\b/i, ''))?.[0]
        .slice(0, 3)
        .toLowerCase() ?? '',
    ) + 1
  const [first = 0, second = 0, third = 0] = numbers
  if (month > 0) return day(second, month, first)
  if (/^\d{4}/.test(written)) return day(first, second, third)
  const century = /\d{4}$/.test(written) ? 0 : third < 70 ? 2000 : 1900
  return day(century + third, first, second)
}

function day(year: number, month: number, dayOfMonth: number): string | null {
  const date = `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
  return isDate(date) ? date : null
}
