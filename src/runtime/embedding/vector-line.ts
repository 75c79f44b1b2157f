import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { ProviderCalls } from '../../embedding/calls.js'
import { EmbeddingError } from '../../embedding/provider.js'
import { encodeVector } from '../../search/vectors.js'
import type { Database, Transaction } from '../../storage/database.js'
import {
  findByContent,
  findWaiting,
  findWaitingAmong,
  loadTexts,
  saveEmbeddings,
  type TextToEmbed,
  type WaitingRecord,
} from '../../storage/queries/embeddings.js'
import { GLOBAL_CELL } from '../index/cell.js'
import { type EmbeddingBatch, FairQueue } from './fair-queue.js'

/** The maximum number of records looked up at once. If there are more, they are looked up when these are done. */
const LOOKED_UP_AT_ONCE = 20_000
/** How long a text that its provider rejected is not tried again. */
const REJECTED_FOR_MS = 60 * 60 * 1_000
/** How long to wait after the store failed to answer. */
const STORE_PAUSE_MS = 1_000
/** Beyond this many ids, all records of the tenant are searched instead of these. */
const MOST_NAMED = 5_000

const LONG_TEXT = 65_536

type Ids = 'all' | ReadonlySet<string>

/** Makes the vectors of one model, batch by batch, in the background of writes. */
export class VectorLine {
  readonly #db: Database
  readonly #calls: ProviderCalls
  readonly #now: () => number
  readonly #queue: FairQueue
  readonly #lookedUpAtOnce: number
  /** The records to look up, by tenant. */
  readonly #looks = new Map<string, Ids>()
  /** Tenants with more waiting records than were looked up. */
  readonly #more = new Set<string>()
  /** Texts that the provider rejected, and when they are tried again. */
  readonly #rejected = new Map<string, number>()
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #pausedUntil = 0
  #closed = false

  constructor(
    db: Database,
    calls: ProviderCalls,
    now: () => number,
    random: () => number,
    lookedUpAtOnce = LOOKED_UP_AT_ONCE,
  ) {
    this.#lookedUpAtOnce = lookedUpAtOnce
    this.#db = db
    this.#calls = calls
    this.#now = now
    this.#queue = new FairQueue(now, random)
  }

  look(tenant: string, ids: 'all' | readonly string[]): void {
    if (this.#closed) return
    this.#note(tenant, ids)
    this.#start()
  }

  async caughtUp(): Promise<void> {
    this.#start()
    while (this.#running !== null) await this.#running
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#calls.stop()
    await this.#running
  }

  #start(): void {
    if (this.#running !== null || this.#closed) return
    this.#running = this.#run().finally(() => {
      this.#running = null
      // Records may have been reported after the last look.
      if (this.#looks.size > 0 && this.#pausedUntil <= this.#now()) this.#start()
    })
  }

  async #run(): Promise<void> {
    while (!this.#closed && this.#pausedUntil <= this.#now()) {
      // Lets other work go first: a write never waits for embedding.
      await setImmediate()
      try {
        if (!(await this.#step())) break
      } catch {
        // The store failed to answer.
        this.#pausedUntil = this.#now() + STORE_PAUSE_MS
      }
    }
    this.#wakeAt(Math.max(this.#pausedUntil, this.#looks.size > 0 ? 0 : this.#queue.nextAt))
  }

  #note(tenant: string, ids: 'all' | Iterable<string>): void {
    const known = this.#looks.get(tenant) ?? new Set()
    const both = ids === 'all' || known === 'all' ? 'all' : new Set([...known, ...ids])
    this.#looks.set(tenant, both !== 'all' && both.size > MOST_NAMED ? 'all' : both)
  }

  /** Looks up waiting records or embeds a batch of them. Returns false when there is nothing to do now. */
  async #step(): Promise<boolean> {
    const [look] = this.#looks
    if (look !== undefined) {
      const [tenant, ids] = look
      this.#looks.delete(tenant)
      await this.#lookUp(tenant, ids).catch(error => {
        this.#note(tenant, ids)
        throw error
      })
      return true
    }
    const batch = this.#queue.take(this.#calls.provider.batchSize)
    if (batch !== null) {
      await this.#embed(batch).catch(error => {
        this.#queue.putBack(batch)
        throw error
      })
      return true
    }
    // While records wait for their back-off, a lookup would only find those again.
    for (const tenant of this.#more) {
      if (this.#queue.sizeOf(tenant) > 0) continue
      this.#more.delete(tenant)
      this.#note(tenant, 'all')
      return true
    }
    return false
  }

  async #lookUp(tenant: string, ids: Ids): Promise<void> {
    // A tenant's own backlog puts off its own look-ups only.
    if (this.#queue.sizeOf(tenant) >= this.#lookedUpAtOnce) {
      this.#more.add(tenant)
      return
    }
    const { model, local } = this.#calls.provider
    const found: WaitingRecord[] = await this.#read(tenant, tx =>
      ids === 'all'
        ? findWaiting(tx, tenant, model, { local, most: this.#lookedUpAtOnce })
        : findWaitingAmong(tx, tenant, model, { local, ids: [...ids].sort() }),
    )
    for (const [id, until] of this.#rejected) if (until <= this.#now()) this.#rejected.delete(id)
    const ready = found.filter(({ id }) => !this.#rejected.has(id))
    for (const record of ready) this.#queue.add(tenant, record)
    if (found.length === this.#lookedUpAtOnce && ready.length > 0) this.#more.add(tenant)
  }

  async #embed(batch: EmbeddingBatch): Promise<void> {
    const { tenant } = batch
    const { model, local } = this.#calls.provider
    const { texts, rest, known } = await this.#read(tenant, async tx => {
      const ids = batch.records.map(({ id }) => id)
      const all: ReturnType<typeof hashed>[] = []
      for (const text of await loadTexts(tx, tenant, model, { local, ids })) {
        all.push(hashed(text))
        // A long text takes a while to digest.
        if (text.text.length > LONG_TEXT) await setImmediate()
      }
      // Takes as much as fits into one call. The labels of the rest are checked again before they are sent.
      const texts = this.#calls.firstBatch(all)
      const rest = new Set(all.slice(texts.length).map(({ id }) => id))
      const hashes = texts.map(({ hash }) => Buffer.from(hash, 'hex'))
      const shared = batch.records[0]?.cell === GLOBAL_CELL
      return { texts, rest, known: await findByContent(tx, tenant, model, hashes, { shared }) }
    })
    const tried = { tenant, records: batch.records.filter(({ id }) => !rest.has(id)) }
    this.#queue.putBack({ tenant, records: batch.records.filter(({ id }) => rest.has(id)) })
    const byHash = new Map(texts.map(({ hash, text }) => [hash, text]))
    const unknown = [...byHash].filter(([hash]) => !known.has(hash))
    // At least one text is sent even if all vectors are known. Otherwise, while a provider is down, which texts still
    // get a vector would reveal what texts others have (NI-8).
    const asked = unknown.length > 0 ? unknown : [...byHash].slice(0, 1)
    try {
      const vectors = await this.#calls.documents(asked.map(([, text]) => text))
      for (const [at, [hash]] of asked.entries()) known.set(hash, encoded(vectors[at] ?? null))
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error
      return this.#failed(tried, error)
    }
    const made = texts.map(({ id, hash }) => ({
      id,
      contentHash: Buffer.from(hash, 'hex'),
      vector: known.get(hash) as Uint8Array,
    }))
    if (made.length > 0)
      await this.#db.transaction(
        { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
        tx => saveEmbeddings(tx, tenant, model, made),
      )
    this.#queue.done(tried)
  }

  /**
   * Bisects a batch to find the rejected text, so that it holds up no other. After any other failure, tries again
   * later.
   */
  async #failed(batch: EmbeddingBatch, { kind, retryAfterMs }: EmbeddingError): Promise<void> {
    const { tenant, records } = batch
    const [first] = records
    if (kind !== 'rejected' || first === undefined) return this.#queue.failed(batch, retryAfterMs)
    if (records.length === 1) {
      this.#rejected.set(first.id, this.#now() + REJECTED_FOR_MS)
      return this.#queue.done(batch)
    }
    const middle = records.length >> 1
    for (const half of [records.slice(0, middle), records.slice(middle)])
      await this.#embed({ tenant, records: half }).catch(error => {
        this.#queue.putBack({ tenant, records: half })
        throw error
      })
  }

  #wakeAt(time: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#closed || time === Number.POSITIVE_INFINITY) return
    const wait = Math.max(1, Math.min(time - this.#now(), 2 ** 31 - 1))
    this.#timer = setTimeout(() => this.#start(), wait)
    this.#timer.unref()
  }

  #read<T>(tenant: string, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(
      { access: 'read', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      fn,
    )
  }
}

const encoded = (vector: Int16Array | null) => (vector === null ? new Uint8Array(0) : encodeVector(vector))

/** A title says what a text is about, so both are embedded together. */
function hashed({ id, title, text }: TextToEmbed): { id: string; text: string; hash: string } {
  const whole = title === null ? text : `${title}\n${text}`
  return { id, text: whole, hash: createHash('sha256').update(whole).digest('hex') }
}
