import { isDeepStrictEqual } from 'node:util'
import type * as compartments from '../../src/policy/compartments.js'
import { buildSegment, type PlacedRow } from '../../src/runtime/index/build-job.js'
import type * as cell from '../../src/runtime/index/cell.js'
import type * as codec from '../../src/runtime/index/cell-codec.js'
import { indexDocument } from '../../src/runtime/index/document.js'
import type { CompartmentDecision } from '../../src/search/compartment-decision.js'
import type * as feedback from '../../src/search/feedback.js'
import type * as hits from '../../src/search/hits.js'
import { LANGUAGES } from '../../src/search/languages.js'
import {
  FULL_LEVEL,
  HIDDEN_LEVEL,
  type Mask,
  type MaskLevel,
  METADATA_LEVEL,
  PREVIEW_LEVEL,
} from '../../src/search/mask.js'
import type * as match from '../../src/search/match.js'
import type { Matches, MatchQuery, VisiblePart } from '../../src/search/match.js'
import type * as merge from '../../src/search/merge.js'
import type { MergePart } from '../../src/search/merge.js'
import { type FaceText, keyTerm, type Postings } from '../../src/search/postings.js'
import type * as rank from '../../src/search/rank.js'
import type * as segment from '../../src/search/segment.js'
import type { IndexDocument, Segment } from '../../src/search/segment.js'
import type * as suggest from '../../src/search/suggest.js'
import type { IndexRow } from '../../src/storage/queries/index-feed.js'
import { Snapshot } from '../../src/storage/snapshot.js'
import { random } from '../../src/testing/non-interference/random.js'
import {
  type Answers,
  type AnswerTo,
  answersOf,
  byId,
  faceOf,
  filingOf,
  inOrder,
  inSteps,
  languageOf,
  MANY,
  type Seen,
  seenAs,
  seenIn,
  surfaceIn,
  traitsOfFull,
  wordsOf,
} from './search-reference.js'
import type { Batch, History, SearchDocument, SearchWorld } from './search-worlds.js'

/** The modules under test: the project's own, or a mutant's. */
export type Search = typeof segment &
  typeof match &
  typeof merge &
  typeof rank &
  typeof suggest &
  typeof hits &
  typeof feedback &
  typeof cell &
  typeof codec &
  typeof compartments

const MODULES = [
  'src/search/segment.ts',
  'src/search/match.ts',
  'src/search/merge.ts',
  'src/search/rank.ts',
  'src/search/suggest.ts',
  'src/search/hits.ts',
  'src/search/feedback.ts',
  'src/runtime/index/cell.ts',
  'src/runtime/index/cell-codec.ts',
  'src/policy/compartments.ts',
]

export async function searchFrom(load: (path: string) => Promise<unknown>): Promise<Search> {
  const modules: object[] = []
  for (const path of MODULES) modules.push((await load(path)) as object)
  return Object.assign({}, ...modules) as Search
}

/** A sentence about what a search tells, in a world or over a history. */
export interface SearchLaw<Of = SearchWorld> {
  readonly title: string
  /** Throws where it does not hold; answers whether this world could have shown that it does not. */
  holds(search: Search, world: Of): boolean
}

const law = <Of = SearchWorld>(title: string, holds: SearchLaw<Of>['holds']): SearchLaw<Of> => ({
  title,
  holds,
})

/** Numbers are compared as Object.is does. */
function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new Error(`${what}: ${difference(actual, expected)}`)
}

/** Where two values first differ. */
function difference(a: unknown, b: unknown, path = ''): string {
  if (a instanceof Map && b instanceof Map)
    return difference(Object.fromEntries(a), Object.fromEntries(b), path)
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [left, right] = [Reflect.get(a, key), Reflect.get(b, key)]
      if (!isDeepStrictEqual(left, right)) return difference(left, right, `${path}.${key}`)
    }
  }
  return `at ${path === '' ? 'the top' : path} ${JSON.stringify(a)}, not ${JSON.stringify(b)}`
}

// ---------------------------------------------------------------------------------------------------------------
// From a world to an index.

export function segmentOf(search: Search, documents: readonly IndexDocument[]): Segment {
  const builder = new search.SegmentBuilder()
  for (const document of documents) builder.add(document)
  return builder.finish()
}

interface Placed extends MergePart {
  /** As they stand in the segment. */
  readonly documents: readonly SearchDocument[]
}

function partOf(search: Search, documents: readonly SearchDocument[]): Placed {
  return {
    documents,
    segment: segmentOf(search, documents),
    dead: Uint8Array.from(documents, ({ dead }) => (dead ? 1 : 0)),
  }
}

const built = new WeakMap<SearchWorld, { search: Search; parts: readonly Placed[] }>()

/** The segments of a world, built once. */
function partsOf(search: Search, world: SearchWorld): readonly Placed[] {
  const known = built.get(world)
  if (known?.search === search) return known.parts
  const parts = Array.from({ length: world.segments }, (_, segment) =>
    partOf(
      search,
      world.documents.filter(document => document.segment === segment),
    ),
  )
  built.set(world, { search, parts })
  return parts
}

function decisionIn({ levels, now, snapshotAt }: SearchWorld): CompartmentDecision {
  return {
    levels,
    refine: (compartment, { createdAt, expiresAt }) => {
      const gone = expiresAt !== null && expiresAt <= now
      const later = snapshotAt !== null && createdAt > snapshotAt
      return gone || later ? HIDDEN_LEVEL : (levels[compartment] as MaskLevel)
    },
    refinesAll: snapshotAt !== null,
  }
}

function visibleIn(world: SearchWorld, parts: readonly MergePart[]): VisiblePart[] {
  const decision = decisionIn(world)
  return parts.map(({ segment, dead }) => {
    const { mask } = segment.mask(dead, decision, world.now)
    const kept = (document: number) => !world.leftOut.has(segment.id(document))
    return { segment, mask: world.leftOut.size === 0 ? mask : mask.where(kept) }
  })
}

interface Asked {
  readonly questions: readonly MatchQuery[]
  readonly probes: readonly string[]
}

/** Everything the index answers, in the order of the reference. */
function ask(
  search: Search,
  parts: readonly VisiblePart[],
  { questions, probes }: Asked,
  layerOf: (part: number, compartment: number) => number,
): Answers {
  const { documents, words } = search.measureVisible(parts)
  return {
    documents,
    words,
    questions: questions.map((question): AnswerTo => {
      const matches = search.match(parts, question)
      const ranked = search.rankMatches(parts, matches, layerOf, MANY * MANY)
      const alone = search
        .rankMatches(parts, { ...matches, conversations: null }, layerOf, search.FEEDBACK_DOCUMENTS)
        .filter(({ text }) => text > 0)
      const terms = search.feedbackTerms(
        parts,
        matches,
        alone.map(({ part, document, text }) => ({
          score: text,
          words: wordsIn(parts[part] as VisiblePart, document),
        })),
        'en',
        question.stemming,
      )
      const raised = search.withFeedback(parts, matches, terms, question.stemming)
      same(raised.count, matches.count, 'the count with feedback')
      return {
        count: matches.count,
        whole: matches.whole,
        scores: scoresOf(parts, matches),
        terms: matches.terms.map(
          ({ term, documents, words }) => [term, documents, [...words].sort(byId)] as const,
        ),
        merged: [...matches.merged].map(([unit, { kept, left }]) => [unit, kept, left] as const).sort(byId),
        ranked: ranked.map(plainly),
        feedback: {
          terms: terms.map(({ term, share }) => [term, share] as const),
          ranked: search.rankMatches(parts, raised, layerOf, MANY * MANY).map(plainly),
        },
      }
    }),
    near: probes.map(probe => few(most => search.wordsNear(parts, probe, most))),
    completions: probes.map(probe => few(most => search.wordsWithPrefix(parts, probe, most))),
  }
}

/** The words of the face that is seen of a document, in order, as its postings tell them. */
function wordsIn({ segment, mask }: VisiblePart, document: number): string[] {
  const postings = segment.postings[(mask.levels[document] as number) - 1] as Postings
  return [...postings.words()]
    .flatMap(place =>
      postings.positions(place, mask, document).map(at => ({ at, word: postings.term(place) })),
    )
    .sort((a, b) => a.at - b.at)
    .map(({ word }) => word)
}

/** All of them, of which a few are the first. */
function few<Item>(take: (most: number) => Item[]): Item[] {
  const all = take(MANY)
  same(take(2), all.slice(0, 2), 'the first two')
  return all
}

const plainly = ({ id, score, layer, text }: rank.RankedDocument) => [id, score, layer, text] as const

function scoresOf(parts: readonly VisiblePart[], matches: Matches): AnswerTo['scores'] {
  return matches.parts
    .flatMap(({ documents, scores }, part) =>
      Array.from(documents, (document, at) => {
        const { segment } = parts[part] as VisiblePart
        return [segment.id(document), scores[at] as number] as const
      }),
    )
    .sort(byId)
}

const askWorld = (search: Search, world: SearchWorld, parts: readonly MergePart[]) =>
  ask(search, visibleIn(world, parts), world, (_, compartment) => world.layers[compartment] as number)

const found = ({ questions }: Answers) => questions.some(({ count }) => count > 0)

// ---------------------------------------------------------------------------------------------------------------
// Laws of one world.

export const REFERENCE = law(
  'answers are those of the plain search over what is visible',
  (search, world) => {
    const expected = answersOf(seenIn(world), world.questions, world.probes)
    same(askWorld(search, world, partsOf(search, world)), expected, 'answers')
    return found(expected)
  },
)

const asFace = (document: IndexDocument, surface: MaskLevel) => ({
  full: faceOf(document, surface),
  filing: filingOf(document, surface),
  turn: surface === FULL_LEVEL ? document.turn : null,
  traits: surface === FULL_LEVEL ? document.traits : 0,
  preview: null,
})

export const HIDDEN_IS_ABSENT = law('what is hidden is as good as absent', (search, world) => {
  const parts = partsOf(search, world)
  const asFaces = parts.map(({ documents }) =>
    partOf(
      search,
      documents.flatMap((document): SearchDocument[] => {
        const surface = surfaceIn(world, document)
        return surface === HIDDEN_LEVEL ? [] : [{ ...document, ...asFace(document, surface) }]
      }),
    ),
  )
  const everything = { ...world, levels: world.levels.map(() => FULL_LEVEL), leftOut: new Set<string>() }
  const masked = askWorld(search, world, parts)
  same(masked, askWorld(search, everything, asFaces), 'with and without the hidden')
  return found(masked) && parts.some(({ documents }) => documents.some(each => surfaceIn(world, each) === 0))
})

export const TWO_CALLERS = law(
  'what one caller asks leaves no trace in what another is told',
  (search, world) => {
    const parts = partsOf(search, world)
    const questions = world.questions.slice(0, 1)
    const one = { ...world, questions, probes: [] }
    const other = {
      ...one,
      levels: world.levels.map(surface => (surface === FULL_LEVEL ? METADATA_LEVEL : FULL_LEVEL)),
      leftOut: new Set<string>(),
    }
    const before = askWorld(search, one, parts)
    same(askWorld(search, other, parts), answersOf(seenIn(other), questions, []), 'the other')
    same(askWorld(search, one, parts), before, 'the first again')
    return found(before)
  },
)

/** Another order and another split, told from the seed. */
function rearranged(search: Search, world: SearchWorld): Placed[] {
  const r = random(world.seed + 1)
  const documents = world.documents
    .map(document => ({ document, at: r.below(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ document }) => document)
  const parts: SearchDocument[][] = Array.from({ length: 1 + r.below(5) }, () => [])
  for (const document of documents) r.pick(parts).push(document)
  return parts.map(part => partOf(search, part))
}

export const ANY_SPLIT = law('neither the split into segments nor the order tells', (search, world) => {
  const answers = askWorld(search, world, partsOf(search, world))
  same(askWorld(search, world, rearranged(search, world)), answers, 'rearranged')
  return found(answers) && world.segments > 1
})

const asked = (term: string): MatchQuery => ({
  terms: [{ term, prefix: false, exact: false, synonyms: [] }],
  phrases: [],
  excluded: [],
  excludedPhrases: [],
  stemming: false,
})

export const OWN_FACE = law(
  'a document is found by the words of its face and by no others',
  (search, world) => {
    const visible = visibleIn(world, partsOf(search, world))
    const seen = seenIn(world)
    const faces = world.documents.flatMap(({ full, preview, metadata }) => [full, preview ?? full, metadata])
    const vocabulary = [...new Set(faces.flatMap(wordsOf))].slice(0, 12)
    for (const word of vocabulary) {
      const expected = answersOf(
        seen.filter(({ text }) => wordsOf(text).includes(word)),
        [asked(word)],
        [],
      )
      const expectedIds = expected.questions[0]?.scores.map(([id]) => id)
      for (const question of [asked(word), { ...asked(word), phrases: [[word]] }]) {
        const matches = search.match(visible, question)
        // Turns next to these are found as well, without a text score.
        const ids = scoresOf(visible, matches).flatMap(([id, score]) => (score > 0 ? [id] : []))
        // In what order is another law's: neighbours that do not hold the word count for it.
        same(ids.sort(), expectedIds?.sort(), `found by ${word}`)
      }
      const left = scoresOf(visible, search.match(visible, { ...asked(word), excluded: [word] }))
      same(left, [], `found by ${word} without ${word}`)
    }
    return seen.length > 0 && vocabulary.length > 0
  },
)

export const PAGES = law('a page is the beginning of one order, whatever its size', (search, world) => {
  const visible = visibleIn(world, partsOf(search, world))
  const layerOf = (_: number, compartment: number) => world.layers[compartment] as number
  const r = random(world.seed + 2)
  const order = (matches: Matches) => {
    const whole = search.rankMatches(visible, matches, layerOf, MANY * MANY)
    for (const most of [0, 1, 2, 3, 7, r.below(matches.count + 1), matches.count, matches.count + 1])
      same(search.rankMatches(visible, matches, layerOf, most), whole.slice(0, most), `the first ${most}`)
    return whole
  }
  for (const question of world.questions) order(search.match(visible, question))

  // Scores that are steps apart, or closer than a step, which only layer and id can tell apart.
  const scores = visible.map(({ mask }) =>
    Float64Array.from(mask.documents, () => 1 + r.below(4) / 4 + (r.below(5) - 2) * 1e-8),
  )
  const all = scores.flatMap(part => [...part])
  const whole = r.chance(0.5) ? 4 : Math.max(1, ...all)
  const parts = visible.map(({ mask: { documents } }, at) => ({
    documents,
    scores: scores[at] as Float64Array,
  }))
  const ranked = order({ terms: [], merged: new Map(), parts, count: all.length, whole, conversations: null })
  const expected = visible.flatMap(({ segment, mask: { documents } }, part) =>
    Array.from(documents, (document, at): AnswerTo['ranked'][number] => {
      const score = scores[part]?.[at] as number
      const relevance = score / whole
      const normal = relevance / (relevance + 0.5)
      const layer = world.layers[segment.data.compartments[document] as number] as number
      return [segment.id(document), inSteps(normal), layer, inSteps(score)]
    }),
  )
  same(ranked.map(plainly), expected.sort(inOrder), 'the order')
  for (const { part, document, id } of ranked) same(visible[part]?.segment.id(document), id, 'its place')
  return all.length > 1
})

// Laws of what stands below.

const SURFACES = [FULL_LEVEL, PREVIEW_LEVEL, METADATA_LEVEL] as const

/** What a surface of a part holds, and the mask shows. */
function* postingsIn(search: Search, world: SearchWorld) {
  const parts = partsOf(search, world)
  const visible = visibleIn(world, parts)
  for (const [at, { documents }] of parts.entries()) {
    const { segment, mask } = visible[at] as VisiblePart
    const shown = documents.map(document => surfaceIn(world, document))
    for (const surface of SURFACES) {
      const postings = segment.postings[surface - 1] as Postings
      const texts = documents.map((document, place) =>
        shown[place] === surface ? faceOf(document, surface) : null,
      )
      yield { segment, postings, mask, texts, documents, surface }
    }
  }
}

function reading(
  search: Search,
  postings: Postings,
  place: number,
  mask: Mask,
  languages: Uint8Array | null,
) {
  const hits = new search.Hits()
  // Something is there before, and stays.
  hits.reserve(1)
  hits.documents[0] = 7
  hits.frequencies[0] = 9
  hits.length = 1
  postings.read(place, mask, languages, hits)
  const read = Array.from({ length: hits.length }, (_, at) => [hits.documents[at], hits.frequencies[at]])
  same(read[0], [7, 9], 'what was there')
  return read.slice(1)
}

export const READING = law('postings are those of the visible documents, in order', (search, world) => {
  const r = random(world.seed + 3)
  let telling = false
  for (const { postings, mask, texts, segment } of postingsIn(search, world)) {
    const places = [...postings.words()]
    for (const place of r.some(places, Math.min(1, 6 / places.length))) {
      const word = postings.term(place)
      same(postings.find(word), place, `the place of ${word}`)
      const spoken = r.some(LANGUAGES, 0.5)
      const flags = Uint8Array.from(LANGUAGES, language => (spoken.includes(language) ? 1 : 0))
      for (const languages of [null, spoken]) {
        const expected = texts.flatMap((text, document) => {
          if (text === null || !(languages?.includes(languageOf(text)) ?? true)) return []
          const frequency = wordsOf(text).filter(each => each === word).length
          return frequency === 0 ? [] : [[document, frequency]]
        })
        same(reading(search, postings, place, mask, languages && flags), expected, `postings of ${word}`)
        telling ||= expected.length > 0
      }
      for (let tries = 0; tries < 12 && segment.size > 0; tries++) {
        const document = r.below(segment.size)
        const text = texts[document] ?? null
        const positions = postings.positions(place, mask, document)
        same(positions, text === null ? [] : placesOf(word, text), `places of ${word}`)
      }
    }
    for (const key of new Set(texts.flatMap(text => text?.keys ?? []))) {
      const expected = texts.flatMap((text, document) => (text?.keys.includes(key) ? [[document, 1]] : []))
      same(
        reading(search, postings, postings.find(keyTerm(key)), mask, null),
        expected,
        `documents with a key`,
      )
    }
  }
  return telling
})

const BLOCK = 128

/** Documents in which blocks of a term begin and end, a few of them visible. */
export const BLOCKS = law('whatever blocks are passed over, no visible document is', (search, world) => {
  const r = random(world.seed + 4)
  const everything: CompartmentDecision = {
    levels: world.levels.map(() => FULL_LEVEL),
    refine: () => FULL_LEVEL,
    refinesAll: false,
  }
  let telling = false
  for (const { segment, documents } of partsOf(search, world)) {
    if (segment.size <= BLOCK) continue
    const { mask } = segment.mask(new Uint8Array(segment.size), everything, 0)
    for (const word of [
      'seldom',
      ...wordsOf(documents[0]?.full ?? { parts: [], language: 'und', keys: [] }),
    ]) {
      const having = documents.flatMap(({ full }, document) =>
        wordsOf(full).includes(word) ? [document] : [],
      )
      if (having.length === 0) continue
      telling ||= having.length > BLOCK
      const within = Math.min(BLOCK, having.length)
      for (let tries = 0; tries < 12; tries++) {
        const visible = new Set<number>()
        for (let block = 0; block * BLOCK < having.length; block++)
          for (const at of r.pick([
            [],
            [-1],
            [0],
            [1],
            [0, 1],
            [r.below(within), r.below(within), r.below(within)],
          ]))
            visible.add(having[block * BLOCK + at] ?? r.below(segment.size))
        const few = mask.where(document => visible.has(document))
        const read = reading(search, segment.full, segment.full.find(word), few, null)
        const expected = having.filter(document => visible.has(document))
        same(
          read.map(([document]) => document),
          expected,
          `documents with ${word}`,
        )
      }
    }
  }
  return telling
})

/** Parts stand a hundred places apart. */
function placesOf(word: string, text: FaceText): number[] {
  let place = 0
  const places: number[] = []
  for (const part of text.parts) {
    for (const each of wordsOf({ ...text, parts: [part] })) {
      if (each === word) places.push(place)
      place++
    }
    place += 100
  }
  return places
}

/** What a segment keeps of a document beside its words. */
const columnsOf = (segment: Segment, document: number) => {
  const { data } = segment
  const occurredAt = data.occurredAt[document] as number
  return {
    compartment: data.compartments[document],
    createdAt: data.createdAt[document],
    occurredAt: Number.isNaN(occurredAt) ? null : occurredAt,
    expiresAt: [...data.expiresAt][data.expiring.indexOf(document)] ?? null,
    salience: segment.salienceOf(document),
    tags: data.tagSets[data.tags[document] as number],
    filing: data.filings[(data.filing[document] as number) - 1] ?? null,
    turn: segment.turnOf(document),
    speaker: segment.speakerOf(document),
    traits: data.traits[document],
    preview: data.previews[document] === 1,
  }
}

const columnsAsGiven = ({ preview, ...given }: SearchDocument) => ({
  compartment: given.compartment,
  createdAt: given.createdAt,
  occurredAt: given.occurredAt,
  expiresAt: given.expiresAt,
  salience: given.salience ?? { salience: 0.5, since: given.createdAt, pinned: false },
  tags: given.tags,
  filing: given.filing,
  turn: given.turn,
  speaker: given.speaker,
  traits: traitsOfFull(given),
  preview: preview !== null,
})

export const COLUMNS = law('a segment keeps of each document what it was given', (search, world) => {
  for (const { segment, documents, dead } of partsOf(search, world)) {
    same(segment.size, documents.length, 'size')
    for (const [place, document] of documents.slice(0, 100).entries()) {
      same(segment.id(place), document.id, 'id')
      same(segment.find(document.id), place, 'found by id')
      same(columnsOf(segment, place), columnsAsGiven(document), 'columns')
    }
    same(segment.find('12345678-0000-4000-8000-000000000000'), -1, 'an unknown id')
    const { mask, standsUntil } = segment.mask(dead, decisionIn(world), world.now)
    const shown = documents.map(each => surfaceIn({ ...world, leftOut: new Set() }, each))
    same([...mask.levels], shown, 'surfaces')
    const visible = documents.flatMap((document, place) =>
      shown[place] === HIDDEN_LEVEL ? [] : [{ document, place }],
    )
    same(
      [...mask.documents],
      visible.map(({ place }) => place),
      'visible documents',
    )
    for (const { document, place } of visible) {
      const { length } = wordsOf(faceOf(document, shown[place] as MaskLevel))
      same(mask.lengths[place], length, 'length')
    }
    const expiries = visible.flatMap(({ document }) => document.expiresAt ?? [])
    same(standsUntil, Math.min(Number.POSITIVE_INFINITY, ...expiries), 'the next expiry')
  }
  return world.documents.length > 0
})

/** Every term of a surface, keys included. */
const termsOf = ({ data: { terms } }: Postings) =>
  Array.from({ length: terms.size }, (_, place) => terms.get(place))

function lexiconIs(postings: Postings, texts: readonly FaceText[], what: string): void {
  const words = [...new Set(texts.flatMap(wordsOf))]
  const keys = new Set(texts.flatMap(({ keys }) => keys.map(keyTerm)))
  const ordered = (all: Iterable<string>) =>
    [...all].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  same(termsOf(postings), ordered([...keys, ...words]), what)
  same(
    Array.from(postings.words(), place => postings.term(place)),
    ordered(words),
    `${what}, words`,
  )
}

export const MERGED = law('merged segments answer as before and forget what is dead', (search, world) => {
  const parts = partsOf(search, world)
  const before = askWorld(search, world, parts)
  const run = search.mergeInSteps(parts)
  let step = run.next()
  while (!step.done) step = run.next()
  const { segment, moved } = step.value
  const alive = { segment, dead: new Uint8Array(segment.size) }
  same(askWorld(search, world, [alive]), before, 'merged')

  const living = world.documents.filter(({ dead }) => !dead)
  same(segment.size, living.length, 'size')
  for (const [part, { documents }] of parts.entries())
    for (const [at, document] of documents.entries()) {
      const place = moved[part]?.[at] as number
      if (document.dead) same(place < segment.size, false, 'a dead document is nowhere')
      else {
        same(segment.id(place), document.id, 'where it went')
        if (at < 50) same(columnsOf(segment, place), columnsAsGiven(document), 'columns')
      }
    }
  const { compartments } = segment.data
  same(compartments, compartments.slice().sort(), 'in order of compartment')
  lexiconIs(
    segment.full,
    living.map(({ full }) => full),
    'terms',
  )
  lexiconIs(
    segment.preview,
    living.flatMap(({ preview }) => preview ?? []),
    'terms of previews',
  )
  lexiconIs(
    segment.metadata,
    living.map(({ metadata }) => metadata),
    'terms of metadata',
  )

  const inTurn = parts.flatMap(({ documents }) => documents.filter(({ dead }) => !dead))
  const anew = segmentOf(
    search,
    inTurn.sort((a, b) => a.compartment - b.compartment),
  )
  same({ ...segment.data }, { ...anew.data }, 'columns of one built anew')
  same(plainPostings(segment.full), plainPostings(anew.full), 'postings of one built anew')

  // Some of them, and then the rest.
  const [first, ...rest] = parts
  if (first !== undefined && rest.length > 0) {
    const later = search.mergeSegments(rest)
    const two = [first, { segment: later, dead: new Uint8Array(later.size) }]
    same(askWorld(search, world, two), before, 'merged but for one')
    const whole = search.mergeSegments(two)
    same(askWorld(search, world, [{ segment: whole, dead: alive.dead }]), before, 'merged in two steps')
  }
  return found(before) && living.length < world.documents.length
})

// ---------------------------------------------------------------------------------------------------------------
// Laws of a history.

const KIND_LAYERS = ['working', 'semantic', 'episodic']

const ID_BYTES = 32

/** The ids of the compartments of a cell, by place. */
function idsOf({ compartmentIds }: { readonly compartmentIds: Uint8Array }): string[] {
  const hex = Buffer.from(compartmentIds).toString('hex')
  return Array.from({ length: compartmentIds.length / ID_BYTES }, (_, place) =>
    hex.slice(place * 2 * ID_BYTES, (place + 1) * 2 * ID_BYTES),
  )
}

function askCell(
  search: Search,
  { name, parts, table }: cell.CellView,
  ids: string[],
  history: History,
): Answers {
  same(name, 'user:ann', 'name')
  const levels = Uint8Array.from(ids, id => history.surfaces.get(id) as number)
  const decision: CompartmentDecision = {
    levels,
    refine: compartment => levels[compartment] as MaskLevel,
    refinesAll: false,
  }
  const visible = parts.map(({ segment, dead }) => ({
    segment,
    mask: segment.mask(dead, decision, 0).mask,
  }))
  return ask(search, visible, history, (_, place) => KIND_LAYERS.indexOf(table.value('kind', place)))
}

function seenOf(rows: Iterable<IndexRow>, { surfaces: levels }: History): Seen[] {
  return [...rows].flatMap(row => {
    const surface = levels.get(row.compartmentId) as MaskLevel
    if (surface === HIDDEN_LEVEL) return []
    return [seenAs(indexDocument(row, 0), surface, KIND_LAYERS.indexOf(row.tuple.kind))]
  })
}

const plainAnswers = (rows: ReadonlyMap<string, IndexRow>, history: History): Answers =>
  answersOf(seenOf(rows.values(), history), history.questions, history.probes)

export const placed = (cell: cell.Cell, rows: readonly IndexRow[]): PlacedRow[] =>
  cell.place(rows).map(row => ({ ...row, keys: null }))

function applyTo(cell: cell.Cell, { changes }: Batch, xid: bigint): void {
  const rows = [...changes.values()].filter(row => row !== null)
  const segment = rows.length === 0 ? null : buildSegment(placed(cell, rows), null)
  cell.apply(new Snapshot(`${xid + 1n}:${xid + 1n}:`), [xid], changes.keys(), segment)
}

function change(rows: Map<string, IndexRow>, { changes }: Batch): void {
  for (const [id, row] of changes) {
    if (row === null) rows.delete(id)
    else rows.set(id, row)
  }
}

export const FOLLOWS = law<History>(
  'a cell that follows changes is one built from what is left',
  (search, history) => {
    const cell = new search.Cell('user:ann', 0n)
    const rows = new Map<string, IndexRow>()
    let merge: { begun: cell.BegunMerge; run: ReturnType<typeof search.mergeInSteps> } | null = null
    const go = () => {
      const step = merge?.run.next()
      if (merge === null || !step?.done) return
      cell.merged(merge.begun, step.value, new Map())
      merge = null
    }
    const finish = () => {
      while (merge !== null) go()
    }
    let telling = false
    const check = (what: string) => {
      const plain = plainAnswers(rows, history)
      same(askCell(search, cell.view, idsOf(cell), history), plain, what)
      for (const id of rows.keys()) {
        const places = cell.view.parts.filter(({ segment, dead }) => dead[segment.find(id)] === 0)
        same(places.length, 1, 'a record stands in one place')
      }
      const standing = cell.view.parts.reduce(
        (sum, { dead }) => sum + dead.filter(flag => flag === 0).length,
        0,
      )
      same(standing, rows.size, 'records')
      const ids = idsOf(cell)
      same([new Set(ids).size, cell.table.size], [ids.length, ids.length], 'compartments, each once')
      telling ||= found(plain)
    }
    for (const [at, batch] of history.batches.entries()) {
      if (batch.merge === 'begin' && merge === null && cell.view.parts.length > 0) {
        const begun = cell.beginMerge(cell.view.parts.length > 1 && at % 2 === 1 ? 'rest' : 'all')
        merge = { begun, run: search.mergeInSteps(begun.parts) }
      } else if (batch.merge === 'step') go()
      else if (batch.merge === 'end') finish()
      else if (batch.merge === 'abandon' && merge !== null) {
        cell.abandonMerge()
        merge = null
      }
      const before = cell.view
      const answers = askCell(search, before, idsOf(cell), history)
      const seenBy = idsOf(cell)
      applyTo(cell, batch, BigInt(at + 1))
      change(rows, batch)
      if (at % 3 === 0) same(askCell(search, before, seenBy, history), answers, 'a view from before')
      same(cell.has(BigInt(at + 1)), true, 'has what was applied')
      same(cell.horizon, BigInt(at + 2), 'horizon')
      check(`after ${at + 1} batches`)
    }
    finish()
    check('merged')
    const at = BigInt(history.batches.length)
    same(cell.isAheadOf(new Snapshot(`${at + 1n}:${at + 1n}:`)), false, 'ahead of its own snapshot')
    same(cell.isAheadOf(new Snapshot(`${at}:${at + 1n}:${at}`)), true, 'ahead of one that misses the last')

    const anew = new search.Cell('user:ann', 0n)
    applyTo(anew, { changes: rows, merge: 'leave' }, 1n)
    const expected = askCell(search, anew.view, idsOf(anew), history)
    same(askCell(search, cell.view, idsOf(cell), history), expected, 'built anew')
    return telling
  },
)

export const KEPT = law<History>('a cell that was kept answers as before, and goes on', (search, history) => {
  const whole = new search.Cell('user:ann', 0n)
  const rows = new Map<string, IndexRow>()
  const half = history.batches.length >> 1
  for (const [at, batch] of history.batches.slice(0, half).entries()) {
    applyTo(whole, batch, BigInt(at + 1))
    change(rows, batch)
  }
  const base = search.mergeSegments(whole.view.parts)
  const { compartmentIds, table } = whole
  const bytes = search.encodeCell({ segment: base, vectors: new Map(), table, compartmentIds, domain: null })
  const offset = history.seed % 9
  const moved = new Uint8Array(bytes.length + offset)
  moved.set(bytes, offset)
  const kept = search.decodeCell(moved.subarray(offset))
  same(idsOf(kept), idsOf(whole), 'compartments')
  same(kept.table.size, table.size, 'table')
  for (let place = 0; place < table.size; place++) same(kept.table.tuple(place), table.tuple(place), 'tuple')
  same(plainData(kept.segment), plainData(base), 'segment')

  const part = {
    segment: kept.segment,
    dead: new Uint8Array(kept.segment.size),
    vectors: kept.vectors,
  }
  const cell = new search.Cell('user:ann', BigInt(half + 1), { ...kept, part })
  for (const [at, batch] of [null, ...history.batches.slice(half)].entries()) {
    if (batch !== null) {
      applyTo(cell, batch, BigInt(half + at))
      change(rows, batch)
    }
    const plain = plainAnswers(rows, history)
    same(askCell(search, cell.view, idsOf(cell), history), plain, `kept, and ${at} batches more`)
  }
  return base.size > 0
})

const plainPostings = ({ data }: Postings): unknown => ({
  ...data,
  terms: [data.terms.bytes, data.terms.starts].map(column => [...column]),
  classes: [data.classes.bytes, data.classes.starts].map(column => [...column]),
})

const plainData = (segment: Segment): unknown => [{ ...segment.data }, ...segment.postings.map(plainPostings)]

/** What is quickly seen, and shows most of what stands below. */
export const QUICK_LAWS: readonly SearchLaw[] = [BLOCKS, READING, COLUMNS, PAGES, OWN_FACE]
/** The laws that mutants are held to. */
export const WORLD_LAWS: readonly SearchLaw[] = [
  ...QUICK_LAWS,
  REFERENCE,
  HIDDEN_IS_ABSENT,
  MERGED,
  ANY_SPLIT,
  TWO_CALLERS,
]
export const HISTORY_LAWS: readonly SearchLaw<History>[] = [FOLLOWS, KEPT]
