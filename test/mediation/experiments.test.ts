import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CheckIns } from '../../src/mediation/check-ins.js'
import type { Privity } from '../../src/open.js'
import { testClock } from '../../src/testing/clock.js'
import { type Mediation, openMediation } from '../support/mediation.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const absent = expect.objectContaining({ code: 'not_found', message: 'not found' })

describe.each(engines)('micro-experiments and what is shared on %s', engine => {
  let store: SharedStore & { readonly privity: Privity }
  beforeAll(async () => {
    const shared = await sharedStore(engine)
    const privity = await shared.instance(undefined, { embedding: [], sweeps: false })
    store = { ...shared, privity }
  })
  afterAll(async () => {
    await store.privity.close()
    await store.dispose()
  })

  const inStage4 = () => openMediation(store.privity, { stage: 4 })

  async function agreed({ alice, bob, session }: Mediation) {
    const strategy = await bob.strategies.submit({ session, content: 'Tea could help.' })
    const proposals = [strategy.id]
    const { id } = await alice.agreements.propose({ session, text: 'We have tea at four.', proposals })
    await bob.agreements.agree({ session, agreement: id })
    return { strategy, agreement: id }
  }

  it('[RC-7] are planned together, and each tells how it went; both read it, and so does a model', async () => {
    const mediation = await inStage4()
    const { alice, bob, session, agentFor } = mediation
    const { agreement } = await agreed(mediation)
    const text = 'For a week, we have tea at four.'
    const made = await alice.experiments.add({ session, text, agreement, suggestion: 'tea-at-four' })
    expect(made).toEqual({
      id: expect.any(String),
      text,
      status: 'PLANNED',
      outcomes: [],
      checkInAt: expect.any(String),
      hasStaleInputs: false,
    })
    const report = (person: typeof alice, status: 'DONE' | 'DROPPED', outcome: string) =>
      person.experiments.report({ session, experiment: made.id, status, outcome })
    await report(alice, 'DROPPED', 'There was no time.')
    await report(alice, 'DONE', 'It did me good.')
    expect(await report(bob, 'DONE', 'I liked it.')).toEqual({
      ...made,
      status: 'DONE',
      checkInAt: null,
      outcomes: [
        { by: 'partner', text: 'It did me good.' },
        { by: 'you', text: 'I liked it.' },
      ],
    })
    expect((await alice.shared.list({ session, types: ['micro_experiment'] })).items).toEqual([
      expect.objectContaining({
        id: made.id,
        source: 'you',
        status: 'DONE',
        outcomes: [
          { by: 'you', text: 'It did me good.' },
          { by: 'partner', text: 'I liked it.' },
        ],
      }),
    ])
    const { bundle } = await agentFor('bob').turns.context({
      session,
      turn: 'one',
      message: 'What did we agree to try?',
    })
    const item = bundle.items.find(each => each.text === text)
    const outcomes = [
      { by: 'partner', text: 'It did me good.' },
      { by: 'you', text: 'I liked it.' },
    ]
    expect(item?.facts).toEqual({ status: 'DONE', outcomes })
    const spoken = outcomes.map(({ by, text: told }) => ({ by: by === 'you' ? 'speaker' : by, text: told }))
    expect(bundle.text).toContain(JSON.stringify({ status: 'DONE', outcomes: spoken }).slice(1, -1))
  })

  it('[CB-7] one made from an agreement stays when the strategy behind it is taken back, and is marked', async () => {
    const mediation = await inStage4()
    const { alice, bob, session, agentFor } = mediation
    const { agreement, strategy } = await agreed(mediation)
    const tied = await alice.experiments.add({ session, text: 'Tea for a week.', agreement })
    expect(tied).toMatchObject({ hasStaleInputs: false })
    const free = await bob.experiments.add({ session, text: 'A walk on Monday.' })
    await alice.experiments.report({ session, experiment: tied.id, status: 'DONE', outcome: 'It was good.' })
    await bob.bridge.revoke({ session, consentRecordId: strategy.consentRecordId })
    for (const person of [alice, bob]) {
      const { items } = await person.shared.list({ session, types: ['micro_experiment'] })
      expect(items).toEqual([
        expect.objectContaining({ id: free.id, hasStaleInputs: false }),
        expect.objectContaining({
          id: tied.id,
          hasStaleInputs: true,
          staleReason: 'Source strategy consent revoked',
          outcomes: [expect.objectContaining({ text: 'It was good.' })],
        }),
      ])
      await expect(
        person.experiments.add({ session, text: 'Tea for a week.', agreement }),
      ).rejects.toMatchObject({ code: 'conflict' })
    }
    const told = await bob.experiments.report({
      session,
      experiment: tied.id,
      status: 'DONE',
      outcome: 'It did me good.',
    })
    expect(told).toMatchObject({ hasStaleInputs: true, outcomes: [{ by: 'partner' }, { by: 'you' }] })
    const asked = { session, turn: 'stale', message: 'What did we agree to try?' }
    const { bundle } = await agentFor('bob').turns.context(asked)
    expect(bundle.text).toContain('Tea for a week. (based on content no longer shared)')
  })

  it('[RC-20] both are asked once, when the time has come, how an experiment goes', async () => {
    const { alice, bob, session } = await inStage4()
    const time = testClock()
    const checkIns = new CheckIns(store.db, time, { noteWork() {} }, { sweeps: false })
    const toldTo = async (person: typeof alice, type: string) =>
      (await person.notifications.list({})).notifications
        .filter(each => each.type === type)
        .map(({ refs }) => refs)
    const { id: experiment, checkInAt } = await alice.experiments.add({
      session,
      text: 'A walk on Monday.',
      checkInDays: 3,
    })
    expect(await toldTo(bob, 'experiment.planned')).toEqual([{ experiment }])
    expect(await toldTo(alice, 'experiment.planned')).toEqual([])
    time.set(Date.parse(checkInAt ?? '') - 1)
    await checkIns.sweep()
    expect(await toldTo(bob, 'experiment.check_in')).toEqual([])
    time.set(Date.parse(checkInAt ?? ''))
    for (const _ of [1, 2]) await checkIns.sweep()
    for (const person of [alice, bob])
      expect(await toldTo(person, 'experiment.check_in')).toEqual([{ experiment }])

    const report = { session, experiment, outcome: 'We went once.' }
    const going = await bob.experiments.report({ ...report, status: 'TRYING', checkInDays: 30 })
    expect(going).toMatchObject({ status: 'TRYING', checkInAt: expect.any(String) })
    expect(await toldTo(alice, 'experiment.reported')).toEqual([{ experiment }])
    time.set(Date.parse(going.checkInAt ?? ''))
    await checkIns.sweep()
    expect(await toldTo(alice, 'experiment.check_in')).toHaveLength(2)
    expect(await bob.experiments.report({ ...report, status: 'DONE' })).toMatchObject({ checkInAt: null })
    time.set(time.now().getTime() + 400 * 86_400_000)
    await checkIns.sweep()
    expect(await toldTo(alice, 'experiment.check_in')).toHaveLength(2)
    await expect(bob.experiments.report({ ...report, status: 'DONE', checkInDays: 3 })).rejects.toMatchObject(
      { code: 'invalid_input' },
    )
  })

  it('[RC-9] are for the last stage, or for when there is an agreement', async () => {
    const early = await openMediation(store.privity, { stage: 3 })
    await expect(
      early.alice.experiments.add({ session: early.session, text: 'A walk on Monday.' }),
    ).rejects.toMatchObject({ code: 'conflict', reason: 'session.stage_not_reached' })
  })

  it('[CB-4] [NI-5] are screened, and absent where they are not of the session', async () => {
    const mediation = await inStage4()
    const { alice, bob, session, tenant } = mediation
    const { id: experiment } = await alice.experiments.add({ session, text: 'A walk on Monday.' })
    await bob.vessel.write({
      session,
      items: [{ type: 'user_event', text: 'I slept on the couch that night' }],
    })
    const report = { session, experiment, status: 'DONE' as const }
    for (const [outcome, reason] of [
      ['You never wanted to walk.', 'bridge_accuses'],
      ['Fine, but I slept on the couch.', 'bridge_repeats_original'],
    ])
      await expect(bob.experiments.report({ ...report, outcome: outcome ?? '' })).rejects.toMatchObject({
        reason,
      })
    await expect(alice.experiments.add({ session, text: 'Shut up, you idiot.' })).rejects.toMatchObject({
      reason: 'bridge_attacks',
    })
    expect((await alice.shared.list({ session, types: ['micro_experiment'] })).items).toEqual([
      expect.objectContaining({ status: 'PLANNED', outcomes: [] }),
    ])
    const other = await openMediation(store.privity, { stage: 4, tenant })
    const carol = store.privity.as({ tenant, actor: 'carol' })
    const outcome = 'Good.'
    for (const ask of [
      () => other.bob.experiments.report({ ...report, session: other.session, outcome }),
      () => bob.experiments.report({ ...report, experiment: randomUUID(), outcome }),
      () => bob.experiments.add({ session, text: 'A walk.', agreement: experiment }),
      () => carol.experiments.report({ ...report, outcome }),
      () => carol.experiments.add({ session, text: 'A walk.' }),
    ])
      await expect(ask(), String(ask)).rejects.toEqual(absent)
    await alice.sessions.setState({ session, state: 'RESOLVED' })
    await expect(bob.experiments.report({ ...report, outcome })).rejects.toMatchObject({
      code: 'session_state_transition_invalid',
    })
  })

  it('[CB-8] what is shared is listed in pages, newest first, and tells nothing of what was not', async () => {
    const { alice, bob, session } = await inStage4()
    await alice.vessel.write({
      session,
      items: [{ type: 'need', category: 'SAFETY', text: 'A quiet house' }],
    })
    const before = await bob.shared.list({ session })
    const { items } = await alice.vessel.list({ session, types: ['need'] })
    await alice.vessel.confirmNeeds({ session, needs: items.map(({ id }) => id) })
    await alice.bridge.request({ session, content: items[0]?.id ?? '', contentType: 'IDENTIFIED_NEED' })
    const { pendingRequests } = await alice.bridge.pending(session)
    for (const { id } of pendingRequests)
      await alice.bridge.decide({ session, consentRequestId: id, decision: 'DENIED' })
    expect(pendingRequests.length).toBeGreaterThan(0)
    expect(await bob.shared.list({ session })).toEqual(before)

    const pages: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof bob.shared.list>> = await bob.shared.list({
        session,
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      })
      pages.push(...page.items.map(({ id }) => id))
      cursor = page.cursor
    } while (cursor !== null)
    expect(pages).toEqual(before.items.map(({ id }) => id))
    expect(before.items.map(({ type }) => type)).toEqual([
      'common_ground',
      'consented_content',
      'consented_content',
      'empathy_attempt',
      'empathy_attempt',
    ])
  })
})
