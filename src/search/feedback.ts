import { scoreOf, weightOf } from './bm25.js'
import { isCommon, type KnownLanguage } from './common-words.js'
import {
  borrowHits,
  borrowScores,
  type Matches,
  measureVisible,
  readTerm,
  type VisiblePart,
} from './match.js'
import { stemKey } from './stem.js'

/** Pseudo-relevance feedback takes this many of the best documents, and this many terms from them. */
export const FEEDBACK_DOCUMENTS = 3
const FEEDBACK_TERMS = 10
/** The weight of the best feedback term, by which its inverse document frequency is multiplied. */
const FEEDBACK_SHARE = 0.5
/**
 * What all feedback terms together may add to a score, as a share of the best score without them. More of it helps where
 * the best documents are right, and misleads where they are not.
 */
const MOST_ADDED = 0.3
/** Only this many words of a document are read, so that a book costs no more than a page. */
export const FEEDBACK_WORDS = 500

/** A document that matches well: its text score, and the words of the face that the caller sees (NI-4). */
export interface FeedbackDocument {
  readonly score: number
  readonly words: readonly string[]
}

/** A term that is not in the question, and the weight by which its inverse document frequency is multiplied. */
export interface FeedbackTerm {
  readonly term: string
  readonly share: number
}

/**
 * Finds the terms that the best documents share with each other but with few others: they show which other words a text
 * on the subject uses. Everything is counted over exactly the visible set (NI-2).
 *
 * @param best the best documents, best first
 */
export function feedbackTerms(
  parts: readonly VisiblePart[],
  matches: Matches,
  best: readonly FeedbackDocument[],
  language: KnownLanguage,
  stemming: boolean,
): FeedbackTerm[] {
  const classOf = (word: string) => (stemming ? stemKey(word, language) : word)
  const asked = new Set(matches.terms.flatMap(({ term, words }) => [term, ...words.keys()].map(classOf)))
  const { documents } = measureVisible(parts)
  const found = [...gather(best, classOf)]
    .filter(([key, { word }]) => !asked.has(key) && !isCommon(word, language))
    .flatMap(([, { word, amount }]) => {
      const frequency = frequencyOf(parts, word, stemming)
      return frequency < 2 ? [] : [{ word, value: amount * weightOf(documents, frequency) }]
    })
    .sort((a, b) => b.value - a.value || (a.word < b.word ? -1 : 1))
    .slice(0, FEEDBACK_TERMS)
  const highest = found[0]?.value ?? 0
  return found.map(({ word, value }) => ({ term: word, share: FEEDBACK_SHARE * (value / highest) }))
}

/** For each class of words, the alphabetically first word and how much the best documents use the class. */
function gather(
  best: readonly FeedbackDocument[],
  classOf: (word: string) => string,
): Map<string, { word: string; amount: number }> {
  const gathered = new Map<string, { word: string; amount: number }>()
  const highest = best[0]?.score ?? 0
  for (const { score, words } of best) {
    const counts = new Map<string, { word: string; count: number }>()
    for (const word of words.slice(0, FEEDBACK_WORDS)) {
      const key = classOf(word)
      const known = counts.get(key) ?? { word, count: 0 }
      counts.set(key, { word: known.word < word ? known.word : word, count: known.count + 1 })
    }
    for (const [key, { word, count }] of counts) {
      const known = gathered.get(key) ?? { word, amount: 0 }
      gathered.set(key, {
        word: known.word < word ? known.word : word,
        amount: known.amount + ((score / highest) * count) / (count + 1),
      })
    }
  }
  return gathered
}

const asTerm = (term: string) => ({ term, prefix: false, exact: false, synonyms: [] })

/** The number of visible documents that have a word or another form of it. */
function frequencyOf(parts: readonly VisiblePart[], word: string, stemming: boolean): number {
  const key = `${stemming} ${word}`
  let frequency = 0
  for (const [at, part] of parts.entries()) {
    const known = knownFrequencies.get(part.mask) ?? new Map<string, number>()
    knownFrequencies.set(part.mask, known)
    let own = known.get(key)
    if (own === undefined) {
      own = readTerm(part, asTerm(word), stemming, new Map(), borrowHits(at)).length
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(key, own)
    }
    frequency += own
  }
  return frequency
}

/** Counts are cached for as long as their mask is. A cache that is full is emptied. */
const knownFrequencies = new WeakMap<VisiblePart['mask'], Map<string, number>>()
const MOST_KNOWN = 4_000

/**
 * Reranks the same matches: a document that has a word of the question scores more for each feedback term that it
 * has, summed in the order of the terms (SC-2). No document is added or removed.
 */
export function withFeedback(
  parts: readonly VisiblePart[],
  matches: Matches,
  feedback: readonly FeedbackTerm[],
  stemming: boolean,
): Matches {
  if (feedback.length === 0) return matches
  const scores = borrowScores(parts)
  try {
    for (const [at, { documents, scores: before }] of matches.parts.entries()) {
      const own = scores[at] as Float64Array
      for (let place = 0; place < documents.length; place++)
        own[documents[place] as number] = before[place] as number
    }
    addTerms(scores, parts, feedback, stemming)
    return raisedTo(scores, matches)
  } finally {
    for (const [at, { documents }] of matches.parts.entries())
      for (const document of documents) (scores[at] as Float64Array)[document] = 0
  }
}

function addTerms(
  scores: readonly Float64Array[],
  parts: readonly VisiblePart[],
  feedback: readonly FeedbackTerm[],
  stemming: boolean,
): void {
  const { documents, words } = measureVisible(parts)
  const averageLength = words / documents
  for (const { term, share } of feedback) {
    const hits = parts.map((part, at) => readTerm(part, asTerm(term), stemming, new Map(), borrowHits(at)))
    const frequency = hits.reduce((sum, { length }) => sum + length, 0)
    const weight = weightOf(documents, frequency) * share
    for (const [at, found] of hits.entries()) {
      const { lengths } = (parts[at] as VisiblePart).mask
      const own = scores[at] as Float64Array
      for (let hit = 0; hit < found.length; hit++) {
        const document = found.documents[hit] as number
        const score = own[document] as number
        // A document without a word of the question keeps its score.
        if (score === 0) continue
        own[document] =
          score +
          scoreOf(weight, found.frequencies[hit] as number, lengths[document] as number, averageLength)
      }
    }
  }
}

function raisedTo(scores: readonly Float64Array[], matches: Matches): Matches {
  let highest = 0
  for (const { scores: before } of matches.parts)
    for (let place = 0; place < before.length; place++) highest = Math.max(highest, before[place] as number)
  const most = MOST_ADDED * highest
  const parts = matches.parts.map(({ documents, scores: before }, at) => {
    const own = scores[at] as Float64Array
    const raised = new Float64Array(documents.length)
    for (let place = 0; place < documents.length; place++)
      raised[place] = Math.min(own[documents[place] as number] as number, (before[place] as number) + most)
    return { documents, scores: raised }
  })
  return { ...matches, parts }
}
