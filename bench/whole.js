import { loadavg } from 'node:os'
import { machine, markdown, table } from './measure.js'
import { installPeers } from './search/peers.js'
import { barChart } from './svg.js'
import { rowOf } from './whole/goals.js'
import { PARTS } from './whole/parts.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./whole/goals.js').Figure} Figure
 */

const ENGINES = /** @type {const} */ (['pglite', 'postgres'])
const TITLE = 'Whole operations, against bare peers on the same data'

/**
 * Everything that a user waits for, each against the least that could do it.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchWhole({ seed, quick, log, search: picked }) {
  const names = pickedOf(picked.only, Object.keys(PARTS), 'part')
  const engines = pickedOf(picked.systems, ENGINES, 'store')
  await installPeers(log)
  const before = loadavg()[0] ?? 0
  /** @type {Figure[]} */
  const figures = []
  for (const name of names) {
    log(`whole: ${PARTS[name]?.about}`)
    await PARTS[name]?.run({
      seed,
      quick,
      engines,
      picked,
      log,
      add(figure) {
        figures.push(figure)
        log(Object.values(rowOf(figure)).filter(Boolean).join(' | '))
      },
    })
  }
  const rows = figures.map(rowOf)
  const load = { before, after: loadavg()[0] ?? 0 }
  const on = `Seed ${seed}, load of the machine ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after, ${machine().cores} cores, Node ${process.version}.`
  return {
    name: 'whole',
    title: `${TITLE} (seed ${seed}${quick ? ', quick: sizes too small to quote' : ''})`,
    goal: 'in the table; ratios within one run are what counts',
    text: `${(picked.markdown ? markdown : table)(rows)}\n\n${on}`,
    content: { figures, parts: names, seed, quick, load, machine: machine() },
    plots: {
      'whole.md': `# ${TITLE}\n\n${on}\n\n${markdown(rows)}\n`,
      'whole.svg': barChart(chartOf(figures)),
    },
  }
}

/** @param {readonly Figure[]} figures @returns {import('./svg.js').Chart} */
function chartOf(figures) {
  return {
    title: TITLE,
    subtitle: 'Bars are scaled within each group, which has its own unit.',
    unit: '',
    groups: figures.flatMap(({ what, store, ours, peer, unit, peerName }) =>
      peer === null
        ? []
        : [
            {
              label: `${what}${store === '' ? '' : `, ${store}`}, ${unit}`,
              bars: [
                { label: 'Privity', value: ours },
                { label: peerName, value: peer },
              ],
            },
          ],
    ),
  }
}

/**
 * @template {string} Name
 * @param {string | undefined} picked
 * @param {readonly Name[]} known
 * @param {string} what
 * @returns {readonly Name[]}
 */
function pickedOf(picked, known, what) {
  const names = picked?.split(',') ?? [...known]
  const unknown = names.find(name => !(/** @type {readonly string[]} */ (known).includes(name)))
  if (unknown !== undefined)
    throw new RangeError(`no such ${what}: ${unknown}; there are ${known.join(', ')}`)
  return /** @type {Name[]} */ (names)
}
