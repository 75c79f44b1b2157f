import { it, expect } from 'vitest'
import { makeMutant } from '../support/mutants.js'
it('probe', async () => {
  for (let i = 0; i < 5; i++) {
  const t = performance.now()
  const m = await makeMutant({ file: 'src/policy/faces.ts', find: 'met &= face', replace: 'met |= face' })
  const t1 = performance.now()
  const x = await m.import('src/policy/faces.ts') as any
  expect(x.meet(0b1001, 0)).toBe(15)
  const y = await m.import('src/index.ts') as any
  console.log(Object.keys(y), t1 - t, performance.now() - t1)
  await m.dispose()
  }
  const p = await (await makeMutant(null)).import('src/index.ts') as any
  const db = await p.open()
  await db.close()
})
