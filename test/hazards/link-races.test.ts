import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open, type Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { Child, Program } from '../support/child.js'
import { few, times } from '../support/depth.js'
import { type Invoke, type Remote, remote, remoteProgram } from '../support/remote.js'
import { type Bank, openBank, visit } from '../support/share-links.js'
import { freshDatabase } from '../support/stores.js'

/** How often each race is run. */
const RACES = Number(process.env.PRIVITY_RACES ?? times(1, 8))
/** A request stands still before each of its statements in the deep run, and before some in `npm test`. */
const STEP = times(3, 1)

const WORDS = 'the kettle stood on the cold balcony'

describe('races of a share link on postgres', () => {
  let database: { url: string; drop(): Promise<void> }
  let elsewhere: Program
  let child: Child
  let other: Remote
  let a: Privity
  let b: Privity
  /** Two pools here, and a process elsewhere. */
  let places: Invoke[]
  let bank: Bank
  let document: string

  beforeAll(async () => {
    ;[database, elsewhere] = await Promise.all([freshDatabase(), remoteProgram()])
    a = await open({ databaseUrl: database.url, embedding: [], sweeps: false })
    b = await open({ databaseUrl: database.url, embedding: [], sweeps: false })
    child = elsewhere.start(database.url)
    await child.line()
    other = remote(child)
    places = [a.invoke, b.invoke, other.invoke]
    bank = await openBank(a, 'races')
    document = await bank.keep(WORDS)
  }, 120_000)
  afterAll(async () => {
    await Promise.race([child?.end(), sleep(10_000)])
    await child?.kill()
    await Promise.all([a?.close(), b?.close()])
    await Promise.all([database?.drop(), elsewhere?.dispose()])
  })

  const at = (turn: number): Invoke => places[turn % places.length] ?? a.invoke
  const host: Credential = { tenant: 'races', actor: 'hana' }
  /** Whoever has a token, as `redeem` takes them. */
  const bearer = (link: string): Credential => ({
    tenant: 'races',
    actor: `link:${link}`,
    audience: 'recipient',
    trust: { maxSensitivity: 'public', scopes: ['share_link'] },
  })
  type Granted = Awaited<ReturnType<Bank['grant']>>
  type Answer = { readonly status: string; readonly key: string; readonly profile: string; ticket?: string }
  const redeem = (where: Invoke, { link, token }: Granted, more: object = {}) =>
    where(bearer(link), 'links.redeem', { token, ...more }) as Promise<Answer>
  const revoke = (where: Invoke, link: string, more: object = {}) =>
    where(host, 'links.revoke', { link, reason: 'over', ...more })
  const many = { maxQueriesPerHour: 1_000, maxDocumentViewsPerHour: 1_000 }

  async function race<Value>(...running: Promise<Value>[]) {
    const outcomes = await Promise.allSettled(running)
    return {
      won: outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
      // Elsewhere, an error is its code.
      lost: outcomes.flatMap(outcome =>
        outcome.status === 'rejected' ? [outcome.reason.code ?? outcome.reason.message] : [],
      ),
    }
  }
  async function sql<Row extends pg.QueryResultRow>(text: string, params: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      return (await client.query<Row>(text, params)).rows
    } finally {
      await client.end()
    }
  }
  const activeSessions = async (link: string) =>
    (
      await sql<{ profile_id: string }>(
        `select profile_id from privity.profiles where link_id = $1 and state = 'active'`,
        [link],
      )
    ).map(row => row.profile_id)

  it('[ST-3] of forty who come at once, in several processes, five are let in', async () => {
    for (let round = 0; round < Math.ceil(RACES / 4); round++) {
      const granted = await bank.grant()
      const { won, lost } = await race(...Array.from({ length: 40 }, (_, turn) => redeem(at(turn), granted)))
      expect(won.map(({ status }) => status)).toEqual(Array(5).fill('open'))
      expect(new Set(won.map(({ profile }) => profile)).size).toBe(5)
      expect(lost).toEqual(Array(35).fill('not_found'))
      expect(await activeSessions(granted.link)).toHaveLength(5)
      // As many as leave are let in again.
      const leaving = won.slice(0, 2).map(({ key }) => a.authenticate(key))
      for (const { credential } of await Promise.all(leaving))
        await at(round)(credential, 'profiles.leave', {})
      const again = await race(...Array.from({ length: 10 }, (_, turn) => redeem(at(turn), granted)))
      expect(again.won).toHaveLength(2)
      expect(await activeSessions(granted.link)).toHaveLength(5)
    }
  }, 600_000)

  it('[ST-5] of many who revoke at once, one does', async () => {
    for (let round = 0; round < RACES; round++) {
      const granted = await bank.grant()
      await visit(a, granted)
      const { won, lost } = await race(
        ...[0, 1, 2, 3].map(turn => revoke(at(round + turn), granted.link, { reason: `reason ${turn}` })),
      )
      expect(lost).toEqual(Array(3).fill('conflict'))
      const [{ revokeReason }] = won as [{ revokeReason: string }]
      expect(won).toMatchObject([{ sessionsTerminated: 1 }])
      expect(await bank.host.links.get(granted.link)).toMatchObject({ revokeReason })
    }
  }, 600_000)

  it('[ST-5, NI-7, SP-5] no session outlives a revocation that it was opened beside', async () => {
    const seen = { opened: 0, refused: 0 }
    for (let round = 0; round < RACES; round++) {
      const granted = await bank.grant({ rateLimits: { maxRecipientSessionsConcurrent: 100 } })
      const entering = [0, 1, 2, 3, 4, 5].map(turn => redeem(at(round + turn), granted))
      const entered = race(...entering)
      if (round % 2 === 0) await entering[round % entering.length]?.catch(() => {})
      const revoked = (await revoke(at(round + 1), granted.link)) as { sessionsTerminated: number }
      const { won, lost } = await entered
      expect(lost).toEqual(Array(6 - won.length).fill('not_found'))
      expect(revoked.sessionsTerminated).toBe(won.length)
      expect(await activeSessions(granted.link)).toEqual([])
      for (const { key } of won) {
        const { credential } = await a.authenticate(key)
        for (const where of places)
          expect((await race(where(credential, 'document_view.list', {}))).lost).toEqual([
            'session_profile_invalid',
          ])
      }
      seen.opened += won.length
      seen.refused += lost.length
    }
    expect(seen.opened).toBeGreaterThan(0)
  }, 600_000)

  it('[ST-2, ST-5] nobody is let in by an approval beside a revocation', async () => {
    for (let round = 0; round < RACES; round++) {
      const granted = await bank.grant({ recipientIdentityMode: 'host_approved_named_external' })
      const { ticket } = await redeem(a.invoke, granted, { name: 'Ula' })
      const { requests } = await bank.host.links.requests({ link: granted.link })
      const decide = (where: Invoke, decision: string) =>
        where(host, 'links.decide', { request: requests[0]?.request, decision })
      const [entered] = await Promise.all([
        race(decide(at(round + 1), 'approve').then(() => redeem(at(round), granted, { ticket }))),
        revoke(at(round + 2), granted.link),
      ])
      expect(await activeSessions(granted.link)).toEqual([])
      for (const answer of entered.won) {
        const { credential } = await a.authenticate(answer.key)
        expect((await race(b.invoke(credential, 'document_view.list', {}))).lost).toEqual([
          'session_profile_invalid',
        ])
      }
      expect((await race(redeem(at(round), granted, { ticket }))).lost).toEqual(['not_found'])
    }
  }, 600_000)

  it('[ST-2] a ticket opens one session, and one decision of two counts', async () => {
    for (let round = 0; round < RACES; round++) {
      const granted = await bank.grant({ recipientIdentityMode: 'host_approved_named_external' })
      const { ticket } = await redeem(a.invoke, granted, { name: 'Ula' })
      const { requests } = await bank.host.links.requests({ link: granted.link })
      const decide = (where: Invoke, decision: string) =>
        where(host, 'links.decide', { request: requests[0]?.request, decision }) as Promise<{ state: string }>
      const decided = await race(decide(at(round), 'approve'), decide(at(round + 1), 'decline'))
      expect(decided.lost).toEqual(['conflict'])
      const entered = await race(...[0, 1, 2, 3].map(turn => redeem(at(round + turn), granted, { ticket })))
      const opened = entered.won.filter(({ status }) => status === 'open')
      expect(opened).toHaveLength(decided.won[0]?.state === 'approved' ? 1 : 0)
      expect(await activeSessions(granted.link)).toHaveLength(opened.length)
    }
  }, 600_000)

  /** What recipients ask for. */
  const asked: Readonly<Record<string, () => [name: string, input: object]>> = {
    'search.execute': () => ['search.execute', { query: 'kettle' }],
    'search.bundle': () => ['search.bundle', { query: 'kettle' }],
    'document_view.list': () => ['document_view.list', {}],
    'document_view.open': () => ['document_view.open', { document }],
    'document_download.fetch': () => ['document_download.fetch', { document }],
  }
  type Asked = keyof typeof asked
  const visitor = async () => {
    const granted = await bank.grant({ rateLimits: many })
    return { link: granted.link, ...(await visit(a, granted)) }
  }

  it.each(
    Object.keys(asked),
  )('[ST-5, NI-7, SP-5] no %s that begins after a revocation is answered, in any process', async name => {
    const [operation, input] = (asked[name as Asked] as () => [string, object])()
    let before = 0
    for (let round = 0; round < RACES; round++) {
      const { link, credential } = await visitor()
      const ask = (where: Invoke) => where(credential, operation, input)
      const warm = await Promise.all(places.map(ask))
      before += warm.filter(answer => JSON.stringify(answer).includes(document)).length
      const underWay = race(ask(at(round)), ask(at(round + 1)))
      await revoke(at(round + 2), link)
      const after = await race(...places.map(ask))
      expect(after.won).toEqual([])
      expect(after.lost).toEqual(Array(places.length).fill('session_profile_invalid'))
      await underWay
    }
    expect(before).toBe(RACES * places.length)
  }, 600_000)

  it.each(
    few(Object.keys(asked), 3),
  )('[ST-5, NI-7, SP-5] %s that stands still before any one of its statements answers nothing after a revocation', async name => {
    const [operation, input] = (asked[name as Asked] as () => [string, object])()
    const seen = { answered: 0, refused: 0 }
    for (let before = 1; ; before += STEP) {
      const { link, credential } = await visitor()
      await other.invoke(credential, 'profiles.current', {})
      let revoking: Promise<unknown> | undefined
      let wasRevoked = false
      const meanwhile = async () => {
        revoking = revoke(b.invoke, link)
        // It may have to wait for what stands still: then that came first.
        wasRevoked = await Promise.race([revoking.then(() => true), sleep(500, false)])
      }
      const [outcome] = await Promise.allSettled([
        other.invokeStopped(credential, operation, input, before, meanwhile),
      ])
      await revoking
      if (revoking === undefined) {
        expect(before).toBeGreaterThan(2)
        break
      }
      if (outcome.status === 'rejected') {
        expect(outcome.reason.message).toBe('session_profile_invalid')
        seen.refused++
        continue
      }
      const statements = outcome.value?.statements ?? []
      if (!isDecided(operation, statements)) expect(wasRevoked, `${before}: ${statements.at(-1)}`).toBe(false)
      seen.answered++
    }
    expect(seen.refused).toBeGreaterThan(0)
  }, 600_000)

  /** Whether the entry of a read is written, or a write is committed: that is the last look at the facts. */
  function isDecided(operation: string, statements: readonly string[]): boolean {
    const done = statements.slice(0, -1)
    if (operation === 'document_download.fetch') {
      const noted = done.findIndex(sql => sql.includes('insert into privity.downloads'))
      return noted >= 0 && done.indexOf('commit', noted) >= 0
    }
    return done.some(sql => sql.includes('privity.write_audit_'))
  }
})
