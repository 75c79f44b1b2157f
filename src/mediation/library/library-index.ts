import { ProviderCalls } from '../../embedding/calls.js'
import { EmbeddingError, type EmbeddingProvider } from '../../embedding/provider.js'
import type { Clock } from '../../runtime/clock.js'
import type { Meaning } from '../../runtime/embedding/embeddings.js'
import { RunAgain } from '../../runtime/run-again.js'
import { entryText, type TrustedEntry, tenantOf } from './entries.js'

/** An entry and its cosine distance from the query. */
export interface NearEntry {
  readonly entry: TrustedEntry
  readonly distance: number
}

/** Timeout of one call while somebody waits, and the longest pause after a provider has failed. */
const DOCUMENTS_MS = 10_000
const PROVIDER_WAIT_MS = 30_000

/** For how many tenants vectors are cached; the least recently used are computed again when needed. */
const MOST_TENANTS = 1_000

/**
 * The vectors of the library, which exist only in memory. It takes entries and embeds them itself: nobody can pass it
 * a vector, or a text that is not an entry (RC-14).
 */
export class LibraryIndex {
  readonly #shelves: ReadonlyMap<string, Shelves>

  constructor(providers: readonly EmbeddingProvider[], clock: Clock) {
    this.#shelves = new Map(providers.map(provider => [provider.model, new Shelves(provider, clock)]))
  }

  /**
   * The nearest entries within a distance, by the first model that embedded the query. Every entry is compared;
   * equally near ones are ordered by id. Throws `RunAgain` if entries have no vectors yet.
   */
  suggest(
    meaning: Meaning,
    entries: readonly TrustedEntry[],
    limit: number,
    maxDistance: number,
  ): NearEntry[] {
    for (const { provider, answer } of meaning.models) {
      const shelves = this.#shelves.get(provider.model)
      if (shelves === undefined || !answer.ok || answer.vector === null) continue
      const asked = answer.vector
      const vectors = shelves.vectorsOf(entries)
      return entries
        .flatMap((entry, at) => {
          const vector = vectors[at] ?? null
          return vector?.length === asked.length ? [{ entry, distance: 1 - cosine(asked, vector) }] : []
        })
        .filter(({ distance }) => distance < maxDistance)
        .sort((a, b) => a.distance - b.distance || (a.entry.id < b.entry.id ? -1 : 1))
        .slice(0, limit)
    }
    return []
  }

  /** Drops the vectors of a tenant except those of these entries, so that withdrawn ones are gone (AU-4). */
  keepOnly(tenant: string, entries: readonly TrustedEntry[]): void {
    for (const shelves of this.#shelves.values()) shelves.keepOnly(tenant, entries)
  }
}

type Shelf = Map<string, Int16Array | null>

/** The vectors of one model. Each tenant has its own, so that a cache hit cannot reveal what another tenant has. */
class Shelves {
  readonly #calls: ProviderCalls
  readonly #curated: Shelf = new Map()
  readonly #tenants = new Map<string, Shelf>()

  constructor(provider: EmbeddingProvider, clock: Clock) {
    this.#calls = new ProviderCalls(provider, {
      now: () => clock.now().getTime(),
      random: clock.random ?? Math.random,
      documentsMs: DOCUMENTS_MS,
      documentsWaitMs: PROVIDER_WAIT_MS,
    })
  }

  /** One vector per entry; null if it has none, now or ever. */
  vectorsOf(entries: readonly TrustedEntry[]): (Int16Array | null)[] {
    const missing = entries.filter(entry => !this.#shelfOf(entry).has(entry.hash))
    // After a recent failure of the provider we do not wait, but use the vectors that it gave before.
    if (missing.length > 0 && this.#calls.retryAt <= this.#calls.now())
      throw new RunAgain(() => this.#embed(missing))
    return entries.map(entry => this.#shelfOf(entry).get(entry.hash) ?? null)
  }

  keepOnly(tenant: string, entries: readonly TrustedEntry[]): void {
    const standing = new Set(entries.map(({ hash }) => hash))
    const shelf = this.#tenants.get(tenant)
    for (const hash of shelf?.keys() ?? []) if (!standing.has(hash)) shelf?.delete(hash)
  }

  #shelfOf(entry: TrustedEntry): Shelf {
    const tenant = tenantOf(entry)
    if (tenant === null) return this.#curated
    const shelf: Shelf = this.#tenants.get(tenant) ?? new Map()
    // Reinsert the tenant, so that the most recently used one is last.
    this.#tenants.delete(tenant)
    this.#tenants.set(tenant, shelf)
    const [oldest] = this.#tenants.keys()
    if (this.#tenants.size > MOST_TENANTS && oldest !== undefined) this.#tenants.delete(oldest)
    return shelf
  }

  /** Embeds entries in as many calls as needed. Entries that a failing provider missed are requested again later. */
  async #embed(entries: readonly TrustedEntry[]): Promise<void> {
    let left = entries.map(entry => ({ entry, text: entryText(entry) }))
    while (left.length > 0) {
      const batch = this.#calls.firstBatch(left)
      left = left.slice(batch.length)
      try {
        const vectors = await this.#calls.documents(batch.map(({ text }) => text))
        for (const [at, { entry }] of batch.entries())
          this.#shelfOf(entry).set(entry.hash, vectors[at] ?? null)
      } catch (error) {
        if (!(error instanceof EmbeddingError)) throw error
        if (error.kind !== 'rejected') return
        // The provider refused one of them. Each is tried alone, and one that is refused again gets no vector.
        if (batch.length === 1) for (const { entry } of batch) this.#shelfOf(entry).set(entry.hash, null)
        else for (const { entry } of batch) await this.#embed([entry])
      }
    }
  }
}

/** The sums are of integers below 2^53, so the result does not depend on the order of summation. */
function cosine(a: Int16Array, b: Int16Array): number {
  let product = 0
  let squareA = 0
  let squareB = 0
  for (let at = 0; at < a.length; at++) {
    const x = a[at] as number
    const y = b[at] as number
    product += x * y
    squareA += x * x
    squareB += y * y
  }
  return product / Math.sqrt(squareA) / Math.sqrt(squareB)
}
