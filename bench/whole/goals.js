import { rounded } from '../measure.js'

/**
 * @typedef {import('../stores.js').Engine} Engine
 * @typedef {{ atLeast: number } | { atMost: number } | null} Goal
 * @typedef {'share' | 'times' | 'count'} Scale
 * @typedef {object} Figure
 * @property {string} what
 * @property {Engine | '' } store
 * @property {number} ours
 * @property {number | null} peer
 * @property {string} unit of both
 * @property {string} peerName
 * @property {number} ratio what the goal is about
 * @property {Scale} scale
 * @property {Goal} goal
 * @typedef {object} Part one part of the whole
 * @property {string} about
 * @property {(run: Run) => Promise<void>} run
 * @typedef {object} Run
 * @property {number} seed
 * @property {boolean} quick
 * @property {readonly Engine[]} engines
 * @property {import('../run.js').SearchOptions} picked
 * @property {(line: string) => void} log
 * @property {(figure: Figure) => void} add
 */

/**
 * Ours as a part of what the peer does in the same time.
 *
 * @param {Omit<Figure, 'ratio' | 'scale' | 'goal' | 'peer'> & { peer: number, atLeast?: number }} given
 * @returns {Figure}
 */
export const share = ({ atLeast, ...given }) => ({
  ...given,
  ratio: given.ours / given.peer,
  scale: 'share',
  goal: atLeast === undefined ? null : { atLeast },
})

/**
 * Ours in multiples of the peer's time or size.
 *
 * @param {Omit<Figure, 'ratio' | 'scale' | 'goal' | 'peer'> & { peer: number, atMost?: number }} given
 * @returns {Figure}
 */
export const times = ({ atMost, ...given }) => ({
  ...given,
  ratio: given.ours / given.peer,
  scale: 'times',
  goal: atMost === undefined ? null : { atMost },
})

/**
 * How many times faster than the peer.
 *
 * @param {Omit<Figure, 'ratio' | 'scale' | 'goal' | 'peer'> & { peer: number, atLeast: number }} given
 * @returns {Figure}
 */
export const faster = ({ atLeast, ...given }) => ({
  ...given,
  ratio: given.peer / given.ours,
  scale: 'times',
  goal: { atLeast },
})

/** @param {Pick<Figure, 'what' | 'store' | 'ours' | 'unit'> & { atMost: number }} given @returns {Figure} */
export const count = ({ atMost, ...given }) => ({
  ...given,
  peer: null,
  peerName: '',
  ratio: given.ours,
  scale: 'count',
  goal: { atMost },
})

/** A figure as a row of a table. @param {Figure} figure */
export function rowOf({ what, store, ours, peer, unit, peerName, ratio, scale, goal }) {
  return {
    what,
    store: { pglite: 'PGlite', postgres: 'Postgres', '': '' }[store],
    ours: `${shown(ours)} ${unit}`.trim(),
    peer: peer === null ? '' : `${shown(peer)} ${unit} (${peerName})`,
    ratio: scaled(ratio, scale),
    goal: goal === null ? '' : goalText(goal, scale),
    met: goal === null ? '' : isMet(ratio, goal) ? 'yes' : 'no',
  }
}

/** @param {number} ratio @param {NonNullable<Goal>} goal */
const isMet = (ratio, goal) => ('atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost)

/** @param {NonNullable<Goal>} goal @param {Scale} scale */
const goalText = (goal, scale) =>
  'atLeast' in goal ? `≥ ${scaled(goal.atLeast, scale)}` : `≤ ${scaled(goal.atMost, scale)}`

/** @param {number} value @param {Scale} scale */
function scaled(value, scale) {
  if (scale === 'share') return `${Number((value * 100).toPrecision(2))} %`
  return scale === 'times' ? `${shown(value)}x` : shown(value)
}

/** @param {number} value */
const shown = value => rounded(value).toLocaleString('en-US', { maximumSignificantDigits: 6 })
