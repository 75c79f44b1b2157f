import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CellView } from '../../src/runtime/index/cell.js'
import type * as CellsModule from '../../src/runtime/index/cells.js'
import type { Transaction } from '../../src/storage/database.js'
import { times } from '../support/depth.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'

const AS_INDEX = { access: 'read', role: 'privity_index' } as const

/** Takes a snapshot now and holds it: what is asked later is asked in it. */
function held(store: SharedStore, tenant: string) {
  let release = () => {}
  let begun: (tx: Transaction) => void = () => {}
  const tx = new Promise<Transaction>(resolve => {
    begun = resolve
  })
  const ended = store.db.transaction({ ...AS_INDEX, settings: { 'privity.tenant': tenant } }, async tx => {
    await tx.query('select 1')
    begun(tx)
    await new Promise<void>(resolve => {
      release = resolve
    })
  })
  return { tx, release: () => release(), ended }
}

/** What an index that is ahead of a snapshot gives to a reader in it. */
async function readerBehindTheIndex(store: SharedStore, { Cells }: typeof CellsModule) {
  const tenant = store.tenant()
  const privity = await store.instance()
  const ana = privity.as({ tenant, actor: 'ana' })
  await ana.remember({ kind: 'note', text: 'before' })
  const cells = new Cells(store.db)
  await cells.prepare(tenant, ['user:ana'])
  const reader = held(store, tenant)
  const tx = await reader.tx
  await ana.remember({ kind: 'note', text: 'after' })
  // Another reader, with a newer snapshot, takes the new record in.
  const settings = { 'privity.tenant': tenant }
  const [newer] = await store.db.transaction({ ...AS_INDEX, settings }, tx =>
    cells.sync(tx, tenant, ['user:ana'], { takesIn: true }),
  )
  const documents = (view: CellView) => view.parts.reduce((sum, { segment }) => sum + segment.size, 0)
  const answer = await cells.sync(tx, tenant, ['user:ana'], { takesIn: true }).then(
    ([view]) => (view === undefined ? 'nothing' : documents(view)),
    (error: Error) => error.message,
  )
  reader.release()
  await reader.ended
  await privity.close()
  return { newer: newer === undefined ? 0 : documents(newer), answer }
}

describe('an index and a snapshot on postgres', () => {
  let store: SharedStore
  beforeAll(async () => {
    store = await sharedStore('postgres')
  })
  afterAll(() => store.dispose())

  it('[NI-7] an index that holds more than a snapshot sees is not read under it', async () => {
    const cells = await import('../../src/runtime/index/cells.js')
    expect(await readerBehindTheIndex(store, cells)).toEqual({
      newer: 2,
      answer: 'the index is ahead of this snapshot',
    })
  })

  it('[NI-7] and a build that forgets to ask is found out', async () => {
    const ahead: Mutation = {
      file: 'src/runtime/index/cells.ts',
      find: 'for (const cell of cells) if (cell.isAheadOf(snapshot)) throw new IndexAhead()',
      replace: '',
    }
    const mutant = await makeMutant(ahead)
    const cells = (await mutant.import('src/runtime/index/cells.ts')) as typeof CellsModule
    expect(await readerBehindTheIndex(store, cells)).toEqual({ newer: 2, answer: 2 })
    await mutant.dispose()
  })

  it('[NI-7] a transaction whose statements may see different things takes nothing into the index', async () => {
    const tenant = store.tenant()
    const privity = await store.instance()
    const ana = privity.as({ tenant, actor: 'ana' })
    await ana.remember({ kind: 'note', text: 'before' })
    const { Cells } = await import('../../src/runtime/index/cells.js')
    const cells = new Cells(store.db)
    await cells.prepare(tenant, ['user:ana'])
    await ana.remember({ kind: 'note', text: 'after' })
    const inWrite = () =>
      store.db.transaction(
        { access: 'write', role: 'privity_index', settings: { 'privity.tenant': tenant } },
        tx => cells.sync(tx, tenant, ['user:ana'], { takesIn: false }),
      )
    await expect(inWrite()).rejects.toThrow('the index is behind this snapshot')
    await cells.prepare(tenant, ['user:ana'])
    const [view] = await inWrite()
    expect(view?.parts.reduce((sum, { segment }) => sum + segment.size, 0)).toBe(2)
    await privity.close()
  })

  it('[NI-7] a writer that commits late is taken in by the first reader that sees it, and by none before', async () => {
    const tenant = store.tenant()
    const privity = await store.instance()
    const ana = privity.as({ tenant, actor: 'ana' })
    await ana.remember({ kind: 'note', text: 'the first' })
    expect((await ana.search('first')).count).toBe(1)
    const id = randomUUID()
    let commit = () => {}
    let written = () => {}
    const isWritten = new Promise<void>(resolve => {
      written = resolve
    })
    // Its transaction has a lower id than those that commit while it waits.
    const late = store.db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
      await tx.query(
        `insert into privity.records
           (tenant_id, record_id, compartment_id, kind, vessel, owner, author, sensitivity, visibility_class, text,
            salience, confidence, created_at, updated_at, metadata_updated_at, preview_updated_at)
         select tenant_id, $2, compartment_id, kind, vessel, owner, author, sensitivity, visibility_class, 'the late one',
            salience, confidence, created_at, updated_at, metadata_updated_at, preview_updated_at
         from privity.records where tenant_id = $1`,
        [tenant, id],
      )
      await tx.query(`insert into privity.changes (tenant_id, cell, record_id) values ($1, 'user:ana', $2)`, [
        tenant,
        id,
      ])
      written()
      await new Promise<void>(resolve => {
        commit = resolve
      })
    })
    await isWritten
    for (const text of ['the second', 'the third']) await ana.remember({ kind: 'note', text })
    expect((await ana.search('the', { stemming: false })).count).toBe(3)
    expect((await ana.search('late')).count).toBe(0)
    commit()
    await late
    expect((await ana.search('late')).results.map(({ record }) => record.id)).toEqual([id])
    expect((await ana.search('the', { stemming: false })).count).toBe(4)
    await privity.close()
  })

  const TURNS = times(10, 25)

  it('[NI-7] readers and writers of three instances agree: what a write returned is found by every search after it', async () => {
    const tenant = store.tenant()
    const instances = await Promise.all([store.instance(), store.instance(), store.instance()])
    const missing: string[] = []
    const work = async (worker: number) => {
      for (let turn = 0; turn < TURNS; turn++) {
        const word = `w${worker}x${turn}`
        const writer = instances[(worker + turn) % 3]?.as({ tenant, actor: 'ana' })
        const reader = instances[(worker + turn + 1) % 3]?.as({ tenant, actor: 'ana' })
        const stored = await writer?.remember({ kind: 'note', text: `common ${word}` })
        const found = await reader?.search(word)
        if (found?.results[0]?.record.id !== stored?.id || found?.count !== 1) missing.push(word)
        if (turn % 5 === 4 && stored !== undefined) {
          await writer?.forget(stored.id)
          if ((await reader?.search(word))?.count !== 0) missing.push(`${word} forgotten`)
        }
      }
    }
    await Promise.all([1, 2, 3, 4, 5, 6].map(work))
    expect(missing).toEqual([])
    const counts = await Promise.all(
      instances.map(async instance => (await instance.as({ tenant, actor: 'ana' }).search('common')).count),
    )
    // Each worker forgets every fifth.
    expect(counts).toEqual(Array(3).fill((6 * TURNS * 4) / 5))
    await Promise.all(instances.map(instance => instance.close()))
  })
})
