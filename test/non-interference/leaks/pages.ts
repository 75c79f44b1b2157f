import type { Leaks, PlantedLeak } from '../../support/planted-leaks.js'

export interface PageLeak extends PlantedLeak {
  /** What shows it. */
  readonly operation: RegExp
}

/** What decides which records are on a page, and where. */
export const PAGE_LEAKS: Leaks<PageLeak> = {
  'a metadata face placed on a timeline by when it happened': {
    seenIn: 1,
    operation: /^memory\.timeline$/,
    mutations: [
      {
        file: 'src/search/in-order.ts',
        find: 'after, level => level === FULL_LEVEL)',
        replace: 'after, () => true)',
      },
      {
        file: 'src/search/in-order.ts',
        find: 'after, level => level !== FULL_LEVEL)',
        replace: 'after, () => false)',
      },
    ],
  },
  'a filter that finds a lesser face by what it hides': {
    seenIn: 1,
    operation: /^memory\.list$/,
    mutations: [
      {
        file: 'src/runtime/search/predicates.ts',
        find: 'return full ? verdict.full : verdict.any',
        replace: 'return verdict.full',
      },
    ],
  },
}
