import { RunAgain } from '../run-again.js'
import { type Embeddings, type Meaning, NO_MEANING, type QueryToEmbed } from './embeddings.js'

/** Embeds the questions of one request. It never waits for a provider inside a snapshot. */
export class Meanings {
  readonly #embeddings: Embeddings
  readonly #asker: string
  readonly #known = new Map<string, Meaning>()

  constructor(embeddings: Embeddings, asker: string) {
    this.#embeddings = embeddings
    this.#asker = asker
  }

  async prepare(asked: QueryToEmbed): Promise<void> {
    this.#known.set(keyOf(asked), await this.#embeddings.meaningOf(asked, this.#asker))
  }

  of(asked: QueryToEmbed): Meaning {
    if (this.#embeddings.providers.length === 0) return NO_MEANING
    const known = this.#known.get(keyOf(asked))
    if (known === undefined) throw new RunAgain(() => this.prepare(asked))
    return known
  }
}

const keyOf = ({ text, nearWordsOf }: QueryToEmbed) => JSON.stringify([text, nearWordsOf])
