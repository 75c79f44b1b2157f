import { inWorker } from './in-worker.js'
import { ModelThread } from './model-thread.js'
import { packageFile } from './package-file.js'
import type { EmbeddingProvider } from './provider.js'
import { TABLE_FILE, TABLE_NEAR, tableWeight } from './static-table.js'
import type { StaticTableOptions } from './static-table-model.js'

/**
 * Must change when the table changes, or when tokenising or language detection changes which of its words a text has.
 */
const NAME = 'words-en/1'
const BATCH_SIZE = 64
/** The number of documents that a question may have to wait for. */
const AT_ONCE = 16
const MAX_CHARACTERS = 20_000

/** Shares one thread per table within a process, however many stores are open. It ends when no store uses it. */
class SharedTable {
  readonly #thread: ModelThread
  readonly #users = new Set<symbol>()

  constructor(options: StaticTableOptions) {
    this.#thread = new ModelThread(packageFile('dist/embedding/static-table-model.js'), options)
  }

  provider(name: string): EmbeddingProvider {
    const user = Symbol()
    const thread = this.#thread
    const facts = {
      model: `built_in/${name}`,
      local: true,
      weight: tableWeight,
      near: TABLE_NEAR,
      batchSize: BATCH_SIZE,
      maxCharacters: MAX_CHARACTERS,
    }
    const { embed } = inWorker(facts, thread, AT_ONCE)
    return {
      ...facts,
      embed: (texts, purpose, signal) => {
        this.#users.add(user)
        return embed(texts, purpose, signal)
      },
      neighbours: async (word, most) => {
        this.#users.add(user)
        const reply = await thread.run({ kind: 'neighbours', word, most }, true)
        return reply.kind === 'words' ? reply.words : []
      },
      close: async () => {
        this.#users.delete(user)
        if (this.#users.size === 0) await thread.close()
      },
    }
  }
}

/** Makes a provider whose vectors come from a word table in a file. */
export const wordTable = (options: StaticTableOptions): (() => EmbeddingProvider) => {
  const table = new SharedTable(options)
  return () => table.provider(options.name)
}

/**
 * The provider that ships with the package: vectors of English words, without a network and without anything to
 * install. `open` uses it by default.
 *
 * @example
 * await open({ embedding: [builtIn(), encoder()] })
 */
export const builtIn = wordTable({ file: packageFile(TABLE_FILE).href, name: NAME })
