import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { open, openStore } from '../../src/open.js'
import { listTenants } from '../../src/storage/queries/list-tenants.js'
import { ROLES } from '../../src/storage/roles.js'
import { sharedStore } from '../support/shared-store.js'
import { engines, freshDatabase } from '../support/stores.js'

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
