import { describe, expect, it } from 'vitest'
import { aSubject, aTuple } from '../../../test/support/subject.js'
import { levelOf } from '../faces.js'
import { participants } from './participants.js'

const PEOPLE = new Map([
  ['granted', { consent: 'granted', actor: null }],
  ['pending', { consent: 'pending', actor: null }],
  ['revoked', { consent: 'revoked', actor: null }],
  ['unknown', { consent: 'unheard_of', actor: null }],
  ['ben', { consent: 'pending', actor: 'ben' }],
  ['cleo', { consent: 'pending', actor: 'cleo' }],
])
const SESSIONS = new Map([['s', { relationship: 'couple', participants: new Set(['ann', 'ben']) }]])

const shows = (people: readonly string[], respectConsent: boolean, session: string | null = null) => {
  const subject = aSubject({ respectConsent, people: PEOPLE, sessions: SESSIONS })
  return levelOf(participants.decide(subject, aTuple({ participants: people, session })).face) === 'full'
}

describe('[PC-2] where consent is respected, everyone in a record must have granted', () => {
  it.each([
    [[], true],
    [['granted'], true],
    [['pending'], false],
    [['revoked'], false],
    [['unknown'], false],
    [['granted', 'pending'], false],
    [['pending', 'granted'], false],
    [['granted', 'granted'], true],
    [['deleted'], false],
    [['granted', 'deleted'], false],
  ])('%o: %s', (people, expected) => {
    expect(shows(people, true)).toBe(expected)
  })
})

it('[PC-2, PC-3] an owner who browses sees all that is theirs', () => {
  for (const person of [...PEOPLE.keys(), 'deleted']) expect(shows([person], false)).toBe(true)
})

describe('[PC-2] in a mediation session, those who sit in it come under vessels and the bridge', () => {
  it.each([
    [['ben'], 's', true],
    [['ben'], null, false],
    [['ben'], 'another', false],
    [['cleo'], 's', false],
    [['ben', 'pending'], 's', false],
    [['pending'], 's', false],
    [['deleted'], 's', false],
  ])('%o in session %s: %s', (people, session, expected) => {
    expect(shows(people, true, session)).toBe(expected)
  })
})
