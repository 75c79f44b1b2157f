import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { CLAIM_LAWS } from '../../test/support/label-laws.js'
import { clampRespectConsent, clampTrust } from './claims.js'
import * as policy from './index.js'

const held = { maxSensitivity: 'medium', scopes: new Set(['home', 'work']), authenticated: true }

describe('[DE-3] of any claim', () => {
  it.each(CLAIM_LAWS.map(law => [law.title, law] as const))('%s', (_, { property }) => {
    fc.assert(property(policy), { seed: SEED, numRuns: WORLDS })
  })
})

it.each([
  [undefined, 'medium'],
  ['public', 'public'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'medium'],
  ['hyper', 'medium'],
  ['unheard_of', 'unheard_of'],
])('[TR-2, DE-3] a claim of %s is at most what the credential holds: %s', (maxSensitivity, expected) => {
  expect(clampTrust(held, { maxSensitivity }).maxSensitivity).toBe(expected)
})

it('[DE-2] no claim makes up for a maximum that is not known', () => {
  const unknown = { ...held, maxSensitivity: 'unheard_of' }
  expect(clampTrust(unknown, { maxSensitivity: 'hyper' }).maxSensitivity).toBe('unheard_of')
  expect(clampTrust(unknown, undefined).maxSensitivity).toBe('unheard_of')
})

it.each([
  [undefined, ['home', 'work']],
  [[], ['home', 'work']],
  [['work'], ['work']],
  [['work', 'club'], ['work']],
  [['club'], []],
])('[TR-4] of the scopes asked for, %o, those held remain: %o', (scopes, expected) => {
  expect(clampTrust(held, { scopes }).scopes).toEqual(new Set(expected))
})

it.each([
  [undefined, 'all'],
  [[], 'all'],
  [['club'], new Set(['club'])],
])('[TR-4] who holds every scope and asks for %o has %o', (scopes, expected) => {
  expect(clampTrust({ ...held, scopes: 'all' }, { scopes }).scopes).toEqual(expected)
})

it('[TR-2] a claim does not authenticate anybody', () => {
  expect(clampTrust({ ...held, authenticated: false }, { maxSensitivity: 'low' }).authenticated).toBe(false)
})

it.each([
  ['owner', undefined, false],
  ['owner', false, false],
  ['owner', true, true],
  ['host', undefined, false],
  ['host', true, true],
  ['agent', undefined, true],
  ['agent', false, true],
  ['recipient', undefined, true],
  ['recipient', false, true],
] as const)('[PC-2, PC-3] %s who asks %s for consent to be respected gets %s', (audience, asked, expected) => {
  expect(clampRespectConsent(audience, asked)).toBe(expected)
})
