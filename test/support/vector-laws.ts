import { isDeepStrictEqual } from 'node:util'
import type * as mask from '../../src/search/mask.js'
import { FULL_LEVEL, HIDDEN_LEVEL } from '../../src/search/mask.js'
import type * as similarity from '../../src/search/similarity.js'
import type { Similarity, VectorPart } from '../../src/search/similarity.js'
import type * as memory from '../../src/search/vector-kernel/memory.js'
import type { VectorMemory } from '../../src/search/vector-kernel/memory.js'
import type * as query from '../../src/search/vector-query.js'
import type * as vectors from '../../src/search/vectors.js'
import type { VectorColumn, VectorStore } from '../../src/search/vectors.js'
import { random } from '../../src/testing/non-interference/random.js'
import { answersIn, quantised, type SimilarityAnswers } from './vector-reference.js'
import type { VectorDocument, VectorWorld } from './vector-worlds.js'

/** The modules under test: the project's own, or a mutant's. */
export type Vectors = typeof mask & typeof memory & typeof query & typeof similarity & typeof vectors

const MODULES = [
  'src/search/mask.ts',
  'src/search/vector-kernel/memory.ts',
  'src/search/vector-query.ts',
  'src/search/similarity.ts',
  'src/search/vectors.ts',
]

export async function vectorsFrom(load: (path: string) => Promise<unknown>): Promise<Vectors> {
  const modules: object[] = []
  for (const path of MODULES) modules.push((await load(path)) as object)
  return Object.assign({}, ...modules) as Vectors
}

/** A sentence about what vectors tell in a world. */
export interface VectorLaw {
  readonly title: string
  /** Throws where it does not hold; answers whether this world could have shown that it does not. */
  holds(vectors: Vectors, world: VectorWorld): boolean
}

const law = (title: string, holds: VectorLaw['holds']): VectorLaw => ({ title, holds })

/** Numbers are compared as Object.is does. */
function same(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(
      `${what}: ${JSON.stringify(actual)?.slice(0, 300)}, not ${JSON.stringify(expected)?.slice(0, 300)}`,
    )
}

// ---------------------------------------------------------------------------------------------------------------
// From a world to an index.

type Kind = 'wasm' | 'plain'
const KINDS: readonly Kind[] = ['wasm', 'plain']

const memoryOf = (vectors: Vectors, kind: Kind): VectorMemory =>
  kind === 'wasm' ? new vectors.WasmMemory() : new vectors.PlainMemory()

/** The stores of a world, filled in an order of its own, and the row of each document. */
function columnsOf(vectors: Vectors, world: VectorWorld, kind: Kind): VectorColumn[] {
  const r = random(world.seed + 1)
  const store = () => new vectors.VectorStore(world.dimension, memoryOf(vectors, kind))
  const one = store()
  const columns = world.parts.map(documents => ({
    store: world.oneStore ? one : store(),
    rows: new Int32Array(documents.length).fill(-1),
  }))
  const places = world.parts
    .flatMap((documents, part) => documents.map(({ vector }, document) => ({ part, document, vector })))
    .map(place => ({ ...place, at: r.below(1_000_000) }))
    .sort((a, b) => a.at - b.at)
  for (const { part, document, vector } of places) {
    const { store, rows } = columns[part] as VectorColumn
    if (vector !== null) rows[document] = store.add(vector)
  }
  return columns
}

function visible(vectors: Vectors, { parts }: VectorWorld, columns: readonly VectorColumn[]): VectorPart[] {
  return parts.map((documents, part) => {
    const surfaces = Uint8Array.from(documents, ({ surface }) => surface)
    const none = new Uint32Array(documents.length)
    return { mask: vectors.Mask.of(surfaces, [none, none, none, none]), column: columns[part] ?? null }
  })
}

const similarityIn = (vectors: Vectors, world: VectorWorld, columns: readonly VectorColumn[]) =>
  vectors.similarityOf(visible(vectors, world, columns), world.question)

/** Everything a similarity answers, in the order of the reference. */
function ask(
  similarity: Similarity,
  { parts }: VectorWorld,
  { near, nearest }: SimilarityAnswers,
): SimilarityAnswers {
  const documents = parts
    .flatMap((documents, part) => documents.map(({ id }, document) => ({ id, part, document })))
    .sort((a, b) => a.id - b.id)
  const idOf = (part: number, document: number) => parts[part]?.[document]?.id as number
  const withVector = documents.filter(({ part, document }) => similarity.cosine(part, document) !== null)
  for (const { part, document } of documents)
    if (similarity.cosine(part, document) === null)
      same([similarity.exact(part, document)], [0], 'the score of one without a vector')
  return {
    count: similarity.count,
    cosines: withVector.map(({ id, part, document }) => [id, similarity.cosine(part, document) as number]),
    normalised: withVector.map(({ id, part, document }) => [id, similarity.exact(part, document)]),
    near: near.map(([floor]) => [
      floor,
      parts
        .flatMap((_, part) => [...similarity.near(part, floor)].map(document => idOf(part, document)))
        .sort((a, b) => a - b),
    ]),
    nearest: nearest.map(([most]) => [
      most,
      similarity
        .nearest(most, (a, b) => idOf(a.part, a.document) - idOf(b.part, b.document))
        .map(({ part, document }) => idOf(part, document)),
    ]),
  }
}

const answer = (vectors: Vectors, world: VectorWorld, columns: readonly VectorColumn[]) =>
  ask(similarityIn(vectors, world, columns), world, answersIn(world))

const isVisible = ({ surface, vector }: VectorDocument) => surface === FULL_LEVEL && vector !== null
const seenIn = ({ parts }: VectorWorld) => parts.flat().filter(isVisible)

// ---------------------------------------------------------------------------------------------------------------
// Laws.

export const EXACT = law('answers are those of comparing with every visible vector', (vectors, world) => {
  const expected = answersIn(world)
  for (const kind of KINDS) same(answer(vectors, world, columnsOf(vectors, world, kind)), expected, kind)
  return expected.count > 1
})

export const BOUNDS = law('bounds hold, and there are none without a visible vector', (vectors, world) => {
  const similarity = similarityIn(vectors, world, columnsOf(vectors, world, 'wasm'))
  let tells = false
  for (const [part, documents] of world.parts.entries())
    for (const [place, document] of documents.entries()) {
      const lower = similarity.lower(part, place)
      const upper = similarity.upper(part, place)
      const exact = similarity.exact(part, place)
      if (!(0 <= lower && lower <= exact && exact <= upper && upper <= 1))
        throw new Error(`${exact} is not between ${lower} and ${upper}`)
      if (!isVisible(document)) same([lower, upper], [0, 0], 'bounds of one without a vector')
      else if (upper - lower < 0.5) tells = true
    }
  return tells
})

/** A bound that excludes nothing would hold as well. */
export const TIGHT = law('bounds of bell-shaped vectors are narrow', (vectors, world) => {
  const columns = columnsOf(vectors, world, 'wasm')
  const query = new vectors.VectorQuery(world.question)
  let tells = false
  for (const [part, { mask }] of visible(vectors, world, columns).entries()) {
    const { store, rows } = columns[part] as VectorColumn
    const { documents, lower, upper } = store.estimate(mask, rows, query)
    for (const document of documents) {
      const vector = world.parts[part]?.[document]?.vector as Int16Array
      const large = vector.filter(value => Math.abs(value) > 2_000).length
      if (large < vector.length / 2) continue
      tells = true
      const width = (upper[document] as number) - (lower[document] as number)
      // Half the width is at most 128 / 2,000 · √2, and what a query loses that was divided by 8 or less.
      if (width > 0.25) throw new Error(`bounds are ${width} apart`)
    }
  }
  return tells
})

export const TWINS = law('the fast kernel and the plain one give the same bytes', (vectors, world) => {
  const query = new vectors.VectorQuery(world.question)
  const [wasm, plain] = KINDS.map(kind => {
    const columns = columnsOf(vectors, world, kind)
    return visible(vectors, world, columns).map(({ mask }, part) => {
      const { store, rows } = columns[part] as VectorColumn
      const { documents, lower, upper } = store.estimate(mask, rows, query)
      const cosines = Float64Array.from(documents, place => store.cosine(mask, rows, query, place) as number)
      return [documents, lower, upper, cosines].map(({ buffer, byteOffset, byteLength }) =>
        Buffer.from(buffer, byteOffset, byteLength).toString('hex'),
      )
    })
  })
  same(wasm, plain, 'bytes')
  return seenIn(world).length > 0
})

/** What would come first or last of all, if it were seen. */
function withExtremesHidden(world: VectorWorld): VectorWorld {
  const opposite = world.question.map(value => -value)
  return {
    ...world,
    parts: world.parts.map(documents =>
      documents.map((document, at) =>
        document.surface === FULL_LEVEL
          ? document
          : { ...document, vector: at % 2 === 0 ? world.question : opposite },
      ),
    ),
  }
}

export const HIDDEN_IS_ABSENT = law('what is not seen in full is as good as absent', (vectors, world) => {
  const expected = answersIn(world)
  const extremes = withExtremesHidden(world)
  same(answer(vectors, extremes, columnsOf(vectors, extremes, 'wasm')), expected, 'among extremes')
  const alone = { ...world, parts: world.parts.map(documents => documents.filter(isVisible)) }
  same(answer(vectors, alone, columnsOf(vectors, alone, 'wasm')), expected, 'alone')
  return expected.count > 0 && world.parts.flat().some(({ surface }) => surface === HIDDEN_LEVEL)
})

export const TWO_CALLERS = law('what one caller asks changes nothing for another', (vectors, world) => {
  const columns = columnsOf(vectors, world, world.seed % 2 === 0 ? 'plain' : 'wasm')
  const first = similarityIn(vectors, world, columns)
  const seen = seenIn(world)
  const other: VectorWorld = {
    ...world,
    question: seen[0]?.vector?.map(value => -value) ?? world.question,
    parts: world.parts.map(documents =>
      documents.map(document => ({
        ...document,
        surface: document.surface === FULL_LEVEL ? HIDDEN_LEVEL : FULL_LEVEL,
      })),
    ),
  }
  same(ask(similarityIn(vectors, other, columns), other, answersIn(other)), answersIn(other), 'the other')
  const later = columns[0]?.store
  if (later !== undefined) for (let times = 0; times < 40; times++) later.add(world.question)
  same(ask(first, world, answersIn(world)), answersIn(world), 'the first, after the other')
  return seen.length > 0
})

export const KEPT = law(
  'a store that was kept, compacted or refilled answers as before',
  (vectors, world) => {
    const columns = columnsOf(vectors, world, 'wasm')
    const expected = answersIn(world)
    const again = new Map<VectorStore, VectorStore>()
    for (const { store } of columns) again.set(store, vectors.VectorStore.of(world.dimension, store.planes()))
    const kept = columns.map(({ store, rows }) => ({ store: again.get(store) as VectorStore, rows }))
    same(answer(vectors, world, kept), expected, 'kept')
    const compacted = columns.map(({ store, rows }) => {
      const taken = rows.filter(row => row >= 0).reverse()
      let next = taken.length
      return { store: store.compacted(taken), rows: rows.map(row => (row < 0 ? -1 : --next)) }
    })
    same(answer(vectors, world, compacted), expected, 'compacted')
    for (const [part, documents] of world.parts.entries())
      for (const [place, { vector }] of documents.entries()) {
        if (vector === null) continue
        const { store, rows } = compacted[part] as VectorColumn
        const read = store.unmaskedVector(rows[place] as number)
        same([...read], [...vector], 'a vector')
        same([...vectors.decodeVector(vectors.encodeVector(read))], [...vector], 'written down')
      }
    return expected.count > 1
  },
)

export const OWN_SCALE = law('a vector is stored by a scale of its own', (vectors, { samples }) => {
  for (const values of [...samples, ...samples.toReversed()])
    same([...(vectors.quantise(values) ?? [])], [...(quantised(values) ?? [])], 'stored')
  return true
})

export const VECTOR_LAWS: readonly VectorLaw[] = [
  EXACT,
  BOUNDS,
  TIGHT,
  TWINS,
  HIDDEN_IS_ABSENT,
  TWO_CALLERS,
  KEPT,
  OWN_SCALE,
]
