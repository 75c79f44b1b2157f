import type { Caption } from '../../runtime/domain.js'
import { type CaptionBlock, stampedCaseNumber } from './caption-block.js'
import { type DocumentType, typeOfTitle } from './document-type.js'
import { requireLegalDate } from './legal-date.js'
import { isStamp, linesOf } from './lines.js'
import { isMail as isMessage, mailDate } from './mail-date.js'
import { partiesOfTitle } from './parties.js'
import { readDate, WRITTEN_DATE } from './written-date.js'

export type { Caption }

type About = Readonly<Record<string, string>>

/** The fields of a document, read from its caption, its stamps and, for mail, its header. */
export function captionOf(
  { title, about }: { readonly title: string | null; readonly about: About },
  block: CaptionBlock,
  /** The first page, and the document's own argument without exhibits and proposed orders. */
  text: { readonly head: string; readonly body: string; readonly stamp: string | undefined },
  options: { readonly timeZone: string },
): Caption {
  const head = linesOf(text.head, 0, text.head.length).map(line => line.text)
  const stamps = [...(text.stamp === undefined ? [] : [text.stamp]), ...head.filter(isStamp)]
  const isMail = isMessage(about)
  const subject = head.find(line => /^Re:/i.test(line))
  const documentType = typeOf(title, block, head, isMail)
  const timeZone = block.court?.timeZone ?? options.timeZone
  const dated = (date: string | null) => (date === null ? undefined : requireLegalDate(date, timeZone))
  const parties =
    block.parties.length > 0
      ? block.parties
      : (partiesOfTitle(subject ?? '') ?? partiesOfTitle(title ?? '') ?? undefined)
  return present({
    documentType,
    caseNumber: block.caseNumber ?? first(stamps, stampedCaseNumber) ?? undefined,
    court: block.court?.name,
    courtShortName: block.court?.shortName ?? undefined,
    parties,
    filingDate: isMail ? undefined : dated(filingDate(head, stamps)),
    effectiveDate: dated(effectiveDate(head, text.body)),
    rulingDate: documentType === 'order' ? dated(rulingDate(text.body)) : undefined,
    docketEntryDate: dated(docketEntryDate(head, stamps)),
    sentDate: isMail ? mailDate(about.date, options.timeZone) : undefined,
  })
}

function typeOf(
  title: string | null,
  block: CaptionBlock,
  head: readonly string[],
  isMail: boolean,
): DocumentType {
  if (isMail) return 'email'
  const named = typeOfTitle(block.title ?? '') ?? (block.end === null ? typeOfTitle(title ?? '') : null)
  if (named !== null) return named
  return head.some(line => /^Dear\b.{1,80}[:,]$/.test(line)) ? 'letter' : 'other'
}

const pattern = (before: string, after = '') => new RegExp(`${before}(?<date>${WRITTEN_DATE})${after}`, 'i')
/** Matches a label with its date, but not a sentence that goes on. The label is capitalized, unlike in a sentence. */
const alone = (label: string) =>
  new RegExp(
    `^${label}\\s*[:–-]?\\s*(?:[Oo]n\\s+)?(?<date>${insensitive(WRITTEN_DATE)})(?!,?\\s+(?!at\\s+\\d|by\\s)\\p{Ll})`,
    'u',
  )
const FILED = alone('(?:(?:Date |DATE |Electronically |ELECTRONICALLY |E-?)?(?:Filed|FILED)|Filing Date)')
const ENTERED = alone(
  '(?:Date )?(?:Entered|ENTERED|Docketed|DOCKETED)(?: [Oo][Nn] (?:the )?(?:[Dd]ocket|DOCKET))?',
)
const STAMPED = pattern('\\bFiled:?\\s*')
const STAMP_ENTERED = pattern('\\bEntered:?\\s*(?:on\\s+)?')
const ANY = pattern('\\b')
const ONLY = pattern('^', '(?=\\s|$)')

function filingDate(head: readonly string[], stamps: readonly string[]): string | null {
  return (
    first(stamps, stamp => dateIn(STAMPED, stamp)) ??
    first(stamps, stamp => dateIn(ANY, stamp.replace(STAMP_ENTERED, ''))) ??
    first(head, line => dateIn(FILED, line)) ??
    // The clerk's stamp has the word on one line and the day on the next.
    first(head, (line, at) => (/^(?:E-)?FILED$/.test(line) ? dateIn(ONLY, head[at + 1] ?? '') : null))
  )
}

function docketEntryDate(head: readonly string[], stamps: readonly string[]): string | null {
  return first(stamps, stamp => dateIn(STAMP_ENTERED, stamp)) ?? first(head, line => dateIn(ENTERED, line))
}

const EFFECTIVE_LABEL = pattern('^Effective(?: Date)?(?: as of)?\\s*:?\\s*', '[.]?$')
const EFFECTIVE_ITSELF = pattern(
  '\\bthis (?:\\p{L}+ ){0,3}(?:order|judgment|agreement|stipulation|amendment|rule|policy|contract|lease|decree)\\b[^.!?]{0,120}?\\b(?:effective(?: as of| on)?|takes? effect(?: as of| on)?),?\\s+',
)
const EFFECTIVE_TERM = pattern('\\bas of\\s+', '\\s*\\((?:the )?[“"]Effective Date[”"]\\)')

/** The day on which the document itself takes effect, not a date that it mentions. */
function effectiveDate(head: readonly string[], body: string): string | null {
  const plain = body.slice(0, 1_000_000)
  return (
    first(head, line => dateIn(EFFECTIVE_LABEL, line)) ??
    dateIn(new RegExp(EFFECTIVE_ITSELF.source, 'iu'), plain) ??
    dateIn(EFFECTIVE_TERM, plain)
  )
}

const SIGNED = new RegExp(
  `\\b(?:(?:Dated|DATED|Date|DATE|Signed|SIGNED|Entered|ENTERED)(?:\\s*:|\\s+this|\\s+and (?:entered|signed) this)?\\s{0,40}(?:[A-Z][A-Za-z .]{1,40},\\s+[A-Z][A-Za-z. ]{1,40}?,?\\s{1,40})?|(?:ORDERED|ordered),?\\s+this\\s+)(?:the\\s+)?(?<date>${insensitive(WRITTEN_DATE)})`,
  'g',
)

/** The day an order was signed: the last date beside its last "so ordered", or at its end. */
function rulingDate(body: string): string | null {
  const ordered = Math.max(
    body.lastIndexOf('SO ORDERED'),
    body.lastIndexOf('So Ordered'),
    body.lastIndexOf('so ordered'),
  )
  const end = body.trimEnd()
  const near = ordered === -1 ? end.slice(-1_500) : body.slice(Math.max(0, ordered - 300), ordered + 600)
  const [last] = [...near.matchAll(SIGNED)].slice(-1)
  return last?.groups?.date === undefined ? null : readDate(last.groups.date)
}

/** Makes part of a pattern case-insensitive while the rest stays case-sensitive. */
function insensitive(source: string): string {
  return source.replace(/\\[a-z]|[a-z]/gi, letter =>
    letter.startsWith('\\') ? letter : `[${letter.toUpperCase()}${letter.toLowerCase()}]`,
  )
}

function dateIn(pattern: RegExp, text: string): string | null {
  const written = pattern.exec(text)?.groups?.date
  return written === undefined ? null : readDate(written)
}

function first<Item>(items: readonly Item[], find: (item: Item, at: number) => string | null): string | null {
  for (const [at, item] of items.entries()) {
    const found = find(item, at)
    if (found !== null) return found
  }
  return null
}

function present(caption: { [Field in keyof Caption]-?: Caption[Field] | undefined }): Caption {
  return Object.fromEntries(
    Object.entries(caption).filter(([, value]) => value !== undefined),
  ) as unknown as Caption
}
