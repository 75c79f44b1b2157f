import { findSourcesOf, type StoredFileState } from '../storage/queries/sources.js'
import type { ReadRequest } from './request.js'

/**
 * How far a document can be relied on (SR-14): it says what its file says now, what it said before, or only what was
 * readable.
 */
export const FRAMINGS = ['current', 'stale', 'partial'] as const
export type Framing = (typeof FRAMINGS)[number]

/**
 * The newest version of a card's file; `sources` are sorted newest first. A version that waits or failed has no card
 * yet.
 */
export const newestOf = <Source extends StoredFileState>(
  sources: readonly Source[],
  card: string | null,
): Source | undefined => sources.find(({ recordId }) => recordId === null || recordId === card)

/**
 * The framing of cards that this caller sees in full. Row-level security decides who knows of a waiting version; a
 * caller who knows nothing of a card's file gets no framing.
 */
export async function framingsOf(
  request: ReadRequest,
  cards: readonly string[],
): Promise<ReadonlyMap<string, Framing>> {
  return framingsFrom(await findSourcesOf(request.tx, request.tenant, cards), cards)
}

/** The same, from the files of at least these cards. */
export function framingsFrom(
  sources: readonly StoredFileState[],
  cards: readonly string[],
): ReadonlyMap<string, Framing> {
  return new Map(
    cards.flatMap((card): [string, Framing][] => {
      const own = sources.filter(({ recordId, follows }) => recordId === card || follows === card)
      const newest = newestOf(own, card)
      return newest === undefined ? [] : [[card, framingOf(newest)]]
    }),
  )
}

const framingOf = ({ recordId, state }: StoredFileState): Framing =>
  recordId === null ? 'stale' : state === 'complete' ? 'current' : 'partial'
