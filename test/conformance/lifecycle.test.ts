import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { open, type Privity } from '../../src/open.js'
import { type TestClock, testClock } from '../../src/testing/clock.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const DAY = 86_400_000
const MONTH = 30 * DAY
const episode = { kind: 'episodic', text: 'We met at the station.' } as const

describe.each(engines)('the lifecycle of memory on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let clock: TestClock
  beforeAll(async () => {
    store = await sharedStore(engine)
    clock = testClock()
    privity = await store.instance({ ...clock, newId: () => randomUUID() })
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })

  function world(on: Privity = privity) {
    const tenant = store.tenant()
    const agent = (maxSensitivity: 'low' | 'medium' | 'high') =>
      on.as({ tenant, actor: 'helper', audience: 'agent', for: 'ana', trust: { maxSensitivity } })
    return {
      tenant,
      ana: on.as({ tenant, actor: 'ana' }),
      ben: on.as({ tenant, actor: 'ben' }),
      agent: agent('high'),
      /** Sees the metadata face of what is medium. */
      distant: agent('low'),
    }
  }
  const salienceOf = async (handle: Handle, id: string) => (await handle.get(id))?.salience
  const rowOf = async (id: string) =>
    JSON.stringify(
      await store.sql('select r::text, r.xmin::text from privity.records r where record_id = $1', [id]),
    )

  describe('salience', () => {
    it('halves with every half-life of its kind, at every face, however often it is read', async () => {
      const { ana, distant } = world()
      const { id } = await ana.remember({ ...episode, salience: 0.8 })
      const before = await rowOf(id)
      const start = clock.now().getTime()
      for (const times of [0, 1, 2, 10]) {
        clock.set(start + times * MONTH)
        // In steps of 2^-20.
        const left = Math.round((0.8 / 2 ** times) * 2 ** 20) / 2 ** 20
        for (const reader of [ana, distant, ana]) expect(await salienceOf(reader, id)).toBe(left)
        expect((await ana.list()).records).toMatchObject([{ id, salience: left }])
        expect((await ana.search('station')).results).toMatchObject([{ record: { id, salience: left } }])
        expect((await distant.get(id))?.face).toBe('metadata')
      }
      expect(await rowOf(id)).toBe(before)
    })

    it('starts at one half, and fades by kind: a working memory within days, a document never', async () => {
      const { ana } = world()
      const kinds = ['working', 'episodic', 'semantic', 'document', 'need'] as const
      const records = await ana.remember(kinds.map(kind => ({ kind, text: 'x' })))
      clock.advance(DAY)
      const now = await Promise.all(records.map(({ id }) => salienceOf(ana, id)))
      expect(now[0]).toBe(0.25)
      expect(now[1]).toBeCloseTo(0.5 * 2 ** (-1 / 30), 5)
      expect(now[2]).toBeCloseTo(0.5 * 2 ** (-1 / 365), 5)
      expect(now.slice(3)).toEqual([0.5, 0.5])
    })

    it('fades by half-lives that were configured, in days', async () => {
      const other = await store.instance(clock, {
        halfLives: { episodic: 2, working: 'never', document: 0.5 },
      })
      const { ana } = world(other)
      const kinds = ['episodic', 'working', 'document'] as const
      const records = await ana.remember(kinds.map(kind => ({ kind, text: 'x' })))
      clock.advance(2 * DAY)
      const now = await Promise.all(records.map(({ id }) => salienceOf(ana, id)))
      expect(now).toEqual([0.25, 0.5, 0.5 / 16])
      await other.close()
    })

    it.each([
      { episodic: 0 },
      { episodic: -1 },
      { episodic: Number.NaN },
      { episodic: Number.POSITIVE_INFINITY },
      { episodic: '30d' },
      { dreams: 3 },
    ])('refuses half-lives that are none: %o', async halfLives => {
      await expect(open({ halfLives } as never)).rejects.toMatchObject({ code: 'invalid_input' })
    })

    it('[NI-9] leaves the version and the time of a face as they are while time passes', async () => {
      const { ana, distant } = world()
      const { id } = await ana.remember(episode)
      const faces = () => Promise.all([ana.get(id), distant.get(id)])
      const before = await faces()
      clock.advance(MONTH)
      const after = await faces()
      expect(after.map(face => face?.salience)).toEqual([0.25, 0.25])
      expect(after).toEqual(before.map(face => ({ ...face, salience: 0.25 })))
    })

    it('that is set anew fades from then on', async () => {
      const { ana } = world()
      const { id } = await ana.remember(episode)
      clock.advance(MONTH)
      await ana.relabel({ record: id, salience: 0.9 })
      expect(await salienceOf(ana, id)).toBeCloseTo(0.9, 5)
      clock.advance(MONTH)
      expect(await salienceOf(ana, id)).toBeCloseTo(0.45, 5)
      await ana.relabel({ record: id, tags: ['x'] })
      expect(await salienceOf(ana, id)).toBeCloseTo(0.45, 5)
    })

    it('goes over to a successor as it is then, a pin as well', async () => {
      const { ana } = world()
      const [fading, pinned] = await ana.remember([episode, { ...episode, pinned: true }])
      clock.advance(MONTH)
      const heirs = await Promise.all(
        [fading, pinned].map(async record => {
          const by = { text: 'We met at the harbour.' }
          const { records } = await ana.revise({ how: 'supersede', record: record?.id ?? '', by })
          return ana.get(records[0]?.id ?? '')
        }),
      )
      expect(heirs).toMatchObject([
        { salience: 0.25, payload: { pinned: false } },
        { salience: 0.5, payload: { pinned: true } },
      ])
    })
  })

  describe('reinforcing and penalising', () => {
    it('start from what is left, and fade from there without compounding', async () => {
      const { ana } = world()
      const [one, two] = await ana.remember([episode, episode])
      const [up, down] = [one?.id ?? '', two?.id ?? '']
      clock.advance(MONTH)
      expect(await salienceOf(ana, up)).toBe(0.25)
      await ana.reinforce(up)
      await ana.penalise(down, { by: 0.5 })
      expect(await salienceOf(ana, up)).toBeCloseTo(0.25 + 0.1 * 0.75, 6)
      expect(await salienceOf(ana, down)).toBe(0.125)
      clock.advance(MONTH)
      expect(await salienceOf(ana, up)).toBeCloseTo(0.325 / 2, 6)
      expect(await salienceOf(ana, down)).toBe(0.0625)
      await ana.reinforce(up, { by: 1 })
      await ana.penalise(down, { by: 1 })
      expect([await salienceOf(ana, up), await salienceOf(ana, down)]).toEqual([1, 0])
      clock.advance(MONTH)
      expect([await salienceOf(ana, up), await salienceOf(ana, down)]).toEqual([0.5, 0])
    })

    it('[NI-9] are a change of every face, at their moment', async () => {
      const { ana, distant } = world()
      const { id } = await ana.remember(episode)
      for (const change of ['reinforce', 'penalise', 'pin', 'unpin'] as const) {
        const before = [await ana.get(id), await distant.get(id)]
        clock.advance(DAY)
        await ana[change](id)
        const after = [await ana.get(id), await distant.get(id)]
        for (const [at, face] of after.entries()) {
          expect(face?.updatedAt).toBe(clock.now().toISOString())
          expect(face?.version).not.toBe(before[at]?.version)
        }
      }
    })

    it('reach the index', async () => {
      const { ana } = world()
      const { id } = await ana.remember(episode)
      expect((await ana.search('station')).results).toMatchObject([{ record: { salience: 0.5 } }])
      await ana.reinforce(id, { by: 1 })
      expect((await ana.search('station')).results).toMatchObject([{ record: { id, salience: 1 } }])
      const changes = await store.sql('select 1 from privity.changes where record_id = $1', [id])
      expect(changes).toHaveLength(2)
    })

    it('[AU-2] are done once under one key, and stand in the audit', async () => {
      const { ana, tenant } = world()
      const { id } = await ana.remember(episode)
      const once = { idempotencyKey: 'once' }
      const first = await ana.reinforce(id, { by: 0.5 }, once)
      expect(await ana.reinforce(id, { by: 0.5 }, once)).toEqual(first)
      expect(await salienceOf(ana, id)).toBe(0.75)
      await expect(ana.reinforce(id, { by: 0.4 }, once)).rejects.toMatchObject({
        code: 'idempotency_conflict',
      })
      const operations = await store.sql(
        `select effects, reversibility, refs from privity.operations where tenant_id = $1 and name = 'memory.reinforce'`,
        [tenant],
      )
      expect(operations).toEqual([
        { effects: ['record_reinforced'], reversibility: 'reversible', refs: [id] },
      ])
    })

    it('[WR-2] by an agent raise no label, and by a step of its own choice are refused', async () => {
      const { ana, agent } = world()
      const secret = await ana.remember({ ...episode, sensitivity: 'high' })
      const { id } = await ana.remember({ ...episode, sensitivity: 'low' })
      await agent.get(secret.id)
      expect(await agent.reinforce(id)).toMatchObject({ records: [{ id, sensitivity: 'low' }] })
      expect(await salienceOf(agent, id)).toBeCloseTo(0.55, 6)
      await agent.penalise(id)
      await agent.pin(id)
      await agent.unpin(id)
      expect(await agent.get(id)).toMatchObject({ sensitivity: 'low', payload: { pinned: false } })
      const before = await rowOf(id)
      for (const record of [id, randomUUID()]) {
        const chosen = { code: 'not_allowed', reason: 'session.audience_not_allowed' }
        await expect(agent.reinforce(record, { by: 0.1 })).rejects.toMatchObject(chosen)
        await expect(agent.penalise(record, { by: 0.123456 })).rejects.toMatchObject(chosen)
      }
      expect(await rowOf(id)).toBe(before)
    })
  })

  describe('a pin', () => {
    it('stops the fading where it is, and taking it off lets it go on from there', async () => {
      const { ana, distant } = world()
      const { id } = await ana.remember(episode)
      clock.advance(MONTH)
      await ana.pin(id)
      clock.advance(100 * MONTH)
      expect(await ana.get(id)).toMatchObject({ salience: 0.25, payload: { pinned: true } })
      expect(await salienceOf(distant, id)).toBe(0.25)
      expect(JSON.stringify(await distant.get(id))).not.toContain('pinned')
      const pinned = await rowOf(id)
      await ana.pin(id)
      expect(await rowOf(id)).toBe(pinned)
      await ana.unpin(id)
      expect(await salienceOf(ana, id)).toBe(0.25)
      clock.advance(MONTH)
      expect(await ana.get(id)).toMatchObject({ salience: 0.125, payload: { pinned: false } })
      const faded = await rowOf(id)
      await ana.unpin(id)
      expect(await rowOf(id)).toBe(faded)
    })

    it('may be given with a new record, and stays when it is reinforced', async () => {
      const { ana } = world()
      const { id } = await ana.remember({ ...episode, salience: 0.5, pinned: true })
      await ana.reinforce(id, { by: 0.5 })
      clock.advance(10 * MONTH)
      expect(await ana.get(id)).toMatchObject({ salience: 0.75, payload: { pinned: true } })
    })
  })

  it('[NI-5] what is not seen in full is absent to all four, and stays as it is', async () => {
    const { ana, ben, agent, distant } = world()
    const visible = await ana.remember(episode)
    const pending = await ana.remember({ ...episode, participants: ['cyd'] })
    const missing = randomUUID()
    const asked: [Handle, string][] = [
      [ben, visible.id],
      [distant, visible.id],
      [agent, pending.id],
      [ana, missing],
      [agent, missing],
    ]
    const rows = await Promise.all([visible, pending].map(({ id }) => rowOf(id)))
    for (const [handle, record] of asked)
      for (const operation of ['reinforce', 'penalise', 'pin', 'unpin'] as const)
        await expect(handle[operation](record)).rejects.toMatchObject({
          code: 'not_found',
          message: 'not found',
          reason: undefined,
        })
    expect(await Promise.all([visible, pending].map(({ id }) => rowOf(id)))).toEqual(rows)
  })

  it.each([-0.1, 1.1, Number.NaN, '0.5', null])('refuses to go by %j', async by => {
    const { ana } = world()
    const { id } = await ana.remember(episode)
    for (const operation of ['reinforce', 'penalise'] as const)
      await expect(ana[operation](id, { by } as never)).rejects.toMatchObject({ code: 'invalid_input' })
    for (const operation of ['pin', 'unpin'] as const)
      await expect(ana[operation]('not an id')).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
