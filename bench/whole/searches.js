import { makeCases } from '../search/cases.js'
import { LIMITS, measureCases } from '../search.js'
import { faster, times } from './goals.js'

/** @typedef {import('./goals.js').Run} Run */

const SQLITE = 'sqlite-fts5'
const PEER = 'SQLite FTS5 with a join'
const SIZES = {
  quick: { search: '5000', core: '10000', growth: '10000,20000' },
  plain: { search: '100000', core: '200000', growth: '10000,100000,1000000' },
}
/** How long a store of a million records may take to be filled and indexed. */
const GROWTH_LIMITS = { ...LIMITS.plain, buildMs: 3_600_000, queriesMs: 60_000 }

/** @param {Run} run */
const sizesOf = run => SIZES[run.quick ? 'quick' : 'plain']

/** @param {Run} run */
const limitsOf = run => LIMITS[run.quick ? 'quick' : 'plain']

/** @param {number} value */
const counted = value => value.toLocaleString('en-US')

/** A whole search where the caller sees little, against the bare query. @param {Run} run */
export async function measureSearch(run) {
  const cases = makeCases({ records: sizesOf(run).search, visible: '1%', compartments: '1000' })
  const names = [...run.engines.map(engine => `privity-${engine}`), SQLITE]
  for (const result of await measureCases(cases, names, { ...run, limits: limitsOf(run) }))
    for (const engine of run.engines) {
      const [ours, theirs] = [result.systems[`privity-${engine}`], result.systems[SQLITE]]
      if (ours === undefined || theirs === undefined) continue
      run.add(
        times({
          what: `whole search, ${counted(result.records)} records, 1 % visible`,
          store: engine,
          ours: ours.p50,
          peer: theirs.p50,
          unit: 'ms',
          peerName: PEER,
          atMost: 1.5,
        }),
      )
      if (ours.coldMs !== null)
        run.add(
          times({
            what: `open a store of ${counted(result.records)} records and search`,
            store: engine,
            ours: ours.coldMs,
            peer: theirs.coldMs ?? Number.NaN,
            unit: 'ms',
            peerName: 'SQLite, open and search',
          }),
        )
    }
}

/** The core alone, and building its index. @param {Run} run */
export async function measureCore(run) {
  const cases = makeCases({
    records: run.picked.records ?? sizesOf(run).core,
    visible: '1%,100%',
    compartments: '1000,records',
  })
  const results = await measureCases(cases, ['privity-core', SQLITE], { ...run, limits: limitsOf(run) })
  for (const { records, visible, compartments, systems } of results) {
    const [ours, theirs] = [systems['privity-core'], systems[SQLITE]]
    if (ours === undefined || theirs === undefined) continue
    run.add(
      faster({
        what: `search core, ${counted(records)} records, ${visible * 100} % visible, ${counted(compartments)} compartments`,
        store: '',
        ours: ours.p50,
        peer: theirs.p50,
        unit: 'ms',
        peerName: PEER,
        atLeast: visible === 1 ? 5 : 30,
      }),
    )
    if (visible === 1) continue
    run.add(
      times({
        what: `index build, ${counted(records)} records, ${counted(compartments)} compartments`,
        store: '',
        ours: ours.buildMs / 1000,
        peer: theirs.buildMs / 1000,
        unit: 's',
        peerName: 'SQLite FTS5',
        atMost: 1.5,
      }),
    )
  }
}

/** As many visible records while hidden ones are added: sizes by --records. @param {Run} run */
export async function measureGrowth(run) {
  const cases = makeCases({
    records: run.picked.records ?? sizesOf(run).growth,
    visible: run.quick ? '100' : '1000',
    compartments: 'records/2',
  })
  const names = [...run.engines.map(engine => `privity-${engine}`), 'privity-core', SQLITE]
  const results = await measureCases(cases, names, { ...run, limits: GROWTH_LIMITS })
  const [smallest] = results
  for (const name of names)
    for (const { records, systems } of results.slice(1)) {
      const [ours, first] = [systems[name], smallest?.systems[name]]
      if (ours === undefined || first === undefined) continue
      run.add(
        times({
          what: `${counted(run.quick ? 100 : 1_000)} visible among ${counted(records)} records, ${name}`,
          store: '',
          ours: ours.p50,
          peer: first.p50,
          unit: 'ms',
          peerName: `among ${counted(smallest?.records ?? 0)}`,
          ...(name === SQLITE ? {} : { atMost: 1.3 }),
        }),
      )
    }
}
