import type { PartKind } from '../../runtime/search/router/posture.js'
import {
  BODY,
  CONTENTS,
  type DocumentLine,
  isCapitals,
  isFurniture,
  isName,
  isSpace,
  nextLine,
  skipSpace,
} from './lines.js'
import { exhibitLabel, type PagedText } from './parts.js'

/** A line that may begin a part of a filing. */
export interface Sign {
  readonly kind: Exclude<PartKind, 'lead_argument' | 'front_matter'> | 'contents' | 'body' | 'caption'
  readonly title: string
  /** For exhibits: the label that identifies them. */
  readonly label: string
  readonly start: number
  readonly end: number
  /** Whether the file marks this line as a heading. */
  readonly isKnown: boolean
  /** Whether the file marks this line as a heading, or it stands at the top of a page. */
  readonly isSure: boolean
}

const MARK = `(?:[A-Z]{1,2}|\\d{1,3}|[IVXLC]{1,5})(?:[-.]?\\d{1,3}|-[A-Z])?`
const EXHIBIT = new RegExp(
  `^(?:(?:Plaintiff|Defendant)[’']?s?[’']? )?(?:Exhibit|Ex\\.|Annex|Appendix|Attachment)(?: (?:No\\. ?)?[“"']?${MARK}[”"']?)$`,
  'iu',
)
const EXHIBIT_TITLED = new RegExp(
  `^(?:Exhibit|Ex\\.|Annex|Appendix) [“"']?${MARK}[”"']?\\s*[:.–—-]\\s*\\S.{0,120}$`,
  'iu',
)
const UNMARKED = /^(?:Annex|Appendix)$/i
const PROPOSED =
  /^[[(]?proposed[\])]? (?:\S+ ){0,4}(?:order|judgment|findings)\b|^(?:order|judgment) [[(]proposed[\])]/i
const DECLARATION =
  /^(?:(?:supplemental|joint|second|third|amended|expert|reply) ){0,2}(?:declaration|affidavit|affirmation) of\b/i
const CERTIFICATE =
  /^(?:certificate|certification|proof) of (?:service|compliance|conference|mailing|interested|good faith|word count|filing)\b/i
const ARGUMENT =
  /^(?:\S+ ){0,6}?(?:memorandum of (?:law|points and authorities)|(?:supplemental |reply |opening |answering )?brief (?:in|of|for|on)|reply (?:brief|memorandum|in (?:further )?support)|opposition to|(?:supplemental|second) (?:memorandum|brief))(?=\s|$)/i
/** A quick test that skips ordinary lines. */
const PERHAPS =
  /exhibit|\bex\.|annex|appendix|attachment|contents|authorities|proposed|declaration|affidavit|affirmation|certificat|proof of|memorandum|brief|reply|opposition|introduction|statement|argument|background/i
const LONGEST = 200

/** The lines that may begin parts, in order. */
export function findSigns(document: PagedText): Sign[] {
  const { text, pages } = document
  const isHeading = headingFinder(document)
  const signs: Sign[] = []
  let page = 0
  let top: number | null = 0
  let before: DocumentLine | null = null
  for (let line = nextLine(text, 0, text.length, LONGEST + 1); line !== null; ) {
    while (page < pages.length && (pages[page]?.start as number) <= line.start) {
      // A page that begins in the middle of a line has no first line.
      const begins = skipSpace(text, pages[page]?.start as number, text.length)
      if (begins === line.start) {
        top = begins
        if (begins > 0 && hasCourt(text, begins, pages[page]?.end ?? begins)) signs.push(caption(begins))
      }
      page++
    }
    if (line.text.length <= LONGEST && line.end - line.start <= LONGEST && PERHAPS.test(line.text)) {
      const sign = signOf(document.text, line, before, top, isHeading(line))
      if (sign !== null) signs.push(sign)
    }
    if (top !== null && !isFurniture(line.text)) top = null
    before = line
    line = nextLine(text, line.end, text.length, LONGEST + 1)
  }
  return withoutLists(text, signs)
}

function signOf(
  text: string,
  line: DocumentLine,
  before: DocumentLine | null,
  top: number | null,
  isKnown: boolean,
): Sign | null {
  const title = line.text.replace(/^\d{1,2}\s+(?=[A-Z[(])/, '')
  const isSure = isKnown || top !== null
  const kind = kindOf(title, isKnown, isSure)
  if (kind === null) return null
  // A heading in capitals at the top of a page cannot be part of a sentence.
  if (!isKnown && !(top !== null && isCapitals(title))) {
    if (goesOn(text, line, kind) || (top === null && !standsApart(text, line, before))) return null
  }
  return {
    kind,
    title,
    label: kind === 'exhibit' ? exhibitLabel(title) : '',
    start: top ?? line.start,
    end: line.end,
    isKnown,
    isSure,
  }
}

function kindOf(title: string, isKnown: boolean, isSure: boolean): Sign['kind'] | null {
  const isSet = isKnown || isCapitals(title)
  const isClosed = !/[.,;]$/.test(title)
  if (EXHIBIT.test(title)) return 'exhibit'
  if (isSure && EXHIBIT_TITLED.test(title) && !/(?:\.\s?){3,}|…|\s{3,}\d+$/.test(title)) return 'exhibit'
  if (isSet && UNMARKED.test(title)) return 'exhibit'
  if (CONTENTS.test(title)) return 'contents'
  if ((isSet || (isSure && isName(title))) && isClosed) {
    if (PROPOSED.test(title)) return 'proposed_order'
    if (DECLARATION.test(title)) return 'declaration'
    if (CERTIFICATE.test(title)) return 'certificate'
  }
  if (isClosed && /^[[(]proposed[\])] order\b/i.test(title) && isName(title.replace(/^\[/, '')))
    return 'proposed_order'
  if (isClosed && CERTIFICATE.test(title) && isName(title) && title.length < 40) return 'certificate'
  if (isSet && isClosed && ARGUMENT.test(title)) return 'argument'
  return isSet && BODY.test(title) ? 'body' : null
}

/** Whether the next line continues a sentence that this line is part of, or a list of exhibits. */
function goesOn(text: string, line: DocumentLine, kind: Sign['kind']): boolean {
  const next = nextLine(text, line.end, text.length, LONGEST)?.text ?? ''
  return /^[\p{Ll},;.)]/u.test(next) || (kind === 'exhibit' && EXHIBIT.test(next))
}

/** Whether the previous line is complete: a blank line follows it, or it ends a sentence. */
function standsApart(text: string, line: DocumentLine, before: DocumentLine | null): boolean {
  if (before === null) return true
  const last = text.slice(Math.max(before.start, before.end - 40), before.end)
  if (/(?:,|\b(?:as|see|in|to|at|of|and|or|the|with|by|from|under|is|are))$/i.test(last)) return false
  let lines = 0
  for (let at = before.end; at < line.start; at++) if (text.charCodeAt(at) === 10) lines++
  return lines > 1 || /[.!?)"”_*]$/.test(last) || isFurniture(before.text)
}

/** Removes exhibits that follow one another without text in between, because those form a list. */
function withoutLists(text: string, signs: readonly Sign[]): Sign[] {
  const adjoins = (a: Sign | undefined, b: Sign | undefined) =>
    a?.kind === 'exhibit' && b?.kind === 'exhibit' && skipSpace(text, a.end, b.start) === b.start
  return signs.filter(
    (sign, at) => sign.isSure || !(adjoins(signs[at - 1], sign) || adjoins(sign, signs[at + 1])),
  )
}

function hasCourt(text: string, from: number, to: number): boolean {
  return /\bcourt\b/i.test(text.slice(from, Math.min(to, from + 3_000)))
}

function caption(start: number): Sign {
  return { kind: 'caption', title: '', label: '', start, end: start, isKnown: false, isSure: true }
}

/** Tells whether a heading of the file begins on a line. Lines must be asked for in order. */
function headingFinder({ text, headings }: PagedText): (line: DocumentLine) => boolean {
  const starts = headings
    .map(({ start, end }) => {
      let at = start
      while (at < end && isSpace(text.charCodeAt(at))) at++
      return at
    })
    .sort((a, b) => a - b)
  let next = 0
  return line => {
    while (next < starts.length && (starts[next] as number) < line.start) next++
    return next < starts.length && (starts[next] as number) < line.end
  }
}
