import { median } from '../measure.js'
import { makeWorld } from '../search/data.js'
import { AGENT, CREATED_AT, OWNER, TENANT } from '../search/systems/privity-records.js'
import { fillStore } from '../search/systems/privity-stores.js'
import { openBenchStore } from '../stores.js'
import { times } from './goals.js'

/**
 * @typedef {import('./goals.js').Run} Run
 * @typedef {import('./goals.js').Engine} Engine
 */

const SIZES = { quick: [500, 2_000], plain: [1_000, 10_000, 100_000] }
const VISIBLE = 0.1
const LIMIT = 20
const MINUTE = 60_000
const ROUNDS = { warmUp: 3, least: 5, most: 30, ms: 10_000 }

/** Pages of 20 for the owner and for an agent that sees a tenth, in stores of several sizes. @param {Run} run */
export async function measureLists(run) {
  for (const engine of run.engines) {
    /** @type {Map<string, { records: number, ms: number }[]>} */
    const found = new Map()
    for (const records of SIZES[run.quick ? 'quick' : 'plain'])
      for (const [way, ms] of await measureSize(engine, records, run)) {
        run.log(`${engine}: ${way} among ${records.toLocaleString('en-US')}: ${ms.toFixed(2)} ms`)
        found.set(way, [...(found.get(way) ?? []), { records, ms }])
      }
    for (const [way, [first, ...others]] of found)
      for (const { records, ms } of others)
        run.add(
          times({
            what: `${way} of ${LIMIT} among ${records.toLocaleString('en-US')} records`,
            store: engine,
            ours: ms,
            peer: first?.ms ?? Number.NaN,
            unit: 'ms',
            peerName: `among ${first?.records.toLocaleString('en-US')}`,
            ...(way.startsWith('bare') ? {} : { atMost: 1.3 }),
          }),
        )
  }
}

/** @param {Engine} engine @param {number} records @param {Run} run */
async function measureSize(engine, records, { seed }) {
  const store = await openBenchStore(engine)
  try {
    const owner = store.privity.as({ tenant: TENANT, actor: OWNER })
    const agent = store.privity.as(AGENT)
    await agent.list({ limit: 1 })
    const world = makeWorld({ seed, records, visible: VISIBLE, compartments: Math.min(1_000, records / 2) })
    await fillStore(store.db, world, id => new Date(CREATED_AT.getTime() + id * MINUTE))
    await store.db.script('analyze')
    // The index is there, as in a store that is in use.
    await agent.search('anything')
    const plain = {
      access: /** @type {const} */ ('read'),
      role: null,
      settings: {},
    }
    /** @type {Record<string, () => Promise<number>>} */
    const ways = {
      'list by its owner': async () => (await owner.list({ limit: LIMIT })).records.length,
      'list by an agent': async () => (await agent.list({ limit: LIMIT })).records.length,
      'timeline by its owner': async () =>
        (await owner.timeline({ limit: LIMIT, order: 'newest' })).records.length,
      'timeline by an agent': async () =>
        (await agent.timeline({ limit: LIMIT, order: 'newest' })).records.length,
      'bare select': async () =>
        store.db.transaction(
          plain,
          async tx =>
            (
              await tx.query(
                `select record_id, text from privity.records
                 where tenant_id = $1 and owner = $2
                 order by created_at desc, record_id desc
                 limit ${LIMIT}`,
                [TENANT, OWNER],
              )
            ).length,
        ),
    }
    /** @type {[way: string, ms: number][]} */
    const medians = []
    for (const [way, ask] of Object.entries(ways)) medians.push([way, await medianOf(way, ask)])
    return medians
  } finally {
    await store.dispose()
  }
}

/** @param {string} way @param {() => Promise<number>} ask how many it got */
async function medianOf(way, ask) {
  const elapsed = []
  const end = performance.now() + ROUNDS.ms
  for (let round = -ROUNDS.warmUp; round < ROUNDS.most; round++) {
    const start = performance.now()
    const got = await ask()
    if (got !== LIMIT) throw new Error(`${way}: ${got} of ${LIMIT}`)
    if (round >= 0) elapsed.push(performance.now() - start)
    if (elapsed.length >= ROUNDS.least && performance.now() > end) break
  }
  return median(elapsed)
}
