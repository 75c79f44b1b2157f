import { LOADS, measureWrites } from '../store.js'
import { share } from './goals.js'

const GOALS = { pglite: 0.6, postgres: 0.5 }

/** Remembering in batches, against raw inserts of the same rows. @param {import('./goals.js').Run} run */
export async function measureRemember(run) {
  const loads = LOADS.filter(({ size }) => size >= 100)
  for (const engine of run.engines)
    for (const row of await measureWrites(engine, loads, run))
      run.add(
        share({
          what: `remember in batches of ${row.batch}`,
          store: engine,
          ours: row['remember/s'],
          peer: row['raw/s'],
          unit: 'records/s',
          peerName: 'bare insert of the same rows',
          atLeast: GOALS[engine],
        }),
      )
}
