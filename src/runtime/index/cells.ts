import { setImmediate } from 'node:timers/promises'
import type { Segment } from '../../search/segment.js'
import type { Database, Transaction } from '../../storage/database.js'
import {
  type Change,
  changesSince,
  type SeenChanges,
  type Since,
} from '../../storage/queries/changes-since.js'
import { fetchVectors, type VectorRow } from '../../storage/queries/embeddings.js'
import { fetchIndexFeed } from '../../storage/queries/feed.js'
import { fetchIndexRows, type IndexRow, scanCell } from '../../storage/queries/index-feed.js'
import { dropKeptIndexes, loadKeptIndex, saveKeptIndex } from '../../storage/queries/index-parts.js'
import type { Send } from '../../storage/queries/read.js'
import type { Snapshot } from '../../storage/snapshot.js'
import type { Domain } from '../domain.js'
import type { Party } from '../fairness/fair-line.js'
import { RunAgain } from '../run-again.js'
import { Threads } from '../threads/threads.js'
import { Cell, type CellPart, type CellView, partOf } from './cell.js'
import { CELL_FORMAT, decodeCell, encodeCellInSteps, type KeptCell } from './cell-codec.js'
import { IndexWork, MOST_INLINE } from './index-work.js'
import { mergeVectorsInSteps } from './part-vectors.js'

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
/** How many documents are built into one part while a cell is built, and how long their texts are; this bounds memory. */
const BUILT_AT_ONCE = 50_000
const CHARACTERS_AT_ONCE = 8_388_608
/** The most bytes of texts that are read to catch up. A cell that is further behind is built anew, batch by batch. */
const MOST_CATCH_UP_BYTES = 67_108_864
/** How often a cell tries to catch up while others apply changes to it. */
const CATCH_UPS = 8
/** A cell with fewer documents is rebuilt as fast as a stored index would be loaded. */
const WORTH_KEEPING = 256
/** How long a step in the background runs before it yields to other work. */
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
  readonly #work: IndexWork
  /** The models whose vectors are searched. */
  readonly #models: readonly string[]
  readonly #cells = new Map<string, Cell>()
  readonly #writesOf: (tenant: string) => number
  /** How often this process had written for the tenant when a cell was last looked at. */
  readonly #lookedAt = new WeakMap<Cell, number>()
  readonly #making = new Map<string, Promise<void>>()
  readonly #working = new Set<Promise<void>>()
  #closed = false

  constructor(
    db: Database,
    {
      memory = DEFAULT_INDEX_MEMORY,
      models = [],
      domain = null,
      threads = new Threads(),
      writesOf = () => 0,
    }: {
      memory?: number
      models?: readonly string[]
      domain?: Domain | null
      threads?: Threads
      /** How often this process has written for a tenant. */
      writesOf?: (tenant: string) => number
    } = {},
  ) {
    this.#writesOf = writesOf
    this.#db = db
    this.#domain = domain
    this.#work = new IndexWork(threads, domain)
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
    // What takes long is done once for all who wait for it, in another thread and outside of their transactions.
    if (!(await this.#takeHere(tx, tenant, known, snapshot, changes))) throw this.#behind(tenant, names)
    return known.map(cell => cell.view)
  }

  /**
   * The indexes of some cells as they are now, to be confirmed by a later statement; outside of any transaction. What
   * this process has written since they were last looked at is applied first.
   */
  async look(tenant: string, names: readonly string[]): Promise<LookedAt> {
    const writes = this.#writesOf(tenant)
    const cells = names.map(name => this.#cells.get(key(tenant, name)))
    if (cells.includes(undefined)) throw this.#behind(tenant, names)
    const known = cells as Cell[]
    for (const cell of known) this.#use(tenant, cell)
    const stale = known.filter(cell => this.#lookedAt.get(cell) !== writes)
    if (stale.length > 0) {
      await this.#refresh(tenant, stale)
      for (const cell of stale) this.#lookedAt.set(cell, writes)
    }
    return {
      tenant,
      cells: known.map(cell => ({ cell, version: cell.version })),
      views: known.map(cell => cell.view),
    }
  }

  /** What to ask for to find out whether some cells are still what they were. */
  sinceOf({ cells }: LookedAt): Since {
    return new Map(cells.map(({ cell }) => [cell.name, cell.horizon]))
  }

  /** Returns what has to be done before the cells can be read again; null if the snapshot sees them as they were. */
  disagreement({ tenant, cells }: LookedAt, { snapshot, changes }: SeenChanges): RunAgain | null {
    const known = new Map(cells.map(one => [one.cell.name, one]))
    const isNew = ({ cell, xid }: Change) => known.get(cell)?.cell.has(xid) !== true
    if (changes.some(isNew))
      return new RunAgain(() =>
        this.#refresh(
          tenant,
          cells.map(({ cell }) => cell),
        ),
      )
    if (cells.some(({ cell, version }) => cell.version !== version)) return new IndexAhead()
    for (const { cell } of cells) cell.advance(snapshot)
    return null
  }

  /** Applies what cells lack: here if that takes only a moment, otherwise in another thread. */
  async #refresh(tenant: string, cells: readonly Cell[]): Promise<void> {
    const names = cells.map(({ name }) => name)
    const send: Send = (sql, params) => this.#db.statement({ access: 'read', tenant }, sql, params)
    const bounds = { most: MOST_IN_REQUEST, mostBytes: MOST_INLINE * 4 }
    const feed = await fetchIndexFeed(send, tenant, sinceOf(cells), this.#models, bounds)
    if (feed === null || this.#work.weightOf(feed.rows) > MOST_INLINE) return this.prepare(tenant, names)
    for (const cell of cells) {
      // Another request has applied more in the meantime.
      if (cell.isAheadOf(feed.snapshot)) continue
      const fresh = feed.changes.filter(change => change.cell === cell.name && !cell.has(change.xid))
      if (fresh.length === 0) cell.advance(feed.snapshot)
      else this.#applyHere(tenant, cell, feed.snapshot, { ...feed, fresh })
    }
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
    let cell = known ?? (await this.#load(tenant, name)) ?? (await this.#build(tenant, name))
    for (let attempt = 0; attempt < CATCH_UPS; attempt++) {
      const outcome = await this.#catchUp(tenant, cell)
      if (outcome === 'done') break
      if (outcome === 'too far') cell = await this.#build(tenant, name)
    }
    this.#cells.set(key(tenant, name), cell)
    this.#use(tenant, cell)
  }

  /**
   * Applies what a new snapshot sees. The texts are read in that snapshot; they are indexed after it has ended, so that
   * no connection waits for a thread. `again` means that others have applied something newer in the meantime.
   */
  async #catchUp(tenant: string, cell: Cell): Promise<'done' | 'again' | 'too far'> {
    const read = await this.#read(tenant, async tx => {
      const { snapshot, changes } = await changesSince(tx, tenant, sinceOf([cell]), EVERYTHING)
      const feed = await this.#fetch(tx, tenant, [cell], changes, MOST_CATCH_UP_BYTES)
      return { snapshot, feed }
    })
    const { snapshot, feed } = read
    if (feed === null) return 'too far'
    const rows = feed.rows.filter(row => row.cell === cell.name)
    const party = { tenant, credential: cell.name }
    const segment = rows.length === 0 ? null : await this.#work.build(party, cell.place(rows))
    // Another request has already applied more.
    if (cell.isAheadOf(snapshot)) return 'again'
    // If others have applied some of it, those records are replaced by what this snapshot sees, which is as new.
    this.#apply(tenant, cell, snapshot, feed, segment)
    return 'done'
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
    const cell = new Cell(name, kept.horizon, { part, table, compartmentIds })
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
    const cell = new Cell(name, snapshot.xmin)
    const party = { tenant, credential: name }
    const seen = new Set<string>()
    const parts: CellPart[] = []
    let waiting: { row: IndexRow; place: number }[] = []
    let characters = 0
    let vectors: VectorRow[] = []
    let last: IndexRow | null = null
    const limits = { limit: ROWS_AT_ONCE, mostBytes: CHARACTERS_AT_ONCE }
    for (let more = true; more; ) {
      const batch: { rows: IndexRow[]; more: boolean; found: VectorRow[] } = await this.#read(
        tenant,
        async tx => {
          const scanned = await scanCell(tx, tenant, name, last, limits)
          const ids = scanned.rows.map(({ id }) => id)
          return { ...scanned, found: await this.#vectorsOf(tx, tenant, ids) }
        },
      )
      more = batch.more
      vectors.push(...batch.found)
      // A record that moved to another compartment during the scan is read twice; the change log has it too.
      const unseen = batch.rows.filter(({ id }) => !seen.has(id))
      for (const { id, text } of unseen) {
        seen.add(id)
        characters += text.length
      }
      waiting.push(...cell.place(unseen))
      last = batch.rows.at(-1) ?? last
      const isEnough = waiting.length >= BUILT_AT_ONCE || characters >= CHARACTERS_AT_ONCE
      if (waiting.length > 0 && (isEnough || !more)) {
        parts.push(partOf(await this.#work.build(party, waiting), vectors))
        waiting = []
        vectors = []
        characters = 0
      }
    }
    const [first] = parts
    if (first !== undefined) {
      const whole = parts.length === 1 ? first : await this.#mergeParts(party, parts)
      cell.append(whole)
      this.#keep(tenant, cell, whole, { horizon: snapshot.xmin, including: [] })
    }
    return cell
  }

  async #mergeParts(party: Party, parts: readonly CellPart[]): Promise<CellPart> {
    const { segment, moved } = await this.#work.merge(party, parts)
    const vectors = await inSlices(mergeVectorsInSteps(parts, segment, moved))
    return { segment, dead: new Uint8Array(segment.size), vectors }
  }

  async #vectorsOf(tx: Transaction, tenant: string, ids: readonly string[]): Promise<VectorRow[]> {
    return this.#models.length === 0 ? [] : fetchVectors(tx, tenant, ids, this.#models)
  }

  /** Reads what changed: the records as they are now, and their vectors. Returns null if the texts are too long. */
  async #fetch(
    tx: Transaction,
    tenant: string,
    cells: readonly Cell[],
    changes: readonly Change[],
    mostBytes: number,
  ): Promise<ChangeFeed | null> {
    const byName = new Map(cells.map(cell => [cell.name, cell]))
    const fresh = changes.filter(({ cell, xid }) => byName.get(cell)?.has(xid) === false)
    const changed = new Set(fresh.filter(({ vector }) => !vector).map(({ id }) => id))
    const rows: IndexRow[] = []
    let left = mostBytes
    for (const ids of batches(changed)) {
      const found = await fetchIndexRows(tx, tenant, ids, left)
      if (found === null) return null
      rows.push(...found)
      for (const { text } of found) left -= text.length
    }
    const vectors: VectorRow[] = []
    for (const ids of batches(new Set(fresh.map(({ id }) => id))))
      vectors.push(...(await this.#vectorsOf(tx, tenant, ids)))
    return { fresh, rows, vectors }
  }

  /**
   * Applies changes to cells if that takes only a moment; returns false if it takes longer. Nothing is awaited after
   * the rows are read, so no other request comes between the check and the apply.
   */
  async #takeHere(
    tx: Transaction,
    tenant: string,
    cells: readonly Cell[],
    snapshot: Snapshot,
    changes: readonly Change[],
  ): Promise<boolean> {
    // A character is four bytes at most.
    const feed = await this.#fetch(tx, tenant, cells, changes, MOST_INLINE * 4)
    if (feed === null || this.#work.weightOf(feed.rows) > MOST_INLINE) return false
    for (const cell of cells) if (cell.isAheadOf(snapshot)) throw new IndexAhead()
    for (const cell of cells) {
      // Another request may have applied some of them since they were read.
      const fresh = feed.fresh.filter(change => change.cell === cell.name && !cell.has(change.xid))
      if (fresh.length === 0) cell.advance(snapshot)
      else this.#applyHere(tenant, cell, snapshot, { ...feed, fresh })
    }
    return true
  }

  #applyHere(tenant: string, cell: Cell, snapshot: Snapshot, feed: ChangeFeed): void {
    const changed = new Set(feed.fresh.filter(({ vector }) => !vector).map(({ id }) => id))
    const rows = feed.rows.filter(row => row.cell === cell.name && changed.has(row.id))
    const segment = rows.length === 0 ? null : this.#work.buildHere(cell.place(rows))
    this.#apply(tenant, cell, snapshot, feed, segment)
  }

  /** Applies a feed whose records are in this segment. The segment is as new as the snapshot, and the cell not newer. */
  #apply(
    tenant: string,
    cell: Cell,
    snapshot: Snapshot,
    { fresh, vectors }: ChangeFeed,
    segment: Segment | null,
  ): void {
    const own = fresh.filter(change => change.cell === cell.name)
    const touched = new Set(own.map(({ id }) => id))
    const changed = new Set(own.filter(({ vector }) => !vector).map(({ id }) => id))
    const xids = new Set(own.map(({ xid }) => xid))
    cell.apply(
      snapshot,
      xids,
      changed,
      segment,
      vectors.filter(({ id }) => touched.has(id)),
    )
    const which = cell.wantsMerge
    if (which !== null) this.#merge(tenant, cell, which)
  }

  /** Merges parts of a cell in another thread. */
  #merge(tenant: string, cell: Cell, which: 'all' | 'rest'): void {
    if (this.#closed) return
    const begun = cell.beginMerge(which)
    const { horizon, including } = cell
    this.#background(async () => {
      try {
        const merged = await this.#work.merge({ tenant, credential: cell.name }, begun.parts)
        const vectors = await inSlices(mergeVectorsInSteps(begun.parts, merged.segment, merged.moved))
        if (this.#closed) return cell.abandonMerge()
        const part = cell.merged(begun, merged, vectors)
        if (begun.at === 0) this.#keep(tenant, cell, part, { horizon, including })
      } catch (error) {
        cell.abandonMerge()
        throw error
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
    const encoding = encodeCellInSteps({
      segment,
      vectors,
      table: cell.table,
      compartmentIds: cell.compartmentIds,
      domain: this.#domainName,
    })
    this.#background(async () => {
      const bytes = await inSlices(encoding)
      await this.#db.transaction(
        { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
        tx => saveKeptIndex(tx, tenant, cell.name, CELL_FORMAT, { ...upTo, bytes }),
      )
    })
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

/** Cells as they were at some moment. */
export interface LookedAt {
  readonly tenant: string
  readonly cells: readonly { readonly cell: Cell; readonly version: number }[]
  readonly views: readonly CellView[]
}

/** Changes that a cell lacks, with the records as they are now. */
interface ChangeFeed {
  readonly fresh: readonly Change[]
  readonly rows: readonly IndexRow[]
  readonly vectors: readonly VectorRow[]
}

/** Runs something step by step and lets others work in between. */
async function inSlices<T>(run: Generator<void, T>): Promise<T> {
  let until = performance.now() + SLICE_MS
  for (;;) {
    const step = run.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + SLICE_MS
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
