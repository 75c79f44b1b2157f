/** A day as people name it: the year is often left out. */
export interface NamedDay {
  readonly year: number | null
  readonly month: number
  readonly day: number
}

/** The names of months in English, German, French and Spanish. */
const MONTHS = [
  'january januar janvier enero jan',
  'february februar février febrero feb',
  'march märz mars marzo mar',
  'april avril abril apr',
  'may mai mayo',
  'june juni juin junio jun',
  'july juli juillet julio jul',
  'august août agosto aug',
  'september septembre septiembre sep sept',
  'october oktober octobre octubre oct okt',
  'november novembre noviembre nov',
  'december dezember décembre diciembre dec dez',
].map(names => names.split(' '))

const NAME = MONTHS.flat()
  .sort((a, b) => b.length - a.length)
  .join('|')
const ISO = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g
const DAY_FIRST = new RegExp(
  `(?<![\\p{L}\\d])(\\d{1,2})(?:st|nd|rd|th|er|\\.)?(?: of| de)? (${NAME})(?!\\p{L})\\.?,?(?: (?:de )?(\\d{4})(?!\\d))?`,
  'giu',
)
const MONTH_FIRST = new RegExp(
  `(?<!\\p{L})(${NAME})\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? (\\d{4})(?!\\d))?`,
  'giu',
)

/** The days that a question names, such as `8 May`, `May 8th, 2023` or `2023-05-08`. */
export function namedDays(question: string): NamedDay[] {
  const days = [
    ...[...question.matchAll(ISO)].map(([, year, month, day]) => dayOf(year, Number(month), day)),
    ...[...question.matchAll(DAY_FIRST)].map(([, day, month, year]) => dayOf(year, monthOf(month), day)),
    ...[...question.matchAll(MONTH_FIRST)].map(([, month, day, year]) => dayOf(year, monthOf(month), day)),
  ]
  return days.filter(({ month, day }) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
}

const dayOf = (year: string | undefined, month: number, day: string | undefined): NamedDay => ({
  year: year === undefined ? null : Number(year),
  month,
  day: Number(day),
})

const monthOf = (name = '') => MONTHS.findIndex(names => names.includes(name.toLowerCase())) + 1

/** Whether a moment lies on one of the days, in UTC. */
export function isOnOneOf(days: readonly NamedDay[], moment: number): boolean {
  const at = new Date(moment)
  return days.some(
    ({ year, month, day }) =>
      at.getUTCDate() === day &&
      at.getUTCMonth() + 1 === month &&
      (year === null || at.getUTCFullYear() === year),
  )
}
