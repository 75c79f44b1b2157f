import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMediation, shareAttempt } from '../support/mediation.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const refused = (code: string, reason?: string) =>
  expect.objectContaining({ code, ...(reason === undefined ? {} : { reason }) })
const absent = refused('not_found')

const LONG_DAY = 'You come home after a long day and everybody wants something.'
const BUSY_MORNING = 'I imagine that mornings feel hectic to you.'

describe.each(engines)('empathy on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  const inStage = (stage: 1 | 2 | 3) => openMediation(store.privity, { stage })

  /** Both in stage 2, where bob has shared an attempt already, so that one of alice's is revealed at once. */
  async function afterBob() {
    const mediation = await inStage(2)
    const ofBob = await shareAttempt(mediation.bob, mediation.session, BUSY_MORNING)
    return { ...mediation, ofBob }
  }

  /** What somebody reads of the other in a session. */
  const ofPartner = async (person: Awaited<ReturnType<typeof inStage>>['alice'], session: string) =>
    (await person.shared.list({ session })).items.filter(({ source }) => source === 'partner')

  /** The gates of a stage as somebody sees them. */
  const gates = async (person: Awaited<ReturnType<typeof inStage>>['alice'], session: string) =>
    (await person.stages.get(session)).stages[2]?.gates

  it('[RC-9] belongs to stage 2, and each step of it passes its own gate', async () => {
    const early = await inStage(1)
    await expect(early.alice.empathy.draft({ session: early.session, text: LONG_DAY })).rejects.toEqual(
      refused('conflict', 'session.stage_not_reached'),
    )
    const { alice, bob, session } = await inStage(2)
    const none = {
      empathyDraftReady: false,
      empathyConsented: false,
      partnerConsented: false,
      partnerValidated: false,
    }
    const first = await alice.empathy.draft({ session, text: LONG_DAY })
    expect(first).toEqual({ id: expect.any(String), ready: false })
    expect(await gates(alice, session)).toEqual(none)
    const draft = await alice.empathy.draft({ session, text: LONG_DAY, ready: true, draft: first.id })
    expect(await gates(alice, session)).toEqual({ ...none, empathyDraftReady: true })
    expect(await gates(bob, session)).toEqual(none)

    const shared = await alice.empathy.share({ session, draft: draft.id, content: LONG_DAY })
    expect(await gates(alice, session)).toMatchObject({ empathyConsented: true, partnerValidated: false })
    expect(await gates(bob, session)).toEqual({ ...none, partnerConsented: true })

    await shareAttempt(bob, session, BUSY_MORNING)
    await bob.empathy.validate({ session, attempt: shared.id, validated: true })
    expect(await gates(alice, session)).toMatchObject({ partnerValidated: true })
    expect(await gates(bob, session)).toMatchObject({ partnerValidated: false })
    await bob.empathy.validate({ session, attempt: shared.id, validated: false })
    expect(await gates(alice, session)).toMatchObject({ partnerValidated: false })
  })

  it('[CB-3] a draft is its owner’s alone, and keeps its id when its words change', async () => {
    const { alice, bob, session } = await inStage(2)
    const first = await alice.empathy.draft({ session, text: 'a first try' })
    const second = await alice.empathy.draft({ session, text: 'a second try', draft: first.id })
    expect(second.id).toBe(first.id)
    const { items } = await alice.vessel.list({ session, types: ['empathy_draft'] })
    expect(items.map(({ id, text }) => ({ id, text }))).toEqual([{ id: first.id, text: 'a second try' }])
    expect((await bob.vessel.list({ session })).items).toEqual([])
    expect((await bob.shared.list({ session })).items).toEqual([])
    await expect(alice.empathy.draft({ session, text: 'again', draft: randomUUID() })).rejects.toEqual(absent)
    await expect(bob.empathy.draft({ session, text: 'mine', draft: first.id })).rejects.toEqual(absent)
    await expect(bob.empathy.share({ session, draft: first.id, content: LONG_DAY })).rejects.toEqual(absent)
  })

  it('[CB-3] an agent drafts for its principal, who alone says that it is ready and shares it', async () => {
    const { alice, session, agentFor } = await inStage(2)
    const agent = agentFor('alice')
    await expect(agent.empathy.draft({ session, text: LONG_DAY, ready: true })).rejects.toEqual(
      refused('not_allowed', 'session.audience_not_allowed'),
    )
    const draft = await agent.empathy.draft({ session, text: LONG_DAY })
    expect((await alice.vessel.list({ session })).items.map(({ id }) => id)).toEqual([draft.id])
    // It cannot read the draft later, and so it cannot change it.
    await expect(agent.empathy.draft({ session, text: 'other words', draft: draft.id })).rejects.toEqual(
      absent,
    )
    await expect(agent.empathy.share({ session, draft: draft.id, content: LONG_DAY })).rejects.toEqual(
      refused('not_allowed'),
    )
    await alice.empathy.share({ session, draft: draft.id, content: LONG_DAY })
  })

  it('[CB-2] sharing writes the consent record that any sharing writes', async () => {
    const { alice, bob, session, ofBob } = await afterBob()
    const { id, consentRecordId } = await shareAttempt(alice, session, LONG_DAY)
    expect((await alice.bridge.history(session)).records).toEqual([
      {
        id: consentRecordId,
        contentType: 'EMPATHY_ATTEMPT',
        decision: 'GRANTED',
        decidedAt: expect.any(String),
        revokedAt: null,
        contentDescription: expect.any(String),
      },
    ])
    expect((await bob.bridge.history(session)).records.map(each => each.id)).toEqual([ofBob.consentRecordId])
    expect(await ofPartner(bob, session)).toEqual([
      expect.objectContaining({
        id,
        type: 'empathy_attempt',
        text: LONG_DAY,
        source: 'partner',
        contentType: 'EMPATHY_ATTEMPT',
        consentActive: true,
        validated: false,
        feedback: [],
      }),
    ])
  })

  it('[CB-2] a draft can be shared as one: read, revoked like anything shared, and no attempt', async () => {
    const { alice, bob, session } = await inStage(2)
    const draft = await alice.empathy.draft({ session, text: LONG_DAY })
    const shareDraft = (content: string) =>
      alice.empathy.share({ session, draft: draft.id, content, contentType: 'EMPATHY_DRAFT' })
    // It is what its owner wrote to be read, so that it may be shared word for word.
    const first = await shareDraft(LONG_DAY)
    const { consentRecordId } = await shareDraft('I imagine that evenings are hard for you.')
    expect((await alice.bridge.history(session)).records).toEqual([
      expect.objectContaining({ id: consentRecordId, contentType: 'EMPATHY_DRAFT', revokedAt: null }),
      expect.objectContaining({ id: first.consentRecordId, revokedAt: expect.any(String) }),
    ])
    expect((await bob.shared.list({ session })).items).toEqual([
      expect.objectContaining({ contentType: 'EMPATHY_DRAFT', type: 'consented_content', source: 'partner' }),
    ])
    expect(await gates(alice, session)).toMatchObject({ empathyConsented: false })
    await expect(shareDraft('Bob is the problem.')).rejects.toMatchObject({ reason: 'bridge_accuses' })
    await alice.bridge.revoke({ session, consentRecordId })
    expect((await bob.shared.list({ session })).items).toEqual([])
  })

  it('[CB-6] [CB-7] what is taken back is hidden from the partner at once, and can be shared again', async () => {
    const { alice, bob, session } = await afterBob()
    const { id, draft, consentRecordId } = await shareAttempt(alice, session, LONG_DAY)
    expect(await ofPartner(bob, session)).toHaveLength(1)
    await alice.bridge.revoke({ session, consentRecordId })
    expect(await ofPartner(bob, session)).toEqual([])
    await expect(bob.empathy.validate({ session, attempt: id, validated: true })).rejects.toEqual(absent)
    expect((await alice.shared.list({ session })).items).toContainEqual(
      expect.objectContaining({ id, source: 'you', consentActive: false }),
    )
    expect(await gates(bob, session)).toMatchObject({ partnerConsented: false })

    const again = await alice.empathy.share({ session, draft, content: LONG_DAY })
    expect((await ofPartner(bob, session)).map(item => item.id)).toEqual([again.id])
    expect(again.consentRecordId).not.toBe(consentRecordId)
  })

  it('[CB-6] sharing other words takes back those shared before, and what was said of them is not of these', async () => {
    const { alice, bob, session } = await afterBob()
    const first = await shareAttempt(alice, session, LONG_DAY)
    await bob.empathy.validate({ session, attempt: first.id, validated: true, feedback: 'Yes, so it is.' })
    const second = await alice.empathy.share({
      session,
      draft: first.draft,
      content: 'I imagine that evenings are hard for you.',
    })
    expect((await ofPartner(bob, session)).map(({ id }) => id)).toEqual([second.id])
    const { records } = await alice.bridge.history(session)
    expect(records.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)).toEqual([
      second.consentRecordId,
    ])
    expect(await gates(alice, session)).toMatchObject({ empathyConsented: true, partnerValidated: false })
    // Nobody could go on because of it who could not before.
    const told = (await alice.notifications.list({})).notifications.filter(
      ({ type }) => type === 'stage.ready',
    )
    const drafted = told.length
    await alice.empathy.share({ session, draft: first.draft, content: LONG_DAY })
    const after = (await alice.notifications.list({})).notifications.filter(
      ({ type }) => type === 'stage.ready',
    )
    expect(after.length).toBe(drafted)
  })

  it('[RC-20] attempts are revealed together: nothing of the first is read until both have shared one', async () => {
    const { alice, bob, session, agentFor } = await inStage(2)
    const toldTo = async (person: typeof alice, type: string) =>
      (await person.notifications.list({})).notifications
        .filter(each => each.type === type)
        .map(({ refs }) => refs)
    const turn = async (actor: string, name: string) => {
      const asked = { session, turn: name, message: 'What did we share with each other?' }
      return (await agentFor(actor).turns.context(asked)).bundle.text
    }
    const first = await shareAttempt(alice, session, LONG_DAY)
    expect(first.revealed).toBe(false)
    expect(await ofPartner(bob, session)).toEqual([])
    await expect(bob.empathy.validate({ session, attempt: first.id, validated: true })).rejects.toEqual(
      absent,
    )
    expect(await turn('bob', 'before')).not.toContain(LONG_DAY)
    expect(await toldTo(bob, 'consent.granted')).toEqual([])
    expect((await alice.shared.list({ session })).items).toEqual([
      expect.objectContaining({ id: first.id, revealed: false }),
    ])
    // Better words while it waits, and words that are taken back, are told to nobody either.
    const better = 'You come home after a long day, and it is loud.'
    const second = await alice.empathy.share({ session, draft: first.draft, content: better })
    const taken = await shareAttempt(alice, session, LONG_DAY)
    await alice.bridge.revoke({ session, consentRecordId: taken.consentRecordId })
    const third = await alice.empathy.share({ session, draft: first.draft, content: better })
    expect([second.revealed, third.revealed]).toEqual([false, false])
    expect(await toldTo(bob, 'consent.revoked')).toEqual([])

    const ofBob = await shareAttempt(bob, session, BUSY_MORNING)
    expect(ofBob.revealed).toBe(true)
    expect((await ofPartner(bob, session)).map(({ id, text }) => [id, text])).toEqual([[third.id, better]])
    expect((await ofPartner(alice, session)).map(({ id }) => id)).toEqual([ofBob.id])
    expect(await turn('bob', 'after')).toContain(better)
    expect(await toldTo(bob, 'consent.granted')).toEqual([{ content: third.id }])
    expect(await toldTo(alice, 'consent.granted')).toEqual([{ content: ofBob.id }])

    // From then on a refined attempt waits for nothing, even if the other took theirs back.
    await bob.empathy.validate({
      session,
      attempt: third.id,
      validated: false,
      feedback: 'It is not the noise.',
    })
    expect(await toldTo(alice, 'empathy.validated')).toEqual([{ content: third.id }])
    await bob.bridge.revoke({ session, consentRecordId: ofBob.consentRecordId })
    const refined = await alice.empathy.share({ session, draft: first.draft, content: LONG_DAY })
    expect(refined.revealed).toBe(true)
    expect((await ofPartner(bob, session)).map(({ id }) => id)).toEqual([refined.id])
  })

  it('[CB-4] repeats nothing that was said in private, and neither attacks nor accuses', async () => {
    const { alice, bob, session } = await inStage(2)
    await alice.vessel.write({
      session,
      items: [
        { type: 'user_event', text: 'The neighbours heard us shouting on Tuesday about the car' },
        { type: 'boundary', text: 'Nobody reads my letters' },
      ],
    })
    const draft = (await alice.empathy.draft({ session, text: LONG_DAY })).id
    const share = (content: string) => alice.empathy.share({ session, draft, content })
    for (const [content, reason] of [
      ['It must hurt to be overheard by the neighbours.', undefined],
      ['It must hurt that the neighbours heard us shouting.', 'bridge_repeats_original'],
      ['You feel that nobody reads my letters.', 'bridge_repeats_original'],
      ['You never listen to anybody.', 'bridge_accuses'],
      ['You are an idiot.', 'bridge_attacks'],
      [' . ', 'bridge_text_empty'],
      ['I see you. '.repeat(11), 'bridge_too_many_sentences'],
    ] as const) {
      if (reason === undefined) {
        const { consentRecordId } = await share(content)
        await alice.bridge.revoke({ session, consentRecordId })
      } else await expect(share(content), content).rejects.toEqual(refused('invalid_input', reason))
    }
    // Nothing of it is there, and nothing was decided.
    expect((await bob.shared.list({ session })).items).toEqual([])
    expect((await alice.bridge.history(session)).records).toHaveLength(1)
    // The draft was written to be shared, and the partner's vessel is not the writer's to repeat or not.
    await bob.vessel.write({ session, items: [{ type: 'user_event', text: LONG_DAY }] })
    await share(LONG_DAY)
  })

  it('[CB-4] what is said of an attempt is screened as well, and only its owner and who said it read it', async () => {
    const { alice, bob, session } = await afterBob()
    const { id: attempt } = await shareAttempt(alice, session, LONG_DAY)
    await bob.vessel.write({ session, items: [{ type: 'user_event', text: 'I cried in the car every day' }] })
    for (const feedback of ['You never get it right.', 'True, I cried in the car every day.'])
      await expect(bob.empathy.validate({ session, attempt, validated: true, feedback })).rejects.toEqual(
        refused('invalid_input'),
      )
    await bob.empathy.validate({ session, attempt, validated: true, feedback: 'That is how it feels.' })
    for (const person of [alice, bob])
      expect((await person.shared.list({ session })).items).toContainEqual(
        expect.objectContaining({ id: attempt, validated: true, feedback: ['That is how it feels.'] }),
      )
    // A second word replaces the first.
    await bob.empathy.validate({ session, attempt, validated: true })
    expect((await ofPartner(bob, session))[0]).toMatchObject({ feedback: [] })
  })

  it('[NI-5] [NI-6] is validated by the one it was written to, and is absent to everybody else', async () => {
    const mediation = await inStage(2)
    const { alice, session, tenant } = mediation
    const { id: attempt } = await shareAttempt(alice, session, LONG_DAY)
    await expect(alice.empathy.validate({ session, attempt, validated: true })).rejects.toEqual(
      refused('conflict'),
    )
    const other = await openMediation(store.privity, { stage: 2, tenant })
    const carol = store.privity.as({ tenant, actor: 'carol' })
    const asked = [
      () => carol.empathy.validate({ session, attempt, validated: true }),
      () => carol.shared.list({ session }),
      // The same two people, in another session of theirs.
      () => other.bob.empathy.validate({ session: other.session, attempt, validated: true }),
      () => other.bob.empathy.validate({ session: other.session, attempt: randomUUID(), validated: true }),
      () => other.bob.empathy.validate({ session: randomUUID(), attempt, validated: true }),
    ]
    for (const ask of asked)
      await expect(ask()).rejects.toMatchObject({ code: 'not_found', message: 'not found' })
    expect((await other.bob.shared.list({ session: other.session })).items).toEqual([])
  })

  it('[RC-8] nothing shared is read before everybody has come to stage 2', async () => {
    const { alice, bob, session } = await inStage(1)
    await alice.stages.confirmHeard(session)
    await alice.stages.advance(session)
    const { id: attempt } = await shareAttempt(alice, session, LONG_DAY)
    expect((await bob.shared.list({ session })).items).toEqual([])
    await expect(bob.empathy.validate({ session, attempt, validated: true })).rejects.toEqual(absent)
    expect((await alice.shared.list({ session })).items).toHaveLength(1)
    const told = (await bob.notifications.list({})).notifications.map(({ type }) => type)
    expect(told).not.toContain('consent.granted')
  })

  it('[NI-7] a repeated request is answered by what stands now', async () => {
    const { alice, bob, session } = await afterBob()
    const draft = (await alice.empathy.draft({ session, text: LONG_DAY }, { idempotencyKey: 'draft' })).id
    expect(await alice.empathy.draft({ session, text: LONG_DAY }, { idempotencyKey: 'draft' })).toEqual({
      id: draft,
      ready: false,
    })
    const sharing = () =>
      alice.empathy.share({ session, draft, content: LONG_DAY }, { idempotencyKey: 'share' })
    const shared = await sharing()
    expect(await sharing()).toEqual(shared)
    expect((await alice.bridge.history(session)).records).toHaveLength(1)
    const validating = () =>
      bob.empathy.validate({ session, attempt: shared.id, validated: true }, { idempotencyKey: 'validate' })
    const validated = await validating()
    expect(await validating()).toEqual(validated)
    await alice.bridge.revoke({ session, consentRecordId: shared.consentRecordId })
    await expect(validating()).rejects.toEqual(absent)
  })

  it('[CB-6] nothing is shared in a session that has ended, and what was shared can still be taken back', async () => {
    const { alice, bob, session } = await afterBob()
    const { id, draft, consentRecordId } = await shareAttempt(alice, session, LONG_DAY)
    await bob.sessions.setState({ session, state: 'RESOLVED' })
    const over = refused('session_state_transition_invalid')
    await expect(alice.empathy.draft({ session, text: LONG_DAY })).rejects.toEqual(over)
    await expect(alice.empathy.share({ session, draft, content: LONG_DAY })).rejects.toEqual(over)
    await expect(bob.empathy.validate({ session, attempt: id, validated: true })).rejects.toEqual(over)
    expect(await ofPartner(bob, session)).toHaveLength(1)
    await alice.bridge.revoke({ session, consentRecordId })
    expect(await ofPartner(bob, session)).toEqual([])
  })
})
