import { type Fragment, type PageLine, spacingOf } from './page-lines.js'

/** What a page shows around its text: the number printed on it, the stamp of a filing system, running heads and feet. */
export interface PageFacts {
  readonly label?: string
  readonly stamp?: string
  readonly heads?: readonly string[]
}

/** Removes the numbers of lines from the margin: numbers that count up from 1, one below the other. */
export function withoutLineNumbers(fragments: readonly Fragment[]): readonly Fragment[] {
  for (const side of ['left', 'right'] as const) {
    const numbers = fragments.filter(({ text }) => /^\d{1,2}$/.test(text))
    if (numbers.length < LEAST_NUMBERS) return fragments
    const edge =
      side === 'left' ? Math.min(...numbers.map(one => one.left)) : Math.max(...numbers.map(one => one.right))
    const column = numbers
      .filter(one => Math.abs((side === 'left' ? one.right : one.left) - edge) < 3 * one.size)
      .sort((a, b) => b.y - a.y)
    const counting = column.filter(
      (one, at) => at === 0 || Number(one.text) === Number(column[at - 1]?.text) + 1,
    )
    if (column.length < LEAST_NUMBERS || counting.length < column.length * 0.8 || Number(column[0]?.text) > 3)
      continue
    const margin = new Set(column)
    const rest = fragments.filter(one => !margin.has(one))
    // Text to the left of the numbers means that they are part of it, as in a list.
    const isOutside =
      side === 'left'
        ? rest.filter(one => one.left < edge).length <= rest.length * 0.05
        : rest.filter(one => one.right > edge).length <= rest.length * 0.05
    if (isOutside) return rest
  }
  return fragments
}
const LEAST_NUMBERS = 8

const STAMP =
  /\bcase\b.{0,60}\b(?:doc(?:ument)?|dktentry|filed)\b.{0,80}\b(?:page|pg|pageid)\b|\b(?:NYSCEF|DktEntry|ECF No\.|USCA\d?)\b.{0,80}\d/i
const NUMBER = /^[-–—\s[(]*(?:page\s*)?(\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|\/)\s*\d{1,4})?[-–—\s\])]*$/i
/** These begin parts of a filing, wherever they stand. */
const OPENING = /^(?:exhibit|ex\.|annex|appendix|attachment|schedule|tab)\b/i
/** How many lines at the top and the bottom of a page may be furniture. */
const EDGE = 3

/**
 * Finds the lines of each page that belong to the page and not to the text, and what they tell. A head or foot is
 * running if it stands at the same height on several pages and says the same, but for a number that counts pages.
 */
export function furnitureOf(pages: readonly (readonly PageLine[])[]): {
  readonly lines: ReadonlySet<PageLine>
  readonly facts: readonly PageFacts[]
} {
  const edges = pages.map(lines => edgesOf(lines))
  const running = runningOf(edges)
  const found = new Set<PageLine>()
  const opened = new Set<string>()
  const facts = edges.map(({ top, bottom }, page): PageFacts => {
    let label: string | undefined
    let stamp: string | undefined
    const heads: string[] = []
    const spacing = spacingOf(pages[page] ?? [])
    // Furniture lies outside of the text, so the first line of text ends it.
    for (const lines of [top, bottom])
      for (const { line, inner } of lines) {
        const text = line.text.trim()
        const number = NUMBER.exec(text)?.[1]
        const isRunning = running.has(keyOf(line, page)) || running.has(keyOf(line, null))
        if (STAMP.test(text)) stamp ??= text
        else if (!isApart(line, inner, spacing)) break
        else if (number !== undefined) label ??= number
        else if (isRunning) {
          if (OPENING.test(text) && !opened.has(text)) {
            opened.add(text)
            break
          }
          heads.push(text.replaceAll('\t', ' '))
        } else break
        found.add(line)
      }
    return {
      ...(label === undefined ? {} : { label }),
      ...(stamp === undefined ? {} : { stamp }),
      ...(heads.length === 0 ? {} : { heads }),
    }
  })
  return { lines: found, facts }
}

/** A line at the edge of a page, and the next line towards the middle of the page. */
interface EdgeLine {
  readonly line: PageLine
  readonly inner: PageLine | undefined
}

/** The outermost lines of a page, from the outside to the inside. */
function edgesOf(lines: readonly PageLine[]): { readonly top: EdgeLine[]; readonly bottom: EdgeLine[] } {
  const down = [...lines].sort((a, b) => b.y - a.y)
  const up = down.toReversed()
  const outermost = (ordered: readonly PageLine[], most: number) =>
    ordered.slice(0, most).map((line, at) => ({ line, inner: ordered[at + 1] }))
  return { top: outermost(down, EDGE), bottom: outermost(up, Math.min(EDGE, Math.max(0, up.length - EDGE))) }
}

/** Lines that several pages have at the same height. */
function runningOf(edges: readonly ReturnType<typeof edgesOf>[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const [page, { top, bottom }] of edges.entries())
    for (const key of new Set(
      [...top, ...bottom].flatMap(({ line }) => [keyOf(line, page), keyOf(line, null)]),
    ))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = Math.max(3, Math.ceil(edges.length * 0.3))
  return new Set([...counts].flatMap(([key, count]) => (count >= least ? [key] : [])))
}

/** A line and its height; numbers that count pages are equal on all pages. */
function keyOf({ text, y }: PageLine, page: number | null): string {
  const plain = text.trim().replace(/\s+/g, ' ')
  const said = page === null ? plain : plain.replace(/\d{1,7}/g, number => `#${Number(number) - page}`)
  return `${Math.round(y / 4)} ${page === null ? '=' : '#'} ${said}`
}

/** Whether a line stands further from the next line inwards than lines of text do, or is smaller than that line. */
const isApart = (line: PageLine, inner: PageLine | undefined, spacing: number): boolean =>
  inner === undefined ||
  Math.abs(line.y - inner.y) > spacing * 1.15 ||
  line.size < inner.size * 0.92 ||
  STAMP.test(inner.text) ||
  NUMBER.test(inner.text.trim())
