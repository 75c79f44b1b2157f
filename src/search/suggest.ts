import { withinOneEdit } from './edits.js'
import { Hits } from './hits.js'
import { compareBytes, encodeUtf8 } from './lexicon.js'
import type { VisiblePart } from './match.js'
import type { Postings } from './postings.js'

/** A visible word and how many visible documents have it. */
export interface VisibleWord {
  readonly word: string
  readonly documents: number
}

/** Visible words that are one edit away, the most frequent first (QX-2). */
export function wordsNear(parts: readonly VisiblePart[], term: string, most: number): VisibleWord[] {
  const counts = new Map<string, number>()
  for (const part of parts)
    for (const postings of part.segment.postings)
      for (const place of placesNear(postings, term)) count(part, postings, place, counts)
  return mostFrequent(counts, most)
}

/** Visible words with this prefix, the most frequent first (QX-2). */
export function wordsWithPrefix(parts: readonly VisiblePart[], prefix: string, most: number): VisibleWord[] {
  const counts = new Map<string, number>()
  for (const part of parts) {
    for (const postings of part.segment.postings) {
      const [from, to] = postings.withPrefix(prefix)
      for (let place = from; place < to; place++) count(part, postings, place, counts)
    }
  }
  return mostFrequent(counts, most)
}

/** With a larger alphabet, it is faster to look at every word than to try every letter. */
const SMALL_ALPHABET = 200

/**
 * The places of words one edit away from a term, visible or not. `count` must find each visible before it is
 * returned.
 */
function placesNear(postings: Postings, term: string): Iterable<number> {
  if (postings.data.terms.size === 0) return []
  const { alphabet } = postings
  return alphabet.length <= SMALL_ALPHABET ? tryEdits(postings, term, alphabet) : lookAtAll(postings, term)
}

function tryEdits(postings: Postings, term: string, alphabet: readonly string[]): Set<number> {
  const letters = [...term]
  const found = new Set<number>()
  const look = (word: string) => {
    if (word === term) return
    const place = postings.find(word)
    if (place >= 0) found.add(place)
  }
  for (let at = 0; at <= letters.length; at++) {
    const before = letters.slice(0, at).join('')
    const after = letters.slice(at).join('')
    const beyond = letters.slice(at + 1).join('')
    for (const letter of alphabet) look(before + letter + after)
    if (at === letters.length) break
    look(before + beyond)
    for (const letter of alphabet) look(before + letter + beyond)
    if (at + 1 < letters.length)
      look(`${before}${letters[at + 1]}${letters[at]}${letters.slice(at + 2).join('')}`)
  }
  return found
}

function* lookAtAll(postings: Postings, term: string): Generator<number> {
  const length = Buffer.byteLength(term)
  const { starts } = postings.data.terms
  for (const place of postings.words()) {
    const size = (starts[place + 1] as number) - (starts[place] as number)
    // One edit changes one character, which has at most four bytes.
    if (Math.abs(size - length) <= 4 && withinOneEdit(term, postings.term(place))) yield place
  }
}

const hits = new Hits()

/**
 * Counts the visible documents with a word. A word that no visible document has is left out, so it leaves no trace.
 */
function count(part: VisiblePart, postings: Postings, place: number, counts: Map<string, number>): void {
  hits.clear()
  postings.read(place, part.mask, null, hits)
  if (hits.length === 0) return
  const word = postings.term(place)
  counts.set(word, (counts.get(word) ?? 0) + hits.length)
}

/** The visible documents of a part whose shown words include this one. */
export function documentsWith({ segment, mask }: VisiblePart, word: string): number[] {
  return segment.postings.flatMap(postings => {
    const place = postings.find(word)
    if (place < 0) return []
    hits.clear()
    postings.read(place, mask, null, hits)
    return [...hits.documents.subarray(0, hits.length)]
  })
}

function mostFrequent(counts: ReadonlyMap<string, number>, most: number): VisibleWord[] {
  return [...counts]
    .map(([word, documents]) => ({ word, documents }))
    .sort((a, b) => b.documents - a.documents || compareBytes(encodeUtf8(a.word), encodeUtf8(b.word)))
    .slice(0, most)
}
