import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

describe.each(engines)('asking for consent on %s', engine => {
  let store: SharedStore
  let privity: Privity
  const statements: string[] = []
  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => void statements.push(sql) })
    privity = await store.instance()
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })

  function world() {
    const tenant = store.tenant()
    const agentOf = (more: Partial<Credential> = {}) =>
      privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'hyper' },
        ...more,
      })
    const as = (actor: string) => privity.as({ tenant, actor })
    return { tenant, as, agentOf, ana: as('ana'), ben: as('ben'), agent: agentOf() }
  }

  /** An answer without what is random in it, and the statements behind it. */
  async function observe(ask: () => Promise<object | null>) {
    statements.length = 0
    const answer = await ask()
    return {
      answer: JSON.stringify(answer, (key, value) =>
        ['id', 'createdAt', 'person'].includes(key) ? key : value,
      ),
      statements: [...statements],
    }
  }

  describe('people.get', () => {
    it('[PC-2, PC-4, NI-10] shows an agent the granted people in what it sees, and its owner all of theirs', async () => {
      const { ana, ben, agent } = world()
      await ana.remember({ kind: 'note', text: 'tea', sensitivity: 'public', participants: ['kim'] })
      await ana.people.add({ person: 'only a name' })
      await ana.people.consent({ person: 'only a name', status: 'granted' })
      await ben.people.add({ person: 'lee' })
      await ben.people.consent({ person: 'lee', status: 'granted' })
      expect(await ana.people.get('kim')).toMatchObject({ name: 'kim', consent: 'pending' })
      expect(await agent.people.get('kim')).toBeNull()
      expect(await agent.people.get('only a name')).toBeNull()
      expect(await ana.people.get('kim', { respectConsent: true })).toBeNull()
      await ana.people.consent({ person: 'kim', status: 'granted' })
      const known = await agent.people.get('kim')
      // When a person changed may tell of names that the agent does not know.
      expect(known).toEqual({ ...(await ana.people.get('kim')), updatedAt: null })
      expect(Object.keys(known ?? {})).toEqual(['id', 'name', 'aliases', 'emails', 'consent', 'updatedAt'])
      await ana.people.consent({ person: 'kim', status: 'revoked' })
      expect(await agent.people.get('kim', { respectConsent: false })).toBeNull()
      expect(await agent.people.get('ana')).toMatchObject({ name: 'ana', consent: 'granted' })
      for (const caller of [ana, agent]) expect(await caller.people.get('lee')).toBeNull()
    })

    it('[NI-5] answers alike, by the same statements, for who is hidden and who is not there', async () => {
      const { tenant, ana, ben, agent } = world()
      for (const person of ['pending', 'revoked', 'removed']) await ana.people.add({ person })
      await ana.people.consent({ person: 'revoked', status: 'revoked' })
      await ana.people.remove({ person: 'removed' })
      await ben.people.add({ person: 'foreign' })
      await ben.people.consent({ person: 'foreign', status: 'granted' })
      await agent.people.get('nobody')
      const expected = await observe(() => agent.people.get('nobody'))
      expect(expected.answer).toBe('null')
      for (const person of ['pending', 'revoked', 'removed', 'foreign'])
        expect(await observe(() => agent.people.get(person)), person).toEqual(expected)
      const owned = (owner: string) => () =>
        privity.invoke({ tenant, actor: 'ana' }, 'people.get', { person: 'foreign', owner }) as Promise<null>
      await owned('ben')()
      expect(await observe(owned('ben'))).toEqual(await observe(owned('no one')))
    })
  })

  describe('consents.request', () => {
    it('[NI-5] answers alike, by the same statements, whoever the person is and whatever their consent', async () => {
      const { ana, agent } = world()
      for (const person of ['pending', 'granted', 'revoked']) await ana.people.add({ person })
      await ana.people.consent({ person: 'granted', status: 'granted' })
      await ana.people.consent({ person: 'revoked', status: 'revoked' })
      await agent.consents.request({ person: 'first' })
      const expected = await observe(() => agent.consents.request({ person: 'nobody' }))
      expect(expected.answer).toBe('{"id":"id","person":"person","state":"open","createdAt":"createdAt"}')
      for (const person of ['pending', 'granted', 'revoked', 'ana'])
        expect(await observe(() => agent.consents.request({ person })), person).toEqual(expected)
      // It makes nobody.
      expect((await ana.people.list()).people.map(({ name }) => name)).toEqual([
        'ana',
        'granted',
        'pending',
        'revoked',
      ])
    })

    it('gives the same request while one is open, and a new one after', async () => {
      const { ana, agent, agentOf } = world()
      const [first, second] = [
        await agent.consents.request({ person: 'kim', reason: 'to plan the party' }),
        await agent.consents.request({ person: 'kim', reason: 'another reason' }),
      ]
      expect(second).toEqual(first)
      const others = await agentOf({ actor: 'another' }).consents.request({ person: 'kim' })
      expect(others.id).not.toBe(first.id)
      await ana.consents.decide({ request: first.id, decision: 'denied' })
      const third = await agent.consents.request({ person: 'kim' })
      expect(third).toMatchObject({ state: 'open' })
      expect(third.id).not.toBe(first.id)
      const { requests } = await ana.consents.list()
      expect(requests.map(({ id, reason, requestedBy }) => [id, reason, requestedBy])).toEqual([
        [third.id, null, 'helper'],
        [others.id, null, 'another'],
        [first.id, 'to plan the party', 'helper'],
      ])
    })

    it('of one agent at once makes one request, however often it is tried', async () => {
      const { ana, agent } = world()
      for (let round = 0; round < 15; round++) {
        const person = `person ${round}`
        const made = await Promise.all(Array.from({ length: 8 }, () => agent.consents.request({ person })))
        expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      }
      expect((await ana.consents.list()).requests).toHaveLength(15)
    })

    it('keeps at most a hundred open, of one agent alone', async () => {
      const { ana, agent, agentOf } = world()
      const numbers = Array.from({ length: 100 }, (_, at) => `person ${at}`)
      for (const person of numbers) await agent.consents.request({ person })
      const beyond = { code: 'rate_limit_exceeded', reason: 'rate_limit_exceeded' }
      await expect(agent.consents.request({ person: 'one more' })).rejects.toMatchObject(beyond)
      const again = await agent.consents.request({ person: 'person 0' })
      expect(again).toMatchObject({ state: 'open' })
      await agentOf({ actor: 'another' }).consents.request({ person: 'one more' })
      await ana.consents.decide({ request: again.id, decision: 'denied' })
      expect(await agent.consents.request({ person: 'one more' })).toMatchObject({ state: 'open' })
    }, 60_000)

    it('[AU-2] is safe to repeat under a key, and is decided again', async () => {
      const { ana, agent } = world()
      const once = { idempotencyKey: 'once' }
      const first = await agent.consents.request({ person: 'kim' }, once)
      await ana.consents.decide({ request: first.id, decision: 'granted' })
      expect(await agent.consents.request({ person: 'kim' }, once)).toEqual({ ...first, state: 'granted' })
    })
  })

  describe('consents.mine', () => {
    it('[NI-6, WR-2] shows what this agent asked for whom it works for, without the words of its reasons', async () => {
      const { ana, ben, agent, agentOf } = world()
      const first = await agent.consents.request({ person: 'kim', reason: 'a long story' })
      const second = await agent.consents.request({ person: 'lee' })
      await agentOf({ actor: 'another' }).consents.request({ person: 'kim' })
      await agentOf({ for: 'ben' }).consents.request({ person: 'kim' })
      await ana.consents.decide({ request: first.id, decision: 'denied' })
      const { requests, cursor } = await agent.consents.mine()
      expect(requests).toEqual([second, { ...first, state: 'denied' }])
      expect(cursor).toBeNull()
      expect((await ana.consents.mine()).requests).toEqual([])
      expect((await ben.consents.list()).requests).toHaveLength(1)
      expect((await agent.consents.mine({ state: 'open' })).requests).toEqual([second])
    })

    it('[NI-9] pages by cursors that belong to caller and question', async () => {
      const { ana, agent, agentOf } = world()
      const made: string[] = []
      for (const person of ['a', 'b', 'c']) made.unshift((await agent.consents.request({ person })).id)
      const first = await agent.consents.mine({ limit: 2 })
      const next = { limit: 2, cursor: first.cursor ?? '' }
      const second = await agent.consents.mine(next)
      expect([...first.requests, ...second.requests].map(({ id }) => id)).toEqual(made)
      expect(second.cursor).toBeNull()
      for (const refused of [
        agentOf({ actor: 'another' }).consents.mine(next),
        agent.consents.mine({ ...next, state: 'open' }),
        ana.consents.list(next),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
    })
  })

  describe('consents.decide', () => {
    it('[PC-4, WR-4] brings memories back to the agent when granted, and makes a person who is new', async () => {
      const { ana, agent } = world()
      const { id } = await ana.remember({ kind: 'note', text: 'the party', participants: ['kim'] })
      expect(await agent.get(id)).toBeNull()
      const asked = await agent.consents.request({ person: 'kim', reason: 'to plan it' })
      expect(await agent.get(id)).toBeNull()
      const decided = await ana.consents.decide({ request: asked.id, decision: 'granted' })
      expect(decided).toMatchObject({
        ...asked,
        state: 'granted',
        reason: 'to plan it',
        requestedBy: 'helper',
        decidedAt: expect.any(String),
      })
      expect(await agent.get(id)).toMatchObject({ face: 'full' })
      expect(await agent.people.get('kim')).toMatchObject({ consent: 'granted' })
      const unknown = await agent.consents.request({ person: 'a stranger' })
      await ana.consents.decide({ request: unknown.id, decision: 'granted' })
      expect(await ana.people.get('a stranger')).toMatchObject({ consent: 'granted' })
    })

    it('changes nobody when denied', async () => {
      const { ana, agent } = world()
      await ana.people.add({ person: 'kim' })
      await ana.people.consent({ person: 'kim', status: 'granted' })
      const before = await ana.people.list()
      for (const person of ['kim', 'a stranger']) {
        const { id } = await agent.consents.request({ person })
        await ana.consents.decide({ request: id, decision: 'denied' })
      }
      expect(await ana.people.list()).toEqual(before)
    })

    it('lets exactly one decision win, one after the other or at once', async () => {
      const { ana, agent } = world()
      const decisions = ['granted', 'denied', 'granted', 'denied'] as const
      const { id } = await agent.consents.request({ person: 'kim' })
      const answers = await Promise.allSettled(
        decisions.map(decision => ana.consents.decide({ request: id, decision })),
      )
      const won = answers.flatMap((answer, at) =>
        answer.status === 'fulfilled' ? (decisions[at] ?? []) : [],
      )
      expect(won).toHaveLength(1)
      for (const answer of answers)
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'conflict' })
      expect((await agent.consents.mine()).requests).toMatchObject([{ id, state: won[0] }])
      expect((await ana.people.get('kim'))?.consent).toBe(won[0] === 'granted' ? 'granted' : undefined)
      await expect(ana.consents.decide({ request: id, decision: 'granted' })).rejects.toMatchObject({
        code: 'conflict',
      })
    })

    it('[NI-5, WR-4] is not found by anyone else, and no act of an agent, whatever its policy', async () => {
      const { tenant, ana, ben, agent, agentOf } = world()
      const { id } = await agent.consents.request({ person: 'kim' })
      const host = privity.as({ tenant, actor: 'warden', audience: 'host' })
      const absent = { code: 'not_found', message: 'not found' }
      for (const caller of [ben, host]) {
        const decide = (request: string) => () =>
          caller.consents.decide({ request, decision: 'granted' }).then(
            value => value,
            ({ code, message }) => ({ code, message }),
          )
        await decide(id)()
        const foreign = await observe(decide(id))
        expect(foreign.answer).toBe(JSON.stringify(absent))
        expect(await observe(decide(randomUUID()))).toEqual(foreign)
      }
      await host.policies.set({ policy: 'all', mode: 'allow_all_except' })
      for (const caller of [agent, agentOf({ policy: 'all' })]) {
        const refused = { code: 'not_allowed', reason: 'session.audience_not_allowed' }
        await expect(caller.consents.decide({ request: id, decision: 'granted' })).rejects.toMatchObject(
          refused,
        )
        await expect(caller.consents.list()).rejects.toMatchObject(refused)
      }
      expect((await ana.consents.list()).requests).toMatchObject([{ id, state: 'open' }])
    })
  })
})
