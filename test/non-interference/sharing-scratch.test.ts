import { appendFileSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { checkRecipientNonInterference, connectTo, describeLeak } from '../../src/testing/index.js'
import { byHand } from '../support/mediated.js'
import { freshDatabase } from '../support/privity.js'
const LOG = process.env.SCRATCH_LOG ?? '/tmp/sharing-scratch.log'
it('scratch', async () => {
  writeFileSync(LOG, '')
  const database = await freshDatabase()
  const connect = connectTo({ databaseUrl: database.url, poolSize: 2, embedding: process.env.BY_HAND ? [byHand] : [], sweeps: false })
  const started = Date.now()
  const spent = { inspect: 0, n: 0, invoke: 0, m: 0, caught: 0 }
  const timed: typeof connect = async (clock, observe) => {
    const c = await connect(clock, observe)
    const t = c.db.transaction.bind(c.db)
    c.db.transaction = (async (o: any, f: any) => { const s = performance.now(); try { return await t(o, f) } finally { if (o.role === null) { spent.inspect += performance.now() - s; spent.n++ } } }) as any
    const inv = c.privity.invoke.bind(c.privity)
    ;(c.privity as any).invoke = async (...a: any[]) => { const s = performance.now(); try { return await (inv as any)(...a) } finally { spent.invoke += performance.now() - s; spent.m++ } }
    const cu = c.privity.caughtUp.bind(c.privity)
    ;(c.privity as any).caughtUp = async () => { const s = performance.now(); try { return await cu() } finally { spent.caught += performance.now() - s } }
    return c
  }
  let n = 0
  try {
    const leaks = await checkRecipientNonInterference({
      connect: timed, seed: Number(process.env.PRIVITY_SEED ?? 1), worlds: Number(process.env.PRIVITY_WORLDS ?? 3),
      onWorld: (w, a) => appendFileSync(LOG, `world ${w} ${JSON.stringify(a)} ${Date.now() - started}ms\n`),
    })
    n = leaks.length
    for (const leak of leaks) appendFileSync(LOG, `${describeLeak(leak).slice(0, 6000)}\n----\n`)
  } catch (e) { appendFileSync(LOG, `ERROR ${(e as Error).stack}\n`) }
  appendFileSync(LOG, JSON.stringify(spent) + '\n')
  appendFileSync(LOG, `LEAKS ${n}\n`)
  await database.drop()
}, 3_600_000)
