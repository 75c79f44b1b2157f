import { ByteWriter } from './bytes.js'
import type { CompartmentDecision } from './compartment-decision.js'
import { FULL_LEVEL, HIDDEN_LEVEL, Mask, type MaskLevel, METADATA_LEVEL, PREVIEW_LEVEL } from './mask.js'
import { type FaceText, Postings, PostingsBuilder, type PostingsData } from './postings.js'
import { DEFAULT_SALIENCE, type Salience } from './salience.js'
import { ASKS } from './traits.js'

/** A version of a filing unit. Versions of one unit are merged, and the one with the lowest rank is kept (SR-10). */
export interface Filing {
  readonly unit: string
  readonly version: string | null
  readonly rank: number
}

/** The place of a record in a conversation. */
export interface TurnPlace {
  readonly conversation: string
  /** The lowest comes first. */
  readonly at: number
}

/** A record to index: its compartment, the values that conditions filter by, and the text of each of its faces. */
export interface IndexDocument {
  readonly id: string
  readonly compartment: number
  readonly createdAt: number
  readonly occurredAt: number | null
  readonly expiresAt: number | null
  /** Null for the default salience, counted from the record's creation. */
  readonly salience: Salience | null
  readonly tags: readonly string[]
  readonly filing: Filing | null
  readonly turn: TurnPlace | null
  readonly speaker: string | null
  /** What kind of text the full face is, besides what its words name (`traits.ts`). */
  readonly traits: number
  readonly full: FaceText
  /** Null if no decision can ever show a preview. */
  readonly preview: FaceText | null
  readonly metadata: FaceText
}

export interface SegmentData {
  /** Sixteen bytes for each document. */
  readonly ids: Uint8Array
  /** The documents sorted by id. */
  readonly byId: Uint32Array
  readonly compartments: Uint32Array
  readonly createdAt: Float64Array
  /** NaN if unknown. */
  readonly occurredAt: Float64Array
  /** The documents that expire, with their expiry times. */
  readonly expiring: Uint32Array
  readonly expiresAt: Float64Array
  /** The documents whose salience is not the default, in order, with their salience. */
  readonly salient: Uint32Array
  readonly saliences: Float64Array
  readonly salientSince: Float64Array
  readonly pinned: Uint8Array
  readonly tagSets: readonly (readonly string[])[]
  readonly tags: Uint32Array
  readonly filings: readonly Filing[]
  /** For each document, the index of its filing plus one; 0 if it has none. */
  readonly filing: Uint32Array
  readonly conversations: readonly string[]
  /** For each document, the index of its conversation plus one; 0 if it has none. */
  readonly conversation: Uint32Array
  /** The place of each document in its conversation. */
  readonly turns: Uint32Array
  /** The documents that are turns, by the names of their conversations, their places in them and their ids. */
  readonly inOrder: Uint32Array
  readonly speakers: readonly string[]
  /** For each document, the index of its speaker plus one; 0 if it has none. */
  readonly speaker: Uint32Array
  /** What kind of text each full face is, as bits (`traits.ts`). */
  readonly traits: Uint8Array
  /** 1 if the document has a preview. */
  readonly previews: Uint8Array
}

/**
 * Documents and their postings, ordered by compartment. A segment is immutable; deleted documents are tracked outside
 * it.
 */
export class Segment {
  readonly data: SegmentData
  readonly full: Postings
  readonly preview: Postings
  readonly metadata: Postings
  /** The postings of each level. */
  readonly postings: readonly Postings[]

  constructor(
    data: SegmentData,
    postings: { full: PostingsData; preview: PostingsData; metadata: PostingsData },
  ) {
    this.data = data
    this.full = new Postings(postings.full, FULL_LEVEL)
    this.preview = new Postings(postings.preview, PREVIEW_LEVEL)
    this.metadata = new Postings(postings.metadata, METADATA_LEVEL)
    this.postings = [this.full, this.preview, this.metadata]
  }

  get size(): number {
    return this.data.compartments.length
  }

  id(document: number): string {
    return formatId(this.data.ids, document * 16)
  }

  /** The document number of a record, or -1. */
  find(id: string): number {
    const wanted = parseId(id)
    const { ids, byId } = this.data
    let low = 0
    let high = byId.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = compareIds(ids, (byId[middle] as number) * 16, wanted, 0)
      if (order === 0) return byId[middle] as number
      if (order < 0) low = middle + 1
      else high = middle
    }
    return -1
  }

  /** The place of a document in its conversation. Only a full face shows it. */
  turnOf(document: number): TurnPlace | null {
    const { conversations, conversation, turns } = this.data
    const name = conversations[(conversation[document] as number) - 1]
    return name === undefined ? null : { conversation: name, at: turns[document] as number }
  }

  /** Who spoke. Only a full face shows it. */
  speakerOf(document: number): string | null {
    const { speakers, speaker } = this.data
    return speakers[(speaker[document] as number) - 1] ?? null
  }

  /** Whether a text ends with a question. Only a full face shows it. */
  asks(document: number): boolean {
    return ((this.data.traits[document] as number) & ASKS) !== 0
  }

  /** The salience of a document. The binary search is fast enough to be made for every match. */
  salienceOf(document: number): Salience {
    const { salient, saliences, salientSince, pinned, createdAt } = this.data
    let low = 0
    let high = salient.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((salient[middle] as number) < document) low = middle + 1
      else high = middle
    }
    if (salient[low] !== document)
      return { salience: DEFAULT_SALIENCE, since: createdAt[document] as number, pinned: false }
    return {
      salience: saliences[low] as number,
      since: salientSince[low] as number,
      pinned: pinned[low] === 1,
    }
  }

  /**
   * Makes the mask of a decision, and says when a document in it expires. Until then it is valid as long as nothing
   * is written and no decision changes.
   */
  mask(dead: Uint8Array, decision: CompartmentDecision, now: number): { mask: Mask; standsUntil: number } {
    const { compartments, createdAt, expiring, expiresAt, previews } = this.data
    const levels = new Uint8Array(this.size)
    let standsUntil = Number.POSITIVE_INFINITY
    for (let document = 0; document < levels.length; document++) {
      const level = decision.levels[compartments[document] as number] as MaskLevel
      if (level !== HIDDEN_LEVEL && dead[document] === 0) levels[document] = level
    }
    const refine = (document: number, expires: number | null) => {
      const times = { createdAt: createdAt[document] as number, expiresAt: expires }
      levels[document] = decision.refine(compartments[document] as number, times)
    }
    if (decision.refinesAll)
      for (let document = 0; document < levels.length; document++)
        if (levels[document] !== HIDDEN_LEVEL) refine(document, null)
    for (const [at, document] of expiring.entries()) {
      if (levels[document] === HIDDEN_LEVEL) continue
      const expires = expiresAt[at] as number
      refine(document, expires)
      if (expires > now) standsUntil = Math.min(standsUntil, expires)
    }
    for (let document = 0; document < levels.length; document++)
      if (levels[document] === PREVIEW_LEVEL && previews[document] === 0)
        throw new Error('a preview was decided that was never indexed')
    const lengths = [
      new Uint32Array(0),
      this.full.data.lengths,
      this.preview.data.lengths,
      this.metadata.data.lengths,
    ]
    return { mask: Mask.of(levels, lengths), standsUntil }
  }

  get bytes(): number {
    const { tagSets: _, filings: __, conversations: ___, speakers: ____, ...columns } = this.data
    const own = Object.values(columns).reduce((sum, column) => sum + column.byteLength, 0)
    return own + this.postings.reduce((sum, postings) => sum + postings.bytes, 0)
  }
}

/** Builds a segment from documents, which should come in the order of their compartments. */
export class SegmentBuilder {
  readonly #columns = new ColumnsBuilder()
  readonly #id = new Uint8Array(16)
  readonly #full = new PostingsBuilder()
  readonly #preview = new PostingsBuilder()
  readonly #metadata = new PostingsBuilder()

  get size(): number {
    return this.#columns.size
  }

  add(document: IndexDocument): void {
    const { preview } = document
    writeId(document.id, this.#id)
    const place = this.size
    const named = this.#full.add(place, document.full)
    this.#columns.add(this.#id, document, preview !== null, document.traits | named)
    if (preview !== null) this.#preview.add(place, preview)
    this.#metadata.add(place, document.metadata)
  }

  finish(): Segment {
    return new Segment(this.#columns.finish(), {
      full: this.#full.finish(this.size),
      preview: this.#preview.finish(this.size),
      metadata: this.#metadata.finish(this.size),
    })
  }
}

interface ColumnValues {
  readonly compartment: number
  readonly createdAt: number
  readonly occurredAt: number | null
  readonly expiresAt: number | null
  readonly salience: Salience | null
  readonly tags: readonly string[]
  readonly filing: Filing | null
  readonly turn: TurnPlace | null
  readonly speaker: string | null
}

/** Builds the columns of a segment, one document at a time. */
export class ColumnsBuilder {
  readonly #ids = new ByteWriter(4_096)
  readonly #compartments: number[] = []
  readonly #createdAt: number[] = []
  readonly #occurredAt: number[] = []
  readonly #expiring: number[] = []
  readonly #expiresAt: number[] = []
  readonly #salient: number[] = []
  readonly #saliences: Salience[] = []
  readonly #tagSets = new Distinct<readonly string[]>()
  readonly #tags: number[] = []
  readonly #filings = new Distinct<Filing>()
  readonly #filing: number[] = []
  readonly #conversations = new Distinct<string>()
  readonly #conversation: number[] = []
  readonly #turns: number[] = []
  readonly #speakers = new Distinct<string>()
  readonly #speaker: number[] = []
  readonly #traits: number[] = []
  readonly #previews: number[] = []

  get size(): number {
    return this.#compartments.length
  }

  /** Adds a document by the sixteen bytes of its id, and returns its number. */
  add(id: Uint8Array, values: ColumnValues, hasPreview: boolean, traits: number): number {
    const place = this.size
    this.#ids.append(id)
    this.#compartments.push(values.compartment)
    this.#createdAt.push(values.createdAt)
    this.#occurredAt.push(values.occurredAt ?? Number.NaN)
    if (values.expiresAt !== null) {
      this.#expiring.push(place)
      this.#expiresAt.push(values.expiresAt)
    }
    if (values.salience !== null) {
      this.#salient.push(place)
      this.#saliences.push(values.salience)
    }
    this.#tags.push(this.#tagSets.place(values.tags, values.tags.length === 0 ? '[]' : undefined))
    this.#filing.push(values.filing === null ? 0 : this.#filings.place(values.filing) + 1)
    const { turn, speaker } = values
    this.#conversation.push(turn === null ? 0 : this.#conversations.place(turn.conversation) + 1)
    this.#turns.push(turn?.at ?? 0)
    this.#speaker.push(speaker === null ? 0 : this.#speakers.place(speaker) + 1)
    this.#traits.push(traits)
    this.#previews.push(hasPreview ? 1 : 0)
    return place
  }

  finish(): SegmentData {
    const ids = this.#ids.finish()
    const byId = new Uint32Array(this.size)
    for (let place = 0; place < byId.length; place++) byId[place] = place
    byId.sort((a, b) => compareIds(ids, a * 16, ids, b * 16))
    return {
      ids,
      byId,
      compartments: Uint32Array.from(this.#compartments),
      createdAt: Float64Array.from(this.#createdAt),
      occurredAt: Float64Array.from(this.#occurredAt),
      expiring: Uint32Array.from(this.#expiring),
      expiresAt: Float64Array.from(this.#expiresAt),
      salient: Uint32Array.from(this.#salient),
      saliences: Float64Array.from(this.#saliences, ({ salience }) => salience),
      salientSince: Float64Array.from(this.#saliences, ({ since }) => since),
      pinned: Uint8Array.from(this.#saliences, ({ pinned }) => (pinned ? 1 : 0)),
      tagSets: this.#tagSets.values,
      tags: Uint32Array.from(this.#tags),
      filings: this.#filings.values,
      filing: Uint32Array.from(this.#filing),
      conversations: this.#conversations.values,
      conversation: Uint32Array.from(this.#conversation),
      turns: Uint32Array.from(this.#turns),
      inOrder: this.#turnsInOrder(ids),
      speakers: this.#speakers.values,
      speaker: Uint32Array.from(this.#speaker),
      traits: Uint8Array.from(this.#traits),
      previews: Uint8Array.from(this.#previews),
    }
  }

  #turnsInOrder(ids: Uint8Array): Uint32Array {
    const names = this.#conversations.values
    const byName = [...names.keys()].sort((a, b) => ((names[a] as string) < (names[b] as string) ? -1 : 1))
    const ranks = new Uint32Array(names.length)
    for (const [rank, at] of byName.entries()) ranks[at] = rank
    const rankOf = (document: number) => ranks[(this.#conversation[document] as number) - 1] as number
    const turns = [...this.#conversation.keys()].filter(document => this.#conversation[document] !== 0)
    return Uint32Array.from(turns).sort(
      (a, b) =>
        rankOf(a) - rankOf(b) ||
        (this.#turns[a] as number) - (this.#turns[b] as number) ||
        compareIds(ids, a * 16, ids, b * 16),
    )
  }
}

/** Keeps each distinct value once, because many documents share the same values. */
class Distinct<Value> {
  readonly values: Value[] = []
  readonly #places = new Map<string, number>()

  place(value: Value, key = JSON.stringify(value)): number {
    let place = this.#places.get(key)
    if (place === undefined) {
      place = this.values.length
      this.#places.set(key, place)
      this.values.push(value)
    }
    return place
  }
}

export function parseId(id: string): Uint8Array {
  const bytes = new Uint8Array(16)
  writeId(id, bytes)
  return bytes
}

const HYPHEN = 45

/** Writes the bytes of a UUID, hyphens or not. */
function writeId(id: string, bytes: Uint8Array): void {
  let at = 0
  for (let byte = 0; byte < 16; byte++) {
    if (id.charCodeAt(at) === HYPHEN) at++
    bytes[byte] = (hexDigit(id.charCodeAt(at)) << 4) | hexDigit(id.charCodeAt(at + 1))
    at += 2
  }
}

/** The value of a hexadecimal digit, capital or not. */
const hexDigit = (unit: number): number => (unit < 58 ? unit - 48 : (unit | 32) - 87)

export function formatId(bytes: Uint8Array, at: number): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset + at, 16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function compareIds(a: Uint8Array, at: number, b: Uint8Array, bt: number): number {
  for (let byte = 0; byte < 16; byte++) {
    const difference = (a[at + byte] as number) - (b[bt + byte] as number)
    if (difference !== 0) return difference
  }
  return 0
}
