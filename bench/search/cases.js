/** @typedef {import('./data.js').Case} Case */

const SIZES = { quick: [10_000], plain: [10_000, 200_000], full: [10_000, 200_000, 1_000_000] }
const VISIBLE = ['1%', '10%', '100%']
const COMPARTMENTS = ['1000', 'records/2', 'records']
/** While the world grows around what the caller sees. */
const GROWTH = { records: [10_000, 100_000, 1_000_000], visible: '1000', compartments: 'records/2' }

/**
 * The cases to run, in an order in which the next one can often use what was built for the last.
 *
 * @param {{
 *   quick?: boolean,
 *   full?: boolean,
 *   growth?: boolean,
 *   records?: string | undefined,
 *   visible?: string | undefined,
 *   compartments?: string | undefined,
 * }} picked
 * @returns {Case[]}
 */
export function makeCases({ quick, full, growth, ...picked }) {
  const isPicked = Object.values(picked).some(value => value !== undefined)
  const sizes = SIZES[full ? 'full' : quick ? 'quick' : 'plain']
  const grid =
    growth && !isPicked
      ? []
      : combine(
          picked.records === undefined ? sizes : list(picked.records).map(readCount),
          list(picked.visible ?? VISIBLE.join()),
          list(picked.compartments ?? COMPARTMENTS.join()),
        )
  const grown =
    (growth || full) && !isPicked ? combine(GROWTH.records, [GROWTH.visible], [GROWTH.compartments]) : []
  /** @type {Map<string, Case>} */
  const cases = new Map()
  for (const made of [...grid, ...grown]) cases.set(nameCase(made), made)
  return [...cases.values()].sort(
    (a, b) => a.records - b.records || a.compartments - b.compartments || a.visible - b.visible,
  )
}

/** @param {readonly number[]} sizes @param {readonly string[]} visible @param {readonly string[]} compartments */
function combine(sizes, visible, compartments) {
  return sizes.flatMap(records =>
    compartments.flatMap(count =>
      visible.map(part => ({
        records,
        visible: readVisible(part, records),
        compartments: readCompartments(count, records),
      })),
    ),
  )
}

/** @param {Case} shape */
export const nameCase = ({ records, visible, compartments }) =>
  `${records.toLocaleString('en-US')} records, ${Number((visible * 100).toPrecision(3))} % visible, ${compartments.toLocaleString('en-US')} compartments`

/** @param {string} value */
const list = value => value.split(',').map(part => part.trim())

/** @param {string} value */
function readCount(value) {
  const count = Number(value.replaceAll('_', ''))
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`not a number of records: ${value}`)
  return count
}

/** A percentage, a fraction up to 1, or a number of records. @param {string} value @param {number} records */
function readVisible(value, records) {
  const number = Number(value.replace('%', ''))
  const fraction = value.endsWith('%') ? number / 100 : number > 1 ? number / records : number
  if (!(fraction > 0 && fraction <= 1)) throw new RangeError(`not a part of ${records} records: ${value}`)
  return fraction
}

/** @param {string} value @param {number} records */
function readCompartments(value, records) {
  const named = { records, 'records/2': Math.ceil(records / 2) }[value]
  const count = named ?? Number(value.replaceAll('_', ''))
  if (!Number.isSafeInteger(count) || count < 1 || count > records)
    throw new RangeError(`not a number of compartments of ${records} records: ${value}`)
  return count
}
