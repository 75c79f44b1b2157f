import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

/** Lists that go on with a cursor, and how to ask for their first page. */
const LISTS = [
  ['GET', '/records?limit=1'],
  ['POST', '/timeline', { limit: 1 }],
  ['POST', '/search', { query: 'tea', mode: 'text', limit: 1 }],
  ['GET', '/people?limit=1'],
  ['GET', '/keys?limit=1'],
  ['GET', '/audit?limit=1'],
  ['GET', '/receipts?limit=1'],
  ['GET', '/consent-requests?limit=1'],
] as const

describe('a cursor', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(anyEngine)
  })
  afterAll(() => server.dispose())

  const page = (
    key: string,
    [method, path, body]: readonly [string, string, object?],
    cursor?: string,
    headers: Record<string, string> = {},
  ) => {
    const query = cursor === undefined || body !== undefined ? '' : `&cursor=${cursor}`
    return server.ask(method, `/api/v1${path}${query}`, {
      key,
      headers,
      ...(body === undefined ? {} : { body: cursor === undefined ? body : { ...body, cursor } }),
    })
  }
  /** An answer without what differs from request to request. */
  const told = ({ status, body }: Awaited<ReturnType<typeof page>>) => {
    const { requestId: _, ...error } = body.error ?? {}
    return { status, error }
  }

  async function world() {
    const tenant = server.tenant()
    const ana = server.privity.as({ tenant, actor: 'ana' })
    for (const person of ['ben', 'cy', 'dee'])
      await ana.remember({
        kind: 'note',
        text: `tea with ${person}`,
        participants: [person],
        sensitivity: 'low',
      })
    for (let search = 0; search < 3; search++) await ana.search('tea', { mode: 'text' })
    for (const person of ['ben', 'cy', 'dee']) await ana.people.consent({ person, status: 'granted' })
    const helper = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    } as const
    for (const person of ['one', 'two'])
      await server.privity.as(helper).consents.request({ person, reason: 'to know' })
    return { tenant, helper }
  }

  it('[NI-9] of one key is for another key of the same actor what a made-up one is', async () => {
    const { tenant } = await world()
    const [own, twin] = [
      await server.keyFor({ tenant, actor: 'ana' }),
      await server.keyFor({ tenant, actor: 'ana' }),
    ]
    const narrow = await server.keyFor({ tenant, actor: 'ana', trust: { maxSensitivity: 'low' } })
    // Receipts are listed of what this credential searched.
    for (const key of [own, twin, narrow])
      for (let search = 0; search < 2; search++) await page(key, LISTS[2])
    for (const list of LISTS) {
      const first = await page(own, list)
      expect(first.status, list[1]).toBe(200)
      const { cursor } = first.body.data
      expect(cursor, list[1]).toMatch(/^[\w-]+$/)
      expect((await page(own, list, cursor)).status, list[1]).toBe(200)
      const madeUp = `${cursor.slice(0, -4)}AAAA`
      for (const key of [twin, narrow]) {
        const answer = told(await page(key, list, cursor))
        expect(answer, list[1]).toEqual(told(await page(key, list, madeUp)))
        expect(answer, list[1]).toMatchObject({ status: 400, error: { code: 'invalid_input' } })
      }
    }
  })

  it('[NI-9] of two keys of one agent, and of one key that claims less, is of that request only', async () => {
    const { tenant, helper } = await world()
    const [strong, weak] = [
      await server.keyFor({ ...helper, trust: { maxSensitivity: 'hyper' } }),
      await server.keyFor({ ...helper, tenant }),
    ]
    for (const list of [LISTS[0], LISTS[1], LISTS[2]]) {
      const { cursor } = (await page(strong, list)).body.data
      expect((await page(strong, list, cursor)).status).toBe(200)
      expect((await page(weak, list, cursor)).status).toBe(400)
      const claims = { 'privity-trust': '{"maxSensitivity":"low"}' }
      expect((await page(strong, list, cursor, claims)).status).toBe(400)
      const narrowed = (await page(strong, list, undefined, claims)).body.data.cursor
      expect((await page(strong, list, narrowed, claims)).status).toBe(200)
      expect((await page(strong, list, narrowed)).status).toBe(400)
    }
  })
})
