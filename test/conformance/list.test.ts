import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { testClock } from '../../src/testing/clock.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

type Query = NonNullable<Parameters<Handle['list']>[0]>

describe.each(engines)('lists on %s', engine => {
  const clock = testClock()
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { clock })
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    }
    return {
      tenant,
      helper,
      ana: store.privity.as({ tenant, actor: 'ana' }),
      agent: store.privity.as(helper),
    }
  }

  const note: z.input<typeof draft> = { kind: 'note', text: 'note', sensitivity: 'low' }

  /** Writes records at moments of their own, two at a time, so that some share one. */
  async function remember(caller: Handle, records: readonly z.input<typeof draft>[]): Promise<string[]> {
    const ids: string[] = []
    for (let at = 0; at < records.length; at += 2) {
      clock.advance(1_000)
      ids.push(...(await caller.remember(records.slice(at, at + 2))).map(({ id }) => id))
    }
    return ids
  }
  const notes = (count: number, more: Partial<z.input<typeof draft>> = {}) =>
    Array.from({ length: count }, (_, at) => ({ ...note, text: `note ${at}`, ...more }))

  /** All pages of a query, with what happens between them. */
  async function pages(caller: Handle, query: Query, between = async (_page: number) => {}) {
    const found: string[][] = []
    let cursor: string | null = null
    do {
      const answer: Awaited<ReturnType<Handle['list']>> = await caller.list({
        ...query,
        ...(cursor && { cursor }),
      })
      found.push(answer.records.map(({ id }) => id))
      cursor = answer.cursor
      if (cursor !== null) await between(found.length)
    } while (cursor !== null)
    return found
  }
  const ids = async (caller: Handle, query: Query = {}) =>
    (await pages(caller, { limit: 200, ...query })).flat()

  it('[NI-9] orders by creation, then by id, and leaves no gap and no double between pages', async () => {
    const { ana, agent } = world()
    await remember(ana, notes(9))
    const { records } = await ana.list()
    const keys = records.map(({ createdAt, id }) => `${createdAt} ${id}`)
    expect(keys).toEqual(keys.toSorted().reverse())
    expect(new Set(records.map(({ createdAt }) => createdAt)).size).toBe(5)
    const newest = records.map(({ id }) => id)
    for (const order of ['newest', 'oldest'] as const) {
      const expected = order === 'newest' ? newest : newest.toReversed()
      for (const limit of [1, 4, 9]) {
        const found = await pages(ana, { order, limit })
        expect(found.flat()).toEqual(expected)
        const full = Array(Math.ceil(9 / limit) - 1).fill(limit)
        expect(found.map(page => page.length)).toEqual([...full, 9 - full.length * limit])
      }
    }
    expect(await ids(agent)).toEqual(newest)
  })

  it('[WR-2, TR-3] shows no more than metadata where no more is asked for, and labels nothing by it', async () => {
    const { ana, agent, helper } = world()
    await remember(ana, notes(3, { tags: ['t'], scope: 's', corpus: 'c', participants: ['ana'] }))
    await remember(ana, [{ ...note, tags: ['t'], sensitivity: 'medium' }])
    const whole = (await agent.list()).records
    const { records, cursor } = await agent.list({ face: 'metadata', limit: 3 })
    expect(records.map(({ id, face, payload }) => [id, face, payload])).toEqual(
      whole.slice(0, 3).map(({ id }) => [id, 'metadata', null]),
    )
    for (const { provenance, relations, tags, scope } of records)
      expect([provenance, relations, tags, scope]).toEqual([null, [], [], null])
    expect((await agent.list({ face: 'metadata', limit: 3, cursor: cursor ?? '' })).records).toHaveLength(1)
    await expect(agent.list({ limit: 3, cursor: cursor ?? '' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect((await agent.list({ face: 'metadata', corpus: 'c' })).records).toHaveLength(3)
    // Another agent of hers, who is shown nothing but this.
    const reader = store.privity.as({ ...helper, actor: 'reader' })
    await reader.list({ face: 'metadata' })
    const { id } = await reader.remember({ ...note, sensitivity: 'public' })
    expect(await ana.get(id)).toMatchObject({
      sensitivity: 'public',
      scope: null,
      payload: { participants: [] },
    })
  })

  it('[NI-9] goes on where it was while records come and go', async () => {
    const { ana } = world()
    await remember(ana, notes(10))
    const newest = await ids(ana)
    const added: string[] = []
    const down = await pages(ana, { limit: 3 }, async page => {
      added.push(...(await remember(ana, notes(1))))
      // One that was listed, the very one the cursor stands on, and one that is still to come.
      if (page === 1) await ana.forget([newest[0] ?? '', newest[2] ?? '', newest[7] ?? ''])
    })
    expect(down.flat()).toEqual(newest.filter((_, at) => at !== 7))
    const left = newest.filter((_, at) => ![0, 2, 7].includes(at)).reverse()
    const up = await pages(ana, { limit: 4, order: 'oldest' }, async page => {
      if (page === 1) added.push(...(await remember(ana, notes(1))))
    })
    expect(up.flat()).toEqual([...left, ...added])
  })

  it('[NI-9] keeps pages and cursors as they would be without the records that are hidden', async () => {
    const [bare, full] = [world(), world()]
    const hidden: z.input<typeof draft>[] = [
      { ...note, sensitivity: 'high' },
      { ...note, participants: ['ben'] },
      { ...note, visibilityClass: 'sealed' },
      { ...note, document: 'blocked' },
      { ...note, kind: 'ai_synthesis' },
    ]
    await full.ana.overlays.add({ target: { kind: 'document', ref: 'blocked' }, restriction: 'blocked' })
    for (const { text } of notes(7)) {
      clock.advance(1_000)
      await bare.ana.remember({ ...note, text })
      await full.ana.remember([...hidden, { ...note, text }])
    }
    await full.ana.remember(hidden)
    for (const order of ['newest', 'oldest'] as const) {
      for (const limit of [2, 7]) {
        const shape = async ({ agent }: typeof bare) => {
          const texts = new Map((await agent.list()).records.map(({ id, payload }) => [id, payload?.text]))
          return (await pages(agent, { order, limit })).map(page => page.map(id => texts.get(id)))
        }
        expect(await shape(full)).toEqual(await shape(bare))
      }
    }
    expect(await full.agent.list({ limit: 7 })).toMatchObject({ cursor: null })
  })

  it('[NI-9] makes every cursor of one length', async () => {
    const { ana, agent } = world()
    await ana.groups.create({ name: 'family' })
    await remember(ana, notes(4, { tags: ['a much longer tag'], corpus: 'c' }))
    const cursors: (string | null)[] = []
    for (const [caller, query] of [
      [ana, {}],
      [agent, {}],
      [ana, { order: 'oldest' }],
      [ana, { corpus: 'c', tags: ['a much longer tag'], kinds: ['note'] }],
    ] as [Handle, Query][]) {
      const first = await caller.list({ ...query, limit: 1 })
      const second = await caller.list({ ...query, limit: 1, cursor: first.cursor ?? '' })
      cursors.push(first.cursor, second.cursor)
    }
    expect(new Set(cursors).size).toBe(cursors.length)
    expect(new Set(cursors.map(cursor => cursor?.length)).size).toBe(1)
  })

  it('[NI-9] opens a cursor for the caller and the question it was made for, and for no other', async () => {
    const { tenant, helper, ana, agent } = world()
    const there = world()
    await remember(ana, notes(4, { corpus: 'c' }))
    await remember(there.ana, notes(4))
    await ana.people.add({ person: 'ben' })
    const cursor = (await ana.list({ limit: 2 })).cursor ?? ''
    const refused = {
      code: 'invalid_input',
      message: 'cursor: is not valid for this request; ask for the first page again, without a cursor',
    }
    const agents = (await agent.list({ limit: 2 })).cursor ?? ''
    const people = (await ana.people.list({ limit: 1 })).cursor ?? ''
    const foreign = (await there.ana.list({ limit: 2 })).cursor ?? ''
    const asks: [Handle, Query][] = [
      [agent, { cursor }],
      [store.privity.as({ tenant, actor: 'ben' }), { cursor }],
      [store.privity.as({ tenant, actor: 'ana', audience: 'host' }), { cursor }],
      [store.privity.as({ ...helper, actor: 'other' }), { cursor: agents }],
      [there.ana, { cursor }],
      [ana, { cursor: foreign }],
      [ana, { cursor: agents }],
      [ana, { cursor: people }],
      [ana, { cursor, order: 'oldest' }],
      [ana, { cursor, corpus: 'c' }],
      [ana, { cursor, kinds: ['note'] }],
      ...[
        cursor.slice(1),
        cursor.slice(0, -1),
        cursor.slice(0, 30),
        cursor.slice(0, 16),
        'A',
        '',
        ' ',
        `${cursor}A`,
      ].map((cut): [Handle, Query] => [ana, { cursor: cut }]),
      ...[...cursor].map((letter, at): [Handle, Query] => [
        ana,
        { cursor: `${cursor.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}` },
      ]),
    ]
    for (const [caller, query] of asks)
      await expect(caller.list({ limit: 2, ...query }), JSON.stringify(query)).rejects.toMatchObject(refused)
    await expect(ana.people.list({ cursor })).rejects.toMatchObject(refused)
    await expect(ana.list({ cursor: 'x'.repeat(2_001) })).rejects.toMatchObject({ code: 'too_large' })
    // How many, one may change.
    expect((await ana.list({ cursor, limit: 200 })).records).toHaveLength(2)
  })

  it('[NI-9] takes limits from 1 to 200, and 50 where none is given', async () => {
    const { ana } = world()
    await ana.remember(notes(60))
    expect((await ana.list()).records).toHaveLength(50)
    expect((await ana.list({ limit: 1 })).records).toHaveLength(1)
    expect((await ana.list({ limit: 200 })).records).toHaveLength(60)
    for (const limit of [
      0,
      -1,
      201,
      1e9,
      2 ** 53,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '5',
      null,
      [],
      true,
    ])
      await expect(ana.list({ limit: limit as never })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(ana.list({ order: 'best' as never })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('finds by each filter alone and by several together', async () => {
    const { ana } = world()
    const group = await ana.groups.create({ name: 'family' })
    const start = clock.now().getTime()
    const at = (seconds: number) => new Date(start + seconds * 1_000)
    const [a, b, c, d] = (await remember(ana, [
      {
        ...note,
        kind: 'episodic',
        tags: ['x', 'y'],
        corpus: 'c',
        participants: ['ben', 'cleo'],
        fields: { n: 1 },
      },
      {
        ...note,
        tags: ['x'],
        corpus: 'd',
        participants: ['ben'],
        fields: { n: 1, deep: { list: [1, 2], s: 'v' } },
      },
      { ...note, kind: 'semantic', tags: ['X'], corpus: 'c', participants: ['cleo'], fields: { n: '1' } },
      { ...note, owner: group.principal, corpus: 'c', participants: ['ben'], fields: { n: null } },
    ])) as [string, string, string, string]
    const cases: [Query, string[]][] = [
      [{}, [a, b, c, d]],
      [{ kinds: ['episodic'] }, [a]],
      [{ kinds: ['note', 'semantic'] }, [b, c, d]],
      [{ kinds: ['need'] }, []],
      [{ tags: ['x'] }, [a, b]],
      [{ tags: ['y', 'x'] }, [a]],
      [{ tags: ['x', 'z'] }, []],
      [{ createdAfter: at(1) }, [a, b, c, d]],
      [{ createdAfter: at(2) }, [c, d]],
      [{ createdBefore: at(2) }, [a, b]],
      [{ createdAfter: at(1), createdBefore: at(1) }, []],
      [{ createdAfter: at(2).toISOString().replace('Z', '+00:00') }, [c, d]],
      [{ owner: 'ana' }, [a, b, c]],
      [{ owner: group.principal }, [d]],
      [{ owner: 'ben' }, []],
      [{ corpus: 'c' }, [a, c, d]],
      [{ corpus: 'C' }, []],
      [{ people: ['ben'] }, [a, b, d]],
      [{ people: ['cleo', 'ben'] }, [a]],
      [{ people: ['nobody'] }, []],
      [{ fields: { n: 1 } }, [a, b]],
      [{ fields: { n: '1' } }, [c]],
      [{ fields: { n: null } }, [d]],
      [{ fields: { deep: { s: 'v' } } }, [b]],
      [{ fields: { deep: { list: [2] }, n: 1 } }, [b]],
      [{ fields: { deep: { s: 'w' } } }, []],
      [{ kinds: ['note'], tags: ['x'], corpus: 'd', people: ['ben'], fields: { n: 1 }, owner: 'ana' }, [b]],
      [{ corpus: 'c', people: ['cleo'], createdBefore: at(2) }, [a]],
      [{ corpus: 'c', tags: ['x'], kinds: ['note'] }, []],
    ]
    for (const [query, expected] of cases)
      expect((await ids(ana, query)).sort(), JSON.stringify(query)).toEqual(expected.toSorted())
    expect(await pages(ana, { corpus: 'c', limit: 1, order: 'oldest' })).toEqual([[a], ...[[c], [d]].sort()])
  })

  it('[NI-3, TR-3] finds a lesser face by what it shows, and by nothing it leaves out', async () => {
    const { ana, agent } = world()
    const more = { tags: ['x'], corpus: 'c', participants: ['ana'], fields: { n: 1 } }
    const [full, metadata, preview] = (await remember(ana, [
      { ...note, ...more },
      { ...note, ...more, sensitivity: 'medium' },
      { ...note, ...more, document: 'memo' },
    ])) as [string, string, string]
    await ana.overlays.add({ target: { kind: 'document', ref: 'memo' }, restriction: 'preview_only' })
    const all = [full, metadata, preview].sort()
    const shown: Query[] = [{ kinds: ['note'] }, { tags: ['x'] }, { createdBefore: '2900-01-01T00:00:00Z' }]
    for (const query of shown) expect((await ids(agent, query)).sort()).toEqual(all)
    const left: Query[] = [{ owner: 'ana' }, { corpus: 'c' }, { people: ['ana'] }, { fields: { n: 1 } }]
    for (const query of left) {
      expect(await ids(agent, query), JSON.stringify(query)).toEqual([full])
      expect(await pages(agent, { ...query, tags: ['x'], limit: 1 })).toEqual([[full]])
    }
  })
})
