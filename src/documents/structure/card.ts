import type { Caption } from '../../runtime/domain.js'
import { typeOfTitle } from './document-type.js'
import { tidy } from './lines.js'
import { partiesOfTitle } from './parties.js'

const MOST = 2_000
const TITLE_MOST = 200

/** The readable line of a document's card: what it is, never what it says. */
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

/** The line of a card that is called something else from now on. */
export function retitledText(text: string, before: string, title: string): string {
  const known = titleLine(before)
  return tidy(text.startsWith(known) ? `${titleLine(title)}${text.slice(known.length)}` : text, MOST)
}

function titleLine(title: string): string {
  const line = tidy(title, TITLE_MOST)
  return line === '' ? 'Untitled document' : line
}

/**
 * What a document is called: by its own title, else the name of its file; with its case behind that, as the filings of a case
 * have the same caption. A title that names the case already says enough, and so does the subject of a message.
 */
export function cardTitle(
  name: string,
  titles: {
    /** What a filing calls itself below its caption. */
    readonly filing: string | null
    /** What the file calls itself, or its first heading. */
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
  const { parties = [] } = caption
  const ofCase = tidy(parties.length === 2 ? parties.join(' v. ') : parties.join('; '), TITLE_MOST)
  if (ofCase === '' || caption.documentType === 'email' || partiesOfTitle(title) !== null) return title
  return `${tidy(title, OWN_MOST)} — ${tidy(ofCase, Math.max(CASE_LEAST, TITLE_MOST - title.length - 3))}`
}

/** How much of a title stays when a case is put behind it, and how much of the case does. */
const OWN_MOST = 140
const CASE_LEAST = TITLE_MOST - OWN_MOST - 3

/** The first heading of a filing may be no more than where it was filed. */
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
