import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testClock } from '../../src/testing/clock.js'
import { type Answer, openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'

/** Everything but what changes from request to request. */
const shape = ({ status, headers, body }: Answer) => {
  const { requestId, ...error } = body.error
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status, headers: Object.fromEntries(kept), error, requestId: typeof requestId }
}

describe.each(engines)('credentials that are not valid, over HTTP on %s', engine => {
  const clock = testClock()
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(engine, {}, { clock })
  })
  afterAll(() => server.dispose())

  it('[NI-5, TR-2] expired, revoked, forged, foreign, malformed and missing ones are one answer', async () => {
    const tenant = server.tenant()
    const ana = server.privity.as({ tenant, actor: 'ana' })
    const expiresAt = new Date(clock.now().getTime() + 1_000)
    const expired = (await ana.keys.create({ name: 'expired', expiresAt })).secret ?? ''
    const revoked = await ana.keys.create({ name: 'revoked' })
    const good = (await ana.keys.create({ name: 'good' })).secret ?? ''
    await ana.keys.revoke(revoked.key.id)
    clock.advance(2_000)
    const { id } = await ana.remember({ kind: 'note', text: 'kept' })
    const [head, keyId, proof = ''] = good.split('.')
    const other = (await server.keyFor({ tenant: server.tenant(), actor: 'ana' })).split('.')
    const flipped = proof.startsWith('A') ? `B${proof.slice(1)}` : `A${proof.slice(1)}`
    const presented = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${Buffer.from(`ana:${good}`).toString('base64')}`,
      `Bearer ${good} ${good}`,
      `Bearer ${good},`,
      `Token ${good}`,
      good,
      `Bearer ${expired}`,
      `Bearer ${revoked.secret}`,
      `Bearer ${head}.${keyId}.${flipped}`,
      `Bearer ${other[0]}.${keyId}.${proof}`,
      `Bearer ${head}.${other[1]}.${proof}`,
      `Bearer ${good.slice(0, -1)}`,
      `Bearer privity_${'A'.repeat(15_000)}`,
      'Bearer null',
      'Bearer undefined',
      'Bearer eyJhbGciOiJub25lIn0.eyJpc3MiOiJ4In0.',
    ]
    const answers = await Promise.all(
      presented.flatMap(authorization => {
        const headers = authorization === undefined ? {} : { authorization }
        return [
          server.ask('GET', `/api/v1/records/${id}`, { headers }),
          server.ask('POST', '/api/v1/search', { headers, body: { query: 'kept' } }),
        ]
      }),
    )
    const [first, ...rest] = answers.map(shape)
    expect(first?.status).toBe(401)
    for (const [at, answer] of rest.entries()) expect(answer, `attempt ${at}`).toEqual(first)
    expect((await server.ask('GET', `/api/v1/records/${id}`, { key: good })).status).toBe(200)
  })

  it('[NI-7] a revoked key is gone at the next request, whichever server it comes to', async () => {
    const tenant = server.tenant()
    const ana = server.privity.as({ tenant, actor: 'ana' })
    const { key, secret } = await ana.keys.create({ name: 'phone' })
    const ask = () => server.ask('GET', '/api/v1/records', { key: secret ?? '' })
    expect((await ask()).status).toBe(200)
    await ana.keys.revoke(key.id)
    expect((await ask()).status).toBe(401)
  })
})
