import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('changes that agents ask for, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const agent = (actor: string, maxSensitivity: 'low' | 'medium' = 'medium') =>
      store.privity.as({ tenant, actor, audience: 'agent', for: 'ana', trust: { maxSensitivity } })
    const ana = store.privity.as({ tenant, actor: 'ana' })
    /** A key of Ana's that does not see everything. */
    const narrow = store.privity.as({ tenant, actor: 'ana', trust: { maxSensitivity: 'low' } })
    return { ana, narrow, agent, ben: store.privity.as({ tenant, actor: 'ben' }) }
  }
  const note = (text: string) => ({ kind: 'note', text, sensitivity: 'low' }) as const

  it('[WR-8] a change of what others wrote waits for the owner, who accepts or declines it once', async () => {
    const { ana, agent, ben } = world()
    const helper = agent('helper')
    const { id } = await ana.remember(note('Ana lives in Graz.'))
    const asked = await helper.changes.request({
      record: id,
      how: 'supersede',
      text: 'Ana lives in Linz.',
      reason: 'She said so.',
    })
    expect(asked).toMatchObject({ done: false, record: null, request: { how: 'supersede', state: 'open' } })
    expect((await ana.get(id))?.payload?.text).toBe('Ana lives in Graz.')
    expect((await ana.changes.list({})).requests).toMatchObject([
      {
        record: id,
        text: 'Ana lives in Linz.',
        reason: 'She said so.',
        requestedBy: 'helper',
        state: 'open',
      },
    ])
    // Nobody else sees it, and no agent decides.
    expect((await ben.changes.list({})).requests).toEqual([])
    expect((await agent('other').changes.mine({})).requests).toEqual([])
    const request = asked.request?.id ?? ''
    await expect(helper.changes.decide({ request, decision: 'accepted' })).rejects.toMatchObject({
      code: 'not_allowed',
    })
    await expect(ben.changes.decide({ request, decision: 'accepted' })).rejects.toMatchObject({
      code: 'not_found',
    })
    const { record } = await ana.changes.decide({ request, decision: 'accepted' })
    expect((await ana.get(record ?? ''))?.payload).toMatchObject({
      text: 'Ana lives in Linz.',
      author: 'ana',
    })
    expect((await helper.changes.mine({})).requests).toMatchObject([{ state: 'accepted' }])
    await expect(ana.changes.decide({ request, decision: 'declined' })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('[WR-8] declining changes nothing; accepting to retract or contest does that', async () => {
    const { ana, agent } = world()
    const helper = agent('helper')
    for (const [how, decision] of [
      ['retract', 'declined'],
      ['retract', 'accepted'],
      ['contest', 'accepted'],
    ] as const) {
      const { id } = await ana.remember(note(`${how} ${decision}`))
      const { request } = await helper.changes.request({ record: id, how, reason: 'wrong' })
      await ana.changes.decide({ request: request?.id ?? '', decision })
      const after = await ana.get(id)
      if (decision === 'declined') expect(after?.payload?.contested).toBe(false)
      else if (how === 'retract') expect(after).toBeNull()
      else expect(after?.payload).toMatchObject({ contested: true, contestedReason: 'wrong' })
    }
  })

  it('[WR-8] what an agent wrote itself is changed at once; it is deleted by its owner alone', async () => {
    const { ana, agent } = world()
    const helper = agent('helper')
    const own = await helper.remember(note('Ana like pears.'))
    const changed = await helper.changes.request({
      record: own.id,
      how: 'supersede',
      text: 'Ana likes pears.',
    })
    expect(changed).toMatchObject({ done: true, request: null })
    const next = changed.record ?? ''
    expect((await helper.get(next))?.payload?.text).toBe('Ana likes pears.')
    // Another agent of hers wrote none of it.
    expect(await agent('other').changes.request({ record: next, how: 'retract' })).toMatchObject({
      done: false,
    })
    const forgets = await helper.changes.request({ record: next, how: 'forget' })
    expect(forgets).toMatchObject({ done: false, request: { how: 'forget', state: 'open' } })
    expect(await helper.get(next)).toBeNull()
    const history = await ana.history(next)
    expect(history).not.toBeNull()
    await ana.changes.decide({ request: forgets.request?.id ?? '', decision: 'accepted' })
    expect((await helper.changes.mine({})).requests).toMatchObject([{ state: 'accepted', record: null }])
    // The other request spoke of a record that is no more.
    expect((await ana.changes.list({})).requests.map(({ how }) => how)).toEqual(['forget'])
  })

  it('[WR-8, NI-5, NI-10] asks about nothing hidden, and brings the label of what the agent was shown', async () => {
    const { ana, narrow, agent } = world()
    const secret = await ana.remember({ kind: 'note', text: 'secret', sensitivity: 'high' })
    for (const record of [secret.id, crypto.randomUUID()])
      await expect(agent('helper').changes.request({ record, how: 'forget' })).rejects.toMatchObject({
        code: 'not_found',
        message: 'not found',
      })
    const shown = await ana.remember({ kind: 'note', text: 'the code is 12', sensitivity: 'medium' })
    const { id } = await ana.remember(note('a plain note'))
    const helper = agent('helper')
    await helper.get(shown.id)
    const { request } = await helper.changes.request({ record: id, how: 'supersede', text: 'the code is 12' })
    // A key that may see nothing above low does not see the words, nor that somebody asked.
    expect((await narrow.changes.list({})).requests).toEqual([])
    await expect(
      narrow.changes.decide({ request: request?.id ?? '', decision: 'accepted' }),
    ).rejects.toMatchObject({ code: 'not_found' })
    const { record } = await ana.changes.decide({ request: request?.id ?? '', decision: 'accepted' })
    expect((await ana.get(record ?? ''))?.sensitivity).toBe('medium')
  })

  it('[WR-8] takes a text to supersede with, and for nothing else', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember(note('a note'))
    for (const asked of [{ how: 'supersede' }, { how: 'forget', text: 'x' }, { how: 'supersede', text: ' ' }])
      await expect(agent('helper').changes.request({ record: id, ...asked } as never)).rejects.toMatchObject({
        code: 'invalid_input',
      })
    expect((await ana.changes.list({})).requests).toEqual([])
  })
})
