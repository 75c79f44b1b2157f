import { describe, expect, it } from 'vitest'
import { aSubject, aTuple } from '../../../test/support/subject.js'
import { levelOf } from '../faces.js'
import { trust } from './trust.js'

const shown = (
  sensitivity: string,
  maxSensitivity: string,
  more: { scope?: string | null; scopes?: 'all' | ReadonlySet<string> } = {},
) => {
  const { scope = null, scopes = 'all' } = more
  const subject = aSubject({ trust: { maxSensitivity, scopes, authenticated: true } })
  return levelOf(trust.decide(subject, aTuple({ sensitivity, scope })).face)
}

describe('[TR-1] one rank above the maximum leaves metadata, further above nothing', () => {
  // Rows: the record's sensitivity. Columns: the caller's maximum (public, low, medium, high, hyper).
  it.each([
    ['public', ['full', 'full', 'full', 'full', 'full']],
    ['low', ['metadata', 'full', 'full', 'full', 'full']],
    ['medium', ['none', 'metadata', 'full', 'full', 'full']],
    ['high', ['none', 'none', 'metadata', 'full', 'full']],
    ['hyper', ['none', 'none', 'none', 'metadata', 'full']],
  ] as const)('%s: %o', (sensitivity, expected) => {
    const maxima = ['public', 'low', 'medium', 'high', 'hyper']
    expect(maxima.map(most => shown(sensitivity, most))).toEqual(expected)
  })
})

it.each([
  '',
  'Public',
  'unheard_of',
  'constructor',
])('[TR-1, DE-2] the sensitivity %o is never shown', unknown => {
  expect(shown(unknown, 'hyper')).toBe('none')
  expect(shown('public', unknown)).toBe('none')
  expect(shown(unknown, unknown)).toBe('none')
})

it('[TR-2] without a trust context nothing is shown', () => {
  expect(trust.decide(aSubject({ trust: null }), aTuple()).face).toBe(0)
})

describe('[TR-4] scopes', () => {
  it.each([
    [null, 'all', 'full'],
    [null, [], 'full'],
    [null, ['work'], 'full'],
    ['work', 'all', 'full'],
    ['work', ['work'], 'full'],
    ['work', ['home', 'work'], 'full'],
    ['work', [], 'none'],
    ['work', ['home'], 'none'],
    ['work', ['work2'], 'none'],
    ['work', ['wor'], 'none'],
    ['work', ['Work'], 'none'],
    ['home+work', ['home'], 'none'],
    ['home+work', ['home', 'work'], 'full'],
    ['home+work', ['home+work'], 'none'],
    ['', [], 'none'],
    ['', ['work'], 'none'],
  ] as const)('a record of scope %o shows to a caller of %o: %s', (scope, held, expected) => {
    expect(shown('low', 'high', { scope, scopes: held === 'all' ? held : new Set(held) })).toBe(expected)
  })

  it('leave not even metadata where one fails', () => {
    expect(shown('hyper', 'high', { scope: 'work', scopes: new Set(['home']) })).toBe('none')
    expect(shown('hyper', 'high', { scope: 'work', scopes: new Set(['work']) })).toBe('metadata')
  })
})
