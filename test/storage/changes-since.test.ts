import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '../../src/storage/database.js'
import { changesSince } from '../../src/storage/queries/changes-since.js'
import { Snapshot } from '../../src/storage/snapshot.js'
import { bothEngines, migratedDatabase, type TestDatabase } from '../support/stores.js'

const asWriter = { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': 't' } } as const
const asIndex = { access: 'read', role: 'privity_index', settings: { 'privity.tenant': 't' } } as const

const log = (tx: Transaction, cell: string, ids: readonly string[]) =>
  tx.query(
    `insert into privity.changes (tenant_id, cell, record_id) select 't', $1, unnest($2::uuid[]) on conflict do nothing`,
    [cell, [...new Set(ids)]],
  )
const write = (db: Database, cell: string, ids: string[]) =>
  db.transaction(asWriter, tx => log(tx, cell, ids))

/** Reads on from where the last call left off. */
function reader(db: Database, cell: string) {
  let since = 0n
  return async () => {
    const { snapshot, changes } = await db.transaction(asIndex, tx =>
      changesSince(tx, 't', new Map([[cell, since]]), 1_000),
    )
    since = snapshot.xmin
    return changes.map(({ id }) => id)
  }
}

describe.each(bothEngines)('the change log on %s', engine => {
  let store: TestDatabase
  beforeAll(async () => {
    store = await migratedDatabase(engine)
  })
  afterAll(() => store.dispose())

  it('gives everything at first, and then only what may be new', async () => {
    const take = reader(store.db, 'one')
    const [a, b] = [randomUUID(), randomUUID()]
    await write(store.db, 'one', [a, a, b])
    expect((await take()).sort()).toEqual([a, b].sort())
    const c = randomUUID()
    await write(store.db, 'one', [c])
    const second = await take()
    expect(second).toContain(c)
    // On a server, transactions of others may still run, and rows come again: allowed, and not to be tested away.
    if (engine === 'pglite') {
      expect(second).not.toContain(a)
      expect(await take()).toEqual([])
    }
  })

  it('gives the cells that are asked for, each from its own place, and no other', async () => {
    const [x, y, z] = [randomUUID(), randomUUID(), randomUUID()]
    await write(store.db, 'x', [x])
    const { snapshot } = await store.db.transaction(asIndex, tx => changesSince(tx, 't', new Map(), 0))
    await write(store.db, 'y', [y])
    await write(store.db, 'z', [z])
    const since = new Map([
      ['x', 0n],
      ['y', snapshot.xmin],
    ])
    const { changes } = await store.db.transaction(asIndex, tx => changesSince(tx, 't', since, 10))
    expect(changes.map(({ cell, id }) => [cell, id]).sort()).toEqual([
      ['x', x],
      ['y', y],
    ])
    for (const { xid } of changes) expect(typeof xid).toBe('bigint')
  })

  it('gives no more than asked for', async () => {
    const ids = Array.from({ length: 7 }, () => randomUUID())
    await write(store.db, 'many', ids)
    const { changes } = await store.db.transaction(asIndex, tx =>
      changesSince(tx, 't', new Map([['many', 0n]]), 5),
    )
    expect(changes).toHaveLength(5)
  })

  it('tells nothing of another tenant', async () => {
    await write(store.db, 'one', [randomUUID()])
    const other = { ...asIndex, settings: { 'privity.tenant': 'other' } }
    const { changes } = await store.db.transaction(other, tx =>
      changesSince(tx, 'other', new Map([['one', 0n]]), 10),
    )
    expect(changes).toEqual([])
  })

  it('passes over rows of a restored dump whose transactions this server has not reached', async () => {
    const restored = randomUUID()
    await store.db.transaction(asWriter, tx =>
      tx.query(
        `insert into privity.changes (tenant_id, cell, xid, record_id)
         values ('t', 'restored', '9000000000'::xid8, $1)`,
        [restored],
      ),
    )
    expect(await reader(store.db, 'restored')()).toEqual([])
  })

  it.runIf(engine === 'postgres')(
    'misses no writer that was still running while later ones finished',
    async () => {
      const slow = randomUUID()
      const quick = randomUUID()
      const take = reader(store.db, 'slow')
      const seen = new Set<string>()
      const takeAll = async () => {
        for (const id of await take()) seen.add(id)
      }
      let finish = () => {}
      let begun: (tx: Transaction) => void = () => {}
      const started = new Promise<Transaction>(resolve => {
        begun = resolve
      })
      const running = store.db.transaction(asWriter, async tx => {
        await log(tx, 'slow', [slow])
        begun(tx)
        await new Promise<void>(resolve => {
          finish = resolve
        })
      })
      await started
      await write(store.db, 'slow', [quick])
      await takeAll()
      expect(seen.has(quick)).toBe(true)
      expect(seen.has(slow)).toBe(false)
      await takeAll()
      finish()
      await running
      await takeAll()
      expect(seen.has(slow)).toBe(true)
    },
  )
})

describe('a snapshot', () => {
  it('sees what ended before it, and nothing that ran or came later', () => {
    const snapshot = new Snapshot('10:20:12,15')
    expect([9n, 11n, 12n, 14n, 15n, 19n, 20n, 25n].map(xid => snapshot.sees(xid))).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
      false,
      false,
    ])
    expect(new Snapshot('7:7:').sees(6n)).toBe(true)
  })
})
