import { inWorker } from './in-worker.js'
import { ModelThread } from './model-thread.js'
import { packageFile } from './package-file.js'
import type { EmbeddingProvider } from './provider.js'
import { TABLE_FILE, TABLE_NEAR, tableWeight } from './static-table.js'
import type { StaticTableOptions } from './static-table-model.js'

/** Changes with the table, and with whatever changes which words of it a text has: tokens, languages. */
const NAME = 'words-en/1'
const BATCH_SIZE = 64
/** As many as a question can wait for. */
const AT_ONCE = 16
const MAX_CHARACTERS = 20_000

/** One thread a table in a process, however many stores are open: it ends when none of them uses it. */
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

/** Vectors from a table of words in a file. */
export const wordTable = (options: StaticTableOptions): (() => EmbeddingProvider) => {
  const table = new SharedTable(options)
  return () => table.provider(options.name)
}

/**
 * The provider that ships with the package: what English words mean, with no network and nothing to install. It is
 * used where `open` is told nothing else.
 *
 * @example
 * await open({ embedding: [builtIn(), encoder()] })
 */
export const builtIn = wordTable({ file: packageFile(TABLE_FILE).href, name: NAME })
