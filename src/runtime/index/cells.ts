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

/** The index holds what this snapshot does not see yet: a new snapshot will, and nothing else has to be done. */
class IndexAhead extends RunAgain {
  constructor() {
    super(async () => {}, 'the index is ahead of this snapshot')
  }
}

/** More changes than this are taken in outside of the request that meets them. */
const MOST_IN_REQUEST = 2_000
const EVERYTHING = 1_000_000_000
const ROWS_AT_ONCE = 1_000
/** Documents that are put in order at once while a cell is built: it bounds the memory of building. */
const BUILT_AT_ONCE = 50_000
/** A smaller cell is read again as fast as its kept index would be. */
const WORTH_KEEPING = 256
/** How long a merge goes on before others get a turn. */
const SLICE_MS = 8

export const DEFAULT_INDEX_MEMORY = 1_024 ** 3

/**
 * The indexes of this process, by cell. Each follows the change log of its cell: a reader takes in what its snapshot
 * sees, so that text is never behind; an index that holds more than a snapshot sees is not read under it (NI-7).
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
   * The indexes of some cells, exactly as this transaction sees them. Runs as privity_index. Only a transaction whose
   * statements all see the same takes changes in: elsewhere, rows may be newer than the log that named them.
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

  /** Makes cells ready to be read: kept ones are loaded, others built, and what they miss is taken in. */
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

  /** Forgets what is kept of a cell, here and in the store, so that it is made again from the records. */
  async drop(tx: Transaction, tenant: string, names: readonly string[]): Promise<void> {
    await dropKeptIndexes(tx, tenant, names)
    for (const name of names) this.#cells.delete(key(tenant, name))
  }

  /** Stops using cells that do not agree with the store; whoever met them runs again once they are made anew. */
  distrust(tenant: string, names: readonly string[]): RunAgain {
    for (const name of names) this.#cells.delete(key(tenant, name))
    return this.#behind(tenant, names)
  }

  /** The index cannot answer in this snapshot: it has to be made ready outside of it. */
  #behind(tenant: string, names: readonly string[]): RunAgain {
    return new RunAgain(() => this.prepare(tenant, names), 'the index is behind this snapshot')
  }

  get #domainName(): string | null {
    return this.#domain?.name ?? null
  }

  get bytes(): number {
    return [...this.#cells.values()].reduce((sum, cell) => sum + cell.bytes, 0)
  }

  /** Waits for what goes on in the background. */
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
      // Somebody else has come further meanwhile: then there is nothing left to do.
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
    // What texts cite is in it, as another domain has it.
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

  /** Vectors of models that were not used when the index was kept. */
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

  /** Batch by batch, each in a transaction of its own: what changes meanwhile is in the change log. */
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
        // One that moved to another compartment meanwhile comes twice; the change log has it too.
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

  /** Takes changes in. After the rows are read nothing waits, so nobody comes between looking and applying. */
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

  /** Makes one part of several, a little at a time. */
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

  /** Keeps a base in the store, for the next process that needs it. */
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

  /** What goes wrong in the background costs time later, never an answer: the index can be made again. */
  #background(work: () => Promise<void>): void {
    const running: Promise<void> = work()
      .catch(() => {})
      .finally(() => this.#working.delete(running))
    this.#working.add(running)
  }

  /** The most recently used stand last. */
  #use(tenant: string, cell: Cell): void {
    const at = key(tenant, cell.name)
    if (this.#cells.delete(at)) this.#cells.set(at, cell)
  }

  /** Drops the cells that were not used for longest, until the rest fit; never those that are asked for now. */
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

/** Null for one that is damaged: it is made again. */
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
