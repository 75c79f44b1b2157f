import { makeRandom } from '../random.js'

/**
 * @typedef {import('../random.js').Random} Random
 * @typedef {{ records: number, visible: number, compartments: number }} Case `visible` is a fraction
 * @typedef {{ id: number, text: string, compartment: number }} Item
 * @typedef {{ terms: readonly string[] }} Query a record matches if it has any of the terms
 * @typedef {ReturnType<typeof makeWorld>} World
 */

const WORDS = 50_000
const LENGTH = { least: 40, most: 80, mean: 60 }
const PEOPLE = 300
/** The people before this one have consented, the others have not. */
const CONSENTING = PEOPLE / 2
const MOST_IN_A_SET = 4
const BATCH = 1_000
const QUERY_TERMS = 3
/** The part of all records that a query's term occurs in. */
const FREQUENCY = { least: 0.001, most: 0.05 }

/** A build that takes longer than it may. */
export class OverBudget extends Error {}

/**
 * The same records for the same seed, one owner's. A record belongs to one compartment. A compartment is a set of
 * people that no other has, and the caller sees it if and only if all of them have consented.
 *
 * Texts depend on the seed and the record alone: the same world with other compartments, or with other consents, has
 * the same texts.
 *
 * @param {{ seed: number, deadline?: number } & Case} shape a deadline is one of `performance.now()`
 */
export function makeWorld({ seed, records, visible, compartments, deadline = Number.POSITIVE_INFINITY }) {
  const language = makeLanguage(seed)
  const shown = showSome(makeRandom(mix(seed, 2)), compartments, visible)
  /** @type {Int16Array | undefined} */
  let sets
  return assemble({
    ids: Array.from({ length: records }, (_, at) => at),
    compartments,
    deadline,
    compartmentOf: id => id % compartments,
    isShown: compartment => shown[compartment] === 1,
    textOf: id => language.text(id),
    peopleOf(compartment) {
      sets ??= makeSets(makeRandom(mix(seed, 3)), shown)
      return [
        ...sets.subarray(compartment * MOST_IN_A_SET, (compartment + 1) * MOST_IN_A_SET).filter(p => p >= 0),
      ]
    },
  })
}

/**
 * Two small worlds: visible records, and the same ones among as many hidden ones that are full of the queries' terms.
 * What a caller gets must not tell them apart.
 *
 * @param {number} seed
 * @param {readonly Query[]} queries
 */
export function makeLeakWorlds(seed, queries) {
  const records = 4_000
  const language = makeLanguage(seed)
  const terms = queries.flatMap(query => query.terms)
  // One compartment for each record, and one person: of the visible ones somebody who consented.
  const make = (/** @type {number} */ step) =>
    assemble({
      ids: Array.from({ length: records / step }, (_, at) => at * step),
      compartments: records,
      deadline: Number.POSITIVE_INFINITY,
      compartmentOf: id => id,
      isShown: compartment => compartment % 2 === 0,
      peopleOf: compartment => hiddenAndShownSets[compartment] ?? [],
      textOf(id) {
        if (id % 2 === 0) return language.text(id)
        const random = makeRandom(mix(seed, id))
        return language
          .text(id)
          .split(' ')
          .map(word => (random.next() < 0.5 ? random.pick(terms) : word))
          .join(' ')
      },
    })
  const used = new Set()
  const random = makeRandom(mix(seed, 4))
  const hiddenAndShownSets = Array.from({ length: records }, (_, at) => newSet(random, used, at % 2 === 0))
  return { without: make(2), among: make(1) }
}

/**
 * @param {{
 *   ids: readonly number[],
 *   compartments: number,
 *   deadline: number,
 *   compartmentOf(id: number): number,
 *   isShown(compartment: number): boolean,
 *   peopleOf(compartment: number): readonly number[],
 *   textOf(id: number): string,
 * }} shape
 */
function assemble({ ids, deadline, ...shape }) {
  let generationMs = 0
  return {
    ...shape,
    ids,
    records: ids.length,
    /** Above every id; ids may have gaps. */
    idsBelow: (ids.at(-1) ?? 0) + 1,
    people: PEOPLE,
    /** @param {number} person */
    hasConsented: person => person < CONSENTING,
    /** @param {number} id */
    isVisible: id => shape.isShown(shape.compartmentOf(id)),
    shownCompartments: () => range(shape.compartments).filter(shape.isShown),

    /** All records in the order of their ids, some at a time: who indexes them need not hold all of their texts. */
    *batches(size = BATCH) {
      for (let from = 0; from < ids.length; from += size) {
        const start = performance.now()
        if (start > deadline) throw new OverBudget()
        const items = ids.slice(from, from + size).map(id => ({
          id,
          text: shape.textOf(id),
          compartment: shape.compartmentOf(id),
        }))
        generationMs += performance.now() - start
        yield items
      }
    },
    /** What it took to make the texts, which is no part of building an index. */
    generationMs: () => generationMs,
  }
}

/**
 * Queries of words that are neither common nor rare.
 *
 * @param {number} seed
 * @param {number} count
 * @param {'timed' | 'warm-up' | 'leak'} purpose
 * @returns {Query[]}
 */
export function makeQueries(seed, count, purpose) {
  const language = makeLanguage(seed)
  const random = makeRandom(mix(seed, { timed: 5, 'warm-up': 6, leak: 7 }[purpose]))
  return Array.from({ length: count }, () => {
    /** @type {Set<string>} */
    const terms = new Set()
    while (terms.size < QUERY_TERMS) {
      const rank = language.rank(random)
      const frequency = 1 - (1 - language.probability(rank)) ** LENGTH.mean
      if (frequency >= FREQUENCY.least && frequency <= FREQUENCY.most) terms.add(language.word(rank))
    }
    return { terms: [...terms] }
  })
}

/**
 * For each query the records that match it, in the order of their ids: what a system's answers are checked with.
 *
 * @param {number} seed
 * @param {number} records
 * @param {readonly Query[]} queries
 * @returns {Uint32Array[]}
 */
export function findMatches(seed, records, queries) {
  const language = makeLanguage(seed)
  /** @type {Map<string, number[]>} */
  const places = new Map()
  for (const [place, { terms }] of queries.entries())
    for (const term of terms) places.set(term, [...(places.get(term) ?? []), place])
  const wanted = range(WORDS).map(rank => places.get(language.word(rank)))
  const matches = queries.map(() => /** @type {number[]} */ ([]))
  for (let id = 0; id < records; id++) {
    for (const rank of language.ranks(id)) {
      for (const place of wanted[rank] ?? []) {
        const found = matches[place]
        if (found !== undefined && found.at(-1) !== id) found.push(id)
      }
    }
  }
  return matches.map(found => Uint32Array.from(found))
}

/** @type {Map<number, ReturnType<typeof inventLanguage>>} */
const languages = new Map()

/** @param {number} seed */
function makeLanguage(seed) {
  const language = languages.get(seed) ?? inventLanguage(seed)
  languages.set(seed, language)
  return language
}

/** Words made of syllables. The word of rank r (from 0) is drawn in proportion to 1 / (r + 1), as in real texts. */
function inventLanguage(/** @type {number} */ seed) {
  const random = makeRandom(mix(seed, 1))
  const words = makeWords(random)
  const weights = range(WORDS).map(rank => 1 / (rank + 1))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const { keep, alias } = makeAlias(weights.map(weight => (weight / sum) * WORDS))

  /** @param {Random} source */
  const rank = source => {
    const at = source.next() * WORDS
    const place = Math.floor(at)
    return /** @type {number} */ (at - place < (keep[place] ?? 1) ? place : alias[place])
  }
  /** @param {number} id */
  const ranks = id => {
    const source = makeRandom(mix(seed, id + 1_000))
    const length = LENGTH.least + source.integer(LENGTH.most - LENGTH.least + 1)
    return Array.from({ length }, () => rank(source))
  }
  /** @param {number} at */
  const word = at => words[at] ?? ''
  return {
    rank,
    ranks,
    word,
    /** @param {number} at */
    probability: at => (weights[at] ?? 0) / sum,
    /** @param {number} id */
    text: id => ranks(id).map(word).join(' '),
  }
}

/** @param {Random} random */
function makeWords(random) {
  const consonants = 'bcdfghjklmnprstvz'.split('')
  const vowels = 'aeiou'.split('')
  /** @type {Set<string>} */
  const words = new Set()
  while (words.size < WORDS) {
    const syllables = 2 + random.integer(3)
    words.add(
      range(syllables)
        .map(() => random.pick(consonants) + random.pick(vowels))
        .join(''),
    )
  }
  return [...words]
}

/**
 * Tables to draw from a distribution with one number (Vose's alias method).
 *
 * @param {readonly number[]} weights their mean is 1
 */
function makeAlias(weights) {
  const left = Float64Array.from(weights)
  const keep = new Float64Array(weights.length).fill(1)
  const alias = new Uint32Array(weights.length)
  const small = range(weights.length).filter(at => (left[at] ?? 0) < 1)
  const large = range(weights.length).filter(at => (left[at] ?? 0) >= 1)
  for (;;) {
    const few = small.pop()
    const many = large.pop()
    if (few === undefined || many === undefined) return { keep, alias }
    keep[few] = left[few] ?? 1
    alias[few] = many
    left[many] = (left[many] ?? 0) + (left[few] ?? 0) - 1
    if ((left[many] ?? 0) < 1) small.push(many)
    else large.push(many)
  }
}

/** Which compartments are shown: as many as the fraction says, anywhere. */
function showSome(
  /** @type {Random} */ random,
  /** @type {number} */ compartments,
  /** @type {number} */ fraction,
) {
  const shown = new Uint8Array(compartments)
  let left = Math.max(1, Math.round(compartments * fraction))
  // Each is taken with the chance that takes exactly as many as are left.
  for (let at = 0; at < compartments; at++) {
    if (random.integer(compartments - at) >= left) continue
    shown[at] = 1
    left--
  }
  return shown
}

/** The people of each compartment, four places each, −1 where there are fewer. */
function makeSets(/** @type {Random} */ random, /** @type {Uint8Array} */ shown) {
  const sets = new Int16Array(shown.length * MOST_IN_A_SET).fill(-1)
  const used = new Set()
  for (const [at, isShown] of shown.entries())
    sets.set(newSet(random, used, isShown === 1), at * MOST_IN_A_SET)
  return sets
}

/** @param {Random} random @param {Set<unknown>} used @param {boolean} isShown */
function newSet(random, used, isShown) {
  for (;;) {
    const size = 1 + random.integer(MOST_IN_A_SET)
    /** @type {Set<number>} */
    const set = new Set()
    if (!isShown) set.add(CONSENTING + random.integer(PEOPLE - CONSENTING))
    while (set.size < size) set.add(random.integer(isShown ? CONSENTING : PEOPLE))
    const people = [...set].sort((a, b) => a - b)
    const key = people.reduce((sum, person) => sum * (PEOPLE + 1) + person + 1, 0)
    if (used.has(key)) continue
    used.add(key)
    return people
  }
}

/** A seed of its own for each purpose and each record. @param {number} seed @param {number} purpose */
function mix(seed, purpose) {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(purpose + 1, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** @param {number} length */
const range = length => Array.from({ length }, (_, at) => at)
