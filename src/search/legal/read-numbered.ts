import { CAPITAL_TITLES, TITLED_CODES, type TitledCode } from './authorities.js'
import type { CitationReading } from './citation.js'
import {
  CITATION_GAP,
  isVolume,
  matchAt,
  readCourtAndYear,
  readPinpoints,
  readSections,
  sectionsOf,
  stickyPattern,
} from './reading.js'
import { REPORTERS, type Reporter } from './reporters.js'
import { toRoman } from './roman.js'

const NUMBER = stickyPattern(`(\\d{1,4})(${CITATION_GAP})(?=\\p{L})`)
const AMENDMENT = stickyPattern(
  `(\\d{1,2})(?:st|nd|rd|th)${CITATION_GAP}Amend(?:ments?|\\.)(?!${CITATION_GAP}to\\b)`,
  'i',
)

/** Reads a citation that begins with a number: a reporter's volume, a code's title, a docket number. */
export function readNumbered(text: string, start: number, anyCase: boolean): CitationReading[] {
  const docket = readDistrictDocket(text, start)
  if (docket !== null) return [docket]
  const amendment = matchAt(AMENDMENT, text, start)
  const amended = amendment === null ? null : toRoman(Number(amendment[1]))
  if (amendment !== null && amended !== null && Number(amendment[1]) <= 27) {
    const end = start + amendment[0].length
    const item = `amend. ${amended}`
    return [{ kind: 'constitution', form: 'full', start, end, source: 'U.S. Const.', item, pinpoints: [] }]
  }
  const number = matchAt(NUMBER, text, start)
  if (number === null) return []
  const [all, volume = ''] = number
  const place = start + all.length
  const code = TITLED_CODES.longest(text, place)
  if (code !== undefined) return readTitled(text, start, volume, code.value, code.end)
  const reporter = REPORTERS.longest(text, place)
  if (reporter === undefined) return []
  const { value, end } = reporter
  const volumes = value.yearly ? /^(?:1[789]|20)\d\d$/ : /^[1-9]\d{0,2}$/
  if (!volumes.test(volume) || !isWritten(text.slice(place, end), value, anyCase)) return []
  return readReported(text, start, `${volume} ${value.name}`, value, end)
}

/**
 * Whether the text is a reporter. It must have a capital or a series; without periods and series it must be a name
 * that cannot be mistaken for anything else.
 */
function isWritten(raw: string, reporter: Reporter, anyCase: boolean): boolean {
  const series = /\d/.test(raw)
  if (series) return true
  if (!reporter.bare && !raw.includes('.')) return false
  if (anyCase) return true
  return raw.length === 2 ? raw === raw.toUpperCase() : /^\p{Lu}/u.test(raw)
}

const NOMINATIVE = stickyPattern(`(?:${CITATION_GAP}\\(\\d{1,2}\\s\\p{L}{3,10}\\.?\\))?`)
const SHORT = stickyPattern(`,?${CITATION_GAP}at(?=[\\s*])`)
const PAGE = stickyPattern(`${CITATION_GAP}([1-9]\\d{0,4})(?![\\p{L}\\p{N}%]|[./:]\\d)`)
const NUMBER_IN_DATABASE = stickyPattern(`${CITATION_GAP}([1-9]\\d{0,7})(?![\\p{L}\\p{N}%]|[./:]\\d)`)
const PAGE_IN_THOUSANDS = stickyPattern(
  `${CITATION_GAP}([1-9]\\d{0,2},?\\d{3}|[1-9]\\d{0,2})(?![\\p{L}\\p{N}%]|[./:]\\d)`,
)

function readReported(
  text: string,
  start: number,
  source: string,
  reporter: Reporter,
  after: number,
): CitationReading[] {
  const { kind } = reporter
  if (!reporter.yearly && matchAt(SHORT, text, after) !== null) {
    const { pinpoints, end } = readPinpoints(text, after, null)
    if (pinpoints.length === 0) return []
    return [{ kind, form: 'short', start, end, source, item: '', pinpoints }]
  }
  const place = after + (matchAt(NOMINATIVE, text, after)?.[0].length ?? 0)
  const page = matchAt(
    kind === 'regulation' ? PAGE_IN_THOUSANDS : reporter.yearly ? NUMBER_IN_DATABASE : PAGE,
    text,
    place,
  )
  if (page === null) return []
  const item = (page[1] ?? '').replace(',', '')
  const afterPage = place + page[0].length
  if (isVolume(text, afterPage - (page[1] ?? '').length)) return []
  const pins = readPinpoints(text, afterPage, reporter.yearly ? Number.POSITIVE_INFINITY : Number(item))
  const { court, year, end } = readCourtAndYear(text, pins.end)
  return [{ kind, form: 'full', start, end, source, item, pinpoints: pins.pinpoints, court, year }]
}

const MARK = stickyPattern(
  `,?${CITATION_GAP}(§${CITATION_GAP}§|§{1,2}|sections?\\b|secs?\\.|pts?\\.|parts?\\b)?${CITATION_GAP}`,
  'i',
)

/** Reads the mark before a section, and whether it is a plural. */
export function readMark(text: string, place: number) {
  const found = matchAt(MARK, text, place)
  const mark = (found?.[1] ?? '').toLowerCase()
  return {
    end: place + (found?.[0].length ?? 0),
    marked: mark !== '',
    part: mark.startsWith('p'),
    plural: mark.startsWith('§') ? mark.length > 1 : /s\.?$/.test(mark),
  }
}

function readTitled(
  text: string,
  start: number,
  title: string,
  code: TitledCode,
  after: number,
): CitationReading[] {
  const mark = readMark(text, after)
  return titledSections(text, start, title, code, readSections(text, mark.end, mark.plural), mark.part)
}

export function titledSections(
  text: string,
  start: number,
  title: string,
  { name, kind, titleAfter }: TitledCode,
  sections: ReturnType<typeof readSections>,
  part = false,
): CitationReading[] {
  const capital = name !== 'C.F.R.' && (name !== 'U.S.C.' || CAPITAL_TITLES.has(title))
  const number = String(Number(title))
  return sectionsOf(text, start, sections, {
    kind,
    source: titleAfter ? `${name} tit. ${number},` : `${number} ${name}`,
    item: section => `${part ? 'pt.' : '§'} ${capital ? section.toUpperCase() : section.toLowerCase()}`,
  })
}

const DISTRICT_DOCKET = stickyPattern(
  `(?:(\\d{1,2}):)?(?:19|20)?(\\d{2})[-\\s]?(?:(cv|civ)|(cr|crim)|(mc|misc)|(md|ml)|(mj))\\b[-.\\s]{0,2}(\\d{1,6})` +
    '(?:-\\p{L}{1,5}){0,3}(?:\\s?\\(\\p{Lu}{2,4}\\)){0,3}(?![\\p{L}\\p{N}])',
  'i',
)
const BANKRUPTCY_DOCKET = stickyPattern(
  `(?:(\\d{1,2}):)?(?:19|20)?(\\d{2})-(bk|br|ap)-(\\d{1,6})(?:-\\p{L}{1,5}){0,3}(?![\\p{L}\\p{N}])`,
  'i',
)
const CASE_TYPES = ['cv', 'cr', 'mc', 'md', 'mj']

/** Reads `3:24-cv-01234-ABC`. The office and the judge may be left out, so neither is part of the normal form. */
export function readDistrictDocket(text: string, start: number): CitationReading | null {
  const district = matchAt(DISTRICT_DOCKET, text, start)
  const bankruptcy = district === null ? matchAt(BANKRUPTCY_DOCKET, text, start) : null
  const found = district ?? bankruptcy
  if (found === null) return null
  const [all, office, year] = found
  const type =
    bankruptcy?.[3]?.toLowerCase() ?? CASE_TYPES[found.slice(3, 8).findIndex(one => one !== undefined)]
  const number = String(Number(bankruptcy?.[4] ?? found[8])).padStart(5, '0')
  return {
    kind: 'docket',
    form: 'full',
    start,
    end: start + all.length,
    source: 'No.',
    item: `${year}-${type}-${number}`,
    pinpoints: office === undefined ? [] : [`office ${Number(office)}`],
  }
}
