import { ARGUE, ARGUMENT, any, near, phrasesAbout } from '../runtime/search/router/phrases.js'

/**
 * English phrases by which legal questions are recognised. The tables of intents and of postures both use them, so
 * that they agree about a question. Missing a phrase costs little, because documents and memories are both searched
 * then; a false match leaves out half of them. So each phrase needs words from filings, not only words of everyday
 * use.
 */

const DOCUMENT =
  'brief|motion|opposition|reply|complaint|memorandum|petition|pleading|filing|(?:the|this|that|court) order|opinion|' +
  'MTD|MSJ|declaration|order (?:granting|denying)'
const DOCUMENTS =
  'briefs|motions|oppositions|replies|complaints|memoranda|petitions|pleadings|filings|orders|opinions|MTDs|MSJs|' +
  'declarations|documents|papers|submissions|decisions|cases|transcripts|depositions|letters|e-?mails'
const PARTY =
  'plaintiffs?|defendants?|petitioners?|respondents?|appell(?:ant|ee)s?|movants?|the (?:court|judge|government|parties)'
const FILED = `${DOCUMENT}|${DOCUMENTS}|${PARTY}`

const CITE = 'cit(?:e|es|ed|ing)|rel(?:y|ies|ied|ying) (?:up)?on|point(?:s|ed)? to|invok(?:e|es|ed)'
const FIND = 'find|locate|search(?: for)?|look for|get|pull(?: up)?|list|show(?: me)?|give me|identify'
const FILE = 'filed|e-?filed|served|docketed|lodged|entered|submitted'
/** What happened. `When must the pleading be served` asks for what a document says. */
const WHEN_OR_WHO =
  '(?:when|who|where|(?:what|which) (?:day|date|court))(?! (?:must|shall|should|may|can|could|will|would))'

/** What is asked of documents that are counted. `How many depositions may each side take` asks for what one says. */
const COUNTED = `${FILE}|attached|are there|were there|is there|do (?:we|I) have|does .{1,40} have|exist|long`

export const {
  EXACT_WORDS: EXACT_WORDS_OF_LAW,
  THEMES_ACROSS: THEMES_ACROSS_LAW,
  ACROSS_DOCUMENTS: ACROSS_FILINGS,
  COMPARES: COMPARES_FILINGS,
} = phrasesAbout({
  named: FILED,
  several: DOCUMENTS,
  passages: 'passage|part|language|paragraph|sentence|section|proposed order',
})

/** "Find oppositions that argue …", "Which briefs contend …" */
export const FINDS_ARGUMENTS = any(
  near(FIND, FILED, 'that|which|who|where|whose', `${ARGUE}|${ARGUMENT}`),
  near(FIND, FILED, 'arguing|contending|asserting'),
  near(`which (?:of )?(?:the |these |those )?(?:${FILED})`, ARGUE),
)

/** "What documents were filed with motion?", "When was the reply filed?" */
export const FILING_FACTS = any(
  near(
    'what|which|how many|list|all|every|everything',
    '(?:filed|attached|submitted|lodged|served|included) (?:with|to|in support)|accompan(?:y|ies|ied)',
    FILED,
  ),
  near(WHEN_OR_WHO, FILED, FILE),
  near(WHEN_OR_WHO, FILE, FILED),
  near('when (?:was|were) (?:it|this|that|they|these) (?:filed|docketed|lodged)'),
  near(`how many (?:${DOCUMENTS}|exhibits|pages)`, COUNTED),
  near(`(?:list|name) (?:all |every |each |of |the )*(?:${DOCUMENTS}|exhibits)`),
  near('(?:case|docket) (?:numbers?|no)'),
  near('(?:filing|ruling|hearing|docket entry) dates?'),
  near('(?:which|what) (?:court|judge|district|circuit)'),
)

export const PROPOSED_ORDER = any(near('(?:proposed|draft)\\]? orders?'), near('order (?:as )?proposed'))

export const IN_EXHIBITS = any(
  near(
    '(?:in|within|from|search|read|open|show(?: me)?) (?:the |an? |its |their |all |these |those )?exhibits?',
  ),
  near('exhibits? (?:[a-z0-9]{1,3} )?(?:say|show|state|contain|mention|reveal)s?'),
)

/** "Find risk disclosure defendants cite" */
export const FINDS_CITED = any(
  near(FIND, FILED, CITE),
  near(FIND, 'cited (?:in|by)', FILED),
  near('which|what', FILED, CITE),
)

/** "What is the pleading standard?" */
export const DOCTRINE = any(
  near('(?:legal|pleading|governing|controlling) (?:standards?|tests?|rules?)'),
  near('standards? of (?:review|proof)|burden of (?:proof|persuasion|pleading|production)'),
  near(
    'standards? (?:for|on|under)',
    'dismissal|dismiss|summary judgment|pleading|injunctions?|certification|scienter',
  ),
  near(
    'elements of',
    'claims?|causes? of action|offen[cs]es?|defen[cs]es?|torts?|fraud|negligence|estoppel|conspiracy|breach|scienter',
  ),
  near('doctrines?|black[- ]letter'),
)

/** "What does the brief argue about …" */
export const ASKS_ARGUMENT = any(
  near('what|how|why', FILED, `${ARGUE}|${ARGUMENT}|address(?:es)?|responds? to|says? (?:about|on)`),
  near('what', ARGUMENT, FILED),
)
