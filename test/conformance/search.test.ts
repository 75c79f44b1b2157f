import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { testClock } from '../../src/testing/clock.js'
import { few } from '../support/depth.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

type Draft = z.input<typeof draft>
type Asked = NonNullable<Parameters<Handle['search']>[1]>
type Found = Awaited<ReturnType<Handle['search']>>

const START = Date.parse('2026-01-01T00:00:00Z')
const MINUTE = 60_000
/** What is written to expire is written to expire here, and asked for after it. */
const EXPIRY = new Date(START + 10 * MINUTE)
const LATER = START + 60 * MINUTE

const note: Draft = { kind: 'note', text: 'note', sensitivity: 'low' }

const titles = ({ results }: Found) => results.map(({ record }) => record.payload?.title ?? record.id)
const scores = ({ results }: Found) => results.map(({ score }) => score)
const ids = ({ results }: Found) => results.map(({ record }) => record.id)
const search = async (caller: Handle, query: string, asked: Asked = {}) =>
  titles(await caller.search(query, asked))

async function consenting(owner: Handle, ...people: string[]) {
  for (const person of people) {
    await owner.people.add({ person })
    await owner.people.consent({ person, status: 'granted' })
  }
}

/** All pages of a search. No search here has more of them than a hundred. */
async function pages(caller: Handle, query: string, asked: Asked): Promise<Found[]> {
  const all: Found[] = []
  for (
    let cursor: string | null = '';
    cursor !== null && all.length < 100;
    cursor = all.at(-1)?.cursor ?? null
  )
    all.push(await caller.search(query, { ...asked, ...(cursor && { cursor }) }))
  return all
}

/** The score of a record of average length that has all words of a question. */
const ALONE = 699_051 / 2 ** 20

describe.each(engines)('search on %s', engine => {
  const clock = testClock()
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { clock })
  })
  afterAll(() => store.dispose())

  function world() {
    clock.set(START)
    clock.seed('world')
    const tenant = store.tenant()
    const as = (actor: string, more: Partial<Credential> = {}) => store.privity.as({ tenant, actor, ...more })
    const working = (more: Partial<Credential> = {}) =>
      as('helper', {
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'low', scopes: ['home'] },
        ...more,
      })
    return { tenant, as, working, ana: as('ana'), agent: working() }
  }
  type World = ReturnType<typeof world>

  /** Each way in which a record of this content can be none of the agent's business. */
  const WAYS: Record<string, (world: World, record: Draft) => Promise<unknown>> = {
    sensitivity: ({ ana }, record) => ana.remember({ ...record, sensitivity: 'high' }),
    participants: ({ ana }, record) => ana.remember({ ...record, participants: ['ben'] }),
    scope: ({ ana }, record) => ana.remember({ ...record, scope: 'work' }),
    class: ({ ana }, record) => ana.remember({ ...record, visibilityClass: 'sealed' }),
    owner: ({ as }, record) => as('ben').remember(record),
    group: async ({ as }, record) => {
      const { principal } = await as('ben').groups.create({ name: 'firm' })
      await as('ben').remember({ ...record, owner: principal })
    },
    blocked: async ({ ana }, record) => {
      await ana.overlays.add({ target: { kind: 'document', ref: 'hidden' }, restriction: 'blocked' })
      await ana.remember({ ...record, document: 'hidden' })
    },
    'explicit access': async ({ ana }, record) => {
      await ana.remember({ ...record, document: 'asks' })
      const target = { kind: 'document', ref: 'asks' } as const
      await ana.overlays.add({ target, restriction: 'explicit_access_required' })
    },
    'no redacted twin': async ({ ana }, record) => {
      await ana.remember({ ...record, document: 'bare' })
      await ana.overlays.add({ target: { kind: 'document', ref: 'bare' }, restriction: 'redacted_only' })
    },
    expired: ({ ana }, record) => ana.remember({ ...record, expiresAt: EXPIRY }),
    forgotten: async ({ ana }, record) => {
      const { id } = await ana.remember(record)
      await ana.forget(id)
    },
    retracted: async ({ ana }, record) => {
      const { id } = await ana.remember(record)
      await ana.revise({ how: 'retract', record: id })
    },
    superseded: async ({ ana }, record) => {
      const { id } = await ana.remember(record)
      await ana.revise({ how: 'supersede', record: id, by: { text: record.text, sensitivity: 'hyper' } })
    },
    ai_synthesis: ({ ana }, record) => ana.remember({ ...record, kind: 'ai_synthesis' }),
    activity_rollup: ({ ana }, record) => ana.remember({ ...record, kind: 'activity_rollup' }),
  }

  const GARDEN: readonly Draft[] = [
    { ...note, title: 'one', text: 'The garden shed needs paint before winter.', tags: ['home', 'paint'] },
    {
      ...note,
      title: 'two',
      text: 'Garden, garden, garden: nothing but gardens.',
      kind: 'episodic',
      tags: ['home'],
    },
    { ...note, title: 'three', text: 'We bought a ladder for the shed.', kind: 'semantic', corpus: 'tools' },
    { ...note, title: 'four', text: 'Dinner was late.', kind: 'working' },
  ]

  /** The visible records, each with an id of its own name, and between them whatever else. */
  async function plant(here: World, between: (at: number) => Promise<unknown> = async () => {}) {
    // Whoever asks has a name in history from the first request on.
    clock.seed('names')
    await here.agent.list()
    for (const [at, record] of GARDEN.entries()) {
      clock.seed(`hidden ${at}`)
      await between(at)
      clock.seed(`visible ${at}`)
      await here.ana.remember(record)
    }
    clock.seed('hidden last')
    await between(GARDEN.length)
    clock.set(LATER)
  }

  /** Everything a search says to the byte: ids and clocks are the same, so is the rest. */
  async function answers(caller: Handle): Promise<string> {
    const answered: unknown[] = []
    const facets = ['kind', 'tag', 'corpus', 'person', 'sensitivity', 'scope'] as const
    const asks: [string, Asked][] = [
      ['garden', { facets: [...facets] }],
      ['garden shed', { limit: 1 }],
      ['gard* "garden shed" -dinner', {}],
      ['gardne zebra', {}],
      [
        'ladder',
        { corpus: 'tools', synonyms: [{ of: 'ladder', terms: ['zebra', 'shed'], corpus: 'tools' }] },
      ],
      ['zebra', { tags: ['home'] }],
      ['quagga', {}],
    ]
    for (const [query, asked] of asks) {
      clock.seed(query)
      answered.push(await caller.search(query, asked))
    }
    for (const text of ['gar', 'ze', 'the zeb']) answered.push(await caller.complete(text))
    return JSON.stringify(answered)
  }

  describe('what one gets', () => {
    it('gives each result its face, score, surface, provenance and passages that point at words', async () => {
      const { ana, agent } = world()
      const filler = 'Nothing happened on that day and nobody came by. '.repeat(12)
      const text = `${filler}Then the Gärten were watered. ${filler}In the garden, gardens grew. ${filler}`
      const { id } = await ana.remember({
        ...note,
        title: 'A garden’s diary',
        text: text.replace('Gärten', 'gardens'),
        tags: ['garden work'],
        provenance: { source: 'diary', note: 'page 3' },
      })
      await ana.remember([
        { ...note, text: 'garden' },
        { ...note, text: 'Something else entirely' },
      ])
      const { results, count, notice, cursor, facets, suggestion } = await agent.search('garden')
      expect({ count, notice, cursor, suggestion }).toEqual({
        count: 2,
        notice: null,
        cursor: null,
        suggestion: null,
      })
      expect(facets).toEqual({
        kind: [{ value: 'note', count: 2 }],
        tag: [{ value: 'garden work', count: 1 }],
      })
      const result = results.find(({ record }) => record.id === id)
      expect(result?.record).toEqual(await agent.get(id))
      expect(result?.record).toMatchObject({ face: 'full', provenance: { source: 'diary', note: 'page 3' } })
      expect(result?.matchSurface).toEqual(['title', 'text', 'tags'])
      expect(results.every(({ scores: { text } }) => text > 0)).toBe(true)
      const words = (text: string, highlights: readonly (readonly [number, number])[]) =>
        highlights.map(([start, end]) => text.slice(start, end))
      const { title, text: whole } = result?.record.payload ?? { title: '', text: '' }
      expect(words(title ?? '', result?.snippet.title.highlights ?? [])).toEqual(['garden’s'])
      const passages = result?.snippet.passages ?? []
      expect(passages).toHaveLength(2)
      for (const { text, start, end, highlights } of passages) {
        expect(text).toBe(whole.slice(start, end))
        expect(text.length).toBeLessThanOrEqual(200)
        for (const word of words(text, highlights)) expect(word).toMatch(/^gardens?$/)
      }
      expect(passages.flatMap(({ text, highlights }) => words(text, highlights))).toEqual([
        'gardens',
        'garden',
        'gardens',
      ])
      // Common words of a question are no reason why something matches, unless they are all there is.
      const marked = async (query: string) =>
        (await agent.search(query)).results.flatMap(({ snippet: { passages } }) =>
          passages.flatMap(({ text, highlights }) => words(text, highlights)),
        )
      const [asked, common] = await Promise.all([marked('what is in the garden?'), marked('the')])
      expect(new Set(asked)).toEqual(new Set(['garden', 'gardens']))
      expect(new Set(common.map(word => word.toLowerCase()))).toEqual(new Set(['the']))
      // As many and as long as asked for.
      const short = await agent.search('garden', { snippet: { passages: 1, length: 40 } })
      const cut = short.results.find(({ record }) => record.id === id)?.snippet.passages ?? []
      expect(cut).toHaveLength(1)
      expect(cut[0]?.text.length).toBeLessThanOrEqual(40)
      expect(words(cut[0]?.text ?? '', cut[0]?.highlights ?? [])).toEqual(['garden', 'gardens'])
    })

    it('says that the text matched where the word is longer than a passage', async () => {
      const { ana, agent } = world()
      await ana.remember({ ...note, text: 'Die Donaudampfschifffahrtsgesellschaft zahlt.' })
      const { results } = await agent.search('Donaudampfschifffahrtsgesellschaft', {
        snippet: { length: 20 },
      })
      expect(results.map(({ matchSurface }) => matchSurface)).toEqual([['text']])
    })

    it('[NI-1, TR-5] counts facets over all matches, by what each face shows, kinds in the order of layers', async () => {
      const { ana, agent } = world()
      await consenting(ana, 'ben')
      const record: Draft = { ...note, text: 'word', corpus: 'c', participants: ['ben'] }
      await ana.remember([
        { ...record, kind: 'episodic', tags: ['b', 'a'] },
        { ...record, kind: 'working', tags: ['b'], scope: 'home' },
        { ...record, kind: 'episodic', tags: ['b'] },
        // A metadata face: its corpus and its people are not shown, its tag is.
        { ...record, kind: 'plan_graph', tags: ['word'], sensitivity: 'medium' },
        { ...note, text: 'another', kind: 'entity', tags: ['c'] },
      ])
      const facets = ['kind', 'tag', 'corpus', 'person', 'sensitivity', 'scope'] as const
      const found = await agent.search('word', { facets: [...facets], limit: 1 })
      expect(found.count).toBe(4)
      expect(found.facets).toEqual({
        kind: [
          { value: 'working', count: 1 },
          { value: 'plan_graph', count: 1 },
          { value: 'episodic', count: 2 },
        ],
        tag: [
          { value: 'b', count: 3 },
          { value: 'a', count: 1 },
          { value: 'word', count: 1 },
        ],
        corpus: [{ value: 'c', count: 3 }],
        person: [{ value: 'ben', count: 3 }],
        sensitivity: [
          { value: 'low', count: 3 },
          { value: 'medium', count: 1 },
        ],
        scope: [{ value: 'home', count: 1 }],
      })
      expect((await agent.search('word', { facets: [] })).facets).toEqual({})
    })

    it('[CV-5] says plainly that there is nothing', async () => {
      const { ana, agent } = world()
      for (const _ of [1, 2]) {
        expect(await agent.search('zebra')).toMatchObject({
          results: [],
          count: 0,
          notice: 'No results found.',
          cursor: null,
          facets: { kind: [], tag: [] },
          expansions: [],
          receipt: { resultSetCompleteness: 'exhaustive_for_scope' },
        })
        await ana.remember(note)
      }
    })
  })

  describe('pages', () => {
    const some = (count: number): Draft[] =>
      Array.from({ length: count }, (_, at) => ({
        ...note,
        text: `${'apple '.repeat(1 + (at % 4))}${'filler '.repeat(at % 3)}`,
        tags: ['fruit'],
        kind: at % 2 ? 'episodic' : 'working',
      }))

    it('[SC-4, NI-9] make up the whole whatever their size, with the same scores', async () => {
      const { ana, agent } = world()
      await ana.remember([...some(23), { ...note, text: 'nothing of the kind' }])
      const whole = await agent.search('apple', { limit: 100 })
      expect(whole).toMatchObject({ count: 23, cursor: null })
      expect(new Set(ids(whole)).size).toBe(23)
      expect(new Set(scores(whole)).size).toBeGreaterThan(5)
      for (const limit of [1, 5, 22, 23]) {
        const parts = await pages(agent, 'apple', { limit })
        expect(parts.flatMap(({ results }) => results)).toEqual(whole.results)
        expect(parts.map(({ results }) => results.length)).toEqual(
          Array.from({ length: Math.ceil(23 / limit) }, (_, at) => Math.min(limit, 23 - at * limit)),
        )
        for (const { count, facets } of parts)
          expect({ count, facets }).toEqual({ count: 23, facets: whole.facets })
      }
      expect((await agent.search('apple')).results).toEqual(whole.results.slice(0, 10))
    })

    it('[NI-9] go on behind a record that is gone by now', async () => {
      const { ana, agent } = world()
      await ana.remember(some(6))
      const first = await agent.search('apple', { limit: 3 })
      const rest = (await agent.search('apple', { limit: 100 })).results.slice(3)
      await ana.relabel({ record: ids(first)[2] ?? '', sensitivity: 'hyper' })
      const second = await agent.search('apple', { limit: 100, cursor: first.cursor ?? '' })
      expect(second.results.every(({ record }) => !ids(first).includes(record.id))).toBe(true)
      expect(rest.some(({ record }) => ids(second).includes(record.id))).toBe(true)
    })

    it('[NI-9] have cursors of one length, for one caller and one question', async () => {
      const { tenant, as, working, ana, agent } = world()
      const there = world()
      await ana.remember(some(9).map(record => ({ ...record, corpus: 'c' })))
      await there.ana.remember(some(4))
      const first = await agent.search('apple', { limit: 2 })
      const cursor = first.cursor ?? ''
      const others = [
        (await agent.search('apple', { limit: 2, cursor })).cursor,
        (await ana.search('filler apple', { limit: 1, tags: ['fruit'] })).cursor,
      ]
      expect(new Set([cursor, ...others].map(text => text?.length)).size).toBe(1)
      const refused = {
        code: 'invalid_input',
        message: 'cursor: is not valid for this request; ask for the first page again, without a cursor',
      }
      const recipient = working({ audience: 'recipient' })
      await expect(recipient.documents.search({ query: 'apple', cursor })).rejects.toMatchObject(refused)
      const asks: [Handle, string, Asked][] = [
        [ana, 'apple', { cursor }],
        [working({ actor: 'other' }), 'apple', { cursor }],
        [working({ for: 'ben' }), 'apple', { cursor }],
        [
          as('ana', { audience: 'host' }),
          'apple',
          { cursor: (await ana.search('apple', { limit: 1 })).cursor ?? '' },
        ],
        [there.agent, 'apple', { cursor }],
        [agent, 'apples', { cursor }],
        [agent, 'filler', { cursor }],
        [agent, 'apple', { cursor, kinds: ['working'] }],
        [agent, 'apple', { cursor, tags: ['fruit'] }],
        [agent, 'apple', { cursor, corpus: 'c' }],
        [agent, 'apple', { cursor, stemming: false }],
        [agent, 'apple', { cursor, posture: 'metadata_primary' }],
        [agent, 'apple', { cursor, synonyms: [{ of: 'apple', terms: ['filler'] }] }],
        [agent, 'apple', { cursor: (await agent.list({ limit: 1 })).cursor ?? '' }],
        [agent, 'apple', { cursor: `${cursor.slice(0, -2)}AA` }],
        [agent, 'apple', { cursor: cursor.slice(1) }],
        [agent, 'apple', { cursor: '' }],
        [agent, 'apple', { cursor: 'AAAA' }],
      ]
      for (const [caller, query, asked] of asks)
        await expect(
          caller.search(query, { limit: 2, ...asked }),
          JSON.stringify(asked),
        ).rejects.toMatchObject(refused)
      // How much is shown is no part of the question.
      const same = store.privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'low', scopes: ['home'] },
      })
      const more = await same.search('apple', { cursor, limit: 100, facets: [], snippet: { passages: 1 } })
      expect(more.results).toHaveLength(7)
    })
  })

  describe('questions', () => {
    const TEXTS = {
      row: 'The old shed stands in a row of sheds.',
      split: 'An old man and a shed.',
      apart: 'Shed, old and red.',
      titled: 'shed is the second word here',
      well: 'A well-known shed.',
      under: 'Underground shelter',
    }
    async function library() {
      const here = world()
      await here.ana.remember(
        Object.entries(TEXTS).map(([title, text]) => ({
          ...note,
          title: title === 'titled' ? 'old' : title,
          text,
        })),
      )
      return here
    }

    it('find phrases as they stand, never across title, text and tags', async () => {
      const { ana, agent } = await library()
      expect(await search(agent, '"old shed"')).toEqual(['row'])
      expect(await search(agent, '“old shed”')).toEqual(['row'])
      expect(new Set(await search(agent, 'old shed'))).toEqual(
        new Set(['row', 'split', 'apart', 'old', 'well']),
      )
      await ana.remember({ ...note, title: 'tagged', text: 'x', tags: ['old', 'shed'] })
      expect(await search(agent, '"old shed"')).toEqual(['row'])
      expect(await search(agent, '"shed old" "red"')).toEqual(['apart'])
    })

    it('leave out what is excluded: words, phrases, and their other forms', async () => {
      const { agent } = await library()
      expect((await search(agent, 'shed -old -known')).sort()).toEqual([])
      expect((await search(agent, 'shed -"old shed"')).sort()).toEqual(['apart', 'old', 'split', 'well'])
      expect((await search(agent, 'shed -well-known')).sort()).toEqual(['apart', 'old', 'row', 'split'])
      expect((await search(agent, 'old -rows')).sort()).toEqual(['apart', 'old', 'split'])
      expect((await search(agent, 'old -rows', { stemming: false })).sort()).toEqual([
        'apart',
        'old',
        'row',
        'split',
      ])
      const { count, facets } = await agent.search('shed -old')
      expect({ count, facets }).toEqual({
        count: 1,
        facets: { kind: [{ value: 'note', count: 1 }], tag: [] },
      })
    })

    it('find by the beginning of a word only where a star asks for it', async () => {
      const { agent } = await library()
      expect((await search(agent, 'she*')).sort()).toEqual(['apart', 'old', 'row', 'split', 'under', 'well'])
      expect(await search(agent, 'she')).toEqual([])
      expect(await search(agent, 'undergr*')).toEqual(['under'])
      expect(await search(agent, '*ground')).toEqual([])
      const { results } = await agent.search('undergr*')
      const [{ text, highlights } = { text: '', highlights: [] }] = results[0]?.snippet.passages ?? []
      expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(['Underground'])
    })

    it('find words whatever their case, width and composition, in any script', async () => {
      const { ana, agent } = world()
      for (const [title, text] of [
        ['accent', 'Cafe\u0301 noir'],
        ['hebrew', 'פגישה בגינה מחר'],
        ['arabic', 'اجتماع في الحديقة'],
        ['japanese', '庭で会議をします'],
        ['mixed', 'Заседание in the ＧＡＲＤＥＮ'],
      ] as const)
        await ana.remember({ ...note, title, text })
      for (const [query, title] of [
        ['CAFÉ', 'accent'],
        ['cafe', 'accent'],
        ['בגינה', 'hebrew'],
        ['الحديقة', 'arabic'],
        ['会議', 'japanese'],
        ['заседание', 'mixed'],
        ['garden', 'mixed'],
      ] as const)
        expect(await search(agent, query), query).toEqual([title])
    })

    it('count words up to the limit and say so beyond it', async () => {
      const { ana, agent } = world()
      await ana.remember({ ...note, text: 'w1 w64 w65' })
      const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at + 1}`).join(' ')
      expect((await agent.search(words(64))).count).toBe(1)
      // A word that is dropped in silence makes a no that is not one (CV-5).
      const asked = agent.search(`${words(64).replaceAll('w', 'v')} w65`)
      await expect(asked).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/^query: /),
      })
    })
  })

  describe('expansion', () => {
    const FORMS = [
      ['en', 'The gardens were watered and we were there', 'gardens', 'garden'],
      ['de', 'Die Verträge sind nicht da, und wir haben sie auch nicht', 'verträge', 'Vertrag'],
      ['fr', 'Les réunions sont dans la salle avec nous', 'réunions', 'réunion'],
      ['es', 'Las reuniones son para el equipo y no están aquí', 'reuniones', 'reunión'],
      ['nl', 'De vergaderingen zijn niet voor ons maar voor het team', 'vergaderingen', 'vergadering'],
      ['ru', 'Это были книги, и они не для нас', 'книги', 'книга'],
      ['tr', 'Bu kitaplar çok iyi ama bizim için değil', 'kitaplar', 'kitap'],
    ] as const
    it.each(
      few(FORMS, 3),
    )('[QX-1] finds other forms of a word in %s, given or told from the text, and discloses them', async (language, text, form, query) => {
      const { ana, agent } = world()
      await ana.remember({ ...note, title: 'told', text })
      await ana.remember({ ...note, title: 'given', text: form, language })
      // A stem counts in texts of its language, and not in those of another.
      await ana.remember({ ...note, title: 'other', text: form, language: language === 'ru' ? 'en' : 'ru' })
      const { results, expansions, receipt } = await agent.search(query)
      expect(titles({ results } as Found).sort()).toEqual(['given', 'told'])
      expect(expansions).toEqual([
        {
          expansionId: expect.any(String),
          queryRunId: receipt.searchRunId,
          expansionKind: 'stemming',
          appliedTerms: [form],
          expansionSource: 'built_in',
          expansionVisibleToSession: true,
          schemaVersion: 1,
        },
      ])
      expect(receipt.expansionDisclosureProvided).toBe(true)
      const bare = await agent.search(query, { stemming: false })
      expect({ count: bare.count, expansions: bare.expansions }).toEqual({ count: 0, expansions: [] })
      expect((await agent.search(form, { stemming: false })).count).toBe(3)
    })

    it('[QX-1] a quoted word is that word, and no other form counts or is disclosed', async () => {
      const { ana, agent } = world()
      await ana.remember([
        { ...note, title: 'form', text: 'gardens', language: 'en' },
        { ...note, title: 'itself', text: 'garden', language: 'en' },
      ])
      const found = await agent.search('"garden"')
      expect(titles(found)).toEqual(['itself'])
      expect(found.expansions).toEqual([])
    })

    it('[QX-1, QX-3] uses synonyms, built in and of a visible corpus, and discloses which came from where', async () => {
      const { ana, agent } = world()
      await ana.remember([
        { ...note, title: 'car', text: 'my car', corpus: 'cars' },
        { ...note, title: 'auto', text: 'an automobile', corpus: 'cars' },
        { ...note, title: 'van', text: 'a van' },
      ])
      const synonyms = [
        { of: 'Car', terms: ['Van', 'lorry'] },
        { of: 'car', terms: ['automobile', 'omnibus'], corpus: 'cars' },
        { of: 'bicycle', terms: ['van'], corpus: 'cars' },
      ]
      const found = await agent.search('car', { synonyms })
      expect(titles(found).sort()).toEqual(['auto', 'car', 'van'])
      expect(found.expansions).toMatchObject([
        { expansionKind: 'synonym', appliedTerms: ['van'], expansionSource: 'built_in' },
        {
          expansionKind: 'synonym',
          appliedTerms: ['automobile'],
          expansionSource: 'corpus',
          expansionSourceCorpusRef: 'cars',
        },
      ])
      expect(found.expansions[0]).not.toHaveProperty('expansionSourceCorpusRef')
      const van = found.results.find(({ record }) => record.payload?.title === 'van')
      expect(van).toMatchObject({ matchSurface: ['title', 'text'] })
      expect(await search(agent, 'van', { synonyms })).toEqual(['van'])
    })

    it('[QX-1] takes one word for one word: several would each stand for all of them', async () => {
      const { agent } = world()
      await expect(
        agent.search('living', { synonyms: [{ of: 'living will', terms: ['directive'] }] }),
      ).rejects.toMatchObject({ code: 'invalid_input', message: 'synonyms.0.of: must be one word' })
      await expect(
        agent.search('testament', { synonyms: [{ of: 'testament', terms: ['advance directive'] }] }),
      ).rejects.toMatchObject({ code: 'invalid_input', message: 'synonyms.0.terms.0: must be one word' })
    })

    it('[QX-3] drops synonyms of a corpus that is unknown, hidden or not asked about, without a trace', async () => {
      const { ana, agent, working } = world()
      await ana.remember([
        { ...note, title: 'van', text: 'a van' },
        { ...note, title: 'car', text: 'my car', corpus: 'open', kind: 'episodic' },
        { ...note, title: 'sealed', text: 'car', corpus: 'sealed', visibilityClass: 'sealed' },
        { ...note, title: 'high', text: 'car', corpus: 'high', sensitivity: 'high' },
        { ...note, title: 'meta', text: 'car', corpus: 'meta', sensitivity: 'medium' },
        { ...note, title: 'preview', text: 'truck', corpus: 'previewed' },
      ])
      await ana.overlays.add({ target: { kind: 'corpus', ref: 'previewed' }, restriction: 'preview_only' })
      const ask = (corpus?: string, more: Asked = {}) =>
        agent.search('car', {
          ...more,
          synonyms: corpus === undefined ? [] : [{ of: 'car', terms: ['van'], corpus }],
        })
      const plain = await ask()
      const unknown = await ask('nowhere')
      // Ids apart, and the digest of the scope: what was asked is part of it.
      const but = ({
        receipt: { scopeDigest: _, receiptId: __, searchRunId: ___, ...receipt },
        ...found
      }: Found) => ({
        ...found,
        receipt,
      })
      expect(but(unknown)).toEqual(but(plain))
      for (const corpus of ['sealed', 'high', 'meta', 'previewed'])
        expect(but(await ask(corpus)), corpus).toEqual(but(plain))
      expect(titles(await ask('open')).sort()).toEqual(['car', 'van'])
      expect((await ask('open', { kinds: ['note'] })).count).toBe(0)
      const whole = working({ trust: { maxSensitivity: 'hyper' }, visibility: { ceiling: 'firewalled' } })
      const found = await whole.search('car', { synonyms: [{ of: 'car', terms: ['van'], corpus: 'sealed' }] })
      expect(titles(found)).toContain('van')
    })

    it('[QX-2] puts a word right with a visible one, the most frequent first', async () => {
      const { ana, agent } = world()
      await ana.remember([
        { ...note, text: 'garden garden' },
        { ...note, text: 'garden harden' },
        { ...note, text: 'harden warden' },
        { ...note, text: 'harden' },
      ])
      const { suggestion, count } = await agent.search('Old "barden" GARDNE -warden sh')
      expect(count).toBe(0)
      expect(suggestion).toEqual({
        query: 'Old "harden" garden -warden sh',
        terms: [
          { from: 'barden', to: 'harden' },
          { from: 'gardne', to: 'garden' },
        ],
      })
      expect((await agent.search('garden')).suggestion).toBeNull()
      expect((await agent.search(suggestion?.query ?? '')).count).toBeGreaterThan(0)
    })

    it('[QX-2] completes the last word while it is typed, by how many visible records have it', async () => {
      const { ana, agent } = world()
      await ana.remember([
        { ...note, title: 'Garlic', text: 'garden garden garden', tags: ['garage'] },
        { ...note, text: 'garden', corpus: 'c', fields: { garfield: 'garfield' } },
      ])
      expect((await agent.complete('Old gar')).completions).toEqual([
        { text: 'Old garden', word: 'garden', records: 2 },
        { text: 'Old garage', word: 'garage', records: 1 },
        { text: 'Old garlic', word: 'garlic', records: 1 },
      ])
      expect((await agent.complete('gar', { limit: 1 })).completions).toHaveLength(1)
      expect((await agent.complete('GARD', { corpus: 'c' })).completions).toEqual([
        { text: 'garden', word: 'garden', records: 1 },
      ])
      for (const text of ['', ' ', 'gar ', 'zebra', '!'])
        expect(await agent.complete(text)).toEqual({ completions: [] })
    })

    it.each(
      few(Object.keys(WAYS).reverse(), 4),
    )('[QX-2] neither suggests nor completes a word that only a hidden record has: %s', async way => {
      const here = world()
      await here.ana.remember({ ...note, text: 'something plain' })
      await WAYS[way]?.(here, { ...note, title: 'zebrafish', text: 'A quagga stood there', tags: ['quokka'] })
      clock.set(LATER)
      for (const typed of ['zebrafsh', 'qugga', 'quoka', 'zebrafishes'])
        expect(await here.agent.search(typed), typed).toMatchObject({
          count: 0,
          suggestion: null,
          expansions: [],
        })
      for (const typed of ['zebraf', 'quag', 'quok', 'q', 'z'])
        expect(await here.agent.complete(typed), typed).toEqual({ completions: [] })
    })
  })

  describe('what is hidden', () => {
    let bare: string | undefined
    const expected = async () => {
      if (bare !== undefined) return bare
      const here = world()
      await plant(here)
      bare = await answers(here.agent)
      return bare
    }
    const hidden: Draft = {
      ...note,
      title: 'garden zebra',
      text: 'garden shed shed ladder zebra gardne and a very long tail of other words that make the average longer',
      tags: ['home', 'zebra'],
      corpus: 'tools',
    }

    it.each(
      few(Object.keys(WAYS), 6),
    )('[NI-1, NI-2, NI-3] changes no byte of what is found: %s', async way => {
      const before = await expected()
      const here = world()
      await plant(here, at => hide(way, here, at))
      expect(await answers(here.agent)).toBe(before)
      // It would have, had it been seen: the owner finds it, unless it is nobody's any more.
      if (['sensitivity', 'participants', 'scope', 'class'].includes(way))
        expect((await here.ana.search('zebra')).count).toBe(GARDEN.length + 1)
    })

    /** Once for what can be made only once, else between all that is visible. */
    const hide = async (way: string, here: World, at: number) => {
      if (at > 0 && way === 'group') return
      await WAYS[way]?.(here, { ...hidden, text: `${hidden.text} ${'garden '.repeat(at)}` })
    }

    it('[NI-1, NI-2, NI-3] changes no byte however much there is of it', async () => {
      const before = await expected()
      const here = world()
      const many = (count: number, more: Partial<Draft>): Draft[] =>
        Array.from({ length: count }, (_, at) => ({
          ...hidden,
          text: `${hidden.text} ${at} ${'garden '.repeat(at % 7)}`,
          ...more,
        }))
      await plant(here, async at => {
        if (at === 1) await here.ana.remember(many(300, { sensitivity: 'high' }))
        if (at === 2) await here.ana.remember(many(150, { visibilityClass: 'sealed', kind: 'working' }))
        if (at === 3) await here.ana.remember(many(150, { participants: ['ben'] }))
        if (at === 4) await here.as('ben').remember(many(100, {}))
      })
      expect(await answers(here.agent)).toBe(before)
      expect((await here.ana.search('zebra')).count).toBe(600)
    })

    it('[SR-12, RC-11] neither rollups nor syntheses are found by anybody, by no question', async () => {
      const { ana, agent, as } = world()
      await ana.remember([
        { ...note, kind: 'activity_rollup', text: 'word', tags: ['word'], sensitivity: 'public' },
        { ...note, kind: 'ai_synthesis', text: 'word', title: 'word', sensitivity: 'public' },
        { ...note, kind: 'activity_rollup', text: 'word', sensitivity: 'medium', tags: ['word'] },
      ])
      for (const caller of [ana, agent, as('ana', { audience: 'host' })]) {
        for (const asked of [{}, { kinds: ['activity_rollup', 'ai_synthesis'] as const }])
          expect(await caller.search('word', asked as Asked)).toMatchObject({
            count: 0,
            receipt: { searchedCount: 0 },
          })
        expect(await caller.complete('wo')).toEqual({ completions: [] })
      }
    })
  })

  describe('faces', () => {
    it('[NI-4] finds a metadata face by its tags and by nothing else', async () => {
      const { ana, agent } = world()
      const { id } = await ana.remember({
        ...note,
        title: 'zebra title',
        text: 'quagga body',
        tags: ['okapi tag'],
        sensitivity: 'medium',
        corpus: 'c',
        fields: { f: 'x' },
        occurredAt: new Date(START),
      })
      for (const query of ['zebra', 'quagga', 'title', 'body', 'zeb*', 'c', 'x', 'low'])
        expect((await agent.search(query)).count, query).toBe(0)
      const found = await agent.search('okapi')
      expect(found).toMatchObject({
        count: 1,
        results: [
          {
            record: { id, face: 'metadata', payload: null, provenance: null },
            matchSurface: ['tags'],
            snippet: { title: { highlights: [] }, passages: [] },
          },
        ],
      })
      expect(await agent.search('"okapi tag"')).toMatchObject({ count: 1 })
      expect(await agent.search('okapi -zebra -quagga')).toMatchObject({ count: 1 })
      expect(await agent.search('okapi "quagga body"')).toMatchObject({ count: 0 })
    })

    it('[NI-4, OV-1] finds a preview by its title and first 200 characters, a word cut there as it is cut', async () => {
      const { ana, agent } = world()
      const head = `${'🙂'.repeat(10)} quagga ${'x '.repeat(88)}`
      const text = `${head}zebrafish okapi`
      expect([...head]).toHaveLength(194)
      const { id } = await ana.remember({ ...note, title: 'lemur', text, tags: ['tapir'], document: 'd' })
      expect((await agent.search('okapi')).count).toBe(1)
      await ana.overlays.add({ target: { kind: 'document', ref: 'd' }, restriction: 'preview_only' })
      for (const query of ['okapi', 'zebrafish', 'fish'])
        expect((await agent.search(query)).count, query).toBe(0)
      for (const query of ['lemur', 'quagga', 'tapir', 'zebraf', 'zebra*'])
        expect(await agent.search(query), query).toMatchObject({
          count: 1,
          results: [{ record: { id, face: 'preview' } }],
        })
      const { results } = await agent.search('zebraf quagga lemur')
      const { record, snippet, matchSurface } = results[0] ?? {}
      expect(matchSurface).toEqual(['title', 'text'])
      expect([...(record?.payload?.text ?? '')]).toHaveLength(200)
      const marked = snippet?.passages.flatMap(({ text, highlights }) =>
        highlights.map(([start, end]) => text.slice(start, end)),
      )
      expect(marked).toEqual(['quagga', 'zebraf'])
      expect((await agent.complete('zebra')).completions.map(({ word }) => word)).toEqual(['zebraf'])
    })

    it('[NI-4] keeps lesser faces out where a condition asks for what they do not show', async () => {
      const { ana, agent } = world()
      await consenting(ana, 'ben')
      const record: Draft = {
        ...note,
        title: 'word',
        text: 'word',
        tags: ['word'],
        corpus: 'c',
        participants: ['ben'],
        fields: { f: 'x' },
        occurredAt: new Date(START),
      }
      await ana.remember([
        { ...record, sensitivity: 'medium' },
        { ...record, document: 'd' },
      ])
      await ana.overlays.add({ target: { kind: 'document', ref: 'd' }, restriction: 'preview_only' })
      const payload: Asked[] = [
        { corpus: 'c' },
        { owner: 'ana' },
        { people: ['ben'] },
        { fields: { f: 'x' } },
        { occurredAfter: new Date(START) },
        { occurredBefore: new Date(LATER) },
      ]
      for (const asked of payload) {
        const found = await agent.search('word', asked)
        expect({ count: found.count, searched: found.receipt.searchedCount }, JSON.stringify(asked)).toEqual({
          count: 0,
          searched: 0,
        })
      }
      const shown: Asked[] = [
        { kinds: ['note'] },
        { tags: ['word'] },
        { createdAfter: new Date(START), createdBefore: new Date(LATER) },
      ]
      for (const asked of shown) expect((await agent.search('word', asked)).count).toBe(2)
      expect((await ana.search('word', { corpus: 'c' })).count).toBe(1)
    })

    it('[OV-3] finds a redacted twin under its own id by its own words, the original by nothing', async () => {
      const { ana, agent } = world()
      const original = await ana.remember({
        ...note,
        title: 'o',
        text: 'Ben owes zebra money',
        tags: ['ot'],
        corpus: 'c',
      })
      const twin = await ana.remember({
        ...note,
        title: 't',
        text: 'Quagga owes money',
        tags: ['tt'],
        corpus: 'c',
        redactedOf: original.id,
      })
      await ana.remember({ ...note, text: 'okapi money', corpus: 'c' })
      // The twin stands in for the original only where it has to.
      for (const caller of [ana, agent]) expect(ids(await caller.search('zebra'))).toEqual([original.id])
      const overlay = await ana.overlays.add({
        target: { kind: 'corpus', ref: 'c' },
        restriction: 'redacted_only',
      })
      for (const caller of [ana, agent]) {
        for (const query of ['zebra', 'ben', 'ot', 'o', 'okapi'])
          expect((await caller.search(query)).count, query).toBe(0)
        for (const query of ['quagga', 'tt', 'money', '"owes money"'])
          expect(ids(await caller.search(query)), query).toEqual([twin.id])
        expect((await caller.search('money')).receipt.searchedCount).toBe(1)
        expect(await caller.complete('zeb')).toEqual({ completions: [] })
      }
      await ana.overlays.remove({ overlay: overlay.id })
      expect(ids(await agent.search('zebra'))).toEqual([original.id])
    })

    it('[OV-3] not_shareable is nothing to a recipient', async () => {
      const { ana, agent, working } = world()
      await ana.remember({
        ...note,
        text: 'word',
        document: 'd',
        visibilityClass: 'public_open',
        sensitivity: 'public',
      })
      await ana.overlays.add({ target: { kind: 'document', ref: 'd' }, restriction: 'not_shareable' })
      const recipient = working({ audience: 'recipient', visibility: { ceiling: 'firewalled' } })
      expect((await recipient.documents.search({ query: 'word' })).count).toBe(0)
      for (const caller of [ana, agent]) expect((await caller.search('word')).count).toBe(1)
    })
  })

  describe('scores', () => {
    it('[TR-5] orders equal scores by layer, then by id', async () => {
      const { ana, agent } = world()
      const kinds = ['note', 'episodic', 'plan_graph', 'competence', 'semantic', 'entity', 'working'] as const
      await ana.remember([...kinds, ...kinds].map(kind => ({ ...note, kind, text: 'same words' })))
      const { results } = await agent.search('same', { limit: 100 })
      const order = [...kinds].reverse().flatMap(kind => [kind, kind])
      expect(results.map(({ record }) => record.kind)).toEqual(order)
      for (let at = 0; at < results.length; at += 2)
        expect((results[at]?.record.id ?? '') < (results[at + 1]?.record.id ?? '')).toBe(true)
      // A better score comes before any layer.
      await ana.remember({ ...note, kind: 'note', text: 'same same' })
      expect((await agent.search('same', { feedback: false })).results[0]?.record).toMatchObject({
        kind: 'note',
        payload: { text: 'same same' },
      })
    })

    it('[SC-5, SC-7] gives scores that can be cut at, also to the only match', async () => {
      const { ana, agent } = world()
      await ana.remember({ ...note, title: 'x', text: 'apple' })
      expect(scores(await agent.search('apple'))).toEqual([ALONE])
      await ana.remember({ ...note, title: 'x', text: 'apple' })
      expect(scores(await agent.search('apple'))).toEqual([ALONE, ALONE])
      await ana.remember({ ...note, text: 'pear' })
      // What half of a question asks for is worth less than the whole of another.
      const [half = 0] = scores(await agent.search('apple quince'))
      expect(half).toBeGreaterThan(0.1)
      expect(half).toBeLessThan(ALONE - 0.1)
      expect(await search(agent, 'apple quince', { minScore: half })).toHaveLength(2)
      expect(await search(agent, 'apple quince', { minScore: half + 0.01 })).toEqual([])
      await ana.remember({ ...note, text: 'apple apple with a good deal of other words to say besides' })
      const found = await agent.search('apple pear')
      for (const score of scores(found)) {
        expect(score).toBeGreaterThan(0)
        expect(score).toBeLessThan(1)
        expect(Number.isInteger(score * 2 ** 20)).toBe(true)
      }
      expect(scores(found)).toEqual(scores(found).toSorted((a, b) => b - a))
      for (const limit of [1, 2, 3])
        expect(scores(await agent.search('apple pear', { limit }))).toEqual(scores(found).slice(0, limit))
    })

    it('rarer words weigh more, more of them too, and longer texts less', async () => {
      const { ana, agent } = world()
      await ana.remember([
        { ...note, title: 'both', text: 'apple quince' },
        { ...note, title: 'rare', text: 'quince bread' },
        { ...note, title: 'often', text: 'apple apple' },
        { ...note, title: 'once', text: 'apple bread' },
        {
          ...note,
          title: 'long',
          text: 'apple bread and very much more that is about neither of these two at all',
        },
      ])
      expect(await search(agent, 'apple quince', { feedback: false })).toEqual([
        'both',
        'rare',
        'often',
        'once',
        'long',
      ])
    })

    it('[NI-2, SC-7] common words of the language of the question find nothing, however rare they are', async () => {
      const { ana, agent } = world()
      await ana.remember([
        { ...note, title: 'chatter', text: 'what did they do when' },
        { ...note, title: 'subject', text: 'garden' },
        { ...note, title: 'more', text: 'a garden in spring' },
        { ...note, title: 'german', text: 'wann hat er das' },
        { ...note, title: 'garten', text: 'garten' },
      ])
      expect(await search(agent, 'when did the garden')).toEqual(['subject', 'more'])
      expect(await search(agent, 'wann hat er das im garten')).toEqual(['garten'])
      expect(await search(agent, 'what did they do')).toEqual([])
      expect(await search(agent, '"did they do"')).toEqual(['chatter'])
      expect(await search(agent, 'garden wha*')).toEqual(['chatter', 'subject', 'more'])
    })

    /** Harvest and apple are asked for; what the best speak of beside is cider. */
    const ORCHARD: Draft[] = [
      { ...note, title: 'first', text: 'harvest apple cider' },
      { ...note, title: 'second', text: 'harvest apple cider' },
      { ...note, title: 'third', text: 'harvest apple cider' },
      { ...note, title: 'told', text: 'harvest cider' },
      { ...note, title: 'untold', text: 'harvest bread' },
      { ...note, title: 'cider alone', text: 'cider' },
      { ...note, title: 'bread alone', text: 'bread' },
    ]
    const scoreOf = ({ results }: Found, title: string) =>
      results.find(({ record }) => record.payload?.title === title)?.scores.text

    it('[SC-2] what the best speak of orders the others, and changes nothing else', async () => {
      const { ana, agent } = world()
      await ana.remember(ORCHARD)
      const plain = await agent.search('harvest apple', { feedback: false })
      expect(scoreOf(plain, 'told')).toBe(scoreOf(plain, 'untold'))
      const found = await agent.search('harvest apple')
      expect(scoreOf(found, 'told')).toBeGreaterThan(scoreOf(found, 'untold') ?? 0)
      expect(scoreOf(found, 'untold')).toBe(scoreOf(plain, 'untold'))
      expect(titles(found)[3]).toBe('told')
      const about = ({ count, facets, suggestion, expansions }: Found) => ({
        count,
        facets,
        suggestion,
        expansions,
      })
      expect(about(found)).toEqual(about(plain))
      expect(found.count).toBe(5)
      expect(new Set(ids(found))).toEqual(new Set(ids(plain)))
      // It is not shown as met either.
      for (const { snippet } of found.results)
        for (const { text, highlights } of snippet.passages)
          for (const [from, to] of highlights) expect(text.slice(from, to)).not.toBe('cider')
      expect(await agent.search('harvest apple', { mode: 'vector' })).toMatchObject({
        count: expect.any(Number),
      })
    })

    it('[NI-1, NI-2] nothing that is hidden tells what a question is about', async () => {
      for (const [way, hide] of few(Object.entries(WAYS), 4)) {
        const without = world()
        await without.ana.remember(ORCHARD)
        clock.set(LATER)
        const right = await without.agent.search('harvest apple')
        const here = world()
        await here.ana.remember(ORCHARD)
        await hide(here, { ...note, title: 'hidden', text: 'harvest apple harvest apple bread bread' })
        clock.set(LATER)
        const found = await here.agent.search('harvest apple')
        const told = ({ results }: Found) =>
          results.map(({ score, record, scores: { text } }) => [record.payload?.title, score, text])
        expect(told(found), way).toEqual(told(right))
      }
    })

    it('[NI-4] a face tells by what it shows', async () => {
      const { ana, agent } = world()
      const rest = `${'and so on '.repeat(30)} cider cider cider`
      await ana.remember(ORCHARD.slice(3))
      await ana.remember(
        ['first', 'second', 'third'].map(title => ({
          ...note,
          title,
          text: `harvest apple bread ${rest}`,
          document: 'd',
        })),
      )
      const raised = async (title: string) => {
        const plain = await agent.search('harvest apple', { feedback: false })
        return (scoreOf(await agent.search('harvest apple'), title) ?? 0) > (scoreOf(plain, title) ?? 0)
      }
      expect([await raised('told'), await raised('untold')]).toEqual([true, true])
      // Bread is shown, cider is not any more.
      await ana.overlays.add({ target: { kind: 'document', ref: 'd' }, restriction: 'preview_only' })
      expect([await raised('told'), await raised('untold')]).toEqual([false, true])
      const { results } = await agent.search('harvest apple')
      expect(results.map(({ record }) => record.face)).toEqual([
        'preview',
        'preview',
        'preview',
        'full',
        'full',
      ])
    })

    it('[SR-8, CV-3] ranks 50, or 100 for metadata and synthesis, and counts all', async () => {
      const { ana, agent } = world()
      await ana.remember(
        Array.from({ length: 50 }, (_, at) => ({ ...note, text: `word ${at}`, tags: ['t'] })),
      )
      expect(await agent.search('word')).toMatchObject({
        count: 50,
        receipt: { resultSetCompleteness: 'exhaustive_for_scope' },
      })
      await ana.remember(
        Array.from({ length: 51 }, (_, at) => ({ ...note, text: `word ${at}`, tags: ['t'] })),
      )
      for (const [posture, most] of [
        ['document_text_primary', 50],
        ['derived_memory_primary', 50],
        ['mixed_surface_disclosed', 50],
        ['metadata_primary', 100],
        ['cross_source_synthesis', 100],
      ] as const) {
        const all = await pages(agent, 'word', { posture, limit: 40 })
        expect(all.flatMap(ids), posture).toHaveLength(most)
        expect(new Set(all.flatMap(ids)).size).toBe(most)
        for (const { count, facets, receipt, notice } of all)
          expect({ count, tags: facets.tag, completeness: receipt.resultSetCompleteness, notice }).toEqual({
            count: 101,
            tags: [{ value: 't', count: 101 }],
            completeness: 'ranked_top_k_not_exhaustive',
            notice: null,
          })
      }
      const whole = await agent.search('word', { posture: 'metadata_primary', limit: 100 })
      expect((await agent.search('word', { limit: 50 })).results).toEqual(whole.results.slice(0, 50))
    })
  })

  describe('conditions', () => {
    const at = (minutes: number) => new Date(START + minutes * MINUTE)
    const CONDITIONS: [string, Asked, Partial<Draft>, Partial<Draft>][] = [
      ['kinds', { kinds: ['episodic', 'working'] }, { kind: 'episodic' }, { kind: 'semantic' }],
      ['tags', { tags: ['a', 'b'] }, { tags: ['b', 'a', 'c'] }, { tags: ['a'] }],
      ['occurredAfter', { occurredAfter: at(5) }, { occurredAt: at(5) }, { occurredAt: at(4) }],
      ['occurredBefore', { occurredBefore: at(5) }, { occurredAt: at(4) }, { occurredAt: at(5) }],
      ['occurred at all', { occurredAfter: at(-9_999) }, { occurredAt: at(0) }, {}],
      ['corpus', { corpus: 'c' }, { corpus: 'c' }, { corpus: 'd' }],
      [
        'people',
        { people: ['ben', 'cleo'] },
        { participants: ['cleo', 'ben', 'dora'] },
        { participants: ['ben'] },
      ],
      ['a string', { fields: { f: 'x' } }, { fields: { f: 'x', g: 1 } }, { fields: { f: 'y', g: 'x' } }],
      ['a number', { fields: { f: 1.5 } }, { fields: { f: 1.5 } }, { fields: { f: '1.5' } }],
      ['a boolean', { fields: { f: true } }, { fields: { f: true } }, { fields: { f: 'true' } }],
      ['null', { fields: { f: null } }, { fields: { f: null } }, { fields: { f: 'null' } }],
      ['null is not missing', { fields: { f: null } }, { fields: { f: null } }, { fields: {} }],
      [
        'a value in a list',
        { fields: { f: 2 } },
        { fields: { f: [1, 2] } },
        { fields: { f: [[2], { f: 2 }, '2'] } },
      ],
      ['null in a list', { fields: { f: null } }, { fields: { f: [null] } }, { fields: { f: [] } }],
      [
        'two fields',
        { fields: { f: 1, g: 'x' } },
        { fields: { g: 'x', f: 1 } },
        { fields: { f: 1, g: 'y' } },
      ],
      [
        'a long value',
        { fields: { f: 'x'.repeat(999) } },
        { fields: { f: 'x'.repeat(999) } },
        { fields: { f: 'x'.repeat(998) } },
      ],
      ['odd names', { fields: { 'a","b': '"]' } }, { fields: { 'a","b': '"]' } }, { fields: { a: 'b' } }],
      [
        'several',
        { kinds: ['note'], tags: ['a'], corpus: 'c' },
        { tags: ['a'], corpus: 'c' },
        { tags: ['a'], corpus: 'd' },
      ],
    ]
    const TEXTS = [
      'apple',
      'apple apple pear',
      'pear and some more words',
      'apple pear plum and others',
      'nothing',
    ]

    it.each(few(CONDITIONS, 6))('[OP-3] come before statistics: %s', async (_, asked, passing, failing) => {
      const [only, mixed] = [world(), world()]
      for (const { ana } of [only, mixed]) await consenting(ana, 'ben', 'cleo', 'dora')
      const records = TEXTS.map(text => ({ ...note, text, title: text, ...passing }))
      await only.ana.remember(records)
      const others = TEXTS.map(text => ({
        ...note,
        text: `${text} apple pear apple`,
        title: 'wrong',
        ...failing,
      }))
      await mixed.ana.remember([...others, ...records, ...others])
      for (const who of ['ana', 'agent'] as const) {
        const right = await only[who].search('apple pear', asked)
        const found = await mixed[who].search('apple pear', asked)
        expect(right.count).toBe(4)
        expect(titles(found)).toEqual(titles(right))
        expect(found.results.map(({ score, scores: { text } }) => [score, text])).toEqual(
          right.results.map(({ score, scores: { text } }) => [score, text]),
        )
        for (const of of ['count', 'facets', 'suggestion', 'notice'] as const)
          expect(found[of]).toEqual(right[of])
        expect(found.receipt.searchedCount).toBe(5)
        // And without conditions the others would have counted.
        expect((await mixed[who].search('apple pear')).count).toBe(14)
        const words = await mixed[who].complete('app', asked)
        expect(words).toEqual(await only[who].complete('app', asked))
      }
    })

    it('[OP-3] take moments of creation from the first to before the last', async () => {
      const { ana, agent } = world()
      for (const minute of [0, 1, 2, 3]) {
        clock.set(START + minute * MINUTE)
        await ana.remember({ ...note, title: `${minute}`, text: 'word' })
      }
      expect((await search(agent, 'word', { createdAfter: at(1), createdBefore: at(3) })).sort()).toEqual([
        '1',
        '2',
      ])
      expect(await search(agent, 'word', { createdAfter: at(3).toISOString() })).toEqual(['3'])
      expect(await search(agent, 'word', { createdBefore: '2026-01-01T01:01:00+01:00' })).toEqual(['0'])
      expect(scores(await agent.search('word', { createdBefore: at(1) }))).toEqual([ALONE])
    })

    it('[OP-3, OP-2] take the owner: one’s own, a group’s, and nobody else’s', async () => {
      const { ana, as } = world()
      const group = await ana.groups.create({ name: 'firm' })
      await ana.groups.addMember({ group: group.id, member: 'ben' })
      await ana.remember([
        { ...note, title: 'hers', text: 'apple' },
        { ...note, title: 'theirs', text: 'apple', owner: group.principal },
      ])
      await as('ben').remember({ ...note, title: 'his', text: 'apple' })
      expect((await search(ana, 'apple')).sort()).toEqual(['hers', 'theirs'])
      expect(await search(ana, 'apple', { owner: 'ana' })).toEqual(['hers'])
      expect(await search(ana, 'apple', { owner: group.principal })).toEqual(['theirs'])
      expect(scores(await ana.search('apple', { owner: group.principal }))).toEqual([ALONE])
      for (const owner of ['ben', 'nobody', 'group:none'])
        expect(await ana.search('apple', { owner })).toMatchObject({ count: 0, notice: 'No results found.' })
    })
  })

  describe('change', () => {
    it('[AU-4, TR-8] follows what is forgotten, revised and relabelled with the very next search', async () => {
      const { ana, agent } = world()
      const { id } = await ana.remember({ ...note, title: 'first', text: 'zebra', tags: ['stripes'] })
      expect(await search(agent, 'zebra')).toEqual(['first'])
      const { records } = await ana.revise({
        how: 'supersede',
        record: id,
        by: { title: 'second', text: 'quagga', tags: ['stripes'] },
      })
      const next = records[0]?.id ?? ''
      expect(await search(agent, 'zebra')).toEqual([])
      expect(await search(agent, 'quagga')).toEqual(['second'])
      await ana.relabel({ record: next, sensitivity: 'medium', tags: ['spots'] })
      expect(await search(agent, 'quagga')).toEqual([])
      expect(await search(agent, 'spots')).toEqual([next])
      expect(await search(agent, 'stripes')).toEqual([])
      await ana.relabel({ record: next, sensitivity: 'high' })
      expect(await search(agent, 'spots')).toEqual([])
      await ana.relabel({ record: next, sensitivity: 'low' })
      expect(await search(agent, 'quagga')).toEqual(['second'])
      await ana.revise({ how: 'contest', record: next })
      expect((await agent.search('quagga')).results[0]?.record.payload).toMatchObject({ contested: true })
      await ana.forget(next)
      expect(await agent.search('quagga')).toMatchObject({ count: 0, receipt: { searchedCount: 0 } })
      expect(await agent.complete('qua')).toEqual({ completions: [] })
    })

    it('[PC-2, NI-7] follows consent with the very next search', async () => {
      const { ana, agent } = world()
      await ana.remember({ ...note, title: 'picnic', text: 'zebra', participants: ['ben'] })
      for (const [status, shown] of [
        ['granted', ['picnic']],
        ['revoked', []],
        ['granted', ['picnic']],
        ['pending', []],
      ] as const) {
        await ana.people.consent({ person: 'ben', status })
        expect(await search(agent, 'zebra'), status).toEqual(shown)
        expect(await search(ana, 'zebra')).toEqual(['picnic'])
      }
      expect((await ana.search('zebra', {}, { respectConsent: true })).count).toBe(0)
    })

    it('[OP-4] holds expiry when it is read, to the millisecond', async () => {
      const { ana, agent } = world()
      await ana.remember([
        { ...note, title: 'short', text: 'word', expiresAt: EXPIRY },
        { ...note, title: 'long', text: 'word', expiresAt: new Date(LATER) },
        { ...note, title: 'forever', text: 'word' },
      ])
      for (const [moment, shown] of [
        [EXPIRY.getTime() - 1, ['forever', 'long', 'short']],
        [EXPIRY.getTime(), ['forever', 'long']],
        [LATER - 1, ['forever', 'long']],
        [LATER, ['forever']],
      ] as const) {
        clock.set(moment)
        for (const caller of [ana, agent]) expect((await search(caller, 'word')).sort()).toEqual(shown)
      }
      // A clock that goes back shows them again: what is kept was decided for a time.
      clock.set(EXPIRY.getTime() - 1)
      expect((await search(agent, 'word')).sort()).toEqual(['forever', 'long', 'short'])
    })
  })

  describe('input', () => {
    const SECRET = 'hunter2'
    const wrong: [string, string, unknown, RegExp][] = [
      ['nothing', 'invalid_input', { query: '' }, /^query: must not be empty/],
      ['blanks', 'invalid_input', { query: ' \n\t' }, /^query: must not be empty/],
      ['punctuation', 'invalid_input', { query: '?! ... "" -- *' }, /^query: must contain at least one word/],
      ['emoji', 'invalid_input', { query: '🙂🙃 👩‍👩‍👧' }, /^query: must contain at least one word/],
      [
        'exclusions only',
        'invalid_input',
        { query: `-${SECRET} -"so ${SECRET}"` },
        /^query: must contain at least one word/,
      ],
      ['a query too long', 'too_large', { query: SECRET.repeat(600) }, /^query: must be at most 2000 bytes/],
      ['NUL', 'invalid_input', { query: `${SECRET}\0` }, /^query: must be well-formed/],
      ['a lone surrogate', 'invalid_input', { query: `${SECRET}\ud83d` }, /^query: must be well-formed/],
      ['no query', 'invalid_input', {}, /^query: is required/],
      ['a number', 'invalid_input', { query: 7 }, /^query: must be of type string/],
      ['an unknown field', 'invalid_input', { query: SECRET, sort: SECRET }, /^unknown field sort/],
      ['limit 0', 'invalid_input', { query: SECRET, limit: 0 }, /^limit: must be at least 1/],
      ['limit 101', 'invalid_input', { query: SECRET, limit: 101 }, /^limit: must be at most 100/],
      ['half a limit', 'invalid_input', { query: SECRET, limit: 1.5 }, /^limit: /],
      ['a limit of text', 'invalid_input', { query: SECRET, limit: '5' }, /^limit: must be of type/],
      [
        'an unknown kind',
        'invalid_input',
        { query: SECRET, kinds: [SECRET] },
        /^kinds.0: must be one of working/,
      ],
      ['no kinds', 'invalid_input', { query: SECRET, kinds: [] }, /^kinds: must have at least 1 entry/],
      ['no tags', 'invalid_input', { query: SECRET, tags: [] }, /^tags: must have at least 1 entry/],
      ['an empty tag', 'invalid_input', { query: SECRET, tags: [' '] }, /^tags.0: must not be empty/],
      ['no moment', 'invalid_input', { query: SECRET, createdAfter: SECRET }, /^createdAfter: /],
      [
        'a moment without an offset',
        'invalid_input',
        { query: SECRET, occurredBefore: '2026-01-01T00:00' },
        /^occurredBefore: /,
      ],
      [
        'an invalid date',
        'invalid_input',
        { query: SECRET, createdBefore: new Date('x') },
        /^createdBefore: /,
      ],
      ['a field that is a list', 'invalid_input', { query: SECRET, fields: { f: [SECRET] } }, /^fields.f: /],
      ['fields that are none', 'invalid_input', { query: SECRET, fields: SECRET }, /^fields: /],
      [
        'too many people',
        'invalid_input',
        { query: SECRET, people: Array(51).fill(SECRET) },
        /^people: must have at most 50 entries/,
      ],
      [
        'an unknown facet',
        'invalid_input',
        { query: SECRET, facets: [SECRET] },
        /^facets.0: must be one of kind/,
      ],
      [
        'no passages',
        'invalid_input',
        { query: SECRET, snippet: { passages: 0 } },
        /^snippet.passages: must be at least 1/,
      ],
      [
        'a short passage',
        'invalid_input',
        { query: SECRET, snippet: { length: 19 } },
        /^snippet.length: must be at least 20/,
      ],
      ['an unknown posture', 'invalid_input', { query: SECRET, posture: SECRET }, /^posture: must be one of/],
      [
        'a synonym for nothing',
        'invalid_input',
        { query: SECRET, synonyms: [{ of: '', terms: ['x'] }] },
        /^synonyms.0.of: /,
      ],
      [
        'a synonym of nothing',
        'invalid_input',
        { query: SECRET, synonyms: [{ of: 'x', terms: [] }] },
        /^synonyms.0.terms: /,
      ],
      [
        'a cursor too long',
        'too_large',
        { query: SECRET, cursor: SECRET.repeat(300) },
        /^cursor: must be at most/,
      ],
      ['a bad cursor', 'invalid_input', { query: SECRET, cursor: SECRET }, /^cursor: is not valid/],
      ['no object', 'invalid_input', SECRET, /^must be of type object/],
      ['null', 'invalid_input', null, /^must be of type object/],
    ]

    it.each(
      few(wrong, 8),
    )('[AU-3] is refused clearly and not repeated: %s', async (_, code, input, message) => {
      const { tenant, ana } = world()
      const credential = { tenant, actor: 'ana' }
      const asked = store.privity.invoke(credential, 'memory.search', input)
      await expect(asked).rejects.toMatchObject({
        name: 'PrivityError',
        code,
        message: expect.stringMatching(message),
      })
      await expect(asked).rejects.not.toMatchObject({ message: expect.stringContaining(SECRET) })
      const { entries } = await ana.audit.list({ limit: 10 })
      expect(entries[0]).toMatchObject({ operation: 'memory.search', outcome: code })
      expect(JSON.stringify(entries)).not.toContain(SECRET)
      // What is refused was not a search.
      expect((await ana.receipts.list()).receipts).toEqual([])
    })

    it('[AU-3] of completions is refused in the same way', async () => {
      const { ana } = world()
      for (const [text, asked, message] of [
        [`${SECRET}\0`, {}, /^text: must be well-formed/],
        [SECRET.repeat(600), {}, /^text: must be at most/],
        [SECRET, { limit: 51 }, /^limit: must be at most 50/],
        [SECRET, { posture: 'metadata_primary' }, /^unknown field posture/],
      ] as const) {
        const refused = ana.complete(text, asked as object)
        await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(message) })
      }
    })
  })
})

describe.each(engines)('search in two instances on %s', engine => {
  let store: SharedStore
  let here: Privity
  let there: Privity
  beforeAll(async () => {
    store = await sharedStore(engine)
    here = await store.instance()
    there = await store.instance()
  })
  afterAll(async () => {
    await here.close()
    await there.close()
    await store.dispose()
  })

  it('[OV-5] T-OV-1, T-OV-2: overlays and grants hold from the very next search on, in both', async () => {
    const tenant = store.tenant()
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    }
    const ana = here.as({ tenant, actor: 'ana' })
    const callers = [here.as(helper), there.as(helper), there.as({ tenant, actor: 'ana' })]
    await ana.remember({ ...note, title: 'kept', text: 'word' })
    await ana.remember({ ...note, title: 'moved', text: 'word', corpus: 'c', document: 'd' })
    const shown = async () => {
      const found: unknown[] = []
      for (const caller of callers) {
        const { results, count, receipt } = await caller.search('word')
        expect(count).toBe(results.length)
        expect(receipt.searchedCount).toBe(count)
        found.push(results.map(({ record }) => `${record.payload?.title} ${record.face}`).sort())
      }
      expect(new Set(found.map(each => JSON.stringify(each))).size).toBe(1)
      return found[0]
    }
    const both = ['kept full', 'moved full']
    expect(await shown()).toEqual(both)
    for (const [kind, ref] of [
      ['corpus', 'c'],
      ['document', 'd'],
    ] as const) {
      const target = { kind, ref }
      const blocked = await ana.overlays.add({ target, restriction: 'blocked' })
      expect(await shown()).toEqual(['kept full'])
      await there.as({ tenant, actor: 'ana' }).overlays.remove({ overlay: blocked.id })
      expect(await shown()).toEqual(both)
      const previewed = await ana.overlays.add({ target, restriction: 'preview_only' })
      expect(await shown()).toEqual(['kept full', 'moved preview'])
      await ana.overlays.remove({ overlay: previewed.id })
      const asking = await ana.overlays.add({ target, restriction: 'explicit_access_required' })
      expect(await shown()).toEqual(['kept full'])
      const grant = await there.as({ tenant, actor: 'ana' }).grants.add({ grantee: 'ana', target })
      expect(await shown()).toEqual(both)
      await ana.grants.revoke({ grant: grant.id })
      expect(await shown()).toEqual(['kept full'])
      await ana.overlays.remove({ overlay: asking.id })
      expect(await shown()).toEqual(both)
    }
  })
})
