import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { testClock } from '../../src/testing/clock.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { bothEngines, engines } from '../support/stores.js'

/** How many statements an operation takes once its caller and its index are known. None may take more. */
const STATEMENTS: Readonly<Record<string, number>> = {
  get: 2,
  'get of nothing': 2,
  list: 2,
  timeline: 2,
  search: 3,
  ask: 4,
  bundle: 4,
  remember: 9,
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
    // What an agent writes has the label of what it was shown, which is read first, as is the policy for it.
    const more = who === 'an agent' ? { remember: 12 } : {}
    expect(counted).toEqual({ ...STATEMENTS, ...more })
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
