/**
 * English phrases that reveal the intent of a question on any subject. A phrase that is missed costs little, because
 * documents and memories are then both searched; a phrase that is mistaken leaves out half of them.
 */

export const ARGUE =
  'argu(?:e|es|ed|ing)|contend(?:s|ed|ing)?|assert(?:s|ed|ing)?|maintain(?:s|ed)? that|claim(?:s|ed)? that|falls? short'
export const ARGUMENT = 'arguments?|contentions?|assertions?|positions?|theory|theories|reasoning'
const THEME = 'themes?|patterns?|trends?|through-?lines?|commonalit(?:y|ies)|recurring|common threads?'
const CONCERN =
  'come up|comes up|came up|appear(?:s|ed)?|arise(?:s)?|arose|mention(?:s|ed)?|discuss(?:es|ed)?|raise[sd]?|' +
  'address(?:es|ed)?|refer(?:s|red)? to|cite[sd]?|found'

/** What may stand between two words of one sentence. The full stop of `Smith v. Jones` or `No. 5` does not end it. */
const WITHIN = '(?:\\b(?:vs?|nos?|inc|corp|co|ltd|mr|mrs|ms|dr|hon|cir)\\.|[^.?!]){0,80}'

/** Words in this order, close to each other and within one sentence. */
export const near = (...sources: readonly string[]): string =>
  sources.map(source => `(?:${source})\\b`).join(`${WITHIN}\\b`)

export const any = (...sources: readonly string[]): RegExp =>
  new RegExp(sources.map(source => `\\b(?:${source})`).join('|'), 'iu')

export const HAS_ARGUMENT = any(near(`${ARGUE}|${ARGUMENT}`))

export const HAS_THEME = any(near(THEME))

/** For example "Review this search" or "the audit trail". */
export const REVIEWS = any(
  near('audit (?:trail|log)s?'),
  near('(?:audit|review) (?:this|my|the|our|that) (?:last )?(?:search|answer|plan|receipt)'),
  near('what (?:was searched|did you search)'),
)

/** For example "Show me my notes on this letter". */
export const OWN_NOTES = any(
  near('(?:my|our) (?:own )?(?:notes?|annotations?|comments?|highlights?|memos?|memories|remarks)'),
  near(
    '(?:did|have|had) (?:I|we) (?:note|write|flag|highlight|jot|remark|noted|written|flagged|highlighted)',
  ),
  near('I (?:noted|wrote|flagged|highlighted|jotted)'),
)

/** For example "… where did X come up". */
export const OCCURRENCES = any(near('where|everywhere|wherever|which|how often', CONCERN))

/** What a domain calls a document or several of them, with their authors, and the passages of one. */
interface Vocabulary {
  readonly named: string
  readonly several: string
  readonly passages: string
}

/** Phrases about documents, in the vocabulary of a domain. */
export const phrasesAbout = ({ named, several, passages }: Vocabulary) => ({
  /** For example "Quote what they said". */
  EXACT_WORDS: any(
    near('quote (?:what|how|where|exactly|directly|them|him|her)'),
    near(`quote (?:the |this |that )?(?:${passages})`),
    near(`quot(?:e|es|ations?)(?: from)?(?: the| this| that)? (?:${named})`),
    near('(?:exact|actual|precise|very) (?:words?|wording|language|quotes?|quotations?)'),
    near('verbatim|word[- ]for[- ]word|in (?:their|his|her|its) own words'),
  ),
  /** For example "Themes across letters". */
  THEMES_ACROSS: any(near(THEME, several), near(several, THEME)),
  /** For example "Across these letters, …", but not "in all cases". */
  ACROSS_DOCUMENTS: any(
    near('across|throughout|among', several),
    near(`in (?:these|those|all|(?:all|each|which|any) of(?: the| these| those)?) (?!cases)(?:${several})`),
  ),
  /** For example "Compare the letter with the reply". */
  COMPARES: any(near('compare|contrast|reconcile|synthesi[sz]e', named), near('how do', named, 'differ')),
})

const SEVERAL = 'documents|papers|letters|e-?mails|messages|transcripts|articles|reports|diaries|journals'

export const { EXACT_WORDS, THEMES_ACROSS, ACROSS_DOCUMENTS, COMPARES } = phrasesAbout({
  named: `${SEVERAL}|document|paper|letter|e-?mail|message|transcript|article|report|diary|journal`,
  several: SEVERAL,
  passages: 'passage|part|paragraph|sentence|section',
})
