import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { assemble } from '../../src/open.js'
import { clampCaller, readCredential } from '../../src/runtime/caller.js'
import { rlsSettings } from '../../src/runtime/rls-settings.js'
import { readTogether } from '../../src/storage/queries/read.js'
import { testClock } from '../../src/testing/clock.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { bothEngines, engines, migratedDatabase, type TestDatabase } from '../support/stores.js'

/** How many statements an operation takes once its caller and its index are known. None may take more. */
const STATEMENTS: Readonly<Record<string, number>> = {
  get: 2,
  'get of nothing': 2,
  list: 2,
  timeline: 2,
  search: 3,
  ask: 4,
  bundle: 4,
  remember: 2,
}

describe.each(engines)('the statements of whole operations on %s', engine => {
  const statements: string[] = []
  let store: TestPrivity
  let asked: Readonly<Record<string, (by: Handle) => Promise<unknown>>>
  let tenant: string

  beforeAll(async () => {
    store = await openTestPrivity(engine, { observe: sql => void statements.push(sql) })
    tenant = store.tenant()
    const notes = Array.from({ length: 30 }, (_, at) => ({
      kind: 'note' as const,
      text: `the tomato ${at} grows in the garden of house ${at % 7}`,
    }))
    const [first] = await store.privity.as({ tenant, actor: 'ana' }).remember(notes)
    const id = first?.id ?? ''
    const query = 'where does the tomato grow'
    asked = {
      get: by => by.get(id),
      'get of nothing': by => by.get('00000000-0000-4000-8000-000000000000'),
      list: by => by.list({ limit: 20 }),
      timeline: by => by.timeline({ limit: 20 }),
      search: by => by.search('tomato garden'),
      ask: by => by.documents.search({ query }),
      bundle: by => by.documents.bundle({ query }),
      remember: by => by.remember({ kind: 'note', text: 'another' }),
    }
  })
  afterAll(() => store.dispose())

  const callers: Readonly<Record<string, () => Handle>> = {
    'an owner': () => store.privity.as({ tenant, actor: 'ana' }),
    'an agent': () =>
      store.privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'high' },
      }),
  }

  it.each(Object.keys(callers))('are as few as they can be for %s', async who => {
    const by = callers[who]?.() as Handle
    const counted: Record<string, number> = {}
    for (const [name, ask] of Object.entries(asked)) {
      // The first reads facts and notes what was shown; what a write changed is taken in by the next search.
      for (let turn = 0; turn < 2; turn++) await ask(by)
      await store.privity.caughtUp()
      statements.length = 0
      await ask(by)
      counted[name] = statements.length
      await store.privity.caughtUp()
    }
    // What an agent writes has the label of what it was shown, which is read first, as are the records that raised it.
    const more = who === 'an agent' ? { remember: 4 } : {}
    expect(counted).toEqual({ ...STATEMENTS, ...more })
  })
})

describe.each(bothEngines)('the statements of callers who wait together on %s', engine => {
  const statements: string[] = []
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { observe: sql => void statements.push(sql) })
  })
  afterAll(() => store.dispose())

  it('[NI-1, NI-5, DE-6] are one that reads and one that writes the audit, and each is shown its own', async () => {
    const tenant = store.tenant()
    const as = (actor: string, more: object = {}) => store.privity.as({ tenant, actor, ...more })
    const low = { audience: 'agent', for: 'ana', trust: { maxSensitivity: 'public' } } as const
    const callers = [as('ana'), as('ben'), as('helper', low), as('ana')]
    const draft = { kind: 'note', text: 'high', sensitivity: 'high' } as const
    const [a, b] = [await as('ana').remember(draft), await as('ben').remember(draft)]
    const ids = [a.id, b.id, '00000000-0000-4000-8000-000000000000']
    const asked = callers.flatMap(caller => ids.map(id => () => caller.get(id)))
    const alone: unknown[] = []
    for (const ask of asked) alone.push(await ask())
    await store.privity.caughtUp()
    statements.length = 0
    expect(await Promise.all(asked.map(ask => ask()))).toEqual(alone)
    expect(statements).toHaveLength(2)
    const shown = alone.map(view => (view as { id: string } | null)?.id ?? null)
    expect(shown).toEqual([a.id, null, null, null, b.id, null, null, null, null, a.id, null, null])
  })
})

describe.each(bothEngines)('one statement for several callers on %s', engine => {
  let store: TestDatabase
  beforeAll(async () => {
    store = await migratedDatabase(engine)
  })
  afterAll(() => store.dispose())

  it('[DE-6] reads for each under the row-level security of that caller alone, at the latest of their times', async () => {
    const privity = await assemble(store.db, testClock(), { embedding: [], sweeps: false })
    const tenant = 'shared'
    const keep = async (actor: string, more: object = {}) =>
      (await privity.as({ tenant, actor }).remember({ kind: 'note', text: `of ${actor}`, ...more })).id
    const expiresAt = new Date(privity.now().getTime() + 60_000)
    const [a, b, brief] = [await keep('ana'), await keep('ben'), await keep('ana', { expiresAt })]
    const reading = (actor: string, records: readonly string[], now = privity.now()) => {
      const caller = clampCaller(readCredential({ tenant, actor }), {})
      return {
        question: {
          settings: rlsSettings(caller, now),
          tenant,
          caller: { principal: actor, key: null, profile: null, now: now.toISOString() },
          owners: [actor],
          consents: [],
          records,
        },
        since: new Map(),
        mark: '',
      }
    }
    const answers = await readTogether(
      (sql, params) => store.db.statement({ access: 'read', tenant }, sql, params),
      [
        reading('ana', [a, b]),
        reading('ben', [a, b]),
        reading('ana', [b, brief], expiresAt),
        reading('nobody', [a, b]),
      ],
    )
    const seen = answers.map(({ records }) => records.map(({ id }) => id))
    expect(seen).toEqual([[a], [b], [], []])
    expect(answers.map(({ generations }) => Object.keys(generations))).toEqual([
      ['ana'],
      ['ben'],
      ['ana'],
      ['nobody'],
    ])
  })
})

describe.each(bothEngines)('the statements of API keys on %s', engine => {
  const statements: string[] = []
  const clock = testClock()
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { clock, observe: sql => void statements.push(sql) })
  })
  afterAll(() => store.dispose())

  it('[NI-7] are none where one process has the store, else one for all who wait; and a revocation holds at once', async () => {
    const ana = store.privity.as({ tenant: store.tenant(), actor: 'ana' })
    const minute = new Date(clock.now().getTime() + 60_000)
    const keep = async (name: string, expiresAt?: Date) => {
      const { key, secret } = await ana.keys.create({ name, ...(expiresAt && { expiresAt }) })
      return { id: key.id, secret: secret ?? '', present: () => store.privity.authenticate(secret ?? '') }
    }
    const [first, second, brief] = [await keep('one'), await keep('two'), await keep('brief', minute)]
    await Promise.all([first.present(), second.present(), brief.present()])
    statements.length = 0
    await Promise.all([first, second, first, second, brief].map(key => key.present()))
    expect(statements).toHaveLength(engine === 'pglite' ? 0 : 2)

    const refused = { code: 'unauthenticated' }
    const forged = `${first.secret.slice(0, -2)}${first.secret.endsWith('AA') ? 'BA' : 'AA'}`
    await expect(store.privity.authenticate(forged)).rejects.toMatchObject(refused)
    await ana.keys.revoke(first.id)
    await expect(first.present()).rejects.toMatchObject(refused)
    await expect(second.present()).resolves.toBeDefined()
    await brief.present()
    clock.advance(60_000)
    await expect(brief.present()).rejects.toMatchObject(refused)
  })
})
