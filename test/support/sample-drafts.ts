export const SAMPLE_KINDS = [
  'motion_to_dismiss',
  'opposition',
  'email',
  'reply',
  'order',
  'exhibit',
  'letter',
  'declaration',
  'proposed_order',
  'memo',
] as const
export type SampleKind = (typeof SAMPLE_KINDS)[number]

/** A document before it has a format. */
export interface Draft {
  readonly kind: SampleKind
  readonly folder: string
  readonly title: string
  readonly caseNumber: string
  readonly court: string
  readonly plaintiff: string
  readonly defendant: string
  readonly counsel: string
  /** As it is written in a document. */
  readonly filed: string
  /** As a header of a message writes it. */
  readonly sent: string
  readonly words: readonly string[]
  readonly parts: readonly {
    readonly kind: string
    readonly blocks: readonly {
      readonly heading?: { readonly level: number; readonly text: string }
      readonly text: string
    }[]
  }[]
}

/** Numbers from 0 up to 1, the same for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const COURTS = [
  { name: 'UNITED STATES DISTRICT COURT\nNORTHERN DISTRICT OF CALIFORNIA', office: 3, judge: 'JSV' },
  { name: 'UNITED STATES DISTRICT COURT\nSOUTHERN DISTRICT OF NEW YORK', office: 1, judge: 'LKR' },
  { name: 'UNITED STATES DISTRICT COURT\nDISTRICT OF DELAWARE', office: 1, judge: 'MNP' },
  { name: 'UNITED STATES DISTRICT COURT\nDISTRICT OF MASSACHUSETTS', office: 1, judge: 'ADB' },
]
const COMPANIES = [
  'Brightwater Holdings, Inc.',
  'Calloway Biosystems, Inc.',
  'Ostrander Energy Corp.',
  'Penhallow Robotics, Inc.',
  'Quillfeather Media Group, Inc.',
  'Tarrant Ridge Financial Corp.',
  'Velloria Therapeutics, Inc.',
  'Wexcombe Semiconductor Corp.',
]
const PLAINTIFFS = [
  'Millbrook Firefighters Pension Fund',
  'Anselm Harrow',
  'Lakeshore Teachers Retirement System',
  'Odile Marchetti',
  'Sandhurst Capital Partners LP',
  'Teodor Vance',
]
const COUNSEL = [
  'Priya Lindqvist',
  'Marcus Oyelaran',
  'Helena Strand',
  'Jonah Abernathy',
  'Beatriz Kowalczyk',
]
const AUTHORITIES = [
  'Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308, 324 (2007)',
  'Bell Atlantic Corp. v. Twombly, 550 U.S. 544, 570 (2007)',
  'Ashcroft v. Iqbal, 556 U.S. 662, 678 (2009)',
  'Dura Pharmaceuticals, Inc. v. Broudo, 544 U.S. 336, 345 (2005)',
  'Matrixx Initiatives, Inc. v. Siracusano, 563 U.S. 27, 44 (2011)',
  'Basic Inc. v. Levinson, 485 U.S. 224, 231 (1988)',
  'Omnicare, Inc. v. Laborers District Council Construction Industry Pension Fund, 575 U.S. 175, 188 (2015)',
  'Halliburton Co. v. Erica P. John Fund, Inc., 573 U.S. 258, 268 (2014)',
  'Novak v. Kasaks, 216 F.3d 300, 311 (2d Cir. 2000)',
  'In re Silicon Graphics Inc. Securities Litigation, 183 F.3d 970, 979 (9th Cir. 1999)',
  'Zucco Partners, LLC v. Digimarc Corp., 552 F.3d 981, 990 (9th Cir. 2009)',
  '15 U.S.C. § 78u-4(b)(2)(A)',
  '15 U.S.C. § 78u-5(c)(1)',
  '17 C.F.R. § 240.10b-5',
  'Fed. R. Civ. P. 12(b)(6)',
  'Fed. R. Civ. P. 9(b)',
]
const POINTS = [
  [
    'THE COMPLAINT PLEADS NO STRONG INFERENCE OF SCIENTER',
    'The Private Securities Litigation Reform Act ("PSLRA") demands particular facts that give rise to a strong inference of scienter.',
  ],
  [
    'THE FORWARD-LOOKING STATEMENTS FALL WITHIN THE SAFE HARBOR',
    'Each guidance statement was identified as forward-looking and accompanied by meaningful cautionary language.',
  ],
  [
    'NO LOSS CAUSATION IS ALLEGED',
    'The decline in the share price followed a market-wide event and not a corrective disclosure.',
  ],
  [
    'THE CHALLENGED STATEMENTS ARE OPINIONS',
    'A sincere statement of opinion is not misleading merely because it proved to be wrong.',
  ],
  [
    'THE CONFIDENTIAL WITNESSES ARE NOT RELIABLE',
    'The former employees are described without the detail that would show what they could know.',
  ],
  [
    'THE SECTION 20(A) CLAIM FAILS WITH THE PRIMARY CLAIM',
    'Without a primary violation of Section 10(b) there is no control person liability.',
  ],
]
const FACTS = [
  'On the earnings call the Chief Financial Officer said that channel inventory was healthy.',
  'Analysts had asked about the delayed shipments for two quarters before the announcement.',
  'The Audit Committee engaged outside accountants to review the recognition of revenue.',
  'Trading under a Rule 10b5-1 plan had been scheduled eleven months earlier.',
  'The risk factors in the Form 10-K described the dependency on a single supplier.',
  'Investors learned of the restatement when the Company filed its Form 8-K.',
  'The stock closed down fourteen percent on unusually heavy volume.',
  'Two directors left the board within a month of the internal report.',
]
const SYLLABLES = [
  'ba',
  'cor',
  'del',
  'fin',
  'gam',
  'hel',
  'jor',
  'kal',
  'lum',
  'mor',
  'nev',
  'pol',
  'quin',
  'ras',
  'sil',
  'tor',
  'vex',
  'wil',
  'yar',
  'zan',
]
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export function draftOf(seed: number, index: number, revision: number): Draft {
  const next = numbersFrom(seed * 1_000_003 + index)
  const below = (most: number) => Math.floor(next() * most)
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const kind = SAMPLE_KINDS[index % SAMPLE_KINDS.length] as SampleKind
  // Ten documents each are of one case.
  const matter = numbersFrom(seed * 7_919 + Math.floor(index / 10))
  const ofCase = <T>(list: readonly T[]): T => list[Math.floor(matter() * list.length)] as T
  const court = ofCase(COURTS)
  const defendant = ofCase(COMPANIES)
  const plaintiff = ofCase(PLAINTIFFS)
  const year = 2019 + Math.floor(matter() * 6)
  const docket = String(1_000 + Math.floor(matter() * 8_999)).padStart(5, '0')
  const caseNumber = `${court.office}:${year % 100}-cv-${docket}-${court.judge}`
  const month = below(12)
  const day = 1 + below(27) + revision
  const counsel = one(COUNSEL)
  const codeword = (capital: boolean) => {
    const word = [one(SYLLABLES), one(SYLLABLES), one(SYLLABLES), one(SYLLABLES)].join('')
    return capital ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word
  }
  const project = codeword(true)
  const product = codeword(true)
  const added = revision === 0 ? [] : [`Amendum${'abcdefghij'[revision] ?? 'z'}${project.toLowerCase()}`]

  const sentence = () => {
    const authority = one(AUTHORITIES)
    return one([
      `${one(FACTS)} See ${authority}.`,
      one(FACTS),
      `The Company called this effort Project ${project}, and sold its result as ${product}.`,
      `As the Supreme Court has held, the allegations must be weighed as a whole. ${authority}.`,
      `Id. at ${300 + below(60)}; see also ${authority}.`,
      `Compl. ¶ ${1 + below(200)}; Ex. ${'ABCDEF'[below(6)]} at ${1 + below(20)}.`,
      `Cf. ${one(PLAINTIFFS).split(' ')[0]} v. ${one(COMPANIES)}, No. 3:${18 + below(6)}-cv-0${1_000 + below(8_999)}, ${2018 + below(6)} WL ${1_000_000 + below(8_999_999)}, at *${1 + below(9)}.`,
    ])
  }
  const paragraph = (least = 3) => Array.from({ length: least + below(4) }, sentence).join(' ')
  const point = (at: number) => {
    const [heading, opening] = POINTS[(index + at) % POINTS.length] as [string, string]
    return [
      {
        heading: { level: 2, text: `${'I II III IV'.split(' ')[at]}. ${heading}` },
        text: `${opening} ${paragraph()}`,
      },
      { text: paragraph() },
    ]
  }
  const filed = `${MONTHS[month]} ${day}, ${year + 1}`
  const zone = court.office === 3 ? '-0800' : '-0500'
  const sent = `${new Date(Date.UTC(year + 1, month, day)).toUTCString().slice(0, 16)} ${10 + below(12)}:${10 + below(49)}:00 ${zone}`
  const title = TITLES[kind](defendant, plaintiff)
  const named = `This document concerns Project ${project} and the product ${product}, filed ${filed} in No. ${caseNumber}.${added.map(word => ` It now also concerns ${word}.`).join('')}`
  const head = (level: number, text: string) => ({ level, text })
  const front = { kind: 'front_matter', blocks: [{ heading: head(1, title), text: named }] }
  const lead = {
    kind: 'lead_argument',
    blocks: [
      { heading: head(1, 'MEMORANDUM OF POINTS AND AUTHORITIES'), text: paragraph() },
      { heading: head(2, 'STATEMENT OF FACTS'), text: paragraph(5) },
      ...point(0),
      ...point(1),
      ...(next() < 0.5 ? point(2) : []),
      {
        heading: head(2, 'CONCLUSION'),
        text: `For these reasons the relief requested should be granted. Dated: ${filed}. /s/ ${counsel}`,
      },
    ],
  }
  const certificate = {
    kind: 'certificate',
    blocks: [
      {
        heading: head(1, 'CERTIFICATE OF SERVICE'),
        text: `I certify that on ${filed} I served the foregoing through the CM/ECF system. /s/ ${counsel}`,
      },
    ],
  }
  const exhibit = (letter: string) => ({
    kind: 'exhibit',
    blocks: [
      {
        heading: head(1, `EXHIBIT ${letter}`),
        text: `Excerpt of the annual report of ${defendant}. ${paragraph(5)}`,
      },
    ],
  })
  const proposed = {
    kind: 'proposed_order',
    blocks: [
      {
        heading: head(1, '[PROPOSED] ORDER'),
        text: `Having considered the papers, the Court ORDERS that the motion is GRANTED. IT IS SO ORDERED. ${named}`,
      },
    ],
  }
  const declaration = {
    kind: 'declaration',
    blocks: [
      {
        heading: head(1, `DECLARATION OF ${counsel.toUpperCase()}`),
        text: `I, ${counsel}, declare under penalty of perjury: 1. I am counsel of record. 2. Attached as Exhibit A is a true copy of the report on Project ${project}. ${paragraph()}`,
      },
    ],
  }
  const bare = {
    kind: 'lead_argument',
    blocks: [{ text: named }, ...Array.from({ length: 3 + below(3) }, () => ({ text: paragraph() }))],
  }
  const parts: Record<SampleKind, Draft['parts']> = {
    motion_to_dismiss: [front, lead, certificate, declaration, exhibit('A'), exhibit('B'), proposed],
    opposition: [front, lead, certificate, exhibit('A')],
    reply: [front, lead, certificate],
    order: [
      front,
      {
        ...lead,
        blocks: [
          {
            heading: head(1, 'ORDER'),
            text: `The motion to dismiss is GRANTED IN PART. IT IS SO ORDERED on ${filed}. ${paragraph()}`,
          },
          ...point(0),
          ...point(1),
        ],
      },
    ],
    exhibit: [front, exhibit('A'), exhibit('B'), exhibit('C')],
    proposed_order: [front, proposed],
    declaration: [front, declaration, exhibit('A')],
    letter: [bare],
    email: [bare],
    memo: [bare],
  }
  return {
    kind,
    folder: `${plaintiff.split(' ')[0]}-v-${defendant.split(' ')[0]}-${docket}`.toLowerCase(),
    title,
    caseNumber,
    court: court.name,
    plaintiff,
    defendant,
    counsel,
    filed,
    sent,
    words: [project, product, caseNumber, defendant.split(' ')[0] ?? '', ...added],
    parts: parts[kind],
  }
}

const TITLES: Readonly<Record<SampleKind, (defendant: string, plaintiff: string) => string>> = {
  motion_to_dismiss: defendant =>
    `NOTICE OF MOTION AND MOTION OF ${defendant.toUpperCase()} TO DISMISS THE CONSOLIDATED COMPLAINT`,
  opposition: (_, plaintiff) => `OPPOSITION OF ${plaintiff.toUpperCase()} TO MOTION TO DISMISS`,
  reply: defendant => `REPLY OF ${defendant.toUpperCase()} IN SUPPORT OF MOTION TO DISMISS`,
  order: () => 'ORDER GRANTING IN PART AND DENYING IN PART MOTION TO DISMISS',
  exhibit: defendant => `APPENDIX OF EXHIBITS OF ${defendant.toUpperCase()}`,
  proposed_order: () => '[PROPOSED] ORDER ON MOTION TO DISMISS',
  declaration: () => 'DECLARATION IN SUPPORT OF MOTION TO DISMISS',
  letter: defendant => `Letter regarding the schedule in ${defendant}`,
  email: defendant => `Re: meet and confer, ${defendant}`,
  memo: defendant => `Memo: loss causation theories against ${defendant}`,
}
