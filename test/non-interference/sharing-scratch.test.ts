import { appendFileSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { checkRecipientNonInterference, connectTo, describeLeak } from '../../src/testing/index.js'
import { freshDatabase } from '../support/privity.js'
const LOG = process.env.SCRATCH_LOG ?? '/tmp/sharing-scratch.log'
it('scratch', async () => {
  writeFileSync(LOG, '')
  const database = await freshDatabase()
  const connect = connectTo({ databaseUrl: database.url, poolSize: 2, embedding: [], sweeps: false })
  const started = Date.now()
  let n = 0
  try {
    const leaks = await checkRecipientNonInterference({
      connect, seed: Number(process.env.PRIVITY_SEED ?? 1), worlds: Number(process.env.PRIVITY_WORLDS ?? 3),
      onWorld: (w, a) => appendFileSync(LOG, `world ${w} ${JSON.stringify(a)} ${Date.now() - started}ms\n`),
    })
    n = leaks.length
    for (const leak of leaks) appendFileSync(LOG, `${describeLeak(leak).slice(0, 6000)}\n----\n`)
  } catch (e) { appendFileSync(LOG, `ERROR ${(e as Error).stack}\n`) }
  appendFileSync(LOG, `LEAKS ${n}\n`)
  await database.drop()
}, 3_600_000)
