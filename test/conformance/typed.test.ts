import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('structured records, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const agent = (actor: string, maxSensitivity: 'low' | 'medium') =>
      store.privity.as({ tenant, actor, audience: 'agent', for: 'ana', trust: { maxSensitivity } })
    return { ana: store.privity.as({ tenant, actor: 'ana' }), agent }
  }
  const skill = (skillName: string, text: string) => ({
    kind: 'competence' as const,
    text,
    sensitivity: 'low' as const,
    typed: {
      kind: 'competence' as const,
      skillName,
      triggers: [{ signal: 'mail is late' }],
      recipe: [{ step: 'look' }],
    },
  })

  it('[TR-10] keeps the structured part of a kind, finds it by its fields and hands it on to a revision', async () => {
    const { ana } = world()
    const typed = {
      kind: 'entity' as const,
      canonicalName: 'Aya Sofya',
      aliases: ['Hagia Sophia'],
      identifiers: [{ namespace: 'wikidata', value: 'Q12506' }],
    }
    const { id } = await ana.remember({
      kind: 'entity',
      text: 'A mosque in Istanbul.',
      fields: { x: 1 },
      typed,
    })
    expect((await ana.get(id))?.payload?.fields).toEqual({ x: 1, typed })
    const { records } = await ana.list({ fields: { typed: { canonicalName: 'Aya Sofya' } } })
    expect(records.map(record => record.id)).toEqual([id])
    const revised = await ana.revise({ how: 'supersede', record: id, by: { text: 'A museum.' } })
    expect((await ana.get(revised.records[0]?.id ?? ''))?.payload?.fields).toEqual({ x: 1, typed })
  })

  it.each([
    ['a part of another kind', { kind: 'note', text: 'x', typed: { kind: 'entity', canonicalName: 'x' } }],
    ['no steps', { ...skill('x', 'x'), typed: { ...skill('x', 'x').typed, recipe: [] } }],
    ['unknown fields', { kind: 'entity', text: 'x', typed: { kind: 'entity', canonicalName: 'x', y: 1 } }],
    ['the same twice', { kind: 'entity', text: 'x', fields: { typed: 1 } }],
    [
      'a plan that leads back',
      {
        kind: 'plan_graph',
        text: 'x',
        typed: {
          kind: 'plan_graph',
          planId: 'p',
          nodes: [
            { id: 'a', op: 'a' },
            { id: 'b', op: 'b' },
          ],
          edges: [
            { from: 'a', to: 'b' },
            { from: 'b', to: 'a' },
          ],
        },
      },
    ],
    [
      'an edge that leads nowhere',
      {
        kind: 'plan_graph',
        text: 'x',
        typed: {
          kind: 'plan_graph',
          planId: 'p',
          nodes: [{ id: 'a', op: 'a' }],
          edges: [{ from: 'a', to: 'c' }],
        },
      },
    ],
  ])('[TR-10] refuses %s', async (_, record) => {
    const { ana } = world()
    await expect(ana.remember(record as never)).rejects.toMatchObject({ code: 'invalid_input' })
    expect((await ana.list({})).records).toEqual([])
  })

  it('[TR-10] a fact that requires evidence is kept and replaced only with some', async () => {
    const { ana } = world()
    const said = await ana.remember({ kind: 'episodic', text: 'Ben: I live in Graz.' })
    const typed = { kind: 'semantic', subject: 'Ben', predicate: 'lives in', object: 'Graz' } as const
    const fact = {
      kind: 'semantic',
      text: 'Ben lives in Graz.',
      typed: { ...typed, requiresEvidence: true },
    } as const
    const bare = { code: 'invalid_input', message: expect.stringContaining('evidence') }
    await expect(ana.remember(fact)).rejects.toMatchObject(bare)
    const { id } = await ana.remember({ ...fact, derivedFrom: [said.id] })
    const by = { text: 'Ben lives in Linz.' }
    await expect(ana.revise({ how: 'supersede', record: id, by })).rejects.toMatchObject(bare)
    const spans = [{ document: said.id, start: 0, end: 5 }]
    const { records } = await ana.revise({ how: 'supersede', record: id, by: { ...by, spans } })
    expect(records).toHaveLength(1)
  })

  it('[TR-10, NI-2] chooses by what worked, counting what the caller sees', async () => {
    const { ana, agent } = world()
    const first = await ana.remember(skill('restart', 'When mail is late restart the mail server.'))
    const second = await ana.remember(skill('flush', 'When mail is late flush the mail queue.'))
    await ana.remember({ kind: 'note', text: 'mail is late' })
    const chosen = async (by = ana) =>
      (await by.select({ task: 'mail is late' })).candidates.map(({ record, successes, failures }) => [
        record.id,
        successes,
        failures,
      ])
    expect(new Set((await chosen()).map(([id]) => id))).toEqual(new Set([first.id, second.id]))
    const low = agent('helper', 'low')
    await low.recordOutcome({ record: second.id, outcome: 'success', note: 'it worked' })
    await low.recordOutcome({ record: first.id, outcome: 'failure' })
    expect(await chosen()).toEqual([
      [second.id, 1, 0],
      [first.id, 0, 1],
    ])
    // What an agent that was shown more tells of it, this one does not see, and it counts for nobody who does not.
    const secret = await ana.remember({ kind: 'note', text: 'secret', sensitivity: 'medium' })
    const other = agent('other', 'medium')
    await other.get(secret.id)
    await other.recordOutcome({ record: first.id, outcome: 'success' })
    expect(await chosen()).toContainEqual([first.id, 1, 1])
    expect(await chosen(low)).toContainEqual([first.id, 0, 1])
    await expect(low.recordOutcome({ record: secret.id, outcome: 'success' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(ana.recordOutcome({ record: secret.id, outcome: 'success' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
