/** A piece of text and its position on a page; y grows upwards. */
export interface PageItem {
  readonly str: string
  /** The transformation matrix: scale, skew and position; the last two numbers are x and y. */
  readonly transform: readonly number[]
  readonly height: number
  /** Whether a line ends after this piece. */
  readonly hasEOL: boolean
}

/** Lines that are further apart than this many letter heights belong to different paragraphs. */
const PARAGRAPH_GAP = 1.75

/** The text of a page in drawing order, line by line, with an empty line between paragraphs. */
export function pageText(items: readonly PageItem[]): string {
  const lines: string[] = []
  let line = ''
  let above: { y: number; height: number } | null = null
  let current: { y: number; height: number } | null = null
  const end = () => {
    const text = line.trimEnd()
    if (text.trim() !== '' && current !== null) {
      if (above !== null && isApart(above, current)) lines.push('')
      lines.push(text)
      above = current
    }
    line = ''
    current = null
  }
  for (const { str, transform, height, hasEOL } of items) {
    if (current === null && str.trim() !== '') current = { y: transform[5] ?? 0, height }
    line += str
    if (hasEOL) end()
  }
  end()
  return lines.join('\n')
}

/** Whether a line starts a new paragraph: it is far below the line before, or above it, as in a new column. */
function isApart(above: { y: number; height: number }, line: { y: number; height: number }): boolean {
  const letter = Math.max(above.height, line.height)
  const gap = above.y - line.y
  return gap > letter * PARAGRAPH_GAP || gap < -letter
}
