/** `\n` at line ends, no NUL, no halves of characters. */
export const cleanExtractedText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .replace(/\p{Cs}/gu, '\ufffd')

/** A value a file gives of itself, as one line; null if nothing is left. */
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

/** Only the values that are there. */
export function cleanAbout(found: Readonly<Record<string, unknown>>): Record<string, string> {
  const about: Record<string, string> = {}
  for (const [name, value] of Object.entries(found)) {
    const line = cleanLine(value)
    if (line !== null) about[name] = line
  }
  return about
}
