import { describe, expect, it } from 'vitest'
import type * as Open from '../../src/open.js'
import { type Connect, checkNonInterference, withoutClosing } from '../../src/testing/index.js'
import { meaningUnderTest } from '../support/harness-meaning.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { freshDatabase } from '../support/privity.js'

const inMeant = (find: string, replace: string): Mutation => ({
  file: 'src/runtime/search/meant.ts',
  find,
  replace,
})

/**
 * Ways in which searching by meaning leaks elsewhere, each put into a copy of the sources. The harness has to see every
 * one. `seenIn` is a world that shows it, to begin with: if worlds change, the search goes on from there.
 */
const LEAKS: Readonly<Record<string, { seenIn: number; mutations: readonly Mutation[] }>> = {
  'a quantiser scale that all share': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/search/vectors.ts',
        find: `  if (largest === 0) return null
`,
        replace: `  if (largest === 0) return null
  const shared = globalThis as { largestOfAll?: number }
  shared.largestOfAll = Math.max(shared.largestOfAll ?? 0, largest)
  largest = shared.largestOfAll
`,
      },
    ],
  },
  'a mean over everything taken away': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/search/similarity.ts',
        find: 'return column === null ? null : column.store.cosine(mask, column.rows, this.#query, document)',
        replace: `if (column === null) return null
    const { store, rows } = column
    const cosine = store.cosine(mask, rows, this.#query, document)
    if (cosine === null) return null
    let mean = 0
    for (let row = 0; row < store.size; row++) mean += (store.unmaskedVector(row)[0] as number) / 32639
    return cosine - mean / store.size / 4`,
      },
    ],
  },
  'similarities normalised over everything': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/search/similarity.ts',
        find: 'return cosine === null ? 0 : normalise(cosine, this.lowest, this.highest)',
        replace: `const rows = this.#parts.reduce((sum, { column }) => sum + (column?.store.size ?? 0), 0)
    return cosine === null ? 0 : normalise(cosine, this.lowest - rows / 100, this.highest)`,
      },
    ],
  },
  'a list of neighbours over everything, filtered afterwards': {
    seenIn: 1,
    mutations: [
      inMeant(
        'for (const [part, found] of near.entries()) found.push(similarity.near(part, floor))',
        `const everything = similarityOf(
        visible.map(({ mask, segment, vectors }) => ({
          mask: {
            ...mask,
            surfaces: new Uint8Array(segment.size).fill(FULL),
            documents: Uint32Array.from({ length: segment.size }, (_, document) => document),
          } as typeof mask,
          column: columnFor(vectors, model, vector.length),
        })),
        vector,
      ).nearest(6)
      for (const [part, found] of near.entries())
        found.push(
          Uint32Array.from(
            everything
              .filter(one => one.part === part && visible[part]?.mask.surfaces[one.document] === FULL)
              .map(one => one.document),
          ).sort(),
        )`,
      ),
    ],
  },
  'lesser faces compared by their whole text': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/search/estimates.ts',
        find: 'if (surfaces[document] !== FULL || row < 0) continue',
        replace: 'if (surfaces[document] === 0 || FULL < 1 || row < 0) continue',
      },
      {
        file: 'src/search/vectors.ts',
        find: 'if (mask.surfaces[document] !== FULL || row < 0) return null',
        replace: 'if (mask.surfaces[document] === 0 || FULL < 1 || row < 0) return null',
      },
    ],
  },
  'a backlog of hidden work that marks a receipt': {
    seenIn: 73,
    mutations: [
      inMeant(
        'for (const document of mask.documents) {',
        'for (const document of segment.data.compartments.keys()) {',
      ),
      inMeant('if (mask.surfaces[document] !== FULL ||', 'if ('),
    ],
  },
  'words near in meaning that only hidden records have': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/search/match.ts',
        find: '// A word of hidden documents alone leaves no trace (QX-2).\n      if (hits.length === before) continue',
        replace: '',
      },
    ],
  },
  "a count of everybody's vectors": {
    seenIn: 16,
    mutations: [
      {
        file: 'src/runtime/search/receipt.ts',
        find: 'documentsCoveredCount: covered,',
        replace:
          'documentsCoveredCount: searched.reduce((sum, { vectors }) => sum + [...(vectors.get(model)?.bySize.values() ?? [])].reduce((n, { store }) => n + store.size, 0), covered),',
      },
    ],
  },
}

/** Worlds to look through before a leak counts as unseen. */
const WORLDS = 60

describe('planted leaks of meaning', () => {
  it.each(Object.entries(LEAKS))(
    '[NI-2, NI-4, NI-8, NI-9, SC-3, SC-4] the harness sees %s',
    async (_name, { seenIn, mutations }) => {
      const mutant = await makeMutant(mutations)
      const database = await freshDatabase()
      const { openStore, assemble } = (await mutant.import('src/open.ts')) as typeof Open
      const { embedding, weather } = meaningUnderTest()
      let seen = seenIn
      const connect: Connect = async (clock, observe) => {
        const db = await openStore({ databaseUrl: database.url, poolSize: 2, observe })
        const twin = await assemble(withoutClosing(db), clock, { embedding })
        return { db, twin, privity: await assemble(db, clock, { embedding }) }
      }
      const leaks = await checkNonInterference({
        connect,
        weather,
        seed: seenIn,
        worlds: WORLDS,
        focus: 'meaning',
        requests: 6,
        failFast: true,
        onWorld: world => {
          seen = seenIn + world
        },
      })
      await database.drop()
      await mutant.dispose()
      expect(leaks.length).toBeGreaterThan(0)
      if (seen !== seenIn) console.info(`seen in world ${seen}`)
    },
    600_000,
  )
})
