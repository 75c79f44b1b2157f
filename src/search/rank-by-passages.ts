import { roundScore } from './bm25.js'
import { FULL_LEVEL, HIDDEN_LEVEL } from './mask.js'
import { type Matches, placesOf, type QueryTerm, type VisiblePart } from './match.js'
import type { Postings } from './postings.js'
import { compareRank, type RankedDocument } from './rank.js'

/** The length of a passage in words. */
export const PASSAGE_WORDS = 40
/** Two successive words of a question count as in order if the text has at most this many words between them. */
const BETWEEN = 2
/** The weight of words that occur in the question's order, relative to words that only occur together. */
const FOLLOWING = 1 / 3
/** The share of the best passage in a document's score. The rest is the score of the whole document. */
const PASSAGE_SHARE = 1 / 2
/** The average number of language-model tokens in a word. */
const TOKENS_A_WORD = 4 / 3

export interface PassageOrder {
  readonly ranked: readonly RankedDocument[]
  /** The total tokens of the documents whose passages were scored. */
  readonly tokens: number
  /** The number of documents that the budget did not cover. They are ranked by their words alone. */
  readonly unread: number
}

/** Documents in order, and how each term of the question matched. */
interface RankedMatches {
  readonly ranked: readonly RankedDocument[]
  readonly matches: Pick<Matches, 'terms'>
  readonly terms: readonly QueryTerm[]
}

/**
 * Reranks documents by their best passage: how much of the question it contains, with rare words weighing more than
 * common ones, and how much of that in the question's order. The best documents are read first, until the budget is
 * used up.
 */
export function rankByPassages(
  parts: readonly VisiblePart[],
  { ranked, matches, terms }: RankedMatches,
  stemming: boolean,
  {
    budgetTokens = Number.POSITIVE_INFINITY,
    checkDeadline = () => {},
  }: { readonly budgetTokens?: number; readonly checkDeadline?: () => void } = {},
): PassageOrder {
  // What is found by a key, such as a citation, stands nowhere in particular.
  const weights = terms.map(({ term }, at) => (term === '' ? 0 : (matches.terms[at]?.weight ?? 0)))
  if (weights.every(weight => weight === 0)) return { ranked, tokens: 0, unread: 0 }
  let tokens = 0
  let unread = 0
  const scored = ranked.map(item => {
    checkDeadline()
    const part = parts[item.part] as VisiblePart
    const costs = Math.ceil((part.mask.lengths[item.document] as number) * TOKENS_A_WORD)
    if (tokens + costs > budgetTokens) {
      unread++
      return { ...item, score: roundScore((1 - PASSAGE_SHARE) * item.score) }
    }
    tokens += costs
    const places = terms.map(term => placesIn(part, item.document, term, stemming))
    const worth = scorePassage(places, weights)
    return { ...item, score: roundScore((1 - PASSAGE_SHARE) * item.score + PASSAGE_SHARE * worth) }
  })
  return { ranked: scored.sort(compareRank), tokens, unread }
}

/** The positions of a term or its equivalents in the visible face of a document, ascending. */
function placesIn(part: VisiblePart, document: number, term: QueryTerm, stemming: boolean): number[] {
  const level = part.mask.levels[document] ?? HIDDEN_LEVEL
  if (level === HIDDEN_LEVEL) return []
  const postings = part.segment.postings[level - FULL_LEVEL] as Postings
  const found = new Set<number>()
  for (const [place, languages] of placesOf(postings, term, stemming)) {
    if (languages !== null && languages[postings.data.languages[document] as number] === 0) continue
    for (const position of postings.positions(place, part.mask, document)) found.add(position)
  }
  return [...found].sort((a, b) => a - b)
}

/** How much of a question the best passage of a document contains: 0 is nothing, 1 is all of it in its order. */
export function scorePassage(places: readonly (readonly number[])[], weights: readonly number[]): number {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  if (all === 0) return 0
  // The first word of a question has no word before it, so its order does not count.
  const [lead = 0] = weights
  const words = places
    .flatMap((positions, term) => positions.map(position => ({ position, term })))
    .sort((a, b) => a.position - b.position || a.term - b.term)
  let best = 0
  for (const [first, { position: start }] of words.entries()) {
    const within = new Map<number, number[]>()
    for (let at = first; at < words.length; at++) {
      const { position, term } = words[at] as (typeof words)[number]
      if (position - start >= PASSAGE_WORDS) break
      within.set(term, [...(within.get(term) ?? []), position])
    }
    let together = 0
    let following = 0
    // Sums in the order of the question's words, so that equal passages get equal scores.
    for (const [term, weight] of weights.entries()) {
      const here = within.get(term)
      if (here === undefined) continue
      together += weight
      const before = term === 0 ? [] : (within.get(term - 1) ?? [])
      if (before.some(one => here.some(other => other > one && other - one <= BETWEEN + 1)))
        following += weight
    }
    const inOrder = all > lead ? following / (all - lead) : together / all
    best = Math.max(best, (1 - FOLLOWING) * (together / all) + FOLLOWING * inOrder)
  }
  return Math.min(1, best)
}
