import { withinOneEdit } from './edits.js'
import { Hits } from './hits.js'
import { compareBytes, encode } from './lexicon.js'
import type { VisiblePart } from './match.js'

/** A visible word and how many visible documents have it. */
export interface VisibleWord {
  readonly word: string
  readonly documents: number
}

/** Visible words one edit away, the most frequent first (QX-2). */
export function wordsNear(parts: readonly VisiblePart[], term: string, most: number): VisibleWord[] {
  const length = Buffer.byteLength(term)
  const counts = new Map<string, number>()
  for (const part of parts) {
    for (const postings of part.segment.surfaces) {
      const { starts } = postings.data.terms
      for (const place of postings.words()) {
        const size = (starts[place + 1] as number) - (starts[place] as number)
        // One edit changes one character, of at most four bytes.
        if (Math.abs(size - length) > 4) continue
        const word = postings.term(place)
        if (withinOneEdit(term, word)) count(part, postings, place, word, counts)
      }
    }
  }
  return mostFrequent(counts, most)
}

/** Visible words that begin like this, the most frequent first (QX-2). */
export function wordsWithPrefix(parts: readonly VisiblePart[], prefix: string, most: number): VisibleWord[] {
  const counts = new Map<string, number>()
  for (const part of parts) {
    for (const postings of part.segment.surfaces) {
      const [from, to] = postings.withPrefix(prefix)
      for (let place = from; place < to; place++) count(part, postings, place, postings.term(place), counts)
    }
  }
  return mostFrequent(counts, most)
}

const hits = new Hits()

/** A word that no visible document has is not counted, and so leaves no trace. */
function count(
  part: VisiblePart,
  postings: VisiblePart['segment']['full'],
  place: number,
  word: string,
  counts: Map<string, number>,
): void {
  hits.clear()
  postings.read(place, part.mask, null, hits)
  if (hits.length > 0) counts.set(word, (counts.get(word) ?? 0) + hits.length)
}

function mostFrequent(counts: ReadonlyMap<string, number>, most: number): VisibleWord[] {
  return [...counts]
    .map(([word, documents]) => ({ word, documents }))
    .sort((a, b) => b.documents - a.documents || compareBytes(encode(a.word), encode(b.word)))
    .slice(0, most)
}
