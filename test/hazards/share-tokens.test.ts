import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Server, serve } from '../../src/http/serve.js'
import type { Privity } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { times } from '../support/depth.js'
import { type Bank, openBank } from '../support/share-links.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const GUESSES = Number(process.env.PRIVITY_GUESSES ?? times(80, 3_000))
const SAMPLES = times(80, 200)

const encoded = (text: string | Uint8Array) => Buffer.from(text).toString('base64url')

describe.each(engines)('guessing at share tokens on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let server: Server
  let bank: Bank
  /** A token that opens a link, in its parts: its tenant, its id, its secret. */
  let good: { link: string; token: string }
  let head: string
  let id: string
  let secret: string
  let elsewhere: string[]
  let statements: string[] = []
  let ahead = 0

  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => void statements.push(sql) })
    privity = await store.instance({ ...SYSTEM_CLOCK, now: () => new Date(Date.now() + ahead) })
    server = await serve(privity, { port: 0 })
    bank = await openBank(privity, store.tenant())
    good = await bank.grant({ rateLimits: { maxRecipientSessionsConcurrent: 1_000 } })
    ;[head = '', id = '', secret = ''] = good.token.split('.')
    elsewhere = (await (await openBank(privity, store.tenant())).grant()).token.split('.')
  })
  afterAll(async () => {
    await server?.close()
    await privity?.close()
    await store?.dispose()
  })
  beforeEach(() => {
    statements = []
  })

  const outcome = (token: unknown) =>
    privity.redeem({ token } as { token: string }).then(
      ({ status }) => status,
      (error: { code: string; message: string; reason?: string; requestId?: string }) =>
        `${error.code} ${error.message} ${error.reason} ${typeof error.requestId}`,
    )
  const ABSENT = 'not_found not found undefined string'
  const overHttp = async (body: unknown) => {
    const answer = await fetch(`${server.url}/api/v1/links/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { requestId, ...error } = ((await answer.json()) as { error: Record<string, unknown> }).error ?? {}
    const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    return { status: answer.status, headers, error, requestId: typeof requestId }
  }
  const countRows = async () => {
    const counts: Record<string, number> = {}
    for (const { table } of await dumpTables(store.sql)) counts[table] = (counts[table] ?? 0) + 1
    return counts
  }

  it('[ST-3] every bit counts', async () => {
    const parts = [head.slice('privshare_'.length), id, secret].map(part => Buffer.from(part, 'base64url'))
    for (const [at, part] of parts.entries())
      for (let bit = 0; bit < part.length * 8; bit += times(5, 1)) {
        const flipped = Buffer.from(part)
        flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
        const tampered = parts.map((each, place) => encoded(place === at ? flipped : each))
        expect(await outcome(`privshare_${tampered.join('.')}`), `${at}.${bit}`).toBe(ABSENT)
      }
    expect(await outcome(good.token)).toBe('open')
  })

  it('[ST-3] no other spelling of a token is taken for it', async () => {
    const spellings: unknown[] = [
      ...Array.from(good.token, (_, length) => good.token.slice(0, length)),
      ...Array.from(good.token, (_, at) => good.token.slice(at + 1)),
      ...['=', ' ', '\n', '\0', '.', 'A', '\u200b', '%20'].flatMap(more => [
        `${good.token}${more}`,
        `${more}${good.token}`,
        good.token.replace('.', `${more}.`),
      ]),
      good.token.toUpperCase(),
      good.token.replace('privshare_', 'PRIVSHARE_'),
      good.token.replace('privshare_', 'privity_'),
      good.token.replace('privshare_', ''),
      good.token.replaceAll('.', '\u2024'),
      good.token.replaceAll('-', '+').replaceAll('_', '/'),
      good.token.normalize('NFKD').replace('p', 'р'),
      `${head}.${encoded(good.link)}.${secret}`,
      `${head}.${id}.${Buffer.from(secret, 'base64url').toString('hex')}`,
      `${head}.${id}.`,
      `${head}..${secret}`,
      `.${id}.${secret}`,
      `privshare_${encoded(`${bank.tenant}\0`)}.${id}.${secret}`,
      `privshare_${encoded(`${bank.tenant} `)}.${id}.${secret}`,
      `privshare_${encoded(Buffer.from([0xff, 0xfe]))}.${id}.${secret}`,
      `privshare_${encoded("' or 1=1 --")}.${id}.${secret}`,
      `privshare_${encoded('*')}.${id}.${secret}`,
      `privshare_${encoded('t'.repeat(199))}.${id}.${secret}`,
      '\ud800',
      '💥'.repeat(50),
      'x'.repeat(1_000_000),
    ].filter(token => token !== good.token)
    for (const token of spellings) expect(await outcome(token), String(token).slice(0, 200)).toBe(ABSENT)
    for (const token of [null, undefined, 7, {}, [], [good.token], { token: good.token }, true])
      expect(await outcome(token), JSON.stringify(token)).toBe(ABSENT)
    expect(await outcome(good.token)).toBe('open')
  })

  it('[ST-3, NI-5] a secret opens the link that it was made for, and no other', async () => {
    const [theirs = '', theirId = '', theirSecret = ''] = elsewhere
    const sibling = (await bank.grant()).token.split('.')
    for (const parts of [
      [theirs, id, secret],
      [theirs, theirId, secret],
      [theirs, id, theirSecret],
      [head, theirId, theirSecret],
      [head, theirId, secret],
      [head, id, theirSecret],
      [head, sibling[1], secret],
      [head, id, sibling[2]],
    ])
      expect(await outcome(parts.join('.')), parts.join('.')).toBe(ABSENT)
    // A key of the store is no token, and a token no key.
    const { secret: key } = await bank.host.keys.create({ name: 'mine' })
    expect(await outcome(key)).toBe(ABSENT)
    expect(await outcome(key?.replace('privity_', 'privshare_'))).toBe(ABSENT)
    for (const presented of [good.token, good.token.replace('privshare_', 'privity_')])
      await expect(privity.authenticate(presented)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it(`[ST-3, NI-5] ${GUESSES} guesses leave nothing behind: no tenant, no actor, no row`, async () => {
    const before = await countRows()
    for (let guess = 0; guess < GUESSES; guess++) {
      const tenant = guess % 3 === 0 ? head : `privshare_${encoded(`guessed ${guess}`)}`
      const link = guess % 2 === 0 ? id : encoded(randomBytes(16))
      const answer = await outcome(`${tenant}.${link}.${encoded(randomBytes(32))}`)
      if (answer !== ABSENT) expect(answer).toBe(ABSENT)
    }
    expect(await countRows()).toEqual(before)
  })

  const wrongTokens = async () => {
    const revoked = await bank.grant()
    await bank.host.links.revoke({ link: revoked.link, reason: 'over' })
    const expired = await bank.grant({ expiresAt: new Date(Date.now() + ahead + 1_000) })
    const full = await bank.grant({ rateLimits: { maxRecipientSessionsConcurrent: 1 } })
    expect(await outcome(full.token)).toBe('open')
    // The host is told of a full link once, after the answer.
    expect(await outcome(full.token)).toBe(ABSENT)
    await new Promise(resolve => setTimeout(resolve, 200))
    const { profile } = await bank.host.profiles.create({})
    await bank.host.profiles.activate(profile)
    const { view } = await bank.host.views.create({ corpus: 'bank' }, { profile })
    const { token } = await bank.host.links.grant(
      { views: [view], recipientIdentityMode: 'anonymous_share_token' },
      { profile },
    )
    await bank.host.profiles.revoke({ profile })
    ahead += 2_000
    const nobody = encoded(randomBytes(16))
    return {
      'a wrong secret': `${head}.${id}.${encoded(randomBytes(32))}`,
      'no such link': `${head}.${nobody}.${secret}`,
      'no such tenant': `privshare_${encoded('nobody')}.${id}.${secret}`,
      'another tenant’s link': `${head}.${elsewhere[1]}.${elsewhere[2]}`,
      revoked: revoked.token,
      expired: expired.token,
      full: full.token,
      'of a host session that is over': token ?? '',
    }
  }

  it('[ST-3, NI-5] the same statements are run whatever is wrong, and none for what is no token', async () => {
    const tokens = await wrongTokens()
    const run = async (token: string) => {
      statements = []
      expect(await outcome(token)).toBe(ABSENT)
      return statements
    }
    const first = await run(tokens['a wrong secret'])
    expect(first.some(sql => sql.includes('from privity.share_links'))).toBe(true)
    expect(first.some(sql => /insert|update|delete/.test(sql))).toBe(false)
    for (const [what, token] of Object.entries(tokens)) expect(await run(token), what).toEqual(first)
    expect(await run('token')).toEqual([])
  })

  it('[ST-3, NI-5] over HTTP every one of them is one answer', async () => {
    const first = await overHttp({ token: 'x' })
    expect(first).toMatchObject({ status: 404, error: { code: 'not_found', message: 'not found' } })
    for (const [what, token] of Object.entries(await wrongTokens()))
      for (const more of [{}, { passcode: 'correct horse' }, { name: 'Ula' }, { ticket: 'x' }])
        expect(await overHttp({ token, ...more }), what).toEqual(first)
  })

  it('[NI-5] whatever is wrong takes as long as a link that is not there', async () => {
    const tokens = await wrongTokens()
    const kinds = Object.keys(tokens) as (keyof typeof tokens)[]
    const took: Record<string, number[]> = {}
    // In turns, so that whatever else the machine does falls on all alike.
    for (let sample = 0; sample < SAMPLES; sample++)
      for (const kind of kinds) {
        const from = performance.now()
        await outcome(tokens[kind])
        took[kind] = [...(took[kind] ?? []), performance.now() - from]
      }
    // What else the machine does only adds: the lower quartile is less of it than the median.
    const quartile = (times: number[]) => [...times].sort((x, y) => x - y)[times.length >> 2] ?? 0
    const quartiles = kinds.map(kind => quartile(took[kind] ?? []))
    expect(Math.max(...quartiles) / Math.min(...quartiles), JSON.stringify(quartiles)).toBeLessThan(1.5)
  })
})
