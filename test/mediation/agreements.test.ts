import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { type Mediation, openMediation } from '../support/mediation.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const absent = expect.objectContaining({ code: 'not_found', message: 'not found' })

describe.each(engines)('agreements on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  const inStage4 = () => openMediation(store.privity, { stage: 4 })

  /** An agreement that alice proposes from a strategy of bob's. */
  async function propose({ alice, bob, session }: Mediation, text = 'We take turns with the dishes.') {
    const strategy = await bob.strategies.submit({ session, content: 'Dishes could go in turns.' })
    const agreement = await alice.agreements.propose({ session, text, proposals: [strategy.id] })
    return { strategy, agreement }
  }
  const typesTold = async (person: Handle) =>
    (await person.notifications.list({})).notifications.filter(({ type }) => type.startsWith('agreement.'))

  it('[RC-20] that there is none is an outcome as well, once both say so', async () => {
    const { alice, bob, session } = await inStage4()
    const text = 'We end without an agreement for now.'
    await expect(alice.agreements.propose({ session, text })).rejects.toMatchObject({ code: 'invalid_input' })
    const given = { session, text, outcome: 'NO_AGREEMENT' as const }
    await expect(alice.agreements.propose({ ...given, proposals: [randomUUID()] })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    const { id, outcome } = await alice.agreements.propose(given)
    expect(outcome).toBe('NO_AGREEMENT')
    const isOpen = async () => (await alice.stages.get(session)).stages[4]?.gates.agreementCreated
    expect(await isOpen()).toBe(false)
    await bob.agreements.agree({ session, agreement: id })
    expect(await isOpen()).toBe(true)
    expect((await bob.agreements.list({ session })).agreements).toMatchObject([
      { id, outcome, description: text },
    ])
  })

  it('[RC-10] is what everybody agreed to: until then it is a proposal, and no model is told of it', async () => {
    const mediation = await inStage4()
    const { alice, bob, session, agentFor } = mediation
    const { agreement } = await propose(mediation)
    expect(agreement).toEqual({
      id: expect.any(String),
      description: 'We take turns with the dishes.',
      agreedAt: null,
      status: 'ACTIVE',
      hasStaleInputs: false,
      agreedByYou: true,
    })
    expect(await bob.agreements.list({ session, proposed: true })).toEqual({
      agreements: [{ ...agreement, agreedByYou: false }],
    })
    const inTurn = async () => {
      const { bundle } = await agentFor('bob').turns.context({
        session,
        turn: randomUUID(),
        message: 'What did we agree on?',
      })
      return JSON.stringify(bundle).includes('turns with the dishes')
    }
    expect(await bob.agreements.list({ session })).toEqual({ agreements: [] })
    expect(await inTurn()).toBe(false)
    expect((await bob.stages.get(session)).stages[4]?.gates.agreementCreated).toBe(false)
    // Whoever proposed it agrees to nothing more by agreeing.
    await alice.agreements.agree({ session, agreement: agreement.id })
    expect(await bob.agreements.list({ session })).toEqual({ agreements: [] })

    const reached = await bob.agreements.agree({ session, agreement: agreement.id })
    expect(reached).toEqual({ ...agreement, agreedAt: expect.any(String) })
    for (const reader of [alice, bob])
      expect(await reader.agreements.list({ session })).toEqual({ agreements: [reached] })
    expect(await inTurn()).toBe(true)
    expect((await alice.stages.get(session)).stages[4]?.gates.agreementCreated).toBe(true)
    // The first time counts.
    expect(await bob.agreements.agree({ session, agreement: agreement.id })).toEqual(reached)
    expect(await typesTold(bob)).toEqual([
      expect.objectContaining({ type: 'agreement.proposed', session, refs: { agreement: agreement.id } }),
    ])
    expect(await typesTold(alice)).toEqual([
      expect.objectContaining({ type: 'agreement.reached', session, refs: { agreement: agreement.id } }),
    ])
  })

  it('[CB-7] stays when its strategy is taken back, and is marked for everybody who reads it', async () => {
    const mediation = await inStage4()
    const { alice, bob, session, agentFor } = mediation
    const { strategy, agreement } = await propose(mediation)
    const reached = await bob.agreements.agree({ session, agreement: agreement.id })
    await bob.bridge.revoke({ session, consentRecordId: strategy.consentRecordId })
    const stale = {
      ...reached,
      hasStaleInputs: true,
      staleReason: 'Source strategy consent revoked',
      staleNotice: '(based on content no longer shared)',
    }
    for (const reader of [alice, bob])
      expect(await reader.agreements.list({ session })).toEqual({ agreements: [stale] })
    const { bundle } = await agentFor('alice').turns.context({
      session,
      turn: 'one',
      message: 'What did we agree on?',
    })
    expect(bundle.items.find(({ type }) => type === 'agreement')?.text).toContain(stale.staleNotice)
    for (const person of [alice, bob])
      expect((await person.shared.list({ session, types: ['agreement'] })).items).toEqual([
        expect.objectContaining({
          id: agreement.id,
          hasStaleInputs: true,
          staleReason: stale.staleReason,
          staleNotice: stale.staleNotice,
          confirmed: true,
          status: 'ACTIVE',
        }),
      ])
  })

  it('[CB-7] nobody agrees to what is based on something taken back', async () => {
    const mediation = await inStage4()
    const { alice, bob, session } = mediation
    const { strategy, agreement } = await propose(mediation)
    await bob.bridge.revoke({ session, consentRecordId: strategy.consentRecordId })
    await expect(bob.agreements.agree({ session, agreement: agreement.id })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await alice.agreements.list({ session })).toEqual({ agreements: [] })
    expect((await bob.stages.get(session)).stages[4]?.gates.agreementCreated).toBe(false)
  })

  it('[RC-15] a model is told how one stands and since when, so that none that was given up reads as standing', async () => {
    const mediation = await inStage4()
    const { bob, session, agentFor, tenant } = mediation
    const { agreement } = await propose(mediation)
    const { agreedAt } = await bob.agreements.agree({ session, agreement: agreement.id })
    const told = async (inSession: string) => {
      const asked = { session: inSession, turn: randomUUID(), message: 'What did we agree on?' }
      const { bundle } = await agentFor('bob').turns.context(asked)
      const item = bundle.items.find(({ provenance }) => provenance.record === agreement.id)
      return { type: item?.type, facts: item?.facts, at: item?.provenance.at, text: bundle.text }
    }
    expect(await told(session)).toEqual({
      type: 'agreement',
      facts: { status: 'ACTIVE', agreedAt },
      at: agreedAt,
      text: expect.stringContaining(`"status":"ACTIVE","agreedAt":"${agreedAt}"`),
    })
    await bob.agreements.close({ session, agreement: agreement.id, status: 'ABANDONED' })
    expect((await told(session)).text).toContain('"status":"ABANDONED"')
    await bob.sessions.setState({ session, state: 'RESOLVED' })
    const next = await openMediation(store.privity, { stage: 0, tenant })
    const asOutcome = await told(next.session)
    expect([asOutcome.type, asOutcome.facts]).toEqual(['session_outcomes', { status: 'ABANDONED', agreedAt }])
  })

  it('[CB-7] is marked as well when what it rests on is gone', async () => {
    const mediation = await inStage4()
    const { alice, bob, session } = mediation
    const { agreement } = await propose(mediation)
    await bob.agreements.agree({ session, agreement: agreement.id })
    await bob.sessions.leave({ session, erase: true })
    expect((await alice.agreements.list({ session })).agreements).toEqual([
      expect.objectContaining({ id: agreement.id, hasStaleInputs: true }),
    ])
  })

  it('[RC-10] are listed by when they were agreed, newest first, with those of prior sessions if asked for', async () => {
    const first = await inStage4()
    const old = (await propose(first, 'We keep Sundays free.')).agreement
    await first.bob.agreements.agree({ session: first.session, agreement: old.id })
    await first.alice.sessions.setState({ session: first.session, state: 'RESOLVED' })

    const second = await openMediation(store.privity, { stage: 4, tenant: first.tenant })
    const { session, alice, bob } = second
    const one = (await propose(second, 'We cook together.')).agreement
    const two = (await propose(second, 'We eat together.')).agreement
    for (const { id } of [two, one]) await bob.agreements.agree({ session, agreement: id })
    const three = (await propose(second, 'We shop together.')).agreement
    const ids = async (asked: object) =>
      (await alice.agreements.list({ session, ...asked })).agreements.map(({ id }) => id)
    expect(await ids({})).toEqual([one.id, two.id])
    expect(await ids({ prior: true })).toEqual([one.id, two.id, old.id])
    expect(await ids({ proposed: true, prior: true })).toEqual([three.id, one.id, two.id, old.id])
    expect(await ids({ prior: true, limit: 2 })).toEqual([one.id, two.id])
    // Another relationship of one of them has no part in it.
    const { tenant } = first
    const carol = store.privity.as({ tenant, actor: 'carol' })
    const { id: third } = await alice.sessions.create({ participants: ['carol'] })
    await carol.sessions.join(third)
    for (const person of [alice, carol])
      expect(await person.agreements.list({ session: third, prior: true, proposed: true })).toEqual({
        agreements: [],
      })
  })

  it('[RC-3] [RC-4] [RC-12] an agent is told of them in a turn, where its principal’s stage tells of them', async () => {
    const first = await inStage4()
    const { agreement } = await propose(first)
    await first.bob.agreements.agree({ session: first.session, agreement: agreement.id })
    const { tenant } = first
    for (const [stage, prior] of [
      [0, true],
      [1, false],
      [2, true],
      [3, false],
    ] as const) {
      const { session, agentFor, alice } = await openMediation(store.privity, { stage, tenant })
      const list = (reader: Handle) => reader.agreements.list({ session, prior: true })
      const agent = agentFor('alice')
      // In a turn, and beside it not at all.
      await expect(list(agent)).rejects.toMatchObject({ code: 'not_allowed' })
      const { bundle } = await agent.turns.context({ session, turn: 'one', message: 'What did we agree on?' })
      const told = bundle.items.filter(({ provenance }) => provenance.record === agreement.id)
      expect(told, `stage ${stage}`).toHaveLength(prior ? 1 : 0)
      // Shared things are open to people from the stage on in which everybody is at 2.
      expect((await list(alice)).agreements, `stage ${stage}`).toHaveLength(stage >= 2 ? 1 : 0)
    }
  })

  it('[CB-7] ends completed or abandoned, once', async () => {
    const mediation = await inStage4()
    const { alice, bob, session } = mediation
    const { agreement } = await propose(mediation)
    const close = (person: Handle, status: 'COMPLETED' | 'ABANDONED', id = agreement.id) =>
      person.agreements.close({ session, agreement: id, status })
    const conflict = expect.objectContaining({ code: 'conflict' })
    await expect(close(alice, 'COMPLETED')).rejects.toEqual(conflict)
    await bob.agreements.agree({ session, agreement: agreement.id })
    expect(await close(bob, 'COMPLETED')).toMatchObject({ id: agreement.id, status: 'COMPLETED' })
    await expect(close(alice, 'ABANDONED')).rejects.toEqual(conflict)
    await expect(bob.agreements.agree({ session, agreement: agreement.id })).rejects.toEqual(conflict)
    const dropped = (await propose(mediation, 'We shop together.')).agreement
    expect(await close(bob, 'ABANDONED', dropped.id)).toMatchObject({ status: 'ABANDONED', agreedAt: null })
    await expect(bob.agreements.agree({ session, agreement: dropped.id })).rejects.toEqual(conflict)
    expect((await alice.agreements.list({ session })).agreements.map(({ status }) => status)).toEqual([
      'COMPLETED',
    ])
  })

  it('[CB-4] is screened like all that is shared', async () => {
    const mediation = await inStage4()
    const { alice, bob, session } = mediation
    const { id } = await alice.strategies.submit({ session, content: 'We cook.' })
    const proposing = (text: string) => alice.agreements.propose({ session, text, proposals: [id] })
    await alice.vessel.write({
      session,
      items: [{ type: 'boundary', text: 'No visits from the office crowd' }],
    })
    for (const [text, reason] of [
      ['You are lazy and it ends now.', 'bridge_accuses'],
      ['We agree: no visits from the office.', 'bridge_repeats_original'],
    ])
      await expect(proposing(text ?? '')).rejects.toMatchObject({ code: 'invalid_input', reason })
    expect(await bob.agreements.list({ session, proposed: true })).toEqual({ agreements: [] })
    expect(await typesTold(bob)).toEqual([])
  })

  it('[NI-5] [NI-6] what is not of this session is absent, for third people all of it', async () => {
    const mediation = await inStage4()
    const { alice, session, tenant } = mediation
    const { agreement, strategy } = await propose(mediation)
    const other = await openMediation(store.privity, { stage: 4, tenant })
    const carol = store.privity.as({ tenant, actor: 'carol' })
    const text = 'We cook.'
    const asked: (() => Promise<unknown>)[] = [
      () => alice.agreements.agree({ session, agreement: strategy.id }),
      () => alice.agreements.agree({ session, agreement: randomUUID() }),
      () => alice.agreements.close({ session, agreement: strategy.id, status: 'ABANDONED' }),
      () => alice.agreements.propose({ session, text, proposals: [strategy.id, agreement.id] }),
      () => alice.agreements.propose({ session, text, proposals: [randomUUID()] }),
      () => other.bob.agreements.agree({ session: other.session, agreement: agreement.id }),
      () =>
        other.bob.agreements.close({ session: other.session, agreement: agreement.id, status: 'ABANDONED' }),
      () => other.bob.agreements.propose({ session: other.session, text, proposals: [strategy.id] }),
      () => carol.agreements.list({ session }),
      () => carol.agreements.agree({ session, agreement: agreement.id }),
      () => carol.agreements.propose({ session, text, proposals: [strategy.id] }),
    ]
    for (const ask of asked) await expect(ask(), String(ask)).rejects.toEqual(absent)
    // Nobody's strategies are named by what was made from them.
    expect(JSON.stringify(await alice.agreements.list({ session, proposed: true }))).not.toContain(
      strategy.id,
    )
  })

  it('[NI-7] a repeated request is answered by what stands now, and an ended session by a refusal', async () => {
    const mediation = await inStage4()
    const { alice, bob, session } = mediation
    const { strategy, agreement } = await propose(mediation)
    const agreeing = () =>
      bob.agreements.agree({ session, agreement: agreement.id }, { idempotencyKey: 'agree' })
    expect(await agreeing()).toEqual(await agreeing())
    await bob.bridge.revoke({ session, consentRecordId: strategy.consentRecordId })
    expect(await agreeing()).toMatchObject({ hasStaleInputs: true })
    expect(await typesTold(alice)).toHaveLength(1)
    await alice.sessions.setState({ session, state: 'RESOLVED' })
    const over = expect.objectContaining({ code: 'session_state_transition_invalid' })
    await expect(bob.agreements.agree({ session, agreement: agreement.id })).rejects.toEqual(over)
    const closing = { session, agreement: agreement.id, status: 'COMPLETED' as const }
    await expect(bob.agreements.close(closing)).rejects.toEqual(over)
    expect((await bob.agreements.list({ session })).agreements).toHaveLength(1)
  })
})
