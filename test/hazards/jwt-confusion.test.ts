import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startIssuer, type TestIssuer } from '../support/issuer.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const inFiveMinutes = () => Math.floor(Date.now() / 1_000) + 300

describe('bearer tokens of an issuer', () => {
  let issuer: TestIssuer
  let second: TestIssuer
  let server: TestServer
  beforeAll(async () => {
    issuer = await startIssuer()
    second = await startIssuer()
    server = await openTestServer(anyEngine, {
      issuers: [
        { issuer: issuer.issuer, audience: 'privity', tenant: { claim: 'org' }, choosesSession: true },
        {
          issuer: second.issuer,
          audience: 'privity',
          jwksUri: `${second.issuer}/keys`,
          tenant: 'agents',
          callers: 'agent',
          for: { claim: 'user' },
          trust: { maxSensitivity: 'medium', scopes: ['work', 'home'] },
        },
      ],
    })
  })
  afterAll(async () => {
    await server.dispose()
    await issuer.close()
    await second.close()
  })

  const status = async (token: string) =>
    (await server.ask('GET', '/api/v1/records', { headers: { authorization: `Bearer ${token}` } })).status

  it('[TR-2] a token stands for its subject in its tenant', async () => {
    const key = await issuer.sign({ org: 'one' })
    const { body } = await server.ask('POST', '/api/v1/records', {
      key,
      body: { records: [{ kind: 'note', text: 'kept' }] },
    })
    const { id } = body.data.records[0]
    const get = async (claims: object) =>
      (await server.ask('GET', `/api/v1/records/${id}`, { key: await issuer.sign(claims) })).status
    expect(await get({ org: 'one' })).toBe(200)
    expect(await get({ org: 'one', sub: 'ben' })).toBe(404)
    expect(await get({ org: 'two' })).toBe(404)
  })

  it('[DE-3] claims in a token narrow what its issuer holds, and never widen it', async () => {
    const seen = async (claims: object) => {
      const key = await second.sign({ sub: 'bot', user: 'ana', ...claims })
      const { body } = await server.ask('GET', '/api/v1/records', { key })
      return body.data?.records.map(
        ({ payload, face }: { payload: { text: string } | null; face: string }) => payload?.text ?? face,
      )
    }
    const ana = server.privity.as({ tenant: 'agents', actor: 'ana' })
    await ana.remember([
      { kind: 'note', text: 'work', sensitivity: 'low', scope: 'work' },
      { kind: 'note', text: 'home', sensitivity: 'medium', scope: 'home' },
      { kind: 'note', text: 'high', sensitivity: 'hyper', scope: 'home' },
      { kind: 'note', text: 'club', sensitivity: 'low', scope: 'club' },
    ])
    expect((await seen({}))?.sort()).toEqual(['home', 'work'])
    expect((await seen({ privity_max_sensitivity: 'hyper' }))?.sort()).toEqual(['home', 'work'])
    expect((await seen({ privity_max_sensitivity: 'low' }))?.sort()).toEqual(['metadata', 'work'])
    expect(await seen({ privity_scopes: ['work', 'club'] })).toEqual(['work'])
    // What cannot be read, or leaves nothing, is no token.
    for (const claims of [
      { privity_scopes: ['club'] },
      { privity_scopes: 'work' },
      { privity_scopes: [] },
      { user: undefined },
      { privity_max_sensitivity: 'none' },
      { user: 7 },
      { user: '' },
      { user: 'group:6f1ed002-ab5b-4a30-8f1b-000000000000' },
      { sub: 'role:6f1ed002-ab5b-4a30-8f1b-000000000000/lead' },
    ])
      expect(await seen(claims), JSON.stringify(claims)).toBeUndefined()
  })

  it('[NI-5] refuses what is expired, early, for others, of others, or without an end', async () => {
    const now = Math.floor(Date.now() / 1_000)
    expect(await status(await issuer.sign({ org: 'one' }))).toBe(200)
    const wrong: object[] = [
      { exp: now - 60 },
      { exp: undefined },
      { nbf: now + 600 },
      { aud: 'another' },
      { aud: undefined },
      { iss: second.issuer },
      { iss: `${issuer.issuer}/` },
      { iss: 'https://elsewhere.example' },
      { iss: undefined },
      { sub: undefined },
      { sub: ['ana'] },
      { org: undefined },
      { org: '' },
      { org: 'a\nb' },
    ]
    for (const claims of wrong)
      expect(await status(await issuer.sign({ org: 'one', ...claims })), JSON.stringify(claims)).toBe(401)
  })

  it('[NI-5] is not confused about algorithms and keys', async () => {
    const payload = encoded({
      iss: issuer.issuer,
      aud: 'privity',
      sub: 'ana',
      org: 'one',
      exp: inFiveMinutes(),
    })
    const jwk = issuer.publicKey()
    const pem = createPublicKey({ key: jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const hmac = (header: object, secret: string | Buffer) => {
      const text = `${encoded(header)}.${payload}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const own = publicKey.export({ format: 'jwk' })
    const rsa = (header: object) => {
      const text = `${encoded(header)}.${payload}`
      return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
    }
    const good = await issuer.sign({ org: 'one' })
    const [head, body, signature] = good.split('.')
    const tokens = [
      // The public key as a shared secret.
      hmac({ alg: 'HS256', kid: 'key 1' }, pem),
      hmac({ alg: 'HS256', kid: 'key 1' }, Buffer.from(JSON.stringify(jwk))),
      hmac({ alg: 'HS256' }, ''),
      // No signature at all, however it is spelt.
      ...['none', 'None', 'NONE', 'nOnE'].map(alg => `${encoded({ alg })}.${payload}.`),
      `${encoded({ alg: 'none', kid: 'key 1' })}.${payload}.${signature}`,
      // Keys that the token brings along.
      rsa({ alg: 'RS256', kid: 'key 1' }),
      rsa({ alg: 'RS256', jwk: own }),
      rsa({ alg: 'RS256', kid: 'key 1', jku: `${second.issuer}/keys` }),
      rsa({ alg: 'RS256', kid: '../../dev/null' }),
      rsa({ alg: 'RS256', kid: "' or 1=1 --" }),
      rsa({ alg: 'RS256', crit: ['exp'] }),
      // Parts of a good one.
      `${head}.${body}.`,
      `${head}.${payload}.${signature}`,
      `${head}.${body}.${signature}x`,
      `${head}.${body}`,
      `.${body}.${signature}`,
      `${head}..${signature}`,
      await second.sign({ iss: issuer.issuer, org: 'one' }),
      await issuer.sign({ org: 'one' }, { crit: ['never heard of'] }).catch(() => 'x'),
    ]
    for (const token of tokens) expect(await status(token), token.slice(0, 60)).toBe(401)
    expect(await status(good)).toBe(200)
  })
})
