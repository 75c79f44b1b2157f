import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Credential } from '../../src/runtime/caller.js'
import { testClock } from '../../src/testing/clock.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const HOUR = 3_600_000

describe.each(engines)('what agents and owners live with, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world(privity = store.privity) {
    const tenant = store.tenant()
    const ana = privity.as({ tenant, actor: 'ana' })
    const working = (more: Partial<Credential> = {}) =>
      privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'high' },
        ...more,
      })
    return { tenant, ana, working }
  }

  const bread = { kind: 'note' as const, text: 'Buy rye bread.', sensitivity: 'low' as const }

  it('[WR-6] tells a writer what raised a label, by which records it sees, and whether it can read it back', async () => {
    const { ana, working } = world()
    const agent = working({ session: 'one' })
    const high = await ana.remember({
      kind: 'note',
      text: 'the salary of Ben',
      sensitivity: 'high',
      participants: ['Ben'],
    })
    await ana.people.consent({ person: 'Ben', status: 'granted' })
    expect(await agent.remember(bread)).toMatchObject({ sensitivity: 'low', readable: true, raised: [] })
    expect((await agent.search('salary')).results).toHaveLength(1)
    const raised = await agent.remember(bread)
    expect(raised).toMatchObject({
      sensitivity: 'high',
      readable: true,
      raised: [
        { field: 'sensitivity', to: 'high', because: 'shown', records: [high.id] },
        { field: 'participants', to: null, because: 'shown', records: [high.id] },
      ],
    })
    await ana.people.consent({ person: 'Ben', status: 'revoked' })
    const lost = await agent.remember(bread)
    // The record that raised it is hidden now, so it is not named.
    expect(lost).toMatchObject({ readable: false, raised: [{ records: [] }, { records: [] }] })
    expect(await agent.get(lost.id)).toBeNull()
    const derived = await ana.remember({ ...bread, derivedFrom: [high.id] })
    expect(derived).toMatchObject({
      readable: true,
      raised: [{ because: 'source', records: [high.id] }, { because: 'source' }],
    })
  })

  it('[WR-2, WR-6] ends what was shown with its conversation, and after a day', async () => {
    const clock = testClock()
    const timed = await openTestPrivity(engine, { clock })
    onTestFinished(() => timed.dispose())
    const { ana, working } = world(timed.privity)
    await ana.remember({ kind: 'note', text: 'the salary', sensitivity: 'high' })
    const [first, second, none] = [working({ session: 'one' }), working({ session: 'two' }), working()]
    await first.search('salary')
    const labels = async () =>
      Promise.all([first, second, none].map(async agent => (await agent.remember(bread)).sensitivity))
    expect(await labels()).toEqual(['high', 'low', 'high'])
    clock.advance(23 * HOUR)
    expect(await labels()).toEqual(['high', 'low', 'high'])
    clock.advance(2 * HOUR)
    expect(await labels()).toEqual(['low', 'low', 'low'])
    await none.search('salary')
    expect(await labels()).toEqual(['low', 'low', 'high'])
  })

  it('[TR-9] counts validity in search, list and graph, at the moment that is asked for', async () => {
    const { ana, working } = world()
    const lives = (place: string, validFrom: string, validTo?: string) => ({
      kind: 'semantic' as const,
      text: `Frank lives in ${place}`,
      sensitivity: 'high' as const,
      tags: ['home'],
      validFrom,
      ...(validTo === undefined ? {} : { validTo }),
    })
    const [graz, wien] = (
      await ana.remember([
        lives('Graz', '2019-01-01T00:00:00Z', '2022-01-01T00:00:00Z'),
        lives('Wien', '2022-01-01T00:00:00Z'),
      ])
    ).map(({ id }) => id) as [string, string]
    await ana.relate({ from: wien, to: graz, type: 'follows' })
    const asked = async (asOf?: string) => {
      const options = asOf === undefined ? {} : { asOf }
      const graph = await ana.retrieveGraph('lives Wien', options)
      return [
        (await ana.search('lives', options)).results.map(({ record }) => record.id).sort(),
        (await ana.list(options)).records.map(({ id }) => id).sort(),
        graph.nodes.map(({ record }) => record.id).sort(),
      ]
    }
    expect(await asked()).toEqual([[wien], [wien], [wien]])
    expect(await asked('2021-12-31T23:59:59Z')).toEqual([[graz], [graz], [graz]])
    expect(await asked('2022-01-01T00:00:00Z')).toEqual([[wien], [wien], [wien]])
    expect(await asked('any')).toEqual([[graz, wien].sort(), [graz, wien].sort(), [graz, wien].sort()])
    expect(await asked('2018-01-01T00:00:00Z')).toEqual([[], [], []])
    // A lesser face does not show when a record holds: no question tells.
    const less = working({ trust: { maxSensitivity: 'medium' } })
    for (const options of [{}, { asOf: '2018-01-01T00:00:00Z' }, { asOf: 'any' as const }]) {
      expect((await less.list(options)).records).toHaveLength(2)
      expect((await less.search('home', options)).results).toHaveLength(2)
    }
  })

  it('[TR-9] shows an owner the history of a record, and undoes a revision', async () => {
    const { tenant, ana, working } = world()
    const { id } = await ana.remember({ kind: 'semantic', text: 'the code is 1234' })
    const [newer] = (await ana.revise({ how: 'supersede', record: id, by: { text: 'the code is 9876' } }))
      .records
    expect(await ana.get(id)).toBeNull()
    const said = async (record: string) =>
      (await ana.history(record)).versions.map(version => [version.record.payload?.text, version.lifecycle])
    const versions = [
      ['the code is 1234', 'superseded'],
      ['the code is 9876', 'active'],
    ]
    expect(await said(id)).toEqual(versions)
    expect(await said(newer?.id ?? '')).toEqual(versions)
    const less = store.privity.as({ tenant, actor: 'ana', trust: { maxSensitivity: 'high' } })
    const other = store.privity.as({ tenant, actor: 'ben' })
    for (const caller of [less, other]) {
      await expect(caller.history(id)).rejects.toMatchObject({ code: 'not_found' })
      await expect(caller.undo(id)).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(working().history(id)).rejects.toMatchObject({ code: 'not_allowed' })
    expect(await ana.undo(id)).toMatchObject({ records: [{ id }], retracted: [newer?.id] })
    expect(await ana.get(id)).toMatchObject({ payload: { text: 'the code is 1234' } })
    expect(await ana.get(newer?.id ?? '')).toBeNull()
    expect((await ana.search('code')).results.map(({ record }) => record.id)).toEqual([id])
    await expect(ana.undo(id)).rejects.toMatchObject({ code: 'conflict' })
    await ana.revise({ how: 'retract', record: id })
    await ana.undo(id)
    await ana.revise({ how: 'contest', record: id, reason: 'doubtful' })
    await ana.undo(id)
    expect(await ana.get(id)).toMatchObject({ payload: { contested: false } })
  })

  it('[TR-6] shows the neighbour of which get names the id, and nothing behind it', async () => {
    const { ana, working } = world()
    const [start, above, behind] = (
      await ana.remember([
        { kind: 'note', text: 'garden plan' },
        { kind: 'note', text: 'hidden words', sensitivity: 'high' },
        { kind: 'note', text: 'far away' },
      ])
    ).map(({ id }) => id) as [string, string, string]
    await ana.relate({ from: start, to: above, type: 'mentions' })
    await ana.relate({ from: above, to: behind, type: 'mentions' })
    const agent = working({ trust: { maxSensitivity: 'medium' } })
    expect((await agent.get(start))?.relations).toEqual([
      { type: 'mentions', direction: 'out', record: above },
    ])
    const { nodes, edges } = await agent.retrieveGraph('garden', { maxHops: 3 })
    expect(nodes.map(({ record }) => [record.id, record.face])).toEqual([
      [start, 'full'],
      [above, 'metadata'],
    ])
    expect(edges).toEqual([{ from: start, to: above, type: 'mentions' }])
  })
})
