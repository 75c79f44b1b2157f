import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { OpenOptions, Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { few, times } from '../support/depth.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

type Draft = z.input<typeof draft>
const note: Draft = { kind: 'note', text: 'word', sensitivity: 'low' }

/** Enough that an index is worth keeping. */
const MANY = 320
/** Who write, forget and read at the same time. */
const MANY_AT_ONCE = times(16, 50)

describe.each(engines)('the index on %s', engine => {
  let store: SharedStore
  const opened: Privity[] = []
  const statements: string[] = []
  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => statements.push(sql) })
  })
  beforeEach(() => {
    statements.length = 0
  })
  afterAll(async () => {
    for (const instance of opened) await instance.close()
    await store.dispose()
  })

  async function start(options?: Pick<OpenOptions, 'indexMemory'>): Promise<Privity> {
    const instance = await store.instance(undefined, options)
    opened.push(instance)
    return instance
  }

  function callers(instance: Privity, tenant: string) {
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    }
    return { ana: instance.as({ tenant, actor: 'ana' }), agent: instance.as(helper) }
  }

  /** How often the records of a cell were read one after the other, to make its index. */
  const scans = () =>
    statements.filter(sql => /from privity\.records r/.test(sql) && /and r\.cell = \$2/.test(sql)).length
  const kept = (tenant: string) =>
    store.sql<{ cell: string; bytes: number }>(
      'select cell, length(bytes) as bytes from privity.index_parts where tenant_id = $1 order by cell, part',
      [tenant],
    )
  const KEPT = [{ cell: 'user:ana', bytes: expect.any(Number) }]

  /** All that searches say, but for ids and times that every search has of its own. */
  async function answers(...asking: Handle[]): Promise<string> {
    const said: unknown[] = []
    for (const caller of asking) {
      for (const [query, asked] of [
        ['apple', { limit: 100, facets: ['kind', 'tag', 'corpus', 'person', 'sensitivity', 'scope'] }],
        ['apple pear -plum', { limit: 20 }],
        ['"green apple" app*', { corpus: 'odd' }],
        ['aple', {}],
        ['pear', { fields: { third: true }, tags: ['t1'] }],
        ['apples', { occurredAfter: new Date(0), people: ['ben'] }],
      ] as [string, Parameters<Handle['search']>[1]][]) {
        const { receipt, expansions, cursor: _, ...found } = await caller.search(query, asked)
        const { searchedCount, scopeDigest, resultSetCompleteness } = receipt
        const terms = expansions.map(({ expansionKind, appliedTerms }) => [expansionKind, appliedTerms])
        said.push([query, found, terms, { searchedCount, scopeDigest, resultSetCompleteness }])
      }
      said.push(await caller.complete('a'), await caller.complete('gr'))
    }
    // What a record's salience is depends on when it is asked for.
    return JSON.stringify(said, (key, value) => (key === 'salience' ? undefined : value))
  }

  const orchard = (count: number): Draft[] =>
    Array.from({ length: count }, (_, at) => ({
      ...note,
      kind: at % 3 ? 'note' : 'episodic',
      title: `number ${at}`,
      text: `${'apple '.repeat(at % 4)}${at % 5 ? 'pear' : 'green apples'} ${at % 7 ? 'plum' : ''} ${'x '.repeat(at % 11)}`,
      tags: [`t${at % 6}`, 'apple'].slice(0, 1 + (at % 2)),
      fields: { third: at % 3 === 0 },
      ...(at % 2 ? { corpus: 'odd' } : {}),
      ...(at % 13 ? {} : { occurredAt: new Date(at * 1_000), participants: ['ben'] }),
      sensitivity: (['low', 'medium', 'high', 'public'] as const)[at % 4] ?? 'low',
      ...(at % 17 ? {} : { visibilityClass: 'sealed' }),
    }))

  async function plant(instance: Privity, tenant: string) {
    const { ana } = callers(instance, tenant)
    await ana.people.add({ person: 'ben' })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    return ana.remember(orchard(MANY))
  }

  it('[NI-7] a second instance finds at once what the first wrote, and follows what it changes', async () => {
    const tenant = store.tenant()
    const [here, there] = [callers(await start(), tenant), callers(await start(), tenant)]
    const { id } = await here.ana.remember({ ...note, title: 'one' })
    const found = async () =>
      (await there.agent.search('word')).results.map(({ record }) => record.payload?.title ?? record.id)
    expect(await found()).toEqual(['one'])
    await here.ana.remember([{ ...note, title: 'two' }])
    expect((await found()).sort()).toEqual(['one', 'two'])
    await here.ana.relabel({ record: id, sensitivity: 'high' })
    expect(await found()).toEqual(['two'])
    await here.ana.relabel({ record: id, sensitivity: 'low' })
    await here.ana.revise({ how: 'supersede', record: id, by: { title: 'three', text: 'word' } })
    expect((await found()).sort()).toEqual(['three', 'two'])
    const { results } = await there.ana.search('word')
    await here.ana.forget(results.map(({ record }) => record.id))
    expect(await found()).toEqual([])
    expect(await there.agent.search('word')).toMatchObject({ count: 0, receipt: { searchedCount: 0 } })
  })

  it('[NI-8] a start from the kept index reads no records one by one and answers to the byte as a new one', async () => {
    const tenant = store.tenant()
    const first = await start()
    const [moved, replaced, contested] = await plant(first, tenant)
    const { ana, agent } = callers(first, tenant)
    const before = await answers(ana, agent)
    await first.close()
    expect(await kept(tenant)).toEqual(KEPT)

    statements.length = 0
    const second = callers(await start(), tenant)
    expect(await answers(second.ana, second.agent)).toBe(before)
    // Of the cells that ana could see anything in, one is empty, and too small to be kept.
    const warm = scans()
    expect(warm).toBe(1)

    // What changed since it was kept is taken in.
    await second.ana.remember({ ...note, title: 'late', text: 'green apple' })
    await second.ana.relabel({ record: moved?.id ?? '', sensitivity: 'low', tags: ['apple', 't1'] })
    await second.ana.revise({ how: 'supersede', record: replaced?.id ?? '', by: { text: 'apple apple' } })
    await second.ana.revise({ how: 'contest', record: contested?.id ?? '' })
    const after = await answers(second.ana, second.agent)
    expect(after).not.toBe(before)
    statements.length = 0
    const third = callers(await start(), tenant)
    expect(await answers(third.ana, third.agent)).toBe(after)
    expect(scans()).toBe(warm)

    await store.sql('delete from privity.index_parts where tenant_id = $1', [tenant])
    statements.length = 0
    const rebuilt = callers(await start(), tenant)
    expect(await answers(rebuilt.ana, rebuilt.agent)).toBe(after)
    expect(scans()).toBe(warm + 1)
  })

  const UNUSABLE = [
    ['restored from a dump', "written_by = '1'::xid8"],
    ['of another format', 'format = format + 1, written_by = pg_current_xact_id()'],
    ['of an older format', 'format = format - 1, written_by = pg_current_xact_id()'],
    ['touched by anything else', 'bytes = bytes'],
  ] as const
  it.each(few(UNUSABLE, 2))('[NI-8] a kept index %s is not used, and made anew', async (_, change) => {
    const tenant = store.tenant()
    const first = await start()
    await plant(first, tenant)
    const before = await answers(callers(first, tenant).agent)
    await first.close()
    expect(await kept(tenant)).toEqual(KEPT)
    await store.sql(`update privity.index_parts set ${change} where tenant_id = $1`, [tenant])
    statements.length = 0
    const second = await start()
    expect(await answers(callers(second, tenant).agent)).toBe(before)
    expect(scans()).toBe(2)
    await second.close()
    // And the new one is kept in its place.
    statements.length = 0
    const third = await start()
    expect(await answers(callers(third, tenant).agent)).toBe(before)
    expect(scans()).toBe(1)
  })

  const DAMAGED = [
    ['cut short', 'substring(bytes for 100)'],
    ['empty', "''::bytea"],
    ['of zeros', "decode(repeat('00', 4096), 'hex')"],
  ] as const
  it.each(
    few(DAMAGED, 1),
  )('[NI-8] a kept index that is damaged (%s) costs time and no answer', async (_, bytes) => {
    const tenant = store.tenant()
    const first = await start()
    await plant(first, tenant)
    const before = await answers(callers(first, tenant).agent)
    await first.close()
    await store.sql(
      `update privity.index_parts set bytes = ${bytes}, written_by = pg_current_xact_id() where tenant_id = $1`,
      [tenant],
    )
    const second = await start()
    expect(await answers(callers(second, tenant).agent)).toBe(before)
  })

  it('[AU-4] forgetting takes the kept index of the cell with it: no byte of a word is left in any table', async () => {
    const tenant = store.tenant()
    const first = await start()
    const { ana, agent } = callers(first, tenant)
    await plant(first, tenant)
    const [secret, other] = await ana.remember([
      { ...note, title: 'Zqtitle', text: 'apple zqbody', tags: ['zqtag'], fields: { zqfield: 'zqvalue' } },
      { ...note, text: 'zqstays' },
    ])
    const words = ['zqtitle', 'zqbody', 'zqtag', 'zqfield', 'zqvalue']
    const left = async () => {
      const rows = await dumpTables(store.sql)
      const forms = words.map(word => [word, Buffer.from(word).toString('hex')])
      return [
        ...new Set(
          rows.flatMap(({ table, row }) =>
            forms.flatMap(([word = '', hex = '']) => {
              const text = row.toLowerCase()
              return text.includes(word) || text.includes(hex) ? [`${word} in ${table}`] : []
            }),
          ),
        ),
      ].sort()
    }
    expect((await agent.search('zqbody')).count).toBe(1)
    await first.close()
    expect(await kept(tenant)).toEqual(KEPT)
    expect(await left()).toEqual(expect.arrayContaining(['zqbody in index_parts', 'zqbody in records']))

    // Another instance has it in memory, and keeps searching.
    const second = callers(await start(), tenant)
    expect((await second.agent.search('zqbody')).count).toBe(1)
    const third = await start()
    await callers(third, tenant).ana.forget(secret?.id ?? '')
    expect(await kept(tenant)).toEqual([])
    expect(await left()).toEqual([])
    for (const caller of [second.agent, second.ana, callers(third, tenant).agent]) {
      expect((await caller.search('zqbody')).count).toBe(0)
      expect(await caller.complete('zqb')).toEqual({ completions: [] })
    }
    await third.close()
    const fourth = await start()
    expect((await callers(fourth, tenant).agent.search('zqstays')).results[0]?.record.id).toBe(other?.id)
    await fourth.close()
    expect(await kept(tenant)).toEqual(KEPT)
    expect(await left()).toEqual([])
  })

  it('[AU-4] an index that is merged after much was forgotten holds nothing of it when it is kept', async () => {
    const tenant = store.tenant()
    const first = await start()
    const { ana, agent } = callers(first, tenant)
    const stored: { id: string }[] = []
    for (let at = 0; at < 1_100; at += 550)
      stored.push(
        ...(await ana.remember(
          Array.from({ length: 550 }, (_, n) => ({ ...note, text: `apple zw${at + n}end` })),
        )),
      )
    expect((await agent.search('apple')).count).toBe(1_100)
    await ana.forget(stored.slice(0, 600).map(({ id }) => id))
    expect((await agent.search('apple')).count).toBe(500)
    expect((await agent.search('zw599end zw600end')).count).toBe(1)
    await expect.poll(() => kept(tenant), { timeout: 20_000 }).not.toEqual([])
    await first.close()
    const rows = await store.sql<{ row: string }>(
      'select t::text as row from privity.index_parts t where tenant_id = $1',
      [tenant],
    )
    // It was merged and kept again: what is left is in it.
    const held = Buffer.from('zw600end').toString('hex')
    expect(rows.some(({ row }) => row.includes(held))).toBe(true)
    for (const at of [0, 1, 42, 549, 550, 599]) {
      const hex = Buffer.from(`zw${at}end`).toString('hex')
      for (const { row } of rows) expect(row.includes(hex), `zw${at}end`).toBe(false)
    }
    const second = callers(await start(), tenant)
    expect((await second.agent.search('apple')).count).toBe(500)
    expect((await second.agent.search('zw600end')).count).toBe(1)
  })

  it('[NI-8] index.rebuild makes it again from the records, for owners only', async () => {
    const tenant = store.tenant()
    const first = await start()
    const { ana, agent } = callers(first, tenant)
    const [, second] = await plant(first, tenant)
    const before = await answers(ana, agent)
    await expect(agent.index.rebuild()).rejects.toMatchObject({ code: 'not_allowed' })
    statements.length = 0
    expect(await ana.index.rebuild()).toEqual({ rebuilt: true })
    expect(await kept(tenant)).toEqual([])
    expect(await answers(ana, agent)).toBe(before)
    expect(scans()).toBe(1)
    // What was changed behind everybody's back is seen from then on, and not before.
    await store.sql(`update privity.records set text = 'zebra' where tenant_id = $1 and record_id = $2`, [
      tenant,
      second?.id ?? '',
    ])
    expect((await ana.search('zebra')).count).toBe(0)
    await ana.index.rebuild()
    expect((await ana.search('zebra')).results.map(({ record }) => record.id)).toEqual([second?.id])
  })

  it('[NI-8] parts of any number and size answer to the byte as one', async () => {
    const tenant = store.tenant()
    const { ana, agent } = callers(await start(), tenant)
    await ana.people.add({ person: 'ben' })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    const records = orchard(times(45, 90))
    for (let at = 0, size = 1; at < records.length; at += size, size = (size % 4) + 1) {
      const stored = await ana.remember(records.slice(at, at + size))
      await agent.search('apple')
      if (at % 3 === 0) await ana.relabel({ record: stored[0]?.id ?? '', tags: [`t${at % 6}`] })
      if (at % 5 === 0) await ana.forget(stored.at(-1)?.id ?? '')
    }
    const before = await answers(ana, agent)
    await ana.index.rebuild()
    expect(await answers(ana, agent)).toBe(before)
    const fresh = callers(await start(), tenant)
    expect(await answers(fresh.ana, fresh.agent)).toBe(before)
  })

  it('[NI-8] an instance with room for no index gives the same answers', async () => {
    const tenants = Array.from({ length: times(2, 3) }, () => store.tenant())
    const [roomy, cramped] = [await start(), await start({ indexMemory: 0 })]
    for (const tenant of tenants) {
      const { ana } = callers(roomy, tenant)
      await ana.people.add({ person: 'ben' })
      await ana.people.consent({ person: 'ben', status: 'granted' })
      await ana.remember(orchard(40))
    }
    const inTurn = async (instance: Privity) => {
      const said: string[] = []
      statements.length = 0
      for (const tenant of [...tenants, ...tenants]) said.push(await answers(callers(instance, tenant).agent))
      return { said, scans: scans() }
    }
    const expected = await inTurn(roomy)
    const found = await inTurn(cramped)
    expect(found.said).toEqual(expected.said)
    // It had to make each anew.
    expect(expected.scans).toBe(2 * tenants.length)
    expect(found.scans).toBe(4 * tenants.length)
  })

  it('[NI-7] many writers and readers at once: what a write returned, the next search finds', async () => {
    const tenant = store.tenant()
    const [here, there] = [callers(await start(), tenant), callers(await start(), tenant)]
    await here.ana.remember(note)
    const lost: string[] = []
    await Promise.all(
      Array.from({ length: MANY_AT_ONCE }, async (_, at) => {
        const word = `unique${at}`
        const { id } = await (at % 2 ? here : there).ana.remember({ ...note, text: `word ${word}` })
        for (const caller of [here.agent, there.agent, here.ana]) {
          const { results } = await caller.search(word, { stemming: false })
          if (results[0]?.record.id !== id) lost.push(word)
        }
      }),
    )
    expect(lost).toEqual([])
    for (const { agent } of [here, there]) expect((await agent.search('word')).count).toBe(MANY_AT_ONCE + 1)
  })

  it('[NI-7] many who forget and read at once: what was forgotten, no search after it finds', async () => {
    const tenant = store.tenant()
    const [here, there] = [callers(await start(), tenant), callers(await start(), tenant)]
    const stored = await here.ana.remember(
      Array.from({ length: MANY_AT_ONCE }, (_, at) => ({ ...note, text: `word unique${at}` })),
    )
    const found: string[] = []
    await Promise.all(
      stored.map(async ({ id }, at) => {
        await (at % 2 ? here : there).ana.forget(id)
        for (const { agent } of [here, there])
          if ((await agent.search(`unique${at}`, { stemming: false })).count > 0) found.push(id)
      }),
    )
    expect(found).toEqual([])
  })
})
