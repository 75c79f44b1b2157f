/**
 * Sentences of the sort that every brief holds: they share their words with the questions and answer none.
 *
 * @typedef {import('./cases.js').Case} Case
 */

const STANDARD = [
  'A complaint must contain sufficient factual matter, accepted as true, to state a claim to relief that is plausible on its face.',
  'The Court accepts well-pleaded allegations as true and draws reasonable inferences in favor of the nonmoving party.',
  'Conclusory statements and formulaic recitations of the elements of a cause of action do not suffice.',
  'Allegations of fraud must state with particularity the circumstances constituting the fraud.',
  'Courts consider the complaint in its entirety, together with documents incorporated by reference and matters of which a court may take judicial notice.',
  'The strength of an inference cannot be decided in a vacuum; the inquiry is inherently comparative.',
  'A statement is material if there is a substantial likelihood that a reasonable investor would consider it important.',
  'Forward-looking statements are protected when accompanied by meaningful cautionary language.',
  'Loss causation requires a causal connection between the misrepresentation and the economic loss.',
  'Leave to amend shall be freely given when justice so requires, absent undue delay, bad faith or futility.',
  'A district court enjoys broad discretion over the scope of discovery and the timing of motions.',
  'Standing requires an injury in fact that is fairly traceable to the challenged conduct and likely to be redressed.',
  'The party asserting privilege bears the burden of showing that the communication was confidential.',
  'Sanctions are reserved for conduct that multiplies the proceedings unreasonably and vexatiously.',
  'A witness may testify to matters within personal knowledge, and a declaration must set out facts that would be admissible.',
]
/** @type {readonly ((of: Case) => string)[]} */
const ABOUT = [
  of => `${of.short} denies each of these allegations and refers to its filings for their contents.`,
  of => `The ${of.product} was introduced to customers in several states and sold through dealers.`,
  of => `${of.officer} signed the annual report, as did the other directors of ${of.short}.`,
  of => `The ${of.site} depot employed several hundred people at the time of the events described here.`,
  of => `Analysts asked about the ${of.product} on two calls, and ${of.officer} answered at length.`,
  of => `${of.engineer} worked in the group that tested the ${of.product}, and kept notes of the tests.`,
  of => `The emails from ${of.site} were collected late, after a dispute about custodians.`,
  of => `The auditor reviewed the books of ${of.short} and asked for further documents.`,
  of => `Whether ${of.short} knew of the failures is a question on which the parties differ.`,
  of => `The report on the ${of.product} circulated within the company for some weeks.`,
  of => `${of.witness} was deposed over two days, and the transcript is before the Court.`,
  of => `${of.plaintiff} purchased shares of ${of.short} during the class period and was damaged.`,
  of => `The agreement between ${of.short} and its suppliers was amended more than once.`,
  of => `A dashboard of orders was kept for management, and the ${of.role} reported to it.`,
  of => `Plaintiff relies on ${citation(of)}, and ${of.short} distinguishes it.`,
]
const CITATIONS = [
  'Ashcroft v. Iqbal, 556 U.S. 662 (2009)',
  'Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308 (2007)',
  'Dura Pharm., Inc. v. Broudo, 544 U.S. 336 (2005)',
  'Bell Atl. Corp. v. Twombly, 550 U.S. 544 (2007)',
]
/** @param {Case} of */
const citation = of => of.random.pick(CITATIONS)

/** A paragraph of some sentences. @param {Case} of */
export function paragraph(of) {
  const { random } = of
  const count = 4 + random.integer(4)
  return Array.from({ length: count }, () =>
    random.integer(2) === 0 ? random.pick(STANDARD) : random.pick(ABOUT)(of),
  ).join(' ')
}

/** Questions and answers of a deposition. @param {Case} of */
export function examination(of) {
  const { random } = of
  return `Q. ${random.pick(QUESTIONS)(of)}|A. ${random.pick(ANSWERS)(of)}`
}
/** @type {readonly ((of: Case) => string)[]} */
const QUESTIONS = [
  of => `Did you speak with ${of.officer} about the ${of.product} at any time?`,
  of => `How many people worked at the ${of.site} depot on an ordinary day?`,
  () => 'Is there any reason why you cannot testify fully and truthfully today?',
  of => `Had you seen the report before ${of.engineer} left the company?`,
  () => 'Who else was in the room, to the best of your memory?',
  () => 'Do you recognize the document that was marked as an exhibit?',
]
/** @type {readonly ((of: Case) => string)[]} */
const ANSWERS = [
  () => 'I do not recall. It was a long time ago, and there were many meetings.',
  of => `I would have to look at the system in ${of.site} to answer that.`,
  () => 'Counsel objected to the form, but yes, as far as I know.',
  of => `${of.officer} was not a person one spoke to in the hallway.`,
  () => 'Yes. That is my signature, and those are my initials.',
]

/** Headings of a brief. */
export const HEADINGS = [
  'INTRODUCTION',
  'STATEMENT OF FACTS',
  'ARGUMENT',
  'I.   THE STANDARD THAT GOVERNS THE MOTION',
  'II.  THE PLEADING AND WHAT IT SAYS',
  'III. THE REMAINING QUESTIONS',
  'CONCLUSION',
]
