import { type Asked, type Embeddings, type Meaning, NO_MEANING } from './embeddings.js'

/** A question has to be embedded first, outside of the snapshot that it is asked in. */
export class MeaningNeeded extends Error {
  readonly asked: Asked

  constructor(asked: Asked) {
    super('the question has no vector yet')
    this.asked = asked
  }
}

/** What the questions of one request mean. Providers are never waited for inside of a snapshot. */
export class Meanings {
  readonly #embeddings: Embeddings
  readonly #asker: string
  readonly #known = new Map<string, Meaning>()

  constructor(embeddings: Embeddings, asker: string) {
    this.#embeddings = embeddings
    this.#asker = asker
  }

  async prepare(asked: Asked): Promise<void> {
    this.#known.set(keyOf(asked), await this.#embeddings.meaningOf(asked, this.#asker))
  }

  of(asked: Asked): Meaning {
    if (this.#embeddings.providers.length === 0) return NO_MEANING
    const known = this.#known.get(keyOf(asked))
    if (known === undefined) throw new MeaningNeeded(asked)
    return known
  }
}

const keyOf = ({ text, nearWordsOf }: Asked) => JSON.stringify([text, nearWordsOf])
