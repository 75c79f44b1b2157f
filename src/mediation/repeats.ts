import { wordsOf } from './words.js'

/** This many words in a row count as a quotation (CB-4). */
export const QUOTED_WORDS = 5
/** A text with fewer words than this is too common to be anybody's own. */
const SHORTEST_ORIGINAL = 3
/**
 * Five words with at least this many bytes are found however the text splits them into words. Bytes, because a
 * character of a script without spaces carries more information than a letter.
 */
export const TELLING_BYTES = 16

/** A run of words with `TELLING_BYTES` bytes has at least this many characters. */
const SHORTEST_TELLING = 6

/**
 * Whether a text repeats five words of the original in a row, or the whole of a shorter original. Words count as the
 * same whether written together or apart ("every-day", "do not").
 */
export const repeatsOriginal = (text: string, original: string): boolean =>
  makeRepetitionCheck(text)(original)

/** The same check for one text and many originals; the lookup tables are built once. */
export function makeRepetitionCheck(text: string): (original: string) => boolean {
  const told = wordsOf(text)
  const spaced = ` ${told.join(' ')} `
  const unspaced = letters(told)
  const atoms = told.join(' ').split(' ')
  // A run whose beginning does not occur in the text need not be searched for.
  const beginnings = new Set(atoms.map((_, at) => beginningOf(atoms.slice(at, at + SHORTEST_ORIGINAL))))
  const shingles = new Set<string>()
  for (let at = 0; at + SHORTEST_TELLING <= unspaced.length; at++)
    shingles.add(unspaced.slice(at, at + SHORTEST_TELLING))
  return original => {
    const kept = wordsOf(original)
    if (kept.length === 0) return false
    if (letters(kept) === unspaced) return true
    if (kept.length < SHORTEST_ORIGINAL) return false
    const run = Math.min(QUOTED_WORDS, kept.length)
    for (let at = 0; at + run <= kept.length; at++) {
      const words = kept.slice(at, at + run).join(' ')
      if (beginnings.has(beginningOf(words.split(' '))) && spaced.includes(` ${words} `)) return true
      const joined = words.replaceAll(' ', '')
      const isTold = shingles.has(joined.slice(0, SHORTEST_TELLING))
      if (isTold && Buffer.byteLength(joined) >= TELLING_BYTES && unspaced.includes(joined)) return true
    }
    return false
  }
}

const beginningOf = (words: readonly string[]): string => words.slice(0, SHORTEST_ORIGINAL).join(' ')

const letters = (words: readonly string[]): string => words.join('').replaceAll(' ', '')
