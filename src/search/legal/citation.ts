export type CitationKind =
  | 'case'
  | 'statute'
  | 'regulation'
  | 'rule'
  | 'constitution'
  /** A docket number. */
  | 'docket'
  /** A filing in a case: `ECF No. 45`. */
  | 'entry'
  /** An `Id.`, `supra` or `infra` that refers to nothing in the text. */
  | 'reference'

export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * A citation in a text. Offsets are in UTF-16 units and include pinpoints and the parenthesis with court and year.
 */
export interface LegalCitation extends Range {
  readonly kind: CitationKind
  readonly form: 'full' | 'short' | 'id' | 'supra'
  /**
   * The cited source in its normal form: `550 U.S. 544`, `15 U.S.C. § 78u-4`. A form that refers to nothing in the
   * text has only what it says itself: `550 U.S. at 570`, `Id.`, `supra`.
   */
  readonly normal: string
  /** The volume or code of `normal`: `550 U.S.`, `15 U.S.C.`; empty if the citation does not name one. */
  readonly source: string
  /** Pages, footnotes (`570 n.3`), subsections (each with those above it) or, for a docket number, the office. */
  readonly pinpoints: readonly string[]
  /** The index in the list of the full citation to which a short form, `Id.` or `supra` refers. */
  readonly refersTo: number | null
  /**
   * The index in the list of the first of the parallel citations directly before, which cite the same decision in
   * other reporters.
   */
  readonly parallelOf: number | null
  readonly name: string | null
  readonly court: string | null
  readonly year: number | null
  /** The signal before the citation, such as `see also`. */
  readonly signal: Range | null
}

/** A citation as it is written, before references to earlier citations are resolved. */
export interface CitationReading extends Range {
  readonly kind: CitationKind
  readonly form: LegalCitation['form']
  readonly source: string
  /** The page, section or number within the source; empty if only an earlier citation says it. */
  readonly item: string
  readonly pinpoints: readonly string[]
  readonly court?: string | null
  readonly year?: number | null
  /** The source to assume if no earlier citation in the text names one. */
  readonly otherwise?: string
}
