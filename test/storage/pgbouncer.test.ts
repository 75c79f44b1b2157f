import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { open, openStore, type Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { Database } from '../../src/storage/database.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { times } from '../support/depth.js'
import { startPgbouncer } from '../support/pgbouncer.js'
import { freshDatabase } from '../support/stores.js'

/** Far fewer connections to the server than there are callers. */
const SERVER_CONNECTIONS = 3
const CALLERS = 12

const pooler = await startPgbouncer(inject('postgresUrl'), { poolSize: SERVER_CONNECTIONS })
if ('missing' in pooler) console.warn(`skipped: ${pooler.missing}`)
const through = (url: string) => ('missing' in pooler ? '' : pooler.through(url))
afterAll(() => ('missing' in pooler ? undefined : pooler.stop()))

const asOwner = { access: 'write', role: null, settings: {} } as const

/** How many statements the server holds by name, in all its connections of a database: seen by each of them. */
async function preparedNames(db: Database): Promise<string[]> {
  const seen = await Promise.all(
    Array.from({ length: SERVER_CONNECTIONS }, () =>
      db.transaction(asOwner, async tx => {
        await tx.query('select pg_sleep(0.05)')
        return tx.query<{ name: string }>(
          `select name from pg_prepared_statements where name like 'privity%'`,
        )
      }),
    ),
  )
  return seen.flat().map(({ name }) => name)
}

describe.skipIf('missing' in pooler)('through PgBouncer in transaction mode', () => {
  let database: { url: string; drop(): Promise<void> }
  let url: string
  /** Two processes with a pool each, which share the server's few connections. */
  let first: Privity
  let second: Privity
  beforeAll(async () => {
    database = await freshDatabase()
    url = through(database.url)
    first = await open({ databaseUrl: url, embedding: [] })
    second = await open({ databaseUrl: url, embedding: [] })
  })
  afterAll(async () => {
    await first?.close()
    await second?.close()
    await database?.drop()
  })

  it('[OP-7] makes the schema from nothing, and does not make it twice', async () => {
    const fresh = await freshDatabase('empty')
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openStore({ databaseUrl: through(fresh.url) })),
    )
    const counts = await Promise.all(
      stores.map(db =>
        db.transaction({ ...asOwner, access: 'read' }, tx =>
          tx.query<{ count: number }>('select count(distinct version)::int as count from privity.migrations'),
        ),
      ),
    )
    expect(new Set(counts.map(([row]) => row?.count)).size).toBe(1)
    await Promise.all(stores.map(db => db.close()))
    await fresh.drop()
  })

  it('[OP-7] answers many callers at once, each with what is theirs', async () => {
    const work = async (number: number) => {
      const [here, there] = number % 2 === 0 ? [first, second] : [second, first]
      const credential: Credential = { tenant: `tenant ${number % 4}`, actor: `caller ${number}` }
      const me = here.as(credential)
      const mine = await me.remember(
        Array.from({ length: 5 }, (_, at) => ({ kind: 'note' as const, text: `apple ${number} ${at}` })),
        { idempotencyKey: 'mine' },
      )
      for (let round = 0; round < times(2, 5); round++) {
        const elsewhere = there.as(credential)
        expect((await elsewhere.get(mine[round]?.id ?? ''))?.id).toBe(mine[round]?.id)
        const found = await elsewhere.search('apple')
        expect(found.results.map(({ record }) => record.id).sort()).toEqual(
          (await me.list()).records.map(({ id }) => id).sort(),
        )
        expect(found.count).toBe(5 - round)
        await me.forget(mine[round]?.id ?? '')
        expect(await elsewhere.get(mine[round]?.id ?? '')).toBeNull()
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, (_, number) => work(number)))
    for (let number = 0; number < 4; number++)
      expect(
        await first.as({ tenant: `tenant ${number}`, actor: 'w', audience: 'host' }).audit.verify(),
      ).toMatchObject({ ok: true })
  })

  it('[OP-7, NI-7] a revocation holds at the next request, in the other process as well', async () => {
    const tenant = 'revoking'
    const ana = first.as({ tenant, actor: 'ana' })
    const agent = (privity: Privity) =>
      privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'ana',
        trust: { maxSensitivity: 'high' },
      })
    await ana.people.add({ person: 'ben' })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    const record = await ana.remember({ kind: 'note', text: 'with ben', participants: ['ben'] })
    const sees = (privity: Privity) =>
      Promise.all(
        Array.from({ length: 6 }, async () =>
          (await agent(privity).list()).records.some(({ id }) => id === record.id),
        ),
      )
    for (let round = 0; round < times(2, 5); round++) {
      await ana.people.consent({ person: 'ben', status: 'granted' })
      expect(new Set([...(await sees(first)), ...(await sees(second))])).toEqual(new Set([true]))
      await ana.people.consent({ person: 'ben', status: 'revoked' })
      expect(new Set([...(await sees(second)), ...(await sees(first))])).toEqual(new Set([false]))
    }
  })

  it('[OP-7, DE-6] leaves no role and no setting on a connection that others use next', async () => {
    const db = await openPostgres({ url, poolSize: 20 })
    const asked = ['privity.tenant', 'privity.principal', 'statement_timeout', 'datestyle', 'role']
    const show = `select ${asked.map((name, at) => `current_setting('${name}', true) as s${at}`).join(', ')}`
    const inside = async (number: number) => {
      const settings = {
        'privity.tenant': `t${number}`,
        'privity.principal': `p${number}`,
        statement_timeout: '9s',
      }
      for (let round = 0; round < times(3, 10); round++) {
        const failing = round % 3 === 2
        const seen = db.transaction({ access: 'read', role: 'privity_app', settings }, async tx => {
          const [row] = await tx.query(show)
          if (failing) await tx.query('select 1 / 0')
          return row
        })
        if (failing) await expect(seen).rejects.toMatchObject({ code: 'internal' })
        else
          expect(await seen).toEqual({
            s0: `t${number}`,
            s1: `p${number}`,
            s2: '9s',
            s3: 'ISO, MDY',
            s4: 'privity_app',
          })
      }
    }
    /** Another program that uses the same pool, and sets nothing. */
    const beside = async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      for (let round = 0; round < times(12, 40); round++) {
        const { rows } = await client.query(show)
        expect(rows).toEqual([
          {
            s0: expect.toBeOneOf(['', null]),
            s1: expect.toBeOneOf(['', null]),
            s2: '0',
            s3: 'ISO, MDY',
            s4: 'none',
          },
        ])
      }
      await client.end()
    }
    await Promise.all([...Array.from({ length: CALLERS }, (_, number) => inside(number)), beside(), beside()])
    await db.close()
  })

  it('[OP-7] finds out by itself that statements prepared by name do not stay, and repeats only what did nothing', async () => {
    const fresh = await freshDatabase()
    const db = await openPostgres({ url: through(fresh.url), poolSize: 20 })
    await db.script('create table note (id int primary key)')
    let runs = 0
    const insert = (id: number) =>
      db.transaction(asOwner, async tx => {
        runs++
        await tx.query('insert into note values ($1)', [id])
        await tx.query('select pg_sleep(0.002)')
        await tx.query('select count(*) from note where id <= $1', [id])
      })
    await Promise.all(Array.from({ length: 100 }, (_, id) => insert(id)))
    // Some were run again, and each was done once: a second time would have violated the key.
    expect(runs).toBeGreaterThan(100)
    const before = runs
    await Promise.all(Array.from({ length: 100 }, (_, id) => insert(100 + id)))
    expect(runs - before).toBe(100)
    expect(await db.transaction(asOwner, tx => tx.query('select count(*)::int as n from note'))).toEqual([
      { n: 200 },
    ])
    await db.close()
    await fresh.drop()
  })

  it('[OP-7] a statement that is not on the connection of this turn is sent whole', async () => {
    const fresh = await freshDatabase()
    const db = await openPostgres({ url: through(fresh.url), poolSize: 1 })
    let runs = 0
    const ask = () =>
      db.transaction(asOwner, tx => {
        runs++
        return tx.query('select $1::int as answer', [7])
      })
    expect(await ask()).toEqual([{ answer: 7 }])
    // Somebody else keeps the only connection that has it.
    const other = new pg.Client({ connectionString: through(fresh.url) })
    await other.connect()
    await other.query('begin')
    expect(await ask()).toEqual([{ answer: 7 }])
    expect(runs).toBe(3)
    await other.query('commit')
    await other.end()
    await db.close()
    await fresh.drop()
  })

  it('[OP-7] prepares nothing by name when the url says pgbouncer=true', async () => {
    const fresh = await freshDatabase()
    const told = Object.assign(new URL(through(fresh.url)), { search: '?pgbouncer=true' }).href
    const db = await openPostgres({ url: told, poolSize: 20 })
    let runs = 0
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        db.transaction(asOwner, tx => {
          runs++
          return tx.query('select $1::int', [at])
        }),
      ),
    )
    expect(runs).toBe(60)
    expect(await preparedNames(db)).toEqual([])
    await db.close()
    const untold = await openPostgres({ url: fresh.url })
    await untold.transaction(asOwner, tx => tx.query('select $1::int', [1]))
    expect(await preparedNames(untold)).not.toEqual([])
    await untold.close()
    await fresh.drop()
  })
})
