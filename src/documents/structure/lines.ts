/** A line without the white space around it: `text` is the source from `start` to `end`. */
export interface DocumentLine {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The next line in a range that is not blank. Of a line longer than `most`, only the beginning is returned. */
export function nextLine(text: string, from: number, to: number, most = 400): DocumentLine | null {
  const start = skipSpace(text, from, to)
  if (start === to) return null
  const newline = text.indexOf('\n', start)
  let end = newline === -1 ? to : Math.min(newline, to)
  while (isSpace(text.charCodeAt(end - 1))) end--
  return { start, end, text: text.slice(start, Math.min(end, start + most)) }
}

/** The lines in a range that are not blank. */
export function linesOf(text: string, from: number, to: number): DocumentLine[] {
  const lines: DocumentLine[] = []
  for (let line = nextLine(text, from, to); line !== null; line = nextLine(text, line.end, to))
    lines.push(line)
  return lines
}

const COLUMNS = /\s{2,}[)§|│:]+\s*|^[)§|│:]+\s+|\s+[)§|│]$|\s{3,}|\t+/g

/** Splits a line into columns: in a caption, text often stands beside the names of the parties. */
export function columnsOf({ start, text }: DocumentLine): DocumentLine[] {
  const cells: DocumentLine[] = []
  let at = 0
  const add = (end: number) => {
    // The column of brackets or section signs between parties and title belongs to neither.
    const lead = /^\s*(?:[)§|│:]+\s+)?/u.exec(text.slice(at, end))?.[0].length ?? 0
    const cell = text.slice(at + lead, end).trim()
    const begins = start + at + lead
    // In New York the rules of a caption end with an x.
    if (/[\p{L}\p{N}]/u.test(cell) && !isRule(cell) && !/^x$/i.test(cell))
      cells.push({ start: begins, end: begins + cell.length, text: cell })
  }
  for (const gap of text.matchAll(COLUMNS)) {
    add(gap.index)
    at = gap.index + gap[0].length
  }
  add(text.length)
  return cells
}

/** The line a court's filing system prints on every page. */
export function isStamp(text: string): boolean {
  return (
    /^(?:\S+ ){0,2}Case\b/i.test(text) &&
    /\b(?:Doc(?:ument)?|DktEntry)\b/i.test(text) &&
    /\b(?:Page|Pg)/i.test(text)
  )
}

/** A horizontal rule across the page, which in New York ends with an x. */
function isRule(text: string): boolean {
  return /^[-–—_=~*\s]{3,}x?$/i.test(text)
}

/** Whether a line is a stamp, a page number or a rule, rather than part of the text. */
export function isFurniture(text: string): boolean {
  return (
    isStamp(text) ||
    isRule(text) ||
    /^[-–—\s]*(?:page\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*of\s*\d{1,4})?[-–—\s]*$/i.test(text)
  )
}

/** Headings of tables of contents and lists of exhibits (CONTENTS), and of the first sections of a filing (BODY). */
export const CONTENTS =
  /^(?:Table of (?:Contents|Authorities|Exhibits)|(?:Index|List) of Exhibits|Exhibit (?:List|Index)|Contents)$/i
export const BODY =
  /^(?:(?:[IVX]{1,4}|\d|[A-Z])\.\s+)?(?:introduction|preliminary statement|argument|background|statement of (?:the )?(?:case|facts|issues|jurisdiction)|jurisdictional statement|summary of (?:the )?argument)\.?$/i

/** Whether a line is in capitals, apart from a few letters. */
export function isCapitals(text: string): boolean {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0
  return upper >= 2 && lower <= upper / 9
}

/** Whether every word but the small ones begins with a capital, as in a name and unlike in a sentence. */
export function isName(text: string): boolean {
  return text.split(' ').every(word => /^(?:of|the|for|in|and|at)$/.test(word) || !/^\p{Ll}/u.test(word))
}

/** Whether a character is Unicode white space, as `trim` defines it. */
export function isSpace(code: number): boolean {
  return (
    code === 32 ||
    (code >= 9 && code <= 13) ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}

/** The first position from `from` on that is not white space, or `to`. */
export function skipSpace(text: string, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(text.charCodeAt(at))) at++
  return at
}

/** The last range that begins at or before a position. Ranges must be sorted. */
export const lastBefore = <Range extends { readonly start: number }>(
  ranges: readonly Range[],
  at: number,
): Range | undefined => ranges[firstAfter(ranges, at) - 1]

/** The index of the first range that begins after a position. Ranges must be sorted. */
export function firstAfter(ranges: readonly { readonly start: number }[], at: number): number {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle] as { readonly start: number }).start <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Collapses white space and shortens a name or title. */
export function tidy(text: string, most = 200): string {
  const single = text.replace(/\s+/g, ' ').trim()
  if (single.length <= most) return single
  return `${single.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
