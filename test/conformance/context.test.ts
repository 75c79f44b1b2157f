import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('the context for a model, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const agent = store.privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'medium' },
    })
    return { ana, agent }
  }

  it('[TR-5, TR-9, PC-2, NI-1] gathers what matters now by sections, cited, of what the caller sees in full', async () => {
    const { ana, agent } = world()
    await ana.remember([
      { kind: 'semantic', text: 'Ana is left-handed', pinned: true },
      { kind: 'semantic', text: 'Ben likes chess', participants: ['Ben'] },
      { kind: 'working', text: 'Call the plumber' },
      { kind: 'episodic', text: 'The tomatoes were planted by the wall' },
      { kind: 'entity', text: 'The garden' },
      { kind: 'episodic', text: 'It rained' },
      { kind: 'semantic', text: 'Ana lives in Graz', validTo: '2020-01-01T00:00:00Z' },
      { kind: 'semantic', text: 'secret of Dana', participants: ['Dana'] },
      { kind: 'semantic', text: 'too sensitive', sensitivity: 'high', pinned: true },
    ])
    await ana.people.consent({ person: 'Ben', status: 'granted' })
    const { items, tokens, left, receipt } = await agent.context({ about: 'tomatoes', people: ['BEN'] })
    expect(items.map(({ section, text }) => [section, text])).toEqual([
      ['pinned', 'Ana is left-handed'],
      ['people', 'Ben likes chess'],
      ['open', 'Call the plumber'],
      ['relevant', 'The tomatoes were planted by the wall'],
      ['known', 'The garden'],
      ['recent', 'It rained'],
    ])
    expect(items.map(({ cite }) => cite)).toEqual([1, 2, 3, 4, 5, 6])
    expect([left, receipt !== null]).toEqual([0, true])
    expect(tokens).toBeGreaterThan(20)
    // For a model, whoever asks: the owner's own context holds nobody who has not agreed either.
    expect(JSON.stringify(await ana.context({ budget: 5_000 }))).not.toContain('Dana')
    await ana.people.consent({ person: 'Ben', status: 'revoked' })
    expect(JSON.stringify(await agent.context({ people: ['Ben'] }))).not.toContain('chess')
  })

  it('[WR-2] keeps within its budget, and counts as shown', async () => {
    const { ana, agent } = world()
    await ana.remember(
      Array.from({ length: 12 }, (_, at) => ({
        kind: 'semantic' as const,
        text: `fact ${at} ${'word '.repeat(20)}`,
      })),
    )
    const small = await agent.context({ budget: 60 })
    expect(small.tokens).toBeLessThanOrEqual(60)
    expect(small.items).toHaveLength(2)
    expect(small.left).toBe(10)
    expect(await agent.remember({ kind: 'note', text: 'x', sensitivity: 'public' })).toMatchObject({
      sensitivity: 'medium',
      raised: [{ field: 'sensitivity', because: 'shown' }],
    })
    await expect(agent.context({ budget: 0 })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
