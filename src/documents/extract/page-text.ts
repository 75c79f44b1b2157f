import { type PageLine, spacingOf } from './page-lines.js'

/** A paragraph of a page. */
export interface Paragraph {
  text: string
  /** Whether it ends with a full line, so that it may go on on the next page. */
  isOpen: boolean
  /** Whether it holds lines that were joined, and not only short lines. */
  isProse: boolean
  /** Whether it may continue a paragraph of the page before: its first line is not indented. */
  readonly continues: boolean
  readonly isNote: boolean
}

/** The words of a document, which tell whether a hyphen at the end of a line belongs to a word. */
export type Vocabulary = ReadonlySet<string>

/** The words of some lines, without those that are cut at the ends of lines. */
export function vocabularyOf(pages: readonly (readonly PageLine[])[]): Vocabulary {
  const words = new Set<string>()
  for (const lines of pages)
    for (const { text } of lines)
      for (const [word] of text.matchAll(/\p{L}+(?:[-‐]\p{L}+)*(?![-‐\p{L}])/gu))
        words.add(word.toLowerCase())
  return words
}

/** How much wider than usual the space above a line is that begins a paragraph. */
const WIDER = 1.3
/** How far the first line of a paragraph is indented, in letter heights. */
const INDENT = 0.9

/**
 * Joins the lines of a page to paragraphs. How far lines stand apart is learnt from the page: double spacing is no
 * paragraph. A line goes on with the next one if the next one's first word had no room on it.
 */
export function paragraphsOf(lines: readonly PageLine[], words: Vocabulary): Paragraph[] {
  const notes = firstNote(lines)
  return [
    ...joinParagraphs(lines.slice(0, notes), false, words),
    ...joinParagraphs(lines.slice(notes), true, words),
  ]
}

function joinParagraphs(lines: readonly PageLine[], isNote: boolean, words: Vocabulary): Paragraph[] {
  const spacing = spacingOf(lines)
  const paragraphs: Paragraph[] = []
  for (const [at, line] of lines.entries()) {
    const above = lines[at - 1]
    const last = paragraphs.at(-1)
    const { left, right } = marginsOf(lines, at)
    const isOpen = isFull(line, right)
    const isMarked = isNote && NOTE.test(line.text)
    if (last !== undefined && above !== undefined && !isMarked && goesOn(lines, at, spacing)) {
      last.text = joinLines(last.text, line.text, words)
      last.isOpen = isOpen
      last.isProse = true
      continue
    }
    if (last !== undefined && above !== undefined && wrapsCell(above, line, spacing)) {
      last.text += ` ${line.text}`
      continue
    }
    const text = isMarked ? line.text.replace(NOTE, (_, mark) => `[${mark}] `) : line.text
    const gap = above === undefined ? 0 : above.y - line.y
    // Short lines one below the other, as in a caption or a list, are lines of one paragraph.
    if (
      last !== undefined &&
      !isMarked &&
      !last.isProse &&
      !last.isOpen &&
      !isOpen &&
      gap > 0 &&
      gap <= spacing * WIDER
    ) {
      last.text += `\n${text}`
      continue
    }
    const continues = line.left - left < INDENT * line.size && !line.hasCells
    paragraphs.push({ text, isOpen, isProse: false, continues, isNote })
  }
  return paragraphs
}

/** Joins two lines of a paragraph. A hyphen stays where the document writes the word with one. */
export function joinLines(above: string, line: string, words: Vocabulary): string {
  if (above.endsWith('\u00ad')) return above.slice(0, -1) + line
  const cut = /(\p{L}+)[-‐]$/u.exec(above)?.[1]
  const rest = /^\p{Ll}+(?:[-‐]\p{L}+)*/u.exec(line)?.[0]
  if (cut === undefined || rest === undefined)
    return /[-–—/‐]$/u.test(above) && /^\S/.test(line) && !/\s[-–—]$/u.test(above)
      ? above + line
      : `${above} ${line}`
  const [joined, hyphened] = [`${cut}${rest}`.toLowerCase(), `${cut}-${rest}`.toLowerCase()]
  const isCompound =
    !words.has(joined) &&
    (words.has(hyphened) || (cut.length > 2 && words.has(cut.toLowerCase()) && words.has(rest.toLowerCase())))
  return isCompound ? above + line : above.replace(/[-‐]$/u, '') + line
}

/** The size of most letters. */
function usualSize(lines: readonly PageLine[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length)
  }
  return [...letters].sort(([a, x], [b, y]) => y - x || b - a)[0]?.[0] ?? 0
}

const NOTE = /^\[?(\d{1,3}|[*†‡])\]?[.)]?\s*(?=\S)/

/** The index of the first line of the footnotes: small lines at the bottom of the page that begin with a mark. */
function firstNote(lines: readonly PageLine[]): number {
  const usual = usualSize(lines)
  let first = lines.length
  while (first > 0 && (lines[first - 1] as PageLine).size <= usual * 0.92) first--
  while (first < lines.length && !NOTE.test((lines[first] as PageLine).text)) first++
  return first === 0 ? lines.length : first
}

/** How many lines above and below a line tell the edges of its column. */
const AROUND = 12

/**
 * The edges of the text around a line, among lines beside which it could stand. A block that is indented on both sides
 * has edges of its own.
 */
function marginsOf(
  lines: readonly PageLine[],
  at: number,
): { readonly left: number; readonly right: number } {
  const line = lines[at] as PageLine
  let { left, right } = line
  const near: PageLine[] = []
  for (let other = Math.max(0, at - AROUND); other < Math.min(lines.length, at + AROUND + 1); other++) {
    const one = lines[other] as PageLine
    if (one.hasCells || one.left >= line.right || one.right <= line.left) continue
    near.push(one)
    left = Math.min(left, one.left)
    right = Math.max(right, one.right)
  }
  const block = near.filter(one => Math.abs(one.left - line.left) < 0.5 * line.size)
  const edge = Math.max(...block.map(one => one.right))
  const isBlock =
    block.length > 2 &&
    line.left - left > 1.5 * line.size &&
    right - edge > 1.5 * line.size &&
    !isCentered(block)
  return isBlock ? { left: line.left, right: edge } : { left, right }
}

/** Whether lines end at different places, as centered lines and names one below the other do. */
function isCentered(block: readonly PageLine[]): boolean {
  const rights = block.map(one => one.right).sort((a, b) => b - a)
  return (rights[0] ?? 0) - (rights[rights.length >> 1] ?? 0) > 6 * (block[0]?.size ?? 1)
}

const isFull = ({ right, size, hasCells, text }: PageLine, margin: number): boolean =>
  !hasCells && right >= margin - 6 * size && text.length > 20

/** Whether a line continues the last cell of the row above it, as a title beside the parties of a caption does. */
const wrapsCell = (above: PageLine, line: PageLine, spacing: number): boolean =>
  above.hasCells &&
  !line.hasCells &&
  above.y > line.y &&
  above.y - line.y <= spacing * WIDER &&
  Math.abs(line.left - above.lastCell) < line.size

/** What begins a paragraph wherever it stands: a question or an answer of a transcript, and an item of a list. */
const ITEM = /^(?:[QA][.:]?\s+\S|[•▪◦‣]\s)/
const NUMBERED = /^(?:\d{1,3}|[A-Z]|[IVX]{1,5})[.)]\s+\S/

/** Whether a line continues the line above it. */
function goesOn(lines: readonly PageLine[], at: number, spacing: number): boolean {
  const [above, line] = [lines[at - 1] as PageLine, lines[at] as PageLine]
  const gap = above.y - line.y
  if (gap > Math.max(spacing * WIDER, above.size * 1.3)) return false
  if (above.hasCells || line.hasCells || Math.abs(above.size - line.size) > 0.2 * above.size) return false
  const { left } = marginsOf(lines, at)
  // An indented line begins a paragraph, unless the line above it is indented as far, as in a block quotation.
  if (line.left - left > INDENT * line.size && line.left - above.left > INDENT * line.size) return false
  if (ITEM.test(line.text) || (NUMBERED.test(line.text) && /[.!?:;]["”’)]*$/u.test(above.text))) return false
  const { right } = marginsOf(lines, at - 1)
  const isUnfinished = /^\p{Ll}/u.test(line.text) && !/[.!?:;]$/.test(above.text) && isFull(above, right)
  // At the top of the next column only an unfinished sentence goes on.
  if (gap <= 0 || isUnfinished) return isUnfinished
  const first = /^\S+/.exec(line.text)?.[0].length ?? 0
  const letter = (line.right - line.left) / Math.max(1, line.text.length)
  return above.text.length > 20 && above.right + (first + 1) * letter > right
}
