import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('labels by what texts say, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const host = store.privity.as({ tenant, actor: 'warden', audience: 'host' })
    const agent = store.privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'high' },
    })
    return { ana, host, agent }
  }

  const salary = { kind: 'note' as const, text: 'Ben earns 4,000 euros a month', sensitivity: 'low' as const }

  it('[WR-6] proposes a label with reasons that hold no content, and keeps nothing', async () => {
    const { ana } = world()
    await ana.people.add({ person: 'Ben' })
    expect(await ana.labels.propose(salary.text)).toEqual({
      sensitivity: 'high',
      participants: ['Ben'],
      reasons: [{ class: 'money', what: 'income, debt or property', start: 4, end: expect.any(Number) }],
    })
    expect(await ana.labels.propose('the bench in the park')).toEqual({
      sensitivity: 'public',
      participants: [],
      reasons: [],
    })
    expect((await ana.list()).records).toEqual([])
  })

  it('[WR-6, WR-4] raises by the policy of the tenant, says why, and leaves lowering to the owner', async () => {
    const { ana, host, agent } = world()
    await ana.people.add({ person: 'Ben' })
    expect(await ana.remember(salary)).toMatchObject({ sensitivity: 'low', raised: [] })
    await expect(ana.labels.setPolicy({ mode: 'raise' })).rejects.toMatchObject({ code: 'not_allowed' })
    await host.labels.setPolicy({ mode: 'raise', classes: { contact: null } })
    expect(await host.labels.policy()).toEqual({ mode: 'raise', classes: { contact: null }, people: true })
    const raised = await ana.remember(salary)
    expect(raised).toMatchObject({
      sensitivity: 'high',
      raised: [
        {
          field: 'sensitivity',
          to: 'high',
          because: 'content',
          why: ['money: income, debt or property', 'people: named in the text'],
        },
        { field: 'participants', because: 'content' },
      ],
    })
    expect(JSON.stringify(raised)).not.toMatch(/4,000|Ben/)
    expect(await ana.remember({ ...salary, text: 'write to dana@example.org' })).toMatchObject({
      sensitivity: 'low',
    })
    await ana.relabel({ record: raised.id, sensitivity: 'low', removeParticipants: ['Ben'] })
    expect(await agent.get(raised.id)).toMatchObject({ sensitivity: 'low', payload: { participants: [] } })
    // Whom the owner knows does not show in what becomes of an agent's note.
    const secret = await ana.remember({
      kind: 'note',
      text: 'x',
      participants: ['Zed'],
      sensitivity: 'hyper',
    })
    expect(secret.sensitivity).toBe('hyper')
    for (const name of ['Zed', 'Nobody'])
      expect(await agent.remember({ ...salary, text: `${name} likes rye bread` })).toMatchObject({
        readable: true,
        raised: [],
      })
  })

  it('[WR-6, NI-10, PC-7] names whom a text names as the text does, and knows them by any name', async () => {
    const { ana, host, agent } = world()
    await ana.remember({ kind: 'note', text: 'x', participants: ['Zoë MacHidden'], sensitivity: 'hyper' })
    await ana.people.update({ person: 'zoë machidden', addAliases: ['Zett'] })
    await ana.people.consent({ person: 'zett', status: 'granted' })
    await host.labels.setPolicy({ mode: 'raise' })
    const [alias, other, said] = await ana.remember([
      { kind: 'note', text: 'Zett likes rye bread', sensitivity: 'low' },
      { kind: 'note', text: 'ZOË  MACHIDDEN likes rye bread', sensitivity: 'low' },
      { kind: 'note', text: 'Zett likes rye bread', sensitivity: 'low', participants: ['zoë machidden'] },
    ])
    const named = async (id = '') => (await agent.get(id))?.payload?.participants
    expect([await named(alias?.id), await named(other?.id), await named(said?.id)]).toEqual([
      ['Zett'],
      ['ZOË MACHIDDEN'],
      ['zoë machidden'],
    ])
    expect(said?.raised).toEqual([])
    expect((await ana.get(alias?.id ?? ''))?.payload?.participants).toEqual(['Zoë MacHidden'])
    expect((await ana.labels.review()).proposals).toEqual([])
    await ana.people.consent({ person: 'zoë machidden', status: 'revoked' })
    expect(await agent.get(alias?.id ?? '')).toBeNull()
  })

  it('[WR-6] lists records that may need a stricter label, until they have it', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember(salary)
    await ana.remember({ ...salary, text: 'rye bread' })
    await ana.remember({ ...salary, text: 'the PIN is 4821', sensitivity: 'hyper' })
    const { proposals, cursor } = await ana.labels.review()
    expect(cursor).toBeNull()
    expect(proposals).toMatchObject([{ record: id, current: 'low', sensitivity: 'high' }])
    await expect(agent.labels.review()).rejects.toMatchObject({ code: 'not_allowed' })
    await ana.relabel({ record: id, sensitivity: 'high' })
    expect((await ana.labels.review()).proposals).toEqual([])
  })
})
