import { ProviderCalls, type QueryAnswer } from '../../embedding/calls.js'
import type { EmbeddingProvider } from '../../embedding/provider.js'
import type { Database } from '../../storage/database.js'
import { type Clock, SYSTEM_CLOCK } from '../clock.js'
import { VectorLine } from './vector-line.js'

/** The text of a question, and the words for which similar ones are wanted. */
export interface QueryToEmbed {
  readonly text: string
  readonly nearWordsOf: readonly string[]
}

/**
 * The result of embedding a question with one model: its vector, null if there was nothing to embed, or why it
 * failed.
 */
export interface ModelMeaning {
  readonly provider: EmbeddingProvider
  readonly answer: QueryAnswer
}

/** The result of embedding a question. */
export interface Meaning {
  /** One result per model; empty if no provider is configured. */
  readonly models: readonly ModelMeaning[]
  /** Words of similar meaning, by word. */
  readonly nearWords: ReadonlyMap<string, readonly string[]>
}

export const NO_MEANING: Meaning = { models: [], nearWords: new Map() }

/** How long nobody calls a provider after a failure. The compartment whose texts failed waits longer. */
const PROVIDER_WAIT_MS = 1_000

/** Timeout of one call that embeds documents, so that a text that hangs does not hold up the others any longer. */
const DOCUMENTS_MS = 60_000

/** The maximum number of similar words for one word. */
const MOST_NEAR_WORDS = 8

/** The embedding providers of this process, and the background work that embeds records after they were written. */
export class Embeddings {
  readonly #calls: readonly ProviderCalls[]
  readonly #lines: readonly VectorLine[]
  readonly #tenants = new Set<string>()

  constructor(db: Database, providers: readonly EmbeddingProvider[], clock: Clock = SYSTEM_CLOCK) {
    const now = () => clock.now().getTime()
    const random = clock.random ?? Math.random
    this.#calls = providers.map(
      provider =>
        new ProviderCalls(provider, {
          now,
          random,
          documentsMs: DOCUMENTS_MS,
          documentsWaitMs: PROVIDER_WAIT_MS,
        }),
    )
    this.#lines = this.#calls.map(calls => new VectorLine(db, calls, now, random))
  }

  get providers(): readonly EmbeddingProvider[] {
    return this.#calls.map(({ provider }) => provider)
  }

  /** How many providers failed and are not called for a while. */
  get resting(): number {
    return this.#calls.filter(({ isResting }) => isResting).length
  }

  /** Whether questions stay on this machine. */
  get areLocal(): boolean {
    return this.providers.every(({ local }) => local)
  }

  /** Embeds a caller's question. Waits for the providers only as long as a caller should wait, and never fails. */
  async meaningOf({ text, nearWordsOf }: QueryToEmbed, asker: string): Promise<Meaning> {
    const [models, nearWords] = await Promise.all([
      Promise.all(text === '' ? [] : this.#calls.map(calls => this.#ask(calls, text, asker))),
      Promise.all(nearWordsOf.map(async word => [word, await this.#nearWords(word)] as const)),
    ])
    return { models, nearWords: new Map(nearWords) }
  }

  /** Called when a tenant is first used in this process: embeds what was left undone before, here or elsewhere. */
  noteTenant(tenant: string): void {
    if (this.#tenants.has(tenant)) return
    this.#tenants.add(tenant)
    for (const line of this.#lines) line.look(tenant, 'all')
  }

  /** Called when records were written or found to be without a vector. */
  noteRecords(tenant: string, ids: readonly string[]): void {
    if (ids.length > 0) for (const line of this.#lines) line.look(tenant, ids)
  }

  /** Resolves once everything that can be embedded now is embedded. It does not wait for a failing provider. */
  async caughtUp(): Promise<void> {
    await Promise.all(this.#lines.map(line => line.caughtUp()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#lines.map(line => line.close()))
    await Promise.all(this.#calls.map(calls => calls.close()))
  }

  async #ask(calls: ProviderCalls, text: string, asker: string): Promise<ModelMeaning> {
    return { provider: calls.provider, answer: await calls.query(text, asker) }
  }

  async #nearWords(word: string): Promise<readonly string[]> {
    const knowsWords = this.#calls.find(({ provider }) => provider.neighbours !== undefined)
    return (await knowsWords?.neighbours(word, MOST_NEAR_WORDS)) ?? []
  }
}
