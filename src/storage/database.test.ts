import { expect, test } from 'vitest'
import { beginStatement, literal } from './database.js'

test.each([
  ['plain', `'plain'`],
  ['', `''`],
  [`it's`, `'it''s'`],
  ['a\\b', ` E'a\\\\b'`],
  [`\\'`, ` E'\\\\'''`],
])('%o is written as %s', (value, expected) => {
  expect(literal(value)).toBe(expected)
})

test('a nul cannot be written', () => {
  expect(() => literal('a\0')).toThrow('a setting must not contain a NUL character')
})

test('one text begins a transaction and sets all it needs, the role last', () => {
  const text = beginStatement({ access: 'read', role: 'reader', settings: { 'privity.tenant': "o'neil" } })
  expect(text).toMatch(/^begin isolation level repeatable read read only; select set_config\(/)
  expect(text).toMatch(
    /set_config\('privity.tenant', 'o''neil', true\), set_config\('role', 'reader', true\)$/,
  )
})

test('no role is set where none is asked for', () => {
  expect(beginStatement({ access: 'write', role: null, settings: {} })).not.toContain(`'role'`)
})
