import {
  FULL_LEVEL,
  HIDDEN_LEVEL,
  type MaskLevel,
  METADATA_LEVEL,
  PREVIEW_LEVEL,
} from '../../src/search/mask.js'
import { type Random, random } from '../../src/testing/non-interference/random.js'
import { SEED, WORLDS } from './generated.js'

export interface VectorDocument {
  /** Its own number, wherever it stands. */
  readonly id: number
  readonly surface: MaskLevel
  readonly vector: Int16Array | null
}

/** Documents with vectors, what one caller may see of them, and what the caller asks. */
export interface VectorWorld {
  readonly seed: number
  readonly dimension: number
  readonly parts: readonly (readonly VectorDocument[])[]
  /** Whether all parts keep their vectors in one store. */
  readonly oneStore: boolean
  readonly question: Int16Array
  /** Vectors before they are stored. */
  readonly samples: readonly (readonly number[])[]
}

/** No component of a stored vector exceeds it. */
export const LARGEST = 32_639

const DIMENSIONS = [1, 3, 15, 16, 17, 100, 256, 384, 768, 1536, 4096]
const VISIBLE = [0, 0.01, 0.1, 0.5, 1]

/** How many documents a world has at most, and how many components they have together: few, or enough to grow on. */
const FEW = { documents: 160, components: 15_000 }
const MANY = { documents: 2_500, components: 250_000 }

type Make = (r: Random, dimension: number) => Int16Array

const component = (r: Random, largest = LARGEST) => r.below(2 * largest + 1) - largest
const fill = (dimension: number, of: (at: number) => number) =>
  Int16Array.from({ length: dimension }, (_, at) => of(at))
/** Bell-shaped, as components of real ones are. */
const bell = (r: Random) => Math.round((component(r) + component(r) + component(r)) / 3)

const KINDS: readonly Make[] = [
  (r, dimension) => fill(dimension, () => bell(r)),
  (r, dimension) => fill(dimension, () => component(r)),
  // One spike, with nothing beside or with what the high bytes do not show.
  (r, dimension) => {
    const [spike, rest] = [r.below(dimension), r.pick([0, 1, 127, 128])]
    return fill(dimension, at => (at === spike ? r.pick([-LARGEST, LARGEST]) : component(r, rest)))
  },
  (r, dimension) => new Int16Array(dimension).fill(r.pick([LARGEST, -LARGEST, 1, 127, 128, -128, -129])),
  // Tiny ones are low bytes and nothing else; large steps have none.
  (r, dimension) => fill(dimension, () => component(r, 3)),
  (r, dimension) => fill(dimension, () => 256 * component(r, 127)),
  (r, dimension) => fill(dimension, () => r.pick([-LARGEST, LARGEST])),
]

/** Differs from another in the low byte of few components, or not at all. */
function nearly(r: Random, other: Int16Array): Int16Array {
  const near = other.slice()
  for (let times = r.below(4); times > 0; times--) {
    const at = r.below(near.length)
    near[at] = Math.max(-LARGEST, Math.min(LARGEST, (near[at] as number) + component(r, 40)))
  }
  return near
}

function aVector(r: Random, dimension: number, others: readonly Int16Array[]): Int16Array {
  const other = others.length > 0 && r.chance(0.5) ? r.pick(others) : undefined
  const vector =
    other === undefined
      ? r.pick(KINDS)(r, dimension)
      : r.chance(0.2)
        ? other.map(value => -value)
        : nearly(r, other)
  if (vector.every(value => value === 0)) vector[r.below(dimension)] = 1 + r.below(LARGEST)
  return vector
}

/** A world of a kind of vectors is a hard one; most have several. */
export function vectorWorld(seed: number): VectorWorld {
  const r = random(seed)
  const dimension = r.pick(DIMENSIONS)
  const large = r.chance(0.06)
  const limits = large ? MANY : FEW
  const most = Math.min(limits.documents, Math.ceil(limits.components / dimension))
  const documents = large ? most : r.below(most + 1)
  const visible = r.pick(VISIBLE)
  const withVector = r.pick([0.3, 1, 1])
  const lesser = r.pick([0, 0, 0.2])
  const uniform = r.chance(0.3) ? r.pick(KINDS) : null
  const vectors: Int16Array[] = []
  const next = () => {
    const vector = uniform === null ? null : uniform(r, dimension)
    const made = vector?.some(value => value !== 0) ? vector : aVector(r, dimension, vectors)
    vectors.push(made)
    return made
  }
  const question = next()
  const parts: VectorDocument[][] = Array.from({ length: 1 + r.below(3) }, () => [])
  for (let id = 0; id < documents; id++)
    r.pick(parts).push({
      id,
      surface: r.chance(lesser)
        ? r.pick([PREVIEW_LEVEL, METADATA_LEVEL])
        : r.chance(visible)
          ? FULL_LEVEL
          : HIDDEN_LEVEL,
      vector: r.chance(withVector) ? next() : null,
    })
  return { seed, dimension, parts, oneStore: r.chance(0.5), question, samples: samplesOf(r, dimension) }
}

/** As models give them: of any size, with halves that have to be rounded and zeros of either sign. */
function samplesOf(r: Random, dimension: number): number[][] {
  return Array.from({ length: 3 }, () => {
    const size = r.pick([1e-300, 1e-6, 1, 1, 1 / 3, 1e9, 1e300])
    const halves = r.chance(0.3)
    const values = Array.from({ length: dimension }, () => {
      const value = halves ? component(r, 400) / 2 : component(r)
      return (r.chance(0.1) ? -0 : value) * size
    })
    if (halves) values[r.below(dimension)] = LARGEST * size * r.pick([1, -1])
    return values
  })
}

const made = new Map<number, VectorWorld>()

export function vectorWorlds(count = WORLDS): VectorWorld[] {
  return Array.from({ length: count }, (_, at) => {
    const seed = SEED + at
    const world = made.get(seed) ?? vectorWorld(seed)
    made.set(seed, world)
    return world
  })
}
