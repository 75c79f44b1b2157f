import { detectLanguage } from '../search/languages.js'
import { eachToken } from '../search/tokenize.js'

/*
 * The file, made by scripts/distil-embedder:
 *
 *     privity words 1\n
 *     {"name":…,"dimension":…,"words":…}\n    what it is called, numbers in a vector, how many words
 *     word\n …                                the words, the commonest first
 *     zero to three bytes of nothing          up to a multiple of four
 *     float32 …                               for each word, what one step of its vector is worth, little-endian;
 *                                             how much the word tells of a text is part of it
 *     int8 …                                  for each word, its vector in steps
 */
const MAGIC = 'privity words 1\n'
const LONGEST_HEAD = 1000

/** The path of the word table that ships with the package, relative to the package's root. */
export const TABLE_FILE = 'models/words-en.bin'

/**
 * The weight of semantic similarity, given the average number of words per text: 0.35 up to 25 words, 0 from 106 on.
 * A sum of word vectors describes a short text well, but of a long one it says nothing that its words do not say
 * better.
 */
export const tableWeight = (words: number): number => Math.min(0.35, Math.max(0, 0.46 - words / 230))

/** The lowest cosine at which a text is found by semantic similarity alone. */
export const TABLE_NEAR = 0.4

/** Vectors of English words. The vector of a text is the weighted sum of those of its words, scaled to length 1. */
export class StaticTable {
  readonly name: string
  readonly dimension: number
  readonly #words: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  readonly #scales: Float32Array
  readonly #steps: Int8Array
  #lengths: Float64Array | undefined

  private constructor(name: string, words: readonly string[], scales: Float32Array, steps: Int8Array) {
    this.name = name
    this.dimension = steps.length / words.length
    this.#words = words
    this.#places = new Map(words.map((word, place) => [word, place]))
    this.#scales = scales
    this.#steps = steps
  }

  /** Reads a table. The table takes ownership of the bytes. */
  static read(bytes: Uint8Array): StaticTable {
    const head = readHead(bytes)
    const { words, end } = readWords(bytes, head)
    const start = Math.ceil(end / 4) * 4
    const size = head.words * (4 + head.dimension)
    if (bytes.length !== start + size)
      throw new Error(`the word table has ${bytes.length} bytes, not ${start + size}`)
    const view = new DataView(bytes.buffer, bytes.byteOffset + start)
    const scales = Float32Array.from(words, (_, place) => view.getFloat32(place * 4, true))
    if (!scales.every(scale => Number.isFinite(scale) && scale >= 0))
      throw new Error('the word table has a scale that is no size')
    const steps = new Int8Array(bytes.buffer, view.byteOffset + head.words * 4, head.words * head.dimension)
    return new StaticTable(head.name, words, scales, steps)
  }

  /**
   * The vector of a text; null if the text is in another language or most of its words are unknown. Otherwise a few
   * words that happen to be spelled alike would make unrelated texts look similar.
   */
  embed(text: string): Float32Array | null {
    const sum = new Float64Array(this.dimension)
    let known = 0
    let unknown = 0
    eachToken(text, term => {
      const place = this.#place(term)
      if (place === undefined) {
        if (term.length > 2 && !term.includes("'")) unknown++
        return
      }
      known++
      this.#add(sum, place)
    })
    if (known === 0 || known < unknown || !mayBeEnglish(text)) return null
    return atLengthOne(sum)
  }

  /** The words closest in meaning, best first. */
  neighbours(word: string, most: number): string[] {
    const place = this.#place(word)
    if (place === undefined) return []
    this.#lengths ??= Float64Array.from(this.#words, (_, other) => Math.sqrt(this.#dot(other, other)))
    const lengths = this.#lengths
    // The best so far, best first. Only few are wanted, so inserting one is cheaper than sorting all.
    const best: { other: number; cosine: number }[] = []
    for (let other = 0; other < lengths.length; other++) {
      const length = lengths[other] as number
      if (other === place || length === 0) continue
      const cosine = this.#dot(place, other) / length
      if (best.length === most && cosine <= (best.at(-1)?.cosine ?? cosine)) continue
      const at = best.findIndex(one => one.cosine < cosine)
      best.splice(at < 0 ? best.length : at, 0, { other, cosine })
      if (best.length > most) best.pop()
    }
    return best.map(({ other }) => this.#words[other] as string)
  }

  #place(term: string): number | undefined {
    return this.#places.get(term) ?? (term.endsWith("'s") ? this.#places.get(term.slice(0, -2)) : undefined)
  }

  #add(sum: Float64Array, place: number): void {
    const { dimension } = this
    const steps = this.#steps
    const scale = this.#scales[place] as number
    const start = place * dimension
    for (let at = 0; at < dimension; at++)
      sum[at] = (sum[at] as number) + scale * (steps[start + at] as number)
  }

  #dot(a: number, b: number): number {
    const { dimension } = this
    const steps = this.#steps
    let sum = 0
    for (let at = 0; at < dimension; at++)
      sum += (steps[a * dimension + at] as number) * (steps[b * dimension + at] as number)
    return sum
  }
}

interface Head {
  readonly name: string
  readonly dimension: number
  readonly words: number
  readonly end: number
}

function readHead(bytes: Uint8Array): Head {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, LONGEST_HEAD))
  if (!text.startsWith(MAGIC)) throw new Error('not a word table, or one of another version')
  const end = text.indexOf('\n', MAGIC.length) + 1
  const { name, dimension, words } = parseHead(text.slice(MAGIC.length, end))
  if (typeof name !== 'string' || name === '' || !isCount(dimension) || !isCount(words))
    throw new Error('the head of the word table is broken')
  return { name, dimension, words, end }
}

function parseHead(line: string): Record<string, unknown> {
  try {
    const head: unknown = JSON.parse(line)
    return typeof head === 'object' && head !== null ? { ...head } : {}
  } catch {
    return {}
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

function readWords(bytes: Uint8Array, head: Head): { words: string[]; end: number } {
  let end = head.end
  for (let count = 0; count < head.words; count++) {
    end = bytes.indexOf(10, end) + 1
    if (end === 0) throw new Error('the word table ends within its words')
  }
  const words = new TextDecoder().decode(bytes.subarray(head.end, end - 1)).split('\n')
  if (new Set(words).size !== head.words) throw new Error('the word table has a word twice')
  return { words, end }
}

function mayBeEnglish(text: string): boolean {
  const language = detectLanguage(text)
  return language === 'en' || language === 'und'
}

function atLengthOne(sum: Float64Array): Float32Array | null {
  let squares = 0
  for (let at = 0; at < sum.length; at++) squares += (sum[at] as number) * (sum[at] as number)
  if (squares === 0) return null
  const length = Math.sqrt(squares)
  const vector = new Float32Array(sum.length)
  for (let at = 0; at < sum.length; at++) vector[at] = (sum[at] as number) / length
  return vector
}
