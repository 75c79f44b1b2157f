import { describe, expect, it } from 'vitest'
import { ProviderCalls } from '../../embedding/calls.js'
import type { EmbeddingProvider } from '../../embedding/provider.js'
import type { Meaning } from '../../runtime/embedding/embeddings.js'
import { RunAgain } from '../../runtime/run-again.js'
import type { Transaction } from '../../storage/database.js'
import { testClock } from '../../testing/clock.js'
import { type TestEmbedding, testEmbedding } from '../../testing/embedding.js'
import { CURATED_ENTRIES, entryText, standingEntries, type TrustedEntry } from './entries.js'
import { LibraryIndex } from './library-index.js'

/** The entries that a table with these texts would return. */
async function contributed(tenant: string, ...texts: readonly string[]): Promise<TrustedEntry[]> {
  const rows = texts.map((text, at) => ({
    entryId: `00000000-0000-4000-8000-00000000000${at}`,
    title: 'something',
    text,
    needs: [],
    durationDays: 1,
    optedInAt: new Date(0),
  }))
  const tx = { query: async () => rows } as unknown as Transaction
  return (await standingEntries(tx, tenant, null, null, 10)).map(({ entry }) => entry)
}

async function meaningOf(text: string, ...providers: readonly EmbeddingProvider[]): Promise<Meaning> {
  const models = providers.map(async provider => ({
    provider,
    answer: await new ProviderCalls(provider).query(text, 'somebody'),
  }))
  return { models: await Promise.all(models), nearWords: new Map() }
}

/** The final suggestions, and how often the call had to wait for embeddings. */
async function suggested(
  index: LibraryIndex,
  meaning: Meaning,
  entries: readonly TrustedEntry[],
  { limit = 100, maxDistance = 3 } = {},
) {
  for (let waits = 0; waits < 5; waits++) {
    try {
      return { waits, found: index.suggest(meaning, entries, limit, maxDistance) }
    } catch (error) {
      if (!(error instanceof RunAgain)) throw error
      await error.ready()
    }
  }
  throw new Error('it is never ready')
}

const textsOf = ({ found }: Awaited<ReturnType<typeof suggested>>) => found.map(({ entry }) => entry.text)

describe('the index of the library', () => {
  it('compares every entry, the nearest first, and equally near ones by their ids', async () => {
    const embedding = testEmbedding()
    const index = new LibraryIndex([embedding], testClock())
    const entries = await contributed('home', 'tea cake', 'walk', 'tea cake', 'tea')
    const meaning = await meaningOf('something tea', embedding)
    const { found, waits } = await suggested(index, meaning, entries.toReversed())
    expect(waits).toBe(1)
    expect(found.map(({ entry }) => entry.id.at(-1))).toEqual(['3', '0', '2', '1'])
    expect(found[0]?.distance).toBeCloseTo(0, 12)
    expect(found[1]?.distance).toBe(found[2]?.distance)
    expect(await suggested(index, meaning, entries)).toEqual({ waits: 0, found })
    expect(textsOf(await suggested(index, meaning, entries, { limit: 1 }))).toEqual(['tea'])
    const far = found[3]?.distance ?? 0
    // The distance must be below the maximum, not equal to it.
    expect((await suggested(index, meaning, entries, { maxDistance: far })).found).toHaveLength(3)
    expect((await suggested(index, meaning, entries, { maxDistance: far + 1e-9 })).found).toHaveLength(4)
  })

  it('embeds an entry once, as a document, and again when its words are others', async () => {
    const embedding = testEmbedding({ batchSize: 7 })
    const index = new LibraryIndex([embedding], testClock())
    const meaning = await meaningOf('listen', embedding)
    const before = embedding.asked.length
    await suggested(index, meaning, CURATED_ENTRIES)
    await suggested(index, meaning, CURATED_ENTRIES)
    expect(embedding.asked.slice(before)).toEqual(CURATED_ENTRIES.map(entryText))
    const asked = embedding.asked.length
    await suggested(index, meaning, await contributed('home', 'one', 'two'))
    await suggested(index, meaning, await contributed('home', 'one', 'three'))
    expect(embedding.asked.slice(asked)).toEqual(['one', 'two', 'three'].map(text => `something\n${text}`))
  })

  it('[AU-4] keeps no vector of what is withdrawn, and of nobody else’s lets go of none', async () => {
    const embedding = testEmbedding()
    const index = new LibraryIndex([embedding], testClock())
    const meaning = await meaningOf('tea', embedding)
    const [home, away] = [await contributed('home', 'one', 'two'), await contributed('away', 'one')]
    await suggested(index, meaning, [...home, ...away])
    index.keepOnly('home', home.slice(0, 1))
    expect((await suggested(index, meaning, away)).waits).toBe(0)
    expect((await suggested(index, meaning, home.slice(0, 1))).waits).toBe(0)
    expect((await suggested(index, meaning, home)).waits).toBe(1)
  })

  it('[NI-8] what one tenant has embedded spares no other the wait', async () => {
    const embedding = testEmbedding()
    const index = new LibraryIndex([embedding], testClock())
    const meaning = await meaningOf('tea', embedding)
    await suggested(index, meaning, await contributed('home', 'tea'))
    embedding.fail('documents')
    expect(textsOf(await suggested(index, meaning, await contributed('away', 'tea')))).toEqual([])
    expect(textsOf(await suggested(index, meaning, await contributed('home', 'tea')))).toEqual(['tea'])
  })

  it('does without a provider that fails, and asks it again later', async () => {
    const [embedding, clock] = [testEmbedding(), testClock()]
    const index = new LibraryIndex([embedding], clock)
    const meaning = await meaningOf('tea', embedding)
    const entries = await contributed('home', 'tea')
    embedding.fail('documents')
    expect(await suggested(index, meaning, entries)).toEqual({ waits: 1, found: [] })
    expect(await suggested(index, meaning, entries)).toEqual({ waits: 0, found: [] })
    embedding.fail(false)
    clock.advance(60_000)
    expect(textsOf(await suggested(index, meaning, entries))).toEqual(['tea'])
  })

  it('leaves out what a provider refuses, and nothing beside it', async () => {
    const embedding = testEmbedding({ batchSize: 10 })
    const picky: EmbeddingProvider = {
      ...embedding,
      embed: (texts, ...rest) =>
        texts.some(text => text.includes('bad'))
          ? Promise.reject(new Error('not this'))
          : embedding.embed(texts, ...rest),
    }
    const index = new LibraryIndex([picky], testClock())
    const meaning = await meaningOf('tea', picky)
    const entries = await contributed('home', 'tea', 'bad', 'cake')
    const { found, waits } = await suggested(index, meaning, entries)
    expect(waits).toBe(1)
    expect(found.map(({ entry }) => entry.text).sort()).toEqual(['cake', 'tea'])
  })

  it('takes the first model that understood, and none where none did', async () => {
    const broken: TestEmbedding = testEmbedding({ model: 'broken/1' })
    const embedding = testEmbedding({ model: 'whole/1' })
    broken.fail(true)
    const index = new LibraryIndex([broken, embedding], testClock())
    const entries = await contributed('home', 'tea')
    expect(textsOf(await suggested(index, await meaningOf('tea', broken, embedding), entries))).toEqual([
      'tea',
    ])
    expect(textsOf(await suggested(index, await meaningOf('tea', broken), entries))).toEqual([])
    expect(textsOf(await suggested(index, await meaningOf(' … ', embedding), entries))).toEqual([])
    expect(textsOf(await suggested(index, { models: [], nearWords: new Map() }, entries))).toEqual([])
  })

  it('[RC-14] takes nothing that only looks like an entry', async () => {
    const embedding = testEmbedding()
    const index = new LibraryIndex([embedding], testClock())
    const meaning = await meaningOf('tea', embedding)
    const [entry] = await contributed('home', 'tea')
    const asked = embedding.asked.length
    for (const fake of [{ ...entry }, Object.create(entry as object)])
      await expect(suggested(index, meaning, [fake as TrustedEntry])).rejects.toThrow(TypeError)
    expect(embedding.asked.length).toBe(asked)
  })
})
