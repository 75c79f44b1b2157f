import type { PolicyTuple } from '../../src/policy/tuple.js'
import { VERSION_KINDS } from '../../src/policy/vocabulary.js'
import { LANGUAGES, type Language } from '../../src/search/languages.js'
import {
  FULL_LEVEL,
  HIDDEN_LEVEL,
  type MaskLevel,
  METADATA_LEVEL,
  PREVIEW_LEVEL,
} from '../../src/search/mask.js'
import type { MatchQuery, QueryTerm } from '../../src/search/match.js'
import type { FaceText } from '../../src/search/postings.js'
import type { Salience } from '../../src/search/salience.js'
import type { Filing, IndexDocument, TurnPlace } from '../../src/search/segment.js'
import { tokenize } from '../../src/search/tokenize.js'
import type { IndexRow } from '../../src/storage/queries/index-feed.js'
import { type Random, random } from '../../src/testing/non-interference/random.js'
import { SEED, WORLDS } from './generated.js'
import { aTuple } from './subject.js'

export interface SearchDocument extends IndexDocument {
  /** Gone, and still in its segment. */
  readonly dead: boolean
  /** Which of the segments it stands in. */
  readonly segment: number
}

/** Documents, what one caller may see of them, and what the caller asks. */
export interface SearchWorld {
  readonly seed: number
  readonly documents: readonly SearchDocument[]
  readonly segments: number
  /** Surface and layer of each compartment. */
  readonly levels: Uint8Array
  readonly layers: readonly number[]
  readonly now: number
  /** What was created later is hidden, where a snapshot is asked for. */
  readonly snapshotAt: number | null
  /** Documents that a condition of the question leaves out. */
  readonly leftOut: ReadonlySet<string>
  readonly questions: readonly MatchQuery[]
  /** Words to look for neighbours and completions of. */
  readonly probes: readonly string[]
}

// Words that stems bring together in one language and not in another, that are one edit apart, that begin alike, and
// that take more than a byte for a letter.
const WORDS = [
  ...['garden', 'gardens', 'gardening', 'run', 'running', 'runs', 'house', 'houses', 'cart', 'card', 'care'],
  ...[
    'haus',
    'häuser',
    'hauses',
    'garten',
    'gärten',
    'jardin',
    'jardins',
    'cheval',
    'chevaux',
    'casa',
    'casas',
  ],
  ...['сад', 'сады', 'сада', 'résumé', 'resume', 'naïve', 'naive', '東京', "don't", '3.14'],
  ...['a', 'b', 'ab', 'abc', 'abcd', '\u{10428}abc', '\u{10428}bc', 'zz', 'zebra', '\ufa0e'],
]
const LANGUAGE_POOL: readonly Language[] = ['und', 'en', 'de', 'fr', 'es', 'ru']
const KEYS = ['garden', 'runs', '["city","Bern"]']
const SOMETIME = 1_000_000

/** Words of more letters than most scripts have. */
const MANY_LETTERS = Array.from({ length: 70 }, (_, at) =>
  String.fromCodePoint(0x4e00 + 3 * at, 0xac00 + 3 * at, 0x1200 + at),
).join(' ')

interface Voice {
  readonly words: readonly string[]
  readonly languages: readonly Language[]
  /** The most words of a part. */
  readonly longest: number
  /** A word of few texts, far from one another. */
  readonly seldom: string | null
}

/** Blocks of postings are this long. */
const BLOCK = 128

/** Every 20th world is large enough for terms of several blocks. */
export function searchWorld(seed: number): SearchWorld {
  const r = random(seed)
  const large = seed % 20 === 3
  // A word in every document, and visible ones where blocks begin and end.
  const aligned = large && r.chance(0.5)
  const count = large ? 500 + r.below(1_001) : r.chance(0.05) ? 0 : r.below(61)
  const pool = large ? 2 + r.below(5) : 3 + r.below(12)
  // Words of one family stand side by side.
  const family = r.below(WORDS.length)
  const voice: Voice = {
    words: r.chance(0.5)
      ? WORDS.slice(family, family + pool)
      : Array.from({ length: pool }, () => r.pick(WORDS)),
    languages: Array.from({ length: 1 + r.below(3) }, () => r.pick(LANGUAGE_POOL)),
    longest: large ? 3 : r.pick([1, 3, 8]),
    seldom: large ? 'seldom' : null,
  }
  const { compartments, surfaces } = aligned
    ? alignedCompartments(r, count)
    : someCompartments(r, count, large)
  const segments = aligned ? 1 : 1 + r.below(5)
  const expires = !aligned && r.chance(0.4)
  const versions = r.chance(0.3) ? 0.5 : 0
  const dying = aligned ? 0 : r.pick([0, 0.1, 0.4])
  const documents = Array.from({ length: count }, (_, at): SearchDocument => {
    const compartment = compartments[at] as number
    const full = someText(r, voice)
    return {
      id: someId(r),
      compartment,
      createdAt: r.below(SOMETIME),
      occurredAt: r.chance(0.5) ? r.below(SOMETIME) : null,
      expiresAt: expires && r.chance(0.3) ? r.below(SOMETIME) : null,
      salience: someSalience(at),
      tags: r.some(['red', 'blue'], 0.4),
      filing: r.chance(versions) ? someFiling(r) : null,
      turn: someTurn(at),
      speaker: someSpeaker(at),
      traits: at % 8,
      full: aligned ? { ...full, parts: [...full.parts, voice.words[0] as string] } : full,
      preview:
        surfaces[compartment] === PREVIEW_LEVEL || r.chance(large ? 0 : 0.3) ? someText(r, voice) : null,
      metadata: someText(r, { ...voice, longest: Math.min(2, voice.longest) }),
      dead: r.chance(dying),
      segment: r.below(segments),
    }
  })
  const condition = !aligned && r.chance(0.3)
  return {
    seed,
    documents,
    segments,
    levels: surfaces,
    layers: Array.from(surfaces, () => r.below(3)),
    now: r.below(SOMETIME),
    snapshotAt: !aligned && r.chance(0.25) ? r.below(SOMETIME) : null,
    leftOut: new Set(condition ? r.some(documents, 0.3).map(({ id }) => id) : []),
    ...someQuestions(r, voice, documents.slice(0, 60), large ? 3 : 4),
  }
}

function alignedCompartments(r: Random, count: number) {
  const surfaces = new Uint8Array(count).fill(HIDDEN_LEVEL)
  for (let block = 0; block * BLOCK < count; block++) {
    const at = r.pick([[], [-1], [0], [1], [64], [0, 64], [r.below(BLOCK), r.below(BLOCK), r.below(BLOCK)]])
    for (const place of at) surfaces[block * BLOCK + place] = FULL_LEVEL
  }
  return { compartments: Array.from(surfaces.keys()), surfaces }
}

function someCompartments(r: Random, count: number, large: boolean) {
  const size = r.pick([1 + r.below(3), Math.max(1, count >> 1), Math.max(1, count)])
  const each = size >= count && count > 0
  const compartments = Array.from({ length: count }, (_, at) => (each ? at : r.below(size)))
  // In order, whole blocks are hidden; in disorder, visible documents stand alone.
  if (r.chance(0.6)) compartments.sort((a, b) => a - b)
  const hidden = r.pick(large ? [0, 0.5, 0.9, 0.98] : [0, 0.2, 0.5, 0.9, 1])
  const lesser = r.pick([0, 0.3, 0.8])
  const surfaces = Uint8Array.from({ length: size }, () => {
    if (r.chance(hidden)) return HIDDEN_LEVEL
    return r.chance(lesser) ? r.pick([PREVIEW_LEVEL, METADATA_LEVEL]) : FULL_LEVEL
  })
  return { compartments, surfaces }
}

const someFiling = (r: Random): Filing => ({
  unit: r.pick(['act', 'brief', 'code']),
  version: r.pick([null, 'v1', 'v2', 'v3']),
  rank: r.below(3),
})

/** Random, but for a first half that some have in common. */
function someId(r: Random): string {
  const hex = () => r.below(0x1_0000).toString(16).padStart(4, '0')
  const first = r.pick(['00000000', 'ffffffff', hex() + hex()])
  return `${first}-${hex()}-4${hex().slice(1)}-8${hex().slice(1)}-${hex()}${hex()}${hex()}`
}

function someText(r: Random, { words, languages, longest, seldom }: Voice): FaceText {
  const word = () => (r.chance(0.5) ? (words[0] as string) : r.pick(words))
  const part = () => Array.from({ length: r.below(longest + 1) }, word).join(r.pick([' ', ', ']))
  const parts = Array.from({ length: 1 + r.below(3) }, part)
  // Numbers of one byte, and of two.
  if (r.chance(0.008)) parts.push(`${r.pick(words)} `.repeat(r.pick([127, 128, 129, 130 + r.below(100)])))
  if (seldom === null && r.chance(0.004)) parts.push(MANY_LETTERS)
  if (seldom !== null && r.chance(0.012)) parts.push(seldom)
  return { parts, language: r.pick(languages), keys: r.some(KEYS, 0.2) }
}

function someQuestions(r: Random, voice: Voice, documents: readonly IndexDocument[], count: number) {
  const texts = documents.flatMap(({ full, preview, metadata }) => [full, preview ?? full, metadata])
  const word = () => (r.chance(0.85) ? r.pick(voice.words) : r.pick(WORDS))
  const cut = (from: string) => [...from].slice(0, 1 + r.below([...from].length)).join('')
  /** Words that stand in a row somewhere, or in two parts of a text. */
  const phrase = (): string[] => {
    if (texts.length === 0 || r.chance(0.2)) return [word(), word()]
    const { parts } = r.pick(texts)
    const tokens = tokenize(r.chance(0.7) ? r.pick(parts) : parts.join(' ')).map(({ term }) => term)
    const from = r.below(Math.max(1, tokens.length))
    const words = tokens.slice(from, from + 1 + r.below(3))
    return words.length === 0 ? [word()] : words
  }
  const few = <T>(probability: number, make: () => T): T[] =>
    r.chance(probability) ? Array.from({ length: 1 + r.below(2) }, make) : []
  const term = (): QueryTerm => {
    const prefix = r.chance(0.2)
    const asked = prefix ? cut(word()) : word()
    // As common words do, some count less.
    const share = asked.length % 3 === 0 ? 0.2 : 1
    const language = asked.length % 2 === 0 ? { language: 'en' as const } : {}
    return { term: asked, prefix, exact: r.chance(0.2), synonyms: few(0.25, word), share, ...language }
  }
  const questions = Array.from({ length: count }, (): MatchQuery => {
    const phrases = few(0.25, phrase)
    // A phrase is asked for by its words as well.
    const ofPhrases = phrases
      .flat()
      .map(each => ({ term: each, prefix: false, exact: r.chance(0.5), synonyms: [] }))
    const terms = [...Array.from({ length: r.below(4) }, term), ...ofPhrases]
    return {
      terms: terms.length === 0 ? [term()] : terms,
      phrases,
      excluded: few(0.3, word),
      excludedPhrases: few(0.2, phrase),
      stemming: r.chance(0.6),
    }
  })
  const near = () => {
    const letters = [...word()]
    const at = r.below(letters.length)
    if (r.chance(0.3)) letters.splice(at, 2, ...letters.slice(at, at + 2).reverse())
    if (r.chance(0.3)) return letters.join('')
    return letters.toSpliced(at, r.below(2), ...r.pick([[], ['e'], ['\u{10428}']])).join('')
  }
  const probes = [word(), near(), near(), cut(word()), ...r.some([''], 0.2)]
  return { questions, probes }
}

/** What a record becomes in each transaction; null takes it away. */
export interface History {
  readonly seed: number
  readonly batches: readonly Batch[]
  /** By the id of a compartment. */
  readonly surfaces: ReadonlyMap<string, MaskLevel>
  readonly questions: readonly MatchQuery[]
  readonly probes: readonly string[]
}

export interface Batch {
  readonly changes: ReadonlyMap<string, IndexRow | null>
  /** What happens to a merge in the background before the batch is taken in. */
  readonly merge: 'begin' | 'step' | 'end' | 'abandon' | 'leave'
}

const HISTORY_KINDS = ['working', 'semantic', 'episodic']
const MERGES = ['begin', 'begin', 'step', 'end', 'end', 'abandon', 'leave', 'leave'] as const

export function searchHistory(seed: number): History {
  const r = random(seed ^ 0x5eed)
  const voice: Voice = {
    words: Array.from({ length: 3 + r.below(6) }, () => r.pick(WORDS)),
    languages: LANGUAGE_POOL,
    longest: 4,
    seldom: null,
  }
  const compartments = Array.from({ length: 1 + r.below(8) }, (_, at) => someCompartment(r, at))
  const ids = Array.from({ length: 2 + r.below(40) }, () => someId(r))
  const living = new Map<string, IndexRow>()
  const batches = Array.from({ length: 1 + r.below(14) }, (): Batch => {
    const changes = new Map<string, IndexRow | null>()
    const many = r.pick([1, 3, 10, 30])
    for (let change = r.below(many + 1); change >= 0; change--) {
      const id = r.pick(ids)
      const row = living.has(id) && r.chance(0.35) ? null : someRow(r, id, r.pick(compartments), voice)
      if (row === null) living.delete(id)
      else living.set(id, row)
      changes.set(id, row)
    }
    return { changes, merge: r.pick(MERGES) }
  })
  const documents: IndexDocument[] = []
  return {
    seed,
    batches,
    surfaces: new Map(compartments.map(({ compartmentId, surface }) => [compartmentId, surface])),
    ...someQuestions(r, voice, documents, 2),
  }
}

interface HistoryCompartment {
  readonly compartmentId: string
  readonly tuple: PolicyTuple
  readonly surface: MaskLevel
}

function someCompartment(r: Random, at: number): HistoryCompartment {
  const surface = r.pick([HIDDEN_LEVEL, FULL_LEVEL, FULL_LEVEL, PREVIEW_LEVEL, METADATA_LEVEL] as const)
  const overlaid = surface === PREVIEW_LEVEL || r.chance(0.3)
  return {
    compartmentId: (at * 37 + 5).toString(16).padStart(64, '0'),
    surface,
    tuple: aTuple({
      kind: r.pick(HISTORY_KINDS),
      scope: `s${at}`,
      overlayTargets: overlaid ? ['["record","ann","x"]'] : [],
      scopeTargets: [],
      citedPlaces: [],
      endedAt: null,
      participants: r.some(['["person","ann","p"]', '["person","ann","q"]'], 0.3),
    }),
  }
}

/** Of every third document; the rest are as they start. */
const someSalience = (at: number): Salience | null =>
  at % 3 === 0 ? { salience: (at % 7) / 7, since: at, pinned: at % 2 === 0 } : null

/** Some stand in no conversation, some share a place in one. */
const someTurn = (at: number): TurnPlace | null =>
  at % 4 === 0 ? null : { conversation: `talk-${at % 3}`, at: (at * 7) % 50 }

const someSpeaker = (at: number): string | null => [null, 'ann', 'ben'][at % 3] ?? null

/** The same of a row, by a number that it has anyway. */
function someTurnRow(at: number): Pick<IndexRow, 'conversation' | 'turn' | 'speaker'> {
  const turn = someTurn(at)
  return { conversation: turn?.conversation ?? null, turn: turn?.at ?? null, speaker: someSpeaker(at) }
}

function someRow(
  r: Random,
  id: string,
  { compartmentId, tuple }: HistoryCompartment,
  voice: Voice,
): IndexRow {
  const { parts, language } = someText(r, voice)
  const createdAt = r.below(SOMETIME)
  return {
    id,
    cell: 'user:ann',
    compartmentId,
    tuple,
    title: r.chance(0.5) ? r.pick(voice.words) : null,
    text: parts.join(' '),
    language: r.chance(0.8) ? language : null,
    tags: r.some(voice.words.slice(0, 2), 0.3),
    filingUnit: r.chance(0.2) ? r.pick(['act', 'brief']) : null,
    version: r.pick([null, 'v1', 'v2']),
    versionKind: r.pick([null, 'unheard_of', ...VERSION_KINDS]),
    part: null,
    ...someTurnRow(createdAt),
    fields: r.chance(0.3) ? { city: r.pick(['Bern', 'Basel']) } : {},
    spans: [],
    createdAt: new Date(createdAt),
    occurredAt: r.chance(0.5) ? new Date(r.below(SOMETIME)) : null,
    expiresAt: r.chance(0.2) ? new Date(r.below(SOMETIME)) : null,
    salience: 0.5,
    salienceAt: new Date(SOMETIME),
    pinned: false,
  }
}

/** The languages of a mask of languages, for `read`. */
export function languageFlags(languages: readonly Language[]): Uint8Array {
  return Uint8Array.from(LANGUAGES, language => (languages.includes(language) ? 1 : 0))
}

const kept: SearchWorld[] = []
const keptHistories: History[] = []

/** The worlds of this run, made once. */
export function searchWorlds(count = WORLDS): SearchWorld[] {
  while (kept.length < count) kept.push(searchWorld(SEED + kept.length))
  return kept.slice(0, count)
}

export function searchHistories(count = WORLDS): History[] {
  while (keptHistories.length < count) keptHistories.push(searchHistory(SEED + keptHistories.length))
  return keptHistories.slice(0, count)
}
