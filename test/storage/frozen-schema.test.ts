import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtIn } from '../../src/embedding/built-in.js'
import { assemble } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { migrate, refuseOlderStore } from '../../src/storage/migrate.js'
import { requireSecondLock } from '../../src/storage/queries/require-second-lock.js'
import { readCatalog } from '../support/catalog.js'
import { few } from '../support/depth.js'
import { bothEngines, emptyDatabase, migratedDatabase, type TestDatabase } from '../support/stores.js'

const SQL = new URL('../../sql/', import.meta.url)
const DUMPS = new URL('./dumps/', import.meta.url)

const frozen: Record<string, string> = JSON.parse(await readFile(new URL('frozen.json', SQL), 'utf8'))
const numbered = (await readdir(SQL)).filter(name => /^\d+-.*\.sql$/.test(name)).sort()
const dumps = await readdir(DUMPS)

test('a released file of the schema never changes', async () => {
  const sums = await Promise.all(
    Object.keys(frozen).map(async name => {
      const text = await readFile(new URL(name, SQL))
      return [name, createHash('sha256').update(text).digest('hex')]
    }),
  )
  expect(Object.fromEntries(sums), 'add a numbered file instead (CONTRIBUTING, Schema)').toEqual(frozen)
})

test('what is not released yet comes after everything that is', () => {
  const released = numbered.filter(name => name in frozen)
  expect(numbered.slice(0, released.length)).toEqual(released)
  expect(released).toEqual(Object.keys(frozen))
})

test('every released file has a dump of the store that it left', () => {
  expect(dumps.sort()).toEqual(Object.keys(frozen).map(name => `${name}.gz`))
})

describe.each(bothEngines)('on %s', engine => {
  const using = async (run: (store: TestDatabase) => Promise<void>) => {
    const store = await emptyDatabase(engine)
    try {
      await run(store)
    } finally {
      await store.dispose()
    }
  }

  describe.each(dumps)('a store of %s', name => {
    let store: TestDatabase
    beforeAll(async () => {
      store = await emptyDatabase(engine)
      await store.db.script(gunzipSync(await readFile(new URL(name, DUMPS))).toString())
      await migrate(store.db)
    })
    afterAll(() => store.dispose())

    test('is upgraded to the schema that a new store has', async () => {
      const fresh = await migratedDatabase(engine)
      expect(await readCatalog(store.db)).toEqual(await readCatalog(fresh.db))
      await fresh.dispose()
    })

    test('opens: its audit holds, and everything in it is found and read', async () => {
      await requireSecondLock(store.db)
      const privity = await assemble({ ...unclosed(store) }, SYSTEM_CLOCK, { embedding: [builtIn()] })
      const as = (tenant: string, actor: string) => privity.as({ tenant, actor })
      try {
        for (const tenant of ['couple', 'dump', 'firm']) {
          const verified = await privity.as({ tenant, actor: 'owner', audience: 'host' }).audit.verify()
          expect(verified).toMatchObject({ ok: true, problems: [] })
          expect(verified.entries).toBeGreaterThan(5)
        }

        const ana = as('dump', 'ana')
        const { results } = await ana.search('lighthouse in the rain')
        const walk = results[0]?.record
        expect(walk?.payload?.text).toBe('Mia and I walked to the lighthouse in the rain.')
        expect(await ana.get(walk?.id ?? '')).toMatchObject({ payload: { pinned: true } })
        expect((await ana.people.list()).people).toContainEqual(
          expect.objectContaining({ name: 'Mia', consent: 'granted' }),
        )
        expect((await ana.grants.list()).grants).toMatchObject([{ grantee: 'ben' }])
        expect((await ana.consents.list()).requests).toMatchObject([{ person: 'Tom', state: 'open' }])
        expect((await ana.searches.list()).searches).toMatchObject([{ name: 'lighthouses' }])

        const hollis = as('firm', 'hollis')
        const found = await hollis.documents.search({ query: 'find filings that cite 551 US 308' })
        expect(found.results[0]?.sourceSpans[0]?.text).toContain('551 U.S. 308')
        const links = (await hollis.links.list()).links
        const counsel = links.find(({ name }) => name === 'counsel')
        expect((await hollis.links.accessLog({ link: counsel?.link ?? '' })).totals.downloads).toBe(1)

        const mara = as('couple', 'mara')
        const [session] = (await mara.sessions.list({ states: ['ACTIVE'] })).sessions
        const { bundle } = await privity
          .as({
            tenant: 'couple',
            actor: 'mediator',
            audience: 'agent',
            for: 'mara',
            trust: { maxSensitivity: 'high' },
          })
          .turns.context({ session: session?.id ?? '', turn: 'one', message: 'What should I know?' })
        expect(bundle.items.map(({ text }) => text).join()).toContain('cold for hours')
        const shared = await as('couple', 'jonah').shared.list({ session: session?.id ?? '' })
        expect(shared.items.map(({ text }) => text)).toContain(
          'I felt alone on Friday evening, and I need to know when to expect you.',
        )

        const written = await ana.remember({ kind: 'note', text: 'A heron stood on the pier.' })
        expect((await ana.search('heron')).results[0]?.record.id).toBe(written.id)
      } finally {
        await privity.close()
      }
    })
  })

  /** Nothing more is needed to know one by: the schema of 19 files, which were never released. */
  const OLD_STORE = `
    create schema privity;
    create table privity.migrations (
      version int primary key, name text not null, breaking bool not null, applied_at timestamptz not null default now()
    );
    create table privity.settings (name text primary key, value text not null);
    insert into privity.settings values ('rls', 'an older text');
    insert into privity.migrations (version, name, breaking) values
      (1, '001-foundation.sql', true), (2, '002-search.sql', true), (3, '003-embeddings.sql', true);`
  const REFUSAL =
    'this store was made before the first released schema and cannot be upgraded; ' +
    'export it with the version that made it, then import the file into a new store'

  const MORE = [
    ['its first steps', ''],
    ['all of its steps', `insert into privity.migrations values (19, '019-operations-log.sql', false)`],
  ] as const
  test.each(
    few(MORE, 1),
  )('a store from before the baseline with %s is refused in one sentence, and nothing changes', (_, more) =>
    using(async ({ db }) => {
      await db.script(`${OLD_STORE}${more}`)
      const before = await readCatalog(db)
      await expect(migrate(db)).rejects.toMatchObject({ code: 'schema_older', message: REFUSAL })
      await expect(refuseOlderStore(db)).rejects.toMatchObject({ code: 'schema_older', message: REFUSAL })
      expect(await readCatalog(db)).toEqual(before)
      const [settings] = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
        tx.query('select value from privity.settings'),
      )
      expect(settings).toEqual({ value: 'an older text' })
    }))
})

/** A store is closed by who made it. */
const unclosed = ({ db }: TestDatabase) => ({
  engine: db.engine,
  transaction: db.transaction.bind(db),
  statement: db.statement.bind(db),
  script: db.script.bind(db),
  close: async () => {},
})
