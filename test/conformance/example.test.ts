import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('the first example on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  it('[PC-2, PC-4, TR-1] hides a memory until everyone in it consents, then shows as much as trust allows', async () => {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const agentRef = {
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    } as const
    const agent = store.privity.as({ tenant, ...agentRef })
    const { id } = await ana.remember({
      kind: 'episodic',
      text: 'We planted tomatoes.',
      sensitivity: 'medium',
      participants: ['ana', 'ben'],
    })
    expect(await agent.get(id)).toBeNull()
    await ana.people.consent({ person: 'ben', status: 'granted' })
    expect(await agent.get(id)).toMatchObject({ id, face: 'metadata', payload: null })
    expect(await ana.get(id)).toMatchObject({ id, face: 'full', payload: { text: 'We planted tomatoes.' } })
    await ana.people.consent({ person: 'ben', status: 'revoked' })
    expect(await agent.get(id)).toBeNull()
    expect(await ana.get(id)).toMatchObject({ face: 'full' })
  })
})
