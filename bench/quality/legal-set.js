import { makeRandom } from '../random.js'

/**
 * Legal passages in the form of BEIR, made up and the same for the same seed: each cites one authority and argues one
 * point, both in one of the ways that lawyers write them. A question has an authority and a point in ways of its own; a
 * passage answers it fully with both, and partly with the authority alone. There is no free data of this kind to be shipped here;
 * folders in BEIR form are read with --data.
 */

/** The same authority as texts have it. */
const AUTHORITIES = [
  ['Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308 (2007)', '551 U. S. 308', '551 US 308'],
  ['Bell Atl. Corp. v. Twombly, 550 U.S. 544 (2007)', '550 U. S. 544', '550 US 544'],
  ['Ashcroft v. Iqbal, 556 U.S. 662 (2009)', '556 U. S. 662', '556 US 662'],
  ['Dura Pharm., Inc. v. Broudo, 544 U.S. 336 (2005)', '544 U. S. 336', '544 US 336'],
  ['In re Silicon Graphics Inc. Sec. Litig., 183 F.3d 970 (9th Cir. 1999)', '183 F. 3d 970', '183 F3d 970'],
  ['Zucco Partners, LLC v. Digimarc Corp., 552 F.3d 981 (9th Cir. 2009)', '552 F. 3d 981', '552 F3d 981'],
  ['15 U.S.C. § 78u-4(b)(2)', '15 USC 78u-4(b)(2)', '15 U.S.C. Sec. 78u-4(b)(2)'],
  ['15 U.S.C. § 78j(b)', '15 USC 78j(b)', '15 U.S.C. section 78j(b)'],
  ['17 C.F.R. § 240.10b-5', '17 CFR 240.10b-5', '17 C.F.R. Sec. 240.10b-5'],
  ['Fed. R. Civ. P. 9(b)', 'FRCP 9(b)', 'Federal Rule of Civil Procedure 9(b)'],
  ['Fed. R. Civ. P. 12(b)(6)', 'FRCP 12(b)(6)', 'Federal Rule of Civil Procedure 12(b)(6)'],
  ['the Private Securities Litigation Reform Act', 'the PSLRA', 'PSLRA'],
  ['the Securities Litigation Uniform Standards Act', 'SLUSA', 'the SLUSA'],
  ['the Employee Retirement Income Security Act', 'ERISA', 'E.R.I.S.A.'],
  ['the Class Action Fairness Act', 'CAFA', 'the CAFA'],
  ['the Americans with Disabilities Act', 'the ADA', 'ADA'],
]
/** What a point is called, in full and as it is abbreviated, and what is said of it. */
const POINTS = [
  [['a strong inference of scienter'], 'the officers knew of the returns before they spoke'],
  [['loss causation'], 'the price fell when the ledgers came out'],
  [['forward-looking statements'], 'the cautions were meaningful and close by'],
  [['particularity of pleading'], 'each statement is given with its date and speaker'],
  [['a motion for summary judgment', 'an MSJ'], 'no fact is left that a jury could weigh'],
  [['standing of the class'], 'every member bought in the offering'],
  [['the statute of repose', 'the SOR'], 'five years passed before the amendment'],
  [['a temporary restraining order', 'a TRO'], 'what is paid out now cannot be had back'],
  [['a request for judicial notice', 'an RJN'], 'nobody disputes what the registry says'],
  [['control persons'], 'the directors signed what the firm filed'],
]
const FRAMES = [
  (/** @type {string} */ cite, /** @type {string} */ point, /** @type {string} */ why) =>
    `Under ${cite}, the question of ${point} turns on whether ${why}.`,
  (/** @type {string} */ cite, /** @type {string} */ point, /** @type {string} */ why) =>
    `Plaintiffs rely on ${cite} and argue for ${point}, because ${why}.`,
  (/** @type {string} */ cite, /** @type {string} */ point, /** @type {string} */ why) =>
    `As for ${point}, the court follows ${cite}: ${why}.`,
]
const FILLER = [
  'The parties met and conferred without success.',
  'Nothing in the record suggests otherwise.',
  'The motion is suited for decision without a hearing.',
  'Both sides cite cases from other circuits, which do not help.',
  'The remaining arguments need not be reached.',
]

const PASSAGES = 2_000
const QUICK_PASSAGES = 200
const QUERIES = 200

/** @returns {import('./data.js').DataSet} */
export function makeLegalSet({ seed = 1, quick = false } = {}) {
  const random = makeRandom(seed)
  /** @param {number} point */
  const calledIn = point => {
    const [names = [], why = ''] = POINTS[point] ?? []
    return { name: random.pick([names].flat()), why: String(why) }
  }
  const passages = Array.from({ length: quick ? QUICK_PASSAGES : PASSAGES }, (_, at) => {
    const authority = random.integer(AUTHORITIES.length)
    const point = random.integer(POINTS.length)
    const cite = random.pick(AUTHORITIES[authority] ?? [])
    const { name, why } = calledIn(point)
    const text = [random.pick(FILLER), random.pick(FRAMES)(cite, name, why), random.pick(FILLER)].join(' ')
    return { id: `p${at}`, text, authority, point }
  })
  const queries = Array.from({ length: QUERIES }, (_, at) => {
    const authority = at % AUTHORITIES.length
    const point = random.integer(POINTS.length)
    const { name } = calledIn(point)
    const gold = Object.fromEntries(
      passages.flatMap(one => (one.authority === authority ? [[one.id, one.point === point ? 2 : 1]] : [])),
    )
    return { id: `q${at}`, text: `${random.pick(AUTHORITIES[authority] ?? [])} ${name}`, gold }
  })
  return {
    name: 'legal passages',
    groups: [{ id: 'legal', docs: passages.map(({ id, text }) => ({ id, text })), queries }],
  }
}
