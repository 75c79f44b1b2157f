import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../../test/support/depth.js'
import { PrivityError } from '../../errors.js'
import { anonymise, REPLACED } from './anonymise.js'

const KNOWN = [
  'alice',
  'Bjørn Ødegård',
  'Zoë de la Cruz',
  '张伟',
  'ゆが',
  'mum',
  'Jean-Luc',
  "Siobhán O'Brien",
]

const textOf = (text: string, known: readonly string[] = KNOWN) =>
  anonymise({ title: 'a walk', text }, known).text

describe('[RC-14] anonymising replaces', () => {
  it.each([
    // People whom the author knows.
    ['We asked alice about it.', 'We asked someone about it.'],
    ['we asked ALICE and Alice’s and alices cat', 'we asked someone and someone’s and someone cat'],
    ['Zoe cooks, zoë de la cruz eats', 'Someone cooks, someone de la someone eats'],
    ["bjørn ødegård's plan", "Someone's plan"],
    ['Mum said so', 'Someone said so'],
    ['go with jean-luc or jean luc', 'go with someone or someone'],
    ["ask siobhan o'brien", 'ask someone'],
    ['昨天张伟来了', '昨天someone来了'],
    // Words that look like names.
    ['Then I told Peter off. Peter left.', 'Then I told someone off. Someone left.'],
    ['Anna Berg came by.', 'Someone came by.'],
    ["Anna's turn.", "Someone's turn."],
    ['see Mr. Brown, Dr Green and mrs white', 'see someone, someone and someone'],
    ['by J. R. Smith, e.g. in Rome', 'by someone, e.g. in a place'],
    ['he calls me "Bärchen" at home', 'he calls me "someone" at home'],
    ['write to @anna_92 or anna92 about #us', 'write to someone or someone about someone'],
    ['we moved to St. Gallen', 'we moved to someone'],
    // Contact details.
    ['mail anna.berg@example.com now', 'mail an address now'],
    ['call +49 (0)170 123 45 67 or 555-123-4567.', 'call a number or a number.'],
    ['see https://example.com/a?b=c#d.', 'see a link.'],
    ['see www.example.com, example.org/us', 'see a link, a link'],
    ['at 12 Baker Street and 7b long lane', 'at a place and a place'],
    ['at Hauptstraße 12, rue de la paix 3', 'at a place, a place'],
    // Dates and times.
    ['on 2026-11-16, 16.11.2026 or 11/16/26', 'on some time, some time or some time'],
    ['on 16 November 2026, the 3rd of May', 'on some time, the some time'],
    ['on May 3rd, in June, in 1984', 'on some time, in some time, in some time'],
    ['at 10:30, 7pm, 6.15 a.m. or 5 o’clock', 'at some time, some time, some time or some time'],
    // Amounts and numbers.
    [
      'it cost $5,000, 20 €, 30 euros and fifty dollars',
      'it cost an amount, an amount, an amount and an amount',
    ],
    ['my number 4711 and 12.345', 'my number a number and a number'],
    // Unusual digits and spellings.
    ['call ٠١٧٠١٢٣٤٥٦٧ or ４７１１', 'call a number or a number'],
    ['ask al\u{ad}ice and zoe\u{308}', 'ask someone and someone'],
    ['昨日ゆか\u{3099}来た', '昨日someone来た'],
  ])('%s', (text, expected) => {
    expect(textOf(text)).toBe(expected)
  })
})

describe('[RC-14] anonymising leaves', () => {
  it.each([
    'Sit down for ten minutes. Listen, then swap.',
    "For 3 days, I'll cook and you'll eat. It's fine. Let's try.",
    'Every Monday, talk English for 15 minutes; I like that, and I do not mind.',
    'Do it once or twice a week: 2 or 3 times.\nThen stop.\n- Take turns',
    'ask someone in a place at some time',
  ])('%s', text => {
    expect(textOf(text)).toBe(text)
  })
})

it('tells how many of each kind it replaced, in title and text', () => {
  const { title, replaced } = anonymise(
    { title: 'With alice', text: 'Pay alice 5 € at 7pm or at 8pm.' },
    KNOWN,
  )
  expect(title).toBe('With someone')
  expect(replaced).toEqual({ ...none, names: 2, amounts: 1, times: 2 })
})
const none = Object.fromEntries(REPLACED.map(kind => [kind, 0]))

it.each([
  ['of which nothing is left', 'alice', 'invalid_input'],
  ['of placeholders alone', 'someone, a place!', 'invalid_input'],
  ['without words', ' … ', 'invalid_input'],
  ['too long', 'word '.repeat(401), 'too_large'],
  ['too long, however little would be left of it', `walk ${'alice '.repeat(400)}`, 'too_large'],
  ['that becomes too long', 'go X, '.repeat(333), 'too_large'],
])('refuses a text %s', (_, text, code) => {
  for (const wording of [
    { title: 'a walk', text },
    { title: text, text: 'a walk' },
  ])
    expect(() => anonymise(wording, KNOWN)).toThrow(expect.objectContaining({ code }))
})

const PIECES = [
  ...KNOWN,
  ...[
    'Anna',
    'Berg',
    'I',
    'we',
    'Monday',
    'May',
    'in',
    'the',
    'Place',
    'time',
    'some',
    'a',
    'an',
    'someone',
    'a place',
  ],
  ...[
    '.',
    '. ',
    ', ',
    '! ',
    '\n',
    ' ',
    ' ',
    "'s",
    '’s',
    '-',
    '@',
    '#',
    '"',
    '(',
    ':',
    '/',
    'Mr.',
    'J.',
    'st',
  ],
  ...[
    '12',
    '2026',
    '10:30',
    '7pm',
    '$',
    '€',
    '5',
    '1.2.',
    'a@b.cd',
    'x.org',
    'https://',
    'street',
    'rue',
    'straße',
  ],
  ...['euros', 'fifty', 'an amount', 'number', '张', '伟', 'é', '\u0301', 'ß', 'İ', 'ǅ'],
]
const written = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .chain(pieces => fc.constantFrom(' ', '').map(between => pieces.join(between)))
const people = fc.subarray([...KNOWN, 'Time', 'Place', 'Some One', 'amount', 'May', 'street'])

/** The anonymised text, or null if it is refused. */
function anonymised(text: string, known: readonly string[]): string | null {
  try {
    return textOf(text, known)
  } catch (error) {
    if (error instanceof PrivityError) return null
    throw error
  }
}

it('[RC-14] anonymising twice is anonymising once', () => {
  const RUNS = times(400, 3_000)
  let told = 0
  fc.assert(
    fc.property(written, people, (text, known) => {
      const once = anonymised(text, known)
      if (once === null) return
      told++
      expect(anonymised(once, known)).toBe(once)
    }),
    { numRuns: RUNS, seed: 6 },
  )
  expect(told).toBeGreaterThan(RUNS / 2)
})

it('[RC-14] no word of a known name is left, however it is written', () => {
  const name = fc.constantFrom('alice', 'Bjørn', 'Ødegård', 'Zoë', 'Cruz', 'mum', 'Luc', 'Siobhán')
  const spelt = fc.tuple(name, fc.constantFrom('lower', 'upper', 'plain', 'bare')).map(([word, how]) => {
    if (how === 'lower') return word.toLowerCase()
    if (how === 'upper') return word.toUpperCase()
    return how === 'bare' ? word.normalize('NFD').replaceAll(/\p{M}/gu, '') : word
  })
  const fold = (word: string) => word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  fc.assert(
    fc.property(
      fc.array(fc.tuple(spelt, fc.constantFrom(' ', ', ', '. ', "'s ", '-', ' and ', '\n', '! ', ' 12 ')), {
        minLength: 1,
        maxLength: 12,
      }),
      names => {
        const left = anonymised(`walk ${names.flat().join('')} home`, KNOWN)
        const words = fold(left ?? '').split(/[^\p{L}]+/u)
        for (const word of ['alice', 'bjørn', 'odegard', 'ødegard', 'zoe', 'cruz', 'mum', 'luc', 'siobhan'])
          expect(words).not.toContain(word)
      },
    ),
    { numRuns: times(150, 1_000), seed: 7 },
  )
})

it('a long text made to be hard is looked at quickly', () => {
  const hard = [
    'a',
    '1 ',
    'a.',
    'ab.',
    'A ',
    '1a ',
    'rue ',
    "a'",
    'five ',
    '@',
    '1.',
    'a@',
    'a-',
    '1,',
    '(1',
    'someone ',
  ]
  const started = performance.now()
  for (const piece of hard) anonymised(piece.repeat(2_000).slice(0, 2_000), KNOWN)
  expect(performance.now() - started).toBeLessThan(2_000)
})
