import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { few } from '../support/depth.js'
import { findGround, openMediation, shareNeed } from '../support/mediation.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const absent = expect.objectContaining({ code: 'not_found', message: 'not found' })

describe.each(engines)('common ground on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  const inStage = (stage: 2 | 3 | 4) => openMediation(store.privity, { stage })

  it('[CB-7] is found where everybody shares a need of the same kind, once, and says nothing else', async () => {
    const { alice, bob, session } = await inStage(3)
    await shareNeed(alice, session, 'SAFETY', 'I want to know that the rent is paid')
    await shareNeed(alice, session, 'FAIRNESS', 'I do the washing every week')
    expect(await alice.commonGround.find(session)).toEqual({ commonGround: [] })
    await shareNeed(bob, session, 'FAIRNESS', 'My evenings go by with chores')
    await shareNeed(bob, session, 'MEANING', 'My days should be for something')
    const { commonGround } = await bob.commonGround.find(session)
    expect(commonGround).toEqual([
      {
        id: expect.any(String),
        category: 'FAIRNESS',
        text: 'We both need fairness.',
        confirmedByYou: false,
        confirmed: false,
      },
    ])
    expect(await alice.commonGround.find(session)).toEqual({ commonGround })
    for (const person of [alice, bob])
      expect((await person.shared.list({ session, types: ['common_ground'] })).items).toEqual([
        expect.objectContaining({ id: commonGround[0]?.id, source: 'session', category: 'FAIRNESS' }),
      ])
  })

  it('[RC-20] that there is none yet lets both go on, once both confirm it', async () => {
    const { alice, bob, session } = await inStage(3)
    const ofAlice = await shareNeed(alice, session, 'SAFETY', 'I want to know that the rent is paid')
    await shareNeed(bob, session, 'MEANING', 'My days should be for something')
    const { commonGround } = await alice.commonGround.find(session, { none: true })
    const [none] = commonGround
    expect(none).toMatchObject({ category: null, confirmedByYou: true, confirmed: false })
    await expect(bob.commonGround.find(session, { none: true })).rejects.toMatchObject({ code: 'conflict' })
    const mayAdvance = async () => (await alice.stages.get(session)).mayAdvance
    expect(await mayAdvance()).toBe(false)
    await bob.commonGround.confirm({ session, commonGround: none?.id ?? '' })
    expect(await mayAdvance()).toBe(true)
    await alice.stages.advance(session)
    expect(ofAlice.content).not.toBe('')
  })

  it('[RC-20] cannot be said to be missing while there is some', async () => {
    const mediation = await inStage(3)
    await findGround(mediation, 'RECOGNITION')
    const stated = mediation.alice.commonGround.find(mediation.session, { none: true })
    await expect(stated).rejects.toMatchObject({ code: 'conflict' })
  })

  it('[CB-3] comes of what was shared, never of a need that is kept, confirmed, asked for or denied', async () => {
    const { alice, bob, session } = await inStage(3)
    await shareNeed(alice, session, 'SAFETY', 'I want to know that the rent is paid')
    const need = { type: 'need' as const, category: 'SAFETY' as const, text: 'A lock on the door' }
    const { items } = await bob.vessel.write({ session, items: [need] })
    await bob.vessel.confirmNeeds({ session, needs: [items[0]?.id ?? ''] })
    expect(await alice.commonGround.find(session)).toEqual({ commonGround: [] })
    const { pendingRequests } = await bob.bridge.pending(session)
    const consentRequestId = pendingRequests[0]?.id ?? ''
    await bob.bridge.decide({ session, consentRequestId, decision: 'DENIED' })
    for (const person of [alice, bob])
      expect(await person.commonGround.find(session)).toEqual({ commonGround: [] })
  })

  it.each(
    few(['alice', 'bob'] as const, 1),
  )('[CB-7] is hidden from both once %s takes a need back, and is found anew', async who => {
    const mediation = await inStage(4)
    const { alice, bob, session, agentFor } = mediation
    const { ground, ofAlice, ofBob } = await findGround(mediation, 'CONNECTION')
    for (const person of [alice, bob]) await person.commonGround.confirm({ session, commonGround: ground.id })
    const inTurn = async (actor: string) => {
      const { bundle } = await agentFor(actor).turns.context({
        session,
        turn: randomUUID(),
        message: 'What do we have in common?',
      })
      return bundle.items.map(({ text }) => text)
    }
    for (const actor of ['alice', 'bob']) expect(await inTurn(actor)).toContain('We both need connection.')

    const taken = who === 'alice' ? ofAlice : ofBob
    await mediation[who].bridge.revoke({ session, consentRecordId: taken.consentRecordId })
    for (const person of [alice, bob]) {
      const { items } = await person.shared.list({ session, types: ['common_ground'] })
      expect(items.map(({ category }) => category)).toEqual(['RECOGNITION'])
      const { commonGround } = await person.commonGround.find(session)
      expect(commonGround.map(({ category }) => category)).toEqual(['RECOGNITION'])
      await expect(person.commonGround.confirm({ session, commonGround: ground.id })).rejects.toEqual(absent)
    }
    for (const actor of ['alice', 'bob'])
      expect((await inTurn(actor)).filter(text => text.includes('both need'))).toEqual([
        'We both need recognition.',
      ])

    await shareNeed(mediation[who], session, 'CONNECTION', 'Somebody to sit with in the evening')
    const { commonGround } = await mediation[who].commonGround.find(session)
    const anew = commonGround.find(({ category }) => category === 'CONNECTION')
    expect(anew).toMatchObject({ confirmed: false, confirmedByYou: false })
    expect(anew?.id).not.toBe(ground.id)
  })

  it('[RC-9] is confirmed by each for themselves, and by a second time nothing more', async () => {
    const mediation = await inStage(3)
    const { alice, bob, session } = mediation
    const { ground } = await findGround(mediation, 'MEANING')
    const confirm = (person: typeof alice) =>
      person.commonGround.confirm({ session, commonGround: ground.id })
    const gate = async (person: typeof alice) =>
      (await person.stages.get(session)).stages[3]?.gates.commonGroundConfirmed
    for (let again = 0; again < 2; again++)
      expect(await confirm(alice)).toMatchObject({ confirmedByYou: true, confirmed: false })
    expect([await gate(alice), await gate(bob)]).toEqual([true, false])
    expect((await alice.stages.get(session)).mayAdvance).toBe(false)
    expect((await bob.commonGround.find(session)).commonGround[0]).toMatchObject({ confirmedByYou: false })
    expect(await confirm(bob)).toMatchObject({ confirmedByYou: true, confirmed: true })
    expect([await gate(alice), await gate(bob)]).toEqual([true, true])
    expect((await alice.stages.get(session)).mayAdvance).toBe(true)
  })

  it('[RC-9] belongs to stage 3', async () => {
    const { alice, session } = await inStage(2)
    const early = expect.objectContaining({ code: 'conflict', reason: 'session.stage_not_reached' })
    await expect(alice.commonGround.find(session)).rejects.toEqual(early)
    await expect(alice.commonGround.confirm({ session, commonGround: randomUUID() })).rejects.toEqual(early)
  })

  it('[RC-6] [RC-12] an agent is told of it in a turn alone, and finds and confirms nothing', async () => {
    const mediation = await inStage(3)
    const { alice, bob, session, agentFor } = mediation
    await shareNeed(alice, session, 'AUTONOMY', 'An evening a week of my own')
    await shareNeed(bob, session, 'AUTONOMY', 'To choose what I do on Sundays')
    const refused = expect.objectContaining({ code: 'not_allowed' })
    await expect(agentFor('bob').commonGround.find(session)).rejects.toEqual(refused)
    const told = async () => {
      const { bundle } = await agentFor('bob').turns.context({
        session,
        turn: randomUUID(),
        message: 'What do we both need?',
      })
      return bundle.items.filter(({ type }) => type === 'common_ground').map(({ text }) => text)
    }
    expect(await told()).toEqual([])
    const { commonGround } = await alice.commonGround.find(session)
    expect(commonGround.map(({ text }) => text)).toEqual(['We both need autonomy.'])
    expect(await told()).toEqual(['We both need autonomy.'])
    await expect(
      agentFor('bob').commonGround.confirm({ session, commonGround: commonGround[0]?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'not_allowed' })
    // While the session pauses, no model is told anything.
    await alice.sessions.setState({ session, state: 'PAUSED' })
    expect(await told()).toEqual([])
    expect(await alice.commonGround.find(session)).toEqual({ commonGround })
  })

  it('[NI-5] what is not common ground of this session is absent', async () => {
    const mediation = await inStage(3)
    const { alice, bob, session, tenant } = mediation
    const { ground, ofAlice, ofBob } = await findGround(mediation, 'SAFETY')
    const other = await openMediation(store.privity, { stage: 3, tenant })
    for (const commonGround of [ofAlice.need, ofAlice.content, ofBob.need, ofBob.content, randomUUID()])
      await expect(alice.commonGround.confirm({ session, commonGround }), commonGround).rejects.toEqual(
        absent,
      )
    const confirm = { session: other.session, commonGround: ground.id }
    await expect(other.bob.commonGround.confirm(confirm)).rejects.toEqual(absent)
    const carol = store.privity.as({ tenant, actor: 'carol' })
    await expect(carol.commonGround.find(session)).rejects.toEqual(absent)
    await expect(carol.commonGround.confirm({ session, commonGround: ground.id })).rejects.toEqual(absent)
    expect((await bob.commonGround.find(session)).commonGround).toHaveLength(1)
    expect(await other.alice.commonGround.find(other.session)).toEqual({ commonGround: [] })
  })

  it('[RC-20] shows the needs of both side by side, once both have shared some', async () => {
    const { alice, bob, session, tenant, agentFor } = await openMediation(store.privity, { stage: 3 })
    const ofAlice = await shareNeed(alice, session, 'CONNECTION', 'We should talk more in the evening')
    const mine = expect.objectContaining({ id: ofAlice.content, category: 'CONNECTION' })
    expect(await alice.commonGround.compare(session)).toEqual({
      ready: false,
      yours: [mine],
      theirs: [],
      inCommon: [],
    })
    expect(await bob.commonGround.compare(session)).toEqual({
      ready: false,
      yours: [],
      theirs: [],
      inCommon: [],
    })
    const ofBob = await shareNeed(bob, session, 'CONNECTION', 'It is lonely on my side of the couch')
    const other = await shareNeed(bob, session, 'SAFETY', 'Doors should not be slammed here')
    const compared = await alice.commonGround.compare(session)
    expect(compared).toMatchObject({ ready: true, yours: [mine], inCommon: ['CONNECTION'] })
    expect(compared.theirs.map(({ id }) => id)).toEqual([ofBob.content, other.content])
    await bob.bridge.revoke({ session, consentRecordId: ofBob.consentRecordId })
    expect(await alice.commonGround.compare(session)).toMatchObject({
      theirs: [{ id: other.content }],
      inCommon: [],
    })
    await expect(agentFor('alice').commonGround.compare(session)).rejects.toMatchObject({
      code: 'not_allowed',
    })
    const carol = store.privity.as({ tenant, actor: 'carol' })
    await expect(carol.commonGround.compare(session)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('[NI-7] a repeated request is answered by what stands now, and an ended session by a refusal', async () => {
    const mediation = await inStage(3)
    const { alice, bob, session } = mediation
    const { ground, ofBob } = await findGround(mediation, 'FAIRNESS')
    const find = () => alice.commonGround.find(session, {}, { idempotencyKey: 'find' })
    const confirm = () =>
      alice.commonGround.confirm({ session, commonGround: ground.id }, { idempotencyKey: 'confirm' })
    expect((await find()).commonGround).toHaveLength(1)
    expect(await confirm()).toEqual(await confirm())
    await bob.bridge.revoke({ session, consentRecordId: ofBob.consentRecordId })
    expect(await find()).toEqual({ commonGround: [] })
    await expect(confirm()).rejects.toEqual(absent)
    await bob.sessions.setState({ session, state: 'ABANDONED' })
    await expect(alice.commonGround.find(session)).rejects.toMatchObject({
      code: 'session_state_transition_invalid',
    })
  })
})
