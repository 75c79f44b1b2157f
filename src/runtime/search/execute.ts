import { MEMORY_KINDS } from '../../policy/vocabulary.js'
import type { ScorePart } from '../../search/blend.js'
import {
  COMMON_SHARE,
  contentOf,
  isCommon,
  type KnownLanguage,
  languageAsked,
} from '../../search/common-words.js'
import { type FeedbackTerm, withFeedback } from '../../search/feedback.js'
import { hintsOf } from '../../search/hints.js'
import { FULL_LEVEL } from '../../search/mask.js'
import { type Matches, match, type QueryTerm } from '../../search/match.js'
import { explainRank, type RankedDocument, rankMatches } from '../../search/rank.js'
import type { WordMeant } from '../../search/snippet.js'
import { wordsNear } from '../../search/suggest.js'
import { tokenize } from '../../search/tokenize.js'
import type { Authorities } from '../domain.js'
import { type Meaning, NO_MEANING } from '../embedding/embeddings.js'
import type { VisibleSegment } from '../index/visible-set.js'
import { compareMeanings, type MeaningMatches, type ModelUse, priorsOf } from './compare-meanings.js'
import { isValidPlan, type ValidPlan } from './plan.js'
import type { ExpansionKind } from './router/validate.js'

/** A query expansion that matched something; it is disclosed (QX-1). */
export interface UsedExpansion {
  readonly expansionKind: ExpansionKind
  readonly appliedTerms: readonly string[]
  readonly source: 'built_in' | { readonly corpus: string }
}

export interface SearchOutcome {
  /** The best matches in order, as many as the plan ranks. */
  readonly ranked: readonly RankedDocument[]
  readonly matches: Matches
  readonly expansions: readonly UsedExpansion[]
  /** Every word that matched, as texts contain it, and what it stands for. */
  readonly words: ReadonlyMap<string, WordMeant>
  readonly suggestion: SuggestedQuery | null
  /** The terms of the question, each with its alternatives. */
  readonly terms: readonly QueryTerm[]
  readonly uses: readonly ModelUse[]
  /** Some visible records that wait for their vectors; they are embedded next. */
  readonly waiting: readonly string[]
  /** Whether keywords counted. In a search by meaning alone they count only if no model answered. */
  readonly byWords: boolean
  /** The parts of a result's score. */
  explain(item: RankedDocument): ScorePart[]
}

/** What the execution of a plan needs from its request. */
export interface SearchContext {
  /** The meaning of the question, if it was embedded. */
  readonly meaning: Meaning
  /** The time of the first page. */
  readonly asOf: number
  readonly halfLifeOf: (kind: string) => number
  /** Called regularly during execution; it throws once the deadline has passed. */
  readonly checkDeadline?: () => void
}

/** The context for finding out which words match, without ranking. */
export const WORDS_ONLY: SearchContext = { meaning: NO_MEANING, asOf: 0, halfLifeOf: () => 1 }

export interface SuggestedQuery {
  readonly query: string
  readonly terms: readonly { readonly from: string; readonly to: string }[]
}

/** The matches of a plan, before ranking. */
export interface PlanMatches {
  readonly matches: Matches
  /** The terms of the question, each with its alternatives. */
  readonly terms: readonly QueryTerm[]
  readonly meant: MeaningMatches
  readonly synonyms: Synonyms
  /** The detected language of the question. */
  readonly language: KnownLanguage
}

/** Executes a plan over what the caller may see. */
export const execute = (
  plan: ValidPlan,
  visible: readonly VisibleSegment[],
  circumstances: SearchContext = WORDS_ONLY,
): SearchOutcome => orderMatches(plan, visible, matchPlan(plan, visible, circumstances), [])

/** The first half: matching. It is synchronous, so nothing changes in the meantime. */
export function matchPlan(
  plan: ValidPlan,
  visible: readonly VisibleSegment[],
  { meaning, asOf, halfLifeOf, checkDeadline }: SearchContext,
): PlanMatches {
  if (!isValidPlan(plan)) throw new Error('only a plan that was validated is executed')
  const { question, query, authorities } = plan
  const language = languageAsked(query.meant)
  const isContent = contentOf(query.meant, language)
  const found = compareMeanings(plan, visible, meaning, {
    priors: priorsOf(question, visible, asOf, halfLifeOf),
    hint: hintsOf(visible, query.meant, language),
    contentWords: query.terms.filter(({ term }) => isContent(term)).length,
  })
  const synonyms = usableSynonyms(plan, visible, meaning)
  const terms = query.terms.map(
    ({ term, prefix, exact, times }): QueryTerm => ({
      term,
      prefix,
      exact,
      language,
      synonyms: synonyms.get(term)?.map(({ word }) => word) ?? [],
      keys: prefix ? [] : (authorities.ofWord.get(term) ?? []),
      // A word that occurs twice in the question counts twice.
      share: times * (prefix || isContent(term) ? 1 : COMMON_SHARE),
    }),
  )
  const asked = {
    ...query,
    terms: found.blend.words ? [...terms, ...authorities.ofPhrases] : [],
    stemming: question.stemming,
  }
  const matches = match(visible, asked, found.near, checkDeadline)
  return { matches, terms: asked.terms, meant: found, synonyms, language }
}

/** The second half: ranking, with feedback terms from the best matches of the first half. */
export function orderMatches(
  plan: ValidPlan,
  visible: readonly VisibleSegment[],
  found: PlanMatches,
  feedback: readonly FeedbackTerm[],
  checkDeadline?: () => void,
): SearchOutcome {
  if (!isValidPlan(plan)) throw new Error('only a plan that was validated is executed')
  const { question } = plan
  const { blend, uses, waiting } = found.meant
  const matches = withFeedback(visible, found.matches, feedback, question.stemming)
  return {
    ranked: rankMatches(visible, matches, layersIn(visible), plan.plan.topK, blend, checkDeadline).filter(
      ({ score }) => score >= (question.minScore ?? 0),
    ),
    matches,
    expansions: expansionsOf(matches, found.synonyms, plan.authorities),
    words: matchedWords(matches, commonTerms(found)),
    suggestion: suggest(question.query, matches, visible),
    terms: found.terms,
    uses,
    waiting,
    byWords: blend.words,
    explain: item => explainRank(visible, matches, blend, item),
  }
}

const LAYERS = new Map<string, number>(MEMORY_KINDS.map((kind, layer) => [kind, layer]))

/** The layer of each compartment, by the order of kinds. */
export const layersIn =
  (visible: readonly VisibleSegment[]) =>
  (part: number, compartment: number): number =>
    LAYERS.get((visible[part] as VisibleSegment).table.value('kind', compartment)) ?? MEMORY_KINDS.length

/** A word that stands for another, with its origin. */
interface Synonym {
  readonly word: string
  readonly kind: 'synonym' | 'embedding_neighbor'
  readonly corpus: string | undefined
}
type Synonyms = ReadonlyMap<string, readonly Synonym[]>

/** Synonyms of a corpus count only for callers who see something of it; an unknown corpus has none (QX-3). */
function usableSynonyms(
  { question }: ValidPlan,
  visible: readonly VisibleSegment[],
  { nearWords }: Meaning,
): Synonyms {
  const found = new Map<string, Synonym[]>()
  const corpora = question.synonyms.some(({ corpus }) => corpus !== undefined)
    ? corporaOf(visible)
    : new Set()
  for (const { of, terms, corpus } of question.synonyms) {
    if (corpus !== undefined && !corpora.has(corpus)) continue
    const [head] = tokenize(of)
    if (head === undefined) continue
    const words = terms.flatMap(term =>
      tokenize(term).map(token => ({ word: token.term, kind: 'synonym' as const, corpus })),
    )
    found.set(head.term, [...(found.get(head.term) ?? []), ...words])
  }
  for (const [term, near] of nearWords) {
    const words = near.map(word => ({ word, kind: 'embedding_neighbor' as const, corpus: undefined }))
    found.set(term, [...(found.get(term) ?? []), ...words])
  }
  return found
}

/** The names of corpora of which the caller sees something in full. */
export function corporaOf(visible: readonly VisibleSegment[]): Set<string> {
  return new Set(visible.flatMap(part => [...corporaIn(part)]))
}

/** A mask is cached while nothing changes, so what is derived from it can be cached with it. */
const knownCorpora = new WeakMap<VisibleSegment['mask'], ReadonlySet<string>>()

function corporaIn({ segment, mask, table }: VisibleSegment): ReadonlySet<string> {
  const known = knownCorpora.get(mask)
  if (known !== undefined) return known
  const compartments = new Set<number>()
  for (const document of mask.documents)
    if (mask.levels[document] === FULL_LEVEL) compartments.add(segment.data.compartments[document] as number)
  const corpora = new Set<string>()
  for (const compartment of compartments) {
    const corpus = table.value('corpus', compartment)
    if (corpus !== null) corpora.add(corpus)
  }
  knownCorpora.set(mask, corpora)
  return corpora
}

/** The expansions that matched something visible. An expansion that did not leaves no trace (QX-2). */
export function expansionsOf(
  { terms }: Matches,
  synonyms: Synonyms,
  authorities: Authorities,
): UsedExpansion[] {
  const stems = new Set<string>()
  const neighbours = new Set<string>()
  const forms = new Map<'citation_normalization' | 'legal_term_expansion', Set<string>>()
  const bySource = new Map<string | undefined, Set<string>>()
  for (const { term, words } of terms) {
    for (const [word, why] of words) {
      if (why === 'stemming') stems.add(word)
      const form = why === 'key' ? authorities.kindOf.get(word) : undefined
      if (form !== undefined) forms.set(form, (forms.get(form) ?? new Set()).add(word))
      if (why !== 'synonym') continue
      const synonym = synonyms.get(term)?.find(synonym => synonym.word === word)
      if (synonym?.kind === 'embedding_neighbor') neighbours.add(word)
      else bySource.set(synonym?.corpus, (bySource.get(synonym?.corpus) ?? new Set()).add(word))
    }
  }
  const used: UsedExpansion[] = []
  if (stems.size > 0)
    used.push({ expansionKind: 'stemming', appliedTerms: [...stems].sort(), source: 'built_in' })
  for (const [corpus, words] of [...bySource].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
    used.push({
      expansionKind: 'synonym',
      appliedTerms: [...words].sort(),
      source: corpus === undefined ? 'built_in' : { corpus },
    })
  for (const expansionKind of ['citation_normalization', 'legal_term_expansion'] as const) {
    const written = forms.get(expansionKind)
    if (written !== undefined)
      used.push({ expansionKind, appliedTerms: [...written].sort(), source: 'built_in' })
  }
  if (neighbours.size > 0)
    used.push({
      expansionKind: 'embedding_neighbor',
      appliedTerms: [...neighbours].sort(),
      source: 'built_in',
    })
  return used
}

/** The terms of a question that say nothing about its subject, such as `I`. In quotes they do. */
function commonTerms({ terms, language }: PlanMatches): ReadonlySet<string> {
  return new Set(
    terms.filter(({ term, exact }) => !exact && isCommon(term, language)).map(({ term }) => term),
  )
}

/** The words to show matches by. Common ones count only if nothing else of the question occurs. */
export function matchedWords(
  { terms }: Matches,
  common: ReadonlySet<string> = new Set(),
): Map<string, WordMeant> {
  const found = terms.filter(({ documents, words }) => documents > 0 || words.size > 0)
  const telling = found.filter(({ term }) => !common.has(term))
  const words = new Map<string, WordMeant>()
  for (const { term, documents, weight, words: others } of telling.length > 0 ? telling : found) {
    if (documents > 0) words.set(term, { term, weight })
    for (const [word, why] of others) if (why !== 'key' && !words.has(word)) words.set(word, { term, weight })
  }
  return words
}

/** How many similar visible words are tried. */
const CANDIDATES = 8

/** Spelling suggestion: replaces words that occur in nothing visible by similar words that do (QX-2). */
function suggest(
  text: string,
  { terms }: Matches,
  visible: readonly VisibleSegment[],
): SuggestedQuery | null {
  const changed = new Map<string, string>()
  const language = languageAsked(text)
  for (const { term, documents } of terms) {
    // Common and very short words are not corrected: `what` is not a misspelt `that`, nor `bee` a misspelt `be`.
    if (documents > 0 || term.length < 3 || isCommon(term, language)) continue
    const near = wordsNear(visible, term, CANDIDATES).find(({ word }) => !isCommon(word, language))
    if (near !== undefined) changed.set(term, near.word)
  }
  if (changed.size === 0) return null
  let query = ''
  let at = 0
  for (const { term, start, end } of tokenize(text)) {
    query += text.slice(at, start) + (changed.get(term) ?? text.slice(start, end))
    at = end
  }
  return {
    query: query + text.slice(at),
    terms: [...changed].map(([from, to]) => ({ from, to })),
  }
}
