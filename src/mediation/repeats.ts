import { wordsOf } from './words.js'

/** CB-4: this many words in a row are a quotation. */
export const QUOTED_WORDS = 5
/** Fewer words than this are not anybody's. */
const SHORTEST_ORIGINAL = 3
/**
 * Five words of at least so many bytes are found however the text divides them into words. Bytes, since a character
 * of a script without spaces says more than a letter.
 */
export const TELLING_BYTES = 16

/** No run of words with so many bytes has fewer characters. */
const SHORTEST_TELLING = 6

/**
 * Whether a text repeats five words of the original in a row, or the whole of an original that has fewer. Words
 * run together or apart ("every-day", "do not") are the same words.
 */
export const repeatsOriginal = (text: string, original: string): boolean =>
  makeRepetitionCheck(text)(original)

/** The same for one text and many originals: what they are looked up in is made once. */
export function makeRepetitionCheck(text: string): (original: string) => boolean {
  const told = wordsOf(text)
  const spaced = ` ${told.join(' ')} `
  const unspaced = letters(told)
  const atoms = told.join(' ').split(' ')
  // Whatever begins like nothing in the text is not in it, and need not be searched for.
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
