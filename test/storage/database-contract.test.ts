import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Param, Transaction } from '../../src/storage/database.js'
import { isForeignKeyViolation, isUniqueViolation } from '../../src/storage/storage-error.js'
import { bothEngines, emptyDatabase, type TestDatabase } from '../support/stores.js'

const asOwner = { access: 'write', role: null, settings: {} } as const

/** Each as parameter and as result: what goes in, and what comes out if that differs. */
const values: readonly [type: string, param: Param, result?: unknown][] = [
  ['text', 'plain'],
  ['text', ''],
  ['text', `it's "quoted" \\ and $1 {a,b}`],
  ['text', 'line\nbreak\ttab\r'],
  ['text', 'Grüße 日本語 😀 e\u0301 \u202e'],
  ['text', null],
  ['int2', -7],
  ['int4', 2147483647],
  ['int4', null],
  ['int8', 5, '5'],
  ['int8', '9223372036854775807'],
  ['int8[]', [1, '9223372036854775807', null], ['1', '9223372036854775807', null]],
  ['xid8', '18446744073709551615'],
  ['numeric', '12345678901234567890.123456789'],
  ['numeric', 0.1, '0.1'],
  ['float8', 0.1],
  ['float8', 5e-324],
  ['float8', 1.7976931348623157e308],
  ['float8', Number.POSITIVE_INFINITY],
  ['float8', Number.NaN],
  ['float8[]', [0.1, null, -1e100]],
  ['float4', 0.5],
  ['bool', true],
  ['bool', false],
  ['bool[]', [true, false, null]],
  ['timestamptz', new Date('2024-02-29T23:59:59.999Z')],
  ['timestamptz', new Date(0)],
  ['timestamptz', new Date('0099-01-01T00:00:00.001Z')],
  ['timestamptz', new Date('-000043-03-15T12:00:00.000Z')],
  ['timestamptz', new Date('+012024-01-01T00:00:00.120Z')],
  ['timestamptz', '2024-01-01T02:00:00.123456+02:00', new Date('2024-01-01T00:00:00.123Z')],
  ['timestamptz', 'infinity', new Date(8.64e15)],
  ['timestamptz', '-infinity', new Date(-8.64e15)],
  ['timestamptz', null],
  ['timestamptz[]', [new Date('2024-02-29T23:59:59.999Z'), null, new Date(1)]],
  ['timestamptz[]', []],
  ['timestamp', '2024-01-02 03:04:05.678'],
  ['date', '2024-01-02'],
  [
    'jsonb',
    JSON.stringify({ a: [1, 'x', null, { b: true }], ü: '😀' }),
    { a: [1, 'x', null, { b: true }], ü: '😀' },
  ],
  ['jsonb', '"text"', 'text'],
  ['jsonb', 'null', null],
  ['jsonb', null],
  ['jsonb', '[]', []],
  ['jsonb[]', ['{"a":"}\\"{"}', null], [{ a: '}"{' }, null]],
  ['text[]', ['a', '', null, 'NULL', 'null', ' b ', 'c,d', '{e}', '"f"', '\\g', "h'", '日本', 'i\nj']],
  ['text[]', []],
  ['text[]', null],
  ['int4[]', [1, -2, null]],
  [
    'int4[]',
    '{{1,2},{3,4}}',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['int4[]', '[0:1]={1,2}', [1, 2]],
  ['uuid', '0b5f2f4e-6a40-4b56-9c5e-6f8b9f6f0a11'],
  ['uuid[]', ['0b5f2f4e-6a40-4b56-9c5e-6f8b9f6f0a11', null]],
  ['uuid[]', []],
  ['bytea', new Uint8Array([0, 1, 39, 92, 128, 255])],
  ['bytea', new Uint8Array()],
  ['bytea', new Uint8Array([9, 1, 2, 9]).subarray(1, 3), new Uint8Array([1, 2])],
  ['bytea', null],
  ['bytea[]', [new Uint8Array([0, 92, 34, 255]), null, new Uint8Array()]],
  ['bytea[]', []],
]

describe.each(bothEngines)('on %s', engine => {
  let store: TestDatabase
  let db: Database
  const trace: string[] = []
  const role = `reader_${engine}_${process.pid}`

  beforeAll(async () => {
    store = await emptyDatabase(engine, { observe: sql => trace.push(sql) })
    db = store.db
    await db.script(`
      create table note (id int primary key, body text, size int);
      create table line (id int primary key, note int references note deferrable initially deferred);
      create role ${role};
      grant select on note to ${role}`)
  })

  beforeEach(() => db.script('delete from line; delete from note'))

  afterAll(async () => {
    await db.script(`drop owned by ${role}; drop role ${role}`)
    await store.dispose()
  })

  const write = <T>(fn: (tx: Transaction) => Promise<T>) => db.transaction(asOwner, fn)
  const read = <T>(fn: (tx: Transaction) => Promise<T>) => db.transaction({ ...asOwner, access: 'read' }, fn)
  const addNote = (tx: Transaction, id: number, body = 'x') =>
    tx.query('insert into note (id, body) values ($1, $2)', [id, body])
  const noteIds = async () =>
    (await read(tx => tx.query<{ id: number }>('select id from note order by id'))).map(({ id }) => id)

  describe('values', () => {
    test.each(values)('a %s that is %o keeps its value', async (type, param, result = param) => {
      const [row] = await read(tx => tx.query<{ value: unknown }>(`select $1::${type} as value`, [param]))
      expect(row).toStrictEqual({ value: result })
    })

    test('a bytea has a buffer of its own', async () => {
      const [row] = await read(tx => tx.query<{ value: Uint8Array }>(`select '\\x00000000'::bytea as value`))
      expect(row?.value.byteOffset).toBe(0)
      expect(row?.value.buffer.byteLength).toBe(4)
    })

    test('a parameter needs no cast where the column tells its type', async () => {
      await write(tx => tx.query('insert into note (id, body, size) values ($1, $2, $3)', [1, 'one', null]))
      const rows = await read(tx => tx.query('select * from note where id = any($1)', [[1, 2]]))
      expect(rows).toStrictEqual([{ id: 1, body: 'one', size: null }])
    })

    test('text of a timestamp does not depend on how the server is set up', async () => {
      const [row] = await read(tx =>
        tx.query(`select '2024-01-01T00:00:00Z'::timestamptz::text as at, '\\x0a'::bytea::text as bytes`),
      )
      expect(row).toStrictEqual({ at: '2024-01-01 00:00:00+00', bytes: '\\x0a' })
    })

    test('an invalid date is refused', async () => {
      const sent = read(tx => tx.query('select $1::timestamptz', [new Date(Number.NaN)]))
      await expect(sent).rejects.toMatchObject({ code: 'invalid_input' })
    })
  })

  describe('transactions', () => {
    test('what is written is there after the transaction', async () => {
      const result = await write(async tx => {
        await addNote(tx, 1)
        return 'done'
      })
      expect(result).toBe('done')
      expect(await noteIds()).toEqual([1])
    })

    test('a throw undoes everything and comes out unchanged', async () => {
      const reason = new Error('mine')
      const failed = write(async tx => {
        await addNote(tx, 1)
        throw reason
      })
      await expect(failed).rejects.toBe(reason)
      expect(await noteIds()).toEqual([])
    })

    test('a failing statement undoes what came before it and leaves the database usable', async () => {
      const failed = write(async tx => {
        await addNote(tx, 1)
        await tx.query('select 1 / 0')
      })
      await expect(failed).rejects.toMatchObject({ code: 'internal', message: 'the store failed' })
      expect(await noteIds()).toEqual([])
    })

    test('a failed statement that is ignored does not pass for success', async () => {
      const failed = write(async tx => {
        await addNote(tx, 1)
        await tx.query('select 1 / 0').catch(() => {})
      })
      await expect(failed).rejects.toMatchObject({
        code: 'internal',
        message: 'a failed statement was ignored; nothing was changed',
      })
      expect(await noteIds()).toEqual([])
    })

    test('a savepoint makes a failure harmless', async () => {
      await write(async tx => {
        await addNote(tx, 1)
        await tx.query('savepoint before')
        await addNote(tx, 1).catch(() => {})
        await tx.query('rollback to before')
        await addNote(tx, 2)
      })
      expect(await noteIds()).toEqual([1, 2])
    })

    test('a constraint checked at commit undoes everything', async () => {
      const failed = write(tx => tx.query('insert into line (id, note) values (1, 99)'))
      await expect(failed).rejects.toSatisfy(isForeignKeyViolation)
      expect(await read(tx => tx.query('select * from line'))).toEqual([])
    })

    test('a statement after the end is refused', async () => {
      let late: Transaction | undefined
      await write(async tx => {
        late = tx
      })
      await expect(late?.query('select 1')).rejects.toMatchObject({ code: 'internal' })
    })

    test('reading cannot write', async () => {
      await expect(read(tx => addNote(tx, 1))).rejects.toMatchObject({ cause: { code: '25006' } })
      expect(await noteIds()).toEqual([])
    })

    test('a read has one isolation and a write another', async () => {
      const isolation = async (tx: Transaction) => {
        const [row] = await tx.query<{ level: string }>(
          `select current_setting('transaction_isolation') as level`,
        )
        return row?.level
      }
      expect(await read(isolation)).toBe('repeatable read')
      expect(await write(isolation)).toBe('read committed')
    })

    test('many at once all happen', async () => {
      await write(tx => tx.query('insert into note (id, size) values (1, 0)'))
      const add = () => write(tx => tx.query('update note set size = size + 1 where id = 1'))
      await Promise.all(Array.from({ length: 50 }, add))
      expect(await read(tx => tx.query('select size from note'))).toEqual([{ size: 50 }])
    })

    test('one call takes one statement', async () => {
      for (const params of [[], ['x']]) {
        const sent = write(tx => tx.query('delete from note; select 1', params))
        await expect(sent).rejects.toMatchObject({ cause: { code: '42601' } })
      }
    })

    test('a script takes many, and happens whole or not at all', async () => {
      await db.script(`insert into note (id) values (1); insert into note (id) values (2)`)
      await expect(db.script(`insert into note (id) values (3); select 1 / 0`)).rejects.toThrow()
      expect(await noteIds()).toEqual([1, 2])
    })
  })

  describe('role and settings', () => {
    const current = async (tx: Transaction) => {
      const [row] = await tx.query<{ role: string; word: string | null }>(
        `select current_user as role, nullif(current_setting('privity.word', true), '') as word`,
      )
      return row
    }

    test('hold for the transaction and not after it', async () => {
      const before = await read(current)
      const inside = await db.transaction(
        { access: 'read', role, settings: { 'privity.word': 'a' } },
        current,
      )
      expect(inside).toEqual({ role, word: 'a' })
      expect(await read(current)).toEqual({ role: before?.role, word: null })
    })

    test('are gone after a failure too', async () => {
      const options = { access: 'write', role, settings: { 'privity.word': 'a' } } as const
      const failed = db.transaction(options, tx => tx.query('delete from note'))
      await expect(failed).rejects.toMatchObject({ cause: { code: '42501' } })
      expect(await read(current)).toMatchObject({ word: null })
      expect((await read(current))?.role).not.toBe(role)
    })

    test.each([
      `'; drop table note; --`,
      `\\'; drop table note; --`,
      'back\\slash \\n \\',
      `E'x'`,
      'line\nbreak "quoted" $$ 日本 😀',
      '',
    ])('a setting may be %o', async word => {
      const inside = await db.transaction({ ...asOwner, settings: { 'privity.word': word } }, tx =>
        tx.query(`select current_setting('privity.word') as word`),
      )
      expect(inside).toEqual([{ word }])
    })

    test('a setting may not hold a nul', async () => {
      const sent = db.transaction({ ...asOwner, settings: { 'privity.word': 'a\0b' } }, current)
      await expect(sent).rejects.toMatchObject({ code: 'invalid_input' })
    })

    test('a role that does not exist fails, and the database stays usable', async () => {
      const sent = db.transaction({ ...asOwner, role: 'nobody_at_all' }, current)
      await expect(sent).rejects.toMatchObject({ code: 'internal' })
      expect(await noteIds()).toEqual([])
    })
  })

  describe('failures', () => {
    test('a unique violation is left to the caller, without the row', async () => {
      const failed = write(async tx => {
        await addNote(tx, 1, 'secret')
        await tx.query('create unique index on note (body)')
        await addNote(tx, 2, 'secret')
      })
      const e = await failed.catch((e: unknown) => e)
      expect(isUniqueViolation(e)).toBe(true)
      expect(e).toMatchObject({ table: 'note', constraint: 'note_body_idx' })
      expect(inspect(e, { depth: null })).not.toContain('secret')
    })

    test('a bad value is in no message', async () => {
      const failed = write(tx => tx.query('select $1::uuid', ['secret']))
      const e = await failed.catch((e: unknown) => e)
      expect(e).toMatchObject({ code: 'internal', cause: { code: '22P02' } })
      expect(inspect(e, { depth: null })).not.toContain('secret')
    })

    test('a lock that is not free is busy', async () => {
      if (engine === 'pglite') return
      await write(tx => addNote(tx, 1))
      await write(async first => {
        await first.query('select 1 from note for update')
        await expect(write(tx => tx.query('select 1 from note for update nowait'))).rejects.toMatchObject({
          code: 'busy',
        })
      })
    })
  })

  test('statements are observed in order, without values', async () => {
    trace.length = 0
    await db.transaction({ access: 'read', role, settings: { 'privity.word': 'secret' } }, tx =>
      tx.query('select $1::text', ['secret']),
    )
    await write(tx => tx.query('select 1 / 0')).catch(() => {})
    const session = ['timezone', 'datestyle', 'intervalstyle', 'bytea_output', 'extra_float_digits']
    const calls = (...names: string[]) => names.map(name => `set_config('${name}', ?, true)`).join(', ')
    expect(trace).toEqual([
      `begin isolation level repeatable read read only; select ${calls(...session, 'privity.word', 'role')}`,
      'select $1::text',
      'commit',
      `begin isolation level read committed read write; select ${calls(...session)}`,
      'select 1 / 0',
      'rollback',
    ])
  })
})

describe.each(bothEngines)('closing on %s', engine => {
  test('waits for what runs, and refuses what comes after', async () => {
    const { db, dispose } = await emptyDatabase(engine)
    const running = db.transaction(asOwner, async tx => {
      await setTimeout(100)
      return tx.query('select 1 as one')
    })
    await setTimeout(20)
    const closing = db.close()
    await expect(db.transaction(asOwner, async () => 1)).rejects.toMatchObject({ code: 'closed' })
    await expect(db.script('select 1')).rejects.toMatchObject({ code: 'closed' })
    expect(await running).toEqual([{ one: 1 }])
    await closing
    await db.close()
    await expect(db.transaction(asOwner, async () => 1)).rejects.toMatchObject({ code: 'closed' })
    await dispose()
  })
})
