import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/runtime/open.js'
import { testEmbedding } from '../../src/testing/embedding.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const SAME = [
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician'],
]

describe.each(engines)('meaning on %s', engine => {
  const provider = testEmbedding({ same: SAME })
  let store: TestPrivity
  let privity: Privity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { embedding: [provider] })
    privity = store.privity
  })
  afterAll(() => store.dispose())

  const world = async () => {
    const tenant = store.tenant()
    const ana = privity.as({ tenant, actor: 'ana' })
    const [car, doctor, garden] = await ana.remember([
      { kind: 'semantic', text: 'automobile' },
      { kind: 'semantic', text: 'physician' },
      { kind: 'semantic', text: 'garden' },
    ])
    await privity.caughtUp()
    return { tenant, ana, car, doctor, garden }
  }

  it('finds what means the same in other words', async () => {
    const { ana, car } = await world()
    const hybrid = await ana.search('car')
    expect(hybrid.results.map(({ record }) => record.id)).toEqual([car?.id])
    expect(hybrid.receipt.meaning).toEqual([{ model: 'test/1', state: 'used', waiting: 0 }])
    expect((await ana.search('car', { mode: 'text' })).count).toBe(0)
    const vector = await ana.search('car', { mode: 'vector' })
    expect(vector.results[0]?.record.id).toBe(car?.id)
    expect(vector.count).toBe(3)
  })
})
