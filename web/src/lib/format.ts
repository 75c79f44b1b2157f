/** Numbers and times in the reader's own form. */
const number = new Intl.NumberFormat()
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export const formatNumber = (value: number) => number.format(value)

/** `1 memory`, `2 memories`. */
export const count = (value: number, one: string, many = `${one}s`) =>
  `${number.format(value)} ${value === 1 ? one : many}`

const STEPS: readonly (readonly [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60, 1, 'second'],
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [7 * 86_400, 86_400, 'day'],
]

/** `3 minutes ago` within a week, else the date. */
export function formatTime(at: string | Date, now = Date.now()): string {
  const date = new Date(at)
  const seconds = (date.getTime() - now) / 1_000
  const step = STEPS.find(([limit]) => Math.abs(seconds) < limit)
  if (step === undefined) return dateOnly.format(date)
  const [, size, unit] = step
  if (unit === 'second') return 'just now'
  return relative.format(Math.round(seconds / size), unit)
}

export const formatDateTime = (at: string | Date) => dateTime.format(new Date(at))
export const formatDate = (at: string | Date) => dateOnly.format(new Date(at))

/** `240 ms`, `1.3 s`. */
export const formatDuration = (ms: number) =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`

const UNITS = ['bytes', 'KB', 'MB', 'GB']
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${formatNumber(Math.round((bytes / 1_024 ** power) * 10) / 10)} ${UNITS[power]}`
}

const KINDS: Readonly<Record<string, string>> = {
  episodic: 'Event',
  semantic: 'Fact',
  plan_graph: 'Plan',
  entity: 'Person or thing',
  competence: 'Skill',
  working: 'Work in progress',
  segment: 'Passage',
  turn: 'Message',
}

/** What kind of record it is, in everyday words. */
export const kindInWords = (kind: string) => KINDS[kind] ?? inWords(kind)

/** `plan_graph` as `Plan graph`: values of the API in words. */
export const inWords = (value: string) => {
  const words = value.replace(/[_.]/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
