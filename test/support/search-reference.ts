import { withinOneEdit } from '../../src/search/edits.js'
import type { Language } from '../../src/search/languages.js'
import { FULL_LEVEL, HIDDEN_LEVEL, type MaskLevel, PREVIEW_LEVEL } from '../../src/search/mask.js'
import type { MatchQuery, QueryTerm, WordReason } from '../../src/search/match.js'
import type { FaceText } from '../../src/search/postings.js'
import type { Filing, IndexDocument } from '../../src/search/segment.js'
import { stemKey } from '../../src/search/stem.js'
import type { VisibleWord } from '../../src/search/suggest.js'
import { tokenize } from '../../src/search/tokenize.js'
import type { SearchDocument, SearchWorld } from './search-worlds.js'

/** A document as its caller sees it, and nothing beside. */
export interface Seen {
  readonly id: string
  readonly layer: number
  readonly text: FaceText
  /** A lesser face does not say what it is a version of. */
  readonly filing: Filing | null
}

/** All that can be told from a search, in an order of its own. */
export interface Answers {
  readonly documents: number
  readonly words: number
  readonly questions: readonly AnswerTo[]
  readonly near: readonly (readonly VisibleWord[])[]
  readonly completions: readonly (readonly VisibleWord[])[]
}

export interface AnswerTo {
  readonly count: number
  /** Of the whole visible set; left out where it is empty. */
  readonly range: readonly number[]
  /** By id. */
  readonly scores: readonly (readonly [id: string, score: number])[]
  /** Each with the visible words that counted beside it, and why. */
  readonly terms: readonly (readonly [
    term: string,
    documents: number,
    words: readonly (readonly [word: string, reason: Reason])[],
  ])[]
  /** Versions that stayed and versions that gave way, by filing unit. */
  readonly merged: readonly (readonly [
    unit: string,
    kept: readonly (string | null)[],
    left: readonly (string | null)[],
  ])[]
  readonly ranked: readonly (readonly [id: string, score: number, layer: number, text: number])[]
  /** What the best of them tell of the subject, and how it orders them. */
  readonly feedback: {
    readonly terms: readonly (readonly [term: string, share: number])[]
    readonly range: readonly number[]
    readonly ranked: AnswerTo['ranked']
  }
}

/** More than there are suggestions. */
export const MANY = 1_000

export function surfaceIn(world: SearchWorld, document: SearchDocument): MaskLevel {
  if (document.dead || world.leftOut.has(document.id)) return HIDDEN_LEVEL
  if (document.expiresAt !== null && document.expiresAt <= world.now) return HIDDEN_LEVEL
  if (world.snapshotAt !== null && document.createdAt > world.snapshotAt) return HIDDEN_LEVEL
  return world.levels[document.compartment] as MaskLevel
}

export function faceOf(document: IndexDocument, surface: MaskLevel): FaceText {
  if (surface === FULL_LEVEL) return document.full
  return surface === PREVIEW_LEVEL ? (document.preview as FaceText) : document.metadata
}

export const filingOf = ({ filing }: IndexDocument, surface: MaskLevel): Filing | null =>
  surface === FULL_LEVEL ? filing : null

export function seenIn(world: SearchWorld): Seen[] {
  return world.documents.flatMap(document => {
    const surface = surfaceIn(world, document)
    if (surface === HIDDEN_LEVEL) return []
    const layer = world.layers[document.compartment] as number
    return [{ id: document.id, layer, text: faceOf(document, surface), filing: filingOf(document, surface) }]
  })
}

const tokens = new WeakMap<FaceText, readonly (readonly string[])[]>()

/** The words of each part of a text. */
export function partsOf(text: FaceText): readonly (readonly string[])[] {
  const parts = tokens.get(text) ?? text.parts.map(part => tokenize(part).map(({ term }) => term))
  tokens.set(text, parts)
  return parts
}

export const wordsOf = (text: FaceText): string[] => partsOf(text).flat()

export type Reason = 'itself' | WordReason

const reasons = new WeakMap<QueryTerm, Map<string, Reason | null>>()

/** Why a word of a text stands for a term, if it does; worked out once for each. */
function reasonFor(word: string, term: QueryTerm, { language }: FaceText, stemming: boolean): Reason | null {
  const known = reasons.get(term) ?? new Map<string, Reason | null>()
  reasons.set(term, known)
  const key = `${stemming} ${language} ${word}`
  const found = known.get(key)
  if (found !== undefined) return found
  const reason = firstReason(word, term, language, stemming)
  known.set(key, reason)
  return reason
}

function firstReason(word: string, term: QueryTerm, language: Language, stemming: boolean): Reason | null {
  if (word === term.term) return 'itself'
  if (term.prefix && word.startsWith(term.term)) return 'prefix'
  if (term.synonyms.includes(word)) return 'synonym'
  return stemming && !term.exact && stemKey(word, language) === stemKey(term.term, language)
    ? 'stemming'
    : null
}

const hasPhrase = (text: FaceText, phrase: readonly string[]): boolean =>
  partsOf(text).some(words => words.some((_, from) => phrase.every((word, at) => words[from + at] === word)))

/** The plain search: one document after the other, and the formula as it stands in books. */
export function answersOf(
  seen: readonly Seen[],
  questions: readonly MatchQuery[],
  probes: readonly string[],
): Answers {
  const words = seen.reduce((sum, { text }) => sum + wordsOf(text).length, 0)
  return {
    documents: seen.length,
    words,
    questions: questions.map(question => answerTo(seen, question, words / seen.length)),
    near: probes.map(probe => frequentWords(seen, word => withinOneEdit(probe, word))),
    completions: probes.map(probe => frequentWords(seen, word => word.startsWith(probe))),
  }
}

function answerTo(seen: readonly Seen[], question: MatchQuery, average: number): AnswerTo {
  const { terms, phrases, excluded, excludedPhrases, stemming } = question
  const sums = new Map<Seen, number>()
  const met = terms.map(term => {
    const used = new Map<string, Reason>()
    const frequencies = new Map<Seen, number>()
    for (const document of seen) {
      for (const word of wordsOf(document.text)) {
        const reason = reasonFor(word, term, document.text, stemming)
        if (reason === null) continue
        frequencies.set(document, (frequencies.get(document) ?? 0) + 1)
        if (word !== term.term) used.set(word, reason)
      }
    }
    const weight = rarity(seen.length, frequencies.size) * (term.share ?? 1)
    for (const [document, frequency] of frequencies) {
      const score = scoreIn(document, weight, frequency, average)
      sums.set(document, (sums.get(document) ?? 0) + score)
    }
    return [term.term, frequencies.size, [...used].sort(byId)] as const
  })
  const out = excluded.map((term): QueryTerm => ({ term, prefix: false, exact: false, synonyms: [] }))
  const isExcluded = (text: FaceText) =>
    out.some(term => wordsOf(text).some(word => reasonFor(word, term, text, stemming) !== null))
  const candidates = [...sums].filter(
    ([{ text }]) =>
      phrases.every(phrase => hasPhrase(text, phrase)) &&
      !isExcluded(text) &&
      !excludedPhrases.some(phrase => hasPhrase(text, phrase)),
  )
  const { found, merged } = mergeVersions(candidates)
  const { range, ranked } = ranking(seen, found)
  const counted = met.flatMap(([term, , used]) => [term, ...used.map(([word]) => word)])
  const best = ranked.slice(0, 3).map(([id, , , text]) => ({
    score: text,
    words: wordsOf((seen.find(each => each.id === id) as Seen).text),
  }))
  const told = feedbackOf(seen, counted, best, stemming)
  return {
    count: found.length,
    range,
    scores: found.map(([{ id }, score]) => [id, score] as const).sort(byId),
    terms: met,
    merged,
    ranked,
    feedback: { terms: told, ...ranking(seen, raised(seen, found, told, average, stemming)) },
  }
}

type Scored = readonly (readonly [Seen, number])[]

const rarity = (documents: number, having: number) =>
  Math.log(1 + (documents - having + 0.5) / (having + 0.5))

const scoreIn = ({ text }: Seen, weight: number, frequency: number, average: number) =>
  (weight * frequency * (1.5 + 1)) / (frequency + (1.5 * (wordsOf(text).length + 60)) / (average + 60))

/** Between the least and the most of the whole visible set. */
function ranking(seen: readonly Seen[], found: Scored): Pick<AnswerTo, 'range' | 'ranked'> {
  const all = found.map(([, score]) => score)
  if (found.length < seen.length) all.push(0)
  const lowest = Math.min(...all)
  const highest = Math.max(...all)
  const spread = highest - lowest
  return {
    range: seen.length === 0 ? [] : [lowest, highest],
    ranked: found
      .map(([{ id, layer }, score]) => {
        const normal = spread > 0 ? (score - lowest) / spread : 0
        return [id, inSteps(normal), layer, inSteps(score)] as const
      })
      .sort(inOrder),
  }
}

/** How often each document has a word that stands for this one. */
function havingWord(seen: readonly Seen[], word: string, stemming: boolean): Map<Seen, number> {
  const term: QueryTerm = { term: word, prefix: false, exact: false, synonyms: [] }
  const having = new Map<Seen, number>()
  for (const document of seen) {
    const { text } = document
    const times = wordsOf(text).filter(each => reasonFor(each, term, text, stemming) !== null).length
    if (times > 0) having.set(document, times)
  }
  return having
}

/** The ten words that the best documents tell most by; forms of a word as English has them are one. */
function feedbackOf(
  seen: readonly Seen[],
  counted: readonly string[],
  best: readonly { readonly score: number; readonly words: readonly string[] }[],
  stemming: boolean,
): AnswerTo['feedback']['terms'] {
  const classOf = (word: string) => (stemming ? stemKey(word, 'en') : word)
  const asked = new Set(counted.map(classOf))
  const looked = best.map(({ score, words }) => ({ score, words: words.slice(0, 500) }))
  const classes = new Set(looked.flatMap(({ words }) => words.map(classOf)))
  const candidates = [...classes].flatMap(key => {
    const forms = looked.flatMap(({ words }) => words.filter(word => classOf(word) === key)).sort()
    const [word = ''] = forms
    const having = havingWord(seen, word, stemming).size
    if (asked.has(key) || COMMON.includes(word) || having < 2) return []
    let amount = 0
    for (const { score, words } of looked) {
      const times = words.filter(each => classOf(each) === key).length
      if (times > 0) amount += ((score / (best[0]?.score ?? 1)) * times) / (times + 1)
    }
    return [{ word, value: amount * rarity(seen.length, having) }]
  })
  const ten = candidates.sort((a, b) => b.value - a.value || (a.word < b.word ? -1 : 1)).slice(0, 10)
  return ten.map(({ word, value }) => [word, 0.5 * (value / (ten[0]?.value ?? 1))] as const)
}

/** Of the words of these worlds. */
const COMMON = ['a', "don't"]

/** What was found, and nothing else, with more to its score for each of these words. */
function raised(
  seen: readonly Seen[],
  found: Scored,
  terms: AnswerTo['feedback']['terms'],
  average: number,
  stemming: boolean,
): Scored {
  const having = terms.map(([word]) => havingWord(seen, word, stemming))
  return found.map(([document, score]) => {
    let sum = score
    for (const [at, [, share]] of terms.entries()) {
      const own = having[at] as Map<Seen, number>
      const times = own.get(document)
      if (times !== undefined) sum += scoreIn(document, rarity(seen.length, own.size) * share, times, average)
    }
    return [document, sum] as const
  })
}

/** Of each unit the version of the lowest rank stays. */
function mergeVersions(candidates: readonly (readonly [Seen, number])[]) {
  const filings = candidates.flatMap(([{ filing }]) => filing ?? [])
  const strongest = (unit: string) =>
    Math.min(...filings.filter(each => each.unit === unit).map(({ rank }) => rank))
  const stays = (filing: Filing) => filing.rank === strongest(filing.unit)
  const named = (these: readonly Filing[]) =>
    [...new Set(these.map(({ version }) => version))].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
  const merged = [...new Set(filings.map(({ unit }) => unit))].sort().flatMap(unit => {
    const those = filings.filter(filing => filing.unit === unit)
    const left = those.filter(filing => !stays(filing))
    return left.length === 0 ? [] : [[unit, named(those.filter(stays)), named(left)] as const]
  })
  return { found: candidates.filter(([{ filing }]) => filing === null || stays(filing)), merged }
}

export const byId = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  a < b ? -1 : 1

export const inSteps = (score: number): number => Math.round(score * 1_048_576) / 1_048_576

/** Score, then layer, then id. */
export function inOrder(
  [idA, scoreA, layerA]: AnswerTo['ranked'][number],
  [idB, scoreB, layerB]: AnswerTo['ranked'][number],
): number {
  return scoreB - scoreA || layerA - layerB || (idA < idB ? -1 : 1)
}

function frequentWords(seen: readonly Seen[], wanted: (word: string) => boolean): VisibleWord[] {
  const counts = new Map<string, number>()
  for (const { text } of seen)
    for (const word of new Set(wordsOf(text))) if (wanted(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .map(([word, documents]) => ({ word, documents }))
    .sort((a, b) => b.documents - a.documents || Buffer.compare(Buffer.from(a.word), Buffer.from(b.word)))
}
