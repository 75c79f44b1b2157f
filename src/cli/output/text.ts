/**
 * Characters that a terminal obeys instead of showing. The author of a record must not control the reader's terminal.
 */
const CONTROL = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Makes text printable on one line. It keeps its length, so that offsets stay valid. */
export const toOneLine = (text: string): string =>
  text.replace(CONTROL, character => (/\s/.test(character) ? ' ' : '\ufffd'))

/** Makes text printable and keeps its line breaks. */
export const toLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, character => (/[\n\t]/.test(character) ? character : '\ufffd'))

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const segmenter = new Intl.Segmenter()

/** The width of a text in columns: East Asian letters and emoji take two. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment)
  return width
}

const widthOf = (segment: string) => (WIDE.test(segment) ? 2 : /^\p{M}|^\p{Cf}$/u.test(segment) ? 0 : 1)

/** Cuts a text to a width and marks the cut with an ellipsis. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** Formats a count with its noun: `1 record`, `2 records`. */
export const formatCount = (count: number, thing: string, many = `${thing}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? thing : many}`

/** Formats 1536 as `1.5 KiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

/** Formats 95,000 ms as `1m 35s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** Formats `2026-01-31T09:15:00.000Z` as `2026-01-31 09:15`, in the time zone of whoever reads it. */
export function formatMoment(iso: string | null | undefined): string {
  if (!iso) return ''
  const at = new Date(iso)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}
