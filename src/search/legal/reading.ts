import { TITLED_CODES } from './authorities.js'
import type { CitationKind, CitationReading } from './citation.js'
import { REPORTERS } from './reporters.js'

/**
 * White space within a citation, with at most one line break. Every quantifier is bounded, so that reading takes
 * linear time.
 */
export const CITATION_GAP = '[^\\S\\n]{0,4}\\n?[^\\S\\n]{0,4}'
const DASH = '[-\\u2010-\\u2015]'

/** The longest opinion in pages. A pinpoint further on belongs to something else. */
export const LONGEST_OPINION = 500
/** Of a range of more pages, only the first and the last are kept. */
const LONGEST_RANGE = 20
const MOST_ITEMS = 30

/** A regular expression that matches only at the place where it is tried. */
export const stickyPattern = (pattern: string, flags = '') => new RegExp(pattern, `uy${flags}`)

export function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place
  return pattern.exec(text)
}

const NUMBER_BEFORE_NAME = stickyPattern(`\\d{1,4}${CITATION_GAP}`)

/** Whether a number is the volume or title of the next citation, and therefore no page or section of this one. */
export function isVolume(text: string, place: number): boolean {
  const number = matchAt(NUMBER_BEFORE_NAME, text, place)
  if (number === null) return false
  const name = place + number[0].length
  return REPORTERS.longest(text, name) !== undefined || TITLED_CODES.longest(text, name) !== undefined
}

export interface Pinpoints {
  readonly pinpoints: readonly string[]
  readonly end: number
}

const PIN_LEAD = stickyPattern(
  `(?:,${CITATION_GAP}at|,|${CITATION_GAP}at(?=[\\s*])|(?=${CITATION_GAP}¶))${CITATION_GAP}(?:(?:pp?|pgs?|pages?)\\.?${CITATION_GAP}(?=[*\\d]))?`,
  'i',
)
const PIN = stickyPattern(
  `(¶{1,2}${CITATION_GAP}|\\*{0,2})(\\d{1,5})(?:${DASH}\\*{0,2}(\\d{1,5}))?` +
    `(?:,?${CITATION_GAP}(?:&${CITATION_GAP})?(?:nn?\\.|fn\\.?|note|footnote)${CITATION_GAP}(\\d{1,3})(?:${DASH}(\\d{1,3}))?)?` +
    '(?![\\p{L}\\p{N}%]|[./:]\\d|,\\d{3})',
)
const PIN_NEXT = stickyPattern(
  `${CITATION_GAP}(?:,${CITATION_GAP}(?:and|&)?|;|and|&)${CITATION_GAP}(?:at${CITATION_GAP})?`,
)

/** Expands a shortened range: `570-71` ends at 571. */
const endOfRange = (first: string, last: string) =>
  Number(last.length < first.length ? first.slice(0, first.length - last.length) + last : last)

function rangeOf(first: string, last: string | undefined): string[] {
  if (last === undefined) return [String(Number(first))]
  const from = Number(first)
  const to = endOfRange(first, last)
  if (to < from) return [String(from)]
  if (to - from > LONGEST_RANGE) return [String(from), String(to)]
  return Array.from({ length: to - from + 1 }, (_, more) => String(from + more))
}

/** Reads the pages after a citation. If the first page of the opinion is known, they must lie within the opinion. */
export function readPinpoints(text: string, place: number, firstPage: number | null): Pinpoints {
  const lead = matchAt(PIN_LEAD, text, place)
  const pinpoints = new Set<string>()
  if (lead === null) return { pinpoints: [], end: place }
  let end = place
  let next = place + lead[0].length
  for (let items = 0; items < MOST_ITEMS; items++) {
    const pin = matchAt(PIN, text, next)
    if (pin === null || isVolume(text, next)) break
    const [all, mark = '', first = '', last, note, lastNote] = pin
    if (firstPage !== null && mark === '' && !isWithinOpinion(Number(first), firstPage)) break
    const sign = mark.startsWith('¶') ? '¶ ' : mark === '' ? '' : '*'
    const pages = rangeOf(first, last).map(page => `${sign}${page}`)
    for (const page of pages) pinpoints.add(page)
    if (note !== undefined)
      for (const number of rangeOf(note, lastNote)) pinpoints.add(`${pages.at(-1) ?? first} n.${number}`)
    end = next + all.length
    const separator = matchAt(PIN_NEXT, text, end)
    if (separator === null) break
    next = end + separator[0].length
  }
  return { pinpoints: [...pinpoints], end }
}

export const isWithinOpinion = (page: number, firstPage: number) =>
  page >= firstPage && page - firstPage <= LONGEST_OPINION

const COURT_AND_YEAR = stickyPattern(`${CITATION_GAP}\\(([^()\\n]{0,60}?)((?:1[6-9]|20)\\d\\d)\\)`)
const DAY_OF_MONTH = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.? ?\d{0,2},? ?$/i

/** Reads the parenthesis after a citation, such as `(9th Cir. 2003)`. */
export function readCourtAndYear(text: string, place: number) {
  const found = matchAt(COURT_AND_YEAR, text, place)
  if (found === null) return { court: null, year: null, end: place }
  const court = (found[1] ?? '').replace(DAY_OF_MONTH, '').trim()
  return { court: court === '' ? null : court, year: Number(found[2]), end: place + found[0].length }
}

/** A section number with its subsections, each with those above it. */
interface Section {
  readonly start: number
  readonly end: number
  readonly number: string
  readonly pinpoints: readonly string[]
}

const SUBSECTIONS = '((?:\\((?!1[6-9]\\d\\d\\)|20\\d\\d\\))[A-Za-z0-9]{1,5}\\)){0,8})'
const SECTION = stickyPattern(
  `(\\d{1,6}(?:[A-Z]\\d{1,2}|[A-Za-z]{0,4})(?:[.:/\\-\\u2010-\\u2015]\\d{1,6}[A-Za-z]{0,3}){0,5}` +
    `(?:(?:\\([A-Za-z0-9]{1,3}\\)){1,3}-\\d{1,3}[A-Z]?)?)${SUBSECTIONS}(?![\\p{L}\\p{N}]|[%]|,\\d{3})`,
)
const NEXT_SECTION = stickyPattern(
  `${CITATION_GAP}(?:,${CITATION_GAP}(?:and|or|&)?|;|and|or|&|to|through|${DASH})${CITATION_GAP}(?:§{1,2}${CITATION_GAP})?(?=\\d)`,
)
const TWO_NUMBERS = /^(\d+)-(\d+)$/

const eachWithThoseAbove = (subsections: string) => {
  const each = subsections.match(/\([^)]*\)/g) ?? []
  return each.map((_, last) => each.slice(0, last + 1).join(''))
}

/**
 * Reads one section or a list of them. The first must begin at `place`. Further sections are read if the mark before
 * them is a plural or, with `looseList`, if they have subsections.
 */
export function readSections(text: string, place: number, plural: boolean, looseList = false): Section[] {
  const sections: Section[] = []
  let next = place
  while (sections.length < MOST_ITEMS) {
    const found = matchAt(SECTION, text, next)
    if (found === null || (sections.length > 0 && isVolume(text, next))) break
    const number = (found[1] ?? '').replace(/[\u2010-\u2015]/g, '-')
    const pinpoints = eachWithThoseAbove(found[2] ?? '')
    if (sections.length > 0 && !plural && pinpoints.length === 0) break
    const end = next + found[0].length
    const range = plural ? TWO_NUMBERS.exec(number) : null
    if (range !== null && Number(range[1]) < Number(range[2])) {
      const middle = next + (range[1] ?? '').length
      sections.push({ start: next, end: middle, number: range[1] ?? '', pinpoints: [] })
      sections.push({ start: middle + 1, end, number: range[2] ?? '', pinpoints })
    } else sections.push({ start: next, end, number, pinpoints })
    if (!plural && !looseList) break
    const separator = matchAt(NEXT_SECTION, text, end)
    if (separator === null) break
    next = end + separator[0].length
  }
  return sections
}

const AND_FOLLOWING = stickyPattern(`(?:,?${CITATION_GAP}et\\.?${CITATION_GAP}seq\\.?)?`)

/** Turns the sections of one source into citations. The first one begins where the source does. */
export function sectionsOf(
  text: string,
  start: number,
  sections: readonly Section[],
  what: { readonly kind: CitationKind; readonly source: string; readonly item: (number: string) => string },
): CitationReading[] {
  return sections.map((section, index) => {
    const last = index === sections.length - 1
    const following = last
      ? section.end + (matchAt(AND_FOLLOWING, text, section.end)?.[0].length ?? 0)
      : section.end
    const { year, end } = last ? readCourtAndYear(text, following) : { year: null, end: following }
    return {
      kind: what.kind,
      form: 'full',
      start: index === 0 ? start : section.start,
      end,
      source: what.source,
      item: what.item(section.number),
      pinpoints: section.pinpoints,
      year,
    }
  })
}
