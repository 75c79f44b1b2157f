import type { Mutation } from '../../support/mutants.js'
import type { Leaks } from '../../support/planted-leaks.js'

const inMatch = (find: string, replace: string): Mutation => ({ file: 'src/search/match.ts', find, replace })

/** Postings past the mask: what no code outside of the index can write by accident. */
const ALL_WITH = (word: string) =>
  `parts.reduce((sum, { segment }) => { const place = segment.full.find(${word}); return sum + (place < 0 ? 0 : ((n: { at: number }) => (segment.full.gather(place, new Uint32Array(segment.size), { positions: { push() {} }, add: () => { n.at++ } } as never), n.at))({ at: 0 })) }, 0)`

/** Ways in which searches leak elsewhere, each put into a copy of the sources. The harness has to see every one. */
export const SEARCH_LEAKS: Leaks = {
  'document frequencies over everything': {
    seenIn: 2,
    mutations: [
      inMatch('weightOf(documents, frequency)', `weightOf(documents + 100, ${ALL_WITH('term.term')})`),
    ],
  },
  'the average length of everything': {
    seenIn: 2,
    mutations: [
      inMatch(
        'const averageLength = documents === 0 ? 0 : words / documents',
        `const averageLength = documents === 0 ? 0 : parts.reduce((sum, { segment }) => sum + segment.full.data.lengths.reduce((a, b) => a + b, 0), words) / documents`,
      ),
    ],
  },
  'feedback weighed by everything': {
    seenIn: 2,
    mutations: [
      {
        file: 'src/search/feedback.ts',
        find: 'value: amount * weightOf(documents, frequency)',
        replace: `value: amount * weightOf(documents + 100, ${ALL_WITH('word')})`,
      },
    ],
  },
  'feedback from what a face does not show': {
    seenIn: 6,
    mutations: [
      {
        file: 'src/runtime/search/feedback.ts',
        find: 'shownTexts(row, level)',
        replace: `shownTexts(row, 'full')`,
      },
    ],
  },
  'a filter after the best were taken': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/runtime/index/visible-set.ts',
        find: 'levels: faces.map(face => MASK_LEVELS[shownLevel(face)]),',
        replace: 'levels: faces.map(face => MASK_LEVELS[shownLevel(face)] || 1),',
      },
      {
        file: 'src/runtime/search/run.ts',
        find: 'return page.map(item => {',
        replace: 'return page.flatMap(item => {',
      },
      {
        file: 'src/runtime/search/run.ts',
        find: 'if (row === undefined || view === null || view.face !== LEVEL_OF[level]) throw disagreement(request)',
        replace: 'if (row === undefined || view === null) return []',
      },
      // What is hidden from the gates is not fetched for feedback either.
      {
        file: 'src/runtime/search/feedback.ts',
        find: 'if (!question.feedback ||',
        replace: 'if (question.feedback ||',
      },
    ],
  },
  'facets over everything': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/runtime/search/facets.ts',
        find: 'for (const document of documents) {',
        replace: 'for (let document = 0; document < segment.size; document++) {',
      },
    ],
  },
  'suggestions and completions from everything': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/search/suggest.ts',
        find: 'if (hits.length === 0) return',
        replace: '',
      },
    ],
  },
  'expansions from everything': {
    seenIn: 1,
    mutations: [
      inMatch(
        '// A word that only hidden documents have leaves no trace (QX-2).\n      if (hits.length === before) continue',
        '',
      ),
    ],
  },
  'a metadata face found by its body': {
    seenIn: 2,
    mutations: [
      {
        file: 'src/runtime/index/document.ts',
        find: `metadata: { parts: [...tags], language`,
        replace: `metadata: { parts: [...tags, row.text], language`,
      },
    ],
  },
  'a preview found by what it does not show': {
    seenIn: 20,
    mutations: [
      {
        file: 'src/runtime/index/document.ts',
        find: `parts: [title ?? '', text, ...tags]`,
        replace: `parts: [row.title ?? '', row.text, ...tags]`,
      },
    ],
  },
  'a lesser face found by a filter on its payload': {
    seenIn: 33,
    mutations: [
      {
        file: 'src/runtime/search/predicates.ts',
        find: 'return full ? verdict.full : verdict.any',
        replace: 'return verdict.full',
      },
    ],
  },
  'a count of everything with the words': {
    seenIn: 2,
    mutations: [
      {
        file: 'src/runtime/operations/search.ts',
        find: 'count: executed.matches.count,',
        replace: `count: segments.reduce((sum, { segment }) => sum + [...executed.words].reduce((n, word) => { const p = segment.full.find(word); return n + (p < 0 ? 0 : ((n: { at: number }) => (segment.full.gather(p, new Uint32Array(segment.size), { positions: { push() {} }, add: () => { n.at++ } } as never), n.at))({ at: 0 })) }, 0), 0),`,
      },
    ],
  },
  'turns that are hidden stand between those that are seen': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/search/conversations.ts',
        find: 'if (mask.levels[document] !== FULL_LEVEL) continue',
        replace: 'if (mask.levels.length < FULL_LEVEL) continue',
      },
    ],
  },
  'scores normalised over the page': {
    seenIn: 38,
    mutations: [
      {
        file: 'src/runtime/operations/search.ts',
        find: 'score: item.score,',
        replace: 'score: item.score / (page[0]?.score || 1),',
      },
    ],
  },
  'float sums in an order that hidden records set, not rounded': {
    seenIn: 38,
    mutations: [
      inMatch(
        'const terms = question.terms.map(',
        `const terms = [...question.terms].sort((a, b) => ${ALL_WITH('a.term')} - ${ALL_WITH('b.term')}).map(`,
      ),
      {
        file: 'src/search/bm25.ts',
        find: 'Math.round(score * STEP) / STEP',
        replace: 'score',
      },
    ],
  },
  'a mark for an index that hidden writes left behind': {
    seenIn: 49,
    mutations: [
      {
        file: 'src/runtime/search/receipt.ts',
        find: 'anyIndexStale: coverage.anyIndexStale,',
        replace: 'anyIndexStale: visible.segments.length % 2 === 0,',
      },
    ],
  },
  'a snapshot named after everything in it': {
    seenIn: 1,
    mutations: [
      {
        file: 'src/runtime/search/receipt.ts',
        find: 'const sums = [first, second, surfaces, mask.words]',
        replace: 'const sums = [first, second, surfaces, segment.size]',
      },
    ],
  },
  'a decision kept across a revocation': {
    seenIn: 2,
    mutations: [
      {
        file: 'src/runtime/index/visible-set.ts',
        find: 'JSON.stringify([rest, restsOn], spellOut)',
        replace: 'JSON.stringify([rest], spellOut)',
      },
    ],
  },
  'a mask kept past an expiry': {
    seenIn: 78,
    mutations: [
      {
        file: 'src/runtime/index/visible-set.ts',
        find: 'known.from <= subject.now && subject.now < known.until',
        replace: 'true',
      },
    ],
  },
  'a forgotten record still counted': {
    seenIn: 7,
    mutations: [
      {
        file: 'src/search/segment.ts',
        find: 'level !== HIDDEN_LEVEL && dead[document] === 0',
        replace: 'level !== HIDDEN_LEVEL',
      },
    ],
  },
  'an index that does not follow changes': {
    seenIn: 5,
    mutations: [
      {
        file: 'src/runtime/index/cells.ts',
        find: 'if (!(await this.#takeHere(tx, tenant, known, snapshot, changes))) throw this.#behind(tenant, names)',
        replace: 'if (changes.length > 1e9) throw this.#behind(tenant, names)',
      },
    ],
  },
}
