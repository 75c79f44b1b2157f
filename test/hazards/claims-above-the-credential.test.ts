import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'

describe.each(engines)('claims above the credential, over HTTP on %s', engine => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(engine)
  })
  afterAll(() => server.dispose())

  async function world() {
    const tenant = server.tenant()
    const ana = server.privity.as({ tenant, actor: 'ana' })
    await ana.remember([
      { kind: 'note', text: 'open', sensitivity: 'low', scope: 'work' },
      { kind: 'note', text: 'home', sensitivity: 'low', scope: 'home' },
      { kind: 'note', text: 'private', sensitivity: 'hyper', scope: 'work' },
      { kind: 'note', text: 'of ben', sensitivity: 'low', scope: 'work', participants: ['ben'] },
      { kind: 'note', text: 'sealed', sensitivity: 'low', scope: 'work', visibilityClass: 'sealed' },
    ])
    const agent = {
      tenant,
      actor: 'helper',
      audience: 'agent' as const,
      for: 'ana',
      trust: { maxSensitivity: 'low' as const, scopes: ['work'] },
    }
    return { tenant, ana, agent, key: await server.keyFor(agent) }
  }
  const texts = async (key: string, headers: Record<string, string>) => {
    const { body } = await server.ask('GET', '/api/v1/records', { key, headers })
    return (
      body.data?.records.map(({ payload }: { payload: { text: string } }) => payload.text) ?? body.error.code
    )
  }

  it('[DE-3, TR-2, TR-4, PC-3] no claim of trust, scope or consent shows more', async () => {
    const { key } = await world()
    const trust = (claim: object) => ({ 'privity-trust': JSON.stringify(claim) })
    expect(await texts(key, {})).toEqual(['open'])
    for (const headers of [
      trust({ maxSensitivity: 'hyper' }),
      trust({ maxSensitivity: 'hyper', scopes: [] }),
      trust({ maxSensitivity: 'low', scopes: ['work', 'home'] }),
      trust({ maxSensitivity: 'low', authenticated: true, actorId: 'ana' }),
      { 'privity-respect-consent': 'false' },
    ])
      expect(await texts(key, headers), JSON.stringify(headers)).toEqual(['open'])
    expect(await texts(key, trust({ maxSensitivity: 'low', scopes: ['home'] }))).toEqual([])
    expect(await texts(key, trust({ maxSensitivity: 'low', audience: 'owner' }))).toBe('invalid_input')
    expect(await texts(key, trust({ scopes: ['work'] }))).toBe('invalid_input')
  })

  it('[WR-4] no field of a body makes an agent an owner', async () => {
    const { key, tenant } = await world()
    const ask = (path: string, body: object) => server.ask('POST', `/api/v1${path}`, { key, body })
    for (const [path, body, status] of [
      ['/people/consent', { person: 'ben', status: 'granted' }, 403],
      ['/keys', { name: 'mine', actor: 'ana' }, 403],
      ['/policies', { policy: 'p', mode: 'allow_all_except' }, 403],
      ['/records', { records: [{ kind: 'note', text: 'x', owner: 'ben' }] }, 404],
      ['/records', { records: [{ kind: 'note', text: 'x', author: 'ana' }] }, 400],
      ['/records', { records: [{ kind: 'note', text: 'x' }], tenant }, 400],
      ['/search', { query: 'x', as: 'ana' }, 400],
    ] as const)
      expect((await ask(path, body)).status, `${path} ${JSON.stringify(body)}`).toBe(status)
  })

  it('[WR-2] an agent does not leave behind what it was shown by naming another conversation', async () => {
    const { agent, ana, key, tenant } = await world()
    await ana.remember({ kind: 'note', text: 'close', sensitivity: 'medium', scope: 'work' })
    const trusted = { ...agent, trust: { maxSensitivity: 'medium' as const, scopes: ['work'] } }
    const fixed = await server.keyFor(trusted)
    const free = await server.keyFor({ ...trusted, actor: 'other', choosesSession: true })
    const label = async (presented: string) => {
      await server.ask('POST', '/api/v1/search', {
        key: presented,
        body: { query: 'close' },
        headers: { 'privity-session': 'reading' },
      })
      const { body } = await server.ask('POST', '/api/v1/records', {
        key: presented,
        body: { records: [{ kind: 'note', text: 'said again', sensitivity: 'public' }] },
        headers: { 'privity-session': 'writing' },
      })
      return body.data.records[0].sensitivity
    }
    expect(await label(fixed)).toBe('medium')
    expect(await label(free)).toBe('public')
    expect([key, tenant].every(Boolean)).toBe(true)
  })
})
