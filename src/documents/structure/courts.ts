import { type DocumentLine, isName } from './lines.js'

/** A court as a caption names it. */
export interface Court {
  /** `United States District Court for the Northern District of California` */
  readonly name: string
  /** `N.D. Cal.`, for federal courts. */
  readonly shortName: string | null
  /** The IANA time zone of the court, if its state is known. */
  readonly timeZone: string | null
}

const NEW_YORK = 'America/New_York'
const CHICAGO = 'America/Chicago'
const DENVER = 'America/Denver'
const LOS_ANGELES = 'America/Los_Angeles'

/**
 * Each state and territory: its abbreviation in citations and the time zone of its capital. Districts in another time
 * zone are listed by their letter, divisions by their name.
 */
const STATES: Readonly<Record<string, readonly [string, string, Readonly<Record<string, string>>?]>> = {
  Alabama: ['Ala.', CHICAGO],
  Alaska: ['Alaska', 'America/Anchorage'],
  Arizona: ['Ariz.', 'America/Phoenix'],
  Arkansas: ['Ark.', CHICAGO],
  California: ['Cal.', LOS_ANGELES],
  Colorado: ['Colo.', DENVER],
  Connecticut: ['Conn.', NEW_YORK],
  Delaware: ['Del.', NEW_YORK],
  'District of Columbia': ['D.C.', NEW_YORK],
  Columbia: ['D.C.', NEW_YORK],
  Florida: ['Fla.', NEW_YORK, { Pensacola: CHICAGO, 'Panama City': CHICAGO }],
  Georgia: ['Ga.', NEW_YORK],
  Guam: ['Guam', 'Pacific/Guam'],
  Hawaii: ['Haw.', 'Pacific/Honolulu'],
  Idaho: ['Idaho', 'America/Boise', { Northern: LOS_ANGELES }],
  Illinois: ['Ill.', CHICAGO],
  Indiana: ['Ind.', 'America/Indiana/Indianapolis', { Hammond: CHICAGO, Evansville: CHICAGO }],
  Iowa: ['Iowa', CHICAGO],
  Kansas: ['Kan.', CHICAGO],
  Kentucky: [
    'Ky.',
    NEW_YORK,
    {
      W: 'America/Kentucky/Louisville',
      'Bowling Green': CHICAGO,
      Owensboro: CHICAGO,
      Paducah: CHICAGO,
    },
  ],
  Louisiana: ['La.', CHICAGO],
  Maine: ['Me.', NEW_YORK],
  Maryland: ['Md.', NEW_YORK],
  Massachusetts: ['Mass.', NEW_YORK],
  Michigan: ['Mich.', 'America/Detroit'],
  Minnesota: ['Minn.', CHICAGO],
  Mississippi: ['Miss.', CHICAGO],
  Missouri: ['Mo.', CHICAGO],
  Montana: ['Mont.', DENVER],
  Nebraska: ['Neb.', CHICAGO],
  Nevada: ['Nev.', LOS_ANGELES],
  'New Hampshire': ['N.H.', NEW_YORK],
  'New Jersey': ['N.J.', NEW_YORK],
  'New Mexico': ['N.M.', DENVER],
  'New York': ['N.Y.', NEW_YORK],
  'North Carolina': ['N.C.', NEW_YORK],
  'North Dakota': ['N.D.', CHICAGO],
  'Northern Mariana Islands': ['N. Mar. I.', 'Pacific/Guam'],
  Ohio: ['Ohio', NEW_YORK],
  Oklahoma: ['Okla.', CHICAGO],
  Oregon: ['Or.', LOS_ANGELES],
  Pennsylvania: ['Pa.', NEW_YORK],
  'Puerto Rico': ['P.R.', 'America/Puerto_Rico'],
  'Rhode Island': ['R.I.', NEW_YORK],
  'South Carolina': ['S.C.', NEW_YORK],
  'South Dakota': ['S.D.', CHICAGO, { Western: DENVER }],
  Tennessee: ['Tenn.', CHICAGO, { E: NEW_YORK, Winchester: CHICAGO }],
  Texas: ['Tex.', CHICAGO, { 'El Paso': DENVER }],
  Utah: ['Utah', DENVER],
  Vermont: ['Vt.', NEW_YORK],
  'Virgin Islands': ['V.I.', 'America/Puerto_Rico'],
  Virginia: ['Va.', NEW_YORK],
  Washington: ['Wash.', LOS_ANGELES],
  'West Virginia': ['W. Va.', NEW_YORK],
  Wisconsin: ['Wis.', CHICAGO],
  Wyoming: ['Wyo.', DENVER],
}

const CIRCUITS: Readonly<Record<string, readonly [string, string]>> = {
  First: ['1st Cir.', NEW_YORK],
  Second: ['2d Cir.', NEW_YORK],
  Third: ['3d Cir.', NEW_YORK],
  Fourth: ['4th Cir.', NEW_YORK],
  Fifth: ['5th Cir.', CHICAGO],
  Sixth: ['6th Cir.', NEW_YORK],
  Seventh: ['7th Cir.', CHICAGO],
  Eighth: ['8th Cir.', CHICAGO],
  Ninth: ['9th Cir.', LOS_ANGELES],
  Tenth: ['10th Cir.', DENVER],
  Eleventh: ['11th Cir.', NEW_YORK],
  'District of Columbia': ['D.C. Cir.', NEW_YORK],
  Federal: ['Fed. Cir.', NEW_YORK],
}

const NATIONAL: Readonly<Record<string, string>> = {
  'Supreme Court of the United States': 'U.S.',
  'United States Court of Federal Claims': 'Fed. Cl.',
  'United States Court of International Trade': "Ct. Int'l Trade",
  'United States Tax Court': 'T.C.',
}

/** Longer names come first, so that West Virginia does not match Virginia. */
const oneOf = (names: readonly string[]) => names.toSorted((a, b) => b.length - a.length).join('|')
const STATE = oneOf(Object.keys(STATES))
const US = '(?:United States|U\\.? ?S\\.?)'
const whole = (source: string) => new RegExp(`^(?:In the )?${source}[,.]?$`, 'i')

const DISTRICT_COURT = whole(
  `${US} (?<bench>District|Bankruptcy) Court,?(?: (?:for|in)(?: the)?| of the)? (?:(?<side>Northern|Southern|Eastern|Western|Central|Middle) )?District of (?:the )?(?<state>${STATE})(?:,? \\(?(?<division>[a-z .’'-]{3,30}) Division\\)?)?`,
)
const TERRITORY_COURT = whole(
  `District Court (?:of|for)(?: the)? (?<state>Guam|Virgin Islands|Northern Mariana Islands)`,
)
const APPEALS_COURT = whole(
  `${US} Court of Appeals,?(?: for)?(?: the)? (?<circuit>${oneOf(Object.keys(CIRCUITS))}) Circuit`,
)
const NATIONAL_COURT = whole(`(?:the )?(?<court>${oneOf(Object.keys(NATIONAL))})`)
const STATE_COURT = whole(
  `(?=.*\\bCourt\\b)(?:[a-z0-9]+ ){0,3}(?:Court|Court of (?:Appeals?|Chancery|Common Pleas|Criminal Appeals))\\b[^.;:!?]{0,80}\\b(?<state>${STATE})\\b[^.;:!?]{0,60}`,
)
const DIVISION = /^\(?(?<division>[a-z .’'-]{3,30}) division\)?$/i
const COUNTY = /^(?:(?:in and )?for (?:the )?)?county of [a-z .’'-]{3,30}$/i
const SHORT_NAME = /^\(?(?:[NSEWCM]\.D\.|D\.) ?[A-Z][A-Za-z. ]{0,12}\)?$/

/** The first court whose name stands on lines of its own, at most three, and the index of the line after it. */
export function findCourt(
  lines: readonly DocumentLine[],
): { court: Court; first: number; next: number } | null {
  for (let first = 0; first < lines.length; first++) {
    const beginning = lines[first]?.text ?? ''
    if (!/court|[A-Z]\.D?/i.test(beginning) || beginning.length > 160) continue
    let name = ''
    for (let next = first + 1; next <= Math.min(first + 3, lines.length); next++) {
      name = `${name} ${lines[next - 1]?.text}`.replace(/\s+/g, ' ').trim()
      const court = courtNamed(name, lines[next]?.text ?? '')
      if (court !== null) return { court, first, next }
    }
  }
  return null
}

function courtNamed(name: string, following: string): Court | null {
  const district = DISTRICT_COURT.exec(name)?.groups ?? TERRITORY_COURT.exec(name)?.groups
  if (district !== undefined) {
    const division = district.division ?? DIVISION.exec(following)?.groups?.division
    return districtCourt(
      titleCase(district.bench ?? 'District'),
      district.side,
      district.state ?? '',
      division,
    )
  }
  const circuit = APPEALS_COURT.exec(name)?.groups?.circuit
  if (circuit !== undefined) {
    const called = titleCase(circuit)
    const [shortName, timeZone] = CIRCUITS[called] as readonly [string, string]
    return { name: `United States Court of Appeals for the ${called} Circuit`, shortName, timeZone }
  }
  const national = NATIONAL_COURT.exec(name)?.groups?.court
  if (national !== undefined) {
    const called = titleCase(national)
    return { name: called, shortName: NATIONAL[called] ?? null, timeZone: NEW_YORK }
  }
  const state = STATE_COURT.exec(name)?.groups?.state
  if (state !== undefined && isName(name)) {
    const county = COUNTY.test(following) ? `, ${following}` : ''
    const called = titleCase(`${name.replace(/^in the /i, '').replace(/[,.]$/, '')}${county}`)
    return { name: called, shortName: null, timeZone: STATES[titleCase(state)]?.[1] ?? null }
  }
  return SHORT_NAME.test(name) ? (BY_SHORT_NAME.get(withoutSpace(name.replace(/[()]/g, ''))) ?? null) : null
}

function districtCourt(bench: string, side: string | undefined, state: string, division?: string): Court {
  const called = titleCase(state)
  const [abbreviation, capital, others = {}] = STATES[called] as (typeof STATES)[string]
  const letter = side?.[0]?.toUpperCase() ?? ''
  const district = letter === '' ? 'D.' : `${letter}.D.`
  // Abbreviations of single capitals are written without a space: S.D.N.Y., but N.D. Cal.
  const gap = /^(?:[A-Z]\.)+$/.test(abbreviation) ? '' : ' '
  const within = called === 'Columbia' ? 'Columbia' : /Islands$/.test(called) ? `the ${called}` : called
  return {
    name: `United States ${bench} Court for the ${side === undefined ? '' : `${titleCase(side)} `}District of ${within}`,
    shortName: `${bench === 'Bankruptcy' ? 'Bankr. ' : ''}${district}${gap}${abbreviation}`,
    timeZone: others[titleCase(division ?? '')] ?? others[letter] ?? capital,
  }
}

const withoutSpace = (text: string) => text.replaceAll(' ', '')

const SIDES = [undefined, 'Northern', 'Southern', 'Eastern', 'Western', 'Central', 'Middle']
const BY_SHORT_NAME = new Map(
  Object.keys(STATES).flatMap(state =>
    SIDES.map(side => {
      const court = districtCourt('District', side, state)
      return [withoutSpace(court.shortName ?? ''), court] as const
    }),
  ),
)

/** Converts `NORTHERN DISTRICT OF CALIFORNIA` to `Northern District of California`. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/\p{L}[\p{L}\p{M}’']*/gu, (word, at: number) =>
      at > 0 && /^(?:of|the|for|in|and|at)$/.test(word) ? word : word[0]?.toUpperCase() + word.slice(1),
    )
}
