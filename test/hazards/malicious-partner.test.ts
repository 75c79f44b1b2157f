import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findGround, type Mediation, openMediation, shareNeed } from '../support/mediation.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

/** One of two partners tries to learn what was not shared, or to govern what belongs to both. */
describe.each(engines)('a malicious partner on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  /** Alice writes of somebody under a scope of hers, and shares what the bridge makes of it. */
  async function shareUnderLabels({ alice, session }: Mediation) {
    await alice.people.add({ person: 'Dr Quill' })
    await alice.people.consent({ person: 'Dr Quill', status: 'granted' })
    const { items } = await alice.vessel.write({
      session,
      items: [
        {
          type: 'user_event',
          text: 'I went to see Dr Quill about the nights I cannot sleep, I am worried about my health',
          participants: ['Dr Quill'],
          scope: 'therapy',
        },
      ],
    })
    const { pendingRequests } = await alice.bridge.pending(session)
    const asked = pendingRequests.find(({ originalContentId }) => originalContentId === items[0]?.id)
    return alice.bridge.decide({ session, consentRequestId: asked?.id ?? '', decision: 'GRANTED' })
  }

  it('[NI-6] learns nothing of scopes and people from what is shared, nor from what a mediator writes after it', async () => {
    const mediation = await openMediation(store.privity, { stage: 2 })
    const { bob, session, agentFor } = mediation
    const { sharedContent } = await shareUnderLabels(mediation)
    const shown = async (options?: object) =>
      (await bob.shared.list({ session }, options)).items.some(({ id }) => id === sharedContent?.id)
    expect(await shown()).toBe(true)
    expect(await shown({ trust: { maxSensitivity: 'hyper', scopes: ['money'] } })).toBe(true)
    expect(await shown({ respectConsent: true })).toBe(true)
    const mediator = agentFor('bob')
    const { bundle } = await mediator.turns.context({
      session,
      turn: 'one',
      message: 'What did we agree on?',
    })
    expect(bundle.items.map(({ text }) => text)).toContain(sharedContent?.transformedContent)
    const written = await mediator.remember({ kind: 'episodic', text: 'a zebra note' })
    expect(written.scope).toBeNull()
    const { facets } = await bob.search('zebra', { facets: ['person', 'scope'] })
    expect(facets).toEqual({ person: [], scope: [] })
  })

  it('[NI-12, TR-7] learns nothing of how sensitive the original is, nor of what is done with it later', async () => {
    /** What Bob is told, and his model under a trust of its own, once Alice shared something made from this. */
    const told = async (sensitivity: 'low' | 'hyper', raises: boolean) => {
      const { alice, bob, session, agentFor } = await openMediation(store.privity, { stage: 2 })
      const text = 'I was afraid the whole night that you would not come home to us'
      const { items } = await alice.vessel.write({
        session,
        items: [{ type: 'user_event', text, sensitivity }],
      })
      const original = items[0]?.id ?? ''
      const { pendingRequests } = await alice.bridge.pending(session)
      const asked = pendingRequests.find(({ originalContentId }) => originalContentId === original)
      const { sharedContent } = await alice.bridge.decide({
        session,
        consentRequestId: asked?.id ?? '',
        decision: 'GRANTED',
      })
      if (raises) {
        await alice.overlays.add({ target: { kind: 'document', ref: original }, restriction: 'blocked' })
      }
      const medium = { trust: { maxSensitivity: 'medium' as const } }
      const { bundle } = await agentFor('bob').turns.context(
        { session, turn: randomUUID(), message: 'What did we agree on?' },
        medium,
      )
      const shown = [
        await bob.shared.list({ session }),
        await bob.shared.list({ session }, medium),
        await bob.shared.list({ session }, { trust: { maxSensitivity: 'low' } }),
        bundle.items.map(item => item.text),
      ]
      expect(JSON.stringify(shown[1])).toContain(sharedContent?.transformedContent)
      expect(bundle.items.map(item => item.text)).toContain(sharedContent?.transformedContent)
      // Ids, times and the wording of what was shared differ from one mediation to the next.
      return JSON.stringify(shown)
        .replaceAll(sharedContent?.transformedContent ?? '', 'what was shared')
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[^"]*/g, '')
    }
    const low = await told('low', false)
    expect(await told('hyper', false)).toBe(low)
    expect(await told('hyper', true)).toBe(low)
  })

  it('[PC-2] shares nothing of people who have not granted, and is told why', async () => {
    const { alice, session } = await openMediation(store.privity, { stage: 2 })
    await alice.vessel.write({
      session,
      items: [
        { type: 'user_event', text: 'My mother was here again, it hurts', participants: ['my mother'] },
      ],
    })
    const { pendingRequests } = await alice.bridge.pending(session)
    const decide = () =>
      alice.bridge.decide({ session, consentRequestId: pendingRequests[0]?.id ?? '', decision: 'GRANTED' })
    await expect(decide()).rejects.toMatchObject({ code: 'conflict', reason: 'bridge_person_not_granted' })
    await alice.people.consent({ person: 'my mother', status: 'granted' })
    expect(await decide()).toMatchObject({ recorded: true })
  })

  it('[CB-7, RC-10] cannot hide what was agreed, nor the other’s strategies, by people or overlays of their own', async () => {
    const mediation = await openMediation(store.privity, { stage: 4 })
    const { alice, bob, session, agentFor } = mediation
    await alice.people.add({ person: 'Ghost' })
    await alice.people.consent({ person: 'Ghost', status: 'granted' })
    // One of the needs that the ground rests on is about somebody whom only Alice knows.
    const { items } = await alice.vessel.write({
      session,
      items: [
        { type: 'need', category: 'FAIRNESS', text: 'Ghost gets more than I do', participants: ['Ghost'] },
      ],
    })
    const content = items[0]?.id ?? ''
    await alice.vessel.confirmNeeds({ session, needs: [content] })
    await alice.bridge.request({ session, content, contentType: 'IDENTIFIED_NEED' })
    const { pendingRequests } = await alice.bridge.pending(session)
    const asked = pendingRequests.find(({ originalContentId }) => originalContentId === content)
    await alice.bridge.decide({ session, consentRequestId: asked?.id ?? '', decision: 'GRANTED' })
    const { ground, ofAlice } = await findGround(mediation, 'FAIRNESS')
    const strategy = await bob.strategies.submit({
      session,
      content: 'We could share the shopping.',
      commonGround: [ground.id],
    })
    const { id: agreement } = await alice.agreements.propose({
      session,
      text: 'We take turns with the shopping.',
      proposals: [strategy.id],
    })
    await bob.agreements.agree({ session, agreement })
    const seen = async () => ({
      pool: (await bob.strategies.pool(session)).strategies.length,
      agreed: (await bob.agreements.list({ session })).agreements.length,
      byAgent: (
        await agentFor('bob').turns.context({ session, turn: randomUUID(), message: 'What did we agree on?' })
      ).bundle.items.filter(({ type }) => type === 'agreement').length,
    })
    const before = await seen()
    expect(before).toMatchObject({ agreed: 1, byAgent: 1 })
    for (const ref of [ofAlice.need, content]) {
      const target = { kind: 'document', ref } as const
      await alice.overlays.add({ target, restriction: 'explicit_access_required' })
      await alice.grants.add({ grantee: 'alice', target })
    }
    await alice.people.consent({ person: 'Ghost', status: 'revoked' })
    expect(await seen()).toEqual(before)
    // What the other said themselves stays theirs, whatever it was made from.
    await alice.forget(ofAlice.need)
    const { records } = await bob.bridge.history(session)
    expect(records.find(({ id }) => id === strategy.consentRecordId)?.revokedAt).toBeNull()
    expect((await bob.agreements.list({ session })).agreements).toMatchObject([{ id: agreement }])
  })

  it('[RC-9] reads no ranking out by ranking over and over, with strategies that come and go', async () => {
    const { alice, bob, session } = await openMediation(store.privity, { stage: 4 })
    const ids: string[] = []
    for (const day of ['Monday', 'Tuesday', 'Friday', 'Sunday', 'Saturday'])
      ids.push((await bob.strategies.submit({ session, content: `We could walk on ${day}.` })).id)
    const [first = '', ...rest] = ids
    await bob.strategies.rank({ session, proposals: rest.slice(0, 3) })
    // One at a time, from one that overlaps with nothing.
    await alice.strategies.rank({ session, proposals: [first] })
    for (const id of rest)
      await expect(alice.strategies.rank({ session, proposals: [id] })).rejects.toMatchObject({
        code: 'conflict',
      })
    // And each with something of her own, which she takes back afterwards.
    for (const id of rest) {
      const junk = await alice.strategies.submit({ session, content: 'We could try something.' })
      await expect(alice.strategies.rank({ session, proposals: [id, junk.id] })).rejects.toMatchObject({
        code: 'conflict',
      })
      await alice.bridge.revoke({ session, consentRecordId: junk.consentRecordId })
      await expect(alice.strategies.rank({ session, proposals: [id] })).rejects.toMatchObject({
        code: 'conflict',
      })
    }
    expect((await alice.strategies.pool(session)).overlap).toEqual([])
  })

  it('[CB-4] accuses nobody by name, in whatever is shared', async () => {
    const { alice, session } = await openMediation(store.privity, { stage: 2 })
    await alice.vessel.write({
      session,
      items: [{ type: 'user_event', text: 'A long evening in May, and I was sad' }],
    })
    const { pendingRequests } = await alice.bridge.pending(session)
    const draft = await alice.empathy.draft({ session, text: 'For later', ready: true })
    const accused = expect.objectContaining({ code: 'invalid_input', reason: 'bridge_accuses' })
    await expect(
      alice.bridge.decide({
        session,
        consentRequestId: pendingRequests[0]?.id ?? '',
        decision: 'GRANTED',
        editedContent: 'I feel hurt because Bob hit me. Bob ruins everything.',
      }),
    ).rejects.toEqual(accused)
    await expect(
      alice.empathy.share({ session, draft: draft.id, content: 'Bob is the problem and Bob hit me.' }),
    ).rejects.toEqual(accused)
  })

  it('[CB-5] an edit tells no need that its words do not', async () => {
    const { alice, bob, session } = await openMediation(store.privity, { stage: 3 })
    const categoryOf = async (editedContent: string) => {
      const { items } = await alice.vessel.write({
        session,
        items: [{ type: 'need', category: 'SAFETY', text: 'Doors must not be slammed at night any more' }],
      })
      await alice.vessel.confirmNeeds({ session, needs: [items[0]?.id ?? ''] })
      const { pendingRequests } = await alice.bridge.pending(session)
      const asked = pendingRequests.find(({ originalContentId }) => originalContentId === items[0]?.id)
      const { sharedContent } = await alice.bridge.decide({
        session,
        consentRequestId: asked?.id ?? '',
        decision: 'GRANTED',
        editedContent,
      })
      const { items: shared } = await bob.shared.list({ session })
      return shared.find(({ id }) => id === sharedContent?.id)?.category
    }
    expect(await categoryOf('I wish for some quiet evenings.')).toBeNull()
    expect(await categoryOf('I need to feel safe.')).toBe('SAFETY')
  })

  it('[NI-8] draws no partner back by a draft that nobody else can see', async () => {
    const mediation = await openMediation(store.privity, { stage: 3 })
    const { alice, bob, session } = mediation
    const { ground } = await findGround(mediation, 'FAIRNESS')
    for (const person of [alice, bob]) await person.commonGround.confirm({ session, commonGround: ground.id })
    const { items } = await alice.vessel.list({ session, types: ['empathy_draft'] })
    expect((await bob.stages.get(session)).mayAdvance).toBe(true)
    await alice.empathy.draft({ session, text: 'Not yet', draft: items[0]?.id ?? '' })
    expect((await bob.stages.get(session)).mayAdvance).toBe(true)
  })

  it('[CB-9] leaving takes along what only the one who leaves stands behind', async () => {
    const mediation = await openMediation(store.privity, { stage: 4 })
    const { alice, bob, session } = mediation
    await alice.experiments.add({ session, text: 'We could try tea at four.' })
    const kept = await bob.experiments.add({ session, text: 'We could try a walk.' })
    await alice.experiments.report({
      session,
      experiment: kept.id,
      status: 'DONE',
      outcome: 'It did me good.',
    })
    await alice.sessions.leave({ session })
    const { items } = await bob.shared.list({ session, types: ['micro_experiment'] })
    expect(items.map(({ text, outcomes }) => [text, outcomes])).toEqual([['We could try a walk.', []]])
  })

  it('[CB-8] floods nobody with invitations', async () => {
    const tenant = store.tenant()
    const alice = store.privity.as({ tenant, actor: 'alice' })
    const bob = store.privity.as({ tenant, actor: 'bob' })
    const { id } = await alice.sessions.create({ participants: ['bob'] })
    for (let again = 0; again < 5; again++) await alice.sessions.invite(id)
    expect((await bob.notifications.list()).notifications).toHaveLength(1)
    for (let more = 1; more < 10; more++) await alice.sessions.create({ participants: ['bob'] })
    await expect(alice.sessions.create({ participants: ['bob'] })).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
    })
    // Between other people nothing of it is felt.
    expect(await alice.sessions.create({ participants: ['carol'] })).toMatchObject({ state: 'INVITED' })
  })

  it('[NI-3] changes nothing for the other by sessions that nobody was invited to', async () => {
    const tenant = store.tenant()
    const alice = store.privity.as({ tenant, actor: 'alice' })
    const bob = store.privity.as({ tenant, actor: 'bob' })
    for (let hidden = 0; hidden < 10; hidden++)
      await bob.sessions.create({ participants: ['alice'], invite: false })
    const flood = () => bob.sessions.create({ participants: ['alice'], invite: false })
    await expect(flood()).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    for (let own = 0; own < 10; own++)
      expect(await alice.sessions.create({ participants: ['bob'] })).toMatchObject({ state: 'INVITED' })
    await expect(alice.sessions.create({ participants: ['bob'] })).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
    })
  })

  it('[CB-3] hides no text in what is shared', async () => {
    const { alice, bob, session } = await openMediation(store.privity, { stage: 3 })
    const hidden = [...'Doors were slammed'].map(letter =>
      String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)),
    )
    const { content } = await shareNeed(alice, session, 'SAFETY', 'Doors were slammed at night')
    const attempt = await alice.empathy.draft({ session, text: 'For later', ready: true })
    await alice.empathy.share({
      session,
      draft: attempt.id,
      content: `I imagine you feel tired.${hidden.join('')}\u202e`,
    })
    const { items } = await bob.shared.list({ session })
    expect(items.map(({ id }) => id)).toContain(content)
    expect(items.map(({ text }) => text)).toContain('I imagine you feel tired.')
  })
})
