import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Credential } from '../../src/runtime/caller.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('the people in a memory on %s', engine => {
  let store: TestPrivity
  let outside: pg.Client | null = null
  beforeAll(async () => {
    store = await openTestPrivity(engine)
    if (store.url === undefined) return
    outside = new pg.Client({ connectionString: store.url })
    await outside.connect()
  })
  afterAll(async () => {
    await outside?.end()
    await store.dispose()
  })

  function world() {
    const tenant = store.tenant()
    const as = (actor: string) => store.privity.as({ tenant, actor })
    const working = (more: Partial<Credential> = {}) =>
      store.privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'hyper' },
        ...more,
      })
    return { tenant, as, working, ana: as('ana'), agent: working() }
  }

  /** A note on some people. */
  const about = (...participants: string[]) => ({ kind: 'note' as const, text: 'note', participants })

  /** What the index would have to look at again. On PGlite there is no second way in. */
  async function changeLog(tenant: string): Promise<unknown[]> {
    const log = await outside?.query('select * from privity.changes where tenant_id = $1 order by 2, 3', [
      tenant,
    ])
    return log?.rows ?? []
  }

  it('[PC-1] starts everyone new as pending, however they come in, and the owner as granted', async () => {
    const { ana, agent } = world()
    // The agent comes first: the person it works for is known from then on.
    const { id } = await agent.remember(about('ana'))
    expect(await agent.get(id)).toMatchObject({ face: 'full' })
    await ana.people.add({ person: 'added' })
    await ana.remember(about('named'))
    await agent.remember(about('named by an agent'))
    await ana.relabel({ record: id, addParticipants: ['linked'] })
    const { people } = await ana.people.list()
    expect(people.map(({ name, consent }) => [name, consent])).toEqual([
      ['added', 'pending'],
      ['ana', 'granted'],
      ['linked', 'pending'],
      ['named', 'pending'],
      ['named by an agent', 'pending'],
    ])
  })

  it('[PC-1] keeps a consent through being named again, and knows three of them', async () => {
    const { ana } = world()
    await ana.people.add({ person: 'ben' })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    await ana.people.add({ person: 'ben' })
    await ana.remember(about('ben'))
    const consents = async () =>
      (await ana.people.list()).people.map(({ name, consent }) => `${name} ${consent}`)
    expect(await consents()).toEqual(['ana granted', 'ben granted'])
    for (const status of [null, undefined, '', 'GRANTED', 'denied', true])
      await expect(ana.people.consent({ person: 'ben', status: status as never })).rejects.toMatchObject({
        code: 'invalid_input',
      })
    expect(await consents()).toEqual(['ana granted', 'ben granted'])
    const stored = await outside?.query(
      `select is_nullable from information_schema.columns
       where table_schema = 'privity' and table_name = 'people' and column_name = 'consent'`,
    )
    expect(stored?.rows ?? [{ is_nullable: 'NO' }]).toEqual([{ is_nullable: 'NO' }])
  })

  it('[PC-2, PC-4] hides a memory from every agent audience until all of its people have consented', async () => {
    const { ana, agent, working } = world()
    const alone = await ana.remember({ kind: 'note', text: 'nobody' })
    const { id } = await ana.remember(about('ana', 'ben', 'cleo'))
    const recipient = working({ audience: 'recipient', visibility: { ceiling: 'firewalled' } })
    const shown = async () => [
      (await agent.get(id)) !== null,
      (await agent.list()).records.map(record => record.id).includes(id),
      (await recipient.documents.open(id)) !== null,
      (await ana.get(id)) !== null,
    ]
    const [hidden, open] = [
      [false, false, false, true],
      [true, true, false, true],
    ]
    expect(await agent.get(alone.id)).toMatchObject({ face: 'full' })
    expect(await shown()).toEqual(hidden)
    await ana.people.consent({ person: 'ben', status: 'granted' })
    expect(await shown()).toEqual(hidden)
    await ana.people.consent({ person: 'cleo', status: 'granted' })
    expect(await shown()).toEqual(open)
    for (const [person, status] of [
      ['ben', 'revoked'],
      ['cleo', 'pending'],
      ['ana', 'revoked'],
    ] as const) {
      await ana.people.consent({ person, status })
      expect(await shown(), `${person} ${status}`).toEqual(hidden)
      await ana.people.consent({ person, status: 'granted' })
      expect(await shown()).toEqual(open)
    }
  })

  it('[PC-2] keeps an agent from working on a memory that is hidden from it', async () => {
    const { ana, agent } = world()
    const [hidden, own] = (await ana.remember([about('ben'), about()])).map(({ id }) => id) as [
      string,
      string,
    ]
    for (const options of [{}, { respectConsent: false }]) {
      const asks = [
        () => agent.relabel({ record: hidden, sensitivity: 'hyper' }, options),
        () => agent.revise({ how: 'retract', record: hidden }, options),
        () => agent.remember({ kind: 'note', text: 'x', derivedFrom: [hidden] }, options),
        () => agent.relate({ from: own, to: hidden, type: 'x' }, options),
      ]
      for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await ana.get(hidden)).toMatchObject({ face: 'full', sensitivity: 'medium' })
  })

  it('[PC-3] lets an owner ask for the gate, and an agent never be without it', async () => {
    const { ana, agent } = world()
    const [pending, granted, nobody] = (await ana.remember([about('ben'), about('ana'), about()])).map(
      ({ id }) => id,
    ) as [string, string, string]
    const listed = async (caller: typeof ana, respectConsent?: boolean) =>
      new Set((await caller.list({}, { respectConsent })).records.map(({ id }) => id))
    expect(await listed(ana)).toEqual(new Set([pending, granted, nobody]))
    expect(await listed(ana, false)).toEqual(new Set([pending, granted, nobody]))
    expect(await listed(ana, true)).toEqual(new Set([granted, nobody]))
    expect(await ana.get(pending, { respectConsent: true })).toBeNull()
    for (const respectConsent of [undefined, false, true]) {
      expect(await listed(agent, respectConsent)).toEqual(new Set([granted, nobody]))
      expect(await agent.get(pending, { respectConsent })).toBeNull()
    }
  })

  it('[PC-4] brings memories back and hides them without writing to any of them', async () => {
    const { tenant, ana, agent } = world()
    await ana.remember([about('ben'), about('ben', 'ana'), about('ana')])
    const before = await ana.list()
    const log = await changeLog(tenant)
    expect(log).toHaveLength(outside === null ? 0 : 3)
    for (const [status, count] of [
      ['granted', 3],
      ['revoked', 1],
      ['granted', 3],
      ['pending', 1],
    ] as const) {
      await ana.people.consent({ person: 'ben', status })
      expect((await agent.list()).records, status).toHaveLength(count)
    }
    expect(await ana.list()).toEqual(before)
    expect(await changeLog(tenant)).toEqual(log)
  })

  it('[PC-5] hides with a memory what was made from it and every edge to it', async () => {
    const { ana, agent } = world()
    const memory = await ana.remember(about('ben'))
    const summary = await ana.remember({ kind: 'semantic', text: 'summary', derivedFrom: [memory.id] })
    const topic = await ana.remember({ kind: 'entity', text: 'topic', derivedFrom: [summary.id] })
    const plain = await ana.remember(about())
    const other = await ana.remember(about())
    await ana.relate({ from: plain.id, to: memory.id, type: 'mentions' })
    await ana.relate({ from: summary.id, to: plain.id, type: 'mentions' })
    await ana.relate({ from: plain.id, to: other.id, type: 'mentions' })
    const edges = [
      { type: 'mentions', direction: 'in', record: summary.id },
      { type: 'mentions', direction: 'out', record: memory.id },
      { type: 'mentions', direction: 'out', record: other.id },
    ]
    const relations = async (caller: typeof ana) => new Set((await caller.get(plain.id))?.relations)
    const before = await agent.get(plain.id)
    expect(await relations(ana)).toEqual(new Set(edges))
    expect(await relations(agent)).toEqual(new Set([edges[2]]))
    for (const { id } of [memory, summary, topic]) {
      expect(await agent.get(id)).toBeNull()
      expect(JSON.stringify((await agent.list()).records)).not.toContain(id)
    }
    await ana.people.consent({ person: 'ben', status: 'granted' })
    expect(await relations(agent)).toEqual(new Set(edges))
    for (const { id } of [memory, summary, topic]) expect(await agent.get(id)).toMatchObject({ face: 'full' })
    await ana.people.consent({ person: 'ben', status: 'revoked' })
    expect(await agent.get(plain.id)).toEqual(before)
  })

  it('[PC-6, NI-9] lets nobody but its owner set the consent of a person', async () => {
    const { as, working, ana, agent } = world()
    const ben = as('ben')
    const { id } = await ana.remember(about('cleo'))
    await ben.remember(about('cleo'))
    await ben.people.consent({ person: 'cleo', status: 'granted' })
    expect(await agent.get(id)).toBeNull()
    expect((await working({ for: 'ben' }).list()).records).toHaveLength(1)
    for (const person of ['cleo', 'nobody']) {
      const notFound = { code: 'not_found', message: 'not found' }
      await expect(ben.people.consent({ person, status: 'granted', owner: 'ana' })).rejects.toMatchObject(
        notFound,
      )
      await expect(ben.people.remove({ person, owner: 'ana' })).rejects.toMatchObject(notFound)
      await expect(ben.people.add({ person, owner: 'ana' })).rejects.toMatchObject(notFound)
    }
    await expect(ana.people.consent({ person: 'nobody', status: 'granted' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await ben.people.list({ owner: 'ana' })).toEqual({ people: [], cursor: null })
    expect(await agent.get(id)).toBeNull()
    expect((await ana.people.list()).people.map(({ name }) => name)).toEqual(['ana', 'cleo'])
  })

  it('[PC-6, PC-7] keeps a memory hidden when a person is removed, until the owner adds and grants them again', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember(about('Ben'))
    await ana.remember(about('bEN'))
    await ana.people.update({ person: 'ben', addAliases: ['Benji'] })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    expect(await agent.get(id)).not.toBeNull()
    await ana.people.remove({ person: 'Benji' })
    expect(await agent.get(id)).toBeNull()
    expect(await ana.get(id)).toMatchObject({ payload: { text: 'note', participants: [] } })
    await expect(ana.people.consent({ person: 'ben', status: 'granted' })).rejects.toMatchObject({
      code: 'not_found',
    })
    // The name is kept nowhere, and known again when somebody says it.
    expect(JSON.stringify(await ana.people.list())).not.toMatch(/ben/i)
    const kept = await outside?.query(
      `select name, key, spelled from privity.people where removed_at is not null`,
    )
    expect(JSON.stringify(kept?.rows ?? [])).not.toMatch(/ben/i)
    expect(await ana.people.add({ person: 'BEN' })).toMatchObject({ name: 'BEN', consent: 'pending' })
    expect(await agent.get(id)).toBeNull()
    await ana.people.consent({ person: 'ben', status: 'granted' })
    expect(await agent.get(id)).toMatchObject({ payload: { participants: ['BEN'] } })
    await expect(ana.people.remove({ person: 'ana' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('[PC-6, WR-4] lets an owner, and no agent, take a wrong participant off', async () => {
    const { ana, agent } = world()
    const [pending, granted] = (await ana.remember([about('ben'), about('ana', 'cleo')])).map(
      ({ id }) => id,
    ) as [string, string]
    const derived = await ana.remember({ kind: 'note', text: 'derived', derivedFrom: [pending] })
    await ana.people.consent({ person: 'cleo', status: 'granted' })
    await expect(agent.relabel({ record: granted, removeParticipants: ['Cleo'] })).rejects.toMatchObject({
      code: 'not_allowed',
    })
    await ana.relabel({ record: pending, removeParticipants: ['BEN', 'nobody'] })
    expect(await agent.get(pending)).toMatchObject({ payload: { participants: [] } })
    // What was made from it may still tell of Ben.
    expect(await agent.get(derived.id)).toBeNull()
    await ana.relabel({ record: pending, addParticipants: ['ben'] })
    expect(await agent.get(pending)).toBeNull()
  })

  it('[PC-7] is one person in every spelling: revoking one closes all of them', async () => {
    const { ana, agent } = world()
    const spellings = ['Ben', 'ben', 'BEN', ' Ben ', 'Ｂｅｎ', 'B\u200ben', 'Ben\u00a0', 'be\u2060n']
    const ids = (await ana.remember(spellings.map(name => about(name)))).map(({ id }) => id)
    const seen = async () => (await agent.list()).records.filter(({ id }) => ids.includes(id)).length
    for (const person of spellings.slice(0, 5)) {
      await ana.people.consent({ person, status: 'granted' })
      expect(await seen(), `granted ${JSON.stringify(person)}`).toBe(spellings.length)
      await ana.people.consent({ person: 'bEN', status: 'revoked' })
      expect(await seen(), `revoked after ${JSON.stringify(person)}`).toBe(0)
    }
    expect((await ana.people.list()).people.map(({ name }) => name)).toEqual(['Ben', 'ana'])
    expect((await ana.list({ people: ['BEN'] })).records).toHaveLength(spellings.length)
    expect((await ana.search('note', { people: ['ｂｅｎ'] })).results).toHaveLength(spellings.length)
    await expect(ana.remember(about('\u200b'))).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('[PC-7] merges people after showing what that changes, and splits them again', async () => {
    const { tenant, ana, agent } = world()
    const [ben, benji] = (await ana.remember([about('Ben Smith'), about('Benji')])).map(({ id }) => id) as [
      string,
      string,
    ]
    await ana.people.update({ person: 'ben smith', addAliases: ['ben@example.org'] })
    await ana.people.consent({ person: 'BEN@example.org', status: 'granted' })
    const log = await changeLog(tenant)
    const asked = { person: 'benji', into: 'ben smith' }
    const shown = async () => [(await agent.get(ben)) !== null, (await agent.get(benji)) !== null]
    expect(await shown()).toEqual([true, false])
    expect(await ana.people.mergePreview(asked)).toMatchObject({
      person: { name: 'Benji', consent: 'pending' },
      into: { name: 'Ben Smith', consent: 'granted', emails: ['ben@example.org'] },
      consent: 'pending',
      records: 2,
      opened: 0,
      closed: 1,
    })
    expect(await ana.people.mergePreview({ ...asked, consent: 'granted' })).toMatchObject({
      consent: 'granted',
      opened: 1,
      closed: 0,
    })
    expect(await shown()).toEqual([true, false])
    expect(await ana.people.merge(asked)).toMatchObject({
      name: 'Ben Smith',
      aliases: ['Benji'],
      consent: 'pending',
    })
    expect(await shown()).toEqual([false, false])
    await ana.people.consent({ person: 'Benji', status: 'granted' })
    expect(await shown()).toEqual([true, true])
    expect((await ana.get(benji))?.payload?.participants).toEqual(['Ben Smith'])
    expect((await ana.list({ people: ['benji'] })).records).toHaveLength(2)
    expect((await ana.search('note', { people: ['ben smith'] })).results).toHaveLength(2)
    expect(await agent.people.get('benji')).toMatchObject({ name: 'Ben Smith', aliases: [], emails: [] })
    await ana.people.consent({ person: 'ben smith', status: 'revoked' })
    expect(await shown()).toEqual([false, false])
    await ana.people.consent({ person: 'ben smith', status: 'granted' })
    // Nothing was re-indexed, and it can be taken apart.
    expect(await changeLog(tenant)).toEqual(log)
    expect(await ana.people.splitPreview({ person: 'BENJI' })).toMatchObject({ name: 'Benji', records: 1 })
    expect(await ana.people.split({ person: 'benji' })).toMatchObject({ name: 'Benji', consent: 'granted' })
    await ana.people.consent({ person: 'benji', status: 'revoked' })
    expect(await shown()).toEqual([true, false])
    await expect(ana.people.split({ person: 'benji' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(ana.people.merge({ person: 'ana', into: 'benji' })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('[PC-7, NI-10] gives records to another person, and tells aliases to nobody who sees less', async () => {
    const { tenant, ana, agent } = world()
    const [one, other] = (await ana.remember([about('Sam'), about('Sam')])).map(({ id }) => id) as [
      string,
      string,
    ]
    const derived = await ana.remember({ kind: 'note', text: 'derived', derivedFrom: [other] })
    await ana.people.consent({ person: 'sam', status: 'granted' })
    const given = { person: 'sam', records: [other], into: 'Sam Jones' }
    expect(await ana.people.splitPreview(given)).toMatchObject({ name: 'Sam Jones', consent: 'pending' })
    expect(await ana.people.split(given)).toMatchObject({ name: 'Sam Jones', consent: 'pending' })
    expect([await agent.get(one), await agent.get(other), await agent.get(derived.id)]).toMatchObject([
      { payload: { participants: ['Sam'] } },
      null,
      null,
    ])
    expect((await ana.get(derived.id))?.payload?.participants).toEqual(['Sam', 'Sam Jones'])
    await ana.people.update({ person: 'Sam', addAliases: ['secret nickname'] })
    const less = store.privity.as({ tenant, actor: 'ana', trust: { maxSensitivity: 'medium' } })
    expect(JSON.stringify([await less.people.list(), await agent.people.get('sam')])).not.toContain('secret')
    for (const act of [
      () => less.people.merge({ person: 'sam', into: 'sam jones' }),
      () => less.people.mergePreview({ person: 'sam', into: 'sam jones' }),
      () => less.people.split({ person: 'secret nickname' }),
      () => less.people.update({ person: 'sam', name: 'x' }),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'not_found' })
    await expect(ana.people.update({ person: 'sam', addAliases: ['SAM jones'] })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await ana.people.update({ person: 'sam', name: 'Samuel' })).toMatchObject({
      name: 'Samuel',
      aliases: ['Sam', 'secret nickname'],
    })
    expect((await ana.people.matches()).matches).toMatchObject([{ why: 'part_of_name' }])
  })

  it('[PC-7] tells unknown speakers of two recordings apart until the owner resolves them', async () => {
    const { ana, agent } = world()
    const said = (document: string) => ({ ...about('SPEAKER_00'), document })
    const [first, again, second] = (await ana.remember([said('a'), said('a'), said('b')])).map(
      ({ id }) => id,
    ) as [string, string, string]
    await ana.people.consent({ person: 'speaker_00 (a)', status: 'granted' })
    expect(await Promise.all([first, again, second].map(async id => (await agent.get(id)) !== null))).toEqual(
      [true, true, false],
    )
    await ana.people.merge({ person: 'SPEAKER_00 (b)', into: 'SPEAKER_00 (a)', consent: 'granted' })
    expect(await agent.get(second)).not.toBeNull()
  })
})
