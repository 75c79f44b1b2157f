import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('requests made again, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'hyper' },
    }
    const ana = store.privity.as({ tenant, actor: 'ana' })
    return { helper, ana, agent: store.privity.as(helper) }
  }

  const note: z.input<typeof draft> = { kind: 'note', text: 'note' }
  const key = { idempotencyKey: 'k' }

  const code = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'nothing was refused',
      (error: { code: string }) => error.code,
    )

  it('[AU-2] does once what is asked again under one key, also when it is asked at once', async () => {
    const { ana } = world()
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => ana.remember(note, key)))
    const mine = await ana.remember(note, key)
    expect(atOnce).toEqual([mine, mine, mine, mine])
    expect(await code(ana.remember({ ...note, text: 'other' }, key))).toBe('idempotency_conflict')
    expect((await ana.list()).records.map(({ id }) => id)).toEqual([mine.id])
  })

  it('[AU-2] keeps the keys of callers and of operations apart', async () => {
    const { helper, ana, agent } = world()
    const mine = await ana.remember(note, key)
    const agents = await agent.remember(note, key)
    const others = await store.privity.as({ ...helper, actor: 'other' }).remember(note, key)
    const bens = await store.privity.as({ ...helper, for: 'ben' }).remember(note, key)
    expect(new Set([mine.id, agents.id, others.id, bens.id]).size).toBe(4)
    await ana.relabel({ record: mine.id, tags: ['x'] }, key)
    expect(await ana.remember(note, key)).toEqual(mine)
    expect(await ana.get(mine.id)).toMatchObject({ tags: ['x'] })
  })

  it('[NI-7] decides a repeated request anew: on what is hidden or forgotten by now, nothing is found', async () => {
    const { ana, agent } = world()
    const mine = await ana.remember(note, key)
    const agents = await agent.remember({ ...note, participants: ['ana'] }, key)
    const replay = () => agent.remember({ ...note, participants: ['ana'] }, key)
    expect(await replay()).toEqual(agents)
    await ana.people.consent({ person: 'ana', status: 'revoked' })
    expect(await code(replay())).toBe('not_found')
    await ana.people.consent({ person: 'ana', status: 'granted' })
    await ana.relabel({ record: agents.id, sensitivity: 'hyper' })
    expect(await replay()).toEqual({ ...agents, sensitivity: 'hyper' })
    await ana.forget(mine.id, key)
    expect(await ana.forget(mine.id, key)).toEqual({ forgotten: [mine.id], forgottenAt: null })
    expect(await code(ana.remember(note, key))).toBe('not_found')
  })

  it('[AU-2] leaves a key unused when its request failed', async () => {
    const { ana } = world()
    const failing = { idempotencyKey: 'failing' }
    expect(await code(ana.remember({ ...note, owner: 'ben' }, failing))).toBe('not_found')
    expect(await ana.remember(note, failing)).toMatchObject({ sensitivity: 'medium' })
    expect((await ana.list()).records).toHaveLength(1)
  })

  it('[AU-2] answers a repeated change of each kind as the first time', async () => {
    const { ana } = world()
    const [a, b, c, d] = (await ana.remember([note, note, note, note])).map(({ id }) => id) as [
      string,
      string,
      string,
      string,
    ]
    const target = { kind: 'corpus', ref: 'c' } as const
    const group = await ana.groups.create({ name: 'family' })
    const asks = [
      () => ana.relate({ from: a, to: b, type: 'x' }, key),
      () => ana.relabel({ record: a, sensitivity: 'high' }, key),
      () => ana.revise({ how: 'supersede', record: c, by: { text: 'next' } }, key),
      () => ana.revise({ how: 'retract', record: d }, { idempotencyKey: 'other' }),
      () => ana.people.add({ person: 'ben' }, key),
      () => ana.people.consent({ person: 'ben', status: 'granted' }, key),
      () => ana.people.remove({ person: 'ben' }, key),
      () => ana.groups.create({ name: 'board' }, key),
      () => ana.groups.addMember({ group: group.id, member: 'cleo' }, key),
      () => ana.groups.removeMember({ group: group.id, member: 'cleo' }, key),
      () => ana.overlays.add({ target, restriction: 'blocked' }, key),
      () => ana.grants.add({ grantee: 'ana', target }, key),
    ]
    for (const ask of asks) expect(await ask()).toEqual(await ask())
    expect((await ana.list()).records).toHaveLength(3)
    expect((await ana.overlays.list()).overlays).toHaveLength(1)
    expect((await ana.grants.list()).grants).toHaveLength(1)
    expect((await ana.groups.list()).groups).toHaveLength(2)
  })
})
