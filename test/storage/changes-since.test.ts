import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '../../src/storage/database.js'
import { migrate } from '../../src/storage/migrate.js'
import { changesSince } from '../../src/storage/queries/changes-since.js'
import { logChanges } from '../../src/storage/queries/insert-records.js'
import { type EmptyDatabase, emptyDatabase, engines } from '../support/stores.js'

const asWriter = { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': 't' } } as const
const asIndex = { access: 'read', role: 'privity_index', settings: { 'privity.tenant': 't' } } as const

const write = (db: Database, ids: string[]) => db.transaction(asWriter, tx => logChanges(tx, 't', ids))
const read = (db: Database, since: string) => db.transaction(asIndex, tx => changesSince(tx, 't', since))

describe.each(engines)('the change log on %s', engine => {
  let store: EmptyDatabase
  beforeAll(async () => {
    store = await emptyDatabase(engine)
    await migrate(store.db)
  })
  afterAll(() => store.dispose())

  it('gives everything at first, and then only what may be new', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    await write(store.db, [a, a, b])
    const first = await read(store.db, '0')
    expect(first.changed).toEqual(expect.arrayContaining([a, b]))
    const c = randomUUID()
    await write(store.db, [c])
    const second = await read(store.db, first.next)
    expect(second.changed).toContain(c)
    // On a server, transactions of others may still run, and rows come again: allowed, and not to be tested away.
    if (engine === 'pglite') {
      expect(second.changed).not.toContain(a)
      expect((await read(store.db, second.next)).changed).toEqual([])
    }
  })

  it('tells nothing of another tenant', async () => {
    await write(store.db, [randomUUID()])
    const other = { ...asIndex, settings: { 'privity.tenant': 'other' } }
    const { changed } = await store.db.transaction(other, tx => changesSince(tx, 't', '0'))
    expect(changed).toEqual([])
  })

  it.runIf(engine === 'postgres')(
    'misses no writer that was still running while later ones finished',
    async () => {
      const slow = randomUUID()
      const quick = randomUUID()
      let { next } = await read(store.db, '0')
      const seen = new Set<string>()
      const take = async () => {
        const page = await read(store.db, next)
        next = page.next
        for (const id of page.changed) seen.add(id)
      }
      let finish = () => {}
      let begun: (tx: Transaction) => void = () => {}
      const started = new Promise<Transaction>(resolve => {
        begun = resolve
      })
      const running = store.db.transaction(asWriter, async tx => {
        await logChanges(tx, 't', [slow])
        begun(tx)
        await new Promise<void>(resolve => {
          finish = resolve
        })
      })
      await started
      await write(store.db, [quick])
      await take()
      expect(seen.has(quick)).toBe(true)
      expect(seen.has(slow)).toBe(false)
      await take()
      finish()
      await running
      await take()
      expect(seen.has(slow)).toBe(true)
    },
  )
})
