export const DOCUMENT_TYPES = [
  'motion',
  'opposition',
  'reply',
  'order',
  'complaint',
  'brief',
  'letter',
  'email',
  'other',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The type for each word of a title. The word that comes first in the title decides; in a tie, the first rule. */
const RULES: readonly (readonly [RegExp, DocumentType])[] = [
  [
    /\b(?:stipulation|declaration|affidavit|certificate|exhibit|answer|summons|subpoena|proposed|deposition|transcript)\b/i,
    'other',
  ],
  [/\bnotice of (?!(?:\S+ ){0,2}(?:cross-)?motion)/i, 'other'],
  [/\bresponses? to (?:\S+ ){0,4}(?:interrogator|requests?\b|order to show)/i, 'other'],
  [/\b(?:memorandum|brief|memo|points and authorities)\b[^.]{0,80}? in opposition\b/i, 'opposition'],
  [/\breply\b/i, 'reply'],
  [/\b(?:memorandum|brief)\b[^.]{0,40}? in reply\b/i, 'reply'],
  [/\b(?:opposition|response|objections?)\b/i, 'opposition'],
  [/\b(?:memorandum|opinion|findings)(?: \S+)? (?:opinion|order|decision)\b/i, 'order'],
  [/\b(?:order|judgment|judgement|opinion|ruling|report and recommendation)\b/i, 'order'],
  [/\b(?:complaint|original petition|verified petition)\b/i, 'complaint'],
  [/\b(?:memorandum|brief|points and authorities)\b/i, 'brief'],
  [/\bmotion\b(?! pictures?\b)/i, 'motion'],
  [/\bapplication\b/i, 'motion'],
]

/**
 * The type that a title names, or null. The first matching word decides: `ORDER GRANTING MOTION` is an order, and
 * `MOTION FOR AN ORDER` a motion. A proposed order is not an order.
 */
export function typeOfTitle(title: string): DocumentType | null {
  let best: DocumentType | null = null
  let first = Number.POSITIVE_INFINITY
  for (const [pattern, type] of RULES) {
    const at = pattern.exec(title)?.index
    if (at === undefined || at >= first) continue
    best = type
    first = at
  }
  return best
}
