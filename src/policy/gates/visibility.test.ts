import { describe, expect, it } from 'vitest'
import { aSubject, aTuple } from '../../../test/support/subject.js'
import { levelOf } from '../faces.js'
import { visibility } from './visibility.js'

const shows = (visibilityClass: string, ceiling: string, floor: string | null = null) => {
  const subject = aSubject({ visibility: { ceiling, floor } })
  return levelOf(visibility.decide(subject, aTuple({ visibilityClass })).face) === 'full'
}
const CEILINGS = [
  'public_open',
  'party_confidential',
  'work_product_internal',
  'privileged',
  'sealed',
  'firewalled',
]
const Y = true
const n = false

describe('[OV-4] what lies above the ceiling is hidden', () => {
  // Rows: the record's class. Columns: the ceiling, from public_open to firewalled.
  it.each([
    ['public_open', [Y, Y, Y, Y, Y, Y]],
    ['party_confidential', [n, Y, Y, Y, Y, Y]],
    ['work_product_internal', [n, n, Y, Y, Y, Y]],
    ['privileged', [n, n, n, Y, Y, Y]],
    ['sealed', [n, n, n, n, Y, Y]],
    ['firewalled', [n, n, n, n, n, Y]],
  ] as const)('%s: %o', (visibilityClass, expected) => {
    expect(CEILINGS.map(ceiling => shows(visibilityClass, ceiling))).toEqual(expected)
  })
})

describe('[OV-4] under a floor of privileged, what lies below counts as privileged', () => {
  it.each([
    ['public_open', [n, n, n, Y, Y, Y]],
    ['party_confidential', [n, n, n, Y, Y, Y]],
    ['work_product_internal', [n, n, n, Y, Y, Y]],
    ['privileged', [n, n, n, Y, Y, Y]],
    ['sealed', [n, n, n, n, Y, Y]],
    ['firewalled', [n, n, n, n, n, Y]],
  ] as const)('%s: %o', (visibilityClass, expected) => {
    expect(CEILINGS.map(ceiling => shows(visibilityClass, ceiling, 'privileged'))).toEqual(expected)
  })
})

it('[OV-4, DE-2] a class, a ceiling or a floor that is not known shows nothing', () => {
  expect(shows('unheard_of', 'firewalled')).toBe(false)
  expect(shows('unheard_of', 'firewalled', 'firewalled')).toBe(false)
  expect(shows('public_open', 'unheard_of')).toBe(false)
  expect(shows('public_open', 'firewalled', 'unheard_of')).toBe(false)
  expect(shows('unheard_of', 'unheard_of', 'unheard_of')).toBe(false)
  expect(visibility.decide(aSubject({ visibility: null }), aTuple()).face).toBe(0)
})
