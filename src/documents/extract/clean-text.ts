/** Ends lines with `\n`, removes NUL and replaces unpaired surrogates. */
export const cleanExtractedText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .replace(/\p{Cs}/gu, '\ufffd')

/** A metadata value of a file as a single line; null if nothing is left. */
export function cleanLine(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const line = value
    .slice(0, MOST_CHARACTERS)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\p{Cs}/gu, '')
    .trim()
  return line === '' ? null : line
}
const MOST_CHARACTERS = 2_000

/** Cleans metadata values and keeps only those that are not empty. */
export function cleanAbout(found: Readonly<Record<string, unknown>>): Record<string, string> {
  const about: Record<string, string> = {}
  for (const [name, value] of Object.entries(found)) {
    const line = cleanLine(value)
    if (line !== null) about[name] = line
  }
  return about
}
