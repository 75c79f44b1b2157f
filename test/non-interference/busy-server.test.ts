import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { checkNonInterference, connectTo, describeLeak } from '../../src/testing/index.js'
import { times } from '../support/depth.js'
import { freshDatabase } from '../support/stores.js'

it('[NI-5] the harness reports nothing of what other databases on its server do', async () => {
  const database = await freshDatabase()
  const neighbour = await freshDatabase()
  const client = new pg.Client({ connectionString: neighbour.url })
  await client.connect()
  let busy = true
  // A server's oldest running transaction is that of all its databases: an index reads what is newer a second time.
  const working = (async () => {
    while (busy) {
      await client.query('begin')
      await client.query('select pg_current_xact_id()')
      await sleep(150)
      await client.query('commit')
    }
  })()
  const connect = connectTo({ databaseUrl: database.url, poolSize: 2 })
  const leaks = await checkNonInterference({
    connect,
    seed: 1,
    worlds: times(2, 4),
    focus: 'graph',
    requests: 8,
  })
  busy = false
  await working
  await client.end()
  await Promise.all([database.drop(), neighbour.drop()])
  expect(leaks.map(describeLeak)).toEqual([])
}, 600_000)
