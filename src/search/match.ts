import { scoreOf, weightOf } from './bm25.js'
import { Conversations } from './conversations.js'
import { Hits } from './hits.js'
import type { Language } from './languages.js'
import { FULL_LEVEL, type Mask } from './mask.js'
import type { Postings } from './postings.js'
import type { Filing, Segment } from './segment.js'

/** A segment and the mask of its visible documents, to which the question's conditions are already applied. */
export interface VisiblePart {
  readonly segment: Segment
  readonly mask: Mask
}

/** A word of the question. */
export interface QueryTerm {
  readonly term: string
  /** Whether all words that begin with the term match. */
  readonly prefix: boolean
  /** Whether other forms of the term are excluded. */
  readonly exact: boolean
  /** Words that count as the term too. */
  readonly synonyms: readonly string[]
  /** Index keys that count as the term too: citations and legal terms written in another form. */
  readonly keys?: readonly TermKey[]
  /** The language of the question, by whose stems texts of unknown language match. */
  readonly language?: Language
  /** The weight by which its inverse document frequency is multiplied; above zero, 1 by default. */
  readonly share?: number
}

/** A key, or a prefix of keys from which some are chosen, and the text to show for it. */
export interface TermKey {
  readonly key: string
  readonly spelled: string
  readonly chooses?: (key: string) => boolean
}

export interface MatchQuery {
  readonly terms: readonly QueryTerm[]
  readonly phrases: readonly (readonly string[])[]
  readonly excluded: readonly string[]
  readonly excludedPhrases: readonly (readonly string[])[]
  /** Whether other words with the same stem match (QX-1). */
  readonly stemming: boolean
}

/** The reason why a word matches that is not in the question. */
export type WordReason = 'prefix' | 'stemming' | 'synonym' | 'key'

/** How a term of the question matched in the visible set. */
export interface TermMatch {
  readonly term: string
  /** The number of visible documents with the term. */
  readonly documents: number
  /** How much it says: its inverse document frequency, times its share of the question. */
  readonly weight: number
  /** Visible words that matched besides the term itself, and why. */
  readonly words: ReadonlyMap<string, WordReason>
}

/** The versions of one filing unit that matched: those that are kept and those that were merged into them. */
export interface MergedVersions {
  readonly kept: readonly (string | null)[]
  readonly left: readonly (string | null)[]
}

export interface Matches {
  /** The merged versions, by filing unit. */
  readonly merged: ReadonlyMap<string, MergedVersions>
  readonly terms: readonly TermMatch[]
  /**
   * For each part: the matching documents in no particular order, with their text scores; 0 for a document that
   * matched only semantically.
   */
  readonly parts: readonly { readonly documents: Uint32Array; readonly scores: Float64Array }[]
  readonly count: number
  /** The text score of a document of average length that has every word of the question once. */
  readonly whole: number
  /** The visible turns of conversations; null if there are none. */
  readonly conversations: Conversations | null
}

/** Counts the visible documents and their words. */
export function measureVisible(parts: readonly VisiblePart[]): { documents: number; words: number } {
  let documents = 0
  let words = 0
  for (const { mask } of parts) {
    documents += mask.documents.length
    words += mask.words
  }
  return { documents, words }
}

/**
 * Finds the visible documents that match and scores them with BM25. The document count, the frequencies and the
 * average length are those of exactly the visible set (NI-2). Each score is summed in the order of the question's
 * terms (SC-2). A document matches if it has a telling word of the question, if `near` lists it as semantically similar,
 * or if it is a short turn next to one that matches (SC-8). `checkDeadline` is called between posting lists and may throw to stop the search.
 */
export function match(
  parts: readonly VisiblePart[],
  question: MatchQuery,
  near: readonly Uint32Array[] = [],
  checkDeadline: () => void = () => {},
): Matches {
  const scores = borrowScores(parts)
  try {
    return matchInto(scores, parts, question, near, checkDeadline)
  } catch (error) {
    // The next borrower must not find partial sums in the arrays.
    for (const own of [...scores, ...borrowStrengths(parts)]) own.fill(0)
    throw error
  }
}

function matchInto(
  scores: Float64Array[],
  parts: readonly VisiblePart[],
  question: MatchQuery,
  near: readonly Uint32Array[],
  checkDeadline: () => void,
): Matches {
  const { documents, words } = measureVisible(parts)
  const averageLength = documents === 0 ? 0 : words / documents
  const matched = parts.map((_, at) => borrowHits(parts.length + at))
  const conversations = Conversations.of(parts)
  const strengths = borrowStrengths(parts)
  const telling = tellingTerms(question.terms)
  let whole = 0
  let asked = 0

  const terms = question.terms.map((term): TermMatch => {
    const used = new Map<string, WordReason>()
    const hits = parts.map((part, at) => readTerm(part, term, question.stemming, used, borrowHits(at)))
    const frequency = hits.reduce((sum, { length }) => sum + length, 0)
    const weight = weightOf(documents, frequency) * (term.share ?? 1)
    whole += weight
    const strength = telling.has(term) ? strengthOf(term, documents, frequency) : 0
    asked += strength
    for (const [at, found] of hits.entries()) {
      checkDeadline()
      const { lengths } = (parts[at] as VisiblePart).mask
      const own = scores[at] as Float64Array
      const met = matched[at] as Hits
      met.reserve(found.length)
      for (let hit = 0; hit < found.length; hit++) {
        const document = found.documents[hit] as number
        const score = own[document] as number
        // Every term adds more than zero, so a zero means that the document has not matched before.
        if (score === 0) met.documents[met.length++] = document
        own[document] =
          score +
          scoreOf(weight, found.frequencies[hit] as number, lengths[document] as number, averageLength)
      }
      if (strength > 0) strengthen(strengths[at] as Float64Array, found, strength)
    }
    return { term: term.term, documents: frequency, weight, words: used }
  })

  let count = 0
  const worded = matched.map(({ documents, length }) => documents.subarray(0, length))
  const floor = telling.size === 0 ? Number.POSITIVE_INFINITY : asked * leastShare(telling.size)
  const direct = parts.map((part, at) => {
    const own = strengths[at] as Float64Array
    const strong = (worded[at] as Uint32Array).filter(document => (own[document] as number) >= floor)
    const others = near[at]?.filter(document => (own[document] as number) < floor)
    for (const document of worded[at] as Uint32Array) own[document] = 0
    return restrict(part, question, joined(strong, others))
  })
  const around = conversations
    ?.around(direct)
    .map((turns, at) => restrict(parts[at] as VisiblePart, question, turns))
  const { documents: merged, versions } = mergeVersions(parts, direct, around)
  const found = parts.map((_, at) => {
    const own = scores[at] as Float64Array
    const kept = merged[at] as Uint32Array
    const scoresKept = new Float64Array(kept.length)
    for (let place = 0; place < kept.length; place++) {
      scoresKept[place] = own[kept[place] as number] as number
    }
    for (const document of worded[at] as Uint32Array) own[document] = 0
    count += kept.length
    return { documents: kept, scores: scoresKept }
  })
  return { terms, merged: versions, parts: found, count, whole, conversations }
}

/** A question of no more function words than this is not a sentence: `Will` and `The Who` are looked for. */
const MOST_COMMON_ALONE = 2

/**
 * The terms by which documents may match. Function words, whose share is below 1, only add to scores, unless there is
 * nothing else to look for.
 */
function tellingTerms(terms: readonly QueryTerm[]): ReadonlySet<QueryTerm> {
  const content = terms.filter(({ share = 1, exact, prefix }) => share >= 1 || exact || prefix)
  if (content.length > 0) return new Set(content)
  return new Set(terms.length <= MOST_COMMON_ALONE ? terms : [])
}

/** In few documents, how many have a word says little about it, so that they count as this many. */
const LEAST_DOCUMENTS = 1_000

/** How much of a question a term is: its rarity. What was quoted is looked for however common it is. */
const strengthOf = ({ exact, prefix }: QueryTerm, documents: number, frequency: number): number =>
  weightOf(Math.max(documents, LEAST_DOCUMENTS), exact || prefix ? 0 : frequency)

/**
 * The share of a question that a word must be for a document to match by it. Without such a floor, a question about
 * something that no document has would find every document that has its most common word (SC-7).
 */
const leastShare = (terms: number): number => Math.min(0.35, 0.7 / Math.max(1, terms))

/** Notes of each document the strength of the strongest term that it has. */
function strengthen(strengths: Float64Array, { documents, length }: Hits, strength: number): void {
  for (let hit = 0; hit < length; hit++) {
    const document = documents[hit] as number
    if ((strengths[document] as number) < strength) strengths[document] = strength
  }
}

function joined(first: Uint32Array, second: Uint32Array = new Uint32Array(0)): Uint32Array {
  const both = new Uint32Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** Collects the visible documents that have a term or an equivalent of it, each once. */
export function readTerm(
  part: VisiblePart,
  term: QueryTerm,
  stemming: boolean,
  used: Map<string, WordReason>,
  hits = new Hits(),
): Hits {
  let sources = 0
  for (const postings of part.segment.postings) {
    if (postings.data.terms.size === 0) continue
    for (const [place, languages] of placesOf(postings, term, stemming)) {
      const before = hits.length
      postings.read(place, part.mask, languages, hits)
      // A word that only hidden documents have leaves no trace (QX-2).
      if (hits.length === before) continue
      sources++
      const word = postings.term(place)
      if (word !== term.term) used.set(word, reasonFor(word, term))
    }
    for (const key of term.keys ?? []) {
      for (const place of postings.keys(key.key, key.chooses)) {
        const before = hits.length
        postings.read(place, part.mask, null, hits)
        if (hits.length === before) continue
        sources++
        used.set(key.spelled, 'key')
      }
    }
  }
  if (sources > 1) hits.combine(scratchOf(part.segment.size))
  return hits
}

/** The places of a term's words in the lexicon, each with the languages whose documents count; null means all. */
export function placesOf(
  postings: Postings,
  term: QueryTerm,
  stemming: boolean,
): Map<number, Uint8Array | null> {
  const places = new Map<number, Uint8Array | null>(
    stemming && !term.exact ? postings.relatives(term.term, term.language) : [],
  )
  for (const word of [term.term, ...term.synonyms]) {
    const place = postings.find(word)
    if (place >= 0) places.set(place, null)
  }
  if (term.prefix) {
    const [from, to] = postings.withPrefix(term.term)
    for (let place = from; place < to; place++) places.set(place, null)
  }
  return places
}

/** The reason depends on the word alone, not on where it was found first. */
function reasonFor(word: string, { term, prefix, synonyms }: QueryTerm): WordReason {
  if (prefix && word.startsWith(term)) return 'prefix'
  return synonyms.includes(word) ? 'synonym' : 'stemming'
}

/** Leaves out the documents that lack a phrase of the question or have something that it excludes. */
function restrict(part: VisiblePart, question: MatchQuery, documents: Uint32Array): Uint32Array {
  const { phrases, excluded, excludedPhrases, stemming } = question
  let kept = documents
  if (phrases.length > 0)
    kept = kept.filter(document => phrases.every(phrase => hasPhrase(part, document, phrase)))
  if (excluded.length > 0) {
    const out = new Set<number>()
    for (const term of excluded) {
      const hits = readTerm(part, { term, prefix: false, exact: false, synonyms: [] }, stemming, new Map())
      for (let hit = 0; hit < hits.length; hit++) out.add(hits.documents[hit] as number)
    }
    kept = kept.filter(document => !out.has(document))
  }
  if (excludedPhrases.length > 0)
    kept = kept.filter(document => !excludedPhrases.some(phrase => hasPhrase(part, document, phrase)))
  return kept
}

/**
 * The filing unit and version of a document; undefined unless it is seen in full, because lesser faces do not show
 * it.
 */
export function filingOf({ segment, mask }: VisiblePart, document: number): Filing | undefined {
  if (mask.levels[document] !== FULL_LEVEL) return undefined
  return segment.data.filings[(segment.data.filing[document] as number) - 1]
}

/**
 * Keeps only the highest-priority version of each filing unit that matched. This happens before anything is counted
 * (SC-6), and only among documents that are seen in full. The turns around the matches have a say only in units of which
 * nothing matched: a neighbour takes no match's place (SC-8).
 */
function mergeVersions(
  parts: readonly VisiblePart[],
  direct: readonly Uint32Array[],
  around: readonly Uint32Array[] = [],
): { documents: readonly Uint32Array[]; versions: Map<string, MergedVersions> } {
  if (parts.every(({ segment }) => segment.data.filings.length === 0))
    return { documents: direct.map((those, part) => joined(those, around[part])), versions: new Map() }
  const matched = mergeFilings(parts, direct, new Map())
  const beside = mergeFilings(parts, around, matched.strongest)
  return {
    documents: matched.documents.map((those, part) => joined(those, beside.documents[part])),
    versions: new Map([...beside.versions, ...matched.versions]),
  }
}

/** The versions to keep of each filing unit, where the units in `decided` keep the rank that they have there. */
function mergeFilings(
  parts: readonly VisiblePart[],
  candidates: readonly Uint32Array[],
  decided: ReadonlyMap<string, number>,
): {
  documents: readonly Uint32Array[]
  versions: Map<string, MergedVersions>
  strongest: ReadonlyMap<string, number>
} {
  const found = new Map<string, Map<string, Filing>>()
  for (const [part, documents] of candidates.entries())
    for (const document of documents) {
      const filing = filingOf(parts[part] as VisiblePart, document)
      if (filing === undefined || decided.has(filing.unit)) continue
      const ofUnit = found.get(filing.unit) ?? new Map<string, Filing>()
      found.set(filing.unit, ofUnit.set(JSON.stringify([filing.version, filing.rank]), filing))
    }
  const strongest = new Map(decided)
  const versions = new Map<string, MergedVersions>()
  for (const [unit, filings] of found) {
    const all = [...filings.values()]
    const highest = Math.min(...all.map(({ rank }) => rank))
    strongest.set(unit, highest)
    const named = (these: readonly Filing[]) =>
      [...new Set(these.map(({ version }) => version))].sort((a, b) =>
        a === null ? -1 : b === null ? 1 : a < b ? -1 : 1,
      )
    const left = all.filter(({ rank }) => rank !== highest)
    if (left.length > 0)
      versions.set(unit, { kept: named(all.filter(({ rank }) => rank === highest)), left: named(left) })
  }
  const documents = candidates.map((those, part) =>
    those.filter(document => {
      const filing = filingOf(parts[part] as VisiblePart, document)
      return filing === undefined || filing.rank === strongest.get(filing.unit)
    }),
  )
  return { documents, versions, strongest }
}

/** Whether the words stand one after the other in the face that the caller sees. */
function hasPhrase({ segment, mask }: VisiblePart, document: number, phrase: readonly string[]): boolean {
  const postings = segment.postings[(mask.levels[document] as number) - 1] as Postings
  let places: number[] | null = null
  for (const [at, word] of phrase.entries()) {
    const place = postings.find(word)
    if (place < 0) return false
    const here = new Set(postings.positions(place, mask, document))
    places = (places ?? [...here]).filter(start => here.has(start + at))
    if (places.length === 0) return false
  }
  return places !== null
}

// Arrays of zeros that are lent for one call and must be returned as zeros. Clearing the used entries is cheaper than
// allocating.
let scratch = new Uint32Array(0)
let scoreScratch: Float64Array = new Float64Array(0)
let strengthScratch: Float64Array = new Float64Array(0)
const hitsScratch: Hits[] = []

/** Returns an empty list, which is reused at the next call. */
export function borrowHits(at: number): Hits {
  hitsScratch[at] ??= new Hits()
  const hits = hitsScratch[at] as Hits
  hits.clear()
  return hits
}

function scratchOf(size: number): Uint32Array {
  if (scratch.length < size) scratch = new Uint32Array(size)
  return scratch
}

export function borrowScores(parts: readonly VisiblePart[]): Float64Array[] {
  scoreScratch = atLeast(scoreScratch, parts)
  return cut(scoreScratch, parts)
}

function borrowStrengths(parts: readonly VisiblePart[]): Float64Array[] {
  strengthScratch = atLeast(strengthScratch, parts)
  return cut(strengthScratch, parts)
}

function atLeast(scratch: Float64Array, parts: readonly VisiblePart[]): Float64Array {
  const total = parts.reduce((sum, { segment }) => sum + segment.size, 0)
  return scratch.length < total ? new Float64Array(total) : scratch
}

/** A stretch of the scratch for each part. */
function cut(scratch: Float64Array, parts: readonly VisiblePart[]): Float64Array[] {
  let start = 0
  return parts.map(({ segment }) => {
    const own = scratch.subarray(start, start + segment.size)
    start += segment.size
    return own
  })
}
