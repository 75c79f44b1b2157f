import { Spellings } from './spellings.js'
import { STATES } from './states.js'

/** A code that is cited by title and section, such as `15 U.S.C. § 78u-4`. */
export interface TitledCode {
  readonly name: string
  readonly kind: 'statute' | 'regulation'
  /** Whether the normal form has the title after the name, as in `Del. Code tit. 8, § 102`. */
  readonly titleAfter: boolean
}

type Names = readonly [name: string, ...others: string[]]

const TITLE_AFTER = new Set(['Del. Code', 'Okla. Stat.'])

export const TITLED_CODES = new Spellings<TitledCode>()

const TITLED: readonly (readonly [TitledCode['kind'], ...Names])[] = [
  [
    'statute',
    'U.S.C.',
    'U.S.C.A.',
    'U.S.C.S.',
    'U.S. Code',
    'U.S. Code Ann.',
    'United States Code',
    'United States Code Annotated',
  ],
  ['regulation', 'C.F.R.', 'Code of Federal Regulations', 'Code Fed. Regs.'],
  ['statute', 'Ill. Comp. Stat.', 'ILCS', 'Ill. Comp. Stat. Ann.'],
  ['statute', 'Pa. Cons. Stat.', 'Pa. C.S.', 'Pa. C.S.A.', 'Pa. Cons. Stat. Ann.'],
  ['statute', 'Del. Code', 'Del. C.', 'Del. Code Ann.'],
  ['statute', 'Okla. Stat.', 'O.S.'],
  ['regulation', 'Cal. Code Regs.', 'C.C.R.'],
]
for (const [kind, name, ...others] of TITLED)
  for (const spelling of [name, ...others])
    TITLED_CODES.add(spelling, { name, kind, titleAfter: TITLE_AFTER.has(name) })

/** Titles of the United States Code whose inserted sections have capital letters, such as `18 U.S.C. § 2339B`. */
export const CAPITAL_TITLES: ReadonlySet<string> = new Set(['18', '26', '28'])

/** The meaning of the words before a number. */
export type Lead =
  | { readonly kind: 'code'; readonly name: string }
  | { readonly kind: 'rules'; readonly name: string }
  | { readonly kind: 'act'; readonly name: string }
  | { readonly kind: 'treasury' }
  | { readonly kind: 'constitution'; readonly name: string }
  | { readonly kind: 'amendment'; readonly number: number }
  | { readonly kind: 'number' }
  | { readonly kind: 'multidistrict' }
  | { readonly kind: 'entry' }
  | { readonly kind: 'publicLaw' }
  | { readonly kind: 'rule' }
  | { readonly kind: 'section' }
  | { readonly kind: 'title' }
  | { readonly kind: 'id' }
  | { readonly kind: 'supra' }
  | { readonly kind: 'infra' }

export const LEADS = new Spellings<Lead>()
/** Only the acts, to recognise `section 10(b) of the Exchange Act`. */
export const ACTS = new Spellings<string>()
/** Only the sets of rules, to recognise `Rule 702 of the Federal Rules of Evidence`. */
export const RULE_SETS = new Spellings<string>()

const addAll = (lead: Lead, spellings: readonly string[]) => {
  for (const spelling of spellings) LEADS.add(spelling, lead)
}

/** The codes of California by subject. The state is written before or after the subject, or not at all. */
const CALIFORNIA: readonly (readonly [name: string, ...subjects: string[]])[] = [
  ['Cal. Civ. Code', 'Civ.', 'Civil'],
  ['Cal. Civ. Proc. Code', 'Civ. Proc.', 'Civil Procedure'],
  ['Cal. Bus. & Prof. Code', 'Bus. & Prof.', 'Business & Professions'],
  ['Cal. Penal Code', 'Penal', 'Pen.'],
  ['Cal. Lab. Code', 'Lab.', 'Labor'],
  ["Cal. Gov't Code", "Gov't", 'Gov.', 'Government', 'Govt.'],
  ['Cal. Evid. Code', 'Evid.', 'Evidence'],
  ['Cal. Corp. Code', 'Corp.', 'Corporations', 'Corps.'],
  ['Cal. Fam. Code', 'Fam.', 'Family'],
  ['Cal. Health & Safety Code', 'Health & Safety', 'Health & Saf.'],
  ['Cal. Ins. Code', 'Ins.', 'Insurance'],
  ['Cal. Veh. Code', 'Veh.', 'Vehicle'],
  ['Cal. Prob. Code', 'Prob.', 'Probate'],
  ['Cal. Com. Code', 'Com.', 'Commercial'],
  ['Cal. Educ. Code', 'Educ.', 'Ed.', 'Education'],
  ['Cal. Fin. Code', 'Fin.', 'Financial'],
  ['Cal. Pub. Res. Code', 'Pub. Res.', 'Public Resources'],
  ['Cal. Water Code', 'Water', 'Wat.'],
  ['Cal. Welf. & Inst. Code', 'Welf. & Inst.', 'Welfare & Institutions'],
  ['Cal. Rev. & Tax. Code', 'Rev. & Tax.', 'Revenue & Taxation'],
]
for (const [name, ...subjects] of CALIFORNIA)
  for (const subject of subjects)
    addAll({ kind: 'code', name }, [
      `Cal. ${subject} Code`,
      `California ${subject} Code`,
      `Cal. Code ${subject}`,
      `California Code of ${subject}`,
      `${subject} Code`,
    ])
addAll({ kind: 'code', name: 'Cal. Civ. Proc. Code' }, [
  'Code Civ. Proc.',
  'Code of Civil Procedure',
  'C.C.P.',
])

const CODES: readonly Names[] = [
  ['U.C.C.', 'Uniform Commercial Code'],
  ['U.S.S.G.', 'U.S. Sentencing Guidelines', 'U.S. Sentencing Guidelines Manual'],
  ['N.Y. C.P.L.R.', 'C.P.L.R.', 'N.Y. Civ. Prac. L. & R.', 'N.Y. Civil Practice Law and Rules'],
  [
    'N.Y. Gen. Bus. Law',
    'Gen. Bus. Law',
    'N.Y. G.B.L.',
    'G.B.L.',
    'New York General Business Law',
    'General Business Law',
  ],
  ['N.Y. Penal Law', 'New York Penal Law', 'Penal Law'],
  ['N.Y. Lab. Law', 'New York Labor Law', 'N.Y. Labor Law', 'Labor Law', 'N.Y.L.L.', 'NYLL'],
  ['N.Y. Bus. Corp. Law', 'New York Business Corporation Law', 'Business Corporation Law'],
  ['N.Y. Exec. Law', 'New York Executive Law'],
  ['N.Y. Gen. Oblig. Law', 'General Obligations Law', 'New York General Obligations Law'],
  ['N.Y. Dom. Rel. Law', 'Domestic Relations Law'],
  ['N.Y. Crim. Proc. Law', 'N.Y. C.P.L.', 'C.P.L.'],
  ['Tex. Bus. & Com. Code', 'Texas Business and Commerce Code'],
  ['Tex. Civ. Prac. & Rem. Code', 'Texas Civil Practice and Remedies Code'],
  ['Tex. Penal Code', 'Texas Penal Code'],
  ['Tex. Fam. Code', 'Texas Family Code'],
  ['Tex. Ins. Code', 'Texas Insurance Code'],
  ["Tex. Gov't Code", 'Texas Government Code'],
  ['Tex. Lab. Code', 'Texas Labor Code'],
  ['Tex. Prop. Code', 'Texas Property Code'],
  ['Tex. Bus. Orgs. Code', 'Texas Business Organizations Code'],
  ['Tex. Code Crim. Proc.', 'Texas Code of Criminal Procedure'],
  ['Fla. Stat.', 'Florida Statutes', 'F.S.A.'],
  ['Mass. Gen. Laws', 'M.G.L.', 'G.L.', 'M.G.L.A.', 'Massachusetts General Laws'],
  ['Ohio Rev. Code', 'O.R.C.', 'Ohio Revised Code'],
  ['Va. Code', 'Virginia Code', 'Code of Virginia'],
  ['Wash. Rev. Code', 'R.C.W.', 'Revised Code of Washington'],
  ['N.J. Stat.', 'N.J.S.A.', 'N.J.S.'],
  ['Mich. Comp. Laws', 'M.C.L.', 'M.C.L.A.'],
  ['Minn. Stat.', 'Minnesota Statutes'],
  ['Wis. Stat.', 'Wisconsin Statutes'],
  ['Ga. Code', 'O.C.G.A.', 'Official Code of Georgia'],
  ['N.C. Gen. Stat.', 'N.C.G.S.'],
  ['Ariz. Rev. Stat.', 'A.R.S.'],
  ['Nev. Rev. Stat.', 'N.R.S.'],
  ['Or. Rev. Stat.', 'O.R.S.'],
  ['Colo. Rev. Stat.', 'C.R.S.'],
  ['Conn. Gen. Stat.', 'C.G.S.'],
  ['Md. Code', 'Maryland Code'],
  ['Ind. Code', 'Indiana Code'],
  ['Iowa Code'],
  ['Kan. Stat.', 'K.S.A.'],
  ['Ky. Rev. Stat.', 'K.R.S.'],
  ['La. Rev. Stat.', 'La. R.S.'],
  ['La. Civ. Code', 'Louisiana Civil Code', 'La. Civ. Code art.'],
  ['Me. Rev. Stat.', 'M.R.S.', 'M.R.S.A.'],
  ['Miss. Code'],
  ['Mo. Rev. Stat.', 'R.S.Mo.'],
  ['Mont. Code', 'M.C.A.'],
  ['Neb. Rev. Stat.'],
  ['N.H. Rev. Stat.', 'R.S.A.'],
  ['N.M. Stat.', 'N.M.S.A.'],
  ['Okla. Stat.'],
  ['R.I. Gen. Laws'],
  ['S.C. Code'],
  ['S.D. Codified Laws', 'S.D.C.L.'],
  ['Tenn. Code', 'T.C.A.'],
  ['Utah Code'],
  ['Vt. Stat.', 'V.S.A.'],
  ['W. Va. Code'],
  ['Wyo. Stat.'],
  ['Ala. Code', 'Code of Alabama'],
  ['Alaska Stat.'],
  ['Ark. Code'],
  ['D.C. Code'],
  ['Del. Code'],
  ['Haw. Rev. Stat.', 'H.R.S.'],
  ['Idaho Code', 'I.C.'],
  ['N.D. Cent. Code', 'N.D.C.C.'],
]
for (const [name, ...others] of CODES)
  addAll(
    { kind: 'code', name },
    [name, ...others].flatMap(one => [one, `${one} Ann.`, `${one} Annotated`]),
  )

const RULES: readonly Names[] = [
  [
    'Fed. R. Civ. P.',
    'F.R.C.P.',
    'F.R. Civ. P.',
    'Fed. R. Civ. Pro.',
    'Fed. R. Civ. Proc.',
    'Fed. Rule Civ. P.',
    'Fed. Rules Civ. Proc.',
    'Federal Rule of Civil Procedure',
    'Federal Rules of Civil Procedure',
    'Federal Civil Rule',
  ],
  ['Fed. R. Evid.', 'F.R.E.', 'Fed. Rules Evid.', 'Federal Rule of Evidence', 'Federal Rules of Evidence'],
  [
    'Fed. R. Crim. P.',
    'F.R. Crim. P.',
    'Fed. Rules Crim. Proc.',
    'Federal Rule of Criminal Procedure',
    'Federal Rules of Criminal Procedure',
  ],
  [
    'Fed. R. App. P.',
    'F.R.A.P.',
    'Federal Rule of Appellate Procedure',
    'Federal Rules of Appellate Procedure',
  ],
  [
    'Fed. R. Bankr. P.',
    'F.R.B.P.',
    'Federal Rule of Bankruptcy Procedure',
    'Federal Rules of Bankruptcy Procedure',
  ],
  ['Sup. Ct. R.', 'S. Ct. R.', 'Supreme Court Rule'],
  ['Cal. R. Ct.', 'Cal. Rules of Court', 'California Rules of Court', 'Cal. Rules of Court, rule'],
  ['Civ. L.R.', 'Civil L.R.', 'Civil Local Rule', 'N.D. Cal. Civ. L.R.'],
  ['L.R.', 'Local Rule', 'Local R.'],
  ['Tex. R. Civ. P.', 'Texas Rule of Civil Procedure', 'Texas Rules of Civil Procedure'],
  ['Fla. R. Civ. P.', 'Florida Rule of Civil Procedure', 'Florida Rules of Civil Procedure'],
  [
    "Model Rules of Prof'l Conduct r.",
    'Model Rule of Professional Conduct',
    'Model Rules of Professional Conduct',
  ],
  ...STATES.flatMap(([state]): Names[] => [
    [`${state} R. Civ. P.`],
    [`${state} R. Evid.`],
    [`${state} R. App. P.`],
    [`${state} R. Crim. P.`],
  ]),
]
for (const [name, ...others] of RULES) {
  addAll({ kind: 'rules', name }, [name, ...others])
  for (const spelling of [name, ...others]) RULE_SETS.add(spelling, name)
}

/** Acts that are cited by their own section numbers. */
const NAMED_ACTS: readonly Names[] = [
  ['Exchange Act', 'Securities Exchange Act', 'Securities Exchange Act of 1934', '1934 Act', '34 Act', 'SEA'],
  ['Securities Act', 'Securities Act of 1933', '1933 Act', '33 Act'],
  ['Investment Advisers Act', 'Investment Advisers Act of 1940', 'Advisers Act'],
  ['Investment Company Act', 'Investment Company Act of 1940'],
  ['Trust Indenture Act', 'Trust Indenture Act of 1939'],
  ['Sarbanes-Oxley Act', 'Sarbanes-Oxley', 'Sarbanes-Oxley Act of 2002', 'SOX'],
  ['Dodd-Frank Act', 'Dodd-Frank'],
  ['Sherman Act', 'Sherman Antitrust Act'],
  ['Clayton Act', 'Clayton Antitrust Act'],
  ['FTC Act', 'Federal Trade Commission Act'],
  ['Robinson-Patman Act'],
  ['Lanham Act', 'Trademark Act'],
  ['Copyright Act', 'Copyright Act of 1976'],
  ['Patent Act'],
  ['Communications Act', 'Communications Act of 1934', 'Telecommunications Act of 1996'],
  ['Communications Decency Act', 'CDA'],
  ['Bankruptcy Code'],
  ['Internal Revenue Code', 'I.R.C.', 'Tax Code'],
  ['ERISA', 'Employee Retirement Income Security Act', 'Employee Retirement Income Security Act of 1974'],
  ['NLRA', 'National Labor Relations Act'],
  ['FLSA', 'Fair Labor Standards Act', 'Fair Labor Standards Act of 1938'],
  ['INA', 'Immigration and Nationality Act'],
  ['Rehabilitation Act', 'Rehabilitation Act of 1973'],
  ['Voting Rights Act', 'Voting Rights Act of 1965', 'VRA'],
  ['Civil Rights Act of 1964'],
  ['Civil Rights Act of 1866'],
  ['Civil Rights Act of 1991'],
  ['Clean Air Act', 'CAA'],
  ['Clean Water Act', 'CWA'],
  ['Endangered Species Act', 'ESA'],
  ['CERCLA'],
  ['RCRA', 'Resource Conservation and Recovery Act'],
  ['Federal Power Act', 'FPA'],
  ['Social Security Act'],
  ['Public Health Service Act'],
  ['Federal Arbitration Act', 'FAA'],
  ['Administrative Procedure Act'],
  ['Hart-Scott-Rodino Act'],
]
for (const [name, ...others] of NAMED_ACTS) {
  addAll({ kind: 'act', name }, [name, ...others])
  for (const spelling of [name, ...others]) ACTS.add(spelling, name)
}

addAll({ kind: 'treasury' }, ['Treas. Reg.', 'Treasury Regulation', 'Treasury Regulations', 'Treas. Regs.'])
addAll({ kind: 'constitution', name: 'U.S. Const.' }, [
  'U.S. Const.',
  'U.S. Constitution',
  'United States Constitution',
])
for (const [state, name] of STATES)
  addAll({ kind: 'constitution', name: `${state} Const.` }, [
    `${state} Const.`,
    `${name} Const.`,
    `${name} Constitution`,
  ])

const ONES = 'First Second Third Fourth Fifth Sixth Seventh Eighth Ninth'.split(' ')
const ORDINAL_WORDS = [
  ...ONES,
  ...'Tenth Eleventh Twelfth Thirteenth Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth'.split(
    ' ',
  ),
  'Twentieth',
  ...ONES.slice(0, 7).map(one => `Twenty-${one}`),
]
for (const [before, word] of ORDINAL_WORDS.entries())
  addAll({ kind: 'amendment', number: before + 1 }, [
    `${word} Amendment`,
    `${word.replace('-', ' ')} Amendment`,
    `${word} Amend.`,
  ])

addAll({ kind: 'number' }, [
  ...['No.', 'Nos.', 'Number', '#'].flatMap(number =>
    [
      '',
      'Case',
      'Docket',
      'Cause',
      'Index',
      'Civil Action',
      'Civ. A.',
      'Civ. Action',
      'Civil',
      'Appeal',
      'C.A.',
      'Civ.',
    ].map(what => `${what} ${number}`),
  ),
  'Case',
])
addAll({ kind: 'multidistrict' }, ['MDL No.', 'MDL', 'MDL Docket No.', 'M.D.L.'])
addAll({ kind: 'entry' }, [
  ...[
    'ECF',
    'Dkt.',
    'Doc.',
    'D.E.',
    'D.I.',
    'CM/ECF',
    'Docket',
    'ECF Dkt.',
    'Docket Entry',
    'Dkt. Entry',
    'R. Doc.',
  ].flatMap(entry => [`${entry} No.`, `${entry} Nos.`, ...(entry === 'Docket' ? [] : [entry])]),
  'ECF #',
  'Dkt. #',
  'Doc. #',
])
addAll({ kind: 'publicLaw' }, [
  'Pub. L. No.',
  'Pub. L.',
  'P.L.',
  'P.L. No.',
  'Public Law',
  'Public Law No.',
  'Pub. Law',
])
addAll({ kind: 'rule' }, ['Rule', 'Rules', 'SEC Rule', 'Exchange Act Rule'])
addAll({ kind: 'section' }, ['section', 'sections', 'sec.', 'secs.', '§', '§§', '§ §'])
addAll({ kind: 'title' }, ['title'])
addAll({ kind: 'id' }, ['Id.', 'Ibid.'])
addAll({ kind: 'supra' }, ['supra'])
addAll({ kind: 'infra' }, ['infra'])
