/** A piece of text and its position on a page, as pdf.js returns it; y grows upwards. */
export interface PageItem {
  readonly str: string
  /** The transformation matrix: scale, skew and position; the last two numbers are x and y. */
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly dir?: string
}

/** A piece of text with its place, upright. */
export interface Fragment {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
  readonly size: number
  readonly isRightToLeft: boolean
}

/** A visual line of a page. */
export interface PageLine {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
  readonly size: number
  /** Whether wide gaps divide it, as in a row of a table; and where its last cell begins. */
  readonly hasCells: boolean
  readonly lastCell: number
}

/** The gaps between two fragments, in letter heights, that count as a space and as the border of a cell. */
const SPACE = 0.12
const CELL = 1.8

/** The upright fragments of a page, and those that are turned against most of the page, such as text in a margin. */
export function fragmentsOf(items: readonly PageItem[]): { upright: Fragment[]; turned: Fragment[] } {
  const written = items.filter(({ str }) => str.trim() !== '')
  const angles = new Map<number, number>()
  for (const item of written) {
    const angle = quarterOf(item)
    angles.set(angle, (angles.get(angle) ?? 0) + item.str.length)
  }
  const [page = 0] = [...angles].sort(([a, x], [b, y]) => y - x || a - b)[0] ?? []
  const upright: Fragment[] = []
  const turned: Fragment[] = []
  for (const item of written) (quarterOf(item) === page ? upright : turned).push(fragmentOf(item))
  return { upright, turned }
}

/** The direction of a piece of text, in quarter turns. */
function quarterOf({ transform: [a = 1, b = 0] }: PageItem): number {
  return (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4
}

function fragmentOf(item: PageItem): Fragment {
  const { str, width, height, dir, transform } = item
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
  const size = Math.hypot(c, d) || height || Math.hypot(a, b) || 1
  const [left, base] = [
    [x, y],
    [y, -x],
    [-x, -y],
    [-y, x],
  ][quarterOf(item)] as [number, number]
  // Space at the ends of a piece would widen it.
  const text = str.trim()
  const wide = Math.abs(width)
  const letter = wide / Math.max(1, str.length)
  const lead = (str.length - str.trimStart().length) * letter
  const tail = (str.length - str.trimEnd().length) * letter
  return { text, left: left + lead, right: left + wide - tail, y: base, size, isRightToLeft: dir === 'rtl' }
}

/** Gathers fragments into lines from top to bottom. */
export function linesOfFragments(fragments: readonly Fragment[]): PageLine[] {
  const sorted = [...fragments].sort((a, b) => b.y - a.y || a.left - b.left)
  const rows: { y: number; size: number; pieces: Fragment[] }[] = []
  for (const piece of sorted) {
    const row = rows.at(-1)
    // A raised mark, such as the number of a note, is smaller and belongs to the line that it is raised above.
    if (row !== undefined && row.y - piece.y <= 0.5 * Math.max(row.size, piece.size)) {
      row.pieces.push(piece)
      if (piece.size > row.size) {
        row.size = piece.size
        row.y = piece.y
      }
    } else rows.push({ y: piece.y, size: piece.size, pieces: [piece] })
  }
  return rows.map(lineOf)
}

function lineOf({ y, size, pieces }: { y: number; size: number; pieces: readonly Fragment[] }): PageLine {
  const isRightToLeft = pieces.filter(piece => piece.isRightToLeft).length * 2 > pieces.length
  const ordered = [...pieces].sort((a, b) => (isRightToLeft ? b.right - a.right : a.left - b.left))
  let text = ''
  let hasCells = false
  let lastCell = 0
  let before: Fragment | undefined
  for (const piece of ordered) {
    if (before !== undefined) {
      const gap = isRightToLeft ? before.left - piece.right : piece.left - before.right
      if (gap > CELL * size) {
        hasCells = true
        lastCell = piece.left
        text += '\t'
      } else if (gap > SPACE * size) text += ' '
    }
    text += isNoteMark(piece, y, size, before) ? `[${piece.text}]` : piece.text
    before = piece
  }
  return {
    text,
    left: Math.min(...pieces.map(piece => piece.left)),
    right: Math.max(...pieces.map(piece => piece.right)),
    y,
    size,
    hasCells,
    lastCell,
  }
}

/** Whether a piece is a small raised number directly behind a word. */
const isNoteMark = (piece: Fragment, y: number, size: number, before: Fragment | undefined): boolean =>
  before !== undefined &&
  /^(?:\d{1,3}|[*†‡])$/.test(piece.text) &&
  piece.size <= 0.8 * size &&
  piece.y - y >= 0.15 * size &&
  piece.left - before.right < 0.4 * size

/** The usual distance between two lines. */
export function spacingOf(lines: readonly PageLine[]): number {
  const counted = new Map<number, number>()
  for (const [at, line] of lines.entries()) {
    const gap = at === 0 ? 0 : (lines[at - 1] as PageLine).y - line.y
    if (gap > 0) counted.set(Math.round(gap), (counted.get(Math.round(gap)) ?? 0) + 1)
  }
  const [most] = [...counted].sort(([a, x], [b, y]) => y - x || a - b)
  return most?.[0] ?? 0
}
