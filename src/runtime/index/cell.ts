import { CompartmentTable } from '../../policy/compartments.js'
import { HashIndex } from '../../policy/hash-index.js'
import type { PolicyTuple } from '../../policy/tuple.js'
import { type MergePart, type MergeResult, mergeAtOnce } from '../../search/merge.js'
import type { Segment } from '../../search/segment.js'
import type { VectorRow } from '../../storage/queries/embeddings.js'
import type { IndexRow } from '../../storage/queries/index-feed.js'
import type { Snapshot } from '../../storage/snapshot.js'
import { MOST_MERGED_INLINE } from './index-work.js'
import { bytesOf, mergeVectors, NO_VECTORS, type PartVectors, withVectors } from './part-vectors.js'

/** The cell of records that belong to nobody. */
export const GLOBAL_CELL = 'global'

/** A part of a cell, with the vectors of its documents. */
export interface CellPart extends MergePart {
  readonly vectors: PartVectors
}

/** Parts that are being merged, and how many parts come before them. */
export interface BegunMerge {
  readonly at: number
  readonly parts: readonly CellPart[]
}

/** The index of a cell as one snapshot sees it. It is immutable, but the table may be appended to. */
export interface CellView {
  readonly name: string
  readonly parts: readonly CellPart[]
  readonly table: CompartmentTable
}

/**
 * Parts are merged immediately if the result has at most this many documents; larger merges run in the background.
 */
const MERGED_AT_ONCE = 1_024

/** With more parts than this, those after the base are merged in the background. Each part costs each search. */
const MOST_PARTS = 16

/** How many applied transactions are remembered, so that slightly older snapshots can still read the index. */
const REMEMBERED = 256

/** The index of one cell: an immutable base, small parts after it, and flags for deleted documents. */
export class Cell {
  readonly name: string
  readonly table: CompartmentTable
  readonly #ids: CompartmentIds
  #parts: readonly CellPart[]
  /** Every change of a transaction below this id has been applied. */
  #horizon: bigint
  /** Transactions whose changes have been applied: all from the horizon on, and some below it. */
  readonly #applied = new Set<bigint>()
  /** The highest transaction id that was removed from `#applied`. */
  #forgotten = -1n
  /** How many vectors were added since the parts were last merged. */
  #attached = 0
  /** Up to which part parts are being merged in the background; they stay unchanged until that is finished. */
  #merging = 0
  /** How often something that was not there before was applied. */
  #version = 0
  /** Vectors that were added since the merge began. */
  #addedWhileMerging: VectorRow[] = []

  constructor(
    name: string,
    horizon: bigint,
    base?: { part: CellPart; table: CompartmentTable; compartmentIds: Uint8Array } | null,
  ) {
    this.name = name
    this.table = base?.table ?? new CompartmentTable()
    this.#ids = new CompartmentIds(base?.compartmentIds ?? new Uint8Array(0))
    this.#parts = base == null ? [] : [base.part]
    this.#horizon = horizon
    this.#forgotten = horizon - 1n
  }

  get horizon(): bigint {
    return this.#horizon
  }
  get version(): number {
    return this.#version
  }
  get view(): CellView {
    return { name: this.name, parts: this.#parts, table: this.table }
  }
  /** The ids of the table's compartments, in table order. */
  get compartmentIds(): Uint8Array {
    return this.#ids.bytes
  }
  get bytes(): number {
    const parts = this.#parts.reduce(
      (sum, { segment, dead, vectors }) => sum + segment.bytes + dead.length + bytesOf(vectors),
      0,
    )
    return parts + this.table.bytes + this.#ids.bytes.length
  }

  /** The applied transactions from the horizon on. */
  get including(): bigint[] {
    return [...this.#applied].filter(xid => xid >= this.#horizon)
  }

  has(xid: bigint): boolean {
    return this.#applied.has(xid)
  }

  /** Whether the index contains a change that this snapshot does not see yet. */
  isAheadOf(snapshot: Snapshot): boolean {
    if (this.#forgotten >= snapshot.xmin) return true
    for (const xid of this.#applied) if (!snapshot.sees(xid)) return true
    return false
  }

  placeOf(compartmentId: string, tuple: PolicyTuple): number {
    const id = Buffer.from(compartmentId, 'hex')
    const known = this.#ids.find(id)
    if (known >= 0) return known
    this.#ids.add(id)
    return this.table.add(tuple)
  }

  /** Says where the compartments of records are; new ones are added to the table. */
  place(rows: readonly IndexRow[]): { row: IndexRow; place: number }[] {
    return rows.map(row => ({ row, place: this.placeOf(row.compartmentId, row.tuple) }))
  }

  /**
   * Applies what this snapshot sees: the changed records, a segment of those that still exist, and vectors of these
   * and of records that were indexed before.
   */
  apply(
    snapshot: Snapshot,
    xids: Iterable<bigint>,
    changed: Iterable<string>,
    segment: Segment | null,
    vectors: readonly VectorRow[] = [],
  ): void {
    this.#remove(changed)
    if (segment !== null) this.append(partOf(segment))
    this.attach(vectors)
    for (const xid of xids) this.#applied.add(xid)
    this.#version++
    this.advance(snapshot)
  }

  /** Notes that everything this snapshot sees has been applied. */
  advance(snapshot: Snapshot): void {
    if (snapshot.xmin > this.#horizon) this.#horizon = snapshot.xmin
    this.#forget()
  }

  append(part: CellPart): void {
    this.#parts = [...this.#parts, part]
    this.#mergeSmall()
  }

  /** Adds vectors of documents that are not deleted. */
  attach(vectors: readonly VectorRow[]): void {
    if (vectors.length === 0) return
    this.#attached += vectors.length
    if (this.#merging > 0) this.#addedWhileMerging.push(...vectors)
    this.#parts = this.#parts.map(part => {
      const own = vectors.filter(({ id }) => {
        const document = part.segment.find(id)
        return document >= 0 && part.dead[document] === 0
      })
      return own.length === 0 ? part : { ...part, vectors: withVectors(part.segment, part.vectors, own) }
    })
  }

  /** Whether parts should be merged in the background: all of them, those after the base, or none now. */
  get wantsMerge(): 'all' | 'rest' | null {
    if (this.#merging > 0) return null
    const [base, ...rest] = this.#parts
    if (base === undefined) return null
    const behind = rest.reduce((sum, { segment }) => sum + segment.size, 0)
    const behindBytes = rest.reduce((sum, { segment }) => sum + segment.bytes, 0)
    const gone = this.#parts.reduce((sum, { dead }) => sum + count(dead), 0)
    const share = base.segment.size / 4
    // A merge also moves vectors that were added later into the order of their documents.
    if (
      behind > Math.max(2_048, share) ||
      gone > Math.max(512, share) ||
      this.#attached > Math.max(2_048, share)
    )
      return 'all'
    if (this.#parts.length <= MOST_PARTS) return null
    // A base is merged only with as much again, so that long records cost no more than their share.
    return behindBytes > base.segment.bytes / 4 ? 'all' : 'rest'
  }

  /** Starts a merge. Its parts stay unchanged until `merged` or `abandonMerge` is called. */
  beginMerge(which: 'all' | 'rest'): BegunMerge {
    const at = which === 'all' ? 0 : 1
    this.#merging = this.#parts.length
    this.#addedWhileMerging = []
    if (which === 'all') this.#attached = 0
    return { at, parts: this.#parts.slice(at) }
  }

  /** Replaces the merged parts by the result. Documents deleted during the merge stay deleted. */
  merged({ at, parts: from }: BegunMerge, { segment, moved }: MergeResult, vectors: PartVectors): CellPart {
    const dead = new Uint8Array(segment.size)
    const now = this.#parts.slice(at, at + from.length)
    for (const [part, { dead: before }] of from.entries()) {
      const after = (now[part] as CellPart).dead
      if (after === before) continue
      for (let document = 0; document < after.length; document++)
        if (after[document] !== before[document]) dead[moved[part]?.[document] as number] = 1
    }
    const added = this.#addedWhileMerging.filter(({ id }) => {
      const document = segment.find(id)
      return document >= 0 && dead[document] === 0
    })
    const part = { segment, dead, vectors: withVectors(segment, vectors, added) }
    this.#parts = [...this.#parts.slice(0, at), part, ...this.#parts.slice(at + from.length)]
    this.abandonMerge()
    return part
  }

  abandonMerge(): void {
    this.#merging = 0
    this.#addedWhileMerging = []
  }

  #remove(ids: Iterable<string>): void {
    const wanted = [...ids]
    this.#parts = this.#parts.map(part => {
      let dead: Uint8Array | null = null
      for (const id of wanted) {
        const document = part.segment.find(id)
        if (document < 0 || part.dead[document] === 1) continue
        dead ??= part.dead.slice()
        dead[document] = 1
      }
      return dead === null ? part : { ...part, dead }
    })
  }

  #mergeSmall(): void {
    for (;;) {
      const last = this.#parts.at(-1)
      const before = this.#parts.at(-2)
      if (last === undefined || before === undefined || this.#parts.length - 2 < this.#merging) return
      if (last.segment.size + before.segment.size > MERGED_AT_ONCE) return
      // Long texts are merged in another thread.
      if (last.segment.bytes + before.segment.bytes > MOST_MERGED_INLINE) return
      // Parts double in size, so each document is merged only a few times and not with every change.
      if (before.segment.size > last.segment.size * 2) return
      this.#parts = [...this.#parts.slice(0, -2), mergeParts([before, last])]
    }
  }

  #forget(): void {
    if (this.#applied.size <= REMEMBERED) return
    const below = [...this.#applied].filter(xid => xid < this.#horizon).sort((a, b) => (a < b ? -1 : 1))
    for (const xid of below.slice(0, Math.max(0, this.#applied.size - REMEMBERED))) {
      this.#applied.delete(xid)
      if (xid > this.#forgotten) this.#forgotten = xid
    }
  }
}

const ID_BYTES = 32

/** The ids of compartments, concatenated in table order, with an index to find each. */
class CompartmentIds {
  #bytes: Uint8Array
  #count: number
  readonly #index = new HashIndex()

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#count = bytes.length / ID_BYTES
    for (let place = 0; place < this.#count; place++)
      this.#index.add(this.#hash(bytes, place * ID_BYTES), place)
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#count * ID_BYTES)
  }

  find(id: Uint8Array): number {
    return this.#index.find(this.#hash(id, 0), place => {
      for (let byte = 0; byte < ID_BYTES; byte++)
        if (this.#bytes[place * ID_BYTES + byte] !== id[byte]) return false
      return true
    })
  }

  add(id: Uint8Array): void {
    if ((this.#count + 1) * ID_BYTES > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(16, Math.ceil(this.#count * 1.5)) * ID_BYTES)
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    this.#bytes.set(id, this.#count * ID_BYTES)
    this.#index.add(this.#hash(id, 0), this.#count++)
  }

  /** An id is already a hash, so its first four bytes suffice. */
  #hash(bytes: Uint8Array, at: number): number {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4)
    return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  }
}

export const partOf = (segment: Segment, vectors: readonly VectorRow[] = []): CellPart => ({
  segment,
  dead: new Uint8Array(segment.size),
  vectors: withVectors(segment, NO_VECTORS, vectors),
})

/** Merges several parts into one without pausing. */
export function mergeParts(parts: readonly CellPart[]): CellPart {
  const { segment, moved } = mergeAtOnce(parts)
  return { segment, dead: new Uint8Array(segment.size), vectors: mergeVectors(parts, segment, moved) }
}

function count(flags: Uint8Array): number {
  let sum = 0
  for (const flag of flags) sum += flag
  return sum
}
