const LONGEST_BYTES = 200

/** A name as a record can hold it: one line, not too long; undefined if nothing is left. */
export function cleanName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  let name = given
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .toWellFormed()
  while (Buffer.byteLength(name) > LONGEST_BYTES)
    name = [...name].slice(0, Math.min([...name].length - 1, LONGEST_BYTES)).join('')
  return name === '' ? undefined : name
}

/** Each name once. */
export function cleanNames(given: readonly unknown[]): string[] {
  return [...new Set(given.flatMap(name => cleanName(name) ?? []))]
}

/** Text as it can be stored: NUL and halves of characters are no text. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The fields that are there. */
export function present<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Partial<T>
}
