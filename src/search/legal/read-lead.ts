import { ACTS, LEADS, RULE_SETS } from './authorities.js'
import type { CitationReading } from './citation.js'
import { readDistrictDocket, readMark, readNumbered, titledSections } from './read-numbered.js'
import { CITATION_GAP, matchAt, readPinpoints, readSections, sectionsOf, stickyPattern } from './reading.js'
import { toRoman } from './roman.js'
import { endOfName } from './spellings.js'

const UNITED_STATES_CODE = { name: 'U.S.C.', kind: 'statute', titleAfter: false } as const
const REGULATIONS = { name: 'C.F.R.', kind: 'regulation', titleAfter: false } as const

/** Reads a citation that begins with words: a code, a set of rules, `No.`, `section`, `Id.` */
export function readLead(text: string, start: number, anyCase: boolean): CitationReading[] {
  const lead = LEADS.longest(text, start)
  if (lead === undefined) return []
  const { value, end } = lead
  const raw = text.slice(start, end)
  switch (value.kind) {
    case 'code':
      return readCode(text, start, end, value.name, anyCase || /^\p{Lu}/u.test(raw))
    case 'rules':
      return readRules(text, start, end, value.name)
    case 'act': {
      const mark = readMark(text, end)
      return mark.marked
        ? actSections(text, start, value.name, readSections(text, mark.end, mark.plural))
        : []
    }
    case 'treasury': {
      const mark = readMark(text, end)
      return titledSections(text, start, '26', REGULATIONS, readSections(text, mark.end, mark.plural))
    }
    case 'constitution':
      return readConstitution(text, start, end, value.name)
    case 'amendment':
      return anyCase || /^\p{Lu}/u.test(raw) ? readAmendment(text, start, end, value.number) : []
    case 'number':
      return raw === 'no' ? [] : readDockets(text, start, end, /^case$/i.test(raw))
    case 'multidistrict':
      return readOne(text, start, end, MULTIDISTRICT, 'docket', 'MDL No.')
    case 'entry':
      return anyCase || /[.\p{Lu}#]/u.test(raw) ? readEntries(text, start, end) : []
    case 'publicLaw':
      return readPublicLaw(text, start, end)
    case 'rule':
      return readRule(text, start, end, /s$/i.test(raw))
    case 'section':
      return readSection(text, start, end, /^(?:§\s*§|secs|sections)/i.test(raw))
    case 'title':
      return readTitle(text, start, end)
    case 'id':
      return readId(text, start, end, raw)
    case 'supra':
    case 'infra':
      return readSupra(text, start, end, value.kind, anyCase)
  }
}

const PUBLISHER = stickyPattern(
  `(?:${CITATION_GAP}\\((?:West|LexisNexis|McKinney|Consol\\.|Vernon)[^()]{0,20}\\))?`,
)
const SUBJECT = stickyPattern(`(?:,${CITATION_GAP}\\p{Lu}[\\p{L}.&' ]{2,30}?(?=${CITATION_GAP}§))?`)
const TITLE_OR_CHAPTER = stickyPattern(
  `,?${CITATION_GAP}(tit\\.|title\\b|ch\\.|chapter\\b|c\\.)${CITATION_GAP}(\\d{1,4}[A-Za-z]{0,2})\\b`,
  'i',
)

function readCode(
  text: string,
  start: number,
  after: number,
  name: string,
  capital: boolean,
): CitationReading[] {
  let place = after + (matchAt(PUBLISHER, text, after)?.[0].length ?? 0)
  const subject = matchAt(SUBJECT, text, place)?.[0] ?? ''
  place += subject.length
  const title = matchAt(TITLE_OR_CHAPTER, text, place)
  place += title?.[0].length ?? 0
  const { marked, plural, end } = readMark(text, place)
  const sections = readSections(text, end, plural)
  const [first] = sections
  if (first === undefined) {
    if (title === null) return []
    const source = `${name} ${abbreviated(title)}`
    return [{ kind: 'statute', form: 'full', start, end: place, source, item: '', pinpoints: [] }]
  }
  // Initials alone do not distinguish a code from other numbered things.
  const initials = /^\p{Lu}{2,3}$/u.test(text.slice(start, after))
  if (!marked && (!capital || (initials && /^\d+$/.test(first.number)))) return []
  const of = [name + subject.replace(/\s+/g, ' '), ...(title === null ? [] : [`${abbreviated(title)},`])]
  return sectionsOf(text, start, sections, {
    kind: 'statute',
    source: of.join(' '),
    item: number => `§ ${number.toUpperCase()}`,
  })
}

const abbreviated = ([, word = '', number = '']: RegExpExecArray) =>
  `${/^t/i.test(word) ? 'tit.' : 'ch.'} ${number.toUpperCase()}`

const RULE_WORD = stickyPattern(`,?${CITATION_GAP}(?:rules?\\b|r\\.)?${CITATION_GAP}`, 'i')

function readRules(text: string, start: number, after: number, name: string): CitationReading[] {
  const word = matchAt(RULE_WORD, text, after)?.[0] ?? ''
  const plural = /rules/i.test(text.slice(start, after) + word)
  return rulesOf(text, start, name, readSections(text, after + word.length, plural, true))
}

const rulesOf = (text: string, start: number, source: string, sections: ReturnType<typeof readSections>) =>
  sectionsOf(text, start, sections, { kind: 'rule', source, item: number => number.toUpperCase() })

const actSections = (
  text: string,
  start: number,
  source: string,
  sections: ReturnType<typeof readSections>,
) =>
  sectionsOf(text, start, sections, { kind: 'statute', source, item: number => `§ ${number.toUpperCase()}` })

const ARTICLE = stickyPattern(
  `,?${CITATION_GAP}(amend(?:ment|\\.)?|art(?:icle|\\.)?)${CITATION_GAP}([IVXL]{1,7}|\\d{1,2})\\b` +
    `(?:,?${CITATION_GAP}(?:§|sec\\.|section\\b)${CITATION_GAP}(\\d{1,3}[a-z]?))?(?:,?${CITATION_GAP}(?:cl\\.|clause\\b)${CITATION_GAP}(\\d{1,2}))?`,
  'i',
)

function readConstitution(text: string, start: number, after: number, source: string): CitationReading[] {
  const found = matchAt(ARTICLE, text, after)
  if (found === null) return []
  const [all, what = '', number = '', section, clause] = found
  const roman = /^\d/.test(number) ? toRoman(Number(number)) : number.toUpperCase()
  if (roman === null) return []
  const item = `${/^am/i.test(what) ? 'amend.' : 'art.'} ${roman}`
  const inside = section === undefined ? [] : [`§ ${section}`]
  const pinpoints = clause === undefined ? inside : [...inside, [...inside, `cl. ${clause}`].join(', ')]
  return [{ kind: 'constitution', form: 'full', start, end: after + all.length, source, item, pinpoints }]
}

/** Contracts have amendments too: `First Amendment to the Lease`. */
const OF_SOMETHING_ELSE = stickyPattern(
  `${CITATION_GAP}to\\b(?!${CITATION_GAP}the${CITATION_GAP}(?:U\\.${CITATION_GAP}S\\.|United${CITATION_GAP}States|Federal)?${CITATION_GAP}Constitution)`,
  'i',
)
const AMENDMENT_SECTION = stickyPattern(`(?:,${CITATION_GAP}(?:§|section\\b)${CITATION_GAP}(\\d))?`, 'i')

function readAmendment(text: string, start: number, after: number, number: number): CitationReading[] {
  if (matchAt(OF_SOMETHING_ELSE, text, after) !== null) return []
  const section = matchAt(AMENDMENT_SECTION, text, after)
  const item = `amend. ${toRoman(number)}`
  const pinpoints = section?.[1] === undefined ? [] : [`§ ${section[1]}`]
  const end = after + (section?.[0].length ?? 0)
  return [{ kind: 'constitution', form: 'full', start, end, source: 'U.S. Const.', item, pinpoints }]
}

const APPEAL = stickyPattern(
  `(\\d{2})[-\\u2010-\\u2015](\\d{1,5})(?:-(?:cv|cr|ag|bk|pr)\\b)?(?![\\p{L}\\p{N}]|[-\\u2010-\\u2015]\\p{N})`,
)
const STATE_CASE = stickyPattern('([A-Z]{1,3}-?\\d{5,7}|\\d{5,6}/\\d{4})(?![\\p{L}\\p{N}])')
const AND = stickyPattern(`${CITATION_GAP}(?:,${CITATION_GAP}(?:and|&)?|and|&)${CITATION_GAP}`)

function readDockets(text: string, start: number, after: number, districtOnly: boolean): CitationReading[] {
  const found: CitationReading[] = []
  let place = after + (matchAt(SPACE, text, after)?.[0].length ?? 0)
  for (let numbers = 0; numbers < 30; numbers++) {
    const docket = readDistrictDocket(text, place) ?? (districtOnly ? null : readAppeal(text, place))
    if (docket === null) break
    found.push(numbers === 0 ? { ...docket, start } : docket)
    const next = matchAt(AND, text, docket.end)
    if (next === null) break
    place = docket.end + next[0].length
  }
  return found
}

function readAppeal(text: string, place: number): CitationReading | null {
  const found = matchAt(APPEAL, text, place)
  const state = found === null ? matchAt(STATE_CASE, text, place) : null
  const all = found ?? state
  if (all === null) return null
  const item = found === null ? (state?.[1] ?? '') : `${found[1]}-${Number(found[2])}`
  return {
    kind: 'docket',
    form: 'full',
    start: place,
    end: place + all[0].length,
    source: 'No.',
    item,
    pinpoints: [],
  }
}

const SPACE = stickyPattern(CITATION_GAP)
const MULTIDISTRICT = stickyPattern(
  `${CITATION_GAP}(?:No\\.${CITATION_GAP})?(\\d{2,4})(?![\\p{L}\\p{N}]|[./:-]\\d)`,
)

function readOne(
  text: string,
  start: number,
  after: number,
  pattern: RegExp,
  kind: CitationReading['kind'],
  source: string,
): CitationReading[] {
  const found = matchAt(pattern, text, after)
  if (found === null) return []
  const end = after + found[0].length
  return [{ kind, form: 'full', start, end, source, item: found[1] ?? '', pinpoints: [] }]
}

const ENTRY = stickyPattern('(\\d{1,5}(?:[-\\u2010-\\u2015]\\d{1,4})?)(?![\\p{L}\\p{N}]|[./:]\\d)')

function readEntries(text: string, start: number, after: number): CitationReading[] {
  const plural = /s\.?\s*$/i.test(text.slice(start, after))
  const found: CitationReading[] = []
  let place = after + (matchAt(SPACE, text, after)?.[0].length ?? 0)
  for (let entries = 0; entries < 30; entries++) {
    const entry = matchAt(ENTRY, text, place)
    if (entry === null) break
    const item = (entry[1] ?? '').replace(/[\u2010-\u2015]/, '-')
    const afterEntry = place + entry[0].length
    const { pinpoints, end } = plural ? { pinpoints: [], end: afterEntry } : readEntryPages(text, afterEntry)
    found.push({
      kind: 'entry',
      form: 'full',
      start: entries === 0 ? start : place,
      end,
      source: 'ECF No.',
      item,
      pinpoints,
    })
    const next = plural ? matchAt(AND, text, end) : null
    if (next === null) break
    place = end + next[0].length
  }
  return found
}

const AT_OR_PARAGRAPH = stickyPattern(`,?${CITATION_GAP}(?:at\\s|¶)`)
/** Only `at` and `¶` announce a page here, because a number after a comma may be something else. */
const readEntryPages = (text: string, place: number) =>
  matchAt(AT_OR_PARAGRAPH, text, place) === null
    ? { pinpoints: [], end: place }
    : readPinpoints(text, place, null)

const PUBLIC_LAW = stickyPattern(
  `${CITATION_GAP}(\\d{2,3})[-\\u2010-\\u2015](\\d{1,4})(?![\\p{L}\\p{N}])(?:,?${CITATION_GAP}§${CITATION_GAP}(\\d{1,5}[A-Za-z]?)\\b)?`,
)

function readPublicLaw(text: string, start: number, after: number): CitationReading[] {
  const found = matchAt(PUBLIC_LAW, text, after)
  if (found === null) return []
  const [all, congress, number, section] = found
  return [
    {
      kind: 'statute',
      form: 'full',
      start,
      end: after + all.length,
      source: 'Pub. L. No.',
      item: `${congress}-${number}`,
      pinpoints: section === undefined ? [] : [`§ ${section}`],
    },
  ]
}

/** `Rule 10b-5` is a rule under the Exchange Act. */
const EXCHANGE_ACT_RULE = /^\d{1,2}[a-z]{1,2}\d?-\d{1,3}$/i
const OF_THE = stickyPattern(`,?${CITATION_GAP}(?:of|under)${CITATION_GAP}(?:the${CITATION_GAP})?`, 'i')
const CIVIL_RULES_BY_NUMBER = new Set(['11', '23', '56'])
const EVIDENCE_RULES = /^(?:40[1-9]|41[0-5]|50[12]|60[1-9]|61[0-5]|70[1-6]|80[1-7]|90[1-3]|100[1-8])$/

function readRule(text: string, start: number, after: number, plural: boolean): CitationReading[] {
  const place = after + (matchAt(SPACE, text, after)?.[0].length ?? 0)
  const sections = readSections(text, place, plural)
  const last = sections.at(-1)
  if (last === undefined) return []
  if (sections.every(({ number }) => EXCHANGE_ACT_RULE.test(number)))
    return sectionsOf(text, start, sections, {
      kind: 'regulation',
      source: '17 C.F.R.',
      item: number => `§ 240.${number.toLowerCase()}`,
    })
  const of = matchAt(OF_THE, text, last.end)
  const set = of === null ? undefined : RULE_SETS.longest(text, last.end + of[0].length)
  if (set !== undefined)
    return withEnd(rulesOf(text, start, set.value, sections), endOfName(text, last.end, set.end))
  return sections.map(({ number, pinpoints, ...range }, index) => ({
    kind: 'rule',
    form: 'short',
    start: index === 0 ? start : range.start,
    end: range.end,
    source: '',
    item: number.toUpperCase(),
    pinpoints,
    ...(EVIDENCE_RULES.test(number)
      ? { otherwise: 'Fed. R. Evid.' }
      : CIVIL_RULES_BY_NUMBER.has(number) || (pinpoints.length > 0 && /^\d{1,2}$/.test(number))
        ? { otherwise: 'Fed. R. Civ. P.' }
        : {}),
  }))
}

const withEnd = (reads: readonly CitationReading[], end: number): CitationReading[] =>
  reads.map((read, index) => (index === reads.length - 1 ? { ...read, end } : read))

const TITLE_NUMBER = stickyPattern(
  `title${CITATION_GAP}(\\d{1,2})(?:,?${CITATION_GAP}(?:of${CITATION_GAP}the${CITATION_GAP})?(?:U\\.?S\\.?C\\.?|United${CITATION_GAP}States${CITATION_GAP}Code))?`,
  'i',
)
/** Sections of 42 U.S.C. that are known by their number alone, such as `section 1983`. */
const CIVIL_RIGHTS = /^198[1358]$/

function readSection(text: string, start: number, after: number, plural: boolean): CitationReading[] {
  const place = after + (matchAt(SPACE, text, after)?.[0].length ?? 0)
  const sections = readSections(text, place, plural)
  const last = sections.at(-1)
  if (last === undefined) return []
  const of = matchAt(OF_THE, text, last.end)
  if (of !== null) {
    const source = last.end + of[0].length
    const act = ACTS.longest(text, source)
    if (act !== undefined)
      return withEnd(actSections(text, start, act.value, sections), endOfName(text, source, act.end))
    const code = LEADS.longest(text, source)
    if (code?.value.kind === 'code')
      return withEnd(actSections(text, start, code.value.name, sections), endOfName(text, source, code.end))
    const title = matchAt(TITLE_NUMBER, text, source)
    if (title !== null)
      return withEnd(
        titledSections(text, start, title[1] ?? '', UNITED_STATES_CODE, sections),
        source + title[0].length,
      )
  }
  return sections.map(({ number, pinpoints, ...range }, index) => ({
    kind: 'statute',
    form: 'short',
    start: index === 0 ? start : range.start,
    end: range.end,
    source: '',
    item: `§ ${number}`,
    pinpoints,
    ...(CIVIL_RIGHTS.test(number) ? { otherwise: '42 U.S.C.' } : {}),
  }))
}

const TITLE = stickyPattern(
  `${CITATION_GAP}(\\d{1,2}),?${CITATION_GAP}(?:of${CITATION_GAP}the${CITATION_GAP})?(?:U\\.?S\\.?C\\.?|United${CITATION_GAP}States${CITATION_GAP}Code),?`,
  'i',
)

function readTitle(text: string, start: number, after: number): CitationReading[] {
  const title = matchAt(TITLE, text, after)
  if (title === null) return []
  const mark = readMark(text, after + title[0].length)
  if (!mark.marked) return []
  return titledSections(
    text,
    start,
    title[1] ?? '',
    UNITED_STATES_CODE,
    readSections(text, mark.end, mark.plural),
  )
}

const NUMBERED_ID = stickyPattern(`${CITATION_GAP}(?:no\\b|num|#|\\d)`, 'i')
const ID_SECTION = stickyPattern(`,?${CITATION_GAP}(?:at${CITATION_GAP})?(?=§)`)
const BEFORE_SMALL_ID =
  /(?:[;(,—–]|\b(?:see|also|citing|quoting|accord|cf\.?|e\.g\.,?|but|in|under|and|with|compare)),?\s{1,4}$|\($/i

/** Reads `Id.`, but not the number of an identity card. */
function readId(text: string, start: number, after: number, raw: string): CitationReading[] {
  if (!/^(?:[Ii]d|[Ii]bid)\.$/.test(raw) || matchAt(NUMBERED_ID, text, after) !== null) return []
  const id = { kind: 'reference', form: 'id', start, source: '' } as const
  const section = matchAt(ID_SECTION, text, after)
  if (section !== null) {
    const mark = readMark(text, after + section[0].length)
    const sections = readSections(text, mark.end, mark.plural)
    if (sections.length > 0)
      return sections.map(({ number, pinpoints, ...range }, index) => ({
        ...id,
        start: index === 0 ? start : range.start,
        end: range.end,
        item: `§ ${number}`,
        pinpoints,
      }))
  }
  const { pinpoints, end } = readPinpoints(text, after, null)
  if (
    raw.startsWith('i') &&
    pinpoints.length === 0 &&
    !BEFORE_SMALL_ID.test(text.slice(Math.max(0, start - 16), start))
  )
    return []
  return [{ ...id, end, item: '', pinpoints }]
}

const NOTE_OR_PART = stickyPattern(
  `(?:,?${CITATION_GAP}(?:(?:note|n\\.|at${CITATION_GAP}n\\.)${CITATION_GAP}\\d{1,4}|(?:part|section|§{1,2})${CITATION_GAP}(?:[IVXL]{1,6}|\\d{1,3}|[A-Z])(?:\\.[A-Z0-9]{1,3}){0,3}\\b))?`,
  'i',
)
const COMMA = stickyPattern(`,?${CITATION_GAP}(?=\\d)`)

/** A reporter after `supra` identifies the decision: `Smith, supra, 5 Cal.4th at p. 12`. */
function readSupra(
  text: string,
  start: number,
  after: number,
  word: 'supra' | 'infra',
  anyCase: boolean,
): CitationReading[] {
  const comma = matchAt(COMMA, text, after)
  const cited = comma === null ? [] : readNumbered(text, after + comma[0].length, anyCase)
  if (cited.length > 0) return cited.map((read, index) => (index === 0 ? { ...read, start } : read))
  const place = after + (matchAt(NOTE_OR_PART, text, after)?.[0].length ?? 0)
  const { pinpoints, end } = readPinpoints(text, place, null)
  return [{ kind: 'reference', form: 'supra', start, end, source: '', item: word, pinpoints }]
}
