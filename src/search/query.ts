import { eachToken } from './tokenize.js'

export const MOST_TERMS = 64
export const MOST_PHRASES = 16
export const MOST_EXCLUDED = 64

/** What is looked for. Each word is in the form that the index holds. */
export interface Query {
  /** The words that score, in order and without duplicates. */
  readonly terms: { readonly term: string; readonly prefix: boolean }[]
  /** Words that must stand next to each other. One of a single word asks for that word and no other form of it. */
  readonly phrases: string[][]
  readonly excluded: string[]
  readonly excludedPhrases: string[][]
}

// A minus counts at the start or after white space only: well-known is two words, not one without the other.
const PIECE = /((?<!\S)-)?(?:["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+))/gu
const PREFIX_MARK = /^\*(?![*\p{L}\p{M}\p{N}])/u

interface Word {
  readonly term: string
  readonly prefix: boolean
}

/**
 * Reads a query as people type it: words, `"a phrase"`, `-without`, `-"without this"`, `begin*`. Anything is a
 * query; what goes beyond the limits is dropped.
 *
 * @example
 * parseQuery('gard* "old shed" -draft')
 */
export function parseQuery(text: string): Query {
  const terms = new Map<string, Word>()
  const phrases = new Map<string, string[]>()
  const excluded = new Set<string>()
  const excludedPhrases = new Map<string, string[]>()

  for (const [, minus, quoted, loose] of text.matchAll(PIECE)) {
    const words = wordsOf(quoted ?? loose ?? '', quoted === undefined)
    if (words.length === 0) continue
    const [first] = words
    if (minus === undefined) {
      for (const word of words) addTo(terms, MOST_TERMS, `${word.prefix}${word.term}`, word)
      if (quoted !== undefined) addPhrase(phrases, words)
    } else if (quoted === undefined && words.length === 1 && first !== undefined) {
      if (excluded.size < MOST_EXCLUDED) excluded.add(first.term)
    } else {
      // -well-known too: leaving out all that is known, and all that is well, was not asked for.
      addPhrase(excludedPhrases, words)
    }
  }
  return {
    terms: [...terms.values()],
    phrases: [...phrases.values()],
    excluded: [...excluded],
    excludedPhrases: [...excludedPhrases.values()],
  }
}

function wordsOf(piece: string, prefixes: boolean): Word[] {
  const words: Word[] = []
  eachToken(piece, (term, _, end) => {
    const prefix = prefixes && PREFIX_MARK.test(piece.slice(end, end + 3)) && [...term].length >= 2
    words.push({ term, prefix })
  })
  return words
}

function addPhrase(phrases: Map<string, string[]>, words: readonly Word[]): void {
  const phrase = words.slice(0, MOST_TERMS).map(({ term }) => term)
  addTo(phrases, MOST_PHRASES, phrase.join(' '), phrase)
}

/** The first of a kind stays where it is, and none comes after the last that there is room for. */
function addTo<Value>(all: Map<string, Value>, most: number, key: string, value: Value): void {
  if (all.size < most && !all.has(key)) all.set(key, value)
}
