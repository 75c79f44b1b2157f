import { setImmediate } from 'node:timers/promises'
import { mergeInSteps } from '../../search/merge.js'
import { SegmentBuilder } from '../../search/segment.js'
import type { Database, Transaction } from '../../storage/database.js'
import { type Change, changesSince } from '../../storage/queries/changes-since.js'
import { fetchVectors, type VectorRow } from '../../storage/queries/embeddings.js'
import { fetchIndexRows, type IndexRow, scanCell } from '../../storage/queries/index-feed.js'
import { dropKeptIndexes, loadKeptIndex, saveKeptIndex } from '../../storage/queries/index-parts.js'
import type { Snapshot } from '../../storage/snapshot.js'
import type { Domain } from '../domain.js'
import { RunAgain } from '../run-again.js'
import { Cell, type CellPart, type CellView, finishPart, mergeParts } from './cell.js'
import { CELL_FORMAT, decodeCell, encodeCell, type KeptCell } from './cell-codec.js'
import { indexDocument } from './document.js'

/**
 * The index contains changes that this snapshot does not see yet. A new snapshot will see them; nothing else is
 * needed.
 */
class IndexAhead extends RunAgain {
  constructor() {
    super(async () => {}, 'the index is ahead of this snapshot')
  }
}

/** If there are more changes than this, they are applied outside of the request that finds them. */
const MOST_IN_REQUEST = 2_000
const EVERYTHING = 1_000_000_000
const ROWS_AT_ONCE = 1_000
/** How many documents are sorted at once while a cell is built; this bounds memory. */
const BUILT_AT_ONCE = 50_000
/** A cell with fewer documents is rebuilt as fast as a stored index would be loaded. */
const WORTH_KEEPING = 256
/** How long a merge runs before it yields to other work. */
const SLICE_MS = 8

export const DEFAULT_INDEX_MEMORY = 1_024 ** 3

/**
 * The indexes of this process, by cell. Each follows the change log of its cell. A reader first applies what its
 * snapshot sees, so text is never behind. An index with more than a snapshot sees is not read under that snapshot
 * (NI-7).
 */
export class Cells {
  readonly #db: Database
  readonly #memory: number
  readonly #domain: Domain | null
  /** The models whose vectors are searched. */
  readonly #models: readonly string[]
  readonly #cells = new Map<string, Cell>()
  readonly #making = new Map<string, Promise<void>>()
  readonly #working = new Set<Promise<void>>()
  #closed = false

  constructor(
    db: Database,
    {
      memory = DEFAULT_INDEX_MEMORY,
      models = [],
      domain = null,
    }: { memory?: number; models?: readonly string[]; domain?: Domain | null } = {},
  ) {
    this.#db = db
    this.#domain = domain
    this.#memory = memory
    this.#models = models
  }

  /**
   * Returns the indexes of some cells exactly as this transaction sees them. Runs as privity_index. Changes are
   * applied only if all statements of the transaction see the same; otherwise rows may be newer than the log entry
   * that named them.
   */
  async sync(
    tx: Transaction,
    tenant: string,
    names: readonly string[],
    { takesIn }: { takesIn: boolean },
  ): Promise<CellView[]> {
    const cells = names.map(name => this.#cells.get(key(tenant, name)))
    if (cells.includes(undefined)) throw this.#behind(tenant, names)
    const known = cells as Cell[]
    for (const cell of known) this.#use(tenant, cell)
    const { snapshot, changes } = await changesSince(tx, tenant, sinceOf(known), MOST_IN_REQUEST + 1)
    const isNew = ({ cell, xid }: Change) => known.some(one => one.name === cell && !one.has(xid))
    if (changes.length > MOST_IN_REQUEST || (!takesIn && changes.some(isNew)))
      throw this.#behind(tenant, names)
    await this.#take(tx, tenant, known, snapshot, changes)
    return known.map(cell => cell.view)
  }

  /** Makes cells ready to be read: loads stored ones, builds the others, and applies the changes that they lack. */
  async prepare(tenant: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const at = key(tenant, name)
      let making = this.#making.get(at)
      if (making === undefined) {
        making = this.#make(tenant, name).finally(() => this.#making.delete(at))
        this.#making.set(at, making)
      }
      await making
    }
    this.#evict(new Set(names.map(name => key(tenant, name))))
  }

  /** Deletes the index of a cell, in memory and in the store, so that it is rebuilt from the records. */
  async drop(tx: Transaction, tenant: string, names: readonly string[]): Promise<void> {
    await dropKeptIndexes(tx, tenant, names)
    for (const name of names) this.#cells.delete(key(tenant, name))
  }

  /**
   * Stops using cells that do not agree with the store. The request that noticed runs again once they are rebuilt.
   */
  distrust(tenant: string, names: readonly string[]): RunAgain {
    for (const name of names) this.#cells.delete(key(tenant, name))
    return this.#behind(tenant, names)
  }

  /** The index cannot answer in this snapshot and must be prepared outside of it. */
  #behind(tenant: string, names: readonly string[]): RunAgain {
    return new RunAgain(() => this.prepare(tenant, names), 'the index is behind this snapshot')
  }

  get #domainName(): string | null {
    return this.#domain?.name ?? null
  }

  get bytes(): number {
    return [...this.#cells.values()].reduce((sum, cell) => sum + cell.bytes, 0)
  }

  /** Waits for background work. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled([...this.#working, ...this.#making.values()])
    this.#cells.clear()
  }

  async #make(tenant: string, name: string): Promise<void> {
    const known = this.#cells.get(key(tenant, name))
    const cell = known ?? (await this.#load(tenant, name)) ?? (await this.#build(tenant, name))
    try {
      await this.#read(tenant, async tx => {
        const { snapshot, changes } = await changesSince(tx, tenant, sinceOf([cell]), EVERYTHING)
        await this.#take(tx, tenant, [cell], snapshot, changes)
      })
    } catch (error) {
      // Another request has already applied more, so there is nothing left to do.
      if (!(error instanceof IndexAhead)) throw error
    }
    this.#cells.set(key(tenant, name), cell)
    this.#use(tenant, cell)
  }

  async #load(tenant: string, name: string): Promise<Cell | null> {
    const kept = await this.#read(tenant, tx => loadKeptIndex(tx, tenant, name, CELL_FORMAT))
    if (kept === null) return null
    const decoded = readKept(kept.bytes)
    if (decoded === null) return null
    const { segment, vectors, table, compartmentIds, domain } = decoded
    // It contains citation keys of another domain.
    if (domain !== this.#domainName) return null
    const part = {
      segment,
      dead: new Uint8Array(segment.size),
      vectors: new Map([...vectors].filter(([model]) => this.#models.includes(model))),
    }
    const cell = new Cell(name, kept.horizon, { part, table, compartmentIds }, this.#domain)
    const added = this.#models.filter(model => !vectors.has(model))
    if (added.length > 0) await this.#addModels(tenant, cell, segment, added)
    return cell
  }

  /** Adds vectors of models that were not in use when the index was stored. */
  async #addModels(
    tenant: string,
    cell: Cell,
    segment: CellPart['segment'],
    models: readonly string[],
  ): Promise<void> {
    const all = new Set(Array.from({ length: segment.size }, (_, document) => segment.id(document)))
    for (const ids of batches(all))
      cell.attach(await this.#read(tenant, tx => fetchVectors(tx, tenant, ids, models)))
  }

  /** Reads batches, each in its own transaction; changes made in the meantime are in the change log. */
  async #build(tenant: string, name: string): Promise<Cell> {
    const { snapshot } = await this.#read(tenant, tx => changesSince(tx, tenant, new Map(), 0))
    const cell = new Cell(name, snapshot.xmin, null, this.#domain)
    const seen = new Set<string>()
    const parts: CellPart[] = []
    let builder = new SegmentBuilder()
    let vectors: VectorRow[] = []
    let last: IndexRow | null = null
    for (;;) {
      const { rows, found }: { rows: IndexRow[]; found: VectorRow[] } = await this.#read(tenant, async tx => {
        const rows = await scanCell(tx, tenant, name, last, ROWS_AT_ONCE)
        const ids = rows.map(({ id }) => id)
        return { rows, found: await this.#vectorsOf(tx, tenant, ids) }
      })
      vectors.push(...found)
      for (const row of rows) {
        // A record that moved to another compartment during the scan is read twice; the change log has it too.
        if (seen.has(row.id)) continue
        seen.add(row.id)
        builder.add(indexDocument(row, cell.placeOf(row.compartmentId, row.tuple), this.#domain))
      }
      last = rows.at(-1) ?? last
      const done = rows.length < ROWS_AT_ONCE
      if (builder.size >= BUILT_AT_ONCE || (done && builder.size > 0)) {
        parts.push(finishPart(builder, vectors))
        builder = new SegmentBuilder()
        vectors = []
      }
      if (done) break
    }
    const [first] = parts
    if (first !== undefined) {
      const whole = parts.length === 1 ? first : mergeParts(parts)
      cell.append(whole)
      this.#keep(tenant, cell, whole, { horizon: snapshot.xmin, including: [] })
    }
    return cell
  }

  async #vectorsOf(tx: Transaction, tenant: string, ids: readonly string[]): Promise<VectorRow[]> {
    return this.#models.length === 0 ? [] : fetchVectors(tx, tenant, ids, this.#models)
  }

  /**
   * Applies changes. Nothing is awaited after the rows are read, so no other request comes between the check and the
   * apply.
   */
  async #take(
    tx: Transaction,
    tenant: string,
    cells: readonly Cell[],
    snapshot: Snapshot,
    changes: readonly Change[],
  ): Promise<void> {
    const byName = new Map(cells.map(cell => [cell.name, cell]))
    const fresh = changes.filter(({ cell, xid }) => byName.get(cell)?.has(xid) === false)
    const changed = new Set(fresh.filter(({ vector }) => !vector).map(({ id }) => id))
    const rows: IndexRow[] = []
    for (const ids of batches(changed)) rows.push(...(await fetchIndexRows(tx, tenant, ids)))
    const vectors: VectorRow[] = []
    for (const ids of batches(new Set(fresh.map(({ id }) => id))))
      vectors.push(...(await this.#vectorsOf(tx, tenant, ids)))
    for (const cell of cells) if (cell.isAheadOf(snapshot)) throw new IndexAhead()
    for (const cell of cells) {
      const own = fresh.filter(change => change.cell === cell.name && !cell.has(change.xid))
      const touched = new Set(own.map(({ id }) => id))
      const changed = new Set(own.filter(({ vector }) => !vector).map(({ id }) => id))
      const xids = new Set(own.map(({ xid }) => xid))
      cell.apply(
        snapshot,
        xids,
        changed,
        rows.filter(row => row.cell === cell.name && changed.has(row.id)),
        vectors.filter(({ id }) => touched.has(id)),
      )
      if (cell.wantsMerge) this.#merge(tenant, cell)
    }
  }

  /** Merges the parts of a cell in short slices. */
  #merge(tenant: string, cell: Cell): void {
    if (this.#closed) return
    const from = cell.beginMerge()
    const { horizon, including } = cell
    this.#background(async () => {
      const run = mergeInSteps(from)
      let until = performance.now() + SLICE_MS
      for (;;) {
        const step = run.next()
        if (step.done) {
          this.#keep(tenant, cell, cell.merged(from, step.value), { horizon, including })
          return
        }
        if (performance.now() < until) continue
        await setImmediate()
        if (this.#closed) return cell.abandonMerge()
        until = performance.now() + SLICE_MS
      }
    })
  }

  /** Saves a base in the store for the next process that needs it. */
  #keep(
    tenant: string,
    cell: Cell,
    { segment, vectors }: CellPart,
    upTo: { horizon: bigint; including: readonly bigint[] },
  ): void {
    if (segment.size < WORTH_KEEPING || this.#closed) return
    const bytes = encodeCell({
      segment,
      vectors,
      table: cell.table,
      compartmentIds: cell.compartmentIds,
      domain: this.#domainName,
    })
    this.#background(() =>
      this.#db.transaction(
        { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
        tx => saveKeptIndex(tx, tenant, cell.name, CELL_FORMAT, { ...upTo, bytes }),
      ),
    )
  }

  /** A failure in the background costs time later but never an answer, because the index can be rebuilt. */
  #background(work: () => Promise<void>): void {
    const running: Promise<void> = work()
      .catch(() => {})
      .finally(() => this.#working.delete(running))
    this.#working.add(running)
  }

  /** Moves a cell to the end of the map, where the most recently used cells are. */
  #use(tenant: string, cell: Cell): void {
    const at = key(tenant, cell.name)
    if (this.#cells.delete(at)) this.#cells.set(at, cell)
  }

  /** Evicts the least recently used cells until the rest fit into memory, but never those that are needed now. */
  #evict(keep: ReadonlySet<string>): void {
    let bytes = this.bytes
    for (const [at, cell] of this.#cells) {
      if (bytes <= this.#memory) return
      if (keep.has(at)) continue
      this.#cells.delete(at)
      bytes -= cell.bytes
    }
  }

  #read<T>(tenant: string, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(
      { access: 'read', role: 'privity_index', settings: { 'privity.tenant': tenant } },
      fn,
    )
  }
}

/** Returns null if the stored index is damaged; it is then rebuilt. */
function readKept(bytes: Uint8Array): KeptCell | null {
  try {
    return decodeCell(bytes)
  } catch {
    return null
  }
}

function batches(ids: ReadonlySet<string>): string[][] {
  const sorted = [...ids].sort()
  const all: string[][] = []
  for (let at = 0; at < sorted.length; at += ROWS_AT_ONCE) all.push(sorted.slice(at, at + ROWS_AT_ONCE))
  return all
}

const key = (tenant: string, name: string) => JSON.stringify([tenant, name])
const sinceOf = (cells: readonly Cell[]) => new Map(cells.map(cell => [cell.name, cell.horizon]))
