import { expect, it } from 'vitest'
import { admitsAddress, foldAddress } from './address-rules.js'

const rules = (allow: string[], deny: string[] = []) => ({ allow, deny })

it('[ST-10] an address is let in by itself or by its domain, and by nothing that looks like it', () => {
  const open = rules(['ana@firm.example', '@court.example'])
  for (const address of ['ana@firm.example', 'clerk@court.example'])
    expect(admitsAddress(address, open)).toBe(true)
  for (const address of [
    'bo@firm.example',
    'clerk@sub.court.example',
    'clerk@notcourt.example',
    'clerk@court.example.evil.example',
    'a@court.example@evil.example',
    '@court.example.',
  ])
    expect(admitsAddress(address, open)).toBe(false)
})

it('[ST-10] what is denied stays out, whoever is meant or allowed', () => {
  expect(admitsAddress('ana@firm.example', rules(['@firm.example'], ['ana@firm.example']))).toBe(false)
  expect(admitsAddress('ana@firm.example', rules(['ana@firm.example'], ['@firm.example']))).toBe(false)
  expect(admitsAddress('ana@firm.example', rules([], ['@firm.example']), 'ana@firm.example')).toBe(false)
  expect(admitsAddress('ana@firm.example', rules([]), 'ana@firm.example')).toBe(true)
  expect(admitsAddress('ana@firm.example', rules([]))).toBe(false)
  expect(foldAddress(' Ana@Firm.Example ')).toBe('ana@firm.example')
})
