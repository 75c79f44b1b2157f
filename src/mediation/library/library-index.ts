import { ProviderCalls } from '../../embedding/calls.js'
import { EmbeddingError, type EmbeddingProvider } from '../../embedding/provider.js'
import type { Clock } from '../../runtime/clock.js'
import type { Meaning } from '../../runtime/embedding/embeddings.js'
import { RunAgain } from '../../runtime/run-again.js'
import { entryText, type TrustedEntry, tenantOf } from './entries.js'

/** An entry, and how far it lies from what was said: a cosine distance. */
export interface NearEntry {
  readonly entry: TrustedEntry
  readonly distance: number
}

/** How long one call may take while somebody waits, and how long a provider that failed is left alone at most. */
const DOCUMENTS_MS = 10_000
const PROVIDER_WAIT_MS = 30_000

/** How many tenants' vectors are kept at hand; beyond them, they are made again. */
const MOST_TENANTS = 1_000

/**
 * The vectors of the library, kept in memory and nowhere else. It is asked with entries and embeds them itself: there
 * is no way to hand it a vector, or a text that is no entry (RC-14).
 */
export class LibraryIndex {
  readonly #shelves: ReadonlyMap<string, Shelves>

  constructor(providers: readonly EmbeddingProvider[], clock: Clock) {
    this.#shelves = new Map(providers.map(provider => [provider.model, new Shelves(provider, clock)]))
  }

  /**
   * The entries nearest to a meaning and nearer than a distance, by the first model that understood it. Every one is
   * compared; equally near ones come in the order of their ids. Fails with `RunAgain` where entries have no vectors yet.
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

  /** Keeps of a tenant the vectors of these entries alone: what was withdrawn is gone (AU-4). */
  keepOnly(tenant: string, entries: readonly TrustedEntry[]): void {
    for (const shelves of this.#shelves.values()) shelves.keepOnly(tenant, entries)
  }
}

type Shelf = Map<string, Int16Array | null>

/** The vectors of one model. Tenants' are kept apart: none is told, by what is at hand, what another has. */
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

  /** One a text; null where there is none, now or ever. */
  vectorsOf(entries: readonly TrustedEntry[]): (Int16Array | null)[] {
    const missing = entries.filter(entry => !this.#shelfOf(entry).has(entry.hash))
    // A provider that failed a moment ago is not waited for: what it has embedded before is there.
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
    // The one that was used last stands last.
    this.#tenants.delete(tenant)
    this.#tenants.set(tenant, shelf)
    const [oldest] = this.#tenants.keys()
    if (this.#tenants.size > MOST_TENANTS && oldest !== undefined) this.#tenants.delete(oldest)
    return shelf
  }

  /** In as many calls as it takes. What a failing provider owes is asked for again later. */
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
        // One of them is refused: each is tried alone, and what is refused then has no vector.
        if (batch.length === 1) for (const { entry } of batch) this.#shelfOf(entry).set(entry.hash, null)
        else for (const { entry } of batch) await this.#embed([entry])
      }
    }
  }
}

/** Sums of products of whole numbers below 2^53, so it is the same in whatever order. */
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
