import { describe, expect, it } from 'vitest'
import { aSubject, aTuple } from '../../../test/support/subject.js'
import { askCondition } from '../decide.js'
import { FULL, NONE } from '../faces.js'
import { freshness } from './freshness.js'

describe('[TR-8] what no longer stands is not retrieved', () => {
  it.each([
    ['active', FULL, 'access.current'],
    ['contested', FULL, 'access.contested'],
    ['superseded', NONE, 'access.superseded'],
    ['retracted', NONE, 'access.retracted'],
    ['stale', NONE, 'access.stale'],
    ['forgotten', NONE, 'access.forgotten'],
    ['unheard_of', NONE, 'access.unknown_lifecycle'],
    ['', NONE, 'access.unknown_lifecycle'],
    ['Active', NONE, 'access.unknown_lifecycle'],
  ] as const)('%s', (lifecycle, face, reason) => {
    expect(freshness.decide(aSubject(), aTuple({ lifecycle }))).toEqual({ face, reason })
  })
})

describe('[OP-4] an expiry holds from its very instant', () => {
  it.each([
    [null, FULL],
    [1_001, FULL],
    [1_000, NONE],
    [999, NONE],
    [Number.NaN, NONE],
  ])('at 1000, a record that expires at %s', (expiresAt, face) => {
    const subject = aSubject({ now: 1_000 })
    expect(askCondition(freshness, subject, aTuple(), { createdAt: 0, expiresAt }).face).toBe(face)
  })
})
