import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { open, openStore } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { restoreFromFile } from '../../src/storage/backup/backup-file.js'
import { deleteTenant } from '../../src/storage/delete-tenant.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { listTenants } from '../../src/storage/queries/list-tenants.js'
import { ROLES } from '../../src/storage/roles.js'
import { fillTables, loadTables } from '../support/second-lock.js'
import { dumpTables, sharedStore } from '../support/shared-store.js'
import { bothEngines, engines, freshDatabase } from '../support/stores.js'
import { privity } from './support/run-cli.js'

describe.each(engines)('the tenants of a store on %s', engine => {
  it('[DE-6] are seen by the role of who runs it, and nothing of them', async () => {
    const store = await sharedStore(engine)
    const privity = await store.instance()
    try {
      for (const tenant of ['b', 'a']) {
        const ana = privity.as({ tenant, actor: 'ana' })
        await ana.remember({ kind: 'note', text: 'x' })
      }
      expect((await listTenants(store.db)).map(({ tenant }) => tenant)).toEqual(['a', 'b'])
      for (const table of ['records', 'actors', 'people', 'api_keys', 'operations'])
        await expect(
          store.db.transaction(
            { access: 'read', role: 'privity_operator', settings: { 'privity.tenant': 'a' } },
            tx => tx.query(`select 1 from privity.${table}`),
          ),
        ).rejects.toThrow()
    } finally {
      await privity.close()
      await store.dispose()
    }
  })
})

describe('the tenants of a Postgres whose owner is no superuser', () => {
  it('[DE-6] are listed although row-level security holds for the owner too', async () => {
    const { url, drop } = await freshDatabase('empty')
    const role = `owner_${randomBytes(6).toString('hex')}`
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const owned = new URL(url)
    owned.username = role
    owned.password = 'x'
    try {
      await admin.query(`create role ${role} login createrole password 'x'`)
      // Roles belong to the cluster, and other tests have made them.
      for (const made of ROLES)
        await admin.query(`do $$ begin
          if exists (select 1 from pg_roles where rolname = '${made}') then grant ${made} to ${role} with admin option; end if;
        end $$`)
      await admin.query(`grant create on database ${owned.pathname.slice(1)} to ${role}`)
      const privity = await open({ databaseUrl: owned.href, embedding: [] })
      await privity.as({ tenant: 'a', actor: 'ana' }).remember({ kind: 'note', text: 'x' })
      await privity.close()
      const db = await openStore({ databaseUrl: owned.href })
      try {
        const forCallers = await db.transaction({ access: 'read', role: 'privity_app', settings: {} }, tx =>
          tx.query('select 1 from privity.tenants'),
        )
        expect(forCallers).toEqual([])
        expect((await listTenants(db)).map(({ tenant }) => tenant)).toEqual(['a'])
      } finally {
        await db.close()
      }
    } finally {
      await admin.query(`drop owned by ${role} cascade; drop role ${role}`).catch(() => {})
      await admin.end()
      await drop()
    }
  })
})

describe.each(bothEngines)('a tenant that is deleted on %s', engine => {
  it('[OP-5] leaves no row in any table, and others everything', async () => {
    const store = await sharedStore(engine)
    try {
      await fillTables(store.db, 'kept')
      await fillTables(store.db, 'gone')
      const tables = (await loadTables(store.db)).filter(table => table.hasTenant && table.fillable)
      const rowsOf = async (tenant: string) => {
        const counts = tables.map(
          ({ name }) => `(select count(*)::int from privity.${name} where tenant_id = '${tenant}')`,
        )
        const [found] = await store.db.transaction(
          { access: 'read', role: 'privity_backup', settings: {} },
          tx => tx.query<{ counts: number[] }>(`select array[${counts.join(', ')}] as "counts"`),
        )
        return found?.counts
      }
      const before = await rowsOf('kept')
      expect(before).not.toContain(0)
      expect(await rowsOf('gone')).not.toContain(0)
      const certificate = await deleteTenant(store.db, 'gone', new Date('2026-11-18T09:00:00Z'))
      expect(await rowsOf('gone')).toEqual(tables.map(() => 0))
      expect(await rowsOf('kept')).toEqual(before)
      expect(certificate.tables.map(({ table }) => table).sort()).toEqual(tables.map(({ name }) => name))
      await expect(deleteTenant(store.db, 'gone', new Date())).rejects.toThrow(/no tenant/)
      // The role deletes what it is told to, and nothing without being told.
      const deleted = await store.db.transaction(
        { access: 'write', role: 'privity_operator', settings: { 'privity.tenant': 'kept' } },
        tx => tx.query('delete from privity.people returning 1'),
      )
      expect(deleted).toEqual([])
    } finally {
      await store.dispose()
    }
  })
})

describe('a tenant that is deleted while servers work', () => {
  it('[OP-5, NI-7] is not there for the next request of a key, and its name can be used anew', async () => {
    const store = await sharedStore('postgres')
    const [first, second] = [await store.instance(), await store.instance()]
    try {
      const marker = `zq${randomBytes(8).toString('hex')}`
      const known = { tenant: 'acme', actor: 'ana' }
      const host = { tenant: 'acme', actor: 'host', audience: 'host' } as const
      const other = { tenant: 'other', actor: 'ana' }
      const { id } = await first
        .as(known)
        .remember({ kind: 'note', text: `bees ${marker}`, participants: ['Ben'] })
      const { secret } = await first.as(host).keys.create({ name: 'k', actor: 'ana', audience: 'owner' })
      await first.as(other).remember({ kind: 'note', text: 'bees of others' })
      for (const one of [first, second]) expect((await one.as(known).search('bees')).results).toHaveLength(1)
      await deleteTenant(store.db, 'acme', SYSTEM_CLOCK.now())
      for (const one of [first, second]) {
        await expect(one.authenticate(secret ?? '')).rejects.toMatchObject({ code: 'unauthenticated' })
        // What a program asks in the name of somebody there is answered with nothing, or not at all.
        const told = await Promise.all([one.as(known).get(id), one.as(known).search('bees')]).catch(String)
        expect(JSON.stringify(told)).not.toContain(marker)
        expect((await one.as(other).search('bees')).results).toHaveLength(1)
      }
      const dumped = await dumpTables(store.sql)
      expect(dumped.filter(({ row }) => row.includes(marker))).toEqual([])
      await first.close()
      await second.close()
      const third = await store.instance()
      await third.as(known).remember({ kind: 'note', text: 'bees again' })
      expect((await third.as(known).search('bees')).results).toHaveLength(1)
      expect(await third.as(host).audit.verify()).toMatchObject({ ok: true })
      expect(await third.as({ ...host, tenant: 'other' }).audit.verify()).toMatchObject({ ok: true })
      await third.close()
    } finally {
      await first.close()
      await second.close()
      await store.dispose()
    }
  })
})

describe('on the command line, a tenant', () => {
  it('[OP-5] is copied whole, shown before it is deleted, deleted with a certificate, and restored elsewhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'privity-tenants-'))
    const [{ url, drop }, target] = [await freshDatabase(), await freshDatabase('empty')]
    const run = (...args: string[]) => privity([...args, '--database-url', url], { cwd: folder })
    try {
      const store = await open({ databaseUrl: url, embedding: [] })
      const ana = store.as({ tenant: 'acme', actor: 'ana' })
      await ana.remember({ kind: 'note', text: 'The bees swarm in May.', participants: ['Ben'] })
      await store.as({ tenant: 'other', actor: 'mia' }).remember({ kind: 'note', text: 'The code is 4711.' })
      const told = (await ana.search('bees')).results.map(({ record }) => record)
      await store.close()

      expect((await run('backup', 'copy', '--only-tenant', 'nobody')).stderr).toMatch(
        /no tenant with this name/,
      )
      expect(await run('backup', 'acme.privity', '--only-tenant', 'acme')).toMatchObject({ code: 0 })
      const shown = await run('tenants', 'delete', 'acme')
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/records +1/)])
      const unwritten = await run(
        'tenants',
        'delete',
        'acme',
        '--yes',
        '--certificate',
        'no/such/folder.json',
      )
      expect([unwritten.code, unwritten.stderr]).toEqual([2, expect.stringContaining('nothing was deleted')])
      expect((await run('tenants', 'list', '--json')).stdout).toContain('acme')
      const deleted = await run('tenants', 'delete', 'acme', '--yes', '--certificate', 'gone.json')
      expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining('backups')])
      const certificate = await readFile(join(folder, 'gone.json'), 'utf8')
      expect(JSON.parse(certificate)).toMatchObject({
        tenant: 'acme',
        tables: expect.arrayContaining([{ table: 'records', rows: 1 }]),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(certificate).not.toMatch(/bees|Ben|ana/)
      expect((await run('tenants', 'list', '--json')).stdout).not.toContain('acme')
      expect(await run('tenants', 'delete', 'acme', '--yes')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('no tenant with this name'),
      })

      const db = await openPostgres({ url: target.url })
      await restoreFromFile(db, join(folder, 'acme.privity'))
      await db.close()
      const elsewhere = await open({ databaseUrl: target.url, embedding: [] })
      try {
        const found = await elsewhere.as({ tenant: 'acme', actor: 'ana' }).search('bees')
        expect(found.results.map(({ record }) => record)).toEqual(told)
        expect((await elsewhere.as({ tenant: 'other', actor: 'mia' }).list()).records).toEqual([])
        const host = elsewhere.as({ tenant: 'acme', actor: 'h', audience: 'host' })
        expect(await host.audit.verify()).toMatchObject({ ok: true })
      } finally {
        await elsewhere.close()
      }
    } finally {
      await drop()
      await target.drop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
