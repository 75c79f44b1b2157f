import type { QueryTerm, TermKey } from '../search/match.js'
import type { ExtractedFile } from './extraction.js'
import type { LegalDate } from './legal-date.js'
import type { ParsedQuestion } from './search/question.js'
import type { IntentPattern, QueryIntent } from './search/router/intent.js'
import type { PartKind, PostureRule } from './search/router/posture.js'

/**
 * A field of knowledge that corpora turn on: how its texts cite, what its questions are after, how its documents are laid
 * out. `privity/legal` is one. What is of no such corpus never meets it, and neither does a question about none.
 */
export interface Domain {
  /** Says what it is and for which corpora: an index that was kept under another name is made again. */
  readonly name: string
  /** Whether a corpus is of it. */
  has(corpus: string): boolean
  /** What a record cites or names, as keys of the index. */
  keysOf(record: RecordText): readonly string[]
  /** The keys that answer to the number of a case, in whatever form it is written. */
  keysOfCase(number: string): readonly string[]
  /** What a question cites or names. */
  authoritiesIn(asked: ParsedQuestion): Authorities
  readonly questions: QuestionTables
  /** How a document is laid out, and what it says of itself. Dates are of `timeZone` where it names no place. */
  layoutOf(extracted: LaidText, options: { readonly timeZone: string }): Layout
}

export interface RecordText {
  readonly title: string | null
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** What questions are recognised by, and what their answers are made of. */
export interface QuestionTables {
  /** The first that matches decides. */
  readonly intents: readonly IntentPattern[]
  readonly postures: readonly PostureRule[]
  /** What a model is told of each intent. */
  readonly meanings: Readonly<Record<QueryIntent, string>>
}

/** What a question cites and names, as terms that the index answers in whatever form texts have it. */
export interface Authorities {
  /** One for each authority that is cited or named. */
  readonly cited: readonly QueryTerm[]
  /** The pages of them that are asked for: a preference. */
  readonly pinpoints: readonly QueryTerm[]
  /** The words of the question that are no part of a citation or of an authority's name. */
  readonly rest: readonly QueryTerm[]
  /** What a word of the question is short for, by the word. */
  readonly ofWord: ReadonlyMap<string, readonly TermKey[]>
  /** Other forms of what stands in several words. */
  readonly ofPhrases: readonly QueryTerm[]
  /** Everything that one form or another may answer. */
  readonly forms: readonly QueryTerm[]
  /** Which kind of expansion a form is (QX-1). */
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

/** What the layout of a document is read from. */
export type LaidText = Pick<ExtractedFile, 'text' | 'title' | 'headings' | 'about' | 'attached'> & {
  readonly pages: readonly { readonly number: number; readonly start: number; readonly end: number }[]
}

/** The parts partition the text: in order, without a gap, without overlap. */
export interface Layout {
  readonly parts: readonly LayoutPart[]
  readonly caption: Caption
  /** What a document calls itself in its text; null where it does not. */
  readonly title: string | null
}

/** `text` and `attachment` are what any document may have; the others are parts of filings. */
export interface LayoutPart {
  readonly kind: PartKind | 'text' | 'attachment'
  readonly title: string | null
  readonly start: number
  readonly end: number
}

/** What a document says about itself. What it does not say is absent. */
export interface Caption {
  readonly documentType: string
  readonly caseNumber?: string
  /** `United States District Court for the Northern District of California` */
  readonly court?: string
  /** `N.D. Cal.`, for federal courts. */
  readonly courtShortName?: string
  readonly parties?: readonly string[]
  readonly filingDate?: LegalDate
  readonly effectiveDate?: LegalDate
  readonly rulingDate?: LegalDate
  readonly docketEntryDate?: LegalDate
  /** Of a message, which is sent and not filed. */
  readonly sentDate?: LegalDate
}
