import { Backoff } from '../../embedding/backoff.js'
import type { WaitingRecord } from '../../storage/queries/embeddings.js'

/** Waiting records of one compartment, in order, with the time at which they may be tried. */
class Line {
  readonly ids: string[] = []
  readonly backoff: Backoff

  constructor(backoff: Backoff) {
    this.backoff = backoff
  }
}

interface Cell {
  readonly tenant: string
  /** The lines by compartment id; the one whose turn it is comes first. */
  readonly lines: Map<string, Line>
}

/** Records of one cell that are embedded together. */
export interface EmbeddingBatch {
  readonly tenant: string
  readonly records: readonly WaitingRecord[]
}

/**
 * Records that wait for a vector. Cells take turns, and so do the compartments within a cell, each with its own
 * back-off. What a caller may not see lies in other cells or compartments, so neither a backlog there nor failures
 * there delay what the caller sees (NI-9).
 */
export class FairQueue {
  readonly #cells = new Map<string, Cell>()
  readonly #waiting = new Set<string>()
  readonly #now: () => number
  readonly #random: () => number

  constructor(now: () => number, random: () => number) {
    this.#now = now
    this.#random = random
  }

  get size(): number {
    return this.#waiting.size
  }

  add(tenant: string, { id, cell, compartmentId }: WaitingRecord): void {
    if (this.#waiting.has(nameOf(tenant, id))) return
    this.#waiting.add(nameOf(tenant, id))
    this.#line(tenant, cell, compartmentId).ids.push(id)
  }

  /** The next records of one cell; null if none is due. */
  take(most: number): EmbeddingBatch | null {
    for (const [name, cell] of this.#cells) {
      const records = this.#takeFrom(cell, nameIn(name), most)
      if (records.length === 0) continue
      // The cell moves to the end of the queue, even if it has more records.
      this.#cells.delete(name)
      if (cell.lines.size > 0) this.#cells.set(name, cell)
      return { tenant: cell.tenant, records }
    }
    return null
  }

  /** Called when these records have their vectors or need none. */
  done({ tenant, records }: EmbeddingBatch): void {
    for (const { cell, compartmentId } of records)
      this.#linesOf(tenant, cell)?.get(compartmentId)?.backoff.succeeded()
    this.#clean(tenant, records)
  }

  /** Called when these records failed: each of their compartments waits according to its own failures. */
  failed({ tenant, records }: EmbeddingBatch, retryAfterMs?: number): void {
    const lines = new Set(records.map(({ cell, compartmentId }) => this.#line(tenant, cell, compartmentId)))
    for (const line of lines) line.backoff.failed(retryAfterMs)
    this.putBack({ tenant, records })
  }

  /** Puts records back at the front, as if they had not been taken. */
  putBack({ tenant, records }: EmbeddingBatch): void {
    for (const { id, cell, compartmentId } of [...records].reverse()) {
      if (this.#waiting.has(nameOf(tenant, id))) continue
      this.#waiting.add(nameOf(tenant, id))
      this.#line(tenant, cell, compartmentId).ids.unshift(id)
    }
  }

  /** When the next record is due; infinite if none waits. */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { lines } of this.#cells.values())
      for (const { ids, backoff } of lines.values())
        if (ids.length > 0) next = Math.min(next, backoff.retryAt)
    return next
  }

  #takeFrom(cell: Cell, name: string, most: number): WaitingRecord[] {
    const records: WaitingRecord[] = []
    const now = this.#now()
    for (let took = true; took && records.length < most; ) {
      took = false
      for (const [compartmentId, line] of [...cell.lines]) {
        if (records.length === most) break
        if (line.backoff.retryAt > now) continue
        const id = line.ids.shift()
        if (id === undefined) continue
        records.push({ id, cell: name, compartmentId })
        this.#waiting.delete(nameOf(cell.tenant, id))
        // A compartment that had its turn moves behind the others.
        cell.lines.delete(compartmentId)
        cell.lines.set(compartmentId, line)
        took = true
      }
    }
    return records
  }

  #linesOf(tenant: string, cell: string): Map<string, Line> | undefined {
    return this.#cells.get(nameOf(tenant, cell))?.lines
  }

  #line(tenant: string, cell: string, compartmentId: string): Line {
    const name = nameOf(tenant, cell)
    const known = this.#cells.get(name) ?? { tenant, lines: new Map<string, Line>() }
    this.#cells.set(name, known)
    const line = known.lines.get(compartmentId) ?? new Line(new Backoff(this.#now, this.#random))
    known.lines.set(compartmentId, line)
    return line
  }

  /** Removes compartments that have no waiting records. */
  #clean(tenant: string, records: readonly WaitingRecord[]): void {
    for (const { cell, compartmentId } of records) {
      const lines = this.#linesOf(tenant, cell)
      if (lines?.get(compartmentId)?.ids.length === 0) lines.delete(compartmentId)
      if (lines?.size === 0) this.#cells.delete(nameOf(tenant, cell))
    }
  }
}

const nameOf = (tenant: string, name: string) => JSON.stringify([tenant, name])
const nameIn = (name: string): string => JSON.parse(name)[1]
