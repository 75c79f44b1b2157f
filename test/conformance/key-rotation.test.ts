import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Privity } from '../../src/open.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const MARK_BYTES = 6
const bytesOf = (sealed: string) => Buffer.from(sealed, 'base64url')
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
/** As texts were sealed before they said which key sealed them. */
const withoutMark = (sealed: string) => textOf(bytesOf(sealed).subarray(MARK_BYTES))

describe.each(engines)('keys that rotate, on %s', engine => {
  let store: SharedStore
  beforeAll(async () => {
    store = await sharedStore(engine)
  })
  afterAll(() => store.dispose())

  /** Two processes on one store: the first rotates, and the second is told nothing. */
  let first: Privity
  let second: Privity
  let tenant: string
  beforeEach(async () => {
    first = await store.instance()
    second = await store.instance()
    tenant = store.tenant()
    return async () => {
      await first.close()
      await second.close()
    }
  })

  const ana = (privity: Privity) => privity.as({ tenant, actor: 'ana' })
  const ben = (privity: Privity) => privity.as({ tenant, actor: 'ben' })
  const notes = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      kind: 'note' as const,
      text: `gardens and note ${at}`,
      language: 'en',
    }))
  const refused = {
    code: 'invalid_input',
    message: 'cursor: is not valid for this request; ask for the first page again, without a cursor',
  }

  async function firstPage(privity: Privity) {
    const { records, cursor } = await ana(privity).list({ limit: 2 })
    if (cursor === null) throw new Error('there is no second page')
    return { ids: records.map(({ id }) => id), cursor }
  }
  const secondPage = async (privity: Privity, cursor: string) =>
    (await ana(privity).list({ limit: 2, cursor })).records.map(({ id }) => id)

  it('[OP-6] a cursor from before is good afterwards, and one from after in a process that was not told', async () => {
    await ana(first).remember(notes(5))
    const before = await firstPage(first)
    const expected = await secondPage(first, before.cursor)
    const { keyId, createdAt } = await first.rotateSecrets()
    expect(Date.parse(createdAt)).not.toBeNaN()
    const [kept] = await store.sql(`select 1 from privity.keys where key_id = $1`, [keyId])
    expect(kept).toBeDefined()

    const after = await firstPage(first)
    expect(after.ids).toEqual(before.ids)
    expect(after.cursor).not.toBe(before.cursor)
    for (const cursor of [before.cursor, after.cursor])
      for (const privity of [second, first]) expect(await secondPage(privity, cursor)).toEqual(expected)
    // It has learned of the key, and seals with it.
    expect((await firstPage(second)).cursor).toBe(after.cursor)
  })

  it('[OP-6] no request fails while keys rotate in both processes', async () => {
    await ana(first).remember(notes(7))
    let rotating = true
    const rotate = async () => {
      for (let turn = 0; turn < 4; turn++)
        for (const privity of [first, second]) await privity.rotateSecrets()
      rotating = false
    }
    const work = async () => {
      let pages = 0
      let number = 0
      while (rotating || pages < 10) {
        const [here, there] = number++ % 2 === 0 ? [first, second] : [second, first]
        const { cursor } = await firstPage(here)
        expect(await secondPage(there, cursor)).toHaveLength(2)
        pages++
      }
      return pages
    }
    const [pages] = await Promise.all([work(), work(), rotate()])
    expect(pages).toBeGreaterThanOrEqual(10)
  })

  it('[OP-6] a write repeated after a rotation is done once, in whichever process', async () => {
    const key = (idempotencyKey: string) => ({ idempotencyKey })
    const [note, other] = notes(2) as [ReturnType<typeof notes>[0], ReturnType<typeof notes>[0]]
    const early = await ana(second).remember(note, key('early'))
    await first.rotateSecrets()
    const late = await ana(first).remember(note, key('late'))
    for (const privity of [second, first]) {
      expect(await ana(privity).remember(note, key('early'))).toEqual(early)
      expect(await ana(privity).remember(note, key('late'))).toEqual(late)
      for (const used of ['early', 'late'])
        await expect(ana(privity).remember(other, key(used))).rejects.toMatchObject({
          code: 'idempotency_conflict',
        })
    }
    expect((await ana(first).list()).records).toHaveLength(2)
  })

  it('[OP-6] a repeated write whose key is lost is refused, never done again', async () => {
    const [note] = notes(1) as [ReturnType<typeof notes>[0]]
    const key = { idempotencyKey: 'k' }
    await ana(first).remember(note, key)
    await store.sql(
      `update privity.operations set request_digest = '\\x000000000000'::bytea || substr(request_digest, 7)
       where tenant_id = $1`,
      [tenant],
    )
    await expect(ana(first).remember(note, key)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect((await ana(first).list()).records).toHaveLength(1)
  })

  it('[OP-6] a saved search reports nothing as changed because of a rotation', async () => {
    const [one] = await ana(first).remember(notes(3))
    const early = await ana(first).searches.save({ name: 'early', query: 'gardens' })
    expect((await ana(first).searches.changes(early.id)).added).toHaveLength(3)
    await first.rotateSecrets()
    const late = await ana(first).searches.save({ name: 'late', query: 'gardens' })
    expect((await ana(first).searches.changes(late.id)).added).toHaveLength(3)
    for (const privity of [second, first])
      for (const { id } of [early, late])
        expect(await ana(privity).searches.changes(id)).toMatchObject({ added: [], changed: [] })
    expect((await ana(second).searches.list()).searches.map(({ name }) => name)).toEqual(['early', 'late'])

    await ana(second).relabel({ record: one?.id ?? '', tags: ['x'] })
    for (const { id } of [early, late])
      expect((await ana(second).searches.changes(id)).changed.map(({ id }) => id)).toEqual([one?.id])
  })

  it('[OP-6, CV-6] a receipt reads as before; what is searched later has a scope digest of the new key', async () => {
    await ana(first).remember(notes(2))
    const ask = (privity: Privity) => ana(privity).search('garden')
    const { receipt } = await ask(first)
    expect((await ask(second)).receipt.scopeDigest).toBe(receipt.scopeDigest)
    const stored = await ana(first).receipts.get(receipt.searchRunId)
    expect(stored?.expansions.flatMap(({ appliedTerms }) => appliedTerms)).toContain('gardens')

    await first.rotateSecrets()
    const later = await ask(first)
    expect(later.receipt.scopeDigest).not.toBe(receipt.scopeDigest)
    expect(await ana(first).receipts.get(receipt.searchRunId)).toEqual(stored)
    expect(await ana(second).receipts.get(receipt.searchRunId)).toEqual(stored)
    // Reading of it, the other process learns of the key: from then on both say the same of one scope.
    expect(await ana(second).receipts.get(later.receipt.searchRunId)).toMatchObject({
      expansions: [{ appliedTerms: ['gardens'] }],
    })
    expect((await ask(second)).receipt.scopeDigest).toBe(later.receipt.scopeDigest)
  })

  it('[OP-6, NI-9] a forged cursor, and one of somebody else, are refused alike before and after', async () => {
    await ana(first).remember(notes(5))
    await ben(first).remember(notes(5))
    const stranger = await sharedStore(engine)
    const elsewhere = await stranger.instance()
    await ana(elsewhere).remember(notes(5))
    const before = [(await firstPage(first)).cursor, (await firstPage(elsewhere)).cursor]
    await first.rotateSecrets()
    const after = [(await firstPage(first)).cursor, (await firstPage(elsewhere)).cursor]
    const list = (privity: Privity, cursor: string) => ana(privity).list({ limit: 2, cursor })
    for (const [mine, foreign] of [before, after] as [string, string][]) {
      for (const privity of [second, first]) {
        await expect(list(privity, foreign)).rejects.toMatchObject(refused)
        await expect(ben(privity).list({ limit: 2, cursor: mine })).rejects.toMatchObject(refused)
        await expect(ana(privity).list({ limit: 2, order: 'oldest', cursor: mine })).rejects.toMatchObject(
          refused,
        )
        for (const at of [0, MARK_BYTES, MARK_BYTES + 12, MARK_BYTES + 28]) {
          const bytes = bytesOf(mine)
          bytes[at] = (bytes[at] ?? 0) ^ 1
          await expect(list(privity, textOf(bytes)), `byte ${at}`).rejects.toMatchObject(refused)
        }
        for (const cut of [0, 3, MARK_BYTES, MARK_BYTES + 12, MARK_BYTES + 20])
          await expect(list(privity, textOf(bytesOf(mine).subarray(0, cut)))).rejects.toMatchObject(refused)
        await expect(list(privity, `${mine}=`)).rejects.toMatchObject(refused)
        expect((await list(privity, mine)).records).toHaveLength(2)
      }
    }
    // The mark of one key before what another sealed.
    const [old, young] = [before[0], after[0]].map(cursor => bytesOf(cursor as string)) as [Buffer, Buffer]
    const mixed = textOf(Buffer.concat([young.subarray(0, MARK_BYTES), old.subarray(MARK_BYTES)]))
    await expect(list(first, mixed)).rejects.toMatchObject(refused)
    await elsewhere.close()
    await stranger.dispose()
  })

  it('[OP-6, NI-3] cursors of all keys are as long, and equal questions get equal ones', async () => {
    await ana(first).remember(notes(5))
    const seen = new Set<string>()
    for (let turn = 0; turn < 4; turn++) {
      const { cursor } = await firstPage(first)
      expect((await firstPage(first)).cursor).toBe(cursor)
      seen.add(cursor)
      await first.rotateSecrets()
    }
    expect(seen.size).toBe(4)
    expect(new Set([...seen].map(cursor => cursor.length)).size).toBe(1)
  })

  it('[OP-6] what was sealed and kept before keys had marks is still read', async () => {
    const [note, other] = notes(2) as [ReturnType<typeof notes>[0], ReturnType<typeof notes>[0]]
    const key = { idempotencyKey: 'old' }
    const mine = await ana(first).remember(note, key)
    await ana(first).remember(notes(4))
    const page = await firstPage(first)
    const expected = await secondPage(first, page.cursor)
    const search = await ana(first).searches.save({ name: 'old', query: 'gardens' })
    await ana(first).searches.changes(search.id)
    const [saved] = await store.sql<{ question: string }>(
      `update privity.operations set request_digest = substr(request_digest, ${MARK_BYTES + 1})
       where tenant_id = $1 and request_digest is not null
       returning (select question from privity.saved_searches where tenant_id = $1)`,
      [tenant],
    )
    await store.sql(`update privity.saved_searches set question = $2 where tenant_id = $1`, [
      tenant,
      withoutMark(saved?.question ?? ''),
    ])
    await first.rotateSecrets()
    for (const privity of [second, first]) {
      expect(await secondPage(privity, withoutMark(page.cursor))).toEqual(expected)
      expect(await ana(privity).remember(note, key)).toEqual(mine)
      await expect(ana(privity).remember(other, key)).rejects.toMatchObject({ code: 'idempotency_conflict' })
      expect(await ana(privity).searches.changes(search.id)).toMatchObject({ added: [], changed: [] })
    }
  })

  it.runIf(engine === 'postgres')(
    '[OP-6] a process that meets nothing of a new key seals with it within five minutes',
    async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      try {
        const third = await store.instance(undefined, { sweeps: true })
        await ana(first).remember(notes(5))
        const before = (await firstPage(third)).cursor
        await first.rotateSecrets()
        expect((await firstPage(third)).cursor).toBe(before)
        vi.advanceTimersByTime(300_000)
        const { cursor } = await firstPage(first)
        await vi.waitFor(async () => expect((await firstPage(third)).cursor).toBe(cursor))
        await third.close()
        expect(vi.getTimerCount()).toBe(0)
      } finally {
        vi.useRealTimers()
      }
    },
  )

  it('[OP-6] a store that many open at once has one key to begin with', async () => {
    const fresh = await sharedStore(engine)
    const opened = await Promise.all(Array.from({ length: 8 }, () => fresh.instance()))
    expect(await fresh.sql(`select key_id from privity.keys`)).toHaveLength(1)
    await Promise.all(opened.map(privity => privity.close()))
    await fresh.dispose()
  })
})
