import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { findGround, openMediation } from '../support/mediation.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const absent = expect.objectContaining({ code: 'not_found', message: 'not found' })

describe.each(engines)('strategies on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  const inStage4 = () => openMediation(store.privity, { stage: 4 })
  const submit = (person: Handle, session: string, content: string) =>
    person.strategies.submit({ session, content })
  const rank = (person: Handle, session: string, ...proposals: string[]) =>
    person.strategies.rank({ session, proposals })

  it('[CB-2] stand in a pool that both see alike, in an order that tells nothing of who made them', async () => {
    const { alice, bob, session } = await inStage4()
    const made = new Map<string, string>()
    for (const [person, content] of [
      [alice, 'We cook together on Sundays.'],
      [alice, 'We go for a walk after work.'],
      [bob, 'We take turns with the dishes.'],
      [bob, 'We keep one evening free.'],
    ] as const)
      made.set((await submit(person, session, content)).id, content)
    const inOrder = [...made].sort(([one], [other]) => (one < other ? -1 : 1))
    for (const person of [alice, bob])
      expect(await person.strategies.pool(session)).toEqual({
        strategies: inOrder.map(([id, content]) => ({ id, content })),
        ranking: null,
        overlap: [],
      })
    expect((await alice.bridge.history(session)).records.slice(0, 2)).toEqual([
      expect.objectContaining({ contentType: 'STRATEGY_PROPOSAL', decision: 'GRANTED', revokedAt: null }),
      expect.objectContaining({ contentType: 'STRATEGY_PROPOSAL', decision: 'GRANTED', revokedAt: null }),
    ])
    // What is shared otherwise tells whose it is, so they are not among it.
    expect(JSON.stringify(await alice.shared.list({ session }))).not.toContain('dishes')
  })

  it('[CB-7] one that is taken back leaves the pool of both, and keeps its place in rankings, unnamed', async () => {
    const { alice, bob, session } = await inStage4()
    const [first, second, third] = [
      await submit(alice, session, 'We cook together on Sundays.'),
      await submit(bob, session, 'We take turns with the dishes.'),
      await submit(alice, session, 'We keep one evening free.'),
    ]
    await rank(alice, session, second.id, first.id, third.id)
    await rank(bob, session, first.id, third.id, second.id)
    await alice.bridge.revoke({ session, consentRecordId: first.consentRecordId })
    for (const person of [alice, bob]) {
      const { strategies, overlap } = await person.strategies.pool(session)
      expect(strategies.map(({ id }) => id)).toEqual([second.id, third.id].sort())
      expect(overlap).toEqual([second.id, third.id].sort())
      // It is gone for whatever names it.
      await expect(rank(person, session, first.id)).rejects.toEqual(absent)
      const agreement = { session, text: 'We cook on Sundays.', proposals: [first.id] }
      await expect(person.agreements.propose(agreement)).rejects.toEqual(absent)
    }
    expect((await alice.strategies.pool(session)).ranking).toEqual([
      { position: 1, proposal: second.id, stale: false },
      { position: 2, proposal: null, stale: true },
      { position: 3, proposal: third.id, stale: false },
    ])
    const ofBob = await bob.strategies.pool(session)
    expect(ofBob.ranking?.[0]).toEqual({ position: 1, proposal: null, stale: true })
    expect(JSON.stringify(ofBob)).not.toContain(first.id)
  })

  it('[RC-9] nobody sees another’s ranking, only what everybody put among the first three', async () => {
    const { alice, bob, session } = await inStage4()
    const ids: string[] = []
    for (const at of [1, 2, 3, 4, 5]) ids.push((await submit(alice, session, `We try plan ${at}.`)).id)
    const [a = '', b = '', c = '', d = '', e = ''] = ids
    await rank(alice, session, a, b, c, d, e)
    const gates = async (person: Handle) => (await person.stages.get(session)).stages[4]?.gates
    expect(await gates(alice)).toMatchObject({ rankingsSubmitted: true, overlapIdentified: false })
    expect(await gates(bob)).toMatchObject({ rankingsSubmitted: false, overlapIdentified: false })
    for (const person of [alice, bob]) expect((await person.strategies.pool(session)).overlap).toEqual([])
    expect((await bob.strategies.pool(session)).ranking).toBeNull()

    await rank(bob, session, d, e)
    expect((await bob.strategies.pool(session)).overlap).toEqual([])
    expect(await gates(bob)).toMatchObject({ rankingsSubmitted: true, overlapIdentified: false })
    await submit(alice, session, 'We try plan 6.')
    expect(await rank(bob, session, e, c, d, b)).toEqual({
      ranking: [e, c, d, b].map((proposal, at) => ({ position: at + 1, proposal, stale: false })),
    })
    for (const person of [alice, bob]) {
      expect((await person.strategies.pool(session)).overlap).toEqual([c])
      expect(await gates(person)).toMatchObject({ overlapIdentified: true })
    }
    expect((await alice.strategies.pool(session)).ranking?.map(({ proposal }) => proposal)).toEqual(ids)
  })

  it('[RC-9] a ranking stands, whether the other has ranked or not, until they add a strategy or take one back', async () => {
    const { alice, bob, session } = await inStage4()
    const [first, second] = [
      await submit(alice, session, 'We cook together on Sundays.'),
      await submit(bob, session, 'We take turns with the dishes.'),
    ]
    const settled = expect.objectContaining({ code: 'conflict' })
    const refusal = () => rank(alice, session, second.id).catch(({ code, message }) => ({ code, message }))
    await rank(alice, session, first.id)
    const alone = await refusal()
    expect(alone).toEqual(settled)
    await rank(bob, session, first.id)
    expect(await refusal()).toEqual(alone)
    // One's own coming and going is no reason.
    const own = await submit(alice, session, 'We keep one evening free.')
    expect(await refusal()).toEqual(alone)
    await alice.bridge.revoke({ session, consentRecordId: own.consentRecordId })
    expect(await refusal()).toEqual(alone)
    const third = await submit(bob, session, 'We go for a walk after work.')
    await rank(alice, session, third.id)
    expect(await refusal()).toEqual(alone)
    await bob.bridge.revoke({ session, consentRecordId: third.consentRecordId })
    await rank(alice, session, second.id)
    await expect(rank(alice, session, first.id)).rejects.toEqual(settled)
  })

  it('[RC-9] what leaves the pool by one’s own doing is no reason to rank anew', async () => {
    const mediation = await inStage4()
    const { alice, bob, session } = mediation
    const { ground, ofAlice } = await findGround(mediation, 'FAIRNESS')
    const rests = await bob.strategies.submit({
      session,
      content: 'We share the chores.',
      commonGround: [ground.id],
    })
    const other = await submit(bob, session, 'We cook together.')
    await rank(alice, session, rests.id)
    await alice.bridge.revoke({ session, consentRecordId: ofAlice.consentRecordId })
    expect((await alice.strategies.pool(session)).strategies.map(({ id }) => id)).toEqual([other.id])
    await expect(rank(alice, session, other.id)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('[CB-7] a strategy goes with the common ground that it rests on', async () => {
    const mediation = await inStage4()
    const { alice, bob, session } = mediation
    const { ground, ofAlice } = await findGround(mediation, 'FAIRNESS')
    await bob.strategies.submit({ session, content: 'We share the chores.', commonGround: [ground.id] })
    expect((await alice.strategies.pool(session)).strategies).toHaveLength(1)
    await alice.bridge.revoke({ session, consentRecordId: ofAlice.consentRecordId })
    for (const person of [alice, bob]) expect((await person.strategies.pool(session)).strategies).toEqual([])
    await expect(
      bob.strategies.submit({ session, content: 'We share the chores.', commonGround: [ground.id] }),
    ).rejects.toEqual(absent)
  })

  it('[CB-4] repeats nothing that was said in private, and neither attacks nor accuses', async () => {
    const { alice, bob, session } = await inStage4()
    const items = [{ type: 'user_event' as const, text: 'My sister lent us money for the roof' }]
    await alice.vessel.write({ session, items })
    for (const [content, reason] of [
      ['We tell her that my sister lent us money.', 'bridge_repeats_original'],
      ['You always spend it all.', 'bridge_accuses'],
    ])
      await expect(submit(alice, session, content ?? '')).rejects.toMatchObject({
        code: 'invalid_input',
        reason,
      })
    expect((await bob.strategies.pool(session)).strategies).toEqual([])
    await submit(bob, session, 'We ask whether my sister lent us money.')
  })

  it('[RC-9] belong to stage 4', async () => {
    const { alice, session } = await openMediation(store.privity, { stage: 3 })
    const early = expect.objectContaining({ code: 'conflict', reason: 'session.stage_not_reached' })
    await expect(submit(alice, session, 'We cook.')).rejects.toEqual(early)
    await expect(rank(alice, session, randomUUID())).rejects.toEqual(early)
    expect(await alice.strategies.pool(session)).toEqual({ strategies: [], ranking: null, overlap: [] })
  })

  it('[NI-5] what is not in the pool of this session is absent, for third people all of it', async () => {
    const mediation = await inStage4()
    const { alice, bob, session, tenant, agentFor } = mediation
    const { id } = await submit(alice, session, 'We cook together.')
    const { items } = await alice.shared.list({ session })
    for (const proposal of [randomUUID(), ...items.map(item => item.id)])
      await expect(rank(bob, session, id, proposal)).rejects.toEqual(absent)
    const other = await openMediation(store.privity, { stage: 4, tenant })
    await expect(rank(other.bob, other.session, id)).rejects.toEqual(absent)
    expect((await other.bob.strategies.pool(other.session)).strategies).toEqual([])
    const carol = store.privity.as({ tenant, actor: 'carol' })
    await expect(carol.strategies.pool(session)).rejects.toEqual(absent)
    await expect(rank(carol, session, id)).rejects.toEqual(absent)
    await expect(submit(carol, session, 'We cook.')).rejects.toEqual(absent)
    await expect(agentFor('bob').strategies.pool(session)).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(rank(bob, session, id, id)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('[NI-7] a repeated ranking names only what is still in the pool', async () => {
    const { alice, bob, session } = await inStage4()
    const first = await submit(alice, session, 'We cook together.')
    const second = await submit(alice, session, 'We eat together.')
    const ranking = () =>
      bob.strategies.rank({ session, proposals: [second.id, first.id] }, { idempotencyKey: 'rank' })
    expect(await ranking()).toEqual(await ranking())
    await alice.bridge.revoke({ session, consentRecordId: second.consentRecordId })
    expect(await ranking()).toEqual({
      ranking: [
        { position: 1, proposal: null, stale: true },
        { position: 2, proposal: first.id, stale: false },
      ],
    })
  })
})
