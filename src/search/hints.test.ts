import { describe, expect, it } from 'vitest'
import { aDocument, aSegment, aText, seenAs } from '../../test/support/search-documents.js'
import { hintsOf } from './hints.js'
import { FULL_LEVEL, METADATA_LEVEL } from './mask.js'
import { isOnOneOf, namedDays } from './named-days.js'
import { ASKS, COUNTS, DATES, traitsOf, wantedBy } from './traits.js'

describe('a question', () => {
  it.each([
    ['When did Ben leave?', DATES, true],
    ['Wann fährt der Zug?', DATES, true],
    ['Quand arrive le train', DATES, true],
    ['¿Cuándo llega el tren?', DATES, true],
    ['how many chairs are there', COUNTS, true],
    ['Wie viele Stühle gibt es?', COUNTS, true],
    ['who is Ben', 0, true],
    ['garden chairs', 0, false],
    ['whenever wannabe', 0, false],
  ])('wants of its answer: %s', (question, answers, isQuestion) => {
    expect(wantedBy(question)).toEqual({ answers, isQuestion })
  })

  it.each([
    ['on 8 May, 2023', [{ year: 2023, month: 5, day: 8 }]],
    ['on May 8th', [{ year: null, month: 5, day: 8 }]],
    ['am 3. Oktober', [{ year: null, month: 10, day: 3 }]],
    ['le 14 juillet 2024', [{ year: 2024, month: 7, day: 14 }]],
    ['el 6 de enero', [{ year: null, month: 1, day: 6 }]],
    ['on 2023-05-08', [{ year: 2023, month: 5, day: 8 }]],
    ['may 45, 2023-13-01 and marching 5', []],
  ])('names days: %s', (question, days) => {
    expect(namedDays(question)).toEqual(days)
  })
})

it('a text has traits if it is short: whether it asks, and what its words name', () => {
  const traitsIn = (text: string, title = '', tags: string[] = []) =>
    aSegment([
      aDocument(0, '', { traits: traitsOf(text), full: aText('', { parts: [title, text, ...tags] }) }),
    ]).data.traits[0]
  expect(traitsIn('Are you there? [image: a cat]')).toBe(ASKS)
  expect(traitsIn('We met last Tuesday, all 3 of us.')).toBe(COUNTS | DATES)
  expect(traitsIn('Wir sehen uns MORGEN')).toBe(DATES)
  expect(traitsIn('Aujourd’hui')).toBe(DATES)
  expect(traitsIn('In 2024 and in 1.2024')).toBe(COUNTS | DATES)
  expect(traitsIn('room 12024')).toBe(COUNTS)
  expect(traitsIn('Nothing of note, often', 'Three of last week', ['today'])).toBe(0)
  expect(traitsIn(`${'x'.repeat(1_000)}?`)).toBe(0)
  expect(traitsIn(`${'x'.repeat(1_000)} today`)).toBe(0)
})

it('a moment without a day is on none', () => {
  const days = namedDays('8 May')
  expect(isOnOneOf(days, Date.parse('2023-05-08T23:00:00Z'))).toBe(true)
  expect(isOnOneOf(days, Date.parse('2023-05-09T00:00:00Z'))).toBe(false)
  expect(isOnOneOf(days, Number.NaN)).toBe(false)
})

describe('hints', () => {
  const segment = aSegment([
    aDocument(0, 'a', { speaker: 'Ben Okri', compartment: 0 }),
    aDocument(1, 'b', { speaker: 'Ana', traits: ASKS, compartment: 1 }),
    aDocument(2, 'c', { occurredAt: Date.parse('2023-05-08T10:00:00Z'), traits: DATES, compartment: 2 }),
  ])
  const factors = (question: string, levels: readonly (1 | 3)[] = [1, 1, 1]) => {
    const hint = hintsOf([seenAs(segment, levels)], question, 'en')
    return hint === null ? null : [0, 1, 2].map(document => Number(hint(0, document).toFixed(6)))
  }

  it('raise who is named, what fits and the day, and lower questions', () => {
    expect(factors('When did Ben say so?')).toEqual([1.3, 0.9, 1.1])
    expect(factors('what happened on 8 May')).toEqual([1, 0.9, 1.6])
    expect(factors("Ana's garden")).toEqual([1, 1.3, 1])
    expect(factors('garden')).toBeNull()
  })

  it('[NI-4] say nothing of what is not seen in full', () => {
    const lesser = [METADATA_LEVEL, METADATA_LEVEL, FULL_LEVEL] as const
    expect(factors('When did Ben or Ana say so on 8 May?', lesser)).toEqual([1, 1, 1.76])
  })
})
