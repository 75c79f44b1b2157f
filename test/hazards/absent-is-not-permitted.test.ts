import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PrivityError } from '../../src/errors.js'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import type { RequestOptions } from '../../src/runtime/runtime.js'
import { testClock } from '../../src/testing/clock.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

/** What is asked with an id: `given` is it, `own` is a record the caller sees in full and may write. */
type Attempt = (caller: Handle, given: string, own: string, options: RequestOptions) => Promise<unknown>

const BY = { text: 'another text' }

/** Open to agents too. */
const BY_ANYONE: Readonly<Record<string, Attempt>> = {
  'memory.get': (caller, given, _, options) => caller.get(given, options),
  'memory.relate from it': (caller, given, own, options) =>
    caller.relate({ from: given, to: own, type: 'about' }, options),
  'memory.relate to it': (caller, given, own, options) =>
    caller.relate({ from: own, to: given, type: 'about' }, options),
  'memory.relate as its source': (caller, given, own, options) =>
    caller.relate({ from: own, to: given, type: 'derived_from' }, options),
  'memory.relate as derived': (caller, given, own, options) =>
    caller.relate({ from: given, to: own, type: 'derived_from' }, options),
  'memory.revise superseding it': (caller, given, _, options) =>
    caller.revise({ how: 'supersede', record: given, by: BY }, options),
  'memory.revise forking it': (caller, given, _, options) =>
    caller.revise({ how: 'fork', record: given, by: BY }, options),
  'memory.revise merging it': (caller, given, own, options) =>
    caller.revise({ how: 'merge', records: [own, given], by: BY }, options),
  'memory.revise contesting it': (caller, given, _, options) =>
    caller.revise({ how: 'contest', record: given, reason: 'no' }, options),
  'memory.revise retracting it': (caller, given, _, options) =>
    caller.revise({ how: 'retract', record: given }, options),
  'memory.relabel': (caller, given, _, options) =>
    caller.relabel({ record: given, sensitivity: 'hyper', addParticipants: ['dov'] }, options),
  'memory.remember from it': (caller, given, own, options) =>
    caller.remember({ kind: 'note', ...BY, derivedFrom: [own, given] }, options),
}

/** Open to owners. */
const BY_OWNERS: Readonly<Record<string, Attempt>> = {
  ...BY_ANYONE,
  'memory.explain': (caller, given, _, options) => caller.explain({ record: given }, options),
  'memory.explain as another': (caller, given, _, options) =>
    caller.explain(
      {
        record: given,
        as: { actor: 'helper', audience: 'agent', for: 'ana', trust: { maxSensitivity: 'low' } },
      },
      options,
    ),
  'memory.remember as its redacted twin': (caller, given, _, options) =>
    caller.remember({ kind: 'note', ...BY, redactedOf: given }, options),
}

describe.each(engines)('absent and not permitted on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let tenant: string
  let ana: Handle
  let ben: Handle
  let own: string
  /** By what hides them: from everyone but their owner, from Ana herself, and from those who work for Ana. */
  const foreign = new Map<string, string>()
  const ended = new Map<string, string>()
  const guarded = new Map<string, string>()
  const clock = { ...testClock(), newId: () => randomUUID() }
  const statements: string[] = []

  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => void statements.push(sql) })
    privity = await store.instance(clock)
    tenant = store.tenant()
    ana = privity.as({ tenant, actor: 'ana' })
    ben = privity.as({ tenant, actor: 'ben' })
    const note = async (handle: Handle, more: object = {}) =>
      (await handle.remember({ kind: 'note', text: 'text', sensitivity: 'low', ...more })).id
    own = await note(ana)
    const group = await ben.groups.create({ name: 'team' })

    foreign.set('of another owner', await note(ben))
    foreign.set('of another tenant', await note(privity.as({ tenant: store.tenant(), actor: 'ana' })))
    foreign.set('of a group of others', await note(ben, { owner: group.principal }))

    const blocked = await note(ana, { document: 'sealed' })
    await ana.overlays.add({ target: { kind: 'document', ref: 'sealed' }, restriction: 'blocked' })
    const closed = await note(ana, { corpus: 'closed' })
    await ana.overlays.add({
      target: { kind: 'corpus', ref: 'closed' },
      restriction: 'explicit_access_required',
    })
    const twinless = await note(ana, { corpus: 'redacted' })
    await ana.overlays.add({ target: { kind: 'corpus', ref: 'redacted' }, restriction: 'redacted_only' })
    const [superseded, retracted, source] = [await note(ana), await note(ana), await note(ana)]
    const stale = await note(ana, { derivedFrom: [source] })
    await ana.revise({ how: 'supersede', record: superseded, by: BY })
    await ana.revise({ how: 'retract', record: retracted })
    await ana.revise({ how: 'supersede', record: source, by: BY })
    const expired = await note(ana, { expiresAt: new Date(clock.now().getTime() + 1_000) })
    clock.advance(2_000)
    for (const [why, id] of Object.entries({
      blocked,
      closed,
      twinless,
      superseded,
      retracted,
      stale,
      expired,
    }))
      ended.set(why, id)
    ended.set('no evidence', await note(ana, { kind: 'ai_synthesis', participants: ['cyd'] }))

    guarded.set('without consent', await note(ana, { participants: ['ana', 'cyd'] }))
    guarded.set('two levels above trust', await note(ana, { sensitivity: 'high' }))
    guarded.set('out of scope', await note(ana, { scope: 'medical' }))
    guarded.set('above the ceiling', await note(ana, { visibilityClass: 'sealed' }))
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })

  /** The answer to the byte, and what was asked of the database for it. */
  async function observe(ask: () => Promise<unknown>): Promise<{ answer: string; statements: string[] }> {
    statements.length = 0
    const answer = await ask().then(
      value => JSON.stringify(value),
      (error: unknown) => {
        if (!(error instanceof PrivityError)) throw error
        return JSON.stringify([error.code, error.message, error.reason, Object.keys(error)])
      },
    )
    return { answer, statements: [...statements] }
  }

  async function expectAlike(
    attempt: (given: string) => Promise<unknown>,
    hidden: ReadonlyMap<string, string>,
    absent: () => string = randomUUID,
  ): Promise<void> {
    await observe(() => attempt(absent()))
    const expected = await observe(() => attempt(absent()))
    expect(expected.answer, 'an id of nothing').toMatch(/^(null|\["not_found","not found",null,.*)$/)
    for (const [why, id] of hidden) expect(await observe(() => attempt(id)), why).toEqual(expected)
  }

  const some = (hidden: ReadonlyMap<string, string>, ...wanted: readonly string[]) =>
    new Map(wanted.map(why => [why, hidden.get(why) ?? '']))

  it.each(Object.entries(BY_OWNERS))('[NI-5] %s answers an owner alike', async (_, attempt) => {
    const hidden = new Map([...foreign, ...ended])
    await expectAlike(given => attempt(ana, given, own, {}), hidden)
  })

  it.each(Object.entries(BY_OWNERS))('[NI-5] %s answers a host alike', async (_, attempt) => {
    const host = privity.as({ tenant, actor: 'warden', audience: 'host' })
    const { id } = await host.remember({ kind: 'note', text: 'text' })
    await expectAlike(
      given => attempt(host, given, id, {}),
      some(foreign, 'of another owner', 'of another tenant'),
    )
  })

  it.each(
    Object.entries(BY_OWNERS),
  )('[NI-5] %s answers alike an owner who asks for less than all', async (_, attempt) => {
    const less: RequestOptions = {
      respectConsent: true,
      trust: { maxSensitivity: 'low', scopes: ['work'] },
    }
    const hidden = some(guarded, 'without consent', 'two levels above trust', 'out of scope')
    await expectAlike(given => attempt(ana, given, own, less), hidden)
  })

  it.each(Object.entries(BY_ANYONE))('[NI-5] %s answers an agent alike', async (_, attempt) => {
    const agent = privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low', scopes: ['work'] },
    })
    const hidden = [
      ...guarded,
      ...some(foreign, 'of another owner'),
      ...some(ended, 'blocked', 'no evidence'),
    ]
    await expectAlike(given => attempt(agent, given, own, {}), new Map(hidden))
  })

  it('[NI-5] a record shown by its metadata alone is written to as if it were absent', async () => {
    const agent = privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    })
    const { id } = await ana.remember({ kind: 'note', text: 'text', sensitivity: 'medium' })
    expect(await agent.get(id)).toMatchObject({ face: 'metadata' })
    for (const [name, attempt] of Object.entries(BY_ANYONE).filter(([name]) => name !== 'memory.get'))
      await expectAlike(given => attempt(agent, given, own, {}), new Map([[name, id]]))
  })

  it('[DE-4] explain answers whoever sees the record in full and may look as that caller, and nobody else', async () => {
    const helper = {
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    } as const
    const record = guarded.get('without consent') ?? ''
    expect(await ana.explain({ record })).toMatchObject({ record, shown: 'full' })
    const explained = await ana.explain({ record, as: helper })
    expect(explained).toMatchObject({ record, shown: 'none' })
    expect(explained?.gates).toContainEqual(
      expect.objectContaining({ gate: 'participants', reason: 'access.participant_not_granted' }),
    )
    expect(explained?.gates).toContainEqual(
      expect.objectContaining({ gate: 'vessel', reason: 'access.own_vessel' }),
    )
    // Looking as somebody who does not work for Ana, asking for less than a full face, and being somebody else.
    for (const as of [{ actor: 'ben' }, { ...helper, for: 'ben' }, { actor: 'ana', for: 'ben' }])
      expect(await ana.explain({ record, as })).toBeNull()
    expect(await ana.explain({ record }, { respectConsent: true })).toBeNull()
    expect(await ana.explain({ record: own }, { trust: { maxSensitivity: 'public' } })).toBeNull()
    for (const actor of ['ben', 'warden'])
      for (const audience of ['owner', 'host'] as const)
        expect(await privity.as({ tenant, actor, audience }).explain({ record })).toBeNull()
    await expect(privity.as({ tenant, ...helper }).explain({ record: own })).rejects.toMatchObject({
      code: 'not_allowed',
    })
  })

  it('[NI-5] memory.forget answers alike for what somebody else owns, alone or in a batch', async () => {
    await expectAlike(given => ana.forget(given), foreign)
    await expectAlike(given => ana.forget([own, given]), foreign)
    expect(await ana.get(own)).toMatchObject({ id: own })
  })

  it('[NI-5] grants, overlays and groups of others are as if they were not', async () => {
    const target = { kind: 'corpus', ref: 'theirs' } as const
    const grant = new Map([['of another', (await ben.grants.add({ grantee: 'ana', target })).id]])
    await expectAlike(given => ana.grants.revoke({ grant: given }), grant)
    const overlay = new Map([['of another', (await ben.overlays.add({ target, restriction: 'none' })).id]])
    await expectAlike(given => ana.overlays.remove({ overlay: given }), overlay)

    const others = await ben.groups.create({ name: 'others' })
    const joined = await ben.groups.create({ name: 'joined' })
    await ben.groups.addMember({ group: joined.id, member: 'ana', role: 'reader' })
    const groups = new Map([
      ['of others', others.id],
      ['joined and not owned', joined.id],
    ])
    await expectAlike(given => ana.groups.addMember({ group: given, member: 'eve' }), groups)
    await expectAlike(given => ana.groups.removeMember({ group: given, member: 'ben' }), groups)
  })

  it('[NI-5] other owners and their sessions are as if they were not', async () => {
    await store.sql(
      `insert into privity.sessions (tenant_id, session_id, relationship, created_at)
       values ($1, 'theirs', 'r', now())`,
      [tenant],
    )
    await store.sql(
      `insert into privity.session_participants (tenant_id, session_id, actor) values ($1, 'theirs', 'ben')`,
      [tenant],
    )
    await ben.people.add({ person: 'eve' })
    const owners = new Map([['another', 'ben']])
    const nobody = () => `nobody ${randomUUID().slice(0, 8)}`
    const target = { kind: 'corpus', ref: 'theirs' } as const
    const attempts: Readonly<Record<string, (owner: string) => Promise<unknown>>> = {
      'memory.remember': owner => ana.remember({ kind: 'note', text: 'text', owner }),
      'people.add': owner => ana.people.add({ person: 'eve', owner }),
      'people.consent': owner => ana.people.consent({ person: 'eve', status: 'granted', owner }),
      'people.remove': owner => ana.people.remove({ person: 'eve', owner }),
      'overlays.add': owner => ana.overlays.add({ target: { ...target, owner }, restriction: 'blocked' }),
      'grants.add': owner => ana.grants.add({ grantee: 'ana', target: { ...target, owner } }),
    }
    for (const attempt of Object.values(attempts)) await expectAlike(attempt, owners, nobody)
  })

  it('[NI-5] a filter that names what is hidden finds as much as one that names nothing', async () => {
    await ben.remember({
      kind: 'note',
      text: 'text',
      corpus: 'theirs',
      tags: ['theirs'],
      fields: { of: 'theirs' },
    })
    await ben.remember({ kind: 'note', text: 'text', participants: ['theirs'] })
    const filters = (word: string) => [
      { owner: word },
      { corpus: word },
      { tags: [word] },
      { people: [word] },
      { fields: { of: word } },
    ]
    const asked = async (word: string, at: number) => observe(() => ana.list(filters(word)[at]))
    for (const [at, word] of ['ben', 'theirs', 'theirs', 'theirs', 'theirs'].entries()) {
      await asked('nobody', at)
      const expected = await asked('nobody', at)
      expect(JSON.parse(expected.answer)).toEqual({ records: [], cursor: null })
      expect(await asked(word, at)).toEqual(expected)
    }
    const people = (owner: string) => observe(() => ana.people.list({ owner }))
    await people('nobody')
    expect(await people('ben')).toEqual(await people('nobody'))
  })

  it('[NI-5] no unique key tells that somebody else has the name', async () => {
    await ben.groups.create({ name: 'choir' })
    await ben.people.add({ person: 'Zoe' })
    expect(await ana.groups.create({ name: 'choir' })).toMatchObject({ name: 'choir', owner: 'ana' })
    await ben.people.consent({ person: 'Zoe', status: 'granted' })
    expect(await ana.people.add({ person: 'Zoe' })).toMatchObject({ name: 'Zoe', consent: 'pending' })
    const labels = async (name: string) => {
      const { id: _, ...rest } = await ana.remember({ kind: 'note', text: 'text', participants: [name] })
      return rest
    }
    expect(await labels('Zoe')).toEqual(await labels('nobody before'))
    await expect(ana.groups.create({ name: 'choir' })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('[NI-5] an overlay or a grant on the id of a record tells nothing of the record', async () => {
    for (const ref of [foreign.get('of another owner') ?? '', randomUUID()]) {
      await ana.overlays.add({ target: { kind: 'document', ref }, restriction: 'none' })
      await ana.grants.add({ grantee: 'dov', target: { kind: 'document', ref } })
    }
    const overlays = (await ana.overlays.list()).overlays.slice(-2)
    const grants = (await ana.grants.list()).grants.slice(-2)
    for (const [hidden, absent] of [overlays, grants])
      expect({ ...hidden, id: '' }).toEqual({ ...absent, id: '' })
  })

  it('[NI-5] an idempotency key of somebody else is free', async () => {
    const once = { idempotencyKey: 'theirs' }
    const theirs = await ben.remember({ kind: 'note', text: 'theirs' }, once)
    const mine = await ana.remember({ kind: 'note', text: 'mine' }, once)
    expect(mine.id).not.toBe(theirs.id)
    const agent = privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    })
    const written = await agent.remember({ kind: 'note', text: 'of an agent' }, once)
    expect([mine.id, theirs.id]).not.toContain(written.id)
  })

  it('[NI-5, NI-7] the replay of a write whose record has gone out of sight answers as for nothing', async () => {
    const once = { idempotencyKey: 'gone' }
    const draft = { kind: 'note', text: 'text', document: 'later' } as const
    const { id } = await ana.remember(draft, once)
    expect(await ana.remember(draft, once)).toMatchObject({ id })
    await ana.overlays.add({ target: { kind: 'document', ref: 'later' }, restriction: 'blocked' })
    await ana.list()
    const hidden = await observe(() => ana.remember(draft, once))
    await ana.forget(id)
    const forgotten = await observe(() => ana.remember(draft, once))
    expect(hidden).toEqual(forgotten)
    expect(JSON.parse(hidden.answer)[0]).toBe('not_found')
  })
})
