/** A piece of text where it stands on a page; y grows upwards. */
export interface PageItem {
  readonly str: string
  /** Scale, skew and place: the last two are x and y. */
  readonly transform: readonly number[]
  readonly height: number
  /** A line ends after it. */
  readonly hasEOL: boolean
}

/** A gap between two lines of more than so many heights of a letter separates paragraphs. */
const PARAGRAPH_GAP = 1.75

/** The text of a page in the order it is drawn: lines as they stand, an empty line where a paragraph ends. */
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

/** Far below, or above: a new column. */
function isApart(above: { y: number; height: number }, line: { y: number; height: number }): boolean {
  const letter = Math.max(above.height, line.height)
  const gap = above.y - line.y
  return gap > letter * PARAGRAPH_GAP || gap < -letter
}
