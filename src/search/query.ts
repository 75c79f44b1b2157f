import { eachToken } from './tokenize.js'

export const MOST_TERMS = 64
export const MOST_PHRASES = 16
export const MOST_EXCLUDED = 64

/** A parsed query. Its words are normalised as in the index. */
export interface Query {
  /** The words that score, in order and without duplicates. */
  readonly terms: Word[]
  /** Words that must be adjacent. A phrase of a single word requires exactly that word, in no other form. */
  readonly phrases: string[][]
  readonly excluded: string[]
  readonly excludedPhrases: string[][]
  /** The query as written, without exclusions and without quotes and asterisks. */
  readonly meant: string
  /** Whether the query exceeded the limits and something was dropped. */
  readonly dropped: boolean
}

export interface Word {
  readonly term: string
  /** Whether all words that begin with it match. */
  readonly prefix: boolean
  /** Whether it occurs only in quotes, so that other forms of it do not match. */
  readonly exact: boolean
  /** How often it occurs in the query. */
  readonly times: number
}

// A minus excludes only at the start or after white space: in `well-known` it is a hyphen.
const PIECE = /((?<!\S)-)?(?:["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+))/gu
const PREFIX_MARK = /^\*(?![*\p{L}\p{M}\p{N}])/u

/**
 * Parses a query as people type it: words, `"a phrase"`, `-without`, `-"without this"`, `begin*`. Any text is a valid
 * query. What exceeds the limits is dropped, and `dropped` says so.
 *
 * @example
 * parseQuery('gard* "old shed" -draft')
 */
export function parseQuery(text: string): Query {
  let dropped = false
  /** Keeps the first of equal keys, and adds no more keys once there are `most` of them. */
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
        // A word that also occurs without quotes matches in other forms too.
        if (before !== undefined)
          terms.set(key, { ...word, exact: word.exact && before.exact, times: before.times + 1 })
      }
      if (quoted !== undefined) addPhrase(phrases, words)
    } else if (quoted === undefined && words.length === 1 && first !== undefined) {
      addTo(excluded, MOST_EXCLUDED, first.term, first.term)
    } else {
      // `-well-known` excludes the phrase, not every text with `well` or with `known`.
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
