import { describe, expect, it } from 'vitest'
import { statementsIn } from './statements.js'

const AT = new Date('2026-05-04T10:00:00Z')
const read = (text: string, people: string[] = []) =>
  statementsIn({ text, at: AT, people }).map(({ subject, attribute, value }) => [subject, attribute, value])

const STATED: readonly (readonly [text: string, subject: string | null, attribute: string, value: string])[] =
  [
    ['I live in Graz.', null, 'lives in', 'Graz'],
    ["Hi! I'm living in New York now.", null, 'lives in', 'New York'],
    ['We just moved to Linz because of the kids.', null, 'lives in', 'Linz'],
    ['I work at Siemens as an engineer.', null, 'works at', 'Siemens'],
    ["I'm a nurse.", null, 'works as', 'nurse'],
    ["I'm allergic to peanuts, so no cake for me.", null, 'is allergic to peanuts', 'yes'],
    ['I really love hiking.', null, 'likes hiking', 'yes'],
    ["I don't like olives.", null, 'likes olives', 'no'],
    ['My birthday is on 3 May.', null, 'birthday', '3 May'],
    ['My sister is called Mia.', null, 'sister', 'Mia'],
    ['My favourite colour is green.', null, 'favourite colour', 'green'],
    ['I have two cats.', null, 'has cat', 'two'],
    ['Ben lives in Vienna and he is happy.', 'Ben', 'lives in', 'Vienna'],
    ["Ben's birthday is 4 June.", 'Ben', 'birthday', '4 June'],
    ['My brother Tom works at Google.', 'Tom', 'works at', 'Google'],
    ['I am vegetarian.', null, 'eats', 'vegetarian'],
    ['My shoe size is 42.', null, 'shoe size', '42'],
    ['My dentist appointment is on Friday at 9.', null, 'dentist appointment', 'Friday at 9'],
    ['Remind me to call the plumber tomorrow.', null, 'will call the plumber tomorrow', 'yes'],
    ["I'll send you the report by Friday.", null, 'will send you the report by friday', 'yes'],
    ['I got married last year.', null, 'status', 'married'],
    ['Ich wohne in Salzburg.', null, 'lives in', 'Salzburg'],
  ]

/** Talk that states nothing about anybody, or not for certain. */
const NOTHING = [
  'Do you like olives?',
  'If I lived in Rome I would eat pasta.',
  'Maybe I live in a simulation.',
  'London is a great city.',
  'I like it.',
  "I'm a bit tired.",
  "I'm fine, thanks!",
  'That would be great.',
  'I used to live in Rome.',
  'How are you?',
  '',
]

describe('the rules of statements', () => {
  it.each(STATED)('[WR-5] %s', (text, subject, attribute, value) => {
    expect(read(text, ['Ben'])).toEqual([[subject, attribute, value]])
  })

  it.each(NOTHING)('[WR-5] nothing is stated by: %s', text => {
    expect(read(text, ['Ben'])).toEqual([])
  })

  it('[WR-5] says where it stands, and when it holds or is due', () => {
    const text = 'Well, I live in Graz since 2019, and my exam is on 8 June.'
    const [lives, exam] = statementsIn({ text, at: AT, people: [] })
    expect(lives?.validFrom?.toISOString()).toBe('2019-01-01T00:00:00.000Z')
    expect(text.slice(lives?.start, lives?.end)).toBe('I live in Graz since 2019')
    expect(exam?.due?.toISOString()).toBe('2026-06-08T00:00:00.000Z')
    expect(statementsIn({ text: 'I moved to Linz', at: AT, people: [] })[0]?.validFrom).toEqual(AT)
  })

  it('[WR-5, OP-8] reads hostile text in time', () => {
    const began = performance.now()
    for (const text of [
      'I live in '.repeat(2_000),
      'my '.repeat(6_000),
      `I have ${'a '.repeat(9_000)}`,
      'and I '.repeat(3_000),
      'Ben'.repeat(6_000),
    ])
      statementsIn({ text, at: AT, people: ['Ben'] })
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})
