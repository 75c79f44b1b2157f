import { rounded, table } from '../measure.js'
import { nameCase } from './cases.js'
import { SYSTEMS } from './systems/all.js'

/** @typedef {import('../search.js').Result} Result */

/** What others are compared with: ours, or without ours the most common one. */
const BASES = ['privity-core', 'privity-pglite', 'privity-postgres', 'sqlite-fts5']

/** @param {readonly Result[]} results */
export function showCases(results) {
  return results.map(showCase).join('\n\n')
}

/** @param {Result} result */
function showCase(result) {
  const base = BASES.find(name => result.systems[name] !== undefined)
  const unit = base === undefined ? undefined : result.systems[base]?.p50
  const rows = Object.keys(SYSTEMS).flatMap(name => {
    const figures = result.systems[name]
    if (figures === undefined) return []
    return [
      {
        system: name,
        'p50 ms': rounded(figures.p50),
        'p95 ms': rounded(figures.p95),
        ...(unit === undefined ? {} : { [`× ${base}`]: rounded(figures.p50 / unit) }),
        'build ms': Math.round(figures.buildMs),
        'bytes/record': Math.round(figures.bytesPerRecord),
        leaks: figures.leaks ? 'yes' : 'no',
      },
    ]
  })
  const skipped = Object.entries(result.skipped).map(([name, reason]) => `${name} left out: ${reason}`)
  return [nameCase(result), '', ...(rows.length === 0 ? [] : [table(rows)]), ...skipped].join('\n')
}
