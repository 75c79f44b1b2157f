import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import type { draft } from '../../src/runtime/draft.js'
import { type TestClock, testClock } from '../../src/testing/clock.js'
import { type TestEmbedding, testEmbedding } from '../../src/testing/embedding.js'
import { times } from '../support/depth.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

type Draft = z.input<typeof draft>
type Found = Awaited<ReturnType<Handle['search']>>

const SAME = [
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician'],
]
const DAY = 86_400_000

const semantic = (text: string, more: Partial<Draft> = {}): Draft => ({
  kind: 'semantic',
  sensitivity: 'low',
  text,
  ...more,
})
const texts = ({ results }: Found) => results.map(({ record }) => record.payload?.text ?? null)

describe.each(engines)('meaning on %s', engine => {
  let store: SharedStore
  const opened: Privity[] = []
  beforeAll(async () => {
    store = await sharedStore(engine)
  })
  afterEach(async () => {
    for (const instance of opened.splice(0)) await instance.close()
  })
  afterAll(() => store.dispose())

  let started = 0
  async function start(embedding: readonly TestEmbedding[], clock: TestClock = testClock()) {
    clock.seed(`instance ${started++}`)
    const instance = await store.instance(clock, { embedding })
    opened.push(instance)
    return instance
  }

  /** An owner and its agent, in a tenant of their own, and what the owner remembers. */
  async function world(
    embedding: readonly TestEmbedding[],
    drafts: readonly Draft[],
    clock: TestClock = testClock(),
  ) {
    const tenant = store.tenant()
    const privity = await start(embedding, clock)
    const as = (instance: Privity) => ({
      ana: instance.as({ tenant, actor: 'ana' }),
      agent: instance.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'low' },
      }),
    })
    const { ana, agent } = as(privity)
    const records = drafts.length === 0 ? [] : await ana.remember(drafts)
    const ids = records.map(({ id }) => id)
    await privity.caughtUp()
    return { tenant, privity, as, ana, agent, ids, clock }
  }

  describe('finding', () => {
    it('what means the same in other words', async () => {
      const { ana } = await world(
        [testEmbedding({ same: SAME })],
        [semantic('automobile'), semantic('physician'), semantic('garden')],
      )
      const hybrid = await ana.search('car')
      expect(texts(hybrid)).toEqual(['automobile'])
      expect(hybrid.receipt.meaning).toEqual([{ model: 'test/1', state: 'used', waiting: 0 }])
      expect(hybrid.receipt.resultSetCompleteness).toBe('exhaustive_for_scope')
      expect((await ana.search('car', { mode: 'text' })).count).toBe(0)
      const vector = await ana.search('car', { mode: 'vector' })
      expect(texts(vector)[0]).toBe('automobile')
      expect(vector.count).toBe(3)
    })

    it('[RC-4] only what is nearer than a distance', async () => {
      const { ana } = await world(
        [testEmbedding({ same: SAME })],
        [semantic('car'), semantic('automobile garden'), semantic('physician')],
      )
      const within = async (maxDistance: number) =>
        texts(await ana.search('car', { mode: 'vector', maxDistance }))
      const all = await ana.search('car', { mode: 'vector', explain: true })
      const distances = all.results.map(({ scores }) => 1 - (scores.parts?.[0]?.raw ?? 9))
      const [none = 9, half = 9, far = 9] = distances
      expect(none).toBeCloseTo(0, 12)
      expect(half).toBeGreaterThan(0.05)
      expect(far).toBeGreaterThan(half)
      // Under a distance is not at it.
      expect(await within(half)).toEqual(['car'])
      expect(await within(half + 1e-12)).toEqual(['car', 'automobile garden'])
      expect(await within(2)).toHaveLength(3)
      expect(await within(0)).toEqual([])
      expect((await ana.search('car', { maxDistance: 0.3 })).count).toBe(half < 0.3 ? 2 : 1)
    })

    it('leaves out what is excluded, whatever it means', async () => {
      const { ana } = await world(
        [testEmbedding({ same: SAME })],
        [semantic('automobile red'), semantic('automobile blue')],
      )
      expect(texts(await ana.search('car -red', { maxDistance: 1 }))).toEqual(['automobile blue'])
      expect(texts(await ana.search('"automobile blue" car', { maxDistance: 1 }))).toEqual([
        'automobile blue',
      ])
    })

    it('[QX-1] [QX-2] words near in meaning count when asked for, where something visible has them', async () => {
      const { ana, agent } = await world(
        [testEmbedding({ same: SAME })],
        [semantic('my old automobile'), semantic('a vehicle', { sensitivity: 'hyper' })],
      )
      const plain = await ana.search('car', { mode: 'text' })
      expect([plain.count, plain.expansions]).toEqual([0, []])
      const own = await ana.search('car', { mode: 'text', neighbours: true })
      expect(own.expansions).toMatchObject([
        {
          expansionKind: 'embedding_neighbor',
          appliedTerms: ['automobile', 'vehicle'],
          expansionSource: 'built_in',
        },
      ])
      const theirs = await agent.search('car', { mode: 'text', neighbours: true })
      expect(texts(theirs)).toEqual(['my old automobile'])
      expect(theirs.expansions).toMatchObject([{ appliedTerms: ['automobile'] }])
      const kept = await ana.receipts.get(own.receipt.searchRunId)
      expect(kept?.expansions).toMatchObject([{ appliedTerms: ['automobile', 'vehicle'] }])
    })

    it('[NI-4] a lesser face is not found by what the record means', async () => {
      const provider = testEmbedding({ same: SAME })
      const { ana, agent, ids } = await world(
        [provider],
        [semantic('automobile', { sensitivity: 'medium', tags: ['red'] }), semantic('garden')],
      )
      expect((await agent.search('car', { mode: 'vector' })).results.map(({ record }) => record.id)).toEqual([
        ids[1],
      ])
      const found = await agent.search('red', { explain: true })
      expect(found.results).toMatchObject([{ record: { id: ids[0], face: 'metadata' } }])
      expect(found.results[0]?.scores.parts).toMatchObject([
        { part: 'text' },
        { part: 'vector:test/1', raw: null, normalised: 0 },
      ])
      expect((await ana.search('car')).count).toBe(1)
    })
  })

  describe('scores', () => {
    it('[SC-4, SC-7] are made of a convex sum of how much of the words a record has and how near it is', async () => {
      const { ana } = await world(
        [testEmbedding({ same: SAME, weight: 0.3 })],
        [semantic('car repair shop'), semantic('automobile'), semantic('physician'), semantic('repair')],
      )
      const { results } = await ana.search('car repair', { explain: true, maxDistance: 2 })
      expect(results).toHaveLength(4)
      for (const { score, scores } of results) {
        const parts = scores.parts ?? []
        expect(parts.map(({ part }) => part)).toEqual(['text', 'vector:test/1'])
        expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12)
        const sum = parts.reduce((whole, { weight, normalised }) => whole + weight * normalised, 0)
        expect(Math.round((sum / (sum + 0.5)) * 2 ** 20) / 2 ** 20).toBe(score)
      }
      for (const part of [0, 1]) {
        const normalised = results.map(({ scores }) => scores.parts?.[part]?.normalised ?? -1)
        expect(Math.min(...normalised)).toBeGreaterThanOrEqual(0)
        expect(Math.max(...normalised)).toBeGreaterThan(0.5)
      }
      expect((await ana.search('car repair')).results[0]?.scores.parts).toBeUndefined()
    })

    it('[NI-2] [SC-4] do not move with what is hidden', async () => {
      const drafts = [semantic('car repair shop'), semantic('automobile'), semantic('physician')]
      const hidden = ['vehicle car car', 'zebra', 'car'].map(text => semantic(text, { sensitivity: 'hyper' }))
      const answers: unknown[] = []
      for (const all of [drafts, [...hidden, ...drafts], [...drafts, ...hidden]]) {
        const { agent } = await world([testEmbedding({ same: SAME })], all)
        const { results, count, receipt } = await agent.search('car repair', {
          explain: true,
          maxDistance: 2,
        })
        answers.push([
          count,
          receipt.meaning,
          results.map(({ record, score, scores }) => [record.payload?.text, score, scores]),
        ])
      }
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
    })

    it('[SC-5] recency counts from the first page', async () => {
      const clock = testClock()
      const { ana, privity } = await world([], [semantic('garden old')], clock)
      for (const text of ['garden newer', 'garden newest']) {
        clock.advance(10 * DAY)
        await ana.remember(semantic(text))
      }
      await privity.caughtUp()
      const recency = { weight: 1, halfLifeDays: 10 }
      const whole = await ana.search('garden', { recency, explain: true })
      expect(texts(whole)).toEqual(['garden newest', 'garden newer', 'garden old'])
      expect(whole.results.map(({ score }) => score)).toEqual([1, 0.5, 0.25])
      const pages: Found[] = []
      let cursor: string | null = null
      do {
        const page: Found = await ana.search('garden', { recency, limit: 1, ...(cursor && { cursor }) })
        pages.push(page)
        cursor = page.cursor
        clock.advance(7 * DAY)
      } while (cursor !== null)
      expect(pages.flatMap(page => page.results.map(({ score }) => score))).toEqual([1, 0.5, 0.25])
    })

    it('salience counts as it is now', async () => {
      const clock = testClock()
      const { ana, ids } = await world(
        [],
        [
          { kind: 'episodic', text: 'garden one', salience: 0.8 },
          { kind: 'episodic', text: 'garden two', salience: 0.6 },
        ],
        clock,
      )
      const order = async () => texts(await ana.search('garden', { salience: { weight: 0.9 } }))
      expect(await order()).toEqual(['garden one', 'garden two'])
      await ana.pin(ids[1] ?? '')
      clock.advance(60 * DAY)
      expect(await order()).toEqual(['garden two', 'garden one'])
    })

    it.each([
      ['weights beyond the whole', { recency: { weight: 0.7 }, salience: { weight: 0.7 } }],
      ['an unknown mode', { mode: 'psychic' }],
      ['a distance beyond all', { maxDistance: 3 }],
      ['no half-life', { recency: { halfLifeDays: 0 } }],
    ])('refuses %s', async (_, asked) => {
      const { ana } = await world([], [semantic('x')])
      await expect(ana.search('x', asked as never)).rejects.toMatchObject({ code: 'invalid_input' })
    })
  })

  describe('while vectors are missing', () => {
    it('a write does not wait, and the receipt names what does', async () => {
      const provider = testEmbedding({ same: SAME })
      const { ana, agent, privity, clock } = await world([provider], [semantic('physician')])
      provider.fail(true)
      await ana.remember([semantic('automobile'), semantic('vehicle', { sensitivity: 'hyper' })])
      await privity.caughtUp()
      provider.fail(false)
      // Its own question is embedded; the two records wait for their next turn.
      const own = await ana.search('doctor')
      expect(texts(own)).toEqual(['physician'])
      expect(own.receipt).toMatchObject({
        meaning: [{ model: 'test/1', state: 'partial', waiting: 2 }],
        resultSetCompleteness: 'partial_due_to_staleness',
        anyIndexStale: true,
        stalenessSummary: [{ indexId: expect.any(String), staleSeconds: 0 }],
      })
      const theirs = await agent.search('doctor')
      expect(theirs.receipt).toMatchObject({
        meaning: [{ model: 'test/1', state: 'partial', waiting: 1 }],
        resultSetCompleteness: 'partial_due_to_staleness',
      })
      expect((await ana.search('car')).notice).toBe(
        'No results in what was searched; the index was not current.',
      )
      clock.advance(DAY)
      await privity.caughtUp()
      expect((await ana.search('car')).receipt.meaning).toEqual([
        { model: 'test/1', state: 'used', waiting: 0 },
      ])
      expect(texts(await ana.search('car')).sort()).toEqual(['automobile', 'vehicle'])
    })

    it('[NI-9] what waits and is hidden does not mark a receipt', async () => {
      const provider = testEmbedding()
      const { ana, agent, privity } = await world([provider], [semantic('garden')])
      provider.fail(true)
      await ana.remember(semantic('garden secret', { sensitivity: 'hyper' }))
      await privity.caughtUp()
      provider.fail(false)
      expect((await agent.search('garden')).receipt).toMatchObject({
        meaning: [{ model: 'test/1', state: 'used', waiting: 0 }],
        resultSetCompleteness: 'exhaustive_for_scope',
      })
      expect((await ana.search('garden')).receipt.meaning).toMatchObject([{ state: 'partial', waiting: 1 }])
    })

    it('[NI-9] failures of what is hidden do not delay what is seen', async () => {
      const provider = testEmbedding()
      const { ana, agent, privity, clock } = await world([provider], [])
      provider.fail(true)
      await ana.remember(semantic('secret', { sensitivity: 'hyper' }))
      for (let minute = 0; minute < times(12, 60); minute++) {
        clock.advance(60_000)
        await privity.caughtUp()
      }
      await ana.remember(semantic('garden'))
      await privity.caughtUp()
      provider.fail(false)
      // As long as a first failure lasts, and not as long as an hour of them.
      clock.advance(2_000)
      await privity.caughtUp()
      expect((await agent.search('garden')).receipt.meaning).toMatchObject([{ state: 'used', waiting: 0 }])
    })

    it('a question that cannot be embedded is answered by words, and the receipt says so', async () => {
      const provider = testEmbedding({ same: SAME })
      const { ana } = await world([provider], [semantic('car'), semantic('automobile')])
      provider.fail(true)
      for (const mode of ['hybrid', 'vector'] as const) {
        const found = await ana.search('car', { mode })
        expect(texts(found)).toEqual(['car'])
        expect(found.receipt).toMatchObject({
          meaning: [{ model: 'test/1', state: 'unavailable', waiting: 0 }],
          resultSetCompleteness: 'partial_due_to_index_health',
        })
      }
      expect((await ana.search('car', { mode: 'text' })).receipt).toMatchObject({
        meaning: [],
        resultSetCompleteness: 'exhaustive_for_scope',
      })
      expect((await ana.search('zebra')).notice).toBe(
        'No results in what was searched; part of the index could not be used.',
      )
    })

    it('a text with nothing to embed does not wait', async () => {
      const { ana } = await world([testEmbedding()], [semantic('!!!', { title: '?' }), semantic('garden')])
      expect((await ana.search('garden')).receipt.meaning).toEqual([
        { model: 'test/1', state: 'used', waiting: 0 },
      ])
    })

    it('one text that is refused holds up no other', async () => {
      const provider = testEmbedding()
      const picky: TestEmbedding = {
        ...provider,
        embed: async (given, purpose, signal) => {
          if (given.some(text => text.includes('unspeakable'))) throw new Error('no')
          return provider.embed(given, purpose, signal)
        },
      }
      const drafts = ['one', 'two', 'unspeakable', 'four', 'five'].map(text => semantic(text))
      const { ana } = await world([picky], drafts)
      expect((await ana.search('one')).receipt.meaning).toMatchObject([{ state: 'partial', waiting: 1 }])
    })

    it('another process finds out, and does what was left undone', async () => {
      const broken = testEmbedding()
      broken.fail(true)
      const { as } = await world([broken], [semantic('garden')])
      const second = await start([testEmbedding()])
      const { ana } = as(second)
      await ana.search('garden')
      await second.caughtUp()
      expect((await ana.search('garden')).receipt.meaning).toMatchObject([{ state: 'used', waiting: 0 }])
    })
  })

  describe('models', () => {
    it('stand side by side, and a new one embeds everything anew', async () => {
      const first = testEmbedding({ model: 'first', same: SAME })
      const { as } = await world([first], [semantic('automobile'), semantic('garden')])
      const second = testEmbedding({ model: 'second', dimension: 40, same: SAME, weight: 0.2 })
      second.fail(true)
      const both = as(await start([first, second]))
      expect((await both.ana.search('car', { mode: 'text' })).count).toBe(0)
      second.fail(false)
      const later = await start([first, second])
      await later.as({ tenant: 'elsewhere', actor: 'x' }).list()
      const { ana } = as(later)
      const before = await ana.search('car')
      expect(before.receipt.meaning.map(({ model }) => model)).toEqual(['first', 'second'])
      await later.caughtUp()
      const found = await ana.search('car', { explain: true })
      expect(found.receipt.meaning).toMatchObject([{ state: 'used' }, { state: 'used' }])
      expect(texts(found)).toEqual(['automobile'])
      expect(found.results[0]?.scores.parts?.map(({ part, weight }) => [part, weight])).toEqual([
        ['text', 0.5],
        ['vector:first', 0.3],
        ['vector:second', 0.2],
      ])
      const alone = as(await start([second]))
      expect(texts(await alone.ana.search('car'))).toEqual(['automobile'])
    })

    it('of one name are refused', async () => {
      await expect(start([testEmbedding(), testEmbedding()])).rejects.toMatchObject({ code: 'invalid_input' })
    })

    it('that answer in another dimension than before are not compared with it', async () => {
      const { as } = await world([testEmbedding({ same: SAME })], [semantic('automobile')])
      const { ana } = as(await start([testEmbedding({ dimension: 60, same: SAME })]))
      const found = await ana.search('car')
      expect(found.count).toBe(0)
      expect(found.receipt.meaning).toMatchObject([{ waiting: 1 }])
    })
  })

  describe('what a provider gets', () => {
    it('[OV-4] sealed and firewalled text stays here unless the provider is local', async () => {
      const local = testEmbedding({ model: 'local' })
      const remote = testEmbedding({ model: 'remote', local: false })
      const classes = ['public_open', 'party_confidential', 'work_product_internal', 'privileged'] as const
      const { ana } = await world(
        [local, remote],
        [
          ...classes.map(visibilityClass => semantic(`text ${visibilityClass}`, { visibilityClass })),
          semantic('text sealed', { visibilityClass: 'sealed' }),
          semantic('text firewalled', { visibilityClass: 'firewalled', title: 'title firewalled' }),
        ],
      )
      expect(local.asked.filter(text => /sealed|firewalled/.test(text))).toHaveLength(2)
      expect(remote.asked.join('\n')).not.toMatch(/sealed|firewalled/)
      expect(remote.asked).toHaveLength(4)
      // They are not waited for either.
      expect((await ana.search('garden')).receipt.meaning).toMatchObject([
        { model: 'local', state: 'used', waiting: 0 },
        { model: 'remote', state: 'used', waiting: 0 },
      ])
    })

    it('[OV-4] text that was sealed before its turn came is not sent', async () => {
      const remote = testEmbedding({ local: false })
      const { ana, privity, clock } = await world([remote], [])
      remote.fail(true)
      const { id } = await ana.remember(semantic('plans'))
      await privity.caughtUp()
      const before = remote.asked.filter(text => text === 'plans').length
      await ana.relabel({ record: id, visibilityClass: 'sealed' })
      remote.fail(false)
      clock.advance(DAY)
      await ana.remember(semantic('other'))
      await privity.caughtUp()
      expect(remote.asked).toContain('other')
      expect(remote.asked.filter(text => text === 'plans')).toHaveLength(before)
    })

    it('[OV-4] text that is sealed while others are being sent is not sent', async () => {
      const plain = testEmbedding({ local: false })
      let seal: (() => Promise<unknown>) | null = null
      const remote: TestEmbedding = {
        ...plain,
        maxCharacters: 90_000,
        async embed(given, purpose, signal) {
          const now = seal
          seal = null
          await now?.()
          return plain.embed(given, purpose, signal)
        },
      }
      const { ana, privity, clock } = await world([remote], [])
      plain.fail(true)
      // Each too long for a call with another.
      const long = (word: string) => semantic(`${word} `.repeat(15_000))
      const written = [await ana.remember(long('one')), await ana.remember(long('two'))]
      await privity.caughtUp()
      plain.fail(false)
      const before = plain.asked.length
      clock.advance(DAY)
      seal = () =>
        Promise.all(written.map(({ id }) => ana.relabel({ record: id, visibilityClass: 'sealed' })))
      await privity.caughtUp()
      // The one that was on its way when the labels rose.
      expect(plain.asked.slice(before)).toHaveLength(1)
    })

    it('[CP-3] a question does not leave before its caller is admitted and its plan is valid', async () => {
      const remote = testEmbedding({ local: false })
      const { ana, privity, tenant } = await world([remote], [semantic('garden')])
      const before = remote.asked.length
      const wrong = { recency: { weight: 0.9 }, salience: { weight: 0.9 } }
      await expect(ana.search('secret plans', wrong)).rejects.toMatchObject({ code: 'invalid_input' })
      const refused = privity.as({
        tenant,
        actor: 'eve',
        audience: 'agent',
        for: 'ana',
        policy: 'no such policy',
        trust: { maxSensitivity: 'low' },
      })
      await expect(refused.search('secret plans')).rejects.toMatchObject({ code: 'not_allowed' })
      expect(remote.asked.slice(before)).toEqual([])
      await ana.search('garden party')
      expect(remote.asked.slice(before)).toEqual(['garden party'])
    })

    it('equal texts of a tenant are sent once, but for one text of each batch', async () => {
      const provider = testEmbedding()
      const { ana, privity, tenant } = await world([provider], [semantic('one'), semantic('two')])
      const before = provider.asked.length
      await ana.remember([semantic('one'), semantic('two'), semantic('three')])
      await privity.caughtUp()
      expect(provider.asked.slice(before)).toEqual(['three'])
      await ana.remember([semantic('one'), semantic('two')])
      await privity.caughtUp()
      expect(provider.asked.slice(before + 1)).toHaveLength(1)
      await privity.as({ tenant: `${tenant}-2`, actor: 'ana' }).remember([semantic('one'), semantic('two')])
      await privity.caughtUp()
      expect(provider.asked.slice(before + 2).sort()).toEqual(['one', 'two'])
    })

    it('[NI-8] whether a text is known does not tell while the provider is down', async () => {
      const provider = testEmbedding()
      const secret = semantic('the code is 1234', { sensitivity: 'hyper' })
      const { ana, agent, privity } = await world([provider], [secret])
      provider.fail(true)
      await agent.remember([semantic('the code is 1234'), semantic('the code is 4321')])
      await privity.caughtUp()
      provider.fail(false)
      expect((await agent.search('code')).receipt.meaning).toMatchObject([{ waiting: 2 }])
      expect((await ana.search('code')).receipt.meaning).toMatchObject([{ waiting: 2 }])
    })
  })

  describe('the index', () => {
    it('[AU-4] what is forgotten leaves no vector', async () => {
      const { ana, ids, tenant, as } = await world(
        [testEmbedding({ same: SAME })],
        [semantic('automobile'), semantic('garden')],
      )
      expect((await ana.search('car')).count).toBe(1)
      await ana.forget(ids[0] ?? '')
      expect((await ana.search('car')).count).toBe(0)
      const rows = await dumpTables(store.sql, table => table === 'embeddings')
      expect(rows.filter(({ row }) => row.includes(tenant))).toHaveLength(1)
      expect((await as(await start([testEmbedding({ same: SAME })])).ana.search('car')).count).toBe(0)
    })

    it('[SC-1] keeps vectors with it, and answers the same from what was kept', async () => {
      const provider = testEmbedding({ same: SAME, near: 0.2 })
      const words = ['car', 'automobile', 'garden', 'physician', 'shed', 'rain']
      const drafts = Array.from({ length: 400 }, (_, at) =>
        semantic(`${words[at % 6]} ${words[(at >> 2) % 5]} ${at % 7}`, {
          sensitivity: at % 3 === 0 ? 'high' : 'low',
        }),
      )
      const { tenant, as, ana, agent, privity } = await world([provider], drafts)
      const said = async (...callers: Handle[]) => {
        const all: unknown[] = []
        for (const caller of callers)
          for (const query of ['car', 'doctor rain', 'shed'])
            for (const mode of ['hybrid', 'vector'] as const) {
              const { results, count } = await caller.search(query, { mode, limit: 50, explain: true })
              all.push([count, results.map(({ record, score, scores }) => [record.id, score, scores])])
            }
        return all
      }
      const built = as(await start([provider]))
      const expected = await said(ana, agent)
      expect(await said(built.ana, built.agent)).toEqual(expected)
      await privity.close()
      const [kept] = await store.sql<{ count: string }>(
        `select count(*)::text as count from privity.index_parts where tenant_id = $1`,
        [tenant],
      )
      for (let wait = 0; kept?.count === '0' && wait < 50; wait++) await new Promise(r => setTimeout(r, 20))
      const loaded = as(await start([provider]))
      expect(await said(loaded.ana, loaded.agent)).toEqual(expected)
      const second = testEmbedding({ model: 'other', same: SAME })
      const more = await start([second])
      await as(more).ana.list()
      await more.caughtUp()
      const fresh = as(await start([second, provider]))
      expect((await fresh.ana.search('car')).receipt.meaning).toMatchObject([
        { model: 'other', waiting: 0 },
        { model: 'test/1', waiting: 0 },
      ])
    })

    it('[NI-7] a record that is no longer seen is not near either', async () => {
      const { ana, agent, ids } = await world(
        [testEmbedding({ same: SAME })],
        [semantic('automobile'), semantic('garden')],
      )
      expect((await agent.search('car')).count).toBe(1)
      await ana.relabel({ record: ids[0] ?? '', sensitivity: 'hyper' })
      const after = await agent.search('car', { mode: 'vector' })
      expect(texts(after)).toEqual(['garden'])
      expect(after.receipt.searchedCount).toBe(1)
    })
  })
})
