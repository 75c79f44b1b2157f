const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const DAY_MS = 86_400_000
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const PATTERN = new RegExp(
  [
    '(?<!\\d)(?<iso>\\d{4}-\\d{2}-\\d{2})(?!\\d)',
    `(?<!\\d)(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?(?: of)? (?<month>${MONTH})\\b\\.?,?(?: (?<year>\\d{4}))?`,
    `\\b(?<month2>${MONTH})\\.? (?:the )?(?<day2>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? (?<year2>\\d{4}))?`,
    `\\b(?:(?<next>next|this|on|by|until)? ?(?<weekday>${WEEKDAYS.join('|')}))\\b`,
    '\\b(?<near>today|tonight|tomorrow|yesterday)\\b',
    '\\bin (?<count>\\d{1,2}|a|two|three) (?<unit>days?|weeks?)\\b',
  ].join('|'),
  'giu',
)
const COUNTS: Readonly<Record<string, number>> = { a: 1, two: 2, three: 3 }
const NEAR: Readonly<Record<string, number>> = { today: 0, tonight: 0, tomorrow: 1, yesterday: -1 }

/** The days that a text names, seen from when it was said; a day without a year is the next one. */
export function findMoments(text: string, at: Date): Date[] {
  const today = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())
  const found: Date[] = []
  for (const { groups = {} } of text.matchAll(PATTERN)) {
    const moment = momentOf(groups, today)
    if (moment !== null) found.push(moment)
  }
  return found
}

function momentOf(groups: Readonly<Record<string, string | undefined>>, today: number): Date | null {
  const { iso, weekday, near, count, unit } = groups
  if (iso !== undefined) return validDate(Date.parse(`${iso}T00:00:00Z`))
  if (near !== undefined) return new Date(today + (NEAR[near.toLowerCase()] ?? 0) * DAY_MS)
  if (count !== undefined && unit !== undefined) {
    const many = COUNTS[count.toLowerCase()] ?? Number(count)
    return new Date(today + many * (unit.toLowerCase().startsWith('w') ? 7 : 1) * DAY_MS)
  }
  if (weekday !== undefined) {
    const ahead = (WEEKDAYS.indexOf(weekday.toLowerCase()) - new Date(today).getUTCDay() + 7) % 7
    return new Date(today + (ahead === 0 ? 7 : ahead) * DAY_MS)
  }
  const month = MONTHS.indexOf((groups.month ?? groups.month2 ?? '').slice(0, 3).toLowerCase())
  const day = Number(groups.day ?? groups.day2)
  const year = groups.year ?? groups.year2
  if (month < 0 || day < 1 || day > 31) return null
  const thisYear = new Date(today).getUTCFullYear()
  if (year !== undefined) return validDate(Date.UTC(Number(year), month, day))
  const soon = Date.UTC(thisYear, month, day)
  return validDate(soon < today ? Date.UTC(thisYear + 1, month, day) : soon)
}

const validDate = (time: number): Date | null => (Number.isNaN(time) ? null : new Date(time))
