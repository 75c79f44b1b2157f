import { FULL_LEVEL } from '../../src/search/mask.js'
import { LARGEST, type VectorDocument, type VectorWorld } from './vector-worlds.js'

/** All that can be told from a similarity, by id. */
export interface SimilarityAnswers {
  readonly count: number
  /** Of those that have one. */
  readonly cosines: readonly (readonly [id: number, cosine: number])[]
  readonly normalised: readonly (readonly [id: number, score: number])[]
  readonly near: readonly (readonly [floor: number, ids: readonly number[]])[]
  readonly nearest: readonly (readonly [most: number, ids: readonly number[]])[]
}

/** Exact whatever the size: sums of a few products are far below 2^53, and theirs are numbers of any length. */
function dot(a: Int16Array, b: Int16Array): number {
  let sum = 0n
  for (let from = 0; from < a.length; from += 64) {
    let few = 0
    for (let at = from; at < Math.min(from + 64, a.length); at++) few += (a[at] as number) * (b[at] as number)
    sum += BigInt(few)
  }
  return Number(sum)
}

export function cosineOf(a: Int16Array, b: Int16Array): number {
  return dot(a, b) / (Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b)))
}

/** By its own largest component, to the nearest whole number, halves away from zero. */
export function quantised(values: readonly number[]): Int16Array | null {
  const largest = Math.max(...values.map(Math.abs))
  if (largest === 0) return null
  return Int16Array.from(values, value => {
    const size = Math.abs(value / largest) * LARGEST
    const whole = Math.floor(size)
    const rounded = size - whole >= 0.5 ? whole + 1 : whole
    return value < 0 ? -rounded : rounded
  })
}

const known = new WeakMap<VectorDocument, readonly [question: Int16Array, cosine: number]>()

function cosineTo(question: Int16Array, document: VectorDocument): number {
  const [asked, cosine] = known.get(document) ?? []
  if (cosine !== undefined && asked === question) return cosine
  const found = cosineOf(question, document.vector as Int16Array)
  known.set(document, [question, found])
  return found
}

/** Floors that tell: between, at and around what there is. */
const floorsOf = (cosines: readonly number[]) => {
  const some = cosines.filter((_, at) => at % Math.ceil(cosines.length / 4) === 0)
  return [-1.5, 0, 1.5, ...some, ...some.map(cosine => cosine + 1e-9)]
}

export const MOST = [0, 1, 2, 5, 20, 1_000]

/** Compares with every visible document, one after the other. */
export function answersIn({ parts, question }: VectorWorld): SimilarityAnswers {
  const seen = parts
    .flat()
    .filter(({ surface, vector }) => surface === FULL_LEVEL && vector !== null)
    .map(document => [document.id, cosineTo(question, document)] as const)
    .sort(([a], [b]) => a - b)
  const cosines = seen.map(([, cosine]) => cosine)
  const order = [...seen].sort(([idA, a], [idB, b]) => b - a || idA - idB).map(([id]) => id)
  return {
    count: seen.length,
    cosines: seen,
    normalised: seen.map(([id, cosine]) => [id, Math.min(1, Math.max(0, cosine))]),
    near: floorsOf(cosines).map(floor => [
      floor,
      seen.filter(([, cosine]) => cosine >= floor).map(([id]) => id),
    ]),
    nearest: MOST.map(most => [most, order.slice(0, most)]),
  }
}
