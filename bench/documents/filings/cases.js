import { makeRandom } from '../../random.js'

/**
 * Made-up cases, the same for the same seed. Cases share everything but their names, numbers and dates, as filings of one
 * firm do: whoever asks about one of them must not be told of another.
 *
 * @typedef {'california' | 'new-york' | 'delaware' | 'bankruptcy' | 'texas'} Style how a caption is laid out
 * @typedef {ReturnType<typeof makeCase>} Case
 */

const COMPANIES = [
  ['Meridian Holdings, Inc.', 'Meridian'],
  ['Halcyon Robotics Corp.', 'Halcyon'],
  ['Tallgrass Midstream LLC', 'Tallgrass'],
  ['Orrin Biologics, Inc.', 'Orrin'],
  ['Castellan Freight Co.', 'Castellan'],
  ['Blue Quarry Mining Ltd.', 'Blue Quarry'],
  ['Verity Optical Systems, Inc.', 'Verity'],
  ['Northgate Solar Corp.', 'Northgate'],
  ['Pemberton Foods, Inc.', 'Pemberton'],
  ['Sable Ridge Timber LLC', 'Sable Ridge'],
  ['Kestrel Aeronautics Corp.', 'Kestrel'],
  ['Lumen Harbor Bank, N.A.', 'Lumen Harbor'],
  ['Ashdown Textiles, Inc.', 'Ashdown'],
  ['Quillfeather Press LLC', 'Quillfeather'],
  ['Stonebridge Dialysis Corp.', 'Stonebridge'],
  ['Ferris Marine Engines, Inc.', 'Ferris'],
  ['Ottoline Cosmetics Ltd.', 'Ottoline'],
  ['Granite Peak Water Co.', 'Granite Peak'],
  ['Willowmere Hotels, Inc.', 'Willowmere'],
  ['Zephyr Turbine Works LLC', 'Zephyr'],
  ['Marlowe Payments, Inc.', 'Marlowe'],
  ['Redthorn Security Corp.', 'Redthorn'],
  ['Cobalt Fjord Shipping Ltd.', 'Cobalt Fjord'],
  ['Juniper Vale Seeds, Inc.', 'Juniper Vale'],
  ['Harrowgate Steel Corp.', 'Harrowgate'],
  ['Elmsford Diagnostics, Inc.', 'Elmsford'],
  ['Pike & Lantern Media LLC', 'Pike & Lantern'],
  ['Saltmarsh Energy Partners, L.P.', 'Saltmarsh'],
  ['Tamarack Software, Inc.', 'Tamarack'],
  ['Vandermeer Chemicals Corp.', 'Vandermeer'],
]
const PLAINTIFFS = [
  'City of Alder Falls Pension Fund',
  'Rosalind Achterberg',
  'Teamsters Local 418 Trust',
  'Desmond Okafor',
  'Lakeshore Growth Partners LLC',
  'Philippa Marchetti',
]
const PRODUCTS =
  'Aurora scanner,Beacon meter,Cirrus valve,Drover tractor,Ember stove,Falcon pump,Glacier freezer,Heron drone'
const SITES = 'Tulsa,Spokane,Macon,Duluth,Laredo,Erie,Yuma,Bangor,Toledo,Fresno'
const FIRST = 'Dana,Victor,Ingrid,Samuel,Noor,Leonie,Walter,Priya,Gideon,Martha,Oscar,Celeste'
const LAST =
  'Whitfield,Baptiste,Lindqvist,Abernathy,Haddad,Fontaine,Kowalczyk,Raman,Thornbury,Villanueva,Ekstrom,Paxton'
const CITIES = 'Wichita,Boise,Providence,Omaha,Raleigh,Akron,Tacoma,Savannah'
const ROLES =
  'shift supervisor,quality inspector,billing analyst,warehouse manager,night dispatcher,lab technician'
const MONTHS = 'January,February,March,April,May,June,July,August,September,October,November,December'

/** @type {readonly Style[]} */
const STYLES = ['california', 'new-york', 'delaware', 'bankruptcy', 'texas']

/** @param {string} list */
const listed = list => list.split(',')

/** @param {number} seed @param {number} count */
export function makeCases(seed, count) {
  const random = makeRandom(seed)
  return COMPANIES.slice(0, count).map(([name = '', short = ''], at) => makeCase(random, name, short, at))
}

/** @param {import('../../random.js').Random} random @param {string} defendant @param {string} short @param {number} at */
function makeCase(random, defendant, short, at) {
  const person = () => `${random.pick(listed(FIRST))} ${random.pick(listed(LAST))}`
  const people = new Set()
  while (people.size < 7) people.add(person())
  const [officer, engineer, witness, declarant, mediator, judge, author] = /** @type {string[]} */ ([
    ...people,
  ])
  const date = (/** @type {number} */ year) =>
    `${random.pick(listed(MONTHS))} ${1 + random.integer(28)}, ${year}`
  const amount = () => `$${1 + random.integer(98)}.${1 + random.integer(9)} million`
  const style = /** @type {Style} */ (STYLES[at % STYLES.length])
  const number = numberOf(style, at, random.integer(9_000))
  return {
    at,
    style,
    defendant,
    short,
    number,
    plaintiff: random.pick(PLAINTIFFS),
    officer: officer ?? '',
    engineer: engineer ?? '',
    witness: witness ?? '',
    declarant: declarant ?? '',
    mediator: mediator ?? '',
    judge: judge ?? '',
    author: author ?? '',
    product: random.pick(listed(PRODUCTS)),
    site: random.pick(listed(SITES)),
    city: random.pick(listed(CITIES)),
    role: random.pick(listed(ROLES)),
    month: random.pick(listed(MONTHS)),
    dates: Array.from({ length: 8 }, (_, i) => date(2021 + (i % 4))),
    amounts: Array.from({ length: 4 }, amount),
    numbers: Array.from({ length: 10 }, () => 11 + random.integer(80)),
    filed: { month: 1 + random.integer(12), day: 1 + random.integer(28), year: 2023 + (at % 2) },
    random,
  }
}

/** @param {Style} style @param {number} at @param {number} some */
function numberOf(style, at, some) {
  switch (style) {
    case 'california':
      return `3:24-cv-${String(1_000 + some).padStart(5, '0')}`
    case 'new-york':
      return `23 Civ. ${1_000 + some} (LAK)`
    case 'delaware':
      return `1:23-cv-${String(some + 10).padStart(5, '0')}-RGA`
    case 'bankruptcy':
      return `22-${10_100 + some} (KBO)`
    case 'texas':
      return `2023-${40_000 + some + at}`
  }
}
