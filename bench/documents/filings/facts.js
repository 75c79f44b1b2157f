/**
 * What each filing says that nothing else in the corpus says, and what a lawyer would ask to find it. Every second one is
 * held back: nothing in the product may be tuned by it.
 *
 * @typedef {import('./cases.js').Case} Case
 * @typedef {'complaint' | 'motion' | 'opposition' | 'reply' | 'order' | 'proposed-order' | 'declaration' | 'deposition' |
 *   'letter' | 'scheduling-order' | 'memo'} Kind
 * @typedef {{ kind: Kind, place?: 'footnote' | 'table' | 'columns', says(of: Case): string, ask(of: Case): string, answer(of: Case): string }} Fact
 *   `answer` stands in what `says` says, and nowhere else
 */

const AUTHORITIES = [
  ['Ashcroft v. Iqbal, 556 U.S. 662', '678', 'a pleading that offers labels and conclusions will not do'],
  ['Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308', '324', 'the inference must be cogent'],
  ['Dura Pharm., Inc. v. Broudo, 544 U.S. 336', '347', 'an inflated price alone is not a loss'],
  ['Bell Atl. Corp. v. Twombly, 550 U.S. 544', '556', 'plausibility is not probability'],
]
/** @param {Case} of */
const authority = of => /** @type {[string, string, string]} */ (AUTHORITIES[of.at % AUTHORITIES.length])
const ITEMS = ['calibration rigs', 'overnight haulage', 'replacement gaskets', 'sterile tubing']
/** @param {Case} of */
const item = of => ITEMS[of.at % ITEMS.length] ?? ''
const REASONS = [
  'the speaker there had no access to the reports',
  'that decision turned on a contract term that is absent here',
  'the plaintiff there never pleaded who said what',
]
/** @param {Case} of */
const reason = of => REASONS[of.at % REASONS.length] ?? ''
const RISKS = [
  'a single supplier could halt deliveries without notice',
  'field returns might exceed the reserve',
  'regulators had not finished their review',
]
/** @param {Case} of */
const risk = of => RISKS[of.at % RISKS.length] ?? ''

/** @type {readonly Fact[]} */
export const FACTS = [
  {
    kind: 'complaint',
    says: of =>
      `On ${of.dates[0]}, ${of.officer} told analysts that the ${of.product} had passed every acceptance test, although ${of.engineer} had reported ${of.numbers[0]} failures the week before.`,
    ask: of => `What did ${of.officer} tell analysts about the ${of.product}?`,
    answer: of => `the ${of.product} had passed every acceptance test`,
  },
  {
    kind: 'complaint',
    says: of =>
      `${of.short} booked ${of.amounts[0]} from its ${of.site} depot before a single unit had left the building.`,
    ask: of => `How much did ${of.short} book from the ${of.site} depot before anything was shipped?`,
    answer: of => `booked ${of.amounts[0]} from its ${of.site} depot`,
  },
  {
    kind: 'complaint',
    says: of =>
      `Confidential Witness ${of.numbers[1]}, a former ${of.role} in ${of.site}, recalled that the weekly dashboard was reset each ${of.at % 2 === 0 ? 'Friday' : 'Monday'} so that late orders would not appear.`,
    ask: of => `What did the former ${of.role} at ${of.short} recall about the dashboard?`,
    answer: of => `a former ${of.role} in ${of.site}, recalled that the weekly dashboard was reset`,
  },
  {
    kind: 'complaint',
    says: of => `${of.defendant} maintains its principal place of business in ${of.city}.`,
    ask: of => `Where is ${of.defendant} headquartered?`,
    answer: of => `maintains its principal place of business in ${of.city}`,
  },
  {
    kind: 'motion',
    says: of => `The statement about the ${of.product} came with the warning that ${risk(of)}.`,
    ask: of =>
      `${of.short} motion to dismiss: which warning came with the statement about the ${of.product}?`,
    answer: of => `The statement about the ${of.product} came with the warning that ${risk(of)}`,
  },
  {
    kind: 'motion',
    says: of =>
      `${of.officer} sold nothing in the class period; to the contrary, ${of.officer} bought ${of.numbers[2]},000 shares in ${of.month}.`,
    ask: of => `Did ${of.officer} sell ${of.short} stock during the class period?`,
    answer: of => `${of.officer} bought ${of.numbers[2]},000 shares in ${of.month}`,
  },
  {
    kind: 'motion',
    place: 'footnote',
    says: of =>
      `The Court may take judicial notice of the ${of.dates[1]} call because the Complaint against ${of.short} quotes it at paragraph ${of.numbers[3]}.`,
    ask: of => `Why may the court take judicial notice of the call in ${of.short}?`,
    answer: of => `the Complaint against ${of.short} quotes it at paragraph ${of.numbers[3]}`,
  },
  {
    kind: 'opposition',
    place: 'footnote',
    says: of =>
      `The version of the ${of.product} brochure that ${of.short} attaches was printed in ${of.month}, after this action began.`,
    ask: of => `When was the brochure for the ${of.product} that ${of.short} attached printed?`,
    answer: of => `brochure that ${of.short} attaches was printed in ${of.month}`,
  },
  {
    kind: 'opposition',
    says: of => `${of.short}'s reading of ${authority(of)[0]}, fails because ${reason(of)}.`,
    ask: of => `Why does the opposition say that ${of.short} misreads ${authority(of)[0].split(',')[0]}?`,
    answer: of => `fails because ${reason(of)}`,
  },
  {
    kind: 'opposition',
    says: of =>
      `See ${authority(of)[0]}, ${authority(of)[1]} (${2005 + (of.at % 5)}) (holding that ${authority(of)[2]}, as in the ${of.short} record).`,
    ask: of => `${authority(of)[0].split(', ').at(-1)}, ${authority(of)[1]} in the ${of.short} opposition`,
    answer: of => `as in the ${of.short} record`,
  },
  {
    kind: 'reply',
    says: of =>
      `Plaintiff concedes at page ${of.numbers[4]} of its brief that the report by ${of.engineer} was never sent to ${of.officer}.`,
    ask: of => `What does the plaintiff concede about the report by ${of.engineer} in ${of.short}?`,
    answer: of => `was never sent to ${of.officer}`,
  },
  {
    kind: 'reply',
    says: of =>
      `${of.short}'s share price fell ${of.numbers[5]} percent on ${of.dates[2]}, two days before anything was corrected.`,
    ask: of => `How far did ${of.short} shares drop before the corrective disclosure?`,
    answer: of => `share price fell ${of.numbers[5]} percent on ${of.dates[2]}`,
  },
  {
    kind: 'order',
    says: of =>
      `The claims that rest on the ${of.product} are dismissed with leave to amend, and the claims that rest on the ${of.site} depot go forward.`,
    ask: of => `Which claims against ${of.short} go forward after the order on the motion to dismiss?`,
    answer: of => `the claims that rest on the ${of.site} depot go forward`,
  },
  {
    kind: 'order',
    says: of =>
      `Because the auditor withdrew its opinion on ${of.dates[3]}, the inference that ${of.officer} acted with scienter is at least as strong as any innocent one.`,
    ask: of => `Why did the court find a strong inference that ${of.officer} acted with scienter?`,
    answer: of => `Because the auditor withdrew its opinion on ${of.dates[3]}`,
  },
  {
    kind: 'order',
    says: of =>
      `Counsel for ${of.short} shall pay ${of.amounts[1]} for the late production of the ${of.site} emails.`,
    ask: of => `What sanction was imposed on ${of.short}'s counsel for the late production of emails?`,
    answer: of => `shall pay ${of.amounts[1]} for the late production`,
  },
  {
    kind: 'proposed-order',
    says: of =>
      `Any amended pleading against ${of.short} shall be served on or before ${of.dates[4]} by electronic mail.`,
    ask: of => `proposed order in ${of.short}: when must an amended pleading be served?`,
    answer: of => `shall be served on or before ${of.dates[4]} by electronic mail`,
  },
  {
    kind: 'declaration',
    says: of =>
      `I ran the ${of.short} warehouse in ${of.site} from ${1990 + (of.at % 20)} to 2020 and signed the inspection log every morning.`,
    ask: of => `How long did ${of.declarant} run the ${of.site} warehouse for ${of.short}?`,
    answer: of => `from ${1990 + (of.at % 20)} to 2020 and signed the inspection log`,
  },
  {
    kind: 'declaration',
    place: 'table',
    says: of => `${item(of)}|${of.numbers[6]} units|$${of.numbers[7]},${100 + of.at * 7}.00`,
    ask: of => `What was ${of.short} charged for ${item(of)}?`,
    answer: of => `$${of.numbers[7]},${100 + of.at * 7}.00`,
  },
  {
    kind: 'declaration',
    place: 'columns',
    says: of =>
      `${of.short} may end this Agreement upon ${of.numbers[8]} days' written notice if the ${of.product} fails two inspections in a row.`,
    ask: of => `Notice period for ending the ${of.product} agreement with ${of.short}`,
    answer: of => `may end this Agreement upon ${of.numbers[8]} days' written notice`,
  },
  {
    kind: 'deposition',
    says: of =>
      `Q. When did you first see the ${of.product} report?|A. In ${of.month}, in the cafeteria, when ${of.engineer} handed it to me.`,
    ask: of => `When did ${of.witness} first see the ${of.product} report?`,
    answer: of => `when ${of.engineer} handed it to me`,
  },
  {
    kind: 'deposition',
    says: of =>
      `Q. Who at ${of.short} had the password to the ${of.site} system?|A. The whole night shift in ${of.site} shared it.`,
    ask: of => `Who had the password to the ${of.site} system according to ${of.witness} of ${of.short}?`,
    answer: of => `The whole night shift in ${of.site} shared it`,
  },
  {
    kind: 'letter',
    says: of =>
      `${of.short} asks for ${of.numbers[9]} more days because ${of.witness} is recovering from surgery.`,
    ask: of => `Why is an extension of time requested in the ${of.short} matter?`,
    answer: of => `because ${of.witness} is recovering from surgery`,
  },
  {
    kind: 'letter',
    says: of =>
      `The parties to the ${of.short} action have agreed to mediate before the Hon. ${of.mediator} (ret.) on ${of.dates[5]}.`,
    ask: of => `Who is the mediator in ${of.short}?`,
    answer: of => `mediate before the Hon. ${of.mediator}`,
  },
  {
    kind: 'scheduling-order',
    says: of =>
      `Fact discovery closes on ${of.dates[6]}; expert reports are due ${of.numbers[0]} days later.`,
    ask: of => `When does fact discovery close in ${bare(of.number)}?`,
    answer: of => `Fact discovery closes on ${of.dates[6]}`,
  },
  {
    kind: 'scheduling-order',
    says: of =>
      `Each side may take ${of.numbers[1]} depositions of no more than seven hours, beginning with ${of.declarant}.`,
    ask: of => `How many depositions may each side take in ${of.short}?`,
    answer: of => `Each side may take ${of.numbers[1]} depositions`,
  },
  {
    kind: 'memo',
    says: of =>
      `The weak point of our theory against ${of.short} is that nobody can say whether ${of.officer} read the ${of.site} report.`,
    ask: of => `What is the weak point of our theory against ${of.short}?`,
    answer: of => `nobody can say whether ${of.officer} read the ${of.site} report`,
  },
]

/** A number as people quote it, without the judge. @param {string} number */
const bare = number => number.replace(/[\s-]*\(?[A-Z]{3}\)?$/, '')

/** Cases asked about by each fact. */
const ASKED = 2

/** @param {readonly Case[]} cases */
export const makeQuestions = cases =>
  FACTS.flatMap((fact, at) =>
    Array.from({ length: ASKED }, (_, nth) => {
      const of = /** @type {Case} */ (cases[(at * 7 + nth * 13) % cases.length])
      return {
        id: `${fact.kind}-${at}-${nth}`,
        half: at % 2 === 0 ? /** @type {const} */ ('seen') : /** @type {const} */ ('held back'),
        document: documentName(of, fact.kind),
        query: fact.ask(of),
        answer: fact.answer(of),
      }
    }),
  )

/** @param {Case} of @param {Kind} kind */
export const documentName = (of, kind) =>
  `${String(of.at).padStart(2, '0')}-${kind}${isDocx(kind) ? '.docx' : '.pdf'}`

/** @param {Kind} kind */
export const isDocx = kind => kind === 'proposed-order' || kind === 'letter' || kind === 'memo'
