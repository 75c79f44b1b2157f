/** A stored span, of which only these fields matter here. */
interface PlacedSpan {
  readonly start?: number
  readonly page?: number
}

/**
 * The page of a place in a chunk. The first span of a chunk is all of it, with the page on which it begins; each further
 * one begins where the next page does.
 */
export function pageAt(spans: readonly unknown[], place: number): number | null {
  let page: number | null = null
  for (const span of spans as readonly PlacedSpan[])
    if ((span.start ?? 0) <= place && span.page !== undefined) page = span.page
  return page
}

/** The part of a chunk that is on a page; null if there is none. */
export function stretchOn(
  spans: readonly unknown[],
  page: number,
): { readonly start: number; readonly end: number } | null {
  const placed = spans as readonly (PlacedSpan & { readonly end?: number })[]
  const at = placed.findIndex(span => span.page === page)
  const [begins, all] = [placed[at], placed[0]]
  if (begins?.start === undefined || all?.end === undefined) return null
  return { start: begins.start, end: placed[at + 1]?.start ?? all.end }
}
