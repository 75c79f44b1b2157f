const LONGEST_BYTES = 200

/** Replaces unpaired surrogates. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')

/** Control characters, and the direction marks that exports put around names. */
const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** A name in the form that records accept: one line, limited in length; undefined if nothing is left. */
export function cleanName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const whole = wellFormed(given).replace(UNSEEN, ' ').replace(/\s+/gu, ' ').trim()
  let name = ''
  let bytes = 0
  for (const character of whole) {
    bytes += Buffer.byteLength(character)
    if (bytes > LONGEST_BYTES) break
    name += character
  }
  return name === '' ? undefined : name.trimEnd()
}

/** Cleaned names without duplicates. */
export function cleanNames(given: readonly unknown[]): string[] {
  return [...new Set(given.flatMap(name => cleanName(name) ?? []))]
}

/** Removes fields that have no value. */
export function omitEmpty<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Partial<T>
}
