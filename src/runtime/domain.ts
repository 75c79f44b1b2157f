import type { QueryTerm, TermKey } from '../search/match.js'
import type { ExtractedFile } from './extraction.js'
import type { LegalDate } from './legal-date.js'
import type { ParsedQuestion } from './search/question.js'
import type { IntentPattern, QueryIntent } from './search/router/intent.js'
import type { PartKind, PostureRule } from './search/router/posture.js'

/**
 * A field of knowledge that is turned on per corpus: how its texts cite, what its questions look for, how its
 * documents are laid out. `privity/legal` is one. It affects neither records of other corpora nor questions about
 * those.
 */
export interface Domain {
  /** Where another thread finds the same domain. Without it, long texts are read in the thread of the requests. */
  readonly module?: DomainModule
  /** Identifies the domain and its corpora. An index that was stored under another name is rebuilt. */
  readonly name: string
  /** Whether the domain is turned on for a corpus. */
  has(corpus: string): boolean
  /** The index keys of what a record cites or names. */
  keysOf(record: RecordText): readonly string[]
  /** The index keys of a case number, however it is written. */
  keysOfCase(number: string): readonly string[]
  /** The authorities that a question cites or names. */
  authoritiesIn(asked: ParsedQuestion): Authorities
  readonly questions: QuestionTables
  /** The layout of a document and its caption. Dates are in `timeZone` if the document names no place. */
  layoutOf(extracted: LaidText, options: { readonly timeZone: string }): Layout
}

/** A module whose `makeDomain` makes a domain from options that can be cloned. */
export interface DomainModule {
  /** The address of a module that Node can run. */
  readonly module: string
  readonly options: unknown
}

export interface RecordText {
  readonly title: string | null
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The tables that recognise the intent of a question and decide what its answer consists of. */
export interface QuestionTables {
  /** The first pattern that matches decides. */
  readonly intents: readonly IntentPattern[]
  readonly postures: readonly PostureRule[]
  /** The explanation of each intent for a model. */
  readonly meanings: Readonly<Record<QueryIntent, string>>
}

/** The authorities that a question cites or names, as terms that match every form in which texts write them. */
export interface Authorities {
  /** One term for each authority that is cited or named. */
  readonly cited: readonly QueryTerm[]
  /** The cited pages. They raise the rank of a match and are not required. */
  readonly pinpoints: readonly QueryTerm[]
  /** The words of the question that belong to no citation and no name of an authority. */
  readonly rest: readonly QueryTerm[]
  /** For each abbreviation in the question, what it stands for. */
  readonly ofWord: ReadonlyMap<string, readonly TermKey[]>
  /** Other forms of phrases of several words. */
  readonly ofPhrases: readonly QueryTerm[]
  /** All terms that any of the forms may match. */
  readonly forms: readonly QueryTerm[]
  /** The kind of query expansion that each form is (QX-1). */
  readonly kindOf: ReadonlyMap<string, 'citation_normalization' | 'legal_term_expansion'>
}

export const NO_AUTHORITIES: Authorities = {
  cited: [],
  pinpoints: [],
  rest: [],
  ofWord: new Map(),
  ofPhrases: [],
  forms: [],
  kindOf: new Map(),
}

/** The input from which a document's layout is read. */
export type LaidText = Pick<ExtractedFile, 'text' | 'title' | 'headings' | 'about' | 'attached'> & {
  readonly pages: readonly {
    readonly number: number
    readonly start: number
    readonly end: number
    readonly stamp?: string
  }[]
}

/** The parts of a document. They partition its text: in order, without gaps or overlaps. */
export interface Layout {
  readonly parts: readonly LayoutPart[]
  readonly caption: Caption
  /** The title that the document's text contains; null if there is none. */
  readonly title: string | null
}

/** Any document may have `text` and `attachment`; the other kinds are parts of filings. */
export interface LayoutPart {
  readonly kind: PartKind | 'text' | 'attachment'
  readonly title: string | null
  readonly start: number
  readonly end: number
}

/** What a document says about itself. A field is absent if the document does not say it. */
export interface Caption {
  readonly documentType: string
  readonly caseNumber?: string
  /** For example `United States District Court for the Northern District of California`. */
  readonly court?: string
  /** For example `N.D. Cal.`; only federal courts have one. */
  readonly courtShortName?: string
  readonly parties?: readonly string[]
  readonly filingDate?: LegalDate
  readonly effectiveDate?: LegalDate
  readonly rulingDate?: LegalDate
  readonly docketEntryDate?: LegalDate
  /** Only for messages, which are sent and not filed. */
  readonly sentDate?: LegalDate
}
