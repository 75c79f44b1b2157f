import { ProviderCalls, type QueryAnswer } from '../../embedding/calls.js'
import type { EmbeddingProvider } from '../../embedding/provider.js'
import type { Database } from '../../storage/database.js'
import { type Clock, SYSTEM_CLOCK } from '../clock.js'
import { VectorLine } from './vector-line.js'

/** A question: what it says, and the words for which near ones are wanted. */
export interface QueryToEmbed {
  readonly text: string
  readonly nearWordsOf: readonly string[]
}

/** What a question means to a model: its vector, null where it says nothing, or why there is none. */
export interface ModelMeaning {
  readonly provider: EmbeddingProvider
  readonly answer: QueryAnswer
}

/** What a question means. */
export interface Meaning {
  /** By model; none where no provider is configured. */
  readonly models: readonly ModelMeaning[]
  /** Words near in meaning, by word. */
  readonly nearWords: ReadonlyMap<string, readonly string[]>
}

export const NO_MEANING: Meaning = { models: [], nearWords: new Map() }

/** After a failure a provider is left alone this long by all; longer, by the compartment whose texts failed. */
const PROVIDER_WAIT_MS = 1_000

/** How long one call for documents may take: a text that hangs holds up the others no longer. */
const DOCUMENTS_MS = 60_000

/** How many words may stand for one. */
const MOST_NEAR_WORDS = 8

/** The embedding providers of this process, and the work that is done behind its writers. */
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

  /** How many of them failed, and are left alone for a while. */
  get resting(): number {
    return this.#calls.filter(({ isResting }) => isResting).length
  }

  /** Whether questions stay on this machine. */
  get areLocal(): boolean {
    return this.providers.every(({ local }) => local)
  }

  /** What somebody's question means. Waits for the providers as long as a caller should, and never fails. */
  async meaningOf({ text, nearWordsOf }: QueryToEmbed, asker: string): Promise<Meaning> {
    const [models, nearWords] = await Promise.all([
      Promise.all(text === '' ? [] : this.#calls.map(calls => this.#ask(calls, text, asker))),
      Promise.all(nearWordsOf.map(async word => [word, await this.#nearWords(word)] as const)),
    ])
    return { models, nearWords: new Map(nearWords) }
  }

  /** A tenant is used in this process: what was left undone before, here or elsewhere, is done now. */
  noteTenant(tenant: string): void {
    if (this.#tenants.has(tenant)) return
    this.#tenants.add(tenant)
    for (const line of this.#lines) line.look(tenant, 'all')
  }

  /** Records were written, or were found to wait. */
  noteRecords(tenant: string, ids: readonly string[]): void {
    if (ids.length > 0) for (const line of this.#lines) line.look(tenant, ids)
  }

  /** Resolves once everything that can be embedded now has been; what a failing provider owes is not waited for. */
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
