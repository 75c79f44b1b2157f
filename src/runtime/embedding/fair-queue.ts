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

/** The lines of a cell by compartment id; the one whose turn it is comes first. */
type Cell = Map<string, Line>

/** The cells of a tenant by name, in the order of their turns, and how many records wait in them. */
interface Tenant {
  readonly cells: Map<string, Cell>
  waiting: number
}

/** Records of one cell that are embedded together. */
export interface EmbeddingBatch {
  readonly tenant: string
  readonly records: readonly WaitingRecord[]
}

/**
 * Records that wait for a vector. Tenants take turns (OP-8), and so do the cells of a tenant and the compartments within a
 * cell, each with its own back-off. What a caller may not see lies in other cells or compartments, so neither a backlog there nor failures
 * there delay what the caller sees (NI-9).
 */
export class FairQueue {
  readonly #tenants = new Map<string, Tenant>()
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

  /** How many records of a tenant wait. */
  sizeOf(tenant: string): number {
    return this.#tenants.get(tenant)?.waiting ?? 0
  }

  add(tenant: string, { id, cell, compartmentId }: WaitingRecord): void {
    if (this.#waiting.has(nameOf(tenant, id))) return
    this.#waiting.add(nameOf(tenant, id))
    this.#line(tenant, cell, compartmentId).ids.push(id)
    this.#count(tenant, 1)
  }

  /** The next records of one cell; null if none is due. */
  take(most: number): EmbeddingBatch | null {
    for (const [tenant, of] of this.#tenants)
      for (const [name, cell] of of.cells) {
        const records = this.#takeFrom(tenant, cell, name, most)
        if (records.length === 0) continue
        // The tenant and its cell move to the end of the queue, even if they have more records.
        of.cells.delete(name)
        if (cell.size > 0) of.cells.set(name, cell)
        this.#tenants.delete(tenant)
        this.#tenants.set(tenant, of)
        this.#count(tenant, -records.length)
        return { tenant, records }
      }
    return null
  }

  /** Called when these records have their vectors or need none. */
  done({ tenant, records }: EmbeddingBatch): void {
    for (const { cell, compartmentId } of records)
      this.#tenants.get(tenant)?.cells.get(cell)?.get(compartmentId)?.backoff.succeeded()
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
      this.#count(tenant, 1)
    }
  }

  /** When the next record is due; infinite if none waits. */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { cells } of this.#tenants.values())
      for (const lines of cells.values())
        for (const { ids, backoff } of lines.values())
          if (ids.length > 0) next = Math.min(next, backoff.retryAt)
    return next
  }

  #takeFrom(tenant: string, lines: Cell, name: string, most: number): WaitingRecord[] {
    const records: WaitingRecord[] = []
    const now = this.#now()
    for (let took = true; took && records.length < most; ) {
      took = false
      for (const [compartmentId, line] of [...lines]) {
        if (records.length === most) break
        if (line.backoff.retryAt > now) continue
        const id = line.ids.shift()
        if (id === undefined) continue
        records.push({ id, cell: name, compartmentId })
        this.#waiting.delete(nameOf(tenant, id))
        // A compartment that had its turn moves behind the others.
        lines.delete(compartmentId)
        lines.set(compartmentId, line)
        took = true
      }
    }
    return records
  }

  #line(tenant: string, cell: string, compartmentId: string): Line {
    const of: Tenant = this.#tenants.get(tenant) ?? { cells: new Map(), waiting: 0 }
    this.#tenants.set(tenant, of)
    const lines: Cell = of.cells.get(cell) ?? new Map()
    of.cells.set(cell, lines)
    const line = lines.get(compartmentId) ?? new Line(new Backoff(this.#now, this.#random))
    lines.set(compartmentId, line)
    return line
  }

  #count(tenant: string, by: number): void {
    const of = this.#tenants.get(tenant)
    if (of !== undefined) of.waiting += by
  }

  /** Removes compartments that have no waiting records. */
  #clean(tenant: string, records: readonly WaitingRecord[]): void {
    for (const { cell, compartmentId } of records) {
      const of = this.#tenants.get(tenant)
      const lines = of?.cells.get(cell)
      if (lines?.get(compartmentId)?.ids.length === 0) lines.delete(compartmentId)
      if (lines?.size === 0) of?.cells.delete(cell)
      if (of?.cells.size === 0) this.#tenants.delete(tenant)
    }
  }
}

const nameOf = (tenant: string, name: string) => JSON.stringify([tenant, name])
