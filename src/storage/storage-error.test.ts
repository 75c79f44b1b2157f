import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { PrivityError } from '../errors.js'
import { isForeignKeyViolation, isUniqueViolation, storageError, withoutContent } from './storage-error.js'

const failure = (code: string | undefined, message = 'secret words') =>
  Object.assign(new Error(message), { code, severity: 'ERROR', detail: 'secret detail', hint: 'secret hint' })

describe('storageError', () => {
  test.each([
    ['53100', 'storage_full'],
    ['ENOSPC', 'storage_full'],
    ['EFBIG', 'storage_full'],
    ['EDQUOT', 'storage_full'],
    ['53300', 'unavailable'],
    ['57P01', 'unavailable'],
    ['57P02', 'unavailable'],
    ['57P03', 'unavailable'],
    ['08006', 'unavailable'],
    ['08P01', 'unavailable'],
    ['ECONNREFUSED', 'unavailable'],
    ['ECONNRESET', 'unavailable'],
    ['ETIMEDOUT', 'unavailable'],
    ['57014', 'unavailable'],
    ['55P03', 'busy'],
    ['40001', 'busy'],
    ['40P01', 'busy'],
    ['42P01', 'internal'],
    [undefined, 'internal'],
  ])('%s means %s', (code, expected) => {
    const e = failure(code)
    expect(storageError(e)).toMatchObject({ code: expected, cause: e })
    expect(storageError(e).message).not.toContain('secret')
  })

  test.each([
    'could not extend file "base/5/1": No space left on device',
    'could not write to file "pg_wal/x": File too large',
  ])('%s means that the disk is full', message => {
    expect(storageError(failure('XX000', message))).toMatchObject({
      code: 'storage_full',
      message: 'the disk is full; nothing was changed',
    })
  })

  test('leaves what only the caller understands', () => {
    for (const e of [
      failure('23505'),
      failure('23503'),
      new PrivityError('conflict', 'it was changed in the meantime; read it again and repeat your change'),
    ]) {
      expect(storageError(e)).toBe(e)
    }
  })

  test.each([undefined, null, 'text', 42, {}])('takes anything: %o', thrown => {
    expect(storageError(thrown)).toMatchObject({ code: 'internal', message: 'the store failed' })
  })
})

test('violations are told apart', () => {
  expect(isUniqueViolation(failure('23505'))).toBe(true)
  expect(isUniqueViolation(failure('23503'))).toBe(false)
  expect(isForeignKeyViolation(failure('23503'))).toBe(true)
  expect(isForeignKeyViolation(undefined)).toBe(false)
})

describe('withoutContent', () => {
  test('keeps names and drops what may quote a row', () => {
    const e = Object.assign(failure('23505', 'duplicate key value violates unique constraint "note_pkey"'), {
      table: 'note',
      constraint: 'note_pkey',
      params: ['secret'],
      where: 'secret',
    })
    const safe = withoutContent(e)
    expect(safe).toMatchObject({ message: e.message, code: '23505', table: 'note', constraint: 'note_pkey' })
    expect(inspect(safe, { depth: null })).not.toContain('secret')
  })

  test('drops the message of a bad value, which repeats it', () => {
    expect(inspect(withoutContent(failure('22P02')), { depth: null })).not.toContain('secret')
  })

  test('leaves errors that are not from a database', () => {
    const e = new TypeError('x')
    expect(withoutContent(e)).toBe(e)
  })
})
