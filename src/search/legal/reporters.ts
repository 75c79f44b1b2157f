import { Spellings } from './spellings.js'
import { STATES } from './states.js'

/** A series of volumes that is cited by volume and page. */
export interface Reporter {
  /** The name in a normal form. */
  readonly name: string
  readonly kind: 'case' | 'statute' | 'regulation'
  /** Whether its volumes are years, as in databases, which number decisions by year. */
  readonly yearly: boolean
  /** Whether it may be written without periods and without the number of its series, as in `550 US 544`. */
  readonly bare: boolean
}

type Series = '' | '2d' | '3d' | '4th' | '5th'
const FIRST: readonly Series[] = ['']
const TWO: readonly Series[] = ['', '2d']
const THREE: readonly Series[] = ['', '2d', '3d']
const FOUR: readonly Series[] = ['', '2d', '3d', '4th']
const FIVE: readonly Series[] = ['', '2d', '3d', '4th', '5th']

/** The name, its series and other abbreviations of the name. */
type Row = readonly [name: string, series: readonly Series[], ...others: string[]]

const CASES: readonly Row[] = [
  ['U.S.', FIRST, 'U.S. Reports'],
  ['S. Ct.', FIRST, 'Sup. Ct.', 'Sup. Ct. Rep.'],
  ['L. Ed.', TWO, 'Law. Ed.', 'Lawyers Ed.'],
  ['F.', FOUR, 'Fed.', 'Fed. Rep.'],
  ['F. Supp.', THREE, 'Fed. Supp.', 'F. Sup.', 'F. Suppl.'],
  ["F. App'x", FIRST, 'Fed. Appx.', "Fed. App'x", 'Fed. App.', 'F. Appx.', 'F. App.', 'F. Appdx.'],
  ['F.R.D.', FIRST, 'Fed. R. D.', 'Fed. Rules Dec.'],
  ['F. Cas.', FIRST, 'Fed. Cas.'],
  ['B.R.', FIRST, 'Bankr.', 'Bankr. Rep.', 'Bank. Rep.'],
  ['Fed. Cl.', FIRST],
  ['Cl. Ct.', FIRST],
  ['Ct. Cl.', FIRST],
  ['Ct. Intl. Trade', FIRST, "Ct. Int'l Trade"],
  ['T.C.', FIRST, 'Tax Ct.'],
  ['T.C.M.', FIRST, 'T.C.M. (CCH)'],
  ['M.J.', FIRST],
  ['Vet. App.', FIRST],
  ['U.S.P.Q.', TWO],
  ['I. & N. Dec.', FIRST],
  ['N.L.R.B.', FIRST, 'NLRB'],
  ['F.T.C.', FIRST],
  ['F.C.C.R.', FIRST, 'FCC Rcd.'],
  ['S.E.C.', FIRST],
  ['App. D.C.', FIRST, 'U.S. App. D.C.'],
  // Regional reporters
  ['A.', THREE, 'Atl.'],
  ['N.E.', THREE],
  ['N.W.', THREE],
  ['P.', THREE, 'Pac.'],
  ['S.E.', THREE],
  ['S.W.', THREE],
  ['So.', THREE, 'South.'],
  // State reporters
  ['Cal.', FIVE, 'Calif.'],
  ['Cal. App.', FIVE, 'Cal. Ct. App.', 'Calif. App.', 'C.A.'],
  ['Cal. Rptr.', THREE, 'Cal. R.', 'Calif. Rptr.'],
  ['Cal. App. Supp.', THREE],
  ['N.Y.', THREE],
  ['N.Y.S.', THREE, 'N.Y. Supp.'],
  ['A.D.', THREE, 'App. Div.', 'N.Y. App. Div.'],
  ['Misc.', THREE, 'N.Y. Misc.'],
  ['Ill.', TWO],
  ['Ill. App.', THREE],
  ['Ill. Dec.', FIRST],
  ['Mass.', FIRST],
  ['Mass. App. Ct.', FIRST],
  ['Tex.', FIRST],
  ['Tex. Civ. App.', FIRST],
  ['Tex. Crim.', FIRST, 'Tex. Crim. App.'],
  ['Tex. Sup. Ct. J.', FIRST],
  ['Ohio St.', THREE],
  ['Ohio App.', THREE],
  ['Ohio Misc.', TWO],
  ['Wash.', TWO, 'Wn.'],
  ['Wash. App.', TWO, 'Wn. App.'],
  ['Wis.', TWO],
  ['Mich.', FIRST],
  ['Mich. App.', FIRST],
  ['N.J.', FIRST],
  ['N.J. Super.', FIRST],
  ['N.J. Eq.', FIRST],
  ['N.J.L.', FIRST],
  ['Pa.', FIRST, 'Penn.'],
  ['Pa. Super.', FIRST],
  ['Pa. Commw.', FIRST, 'Pa. Cmwlth.'],
  ['Ga.', FIRST],
  ['Ga. App.', FIRST],
  ['Fla.', FIRST],
  ['Fla. L. Weekly', FIRST],
  ['Va.', FIRST],
  ['Va. App.', FIRST],
  ['W. Va.', FIRST],
  ['N.C.', FIRST],
  ['N.C. App.', FIRST],
  ['S.C.', FIRST],
  ['N.D.', FIRST],
  ['S.D.', FIRST],
  ['Md.', FIRST],
  ['Md. App.', FIRST],
  ['Del.', FIRST],
  ['Del. Ch.', FIRST],
  ['Conn.', FIRST],
  ['Conn. App.', FIRST],
  ['Conn. Supp.', FIRST],
  ['Ind.', FIRST],
  ['Ind. App.', FIRST],
  ['Iowa', FIRST],
  ['Kan.', FIRST],
  ['Kan. App.', TWO],
  ['Ky.', FIRST],
  ['La.', FIRST],
  ['La. Ann.', FIRST],
  ['Me.', FIRST],
  ['Minn.', FIRST],
  ['Miss.', FIRST],
  ['Mo.', FIRST],
  ['Mo. App.', FIRST],
  ['Mont.', FIRST],
  ['Neb.', FIRST],
  ['Neb. App.', FIRST],
  ['Nev.', FIRST],
  ['N.H.', FIRST],
  ['N.M.', FIRST],
  ['Okla.', FIRST],
  ['Okla. Crim.', FIRST],
  ['Or.', FIRST, 'Ore.'],
  ['Or. App.', FIRST],
  ['R.I.', FIRST],
  ['Tenn.', FIRST],
  ['Tenn. App.', FIRST],
  ['Utah', TWO],
  ['Vt.', FIRST],
  ['Wyo.', FIRST],
  ['Ala.', FIRST],
  ['Ala. App.', FIRST],
  ['Alaska', FIRST],
  ['Ariz.', FIRST],
  ['Ariz. App.', FIRST],
  ['Ark.', FIRST],
  ['Ark. App.', FIRST],
  ['Colo.', FIRST],
  ['Colo. App.', FIRST],
  ['Haw.', FIRST, "Hawai'i"],
  ['Haw. App.', FIRST],
  ['Idaho', FIRST],
]

const NOT_CASES: readonly (readonly [Reporter['kind'], string, ...string[]])[] = [
  ['statute', 'Stat.', 'Stat. at L.', 'Stats. at Large'],
  ['statute', 'Cong. Rec.', 'Congressional Record'],
  ['regulation', 'Fed. Reg.', 'F.R.', 'Federal Register'],
]

const DATABASES: readonly (readonly [string, ...string[]])[] = [
  ['WL', 'Westlaw', 'W.L.'],
  ['U.S. LEXIS'],
  ['U.S. App. LEXIS'],
  ['U.S. Dist. LEXIS', 'Dist. LEXIS'],
  ['U.S. Claims LEXIS'],
  ['Bankr. LEXIS', 'U.S. Bankr. LEXIS'],
  ['N.Y. Misc. LEXIS'],
  ['N.Y. App. Div. LEXIS'],
  ['Cal. App. Unpub. LEXIS'],
  ['N.J. Super. LEXIS'],
  ['N.J. Super. Unpub. LEXIS'],
  ['Del. Ch. LEXIS'],
  ...STATES.flatMap(([state]) => [[`${state} LEXIS`] as const, [`${state} App. LEXIS`] as const]),
]

/**
 * Without periods most short abbreviations look like words, initials or points of the compass. These are the
 * exceptions.
 */
const SHORT_AND_BARE = new Set(['U.S.', 'N.Y.', 'B.R.', 'WL', 'F.R.'])
const WORDS = new Set(['Misc.', 'Miss.', 'Fed.', 'South.', 'Stat.'])

const isBare = (spelling: string) =>
  SHORT_AND_BARE.has(spelling) || (spelling.replace(/[^A-Za-z]/g, '').length > 2 && !WORDS.has(spelling))

const ORDINALS: Readonly<Record<Series, readonly string[]>> = {
  '': [''],
  '2d': ['2d', '2nd'],
  '3d': ['3d', '3rd'],
  '4th': ['4th'],
  '5th': ['5th'],
}

/** A space separates a series from a name of more than initials: `F.2d`, but `F. Supp. 2d`. */
const withSeries = (name: string, series: Series) =>
  series === '' ? name : /^(?:[A-Z]\.)+$/.test(name) ? `${name}${series}` : `${name} ${series}`

/** All reporters, by each of their spellings. */
export const REPORTERS = new Spellings<Reporter>()

function addReporter(name: string, kind: Reporter['kind'], yearly: boolean, spellings: readonly string[]) {
  for (const spelling of spellings) REPORTERS.add(spelling, { name, kind, yearly, bare: isBare(spelling) })
}

for (const [name, series, ...others] of CASES)
  for (const one of series) {
    const spellings = [name, ...others].flatMap(base => ORDINALS[one].map(ordinal => `${base}${ordinal}`))
    addReporter(withSeries(name, one), 'case', false, spellings)
  }
for (const [kind, name, ...others] of NOT_CASES) addReporter(name, kind, false, [name, ...others])
for (const [name, ...others] of DATABASES) addReporter(name, 'case', true, [name, ...others])
