import { CompartmentTable } from '../../policy/compartments.js'
import type { PolicyTuple } from '../../policy/tuple.js'
import { mergeSegments, type Part } from '../../search/merge.js'
import { SegmentBuilder } from '../../search/segment.js'
import type { IndexRow } from '../../storage/queries/index-feed.js'
import type { Snapshot } from '../../storage/snapshot.js'
import { indexDocument } from './document.js'

/** The index of a cell as one snapshot sees it. Immutable, except that the table may grow at its end. */
export interface CellView {
  readonly name: string
  readonly parts: readonly Part[]
  readonly table: CompartmentTable
}

/** Small parts are merged at once, up to this many documents; larger merges wait for a quiet moment. */
const MERGED_AT_ONCE = 1_024

/** How many transactions below the horizon are remembered, for readers whose snapshot is a little older. */
const REMEMBERED = 256

/** The index of one cell: an immutable base, small parts behind it, and what of them is gone. */
export class Cell {
  readonly name: string
  readonly table: CompartmentTable
  readonly #places: Map<string, number>
  #parts: readonly Part[]
  /** Every change below it is in. */
  #horizon: bigint
  /** Transactions whose changes are in, from the horizon on and some below it. */
  readonly #applied = new Set<bigint>()
  /** The highest one that was forgotten. */
  #forgotten = -1n
  /** The parts that are being merged elsewhere; they stay as they are until then. */
  #merging = 0

  constructor(
    name: string,
    horizon: bigint,
    base?: { part: Part; table: CompartmentTable; compartments: string[] },
  ) {
    this.name = name
    this.table = base?.table ?? new CompartmentTable()
    this.#places = new Map(base?.compartments.map((id, place) => [id, place]))
    this.#parts = base === undefined ? [] : [base.part]
    this.#horizon = horizon
    this.#forgotten = horizon - 1n
  }

  get horizon(): bigint {
    return this.#horizon
  }
  get view(): CellView {
    return { name: this.name, parts: this.#parts, table: this.table }
  }
  /** The ids of the table's compartments, by place. */
  get compartments(): string[] {
    return [...this.#places.keys()]
  }
  get bytes(): number {
    const parts = this.#parts.reduce((sum, { segment, dead }) => sum + segment.bytes + dead.length, 0)
    return parts + this.table.size * BYTES_PER_COMPARTMENT
  }

  has(xid: bigint): boolean {
    return this.#applied.has(xid)
  }

  /** Whether something is in that this snapshot does not see yet. */
  isAheadOf(snapshot: Snapshot): boolean {
    if (this.#forgotten >= snapshot.xmin) return true
    for (const xid of this.#applied) if (!snapshot.sees(xid)) return true
    return false
  }

  placeOf(compartmentId: string, tuple: PolicyTuple): number {
    let place = this.#places.get(compartmentId)
    if (place === undefined) {
      place = this.table.add(tuple)
      this.#places.set(compartmentId, place)
    }
    return place
  }

  /** Takes in what this snapshot sees: records that changed, and the rows of those that are still there. */
  apply(
    snapshot: Snapshot,
    xids: Iterable<bigint>,
    changed: Iterable<string>,
    rows: readonly IndexRow[],
  ): void {
    this.#remove(changed)
    if (rows.length > 0) {
      const builder = new SegmentBuilder()
      const placed = rows.map(row => ({ row, place: this.placeOf(row.compartmentId, row.tuple) }))
      placed.sort((a, b) => a.place - b.place)
      for (const { row, place } of placed) builder.add(indexDocument(row, place))
      this.append(wholly(builder))
    }
    for (const xid of xids) this.#applied.add(xid)
    if (snapshot.xmin > this.#horizon) this.#horizon = snapshot.xmin
    this.#forget()
  }

  append(part: Part): void {
    this.#parts = [...this.#parts, part]
    this.#mergeSmall()
  }

  /** Whether the parts should become one, when there is time. */
  get wantsMerge(): boolean {
    if (this.#merging > 0) return false
    const [base, ...rest] = this.#parts
    if (base === undefined) return false
    const behind = rest.reduce((sum, { segment }) => sum + segment.size, 0)
    const gone = this.#parts.reduce((sum, { dead }) => sum + count(dead), 0)
    return behind > Math.max(2_048, base.segment.size / 4) || gone > Math.max(512, base.segment.size / 4)
  }

  /** The parts to merge: they are left alone until `merged` takes the result. */
  beginMerge(): readonly Part[] {
    this.#merging = this.#parts.length
    return this.#parts
  }

  /** Puts the result in the place of what it was made from; what was gone meanwhile stays gone. */
  merged(from: readonly Part[], result: { segment: Part['segment']; moved: readonly Uint32Array[] }): void {
    const dead = new Uint8Array(result.segment.size)
    for (const [at, { dead: before }] of from.entries()) {
      const now = (this.#parts[at] as Part).dead
      for (let document = 0; document < now.length; document++)
        if (now[document] !== before[document]) dead[result.moved[at]?.[document] as number] = 1
    }
    this.#parts = [{ segment: result.segment, dead }, ...this.#parts.slice(from.length)]
    this.#merging = 0
  }

  abandonMerge(): void {
    this.#merging = 0
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
      return dead === null ? part : { segment: part.segment, dead }
    })
  }

  #mergeSmall(): void {
    for (;;) {
      const last = this.#parts.at(-1)
      const before = this.#parts.at(-2)
      if (last === undefined || before === undefined || this.#parts.length - 2 < this.#merging) return
      if (last.segment.size + before.segment.size > MERGED_AT_ONCE) return
      // Each document is merged a few times on its way, not every time: parts double in size.
      if (before.segment.size > last.segment.size * 2) return
      const segment = mergeSegments([before, last])
      this.#parts = [...this.#parts.slice(0, -2), { segment, dead: new Uint8Array(segment.size) }]
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

/** What a compartment takes in a table, about. */
const BYTES_PER_COMPARTMENT = 200

export function wholly(builder: SegmentBuilder): Part {
  const segment = builder.finish()
  return { segment, dead: new Uint8Array(segment.size) }
}

function count(flags: Uint8Array): number {
  let sum = 0
  for (const flag of flags) sum += flag
  return sum
}
