import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.js'
import { axeProblems, openTestConsole, type TestConsole } from '../support/console.js'
import { startIssuer, type TestIssuer } from '../support/issuer.js'

const OWN = { 'privity-console': '1' }

describe('signing in to the console', () => {
  let console: TestConsole
  let tenant: string
  let issuer: TestIssuer
  beforeAll(async () => {
    issuer = await startIssuer()
    const signIn = { clientId: 'console', name: 'Example', hours: 2 }
    const trusted = { issuer: issuer.issuer, audience: 'privity', tenant: { claim: 'tenant' }, signIn }
    console = await openTestConsole({ issuers: [trusted] })
    tenant = console.tenant()
  })
  afterAll(async () => {
    await console.dispose()
    await issuer.close()
  })

  /** Signs in with a key over plain HTTP, and returns the cookie as a browser would send it. */
  async function cookieFor(key: string): Promise<string> {
    const { headers } = await console.ask('POST', '/console/session', { body: { key }, headers: OWN })
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const search = (headers: Record<string, string>) =>
    console.ask('POST', '/api/v1/search', { body: { query: 'tea' }, headers })

  it('[WB-1] signs in by a key, keeps it out of reach of scripts, and signs out', async () => {
    const key = await console.keyFor({ tenant, actor: 'ana' })
    const { page, context, problems } = await console.open()
    await page.goto(`${console.url}/memory`)
    await page.getByLabel('API key').fill('privity_wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This key is wrong').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor()
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(decodeURIComponent(cookie?.value ?? '')).not.toContain(key.split('.')[2])
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, document.cookie])')
    expect(kept).not.toMatch(/privity_|session/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Privity' }).waitFor()
    expect(await context.cookies()).toEqual([])
    expect((await search({ ...OWN, cookie: `${cookie?.name}=${cookie?.value}` })).status).toBe(401)
    expect(problems).toEqual([])
    await context.close()
  })

  it('[WB-1] signs in by an address that works once and leaves no token in the history', async () => {
    const address = console.server.signInAddress({ tenant, actor: 'ana', audience: 'host' })
    expect(new URL(address).search).toBe('')
    const first = await console.open()
    await first.page.goto(address)
    await first.page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor()
    expect(first.page.url()).toBe(`${console.url}/ask`)
    const second = await console.open()
    await second.page.goto(address)
    await second.page.getByText('already used or has expired').waitFor()
    await Promise.all([first.context.close(), second.context.close()])
  })

  it('[WB-1, NI-5] answers unknown, used and revoked keys and tokens alike', async () => {
    const key = await console.keyFor({ tenant, actor: 'ana' })
    const { id } =
      (await console.privity.as({ tenant, actor: 'ana' }).keys.list()).keys.find(
        ({ name }) => !name.startsWith('Browser'),
      ) ?? {}
    await console.privity.as({ tenant, actor: 'ana' }).keys.revoke(id ?? '')
    const token = console.server.signInAddress({ tenant, actor: 'ana' }).split('#')[1] ?? ''
    await console.ask('POST', '/console/session', { body: { token }, headers: OWN })
    const answers = await Promise.all(
      [{ key }, { key: 'nonsense' }, { token }, { token: 'nonsense' }].map(async body => {
        const { status, body: said } = await console.ask('POST', '/console/session', { body, headers: OWN })
        return JSON.stringify([status, said.error.code, said.error.message])
      }),
    )
    expect(new Set(answers)).toEqual(new Set(['[401,"unauthenticated","a valid credential is required"]']))
  })

  it('[WB-2, DE-3] holds no more than the key that signed in, and falls with it', async () => {
    const owner = console.privity.as({ tenant, actor: 'eva' })
    await owner.remember([
      { kind: 'note', text: 'Green tea at four.', sensitivity: 'low' },
      { kind: 'note', text: 'The tea is poisoned.', sensitivity: 'hyper' },
    ])
    const { key: made, secret } = await owner.keys.create({
      name: 'narrow',
      trust: { maxSensitivity: 'low' },
    })
    const cookie = await cookieFor(secret ?? '')
    const direct = await connect({ url: console.url, key: secret ?? '' }).search('tea')
    const { status, body } = await search({ ...OWN, cookie })
    expect(status).toBe(200)
    const idsOf = (results: { record: { id: string; face: string } }[]) =>
      results.map(({ record: { id, face } }) => [id, face])
    expect(idsOf(body.data.results)).toEqual(idsOf(direct.results))
    expect(JSON.stringify(body)).not.toContain('poisoned')
    // What the cookie holds is no key elsewhere.
    const value = cookie.split('=')[1] ?? ''
    expect((await search({ authorization: `Bearer ${value}` })).status).toBe(401)
    expect((await search({ authorization: `Bearer privity_${value}` })).status).toBe(401)
    // It does not open MCP, which has no header of the console.
    expect((await console.ask('POST', '/mcp', { body: {}, headers: { cookie } })).status).toBe(403)
    await owner.keys.revoke(made.id)
    expect((await search({ ...OWN, cookie })).status).toBe(401)
  })

  it('[WB-2] ends after a day and refuses the keys of agents', async () => {
    const owner = console.privity.as({ tenant, actor: 'ana' })
    await cookieFor(await console.keyFor({ tenant, actor: 'ana' }))
    const { keys } = await owner.keys.list()
    const session = keys.find(({ name }) => name.startsWith('Browser session'))
    const hours = (Date.parse(session?.expiresAt ?? '') - Date.parse(session?.createdAt ?? '')) / 3_600_000
    expect(hours).toBeCloseTo(24, 1)
    const agent = await console.keyFor({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    })
    const refused = await console.ask('POST', '/console/session', { body: { key: agent }, headers: OWN })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('set-cookie')).toBeNull()
  })

  it('[WB-2] marks the cookie as secure where the page came over TLS', async () => {
    const key = await console.keyFor({ tenant, actor: 'ana' })
    const { host } = new URL(console.url)
    const { headers } = await console.ask('POST', '/console/session', {
      body: { key },
      headers: { ...OWN, origin: `https://${host}` },
    })
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^__Host-privity-session/)
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Secure; /)
    expect((await search({ ...OWN, cookie: cookie.split(';')[0] ?? '' })).status).toBe(200)
  })

  it('[WB-3] refuses a request with the cookie that no page of the server made', async () => {
    const cookie = await cookieFor(await console.keyFor({ tenant, actor: 'ana' }))
    const { host } = new URL(console.url)
    expect((await search({ ...OWN, cookie })).status).toBe(200)
    expect((await search({ ...OWN, cookie, origin: `http://${host}` })).status).toBe(200)
    for (const headers of [
      {},
      { ...OWN, origin: 'https://elsewhere.example' },
      { ...OWN, origin: 'null' },
      { ...OWN, 'sec-fetch-site': 'cross-site' },
      { ...OWN, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin' },
    ])
      expect((await search({ ...headers, cookie })).status, JSON.stringify(headers)).toBe(403)
    const key = await console.keyFor({ tenant, actor: 'ana' })
    expect((await console.ask('POST', '/console/session', { body: { key } })).status).toBe(403)
  })

  it('[WB-3] does not sign in or act for a page of another site, in a browser', async () => {
    const { page, context } = await console.signedIn({ tenant, actor: 'ana' })
    // Another port of this machine is another origin but the same site, so the browser sends the cookie there.
    const elsewhere = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>elsewhere</p>'),
    )
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
    const other = await context.newPage()
    const { port } = elsewhere.address() as AddressInfo
    await other.goto(`http://127.0.0.1:${port}/`)
    const send = (init: RequestInit) =>
      other.evaluate(
        async ([url, init]) => {
          const body = JSON.stringify({ records: [{ kind: 'note', text: 'forged' }] })
          try {
            const { type } = await fetch(url, { method: 'POST', credentials: 'include', body, ...init })
            return type
          } catch {
            return 'stopped by the browser'
          }
        },
        [`${console.url}/api/v1/records`, init] as const,
      )
    expect(await send({ mode: 'no-cors' })).toBe('opaque')
    expect(await send({ headers: { 'privity-console': '1' } })).toBe('stopped by the browser')
    elsewhere.close()
    const { records } = await console.privity.as({ tenant, actor: 'ana' }).list()
    expect(JSON.stringify(records)).not.toContain('forged')
    await page.close()
    await context.close()
  })

  it('[WB-8] signs in by way of an identity provider, in a browser', async () => {
    issuer.willSignIn({ sub: 'olga', tenant })
    const { page, context, problems } = await console.open()
    await page.goto(`${console.url}/ask`)
    await page.getByRole('button', { name: 'Sign in with Example' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor()
    expect(page.url()).toBe(`${console.url}/ask`)
    await page.getByText(`Owner in ${tenant}`).waitFor()
    const [cookie, ...others] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(others).toEqual([])
    const { keys } = await console.privity.as({ tenant, actor: 'olga' }).keys.list()
    expect(keys.map(({ actor, audience }) => [actor, audience])).toEqual([['olga', 'owner']])
    const hours = (Date.parse(keys[0]?.expiresAt ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeCloseTo(2, 1)
    // Whoever declines comes back to the form.
    await context.clearCookies()
    await page.goto(`${console.url}/sign-in?error=access_denied`)
    await page.getByText('did not sign you in').waitFor()
    expect(page.url()).toBe(`${console.url}/sign-in`)
    expect(problems).toEqual([])
    await context.close()
  })

  it('[WB-8, NI-5] answers whatever is wrong with a code as any wrong credential', async () => {
    const origin = console.url
    const headers = { ...OWN, origin }
    /** Goes to the issuer and back, as a browser would. */
    const begin = async () => {
      const { body, headers: answered } = await console.ask('POST', '/console/sign-in', {
        body: { issuer: issuer.issuer },
        headers,
      })
      const back = await fetch(body.data.location, { redirect: 'manual' })
      const { searchParams } = new URL(back.headers.get('location') ?? '')
      return {
        cookie: answered.get('set-cookie')?.split(';')[0] ?? '',
        returned: { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' },
        asked: new URL(body.data.location).searchParams,
      }
    }
    const finish = async (cookie: string, returned: object) => {
      const {
        status,
        body,
        headers: answered,
      } = await console.ask('POST', '/console/session', {
        body: returned,
        headers: { ...headers, cookie },
      })
      return { status, says: `${body.error?.code}: ${body.error?.message}`, set: answered.get('set-cookie') }
    }
    issuer.willSignIn({ sub: 'olga', tenant })
    const { cookie, returned, asked } = await begin()
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('redirect_uri')).toBe(`${origin}/sign-in`)
    const mine = await begin()
    const wrong = [
      await finish('', returned),
      await finish(mine.cookie, returned),
      await finish(cookie, { ...returned, state: mine.returned.state }),
      await finish(cookie, { ...returned, iss: 'https://elsewhere.example' }),
      await finish(`${cookie}x`, returned),
      await finish(cookie.replace('sign-in', 'session'), returned),
      await finish(cookie, { ...returned, code: 'made up' }),
    ]
    const claims = [
      { nonce: 'of another attempt' },
      { nonce: undefined },
      { aud: 'another client' },
      { aud: ['console', 'another client'] },
      { iss: 'https://elsewhere.example' },
      { exp: 1 },
      { sub: 'olga', tenant: 7 },
    ]
    for (const one of claims) {
      issuer.willSignIn({ sub: 'olga', tenant, ...one })
      const attempt = await begin()
      wrong.push(await finish(attempt.cookie, attempt.returned))
    }
    for (const [at, answer] of wrong.entries())
      expect(answer, `${at}`).toEqual({
        status: 401,
        says: 'unauthenticated: a valid credential is required',
        set: null,
      })
    // The code of the browser that began is good, once.
    issuer.willSignIn({ sub: 'olga', tenant })
    const own = await begin()
    expect((await finish(own.cookie, own.returned)).status).toBe(200)
    expect((await finish(own.cookie, own.returned)).status).toBe(401)
    const unknown = { body: { issuer: 'https://elsewhere.example' }, headers }
    expect((await console.ask('POST', '/console/sign-in', unknown)).status).toBe(404)
  })

  it('[WB-4] serves its page with a strict policy, hashed files for a year, and HTML for a mistyped address', async () => {
    const html = await console.ask('GET', '/ask')
    const policy = html.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self';/)
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(html.text).not.toMatch(/<script(?![^>]* src=)|\son\w+=/)
    expect(html.headers.get('cache-control')).toBe('no-store')
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html.text)?.[1] ?? ''
    const asset = await console.ask('GET', script)
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
    for (const path of ['/assets/..%2findex.html', '/assets/.content-hash', '/assets/none.js'])
      expect((await console.ask('GET', path)).status).toBe(404)
    const lost = await console.ask('GET', '/no-such-page', { headers: { accept: 'text/html' } })
    expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect((await console.ask('GET', '/no-such-page')).body.error.code).toBe('not_found')
    expect((await console.ask('GET', '/api/v1/none', { headers: { accept: 'text/html' } })).status).toBe(401)
  })

  it('[WB-9, NI-10] shows how long answers took to a host that sees everything, and to nobody else', async () => {
    const latencies = async (credential: Parameters<TestConsole['keyFor']>[0]) => {
      const cookie = await cookieFor(await console.keyFor(credential))
      await search({ ...OWN, cookie })
      return console.ask('GET', '/console/latencies', { headers: { ...OWN, cookie } })
    }
    const { status, body } = await latencies({ tenant, actor: 'root', audience: 'host' })
    expect(status).toBe(200)
    expect(body.data.at(-1)).toEqual({
      at: expect.any(String),
      median: expect.any(Number),
      p95: expect.any(Number),
    })
    for (const credential of [
      { tenant, actor: 'ana' },
      { tenant, actor: 'root', audience: 'host', trust: { maxSensitivity: 'low' } },
    ] as const)
      expect((await latencies(credential)).status, JSON.stringify(credential)).toBe(404)
    expect((await console.ask('GET', '/console/latencies', { headers: OWN })).status).toBe(401)
  })

  it('[WB-5] lets a host continue as somebody else and come back, and nobody else', async () => {
    const { page, context } = await console.signedIn({ tenant, actor: 'root', audience: 'host' })
    const as = (body: object) =>
      page.evaluate(async body => {
        const answer = await fetch('/console/session', {
          method: 'POST',
          headers: { 'privity-console': '1', 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        return answer.status
      }, body)
    expect(await as({ as: { actor: 'ana' } })).toBe(200)
    await page.reload()
    await page.getByText('You are using the console as ana').waitFor()
    expect(await axeProblems(page)).toEqual([])
    // Ana is no host, and a session holds two keys at most.
    expect(await as({ as: { actor: 'eva' } })).not.toBe(200)
    await page.getByRole('button', { name: 'Return to yourself' }).click()
    await page.getByText('You are using the console as').waitFor({ state: 'detached' })
    await page.getByText('Host in').first().waitFor()
    await context.close()
    const owner = await cookieFor(await console.keyFor({ tenant, actor: 'ana' }))
    const refused = await console.ask('POST', '/console/session', {
      body: { as: { actor: 'eva' } },
      headers: { ...OWN, cookie: owner },
    })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'not_allowed'])
  })
})
