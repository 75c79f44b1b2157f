import { roundScore, weightOf } from './bm25.js'
import { FULL_LEVEL, HIDDEN_LEVEL } from './mask.js'
import { type Matches, measureVisible, placesOf, type QueryTerm, type VisiblePart } from './match.js'
import type { Postings } from './postings.js'
import { compareRank, type RankedDocument } from './rank.js'

/** So many words stand together in one passage. */
export const PASSAGE_WORDS = 40
/** Words of a question that follow each other do so in a text with this many at most between them. */
const BETWEEN = 2
/** What it counts that words of a question follow each other, beside that they stand together. */
const FOLLOWING = 1 / 3
/** What its best passage counts in the score of a document, beside its words as a whole. */
const PASSAGE_SHARE = 2 / 3
/** Tokens of a word, as a model counts them. */
const TOKENS_A_WORD = 4 / 3

export interface PassageOrder {
  readonly ranked: readonly RankedDocument[]
  /** Tokens of the documents whose passages were looked at. */
  readonly tokens: number
  /** How many there was no budget left for: they keep the place that their words alone give them. */
  readonly unread: number
}

/**
 * The same documents ordered by their best passage as well: how much of the question stands together in it, rare words
 * before common ones, and how much of that in the question's own order. Read best first, as far as the budget goes.
 */
export function rankByPassages(
  parts: readonly VisiblePart[],
  ranked: readonly RankedDocument[],
  { terms: met }: Pick<Matches, 'terms'>,
  terms: readonly QueryTerm[],
  stemming: boolean,
  budgetTokens: number,
  checkDeadline: () => void = () => {},
): PassageOrder {
  const { documents } = measureVisible(parts)
  const weights = terms.map((term, at) => weightOf(documents, met[at]?.documents ?? 0) * (term.share ?? 1))
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

/** Where a term or what stands for it is in the face that is seen of a document, ascending. */
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

/** How much of a question the best passage of a document holds: 0 is nothing, 1 all of it in its order. */
export function scorePassage(places: readonly (readonly number[])[], weights: readonly number[]): number {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  if (all === 0) return 0
  // The first word of a question follows none.
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
    // In the order of the question's words, so that equal passages are summed alike.
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
