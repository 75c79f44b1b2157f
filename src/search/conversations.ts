import { FULL_LEVEL, type Mask } from './mask.js'
import type { VisiblePart } from './match.js'

/**
 * How much of what a turn around it scores more a turn takes over: of the turn before, the turn after, and those two away.
 * Together they are at most 1, so that no turn scores more than the best of those around it.
 */
const SHARES = [0.4, 0.2, 0.2, 0.1] as const
const OFFSETS = [-1, 1, -2, 2] as const
/** The share of the turn before if it is a question, because an answer rarely repeats the words of its question. */
const SHARE_OF_QUESTION = 0.5
/** A text of this many words or fewer takes all of these shares; from so many words on it speaks for itself. */
const SHORT = 30
const LONG = 120

/** A value of a document, such as a bound of its score. */
export type ValueOf = (part: number, document: number) => number

/** The turns that some masks show, by the first of the masks. A mask never changes, so neither do its turns. */
const known = new WeakMap<Mask, { readonly masks: readonly Mask[]; readonly turns: Conversations | null }>()

/**
 * The visible turns of conversations in their order. They are gathered from masks, so that a turn that is hidden is no
 * neighbour of any other (SC-8), and kept for as long as the masks are.
 */
export class Conversations {
  readonly #parts: readonly VisiblePart[]
  /** The part and the document of each turn, and a number that the turns of one conversation share. */
  readonly #partOf: Uint16Array
  readonly #documents: Uint32Array
  readonly #talks: Uint32Array
  /** For each part, where each of its visible documents stands among the turns; -1 if nowhere. */
  readonly #places: readonly Int32Array[]

  private constructor(parts: readonly VisiblePart[], lists: readonly TurnList[]) {
    this.#parts = parts
    const { partOf, documents, talks } = lists.length === 1 ? (lists[0] as TurnList) : merged(parts, lists)
    this.#partOf = partOf
    this.#documents = documents
    this.#talks = talks
    this.#places = parts.map(({ mask }) => new Int32Array(mask.documents.length).fill(-1))
    for (let place = 0; place < documents.length; place++) {
      const part = partOf[place] as number
      const { mask } = parts[part] as VisiblePart
      ;(this.#places[part] as Int32Array)[mask.placeOf(documents[place] as number)] = place
    }
  }

  /** Returns null if nothing visible is part of a conversation. */
  static of(parts: readonly VisiblePart[]): Conversations | null {
    const [first] = parts
    // Most stores have none.
    if (first === undefined || parts.every(({ segment }) => segment.data.inOrder.length === 0)) return null
    const before = known.get(first.mask)
    if (before?.masks.length === parts.length && parts.every(({ mask }, at) => mask === before.masks[at]))
      return before.turns
    const turns = Conversations.#gather(parts)
    known.set(first.mask, { masks: parts.map(({ mask }) => mask), turns })
    return turns
  }

  static #gather(parts: readonly VisiblePart[]): Conversations | null {
    const numbers = numberTalks(parts)
    const lists = parts.flatMap((part, at) => {
      const list = visibleTurns(part, at, numbers[at] as Uint32Array)
      return list.documents.length === 0 ? [] : [list]
    })
    return lists.length === 0 ? null : new Conversations(parts, lists)
  }

  /** The documents of each part that are no match themselves, but short turns near one. */
  around(matches: readonly Uint32Array[]): Uint32Array[] {
    const matched = new Set<number>()
    for (const [part, documents] of matches.entries())
      for (const document of documents) {
        const place = this.#placeOf(part, document)
        if (place >= 0) matched.add(place)
      }
    const near = new Set<number>()
    for (const place of matched)
      for (const offset of OFFSETS) {
        const other = place + offset
        if (this.#talks[other] === this.#talks[place] && !matched.has(other) && this.#fade(other) > 0)
          near.add(other)
      }
    const found: number[][] = this.#parts.map(() => [])
    for (const place of Uint32Array.from(near).sort())
      found[this.#partOf[place] as number]?.push(this.#documents[place] as number)
    return found.map(documents => Uint32Array.from(documents))
  }

  /**
   * What a document takes over from the turns around it, given values of all documents. Bounds give bounds: it grows with
   * the values of neighbours, and together with the document's own value it grows with that as well.
   */
  taken(part: number, document: number, scoreOf: ValueOf): number {
    const place = this.#placeOf(part, document)
    if (place < 0) return 0
    const fade = this.#fade(place)
    if (fade === 0) return 0
    const own = scoreOf(part, document)
    let sum = 0
    for (let at = 0; at < OFFSETS.length; at++) {
      const other = place + (OFFSETS[at] as number)
      if (other < 0 || other >= this.#talks.length || this.#talks[other] !== this.#talks[place]) continue
      const otherPart = this.#partOf[other] as number
      const otherDocument = this.#documents[other] as number
      const more = scoreOf(otherPart, otherDocument) - own
      if (more <= 0) continue
      const asks = at === 0 && (this.#parts[otherPart] as VisiblePart).segment.asks(otherDocument)
      sum += (asks ? SHARE_OF_QUESTION : (SHARES[at] as number)) * more
    }
    return fade * sum
  }

  #placeOf(part: number, document: number): number {
    const { mask } = this.#parts[part] as VisiblePart
    return this.#places[part]?.[mask.placeOf(document)] ?? -1
  }

  #fade(place: number): number {
    const { mask } = this.#parts[this.#partOf[place] as number] as VisiblePart
    const words = mask.lengths[this.#documents[place] as number] as number
    return Math.min(1, Math.max(0, (LONG - words) / (LONG - SHORT)))
  }
}

interface TurnList {
  readonly partOf: Uint16Array
  readonly documents: Uint32Array
  readonly talks: Uint32Array
}

/** For each part, a number for each of its conversations, in the order of their names; parts share them. */
function numberTalks(parts: readonly VisiblePart[]): Uint32Array[] {
  const lists = parts.map(({ segment }) => segment.data.conversations)
  const several = lists.filter(({ length }) => length > 0).length > 1
  if (!several) return lists.map(({ length }) => Uint32Array.from({ length }, (_, at) => at))
  const numbers = new Map([...new Set(lists.flat())].sort().map((name, at) => [name, at]))
  return lists.map(list => Uint32Array.from(list, name => numbers.get(name) as number))
}

/** The turns of a part that are seen in full, in order. Lesser faces do not show that they are turns. */
function visibleTurns({ segment, mask }: VisiblePart, part: number, numbers: Uint32Array): TurnList {
  const { inOrder, conversation } = segment.data
  const documents = new Uint32Array(inOrder.length)
  const talks = new Uint32Array(inOrder.length)
  let count = 0
  for (let at = 0; at < inOrder.length; at++) {
    const document = inOrder[at] as number
    if (mask.levels[document] !== FULL_LEVEL) continue
    documents[count] = document
    talks[count++] = numbers[(conversation[document] as number) - 1] as number
  }
  return {
    partOf: new Uint16Array(count).fill(part),
    documents: documents.subarray(0, count),
    talks: talks.subarray(0, count),
  }
}

/** One order of the turns of several parts: a conversation may go on in another part. */
function merged(parts: readonly VisiblePart[], lists: readonly TurnList[]): TurnList {
  const count = lists.reduce((sum, { documents }) => sum + documents.length, 0)
  const partOf = new Uint16Array(count)
  const documents = new Uint32Array(count)
  const talks = new Uint32Array(count)
  const heads = lists.map(() => 0)
  for (let at = 0; at < count; at++) {
    let first = -1
    for (let list = 0; list < lists.length; list++) {
      if ((heads[list] as number) >= (lists[list] as TurnList).documents.length) continue
      if (first < 0 || comesBefore(parts, lists, heads, list, first)) first = list
    }
    const list = lists[first] as TurnList
    const head = heads[first] as number
    partOf[at] = list.partOf[head] as number
    documents[at] = list.documents[head] as number
    talks[at] = list.talks[head] as number
    heads[first] = head + 1
  }
  return { partOf, documents, talks }
}

function comesBefore(
  parts: readonly VisiblePart[],
  lists: readonly TurnList[],
  heads: readonly number[],
  a: number,
  b: number,
): boolean {
  const [one, other] = [lists[a] as TurnList, lists[b] as TurnList]
  const [at, bt] = [heads[a] as number, heads[b] as number]
  const talks = (one.talks[at] as number) - (other.talks[bt] as number)
  if (talks !== 0) return talks < 0
  const segmentA = (parts[one.partOf[at] as number] as VisiblePart).segment
  const segmentB = (parts[other.partOf[bt] as number] as VisiblePart).segment
  const [documentA, documentB] = [one.documents[at] as number, other.documents[bt] as number]
  const turns = (segmentA.data.turns[documentA] as number) - (segmentB.data.turns[documentB] as number)
  if (turns !== 0) return turns < 0
  return segmentA.id(documentA) < segmentB.id(documentB)
}
