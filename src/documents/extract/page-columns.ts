import { type Fragment, linesOfFragments, type PageLine } from './page-lines.js'

/** A gutter is at least this wide, in letter heights, and has at least so many lines on each side of it. */
const GUTTER = 0.9
const LEAST_LINES = 8
/** The share of its column that a line of running text fills. A table and a caption have shorter cells. */
const FILLED = 0.6

/**
 * The lines of a page in reading order. Columns of running text are read one after the other, from top to bottom; a line
 * across all columns divides what is above it from what is below it. Rows of tables and captions stay together.
 */
export function linesInReadingOrder(fragments: readonly Fragment[]): PageLine[] {
  const gutter = gutterOf(fragments)
  if (gutter === null) return linesOfFragments(fragments)
  const lines: PageLine[] = []
  let zone: Fragment[] = []
  const endZone = () => {
    lines.push(...linesOfFragments(zone.filter(({ right }) => right <= gutter)))
    lines.push(...linesOfFragments(zone.filter(({ right }) => right > gutter)))
    zone = []
  }
  for (const row of rowsOf(fragments)) {
    if (row.some(({ left, right }) => left < gutter && right > gutter)) {
      endZone()
      lines.push(...linesOfFragments(row))
    } else zone.push(...row)
  }
  endZone()
  return lines
}

/** Fragments at the same height, from top to bottom. */
function rowsOf(fragments: readonly Fragment[]): Fragment[][] {
  const rows: Fragment[][] = []
  let y = Number.POSITIVE_INFINITY
  for (const piece of [...fragments].sort((a, b) => b.y - a.y)) {
    if (y - piece.y > 0.5 * piece.size) {
      rows.push([])
      y = piece.y
    }
    rows.at(-1)?.push(piece)
  }
  return rows
}

/** The middle of the gap between two columns of running text; null if the page has one column. */
function gutterOf(fragments: readonly Fragment[]): number | null {
  if (fragments.length < 2 * LEAST_LINES) return null
  const rows = rowsOf(fragments)
  const left = Math.min(...fragments.map(piece => piece.left))
  const right = Math.max(...fragments.map(piece => piece.right))
  // Where the rows that hold a gap have it: the place that most of them share.
  const gaps = rows.flatMap(row => {
    const pieces = [...row].sort((a, b) => a.left - b.left)
    return pieces.slice(1).flatMap((piece, at) => {
      const from = (pieces[at] as Fragment).right
      const isGutter =
        piece.left - from > GUTTER * piece.size &&
        from > left + (right - left) * 0.25 &&
        piece.left < left + (right - left) * 0.75
      return isGutter ? [{ from, to: piece.left }] : []
    })
  })
  if (gaps.length < LEAST_LINES) return null
  const begins = median(gaps.map(({ to }) => to))
  const shared = gaps.filter(({ from, to }) => Math.abs(to - begins) < 6 && from < begins)
  if (shared.length < LEAST_LINES || shared.length < gaps.length * 0.6) return null
  const ends = Math.max(...shared.map(({ from }) => from))
  if (ends >= begins) return null
  const middle = (ends + begins) / 2
  const isFull = (share: readonly number[], width: number) =>
    share.length >= LEAST_LINES && median([...share]) > width * FILLED
  const beside = rows.filter(row => !row.some(piece => piece.left < middle && piece.right > middle))
  const widths = (pieces: readonly Fragment[]) =>
    pieces.length === 0
      ? []
      : [Math.max(...pieces.map(piece => piece.right)) - Math.min(...pieces.map(piece => piece.left))]
  const leftWidths = beside.flatMap(row => widths(row.filter(piece => piece.right <= middle)))
  const rightWidths = beside.flatMap(row => widths(row.filter(piece => piece.left >= middle)))
  return isFull(leftWidths, ends - left) && isFull(rightWidths, right - begins) ? middle : null
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
