import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open, type Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { Child, Program } from '../support/child.js'
import { few, times } from '../support/depth.js'
import { type Invoke, type Remote, remote, remoteProgram } from '../support/remote.js'
import { freshDatabase } from '../support/stores.js'

/** Reads that begin after a revocation has committed. */
const TRIALS = Number(process.env.PRIVITY_TRIALS ?? times(60, 10_000))

describe('revocation on postgres', () => {
  const tenant = 'home'
  let database: { url: string; drop(): Promise<void> }
  let elsewhere: Program
  let child: Child
  let other: Remote
  let a: Privity
  let b: Privity
  /** Three processes' worth: two pools here, and one elsewhere. */
  let places: Invoke[]

  beforeAll(async () => {
    ;[database, elsewhere] = await Promise.all([freshDatabase(), remoteProgram()])
    a = await open({ databaseUrl: database.url, embedding: [] })
    b = await open({ databaseUrl: database.url, embedding: [] })
    child = elsewhere.start(database.url)
    await child.line()
    other = remote(child)
    places = [a.invoke, b.invoke, other.invoke]
  })
  afterAll(async () => {
    await Promise.race([child?.end(), sleep(10_000)])
    await child?.kill()
    await Promise.all([a?.close(), b?.close()])
    await Promise.all([database?.drop(), elsewhere?.dispose()])
  })

  const owner = (actor: string): Credential => ({ tenant, actor })
  const agentOf = (actor: string): Credential => ({
    tenant,
    actor: 'helper',
    audience: 'agent',
    for: actor,
    trust: { maxSensitivity: 'high' },
  })
  const id = (answer: unknown) => (answer as { id: string }).id
  const keep = async (actor: string, more: object = {}) => {
    const draft = { kind: 'note', text: `secret of ${actor}`, ...more }
    const { records } = (await a.invoke(owner(actor), 'memory.remember', { records: [draft] })) as {
      records: [{ id: string }]
    }
    return records[0].id
  }

  /** Something that can be seen, by whom, and how that is taken away and given back, at any place. */
  interface Secret {
    readonly record: string
    readonly reader: Credential
    revoke(at: Invoke): Promise<unknown>
    restore(at: Invoke): Promise<unknown>
  }
  const secrets: Readonly<Record<string, (actor: string) => Promise<Secret>>> = {
    async consent(actor) {
      const set = (at: Invoke, status: string) =>
        at(owner(actor), 'people.consent', { person: 'cyd', status })
      const record = await keep(actor, { participants: ['cyd'] })
      return {
        record,
        reader: agentOf(actor),
        revoke: at => set(at, 'revoked'),
        restore: at => set(at, 'granted'),
      }
    },
    async grant(actor) {
      const record = await keep(actor, { corpus: 'papers' })
      const target = { kind: 'corpus', ref: 'papers' }
      await a.invoke(owner(actor), 'overlays.add', { target, restriction: 'explicit_access_required' })
      let grant = ''
      return {
        record,
        reader: agentOf(actor),
        revoke: at => at(owner(actor), 'grants.revoke', { grant }),
        async restore(at) {
          grant = id(await at(owner(actor), 'grants.add', { grantee: actor, target }))
        },
      }
    },
    async overlay(actor) {
      const record = await keep(actor, { document: 'letter' })
      const target = { kind: 'document', ref: 'letter' }
      let overlay: string | null = null
      return {
        record,
        reader: owner(actor),
        async revoke(at) {
          overlay = id(await at(owner(actor), 'overlays.add', { target, restriction: 'blocked' }))
        },
        async restore(at) {
          if (overlay !== null) await at(owner(actor), 'overlays.remove', { overlay })
        },
      }
    },
    async membership(actor) {
      const group = id(await a.invoke(owner(actor), 'groups.create', { name: 'team' }))
      const record = await keep(actor, { owner: `group:${group}` })
      const member = { group, member: `${actor}'s friend` }
      return {
        record,
        reader: owner(member.member),
        revoke: at => at(owner(actor), 'groups.remove_member', member),
        restore: at => at(owner(actor), 'groups.add_member', member),
      }
    },
  }
  const get = (at: Invoke, { reader, record }: Secret) => at(reader, 'memory.get', { record })
  const pick = (turn: number) => places[turn % places.length] ?? a.invoke

  it(
    '[NI-7] no read that begins after a revocation has committed finds it, of whatever kind and in any process',
    async () => {
      const kinds = Object.keys(secrets)
      const workersPerKind = 2
      const readsPerTurn = 5 * places.length
      const turns = Math.ceil(TRIALS / kinds.length / workersPerKind / readsPerTurn)
      const found: string[] = []
      let before = 0
      const work = async (kind: string, worker: number) => {
        const secret = await secrets[kind]?.(`${kind} ${worker}`)
        if (secret === undefined) throw new Error('no such kind')
        const list = async (at: Invoke) => {
          const { records } = (await at(secret.reader, 'memory.list', {})) as { records: { id: string }[] }
          return records.find(({ id }) => id === secret.record) ?? null
        }
        // Neither among the results nor in any count, facet or word: it is the only record with these words.
        const search = async (at: Invoke) => {
          const answer = (await at(secret.reader, 'memory.search', { query: 'secret sekret' })) as {
            count: number
            suggestion: unknown
          }
          return answer.count === 0 && answer.suggestion === null ? null : answer
        }
        const complete = async (at: Invoke) => {
          const answer = (await at(secret.reader, 'memory.complete', { text: 'secr' })) as {
            completions: unknown[]
          }
          return answer.completions.length === 0 ? null : answer
        }
        for (let turn = worker; turn < turns + worker; turn++) {
          await secret.restore(pick(turn))
          // Every cache is warm, and some reads are under way while it is revoked.
          const warm = await Promise.all(places.map(at => (turn % 2 ? get(at, secret) : search(at))))
          before += warm.filter(answer => answer !== null).length
          const underWay = [get(pick(turn + 1), secret), list(pick(turn + 2)), search(pick(turn))]
          await secret.revoke(pick(turn + (turn % 2)))
          const after = await Promise.all(
            places.flatMap(at => [
              get(at, secret),
              list(at),
              search(at),
              complete(at),
              list(at).then(() => search(at)),
            ]),
          )
          for (const answer of after) if (answer !== null) found.push(kind)
          await Promise.all(underWay)
        }
      }
      await Promise.all(
        kinds.flatMap(kind => Array.from({ length: workersPerKind }, (_, at) => work(kind, at))),
      )
      expect(before).toBe(kinds.length * workersPerKind * turns * places.length)
      expect(found).toEqual([])
    },
    60_000 + TRIALS * 50,
  )

  const TURNS = times(10, 50)

  it(`[NI-7] a decision that was cached is not used after a revocation elsewhere, ${4 * TURNS} times`, async () => {
    const work = async (worker: number) => {
      const secret = await secrets.consent?.(`cached ${worker}`)
      if (secret === undefined) throw new Error('no such kind')
      for (let turn = 0; turn < TURNS; turn++) {
        await secret.restore(b.invoke)
        expect(await get(a.invoke, secret)).toMatchObject({ id: secret.record })
        await secret.revoke(b.invoke)
        expect(await get(a.invoke, secret)).toBeNull()
      }
    }
    await Promise.all([1, 2, 3, 4].map(work))
  })

  const STOPPED = [
    ['memory.get', 'consent'],
    ['memory.list', 'consent'],
    ['memory.get', 'membership'],
    ['memory.list', 'overlay'],
    ['memory.search', 'consent'],
    ['memory.search', 'overlay'],
    ['memory.search', 'membership'],
  ] as const
  it.each(few(STOPPED, 3))(
    '[NI-7] %s that stands still before any one of its statements shows nothing written after a revocation by %s',
    async (name, kind) => {
      const actor = `stopped ${name} ${kind}`
      const secret = await secrets[kind]?.(actor)
      if (secret === undefined) throw new Error('no such kind')
      const inputs: Readonly<Record<string, object>> = {
        'memory.get': { record: secret.record },
        'memory.search': { query: 'secret' },
      }
      const input = inputs[name] ?? {}
      await secret.restore(b.invoke)
      await other.invoke(secret.reader, name, input)
      for (let before = 1; ; before++) {
        await secret.restore(b.invoke)
        const result = await other.invokeStopped(secret.reader, name, input, before, async () => {
          await secret.revoke(b.invoke)
          // As a writer would who relies on the revocation: the same record, with other words.
          await rewrite(secret.record, `a secret written after ${before}`)
        })
        if (result === null) {
          // The statement that brings the content, and the one that looks at the facts again as it writes the entry.
          expect(before).toBeGreaterThan(2)
          break
        }
        const answer = JSON.stringify(result.answer)
        expect(answer, result.statements.at(-1)).not.toContain(`written after ${before}`)
        expect(answer, result.statements.at(-1)).not.toContain(secret.record)
      }
    },
    120_000,
  )

  async function rewrite(record: string, text: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('update privity.records set text = $2 where record_id = $1', [record, text])
    await client.end()
  }

  it('[NI-7] a reader held between its facts and its rows does not show what was written after the revocation', async () => {
    const secret = await secrets.consent?.('held')
    if (secret === undefined) throw new Error('no such kind')
    const locker = new pg.Client({ connectionString: database.url })
    await locker.connect()
    for (let turn = 0; turn < times(2, 5); turn++) {
      await secret.restore(b.invoke)
      expect(await get(a.invoke, secret)).toMatchObject({ id: secret.record })
      await locker.query('begin')
      await locker.query('lock table privity.records in access exclusive mode')
      const reading = get(a.invoke, secret)
      for (;;) {
        const { rowCount } = await locker.query(
          `select 1 from pg_locks where relation = 'privity.records'::regclass and not granted`,
        )
        if (rowCount) break
        await sleep(2)
      }
      await secret.revoke(b.invoke)
      await locker.query(`update privity.records set text = 'after' where record_id = $1`, [secret.record])
      await locker.query('commit')
      expect(await reading).toBeNull()
    }
    await locker.end()
  })

  it('[NI-7] whoever was remembered before the registrations changed elsewhere is answered by them at once', async () => {
    const [ana, ben] = [owner('ana'), owner('ben')]
    for (let turn = 0; turn < 3; turn++) {
      await b.invoke(ana, 'memory.list', {})
      await a.invoke({ tenant, actor: 'warden', audience: 'host' }, 'policies.set', {
        policy: `policy ${turn}`,
        mode: 'allow_all_except',
      })
      // What the store of this process remembers of ben is newer now than what it remembers of ana.
      await b.invoke(ben, 'memory.list', {})
      await expect(b.invoke(ana, 'memory.list', {})).resolves.toMatchObject({ records: expect.any(Array) })
    }
  })

  const papers = (actor: string) => JSON.stringify(['corpus', actor, 'papers'])

  it('[NI-7, WR-1, OV-2] a write rests on what changed elsewhere before it began, whatever this process remembers', async () => {
    const actor = 'writes here'
    await keep(actor, { corpus: 'papers' })
    const target = { kind: 'corpus', ref: 'papers' }
    await b.invoke(owner(actor), 'overlays.add', { target, restriction: 'blocked' })
    expect(await targetsOf(await keep(actor, { corpus: 'papers' }))).toEqual([papers(actor)])

    const friend = owner('writes to a group')
    const group = id(await a.invoke(owner(actor), 'groups.create', { name: 'team' }))
    const member = { group, member: 'writes to a group' }
    const write = () =>
      a.invoke(friend, 'memory.remember', {
        records: [{ kind: 'note', text: 'minutes', owner: `group:${group}` }],
      })
    await b.invoke(owner(actor), 'groups.add_member', member)
    await write()
    await b.invoke(owner(actor), 'groups.remove_member', member)
    await expect(write()).rejects.toMatchObject({ code: 'not_found' })

    const { key } = (await b.invoke(owner(actor), 'keys.create', { name: 'writer' })) as {
      key: { id: string }
    }
    const byKey = () =>
      a.invoke({ tenant, actor, key: key.id }, 'memory.remember', {
        records: [{ kind: 'note', text: 'by key' }],
      })
    await byKey()
    await b.invoke(owner(actor), 'keys.revoke', { key: key.id })
    await expect(byKey()).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('[OV-2, WR-3] a write that waits for a change of facts looks at them after it', async () => {
    const actor = 'waits here'
    await keep(actor, { corpus: 'papers' })
    const changing = new pg.Client({ connectionString: database.url })
    await changing.connect()
    await changing.query('begin')
    await changing.query(`select pg_advisory_xact_lock(hashtextextended($1, 7))`, [
      JSON.stringify([tenant, actor]),
    ])
    let isWritten = false
    const writing = keep(actor, { corpus: 'papers' }).finally(() => {
      isWritten = true
    })
    for (;;) {
      const { rowCount } = await changing.query(
        `select 1 from pg_locks where locktype = 'advisory' and not granted`,
      )
      if (rowCount || isWritten) break
      await sleep(2)
    }
    expect(isWritten).toBe(false)
    await changing.query('insert into privity.overlaid_targets (tenant_id, target) values ($1, $2)', [
      tenant,
      papers(actor),
    ])
    await changing.query('commit')
    await changing.end()
    expect(await targetsOf(await writing)).toEqual([papers(actor)])
  })

  /** The targets under overlays that the tuple of a record names. */
  async function targetsOf(record: string): Promise<unknown> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(
      `select c.tuple -> 'overlayTargets' as "targets"
       from privity.records r
       join privity.compartments c using (tenant_id, compartment_id)
       where r.record_id = $1`,
      [record],
    )
    await client.end()
    return rows[0]?.targets
  }
})
