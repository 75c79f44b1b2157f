import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('capturing conversations, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const agent = (maxSensitivity: 'low' | 'medium' | 'high') =>
      store.privity.as({
        tenant,
        actor: `helper-${maxSensitivity}`,
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity },
      })
    return { ana, agent }
  }
  const at = (day: number) => `2026-05-0${day}T10:00:00Z`

  it('[WR-5, SC-8] keeps turns in order with speaker, time and reply, and facts with their places, people and validity', async () => {
    const { ana } = world()
    const { conversation, turns, facts } = await ana.capture({
      messages: [
        { id: 'a', text: 'Hi, where do you live now?', at: at(1) },
        { id: 'b', replyTo: 'a', speaker: 'Ben', text: 'Well, I moved to Graz. I like chess.', at: at(2) },
        { role: 'assistant', text: 'I like chess as well.', at: at(2) },
      ],
    })
    const kept = await Promise.all(turns.map(({ id }) => ana.get(id)))
    expect(
      kept.map(each => {
        const { conversation, turn, speaker, participants } = each?.payload ?? {}
        return [each?.kind, conversation, turn, speaker, participants]
      }),
    ).toEqual([
      ['episodic', conversation, 1, 'ana', []],
      ['episodic', conversation, 2, 'Ben', ['Ben']],
      ['episodic', conversation, 3, 'assistant', []],
    ])
    expect(kept.map(each => each?.payload?.occurredAt?.slice(0, 10))).toEqual([
      '2026-05-01',
      '2026-05-02',
      '2026-05-02',
    ])
    expect(kept[1]?.relations).toContainEqual(
      expect.objectContaining({ type: 'replies_to', record: turns[0]?.id }),
    )
    expect(facts.map(({ text, outcome, turns: told }) => [text, outcome, told])).toEqual([
      ['Ben lives in Graz', 'new', [turns[1]?.id]],
      ['Ben likes chess', 'new', [turns[1]?.id]],
    ])
    const lives = await ana.get(facts[0]?.record ?? '')
    expect(lives).toMatchObject({
      kind: 'semantic',
      confidence: 0.8,
      payload: {
        participants: ['Ben'],
        spans: [{ document: turns[1]?.id, start: 6, end: 21 }],
        validFrom: '2026-05-02T10:00:00.000Z',
        fields: { fact: { subject: 'Ben', attribute: 'lives in', value: 'Graz', by: 'ben' } },
      },
    })
    // Forgetting what was said forgets what was made of it.
    await ana.forget([turns[1]?.id ?? ''])
    expect(await ana.get(facts[0]?.record ?? '')).toBeNull()
  })

  it('[WR-5, TR-9] reinforces what is said again, supersedes what changed, contests what contradicts', async () => {
    const { ana } = world()
    const say = async (text: string, day: number, speaker = 'Ben') =>
      (await ana.capture({ conversation: 'talk', messages: [{ text, speaker, at: at(day) }] })).facts
    const [first] = await say('I live in Graz.', 1)
    const before = await ana.get(first?.record ?? '')
    const [again] = await say('As I said, I live in graz!', 2).then(() => say('I live in graz!', 2))
    expect(again).toMatchObject({ outcome: 'reinforced', record: first?.record })
    const stronger = await ana.get(first?.record ?? '')
    expect(stronger?.salience).toBeGreaterThan(before?.salience ?? 1)
    expect(stronger?.confidence).toBeGreaterThan(before?.confidence ?? 1)

    const [moved] = await say('I moved to Linz.', 3)
    expect(moved).toMatchObject({ outcome: 'superseded', text: 'Ben lives in Linz' })
    expect(await ana.get(first?.record ?? '')).toBeNull()
    const { versions } = await ana.history(moved?.record ?? '')
    expect(
      versions.map(({ record, lifecycle }) => [record.payload?.text, lifecycle, record.payload?.validTo]),
    ).toEqual([
      ['Ben lives in Graz', 'superseded', '2026-05-03T10:00:00.000Z'],
      ['Ben lives in Linz', 'active', null],
    ])
    // What is told late, of an earlier time, replaces nothing.
    expect(await say('I live in Wels.', 2)).toMatchObject([{ outcome: 'past' }])
    expect(
      (await ana.search('where does Ben live', { kinds: ['semantic'] })).results.map(
        ({ record }) => record.payload?.text,
      ),
    ).toEqual(['Ben lives in Linz'])

    const [born] = await say('My birthday is on 3 May.', 4)
    const contested = async (record = '') => (await ana.get(record))?.payload?.contested
    const [other] = await say("Ben's birthday is on 4 May.", 5, 'Carla')
    expect(other?.outcome).toBe('contested')
    // What has a lesser label than the turn that contradicts it is left as it is.
    expect([await contested(other?.record), await contested(born?.record)]).toEqual([true, false])
    const [mine] = await say("Ben's birthday is on 5 May.", 6, 'ana')
    expect(mine?.outcome).toBe('contested')
    expect([await contested(mine?.record), await contested(born?.record)]).toEqual([true, true])
    // Taking it back opens its validity again.
    await ana.undo(first?.record ?? '')
    expect((await ana.get(first?.record ?? ''))?.payload).toMatchObject({
      text: 'Ben lives in Graz',
      validTo: null,
    })
  })

  it('[WR-5, NI-1, TR-7] a fact has the label of its turns, and stricter turns change no fact that others see', async () => {
    const { ana, agent } = world()
    const say = async (text: string, sensitivity: 'low' | 'high') =>
      (await ana.capture({ messages: [{ text }], sensitivity })).facts[0]
    const low = await say('I live in Graz.', 'low')
    const high = await say('I moved to Linz.', 'high')
    expect([low?.outcome, high?.outcome]).toEqual(['new', 'new'])
    expect(await ana.get(high?.record ?? '')).toMatchObject({ sensitivity: 'high' })
    expect(await agent('low').get(low?.record ?? '')).toMatchObject({ payload: { validTo: null } })
    // An agent that does not see a fact is told nothing of it: its own is new.
    const { facts } = await agent('low').capture({
      messages: [{ text: 'I live in Linz.' }],
      sensitivity: 'low',
    })
    expect(facts).toMatchObject([{ outcome: 'superseded', readable: true }])
    expect(await ana.get(high?.record ?? '')).toMatchObject({ payload: { text: 'ana lives in Linz' } })
  })

  it('[WR-5, PC-1] keeps a message once, numbers on, and counts the consent of those who are spoken of', async () => {
    const { ana, agent } = world()
    const messages = [{ id: '1', text: 'My brother Tom works at Siemens.' }]
    const { turns, facts } = await ana.capture({ conversation: 'talk', messages })
    const more = await ana.capture({
      conversation: 'talk',
      messages: [...messages, { id: '2', text: 'Right.' }],
    })
    expect(more.turns.map(({ id, isNew }) => [id, isNew])).toEqual([
      [turns[0]?.id, false],
      [more.turns[1]?.id, true],
    ])
    expect(more.facts).toEqual([])
    expect(await ana.get(more.turns[1]?.id ?? '')).toMatchObject({ payload: { turn: 2 } })
    expect(await agent('high').get(facts[0]?.record ?? '')).toBeNull()
    await ana.people.consent({ person: 'tom', status: 'granted' })
    expect(await agent('high').get(facts[0]?.record ?? '')).toMatchObject({
      payload: { text: 'Tom works at Siemens' },
    })
    await expect(ana.capture({ messages: [] })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(ana.capture({ messages: [{ text: ' ' }] })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(
      ana.capture({
        messages: [
          { id: 'x', text: 'a' },
          { id: 'x', text: 'b' },
        ],
      }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(ana.capture({ owner: 'ben', messages: [{ text: 'a' }] })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
