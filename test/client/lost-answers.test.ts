import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'

describe.each(engines)('answers that get lost on %s', engine => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(engine)
  })
  afterAll(() => server.dispose())

  /** A network that brings every request to the server, and loses the first answers to each. */
  function losing(lost: number): typeof fetch {
    let count = 0
    return async (input, init) => {
      const response = await fetch(input, init)
      if (count++ >= lost) return response
      await response.text()
      throw new TypeError('connection lost')
    }
  }

  it('[AU-2] a write is done once, however often it had to be sent', async () => {
    const key = await server.keyFor({ tenant: server.tenant(), actor: 'ana' })
    const steady = connect({ url: server.url, key })
    const stored = await connect({ url: server.url, key, fetch: losing(2) }).remember({
      kind: 'note',
      text: 'once',
    })
    const { records } = await steady.list()
    expect(records.map(({ id }) => id)).toEqual([stored.id])
    const group = await connect({ url: server.url, key, fetch: losing(1) }).groups.create({ name: 'family' })
    expect((await steady.groups.list()).groups.map(({ id }) => id)).toEqual([group.id])
    // Forgotten once as well: the second time finds nothing, and says what the first one did.
    await expect(
      connect({ url: server.url, key, fetch: losing(1) }).forget(stored.id),
    ).resolves.toMatchObject({
      forgotten: [stored.id],
    })
  })

  it('[AU-2] a write that is sent again while the first still runs is done once', async () => {
    const key = await server.keyFor({ tenant: server.tenant(), actor: 'ana' })
    const ana = connect({ url: server.url, key })
    const once = { idempotencyKey: 'once' }
    const sent = Array.from({ length: 6 }, () => ana.remember({ kind: 'note', text: 'x' }, once))
    const ids = new Set((await Promise.all(sent)).map(({ id }) => id))
    expect(ids.size).toBe(1)
    expect((await ana.list()).records).toHaveLength(1)
  })

  it('a key whose secret was lost is not made to look as if it had none', async () => {
    const key = await server.keyFor({ tenant: server.tenant(), actor: 'ana' })
    const ana = connect({ url: server.url, key, fetch: losing(1) })
    await expect(ana.keys.create({ name: 'lost' })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(ana.keys.create({ name: 'found' })).resolves.toMatchObject({
      secret: expect.stringMatching(/^privity_/),
    })
  })

  it('[NI-7] a repeated request is decided anew: what was revoked in between stays away', async () => {
    const tenant = server.tenant()
    const owner = connect({ url: server.url, key: await server.keyFor({ tenant, actor: 'ana' }) })
    const { key, secret } = await owner.keys.create({ name: 'short' })
    let lost = false
    const holder = connect({
      url: server.url,
      key: secret ?? '',
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        if (lost) return response
        lost = true
        await owner.keys.revoke(key.id)
        throw new TypeError('connection lost')
      },
    })
    await expect(holder.remember({ kind: 'note', text: 'x' })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })
})
