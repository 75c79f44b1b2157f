import type { Caption } from '../../runtime/domain.js'
import { typeOfTitle } from './document-type.js'
import { tidy } from './lines.js'
import { partiesOfTitle } from './parties.js'

const MOST = 2_000
const TITLE_MOST = 200

/** The one-line summary of a document on its card. It says what the document is, and never quotes it. */
export function cardText(card: {
  readonly title: string
  readonly caption: Caption
  readonly pages: number | null
  readonly mediaType: string
  readonly documentType: string
}): string {
  const { caption, pages } = card
  const about = [
    titleLine(card.title),
    card.documentType === 'other' ? null : card.documentType,
    caption.parties === undefined ? null : tidy(caption.parties.join('; '), 800),
    caption.caseNumber === undefined ? null : `No. ${tidy(caption.caseNumber, 100)}`,
    courtLine(caption),
    dateLine('filed', caption.filingDate),
    dateLine('entered', caption.docketEntryDate),
    dateLine('ruled', caption.rulingDate),
    dateLine('effective', caption.effectiveDate),
    dateLine('sent', caption.sentDate),
    pages === null ? null : pages === 1 ? '1 page' : `${pages} pages`,
    tidy(card.mediaType, 100),
  ]
  return tidy(about.filter(item => item !== null && item !== '').join(' · '), MOST)
}

/** The summary line of a card whose title has changed. */
export function retitledText(text: string, before: string, title: string): string {
  const known = titleLine(before)
  return tidy(text.startsWith(known) ? `${titleLine(title)}${text.slice(known.length)}` : text, MOST)
}

function titleLine(title: string): string {
  const line = tidy(title, TITLE_MOST)
  return line === '' ? 'Untitled document' : line
}

/**
 * The title of a document: its own title or its file name, followed by the case, because all filings of a case have
 * the same caption. The case is left out if the title names it already, and for messages.
 */
export function cardTitle(
  name: string,
  titles: {
    /** The title that a filing has below its caption. */
    readonly filing: string | null
    /** The title in the metadata of the file, or its first heading. */
    readonly file: string | null
  },
  caption: Caption,
): string {
  const file = name.split('/').at(-1) ?? name
  const candidates = [
    titles.filing ?? '',
    isCourtAlone(titles.file ?? '', caption) ? '' : (titles.file ?? ''),
    file.replace(/\.[A-Za-z0-9]{1,5}$/, ''),
    name,
  ]
  const title =
    candidates
      .map(candidate => tidy(candidate, TITLE_MOST))
      .find(candidate => /[\p{L}\p{N}]/u.test(candidate)) ?? 'Untitled document'
  const ofCase = caseName(caption)
  if (ofCase === '' || caption.documentType === 'email' || partiesOfTitle(title) !== null) return title
  return `${tidy(title, OWN_MOST)} — ${tidy(ofCase, Math.max(CASE_LEAST, TITLE_MOST - title.length - 3))}`
}

/** The title of a segment: of its part or its document, with the case and its number, which every part is of. */
export function segmentTitle(part: string | null, title: string, caption: Caption): string {
  const [ofCase, { caseNumber }] = [caseName(caption), caption]
  if (caption.documentType === 'email') return part ?? title
  const named =
    part === null || ofCase === '' || part.includes(ofCase) ? (part ?? title) : `${part} — ${ofCase}`
  return caseNumber === undefined || named.includes(caseNumber) ? named : `${named}, No. ${caseNumber}`
}

const caseName = ({ parties = [] }: Caption): string =>
  tidy(parties.length === 2 ? parties.join(' v. ') : parties.join('; '), TITLE_MOST)

/** How many characters of the title are kept when the case follows it, and how many of the case at least. */
const OWN_MOST = 140
const CASE_LEAST = TITLE_MOST - OWN_MOST - 3

/** Whether a title is only the name of a court, which is often the first heading of a filing. */
const isCourtAlone = (title: string, { court }: Caption): boolean =>
  court !== undefined && /\bcourt\b/i.test(title) && typeOfTitle(title) === null

function courtLine({ court, courtShortName }: Caption): string | null {
  if (court === undefined) return null
  return courtShortName === undefined
    ? tidy(court, TITLE_MOST)
    : `${tidy(court, TITLE_MOST)} (${courtShortName})`
}

function dateLine(label: string, date: { readonly date: string } | undefined): string | null {
  return date === undefined ? null : `${label} ${date.date}`
}
