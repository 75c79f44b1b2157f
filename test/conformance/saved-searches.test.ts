import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import type { RecordView } from '../../src/runtime/record-view.js'
import { testClock } from '../../src/testing/clock.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

type Draft = z.input<typeof draft>
const note: Draft = { kind: 'note', text: 'word', sensitivity: 'low' }
const absent = { code: 'not_found', message: 'not found' }

describe.each(engines)('saved searches on %s', engine => {
  const clock = testClock()
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { clock })
  })
  afterAll(() => store.dispose())

  function world() {
    clock.advance(1_000)
    const tenant = store.tenant()
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    }
    const as = (actor: string, more: Partial<Credential> = {}) => store.privity.as({ tenant, actor, ...more })
    const working = (more: Partial<Credential> = {}) => store.privity.as({ ...helper, ...more })
    return { tenant, helper, as, working, ana: as('ana'), agent: working() }
  }

  const titles = (records: readonly RecordView[]) =>
    records.map(({ id, payload }) => payload?.title ?? id).sort()
  const look = async (caller: Handle, search: string) => {
    const { added, changed } = await caller.searches.changes(search)
    return { added: titles(added), changed: titles(changed) }
  }
  const NOTHING = { added: [], changed: [] }

  it('[CV-7] keeps a question with its conditions under a name, and lists it by name', async () => {
    const { ana } = world()
    const at = clock.now().toISOString()
    const asked = {
      query: '"old shed" gard* -draft',
      kinds: ['note' as const],
      tags: ['home'],
      createdAfter: new Date('2025-01-01'),
      fields: { f: null },
      people: ['ben'],
      stemming: false,
    }
    const saved = await ana.searches.save({ name: 'sheds', ...asked })
    expect(saved).toMatchObject({
      id: expect.any(String),
      name: 'sheds',
      createdAt: at,
      checkedAt: null,
      question: {
        ...asked,
        createdAfter: '2025-01-01T00:00:00.000Z',
        posture: 'mixed_surface_disclosed',
        synonyms: [],
      },
    })
    const other = await ana.searches.save({ name: 'apples', query: 'apple' })
    expect((await ana.searches.list()).searches).toEqual([other, saved])
    expect(await ana.searches.changes(saved.id)).toMatchObject({ added: [], changed: [], since: null })
    expect((await ana.searches.list()).searches[1]).toEqual({ ...saved, checkedAt: at })
  })

  it('[NI-9] names are unique to who saved, and nobody else’s name is in the way', async () => {
    const { ana, agent, as, working } = world()
    const callers = [ana, agent, working({ actor: 'other' }), working({ for: 'ben' }), as('ben')]
    const ids: string[] = []
    for (const caller of callers) ids.push((await caller.searches.save({ name: 'mine', query: 'word' })).id)
    expect(new Set(ids).size).toBe(callers.length)
    for (const [at, caller] of callers.entries()) {
      const again = caller.searches.save({ name: 'mine', query: 'other' })
      await expect(again).rejects.toMatchObject({
        code: 'conflict',
        message: 'name: a saved search with this name already exists; choose another name',
      })
      expect((await caller.searches.list()).searches.map(({ id }) => id)).toEqual([ids[at]])
    }
    await ana.searches.delete(ids[0] ?? '')
    expect((await ana.searches.save({ name: 'mine', query: 'word' })).name).toBe('mine')
  })

  it('[NI-5] another’s saved search is absent, as one that never was', async () => {
    const { ana, agent, as, working } = world()
    const there = world()
    const { id } = await agent.searches.save({ name: 'mine', query: 'word' })
    for (const caller of [
      ana,
      as('ben'),
      working({ actor: 'other' }),
      working({ for: 'ben' }),
      there.agent,
    ]) {
      for (const search of [id, '00000000-0000-4000-8000-000000000000']) {
        await expect(caller.searches.changes(search)).rejects.toMatchObject(absent)
        await expect(caller.searches.delete(search)).rejects.toMatchObject(absent)
      }
      expect((await caller.searches.list()).searches).toEqual([])
    }
    expect((await agent.searches.list()).searches).toHaveLength(1)
    await expect(agent.searches.changes('no id')).rejects.toMatchObject({
      message: 'search: must be a UUID, for example 3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f',
    })
    // A recipient keeps nothing.
    const recipient = working({ audience: 'recipient' })
    const saving = recipient.searches.save({ name: 'mine', query: 'word' })
    await expect(saving).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('[NI-5] a search that was deleted is gone', async () => {
    const { agent } = world()
    const { id } = await agent.searches.save({ name: 'mine', query: 'word' })
    expect(await agent.searches.delete(id)).toEqual({ deleted: true })
    expect((await agent.searches.list()).searches).toEqual([])
    for (const asked of [agent.searches.changes(id), agent.searches.delete(id)])
      await expect(asked).rejects.toMatchObject(absent)
  })

  it('[CV-1] tells what is new and what is changed since the last look, as a search that leaves a receipt', async () => {
    const { ana, agent } = world()
    const [one] = await ana.remember([
      { ...note, title: 'one' },
      { ...note, title: 'none', text: 'other' },
    ])
    const { id } = await agent.searches.save({ name: 'words', query: 'word', kinds: ['note'] })
    const first = await agent.searches.changes(id)
    expect(first).toMatchObject({ since: null, receipt: { kind: 'visible', searchedCount: 2 } })
    expect(first.added).toEqual([await agent.get(one?.id ?? '')])
    expect(first.changed).toEqual([])
    const at = clock.now().toISOString()
    clock.advance(1_000)
    expect(await look(agent, id)).toEqual(NOTHING)
    await ana.remember([
      { ...note, title: 'two' },
      { ...note, title: 'else', text: 'other' },
      { ...note, title: 'kind', kind: 'episodic' },
    ])
    await ana.relabel({ record: one?.id ?? '', tags: ['t'] })
    expect(await look(agent, id)).toEqual({ added: ['two'], changed: ['one'] })
    expect(await look(agent, id)).toEqual(NOTHING)
    expect((await agent.searches.changes(id)).since).toBe(new Date(Date.parse(at) + 1_000).toISOString())
    await ana.revise({ how: 'supersede', record: one?.id ?? '', by: { title: 'three', text: 'word' } })
    expect(await look(agent, id)).toEqual({ added: ['three'], changed: [] })
    const kept = await agent.receipts.get(first.receipt.searchRunId)
    expect(kept).toMatchObject({ manifest: { searchRunId: first.receipt.searchRunId } })
    expect((await agent.receipts.list()).receipts).toHaveLength(6)
    const { entries } = await ana.audit.list({ limit: 200 })
    expect(entries.filter(({ operation }) => operation === 'searches.changes')).toHaveLength(6)
  })

  it('[NI-7] each look is decided anew: what is revoked is not spoken of, what is granted appears', async () => {
    const { ana, agent } = world()
    const [first, second] = await ana.remember([
      { ...note, title: 'first', participants: ['ben'] },
      { ...note, title: 'second' },
    ])
    await ana.people.consent({ person: 'ben', status: 'granted' })
    const { id } = await agent.searches.save({ name: 'words', query: 'word' })
    await ana.people.consent({ person: 'ben', status: 'revoked' })
    expect(await look(agent, id)).toEqual({ added: ['second'], changed: [] })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    expect(await look(agent, id)).toEqual({ added: ['first'], changed: [] })
    // Gone, whatever the reason: not a word of it.
    await ana.people.consent({ person: 'ben', status: 'revoked' })
    await ana.relabel({ record: first?.id ?? '', tags: ['t'] })
    await ana.forget(second?.id ?? '')
    const quiet = await agent.searches.changes(id)
    expect(quiet).toMatchObject({ ...NOTHING, receipt: { searchedCount: 0 } })
    expect(JSON.stringify(quiet)).not.toContain(first?.id)
  })

  it('[NI-7] what is seen again after a look without it is new again', async () => {
    const { ana, agent } = world()
    await ana.remember({ ...note, title: 'first', participants: ['ben'] })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    const { id } = await agent.searches.save({ name: 'words', query: 'word' })
    expect(await look(agent, id)).toEqual({ added: ['first'], changed: [] })
    await ana.people.consent({ person: 'ben', status: 'revoked' })
    expect(await look(agent, id)).toEqual(NOTHING)
    await ana.people.consent({ person: 'ben', status: 'granted' })
    expect(await look(agent, id)).toEqual({ added: ['first'], changed: [] })
  })

  it('[NI-4, NI-9] a lesser face is spoken of as that face, and only when that face changes', async () => {
    const { ana, agent } = world()
    const { id: record } = await ana.remember({
      ...note,
      text: 'body',
      tags: ['word'],
      sensitivity: 'medium',
    })
    const { id } = await agent.searches.save({ name: 'words', query: 'word' })
    expect((await agent.searches.changes(id)).added).toMatchObject([
      { id: record, face: 'metadata', payload: null },
    ])
    await ana.revise({ how: 'contest', record, reason: 'why' })
    expect(await look(agent, id)).toEqual(NOTHING)
    await ana.relabel({ record, tags: ['word', 'more'] })
    expect(await look(agent, id)).toEqual({ added: [], changed: [record] })
    await ana.relabel({ record, sensitivity: 'low' })
    expect((await agent.searches.changes(id)).changed).toMatchObject([{ id: record, face: 'full' }])
  })

  it('[NI-3] hidden records change no byte of a look', async () => {
    const [bare, full] = [world(), world()]
    const looks = async ({ ana, agent }: typeof bare, hide: () => Promise<unknown>) => {
      clock.seed('save')
      await ana.list()
      const { id } = await agent.searches.save({ name: 'words', query: 'word' })
      const said: unknown[] = []
      for (const text of ['word', 'word word', 'other']) {
        clock.seed(`hidden ${text}`)
        await hide()
        clock.seed(`visible ${text}`)
        await ana.remember({ ...note, text })
        clock.seed(`look ${text}`)
        await agent.search('word')
        said.push(await agent.searches.changes(id))
      }
      return JSON.stringify(said)
    }
    const expected = await looks(bare, async () => {})
    const hidden = async () => {
      const { id } = await full.ana.remember({ ...note, text: 'word', sensitivity: 'high' })
      await full.ana.relabel({ record: id, tags: ['x'] })
      await full.ana.remember({ ...note, participants: ['ben'] })
    }
    expect(await looks(full, hidden)).toBe(expected)
    clock.seed('after')
  })

  it('[CV-7] a look that is not marked leaves the last one where it was', async () => {
    const { ana, agent, helper } = world()
    await ana.remember({ ...note, title: 'one' })
    const { id } = await agent.searches.save({ name: 'words', query: 'word' })
    const peek = (input: unknown = { search: id, mark: false }) =>
      store.privity.invoke(helper, 'searches.changes', input) as ReturnType<Handle['searches']['changes']>
    for (const _ of [1, 2]) {
      const { added, since } = await peek()
      expect({ added: titles(added), since }).toEqual({ added: ['one'], since: null })
    }
    expect((await agent.searches.list()).searches[0]?.checkedAt).toBeNull()
    expect(titles((await peek({ search: id, mark: true })).added)).toEqual(['one'])
    expect((await peek()).added).toEqual([])
    await expect(peek({ search: id, mark: 'no' })).rejects.toMatchObject({
      message: 'mark: must be of type boolean',
    })
  })

  it('[CV-7] the handle can look without marking, too', async () => {
    const { ana, agent } = world()
    await ana.remember({ ...note, title: 'one' })
    const { id } = await agent.searches.save({ name: 'words', query: 'word' })
    for (const _ of [1, 2])
      expect(titles((await agent.searches.changes(id, { mark: false })).added)).toEqual(['one'])
  })

  describe('with idempotency keys', () => {
    it('[AU-2] saving and deleting are done once and answer again', async () => {
      const { agent } = world()
      const asked = { name: 'mine', query: 'word' }
      const saved = await agent.searches.save(asked, { idempotencyKey: 'k' })
      expect(await agent.searches.save(asked, { idempotencyKey: 'k' })).toEqual(saved)
      expect((await agent.searches.list()).searches).toEqual([saved])
      const other = agent.searches.save({ name: 'mine', query: 'else' }, { idempotencyKey: 'k' })
      await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' })
      for (const _ of [1, 2])
        expect(await agent.searches.delete(saved.id, { idempotencyKey: 'd' })).toEqual({ deleted: true })
      await expect(agent.searches.save(asked, { idempotencyKey: 'k' })).rejects.toMatchObject(absent)
    })

    it('[AU-2] a look that is repeated because its answer was lost tells the same again', async () => {
      const { ana, agent } = world()
      await ana.remember({ ...note, title: 'one' })
      const { id } = await agent.searches.save({ name: 'words', query: 'word' })
      const first = await agent.searches.changes(id, {}, { idempotencyKey: 'k' })
      expect(titles(first.added)).toEqual(['one'])
      const again = await agent.searches.changes(id, {}, { idempotencyKey: 'k' })
      expect(titles(again.added)).toEqual(['one'])
      // And decides again: what is gone by now is not told twice.
      await ana.forget(first.added[0]?.id ?? '')
      expect((await agent.searches.changes(id, {}, { idempotencyKey: 'k' })).added).toEqual([])
    })

    it('[NI-5] a key belongs to who used it', async () => {
      const { ana, agent } = world()
      const asked = { name: 'mine', query: 'word' }
      const { id } = await ana.searches.save(asked, { idempotencyKey: 'k' })
      const own = await agent.searches.save({ ...asked, query: 'else' }, { idempotencyKey: 'k' })
      expect(own.id).not.toBe(id)
    })
  })

  it('[AU-3] refuses what no search could ask, when it is saved and not only when it is looked at', async () => {
    const { agent } = world()
    for (const [asked, message] of [
      [{ name: '', query: 'word' }, /^name: must not be empty/],
      [{ name: 'x'.repeat(201), query: 'word' }, /^name: must be at most 200 bytes/],
      [{ name: 'a\nb', query: 'word' }, /^name: must not contain control characters/],
      [{ name: 'a', query: '' }, /^query: must not be empty/],
      [{ name: 'a', query: 'word', limit: 5 }, /^unknown field limit/],
      [{ name: 'a', query: 'word', searchRun: 'x' }, /^searchRun: must be a UUID/],
      [{ name: 'a', query: '?!' }, /^query: must contain at least one word/],
      [{ name: 'a', query: '-word' }, /^query: must contain at least one word/],
    ] as const) {
      const saving = agent.searches.save(asked as { name: string; query: string })
      await expect(saving, JSON.stringify(asked)).rejects.toMatchObject({
        message: expect.stringMatching(message),
      })
    }
    expect((await agent.searches.list()).searches).toEqual([])
  })

  it('[CV-7, NI-5] saves nothing with the receipt of another, or of none', async () => {
    const { ana, agent } = world()
    const { searchRunId } = (await ana.search('word')).receipt
    for (const searchRun of [searchRunId, '00000000-0000-4000-8000-000000000000']) {
      const saving = agent.searches.save({ name: 'mine', query: 'word', searchRun })
      await expect(saving).rejects.toMatchObject(absent)
    }
    expect((await agent.searches.list()).searches).toEqual([])
    expect((await ana.receipts.get(searchRunId))?.retention.because).toEqual([])
  })

  it('[NI-7] two looks at once tell each new record to one of them', async () => {
    const { ana, agent } = world()
    const { id } = await agent.searches.save({ name: 'words', query: 'word' })
    await ana.remember(Array.from({ length: 3 }, (_, at) => ({ ...note, title: `${at}` })))
    const looks = await Promise.all(Array.from({ length: 4 }, () => agent.searches.changes(id)))
    expect(titles(looks.flatMap(({ added }) => added))).toEqual(['0', '1', '2'])
  })

  it('[SR-8] tells of as many as a search ranks, and goes on with the next ones as they are pushed up', async () => {
    const { ana, agent } = world()
    await ana.remember(Array.from({ length: 60 }, (_, at) => ({ ...note, text: `word ${'x '.repeat(at)}` })))
    const { id } = await agent.searches.save({ name: 'words', query: 'word' })
    const first = await agent.searches.changes(id)
    expect(first.added).toHaveLength(50)
    expect(first.receipt.resultSetCompleteness).toBe('ranked_top_k_not_exhaustive')
    await ana.forget(first.added.slice(0, 10).map(({ id }) => id))
    expect((await agent.searches.changes(id)).added).toHaveLength(10)
  })
})
