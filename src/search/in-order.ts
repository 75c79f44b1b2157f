import { FULL_LEVEL, HIDDEN_LEVEL, type Mask, type MaskLevel } from './mask.js'
import { compareIds, formatId, parseId, type Segment } from './segment.js'

/** A place in an order of documents: by time, then by id. */
export interface TimePlace {
  readonly at: number
  readonly id: string
}

/** A document at its place. */
export interface PlacedDocument extends TimePlace {
  readonly part: number
  readonly document: number
}

/** By which time documents are ordered: when they were written, or when what they tell of happened, if they say. */
export type OrderedBy = 'createdAt' | 'occurredAt'

/** A segment, what of it is visible, and which of that is wanted; null for all. */
export interface OrderedPart {
  readonly segment: Segment
  readonly mask: Pick<Mask, 'levels'>
  readonly keeps: ((document: number, level: MaskLevel) => boolean) | null
}

/**
 * The next documents in order of time, at most `most`. Only as many are looked at as it takes to find them, however
 * large the segments are. A face that does not show when something happened is placed by when it was written (NI-4).
 */
export function inOrder(
  parts: readonly OrderedPart[],
  by: OrderedBy,
  direction: 'newest' | 'oldest',
  after: TimePlace | null,
  most: number,
): PlacedDocument[] {
  const step = direction === 'newest' ? -1 : 1
  const streams = parts.flatMap((part, at) =>
    by === 'createdAt'
      ? [new Stream(part, at, 'createdAt', step, after, () => true)]
      : [
          new Stream(part, at, 'occurredAt', step, after, level => level === FULL_LEVEL),
          new Stream(part, at, 'createdAt', step, after, level => level !== FULL_LEVEL),
        ],
  )
  const found: PlacedDocument[] = []
  while (found.length < most) {
    let next: Stream | null = null
    for (const stream of streams)
      if (stream.head !== null && (next?.head == null || comparePlaces(stream.head, next.head) * step < 0))
        next = stream
    if (next?.head == null) break
    found.push(next.head)
    next.advance()
  }
  return found
}

/** The visible documents of one segment in one order. */
class Stream {
  head: PlacedDocument | null = null
  readonly #part: OrderedPart
  readonly #at: number
  readonly #order: TimeOrder
  readonly #step: 1 | -1
  readonly #takes: (level: MaskLevel) => boolean
  #place: number

  constructor(
    part: OrderedPart,
    at: number,
    by: OrderedBy,
    step: 1 | -1,
    after: TimePlace | null,
    takes: (level: MaskLevel) => boolean,
  ) {
    this.#part = part
    this.#at = at
    this.#order = orderOf(part.segment, by)
    this.#step = step
    this.#takes = takes
    this.#place = this.#begin(after)
    this.advance()
  }

  advance(): void {
    const { documents, times } = this.#order
    const { segment, mask, keeps } = this.#part
    for (; this.#place >= 0 && this.#place < documents.length; this.#place += this.#step) {
      const document = documents[this.#place] as number
      const level = mask.levels[document] as MaskLevel
      if (level === HIDDEN_LEVEL || !this.#takes(level)) continue
      if (keeps !== null && !keeps(document, level)) continue
      this.#place += this.#step
      const id = formatId(segment.data.ids, document * 16)
      this.head = { part: this.#at, document, at: times(document), id }
      return
    }
    this.head = null
  }

  /** The first place beyond the last one of the page before. */
  #begin(after: TimePlace | null): number {
    const { documents, times } = this.#order
    if (after === null) return this.#step > 0 ? 0 : documents.length - 1
    const id = parseId(after.id)
    const { ids } = this.#part.segment.data
    let low = 0
    let high = documents.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const document = documents[middle] as number
      const order = times(document) - after.at || compareIds(ids, document * 16, id, 0)
      // Forwards the search ends at the first place after it, backwards at the first that is not before it.
      if (this.#step > 0 ? order <= 0 : order < 0) low = middle + 1
      else high = middle
    }
    return this.#step > 0 ? low : low - 1
  }
}

interface TimeOrder {
  readonly documents: Uint32Array
  readonly times: (document: number) => number
}

const orders = new WeakMap<Segment, Partial<Record<OrderedBy, TimeOrder>>>()

/** The documents of a segment in order of time. Made when it is first asked for: a segment never changes. */
function orderOf(segment: Segment, by: OrderedBy): TimeOrder {
  const known = orders.get(segment) ?? {}
  orders.set(segment, known)
  known[by] ??= makeOrder(segment, by)
  return known[by]
}

function makeOrder({ data }: Segment, by: OrderedBy): TimeOrder {
  const { createdAt, occurredAt, ids } = data
  const times =
    by === 'createdAt'
      ? (document: number) => createdAt[document] as number
      : (document: number) => {
          const at = occurredAt[document] as number
          return Number.isNaN(at) ? (createdAt[document] as number) : at
        }
  const documents = Uint32Array.from(createdAt.keys())
  documents.sort((a, b) => times(a) - times(b) || compareIds(ids, a * 16, ids, b * 16))
  return { documents, times }
}

/** Ids are compared as texts, which orders them as their bytes do. */
const comparePlaces = (a: TimePlace, b: TimePlace) => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
