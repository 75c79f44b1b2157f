export type CitationKind =
  | 'case'
  | 'statute'
  | 'regulation'
  | 'rule'
  | 'constitution'
  /** The number of a case. */
  | 'docket'
  /** A filing in a case: `ECF No. 45`. */
  | 'entry'
  /** `Id.`, `supra` or `infra` that refers to nothing in the text. */
  | 'reference'

export interface Range {
  readonly start: number
  readonly end: number
}

/** A citation in a text; offsets are UTF-16 units and include pinpoints and the parenthesis with court and year. */
export interface LegalCitation extends Range {
  readonly kind: CitationKind
  readonly form: 'full' | 'short' | 'id' | 'supra'
  /**
   * What is cited, written one way: `550 U.S. 544`, `15 U.S.C. § 78u-4`. A form that refers to nothing in the text says
   * what it tells by itself: `550 U.S. at 570`, `Id.`, `supra`.
   */
  readonly normal: string
  /** What `normal` is an item of: `550 U.S.`, `15 U.S.C.`; empty where it tells nothing. */
  readonly source: string
  /** Pages, footnotes (`570 n.3`), subsections (each with those above it) or, of a docket number, the office. */
  readonly pinpoints: readonly string[]
  /** The place in the list of the full citation that a short form, `Id.` or `supra` stands for. */
  readonly refersTo: number | null
  /** The place in the list of the first citation of the same decision in another reporter right before. */
  readonly parallelOf: number | null
  readonly name: string | null
  readonly court: string | null
  readonly year: number | null
  /** The words before it that say how it is cited: `see also`. */
  readonly signal: Range | null
}

/** A citation as it stands, before it is known what came before it. */
export interface CitationReading extends Range {
  readonly kind: CitationKind
  readonly form: LegalCitation['form']
  readonly source: string
  /** The page, section or number within the source; empty where only an earlier citation tells. */
  readonly item: string
  readonly pinpoints: readonly string[]
  readonly court?: string | null
  readonly year?: number | null
  /** What it stands for if nothing before it in the text says so. */
  readonly otherwise?: string
}
