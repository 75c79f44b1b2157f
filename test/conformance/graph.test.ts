import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { KEPT_BY_GENERATION } from '../../src/storage/queries/kept-by-generation.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

type Draft = z.input<typeof draft>
type Asked = NonNullable<Parameters<Handle['retrieveGraph']>[1]>
type Graph = Awaited<ReturnType<Handle['retrieveGraph']>>

const note: Draft = { kind: 'semantic', text: 'plain', sensitivity: 'low' }
/** What the task finds; a word said more often counts for more. */
const root = (times = 1): Draft => ({ ...note, text: `plain ${'harvest '.repeat(times)}` })
const metadata: Draft = { ...note, sensitivity: 'medium' }
const hidden: Draft = { ...note, sensitivity: 'high' }
const absent = { code: 'not_found', message: 'not found' }

describe.each(engines)('the graph on %s', engine => {
  const statements: string[] = []
  let store: SharedStore
  let privity: Privity
  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => void statements.push(sql) })
    privity = await store.instance()
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })

  /** Records by name, and edges between them: `a b`, `a b type` or `a b type by s,t`. */
  async function world(records: Record<string, Draft>, edges: readonly string[] = []) {
    const tenant = store.tenant()
    const as = (actor: string, more: Partial<Credential> = {}) => privity.as({ tenant, actor, ...more })
    const agent = (maxSensitivity: 'low' | 'medium' | 'high' = 'low') =>
      as('helper', { audience: 'agent', for: 'ana', trust: { maxSensitivity } })
    const ana = as('ana')
    const ids = new Map<string, string>()
    for (const [name, draft] of Object.entries(records))
      ids.set(name, (await ana.remember({ title: name, ...draft })).id)
    const id = (name: string) => ids.get(name) ?? name
    const names = () => new Map([...ids].map(([name, id]) => [id, name]))
    const relate = (edge: string, by = ana) => {
      const [between = '', sources] = edge.split(' by ')
      const [from = '', to = '', type = 'leads to'] = between.split(' ')
      const told = sources === undefined ? {} : { sources: sources.split(',').map(id) }
      return by.relate({ from: id(from), to: id(to), type: type.replaceAll('_', ' '), ...told })
    }
    for (const edge of edges) await relate(edge)
    /** `a@0 b@1 | a>b`, in the order of the answer. */
    const told = ({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>) => {
      const nameOf = (id: string) => names().get(id) ?? id
      const first = nodes.map(({ record, hop }) => `${nameOf(record.id)}@${hop}`)
      const second = edges.map(({ from, to }) => `${nameOf(from)}>${nameOf(to)}`).sort()
      return `${first.join(' ')} | ${second.join(' ')}`.trim()
    }
    const graph = async (by: Handle, asked: Asked = {}) => told(await by.retrieveGraph('harvest', asked))
    return { tenant, as, agent, ana, id, ids, relate, told, graph }
  }

  const chain = { a: root(), b: note, c: note, d: note }

  describe('what is reached', () => {
    it('[TR-6] goes as many hops from the roots as asked for', async () => {
      const { ana, graph } = await world(chain, ['a b', 'b c', 'c d'])
      for (const [asked, expected] of [
        [{}, 'a@0 b@1 | a>b'],
        [{ maxHops: 0 }, 'a@0 |'],
        [{ maxHops: 1 }, 'a@0 b@1 | a>b'],
        [{ maxHops: 2 }, 'a@0 b@1 c@2 | a>b b>c'],
        [{ maxHops: 4 }, 'a@0 b@1 c@2 d@3 | a>b b>c c>d'],
      ] as const)
        expect(await graph(ana, asked), JSON.stringify(asked)).toBe(expected)
    })

    it('[TR-6] goes along an edge from either end, and round a ring once', async () => {
      const { ana, graph } = await world(chain, ['b a', 'b c', 'c d', 'd a', 'a b back'])
      expect(await graph(ana, { maxHops: 4 })).toMatch(/^a@0 (b@1 d@1|d@1 b@1) c@2 \| a>b b>a b>c c>d d>a$/)
    })

    it('[TR-6] takes ten roots, twenty-five nodes and a hundred edges where nothing else is said', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 12 }, (_, at): [string, Draft] => [`r${at}`, root()]),
      )
      const { ana } = await world(many)
      const graph = await ana.retrieveGraph('harvest')
      expect(graph.nodes).toHaveLength(10)
      expect(graph.truncated).toEqual({ nodes: false, edges: false })

      // Each mentions all before it.
      const crowd = (await world({})).ana
      const mentions: string[] = []
      for (let at = 0; at < 30; at++)
        mentions.push((await crowd.remember({ ...note, kind: 'entity', mentions })).id)
      await crowd.remember({ ...root(), mentions })
      const wide = await crowd.retrieveGraph('harvest')
      expect([wide.nodes.length, wide.edges.length]).toEqual([25, 100])
      expect(wide.truncated).toEqual({ nodes: true, edges: true })
      const all = await crowd.retrieveGraph('harvest', { nodeLimit: 31, edgeLimit: 465 })
      expect([all.nodes.length, all.edges.length]).toEqual([31, 465])
      expect(all.truncated).toEqual({ nodes: false, edges: false })
    })

    it('[TR-6] cuts nodes by distance, then by the root that leads there, then by layer and id', async () => {
      const { ana, graph } = await world(
        {
          first: root(3),
          second: root(1),
          far: note,
          story: { ...note, kind: 'episodic' },
          entity: { ...note, kind: 'entity' },
          document: { ...note, kind: 'document' },
          ofSecond: { ...note, kind: 'working' },
        },
        [
          'second ofSecond',
          'first document',
          'first story',
          'entity first',
          'second story',
          'story far',
          'ofSecond far',
        ],
      )
      const order = ['first@0', 'second@0', 'entity@1', 'story@1', 'document@1', 'ofSecond@1', 'far@2']
      for (let nodeLimit = 1; nodeLimit <= 7; nodeLimit++) {
        const nodes = await graph(ana, { nodeLimit, maxHops: 4 })
        expect(nodes.split(' | ')[0]?.replace(/ \|$/, ''), `${nodeLimit}`).toBe(
          order.slice(0, nodeLimit).join(' '),
        )
        const { truncated } = await ana.retrieveGraph('harvest', { nodeLimit, maxHops: 4 })
        expect(truncated.nodes).toBe(nodeLimit < 7)
      }
      expect(await graph(ana, { rootLimit: 1 })).toBe(
        'first@0 entity@1 story@1 document@1 | entity>first first>document first>story',
      )
      const twins = await world({ top: root(), one: note, two: note }, ['top one', 'top two'])
      const sorted = ['one', 'two'].sort((a, b) => (twins.id(a) < twins.id(b) ? -1 : 1))
      expect(await twins.graph(twins.ana)).toBe(`top@0 ${sorted.join('@1 ')}@1 | top>one top>two`)
    })

    it('[TR-6] cuts edges in the order of start, type and end', async () => {
      const { ana } = await world(chain, ['a b', 'a b also', 'b a', 'a c', 'c b', 'd a'])
      const all = (await ana.retrieveGraph('harvest')).edges
      expect(all).toHaveLength(6)
      const keys = all.map(({ from, type, to }) => `${from} ${type} ${to}`)
      expect(keys).toEqual([...keys].sort())
      for (let edgeLimit = 0; edgeLimit <= 6; edgeLimit++) {
        const cut = await ana.retrieveGraph('harvest', { edgeLimit })
        expect(cut.edges).toEqual(all.slice(0, edgeLimit))
        expect(cut.truncated).toEqual({ nodes: false, edges: edgeLimit < 6 })
      }
    })

    it('[TR-6] keeps to kinds, of roots and of all that they lead to, and to types of relations', async () => {
      const records = {
        ...chain,
        b: { ...note, kind: 'entity' as const },
        e: { ...root(), kind: 'note' as const },
      }
      const { ana, graph } = await world(records, ['a b', 'b c', 'a d knows', 'd c', 'e a'])
      expect(await graph(ana, { kinds: ['semantic'], maxHops: 4 })).toBe('a@0 d@1 c@2 | a>d d>c')
      expect(await graph(ana, { kinds: ['semantic', 'entity'], maxHops: 1 })).toMatch(
        /^a@0 b@1 d@1 \| a>b a>d$/,
      )
      expect(await graph(ana, { kinds: ['entity'] })).toBe('|')
      expect(
        await graph(ana, { relationTypes: ['knows'], rootLimit: 1, kinds: ['semantic'], maxHops: 4 }),
      ).toBe('a@0 d@1 | a>d')
      expect(await graph(ana, { tags: ['none'] })).toBe('|')
    })

    it('[TR-6] says of a node whether the task found it, and how well', async () => {
      const { ana } = await world({ a: root(), b: note, c: root(2) }, ['a b', 'a c'])
      const { nodes, receipt } = await ana.retrieveGraph('harvest', { rootLimit: 2 })
      const found = await ana.search('harvest')
      expect(nodes.map(({ root, score }) => [root, score])).toEqual([
        ...found.results.map(({ score }) => [true, score]),
        [false, null],
      ])
      expect(nodes.slice(0, 2).map(({ record }) => record)).toEqual(found.results.map(({ record }) => record))
      expect(receipt).toMatchObject({ searchedCount: 3, resultSetCompleteness: 'exhaustive_for_scope' })
      expect(await ana.receipts.get(receipt.searchRunId)).toMatchObject({ receipt })
    })

    it('[TR-6] follows what was derived as it follows any edge', async () => {
      const { ana, id, graph } = await world({ a: root(), b: note })
      await ana.relate({ from: id('b'), to: id('a'), type: 'derived_from' })
      expect(await graph(ana)).toBe('a@0 b@1 | b>a')
    })
  })

  describe('what is hidden', () => {
    const lines = ['a b', 'b c', 'c d']

    it.each([
      ['metadata', metadata],
      ['nothing', hidden],
      ['nothing: somebody in it was not asked', { ...note, participants: ['ben'] }],
    ])('[TR-6, NI-4, NI-6] nothing leads through a record that shows %s', async (_, middle) => {
      const { agent, ana, graph, id } = await world({ ...chain, b: middle }, [...lines, 'd b', 'b a'])
      // What has a metadata face is a node without edges of its own, as `get` names it.
      expect(await graph(agent(), { maxHops: 4 })).toBe(middle === metadata ? 'a@0 b@1 | a>b' : 'a@0 |')
      expect(await graph(ana, { maxHops: 4 })).toMatch(/a>b.*b>c.*c>d/)
      if (middle !== metadata)
        expect(JSON.stringify(await agent().retrieveGraph('harvest', { maxHops: 4 }))).not.toContain(id('b'))
    })

    it('[TR-6, NI-4] a root that shows less than everything is a node without edges', async () => {
      const tagged: Draft = { ...metadata, tags: ['harvest'], text: 'plain' }
      const { agent, graph } = await world({ a: tagged, b: note, c: root() }, ['a b', 'b a', 'c a'])
      expect(await graph(agent(), { maxHops: 4 })).toMatch(/^(a@0 c@0|c@0 a@0) \| c>a$/)
      const { nodes } = await agent().retrieveGraph('harvest')
      expect(nodes.find(({ record }) => record.face === 'metadata')?.record).toMatchObject({
        payload: null,
        relations: [],
      })
      expect(await graph(agent('medium'))).toMatch(/ b@1 \| a>b b>a c>a$/)
    })

    it('[TR-6, NI-4] a preview leads nowhere either', async () => {
      const { ana, agent, id, graph } = await world(chain, lines)
      expect(await graph(agent(), { maxHops: 4 })).toBe('a@0 b@1 c@2 d@3 | a>b b>c c>d')
      await ana.overlays.add({ target: { kind: 'document', ref: id('b') }, restriction: 'preview_only' })
      expect(await graph(agent(), { maxHops: 4 })).toBe('a@0 b@1 | a>b')
    })

    it('[TR-6, NI-1] what is hidden uses up no limit and moves nothing', async () => {
      const { ana, agent, id, graph } = await world({ a: root(), y: note, z: note }, ['a y', 'y z'])
      const asked = { maxHops: 4, nodeLimit: 3, edgeLimit: 2, rootLimit: 1 }
      const before = await agent().retrieveGraph('harvest', asked)
      const drafts = Array.from(
        { length: 12 },
        (_, at): Draft => ({
          ...hidden,
          kind: 'working',
          text: 'harvest '.repeat(at + 1),
        }),
      )
      for (const record of await ana.remember(drafts)) {
        await ana.relate({ from: id('a'), to: record.id, type: 'a first' })
        await ana.relate({ from: record.id, to: id('y'), type: 'a first' })
      }
      // Row-level security does not know of these.
      await ana.remember(Array(12).fill({ ...note, kind: 'ai_synthesis', derivedFrom: [id('a'), id('y')] }))
      const after = await agent().retrieveGraph('harvest', asked)
      const apart = ({ receipt: _, ...graph }: Graph) => graph
      expect(apart(after)).toEqual(apart(before))
      expect(after.truncated).toEqual({ nodes: false, edges: false })
      expect(await graph(agent(), asked)).toBe('a@0 y@1 z@2 | a>y y>z')
    })

    it('[NI-5, NI-6] the store is asked the same whatever is hidden', async () => {
      const ask = async (records: Record<string, Draft>, edges: readonly string[]) => {
        const { agent } = await world({ a: root(), b: note, ...records }, ['a b', ...edges])
        const asked = { maxHops: 3 }
        await agent().retrieveGraph('harvest', asked)
        statements.length = 0
        await agent().retrieveGraph('harvest', asked)
        return statements.filter(sql => !sql.startsWith(KEPT_BY_GENERATION))
      }
      const plain = await ask({}, [])
      expect(plain.length).toBeGreaterThan(8)
      expect(await ask({ h: hidden, i: hidden, m: note }, ['b h', 'h i', 'a h', 'i m'])).toEqual(plain)
      expect(await ask({ h: hidden, m: note }, ['b m by h', 'a b by h'])).toEqual(plain)
    })
  })

  describe('what tells of an edge', () => {
    it('[PC-5] an edge shows with the memory that tells of it, and is gone with it at the next request', async () => {
      const { ana, agent, id, graph } = await world(
        { a: root(), b: note, memory: { ...note, participants: ['ben'] } },
        ['a b by memory'],
      )
      const relations = async (by: Handle) => [
        (await by.get(id('a')))?.relations,
        (await by.get(id('b')))?.relations,
        (await by.list({ order: 'oldest' })).records[0]?.relations,
        (await by.search('harvest')).results[0]?.record.relations,
      ]
      const out = [{ type: 'leads to', direction: 'out', record: id('b') }]
      const shown = [out, [{ type: 'leads to', direction: 'in', record: id('a') }], out, out]
      const none = [[], [], [], []]
      expect(await relations(ana)).toEqual(shown)
      expect(await graph(ana)).toBe('a@0 b@1 | a>b')
      const before = await agent().get(id('a'))
      for (const [status, seen] of [
        ['pending', false],
        ['granted', true],
        ['revoked', false],
        ['granted', true],
      ] as const) {
        await ana.people.consent({ person: 'ben', status })
        expect(await relations(agent()), status).toEqual(seen ? shown : none)
        expect(await graph(agent()), status).toBe(seen ? 'a@0 b@1 | a>b' : 'a@0 |')
        if (!seen) expect(await agent().get(id('a'))).toEqual(before)
      }
    })

    it('[PC-5] every one of those who tell of it must be seen in full; one of several tellings is enough', async () => {
      const { ana, agent, graph, relate } = await world(
        { a: root(), b: note, seen: note, meta: metadata, gone: hidden },
        ['a b by seen,meta'],
      )
      expect(await graph(agent())).toBe('a@0 |')
      await relate('a b by seen,gone')
      expect(await graph(agent())).toBe('a@0 |')
      expect(await graph(ana)).toBe('a@0 b@1 | a>b')
      expect(await graph(agent('medium'))).toBe('a@0 b@1 | a>b')
      await relate('a b by seen')
      expect(await graph(agent())).toBe('a@0 b@1 | a>b')
      await relate('a b by seen,seen')
      const { edges, nodes } = await agent('high').retrieveGraph('harvest')
      expect(edges).toHaveLength(1)
      expect(nodes[0]?.record.relations).toHaveLength(1)
    })

    it('[PC-5] told by nobody in particular, it stays, whoever else tells of it', async () => {
      for (const edges of [
        ['a b', 'a b by gone'],
        ['a b by gone', 'a b'],
      ]) {
        const { agent, graph } = await world({ a: root(), b: note, gone: hidden }, edges)
        expect(await graph(agent()), edges.join()).toBe('a@0 b@1 | a>b')
      }
    })

    it('[PC-5, TR-8] it goes with a memory that no longer holds, and comes to light by none in between', async () => {
      const { ana, graph, id } = await world({ a: root(), b: note, memory: note, far: note }, [
        'a b by memory',
        'b far',
      ])
      expect(await graph(ana, { maxHops: 4 })).toBe('a@0 b@1 far@2 | a>b b>far')
      await ana.revise({ how: 'retract', record: id('memory') })
      expect(await graph(ana, { maxHops: 4 })).toBe('a@0 |')
    })

    it('[AU-4, PC-5] it is forgotten with any of those who tell of it', async () => {
      const { ana, tenant, graph, id, relate } = await world({ a: root(), b: note, one: note, two: note }, [
        'a b SECRET by one,two',
        'a b other by two',
      ])
      const stored = async () =>
        (await dumpTables(store.sql, table => table === 'relations')).filter(({ row }) =>
          row.includes(tenant),
        )
      expect(await stored()).toHaveLength(2)
      await ana.forget(id('one'))
      expect((await stored()).map(({ row }) => row).join()).not.toContain('SECRET')
      expect(await graph(ana)).toBe('a@0 b@1 | a>b')
      await ana.forget(id('two'))
      expect(await stored()).toEqual([])
      expect(await graph(ana)).toBe('a@0 |')
      await expect(relate('a b by one')).rejects.toMatchObject(absent)
    })

    it('[NI-5, PC-5] only what the writer sees in full can tell of it, or the answer is absence', async () => {
      const { agent, relate, ana, id, as } = await world({ a: root(), b: note, meta: metadata, gone: hidden })
      const foreign = await as('ben').remember(note)
      for (const source of ['meta', 'gone', foreign.id, '00000000-0000-4000-8000-000000000001'])
        await expect(relate(`a b by ${source}`, agent()), source).rejects.toMatchObject(absent)
      await expect(
        ana.relate({ from: id('a'), to: id('b'), type: 'derived_from', sources: [id('meta')] }),
      ).rejects.toMatchObject({ code: 'invalid_input' })
      expect((await ana.get(id('a')))?.relations).toEqual([])
    })

    it('[NI-7, PC-5] a repeated request is decided again by those who tell of it', async () => {
      const { ana, agent, id } = await world({
        a: root(),
        b: note,
        memory: { ...note, participants: ['ben'] },
      })
      await ana.people.consent({ person: 'ben', status: 'granted' })
      const edge = { from: id('a'), to: id('b'), type: 'leads to', sources: [id('memory')] }
      const again = () => agent().relate(edge, { idempotencyKey: 'once' })
      expect(await again()).toEqual({ from: id('a'), to: id('b') })
      expect(await again()).toEqual({ from: id('a'), to: id('b') })
      await ana.people.consent({ person: 'ben', status: 'revoked' })
      await expect(again()).rejects.toMatchObject(absent)
    })

    it.each<[string, (by: Handle, id: (name: string) => string) => Promise<unknown>, string]>([
      ['the record', (by, id) => by.get(id('a')), 'high'],
      ['the other end', (by, id) => by.get(id('b')), 'high'],
      ['a graph', by => by.retrieveGraph('harvest'), 'high'],
      ['a graph of roots', by => by.retrieveGraph('harvest', { maxHops: 0 }), 'high'],
      ['a record without it', (by, id) => by.get(id('c')), 'low'],
    ])('[WR-2] an agent that was shown an edge was shown something of those who tell of it: %s', async (_, read, least) => {
      const { agent, id } = await world(
        { a: root(), b: note, c: note, memory: { ...note, sensitivity: 'high' } },
        ['a b by memory'],
      )
      await read(agent('high'), id)
      expect(await agent('high').remember({ ...note, sensitivity: 'public' })).toMatchObject({
        sensitivity: least,
      })
    })

    it('[WR-2] where nobody in particular tells of it as well, nobody else is shown with it', async () => {
      const { agent, id } = await world({ a: root(), b: note, memory: { ...note, sensitivity: 'high' } }, [
        'a b by memory',
        'a b',
      ])
      await agent('high').get(id('a'))
      expect(await agent('high').remember({ ...note, sensitivity: 'public' })).toMatchObject({
        sensitivity: 'low',
      })
    })
  })

  describe('entities', () => {
    const entity = (title: string, more: Partial<Draft> = {}): Draft => ({
      ...note,
      ...more,
      kind: 'entity',
      title,
      text: 'somebody',
    })
    const mentioned = async (by: Handle, record: string) =>
      (await by.get(record))?.relations.filter(
        ({ type, direction }) => type === 'mentions' && direction === 'out',
      )

    it('are mentioned by those who name them, and lead from one memory to another', async () => {
      const { ana, id, graph, ids } = await world({ lake: entity('Lake') })
      const mentions = [id('lake'), id('lake')]
      ids.set('one', (await ana.remember({ ...root(), mentions })).id)
      ids.set('two', (await ana.remember({ ...note, mentions })).id)
      expect(await graph(ana, { maxHops: 2 })).toBe('one@0 lake@1 two@2 | one>lake two>lake')
    })

    it('[NI-5] that are hidden, absent or no entities cannot be mentioned', async () => {
      const { ana, agent, id, as } = await world({
        plain: note,
        meta: entity('Meta', metadata),
        gone: entity('Gone', hidden),
      })
      const foreign = await as('ben').remember(entity('Ben'))
      const refused = [
        id('plain'),
        id('meta'),
        id('gone'),
        foreign.id,
        '00000000-0000-4000-8000-000000000001',
      ]
      for (const mention of refused)
        await expect(agent().remember({ ...note, mentions: [mention] }), mention).rejects.toMatchObject(
          absent,
        )
      expect((await ana.list()).records).toHaveLength(3)
    })

    it('are found by their names in a text where that is asked for', async () => {
      const { ana, id, as } = await world({
        lake: entity('Lake Como', { fields: { aliases: ['the lake', 7, ''] } }),
        ann: entity('Ann', { fields: { aliases: 'Annie' } }),
        nameless: { ...entity(''), title: '' },
        story: { ...note, title: 'Ann' },
      })
      await as('ben').remember(entity('Ann'))
      const { id: quiet } = await ana.remember({ ...note, text: 'Ann at the lake' })
      expect(await mentioned(ana, quiet)).toEqual([])
      const link = async (text: string, more: Partial<Draft> = {}) => {
        const { id } = await ana.remember({ ...note, text, linkEntities: true, ...more })
        return (await mentioned(ana, id))?.map(({ record }) => record).sort()
      }
      expect(await link('ANN swam in Lake Como.')).toEqual([id('ann'), id('lake')].sort())
      expect(await link('Annie and Anna at the lakeside')).toEqual([])
      expect(await link('by the lake, nobody')).toEqual([id('lake')])
      expect(await link('by the lake, nobody', { mentions: [id('lake'), id('ann')] })).toEqual(
        [id('ann'), id('lake')].sort(),
      )
      const group = await ana.groups.create({ name: 'team' })
      expect(await link('Ann', { owner: group.principal })).toEqual([])
    })

    it('[PC-5, NI-4] a mention that was found shows only to those who see what the entity is called', async () => {
      const { ana, agent, id } = await world({ ann: entity('Ann', metadata), bob: entity('Bob') })
      const { id: found } = await ana.remember({ ...note, text: 'Ann and Bob', linkEntities: true })
      const { id: said } = await ana.remember({ ...note, text: 'Ann and Bob', mentions: [id('ann')] })
      const ends = async (by: Handle, record: string) =>
        (await mentioned(by, record))?.map(end => end.record).sort()
      expect(await ends(agent('medium'), found)).toEqual([id('ann'), id('bob')].sort())
      expect(await ends(agent(), found)).toEqual([id('bob')])
      expect(await ends(agent(), said)).toEqual([id('ann')])
    })

    it('[NI-5] an agent finds only those it sees in full, by the same statements', async () => {
      const { ana, agent } = await world({ ann: entity('Ann', hidden), bob: entity('Bob') })
      const link = async (text: string) => {
        const draft = { ...note, text, linkEntities: true }
        await agent().remember(draft)
        statements.length = 0
        const { id } = await agent().remember(draft)
        const asked = [...statements]
        return { mentions: await mentioned(ana, id), asked }
      }
      const known = await link('nobody')
      const named = await link('Ann')
      expect(named.mentions).toEqual([])
      expect(named.asked).toEqual(known.asked)
      expect((await link('Bob')).mentions).toHaveLength(1)
    })
  })

  it('refuses what is no graph to ask for', async () => {
    const wrong: unknown[] = [
      { task: '' },
      { task: '  ' },
      { task: '…' },
      {},
      { task: 'x', kinds: ['secret'] },
      { task: 'x', kinds: [] },
      { task: 'x', relationTypes: [] },
      { task: 'x', relationTypes: [''] },
      ...['rootLimit', 'nodeLimit', 'edgeLimit', 'maxHops'].flatMap(limit =>
        [-1, 1.5, '1', null, 1e9].map(value => ({ task: 'x', [limit]: value })),
      ),
      { task: 'x', rootLimit: 0 },
      { task: 'x', rootLimit: 51 },
      { task: 'x', nodeLimit: 0 },
      { task: 'x', nodeLimit: 201 },
      { task: 'x', edgeLimit: 1_001 },
      { task: 'x', maxHops: 5 },
      { task: 'x', query: 'x' },
      { task: 'x', cursor: 'x' },
    ]
    for (const input of wrong)
      await expect(
        privity.invoke({ tenant: store.tenant(), actor: 'ana' }, 'memory.retrieve_graph', input),
        JSON.stringify(input),
      ).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
