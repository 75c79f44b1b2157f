import { findSourcesOf, type SourceRow } from '../storage/queries/sources.js'
import type { ReadRequest } from './request.js'

/** SR-14: whether a document says what its file says now, said before, or as much of it as could be read. */
export const FRAMINGS = ['current', 'stale', 'partial'] as const
export type Framing = (typeof FRAMINGS)[number]

/** The newest version of a card's file, newest first given: one that waits or failed has no card yet. */
export const newestOf = (sources: readonly SourceRow[], card: string | null): SourceRow | undefined =>
  sources.find(({ recordId }) => recordId === null || recordId === card)

/**
 * How cards that this caller sees in full may be relied on. A version that waits is known to whom row-level security shows
 * it; for whoever knows nothing of a card's file there is no framing.
 */
export async function framingsOf(
  request: ReadRequest,
  cards: readonly string[],
): Promise<ReadonlyMap<string, Framing>> {
  const sources = await findSourcesOf(request.tx, request.tenant, cards)
  return new Map(
    cards.flatMap((card): [string, Framing][] => {
      const own = sources.filter(({ recordId, follows }) => recordId === card || follows === card)
      const newest = newestOf(own, card)
      return newest === undefined ? [] : [[card, framingOf(newest)]]
    }),
  )
}

const framingOf = ({ recordId, state }: SourceRow): Framing =>
  recordId === null ? 'stale' : state === 'complete' ? 'current' : 'partial'
