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

/**
 * Whether a text repeats five words of the original in a row, or the whole of an original that has fewer. Words
 * run together or apart ("every-day", "do not") are the same words.
 */
export function repeats(text: string, original: string): boolean {
  const told = wordsOf(text)
  const kept = wordsOf(original)
  if (kept.length === 0) return false
  if (letters(told) === letters(kept)) return true
  if (kept.length < SHORTEST_ORIGINAL) return false
  const run = Math.min(QUOTED_WORDS, kept.length)
  const spaced = ` ${told.join(' ')} `
  const unspaced = letters(told)
  for (let at = 0; at + run <= kept.length; at++) {
    const words = kept.slice(at, at + run)
    if (spaced.includes(` ${words.join(' ')} `)) return true
    const joined = letters(words)
    if (Buffer.byteLength(joined) >= TELLING_BYTES && unspaced.includes(joined)) return true
  }
  return false
}

const letters = (words: readonly string[]): string => words.join('').replaceAll(' ', '')
