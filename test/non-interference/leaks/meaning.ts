import type { Mutation } from '../../support/mutants.js'
import type { Leaks } from '../../support/planted-leaks.js'

const inMeant = (find: string, replace: string): Mutation => ({
  file: 'src/runtime/search/compare-meanings.ts',
  find,
  replace,
})

/** Ways in which searching by meaning leaks elsewhere, each put into a copy of the sources. The harness has to see every one. */
export const MEANING_LEAKS: Leaks = {
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
  'similarities less the more there is': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/search/similarity.ts',
        find: 'return Math.min(1, Math.max(0, this.cosine(part, document) ?? 0))',
        replace: `const rows = this.#parts.reduce((sum, { column }) => sum + (column?.store.size ?? 0), 0)
    return Math.max(0, (this.cosine(part, document) ?? 0) - rows / 100)`,
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
            levels: new Uint8Array(segment.size).fill(FULL_LEVEL),
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
              .filter(one => one.part === part && visible[part]?.mask.levels[one.document] === FULL_LEVEL)
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
        find: 'if (levels[document] !== FULL_LEVEL || row < 0) continue',
        replace: 'if (levels[document] === 0 || FULL_LEVEL < 1 || row < 0) continue',
      },
      {
        file: 'src/search/vectors.ts',
        find: 'if (mask.levels[document] !== FULL_LEVEL || row < 0) return null',
        replace: 'if (mask.levels[document] === 0 || FULL_LEVEL < 1 || row < 0) return null',
      },
    ],
  },
  'a backlog of hidden work that marks a receipt': {
    seenIn: 78,
    mutations: [
      inMeant(
        'for (const document of mask.documents) {',
        'for (const document of segment.data.compartments.keys()) {',
      ),
      inMeant('if (mask.levels[document] !== FULL_LEVEL ||', 'if ('),
    ],
  },
  'words near in meaning that only hidden records have': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/search/match.ts',
        find: '// A word that only hidden documents have leaves no trace (QX-2).\n      if (hits.length === before) continue',
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
