import { withinOneEdit } from '../../src/search/edits.js'
import { detectLanguage, type Language } from '../../src/search/languages.js'
import { FULL_LEVEL, HIDDEN_LEVEL, type MaskLevel, PREVIEW_LEVEL } from '../../src/search/mask.js'
import type { MatchQuery, QueryTerm, WordReason } from '../../src/search/match.js'
import type { FaceText } from '../../src/search/postings.js'
import type { Filing, IndexDocument, TurnPlace } from '../../src/search/segment.js'
import { stemKey } from '../../src/search/stem.js'
import type { VisibleWord } from '../../src/search/suggest.js'
import { tokenize } from '../../src/search/tokenize.js'
import { LONGEST_WITH_TRAITS, traitsOfTerm } from '../../src/search/traits.js'
import type { SearchDocument, SearchWorld } from './search-worlds.js'

/** A document as its caller sees it, and nothing beside. */
export interface Seen {
  readonly id: string
  readonly layer: number
  readonly text: FaceText
  /** A lesser face does not say what it is a version of. */
  readonly filing: Filing | null
  /** Nor where it stands in a conversation, and whether it asks. */
  readonly turn: TurnPlace | null
  readonly asks: boolean
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
  /** The text score of a document that has every word once. */
  readonly whole: number
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

export const seenAs = (document: IndexDocument, surface: MaskLevel, layer: number): Seen => ({
  id: document.id,
  layer,
  text: faceOf(document, surface),
  filing: filingOf(document, surface),
  turn: surface === FULL_LEVEL ? document.turn : null,
  asks: surface === FULL_LEVEL && document.traits % 2 === 1,
})

export function seenIn(world: SearchWorld): Seen[] {
  return world.documents.flatMap(document => {
    const surface = surfaceIn(world, document)
    if (surface === HIDDEN_LEVEL) return []
    return [seenAs(document, surface, world.layers[document.compartment] as number)]
  })
}

const tokens = new WeakMap<FaceText, readonly (readonly string[])[]>()

/** The words of each part of a text. */
export function partsOf(text: FaceText): readonly (readonly string[])[] {
  const parts = tokens.get(text) ?? text.parts.map(part => tokenize(part).map(({ term }) => term))
  tokens.set(text, parts)
  return parts
}

/** What kind of text a document has: what was given, and what the words of a short text name. */
export function traitsOfFull({ full, traits }: Pick<IndexDocument, 'full' | 'traits'>): number {
  const words = (full.parts[1] ?? '').length <= LONGEST_WITH_TRAITS ? (partsOf(full)[1] ?? []) : []
  return words.reduce((named, word) => named | traitsOfTerm(word), traits)
}

export const wordsOf = (text: FaceText): string[] => partsOf(text).flat()

export type Reason = 'itself' | WordReason

const reasons = new WeakMap<QueryTerm, Map<string, Reason | null>>()

const detected = new WeakMap<FaceText, Language>()

/** The language of a text: the one that was named, or the one that its title and text show. */
export function languageOf(text: FaceText): Language {
  const {
    language,
    parts: [title = '', body = ''],
  } = text
  if (language !== null) return language
  const found = detected.get(text) ?? detectLanguage(title, body)
  detected.set(text, found)
  return found
}

/** Why a word of a text stands for a term, if it does; worked out once for each. */
function reasonFor(word: string, term: QueryTerm, text: FaceText, stemming: boolean): Reason | null {
  const language = languageOf(text)
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
  if (!stemming || term.exact) return null
  if (stemKey(word, language) === stemKey(term.term, language)) return 'stemming'
  const asked = language === 'und' ? term.language : undefined
  const beginsAlike = [...word].slice(0, 3).join('') === [...term.term].slice(0, 3).join('')
  return asked !== undefined && beginsAlike && stemKey(word, asked) === stemKey(term.term, asked)
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
  const telling = tellingOf(terms)
  const strengths = new Map<Seen, number>()
  let whole = 0
  let asked = 0
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
    whole += weight
    const having = term.exact || term.prefix ? 0 : frequencies.size
    const strength = telling.includes(term) ? rarity(Math.max(seen.length, 1_000), having) : 0
    asked += strength
    for (const [document, frequency] of frequencies) {
      strengths.set(document, Math.max(strengths.get(document) ?? 0, strength))
      const score = scoreIn(document, weight, frequency, average)
      sums.set(document, (sums.get(document) ?? 0) + score)
    }
    return [term.term, frequencies.size, [...used].sort(byId)] as const
  })
  const out = excluded.map((term): QueryTerm => ({ term, prefix: false, exact: false, synonyms: [] }))
  const isExcluded = (text: FaceText) =>
    out.some(term => wordsOf(text).some(word => reasonFor(word, term, text, stemming) !== null))
  const isAllowed = ({ text }: Seen) =>
    phrases.every(phrase => hasPhrase(text, phrase)) &&
    !isExcluded(text) &&
    !excludedPhrases.some(phrase => hasPhrase(text, phrase))
  const floor = asked * Math.min(0.35, 0.7 / telling.length)
  const direct = new Set(
    [...sums.keys()].filter(
      document => telling.length > 0 && (strengths.get(document) as number) >= floor && isAllowed(document),
    ),
  )
  const around = seen.filter(
    document =>
      !direct.has(document) &&
      isAllowed(document) &&
      fadeOf(document) > 0 &&
      neighboursOf(seen, document).some(({ other }) => direct.has(other)),
  )
  const scored = (documents: Iterable<Seen>) =>
    [...documents].map(document => [document, sums.get(document) ?? 0] as const)
  const matching = mergeVersions(scored(direct))
  // A turn beside a match takes no match's place, whichever version it is.
  const kept = (unit: string) =>
    matching.found.find(([{ filing }]) => filing?.unit === unit)?.[0].filing?.rank
  const beside = mergeVersions(
    scored(
      around.filter(({ filing }) => filing === null || (kept(filing.unit) ?? filing.rank) === filing.rank),
    ),
  )
  const found = [...matching.found, ...beside.found]
  const merged = [...matching.merged, ...beside.merged].sort(byId)
  const ranked = ranking(seen, found, whole)
  const counted = met.flatMap(([term, , used]) => [term, ...used.map(([word]) => word)])
  // What the best tell is told by their own words.
  const alone = ranking([], found, whole)
  const best = alone
    .slice(0, 3)
    .filter(([, , , text]) => text > 0)
    .map(([id, , , text]) => ({
      score: text,
      words: wordsOf((seen.find(each => each.id === id) as Seen).text),
    }))
  const told = feedbackOf(seen, counted, best, stemming)
  return {
    count: found.length,
    whole,
    scores: found.map(([{ id }, score]) => [id, score] as const).sort(byId),
    terms: met,
    merged,
    ranked,
    feedback: {
      terms: told,
      ranked: ranking(seen, raised(seen, found, told, average, stemming), whole),
    },
  }
}

type Scored = readonly (readonly [Seen, number])[]

const rarity = (documents: number, having: number) =>
  Math.log(1 + (documents - having + 0.5) / (having + 0.5))

const scoreIn = ({ text }: Seen, weight: number, frequency: number, average: number) =>
  (weight * frequency * (1.5 + 1)) / (frequency + (1.5 * (wordsOf(text).length + 60)) / (average + 60))

/** Function words find nothing where there is anything else to look for, or many of them. */
function tellingOf(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const content = terms.filter(({ share = 1, exact, prefix }) => share === 1 || exact || prefix)
  return content.length > 0 ? content : terms.length < 3 ? terms : []
}

/** A text of 30 words is short, one of 120 is not. */
const fadeOf = ({ text }: Seen) => Math.min(1, Math.max(0, (120 - wordsOf(text).length) / 90))

const talks = new WeakMap<readonly Seen[], Map<string, Seen[]>>()

/** The turns of each conversation in order. */
function turnsIn(seen: readonly Seen[]): ReadonlyMap<string, readonly Seen[]> {
  const known = talks.get(seen)
  if (known !== undefined) return known
  const found = new Map<string, Seen[]>()
  for (const each of seen) {
    if (each.turn === null) continue
    const { conversation } = each.turn
    found.set(conversation, [...(found.get(conversation) ?? []), each])
  }
  for (const turns of found.values())
    turns.sort((a, b) => (a.turn as TurnPlace).at - (b.turn as TurnPlace).at || (a.id < b.id ? -1 : 1))
  talks.set(seen, found)
  return found
}

/** The turns up to two away, with the share that each has in what this one takes over. */
function neighboursOf(seen: readonly Seen[], document: Seen): { other: Seen; share: number }[] {
  const { turn } = document
  if (turn === null) return []
  const turns = turnsIn(seen).get(turn.conversation) ?? []
  const at = turns.indexOf(document)
  const before = turns[at - 1]
  return [
    { other: before, share: before?.asks ? 0.5 : 0.4 },
    { other: turns[at + 1], share: 0.2 },
    { other: turns[at - 2], share: 0.2 },
    { other: turns[at + 2], share: 0.1 },
  ].flatMap(({ other, share }) => (other === undefined ? [] : [{ other, share }]))
}

/** By the part of the whole question that each has, and a share of what the turns around it have more. */
function ranking(seen: readonly Seen[], found: Scored, whole: number): AnswerTo['ranked'] {
  const own = new Map(found.map(([document, score]) => [document, score === 0 ? 0 : score / whole]))
  return found
    .map(([document, score]) => {
      const mine = own.get(document) ?? 0
      let more = 0
      for (const { other, share } of seen.length === 0 ? [] : neighboursOf(seen, document))
        more += share * Math.max(0, (own.get(other) ?? 0) - mine)
      const relevance = mine + fadeOf(document) * more
      const { id, layer } = document
      return [id, inSteps(relevance / (relevance + 0.5)), layer, inSteps(score)] as const
    })
    .sort(inOrder)
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
  const most = 0.3 * Math.max(0, ...found.map(([, score]) => score))
  return found.map(([document, score]) => {
    if (score === 0) return [document, 0] as const
    let sum = score
    for (const [at, [, share]] of terms.entries()) {
      const own = having[at] as Map<Seen, number>
      const times = own.get(document)
      if (times !== undefined) sum += scoreIn(document, rarity(seen.length, own.size) * share, times, average)
    }
    return [document, Math.min(sum, score + most)] as const
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
