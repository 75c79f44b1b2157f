import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findGround, openMediation, shareAttempt } from '../support/mediation.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('taking people out of mediations on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  it('[CB-9] nothing that tells of a person stays shared once they are removed', async () => {
    const { alice, bob, session, tenant } = await openMediation(store.privity, { stage: 2 })
    for (const person of ['Dr Quill', 'Mo']) {
      await alice.people.add({ person })
      await alice.people.consent({ person, status: 'granted' })
      await alice.vessel.write({
        session,
        items: [
          { type: 'user_event', text: `I saw ${person} and felt sad about the kids`, participants: [person] },
        ],
      })
    }
    const shared = new Map<string, string>()
    for (const asked of (await alice.bridge.pending(session)).pendingRequests) {
      const decision = { session, consentRequestId: asked.id, decision: 'GRANTED' as const }
      const { sharedContent } = await alice.bridge.decide(decision)
      shared.set(asked.originalContentSummary.includes('Quill') ? 'Quill' : 'Mo', sharedContent?.id ?? '')
    }
    const seen = async () => (await bob.shared.list({ session })).items.map(({ id }) => id)
    expect((await seen()).sort()).toEqual([...shared.values()].sort())
    await alice.people.remove({ person: 'Dr Quill' })
    expect(await seen()).toEqual([shared.get('Mo')])
    const { records } = await alice.bridge.history(session)
    expect(records.map(({ revokedAt }) => revokedAt !== null).sort()).toEqual([false, true])
    const { entries } = await alice.audit.list({ limit: 10 })
    const removal = entries.find(({ operation }) => operation === 'people.remove')
    // The person, and the one consent.
    expect(removal?.counts).toEqual({ records: 2 })
    // Somebody else's person of the same name is another.
    const other = store.privity.as({ tenant, actor: 'carol' })
    await other.people.add({ person: 'Mo' })
    await other.people.remove({ person: 'Mo' })
    expect(await seen()).toEqual([shared.get('Mo')])
  })

  it('[CB-9] a host takes somebody out of everything', async () => {
    const mediation = await openMediation(store.privity, { stage: 3 })
    const { alice, bob, session, tenant } = mediation
    await findGround(mediation, 'FAIRNESS')
    await alice.vessel.write({ session, items: [{ type: 'boundary', text: 'No shouting in the house' }] })
    const waiting = await bob.sessions.create({ participants: ['alice'] })
    const hidden = await bob.sessions.create({ participants: ['alice'], invite: false })
    const apart = await bob.sessions.create({ participants: ['carol'] })
    const idea = { title: 'Tea at nine', text: 'Have a cup of tea together at nine.' }
    const seen = await alice.library.preview(idea)
    await alice.library.contribute({
      ...idea,
      needs: ['CONNECTION'],
      optIn: true,
      seen: { title: seen.title, text: seen.text },
    })
    const host = store.privity.as({ tenant, actor: 'warden', audience: 'host' })
    await expect(alice.sessions.erasePerson('bob')).rejects.toMatchObject({ code: 'not_allowed' })
    const before = (await bob.notifications.list({ limit: 200 })).notifications.length
    expect(await host.sessions.erasePerson('alice')).toMatchObject({ sessions: 3, revoked: 2, withdrawn: 1 })

    for (const { id } of [{ id: session }, waiting, hidden])
      expect(await bob.sessions.get(id)).toMatchObject({ state: 'ABANDONED', invited: [] })
    expect(await bob.sessions.get(apart.id)).toMatchObject({ state: 'INVITED' })
    const sources = (await bob.shared.list({ session })).items.map(({ source, type }) => [type, source])
    expect(sources.filter(([, source]) => source !== 'you')).toEqual([])
    expect((await alice.vessel.list({ session })).items).toEqual([])
    expect((await alice.notifications.list()).notifications).toEqual([])
    expect((await bob.library.list({ limit: 200 })).entries.map(({ title }) => title)).not.toContain(
      idea.title,
    )
    const { notifications } = await bob.notifications.list({ limit: 200 })
    const told = notifications.slice(0, notifications.length - before).map(({ type }) => type)
    expect(told.filter(type => type === 'consent.revoked')).toHaveLength(1)
    // Again there is nothing left, as for somebody who was never there.
    expect(await host.sessions.erasePerson('alice')).toMatchObject({ revoked: 0, erased: 0, withdrawn: 0 })
    expect(await host.sessions.erasePerson('nobody')).toMatchObject({ sessions: 0 })
  })

  it('[CB-9] with a session goes what was told of it', async () => {
    const { alice, bob, session, tenant } = await openMediation(store.privity, { stage: 2 })
    await shareAttempt(alice, session, 'I imagine that you feel tired.')
    const host = store.privity.as({ tenant, actor: 'warden', audience: 'host' })
    await host.sessions.delete(session)
    for (const person of [alice, bob]) expect((await person.notifications.list()).notifications).toEqual([])
  })

  it('[CB-6] whoever leaves takes back what they shared, and the other is told so', async () => {
    const { alice, bob, session } = await openMediation(store.privity, { stage: 2 })
    const types = async () =>
      (await bob.notifications.list({ limit: 200 })).notifications.map(({ type }) => type)
    await shareAttempt(bob, session, 'I imagine that you feel hurried.')
    await shareAttempt(alice, session, 'I imagine that you feel tired.')
    expect((await types()).slice(0, 1)).toEqual(['consent.granted'])
    // In place of the first: that one is taken back.
    await shareAttempt(alice, session, 'I imagine that you feel worn out.')
    expect((await types()).slice(0, 2).sort()).toEqual(['consent.granted', 'consent.revoked'])
    const before = (await types()).length
    await alice.sessions.leave({ session })
    const told = (await types()).slice(0, (await types()).length - before)
    expect(told.sort()).toEqual(['consent.revoked', 'session.state_changed'])
    const ofAlice = async () =>
      (await alice.notifications.list({ limit: 200 })).notifications.map(({ type }) => type)
    expect(await ofAlice()).not.toContain('consent.revoked')
    await bob.sessions.leave({ session })
    expect(await ofAlice()).toContain('consent.revoked')
  })
})
