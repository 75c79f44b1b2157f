import { eachToken } from './tokenize.js'

export const MOST_TERMS = 64
export const MOST_PHRASES = 16
export const MOST_EXCLUDED = 64

/** What is looked for. Each word is in the form that the index holds. */
export interface Query {
  /** The words that score, in order and without duplicates. */
  readonly terms: Word[]
  /** Words that must stand next to each other. One of a single word asks for that word and no other form of it. */
  readonly phrases: string[][]
  readonly excluded: string[]
  readonly excludedPhrases: string[][]
  /** What is asked for, as it was written: without what is excluded, and without marks. */
  readonly meant: string
  /** Whether there was more than the limits allow. */
  readonly dropped: boolean
}

export interface Word {
  readonly term: string
  /** All words that begin with it. */
  readonly prefix: boolean
  /** It stands in quotes only: no other form of it is meant. */
  readonly exact: boolean
  /** How often it is asked for. */
  readonly times: number
}

// A minus counts at the start or after white space only: well-known is two words, not one without the other.
const PIECE = /((?<!\S)-)?(?:["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+))/gu
const PREFIX_MARK = /^\*(?![*\p{L}\p{M}\p{N}])/u

/**
 * Reads a query as people type it: words, `"a phrase"`, `-without`, `-"without this"`, `begin*`. Anything is a
 * query; what goes beyond the limits is dropped, and said to be.
 *
 * @example
 * parseQuery('gard* "old shed" -draft')
 */
export function parseQuery(text: string): Query {
  let dropped = false
  /** The first of a kind stays where it is, and none comes after the last that there is room for. */
  const addTo = <Value>(all: Map<string, Value>, most: number, key: string, value: Value) => {
    if (all.has(key)) return
    if (all.size < most) all.set(key, value)
    else dropped = true
  }
  const addPhrase = (to: Map<string, string[]>, words: readonly Word[]) => {
    if (words.length > MOST_TERMS) dropped = true
    const phrase = words.slice(0, MOST_TERMS).map(({ term }) => term)
    addTo(to, MOST_PHRASES, phrase.join(' '), phrase)
  }
  const terms = new Map<string, Word>()
  const phrases = new Map<string, string[]>()
  const excluded = new Map<string, string>()
  const excludedPhrases = new Map<string, string[]>()
  const meant: string[] = []

  for (const [, minus, quoted, loose] of text.matchAll(PIECE)) {
    const words = wordsOf(quoted ?? loose ?? '', quoted === undefined)
    if (words.length === 0) continue
    const [first] = words
    if (minus === undefined) {
      meant.push(quoted ?? loose?.replace(/\*$/, '') ?? '')
      for (const word of words) {
        const key = `${word.prefix}${word.term}`
        const before = terms.get(key)
        addTo(terms, MOST_TERMS, key, word)
        // Asked for without quotes as well, other forms are meant too.
        if (before !== undefined)
          terms.set(key, { ...word, exact: word.exact && before.exact, times: before.times + 1 })
      }
      if (quoted !== undefined) addPhrase(phrases, words)
    } else if (quoted === undefined && words.length === 1 && first !== undefined) {
      addTo(excluded, MOST_EXCLUDED, first.term, first.term)
    } else {
      // -well-known too: leaving out all that is known, and all that is well, was not asked for.
      addPhrase(excludedPhrases, words)
    }
  }
  return {
    terms: [...terms.values()],
    phrases: [...phrases.values()],
    excluded: [...excluded.keys()],
    excludedPhrases: [...excludedPhrases.values()],
    meant: meant.join(' '),
    dropped,
  }
}

function wordsOf(piece: string, loose: boolean): Word[] {
  const words: Word[] = []
  eachToken(piece, (term, _, end) => {
    const prefix = loose && PREFIX_MARK.test(piece.slice(end, end + 3)) && [...term].length >= 2
    words.push({ term, prefix, exact: !loose, times: 1 })
  })
  return words
}
