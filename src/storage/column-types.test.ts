import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeParam, parseArray, parsers } from './column-types.js'

test('an array of any text survives its text form', () => {
  const items = fc.array(fc.option(fc.string({ unit: 'binary' }), { nil: null }))
  fc.assert(
    fc.property(items, list => {
      expect(parseArray(encodeParam(list) ?? '', text => text)).toEqual(list)
    }),
  )
})

test('arrays of arrays keep their shape', () => {
  expect(parseArray('{{a,"b,}"},{NULL,"NULL"}}', text => text)).toEqual([
    ['a', 'b,}'],
    [null, 'NULL'],
  ])
  expect(parseArray('{}', Number)).toEqual([])
})

test('an array that is cut short ends', () => {
  for (const text of ['', '{', '{"', '{"a', '{a', '{{', '{"\\'])
    expect(parseArray(text, x => x)).toBeInstanceOf(Array)
})

test('dates are written as Postgres reads them', () => {
  expect(encodeParam(new Date('2024-02-29T23:59:59.999Z'))).toBe('2024-02-29T23:59:59.999Z')
  expect(encodeParam(new Date('+012024-01-01T00:00:00Z'))).toBe('12024-01-01T00:00:00.000Z')
  expect(encodeParam(new Date('0000-01-01T00:00:00Z'))).toBe('0001-01-01T00:00:00.000Z BC')
  expect(() => encodeParam(new Date(Number.NaN))).toThrow(
    'must be a valid ISO 8601 time, for example 2026-11-17T09:00:00Z',
  )
})

test('a timestamp in an unknown form is an invalid date, not a wrong one', () => {
  expect(parsers[1184]?.('01/02/2024 00:00:00 CET')).toEqual(new Date(Number.NaN))
})
