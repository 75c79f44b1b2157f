import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { LABEL_LAWS } from '../../test/support/label-laws.js'
import * as policy from './index.js'
import {
  isKeptLocal,
  joinLabels,
  joinScopes,
  type Label,
  LEAST_LABEL,
  lowers,
  metadataLabel,
  splitScope,
} from './labels.js'

const label = (differs: Partial<Label>): Label => ({ ...LEAST_LABEL, ...differs })

describe('[TR-7, WR-2] of any labels', () => {
  it.each(LABEL_LAWS.map(law => [law.title, law] as const))('%s', (_, { property }) => {
    fc.assert(property(policy), { seed: SEED, numRuns: WORLDS })
  })
})

it('[TR-7] takes the highest sensitivity and class, every scope and everybody', () => {
  const joined = joinLabels(
    { sensitivity: 'high', scope: 'work', visibilityClass: 'public_open', participants: ['b', 'c'] },
    { sensitivity: 'low', scope: 'home', visibilityClass: 'sealed', participants: ['a', 'b'] },
    { sensitivity: 'medium', scope: null, visibilityClass: 'privileged', participants: [] },
  )
  expect(joined).toEqual({
    sensitivity: 'high',
    scope: 'home+work',
    visibilityClass: 'sealed',
    participants: ['a', 'b', 'c'],
  })
})

it('[TR-7] from nothing at all takes the least label', () => {
  expect(joinLabels()).toEqual(LEAST_LABEL)
})

it.each([
  'public',
  'hyper',
])('[TR-7, DE-2] joined with %s, a sensitivity that is not known is not lost', known => {
  const unknown = label({ sensitivity: 'unheard_of' })
  expect(joinLabels(label({ sensitivity: known }), unknown).sensitivity).toBe('unheard_of')
  expect(joinLabels(unknown, label({ sensitivity: known })).sensitivity).toBe('unheard_of')
})

it.each([
  [{ sensitivity: 'high' }, { sensitivity: 'medium' }, true],
  [{ sensitivity: 'high' }, { sensitivity: 'hyper' }, false],
  [{ sensitivity: 'high' }, { sensitivity: 'high' }, false],
  [{ scope: 'work' }, { scope: null }, true],
  [{ scope: 'work' }, { scope: 'home' }, true],
  [{ scope: 'work' }, { scope: 'home+work' }, false],
  [{ visibilityClass: 'sealed' }, { visibilityClass: 'privileged' }, true],
  [{ visibilityClass: 'sealed' }, { visibilityClass: 'firewalled' }, false],
  [{ participants: ['a', 'b'] }, { participants: ['a'] }, true],
  [{ participants: ['b', 'a'] }, { participants: ['a', 'b'] }, false],
  [{ participants: ['a'] }, { participants: ['a', 'b'] }, false],
  [{ sensitivity: 'high', scope: 'work' }, { sensitivity: 'hyper', scope: null }, true],
  [{ sensitivity: 'unheard_of' }, { sensitivity: 'hyper' }, true],
] as const)('[WR-4] from %o to %o lowers: %s', (before, after, expected) => {
  expect(lowers(label(before), label(after))).toBe(expected)
})

it.each([
  [null, []],
  ['work', ['work']],
  ['home+work', ['home', 'work']],
  // An empty scope differs from no scope: nobody holds it (DE-2).
  ['', ['']],
] as const)('[TR-4] the scope %o asks for %o', (scope, asked) => {
  expect(splitScope(scope)).toEqual(asked)
})

it.each([
  [null, null, null],
  ['work', null, 'work'],
  ['work', 'home', 'home+work'],
  ['home+work', 'work', 'home+work'],
  ['', null, ''],
] as const)('[TR-7] the scopes %o and %o make %o', (a, b, joined) => {
  expect(joinScopes(a, b)).toBe(joined)
})

it('[OV-4] sealed and firewalled text is kept local, and so is a class that nobody knows', () => {
  const classes = ['public_open', 'party_confidential', 'work_product_internal', 'privileged']
  expect(classes.filter(isKeptLocal)).toEqual([])
  expect(['sealed', 'firewalled', 'unheard_of', ''].every(isKeptLocal)).toBe(true)
})

it.each([
  ['hyper', 'high'],
  ['low', 'public'],
  ['public', 'public'],
  ['unheard_of', 'unheard_of'],
])('[TR-1, WR-2] the metadata of what is %s counts as %s in its scope, and tells of nothing else', (sensitivity, expected) => {
  const whole = label({ sensitivity, scope: 'work', visibilityClass: 'sealed', participants: ['b'] })
  expect(metadataLabel(whole)).toEqual(label({ sensitivity: expected, scope: 'work' }))
})
