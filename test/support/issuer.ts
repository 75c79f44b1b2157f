import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An issuer of tokens, as an identity provider is one: its keys over HTTP, and rotation. */
export interface TestIssuer {
  readonly issuer: string
  /** How often its keys were fetched. */
  readonly fetched: () => number
  /** How often it was asked for anything. */
  readonly asked: () => number
  /** A token of the newest key; claims and header fields may be anything. */
  sign(claims: object, header?: Record<string, unknown>): Promise<string>
  /** A new key; the old one is kept among the published ones unless it is dropped. */
  rotate(options?: { drop?: boolean }): Promise<void>
  /** The public key that is newest, as anybody can read it. */
  publicKey(): object
  /** Whether published keys say for which algorithm they are. */
  publishAlgorithms(say: boolean): void
  /** What the next people to sign in are signed in as: claims of their id tokens, beside those of the request. */
  willSignIn(claims: object): void
  /** Answers 500 from now on, or no longer. */
  fail(failing: boolean): void
  close(): Promise<void>
}

export async function startIssuer(): Promise<TestIssuer> {
  const keys: { kid: string; privateKey: CryptoKey; jwk: object }[] = []
  let fetched = 0
  let asked = 0
  let failing = false
  let sayAlgorithm = true
  let next: object = {}
  /** Codes that were given out and not used, with what they are bound to. */
  const codes = new Map<string, { readonly challenge: string; readonly token: Promise<string> }>()
  const server = createServer(async (request, response) => {
    asked++
    const { pathname, searchParams: given } = new URL(request.url ?? '/', origin)
    const answer = (body: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (failing) response.writeHead(500).end()
    else if (request.url === '/.well-known/openid-configuration')
      answer({
        issuer: origin,
        jwks_uri: `${origin}/keys`,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
      })
    else if (pathname === '/authorize') {
      // Whoever comes is known already, so the browser goes straight back.
      const code = randomUUID()
      const claims = {
        aud: given.get('client_id'),
        nonce: given.get('nonce'),
        iat: Math.floor(Date.now() / 1_000),
        ...next,
      }
      codes.set(code, { challenge: given.get('code_challenge') ?? '', token: api.sign(claims) })
      const back = new URL(given.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', given.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
    } else if (pathname === '/token') {
      const body = new URLSearchParams(await text(request))
      const issued = codes.get(body.get('code') ?? '')
      codes.delete(body.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url')
      if (issued === undefined || issued.challenge !== challenge) response.writeHead(400).end('{}')
      else answer({ access_token: 'none', token_type: 'Bearer', id_token: await issued.token })
    } else if (request.url === '/keys') {
      fetched++
      answer({ keys: keys.map(({ jwk }) => ({ ...jwk, alg: sayAlgorithm ? 'RS256' : undefined })) })
    } else response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let made = 0
  const rotate = async ({ drop = false } = {}) => {
    const kid = `key ${++made}`
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    if (drop) keys.length = 0
    keys.push({ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } })
  }
  await rotate()
  const newest = () => keys.at(-1) ?? keys[0] ?? fail()
  const api: TestIssuer = {
    issuer: origin,
    fetched: () => fetched,
    asked: () => asked,
    rotate,
    sign: (claims, header = {}) =>
      new SignJWT({
        iss: origin,
        aud: 'privity',
        sub: 'ana',
        exp: Math.floor(Date.now() / 1_000) + 300,
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: newest().kid, ...header })
        .sign(newest().privateKey),
    publicKey: () => newest().jwk,
    publishAlgorithms(say) {
      sayAlgorithm = say
    },
    fail(now) {
      failing = now
    },
    willSignIn(claims) {
      next = claims
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
  return api
}

function fail(): never {
  throw new Error('there is no key')
}
