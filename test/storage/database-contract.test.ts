import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Param, Transaction } from '../../src/storage/database.js'
import { type EmptyDatabase, emptyDatabase, engines } from '../support/stores.js'

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

describe.each(engines)('on %s', engine => {
  let store: EmptyDatabase
  let db: Database
  const trace: string[] = []

  beforeAll(async () => {
    store = await emptyDatabase(engine, { observe: sql => trace.push(sql) })
    db = store.db
    await db.script(`
      create table note (id int primary key, body text);
      create table line (id int primary key, note int references note deferrable initially deferred)`)
  })

  afterAll(() => store.dispose())

  const write = <T>(fn: (tx: Transaction) => Promise<T>) => db.transaction(asOwner, fn)
  const read = <T>(fn: (tx: Transaction) => Promise<T>) => db.transaction({ ...asOwner, access: 'read' }, fn)
  const bodies = () =>
    read(tx => tx.query<{ id: number; body: string }>('select id, body from note order by id'))

  test.each(values)('a %s that is %o keeps its value', async (type, param, result = param) => {
    const [row] = await read(tx => tx.query<{ value: unknown }>(`select $1::${type} as value`, [param]))
    expect(row).toStrictEqual({ value: result })
  })
})
