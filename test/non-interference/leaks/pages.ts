import type { Leaks, PlantedLeak } from '../../support/planted-leaks.js'

export interface PageLeak extends PlantedLeak {
  /** What shows it. */
  readonly operation: RegExp
}

/** Each in two places: with the statement alone broken, the operation would leave the record out. */
export const PAGE_LEAKS: Leaks<PageLeak> = {
  'a metadata face placed on a timeline by when it happened': {
    seenIn: 1,
    operation: /^memory\.timeline$/,
    mutations: [
      {
        file: 'src/storage/queries/timeline-records.ts',
        find: 'IS_SEEN_IN_FULL} then r.occurred_at',
        replace: 'true} then r.occurred_at',
      },
      {
        file: 'src/runtime/operations/timeline.ts',
        find: 'isPlacedByFace(row, view) && matchesByFace(view, asked) ? view',
        replace: 'matchesByFace(view, asked) ? view',
      },
    ],
  },
  'a filter that finds a lesser face by what it hides': {
    seenIn: 91,
    // Shared documents are listed by the same statement.
    operation: /^(?:memory|document_view)\.list$/,
    mutations: [
      {
        file: 'src/storage/queries/list-records.ts',
        find: 'IS_SEEN_IN_FULL})',
        replace: 'true})',
      },
      {
        file: 'src/runtime/operations/list.ts',
        find: `return view.face === 'full' || !asksPayload`,
        replace: 'return true',
      },
    ],
  },
}
