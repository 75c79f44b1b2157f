import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { CONTENT_TYPES } from '../policy/vocabulary.js'
import { FEELINGS } from './feelings.js'
import { LEXICONS, MEDIATION_LANGUAGES } from './language/languages.js'
import { TOPICS } from './language/lexicon.js'
import { NEED_CATEGORIES, NEEDS_IN_ORDER } from './needs.js'
import { screen, screenKindOf } from './screen.js'
import { type Hints, transformBuiltIn } from './transformation.js'

const HINTS: fc.Arbitrary<Hints> = fc.record(
  {
    category: fc.constantFrom(...NEED_CATEGORIES),
    emotion: fc.constantFrom(...FEELINGS.map(({ name }) => name), 'whatever Tom said'),
  },
  { requiredKeys: [] },
)

/** Every sentence that a language can say of a need, a feeling and a topic. */
function* sentencesIn(language: keyof typeof LEXICONS): Generator<string> {
  const lexicon = LEXICONS[language]
  const wordings = [
    lexicon.event,
    ...Object.values(lexicon.need),
    ...Object.values(lexicon.boundary),
  ].flatMap(each => Object.values(each).flat())
  const feelings = Object.values(lexicon.feelings)
  for (const [at, wording] of [...wordings, ...lexicon.feelingAlone].entries())
    for (const [place, need] of NEEDS_IN_ORDER.entries())
      yield wording
        .replaceAll('{need}', lexicon.needs[need].name)
        .replaceAll('{feeling}', feelings[(at + place) % feelings.length]?.name ?? '')
        .replaceAll('{topic}', lexicon.topics[TOPICS[(at + place) % TOPICS.length] ?? 'TIME'].name)
}

describe('what the partner would read', () => {
  it('[CB-4] is nothing, or passes the screen, whatever the original is', () => {
    const words = [...new Set([...sentencesIn('en')].flatMap(sentence => sentence.split(' ')))]
    const originals = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.array(fc.constantFrom(...words), { maxLength: 30 }).map(several => several.join(' ')),
    )
    fc.assert(
      fc.property(originals, fc.constantFrom(...CONTENT_TYPES), HINTS, (original, contentType, hints) => {
        const { text } = transformBuiltIn(original, contentType, hints)
        if (text === '') return
        expect(screen(text, original, { kind: screenKindOf(contentType) })).toEqual({ ok: true })
        expect(text).not.toMatch(/[\d{}"“”«»]/)
      }),
      { numRuns: WORLDS, seed: SEED },
    )
  })

  it.each(MEDIATION_LANGUAGES)('[CB-4] passes the screen in every sentence of %s', language => {
    for (const sentence of sentencesIn(language))
      expect([sentence, screen(sentence, '')]).toEqual([sentence, { ok: true }])
  })

  it('[CB-4] holds no name, number or date of the original', () => {
    const original =
      'On 3 March 2021 Tom told Priya at the Blue Lagoon that I earn 4,200 a month. I was humiliated and hurt.'
    for (const contentType of CONTENT_TYPES) {
      const { text, description } = transformBuiltIn(original, contentType)
      expect(text + description).not.toMatch(/Tom|Priya|Blue|Lagoon|March|\d|earn|month/)
    }
  })

  it.each([
    'Good morning!',
    'ok',
    'The bus was late today.',
    'See you at seven',
    'How was the meeting?',
    'Oh great, another evening with the invisible man',
    'Guten Morgen!',
    'Buenas noches',
    'Bonjour, à demain',
    'We went to the shop and bought bread',
  ])('[CB-10] is nothing for %j, and nobody is asked about it', original => {
    expect(transformBuiltIn(original, 'EVENT_SUMMARY')).toMatchObject({ text: '', isWorthSharing: false })
  })

  it('[CB-10] needs a topic to be asked for, but not to be said', () => {
    expect(transformBuiltIn('I feel so sad', 'EVENT_SUMMARY')).toMatchObject({
      text: expect.stringContaining('sad'),
      isWorthSharing: false,
    })
    expect(transformBuiltIn('I feel so sad about the kids', 'EVENT_SUMMARY').isWorthSharing).toBe(true)
  })

  it('[CB-10] takes the feeling that was named, in any of the languages', () => {
    for (const emotion of ['lonely', 'einsam', 'soledad'])
      expect(transformBuiltIn('The flat since the move', 'EMOTIONAL_PATTERN', { emotion }).text).toBe(
        transformBuiltIn('The flat since the move', 'EMOTIONAL_PATTERN', { emotion: 'lonely' }).text,
      )
    for (const emotion of ['cheated on by Tom', '{need}', 'Tom', ''])
      expect(transformBuiltIn('x', 'EVENT_SUMMARY', { emotion })).toEqual(
        transformBuiltIn('x', 'EVENT_SUMMARY'),
      )
  })

  it('[CB-10] says a confirmed need as its owner named it, and a boundary with its topic', () => {
    expect(transformBuiltIn('xyz', 'IDENTIFIED_NEED', { category: 'FAIRNESS' }).text).toMatch(/fairness/i)
    expect(transformBuiltIn('I want the truth', 'IDENTIFIED_NEED', { category: 'SAFETY' }).text).toMatch(
      /honesty/i,
    )
    expect(transformBuiltIn('I want the truth', 'IDENTIFIED_NEED', { category: 'MEANING' }).text).toMatch(
      /meaning/i,
    )
    expect(transformBuiltIn('No shouting in front of the children', 'BOUNDARY').text).toMatch(/boundary/)
  })

  it('[CB-4] never says that joy comes of an unmet need', () => {
    expect(transformBuiltIn('I am grateful that he helps with the kids', 'EVENT_SUMMARY')).toMatchObject({
      need: null,
      text: expect.stringContaining('grateful'),
    })
    expect(transformBuiltIn('I was so happy', 'BOUNDARY').text).not.toContain('happ')
  })

  it('[CB-3] chooses its wording by what is no word of the original, where it is given such', () => {
    const of = (original: string) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map(
        way =>
          transformBuiltIn(original, 'IDENTIFIED_NEED', { category: 'FAIRNESS', wording: `record ${way}` })
            .text,
      )
    expect(of('He took all of it.')).toEqual(of('He went off again!'))
    expect(new Set(of('He took all of it.')).size).toBeGreaterThan(1)
  })
})

describe('what the owner reads', () => {
  it.each([
    ['Nobody ever thanks me', 'IDENTIFIED_NEED', 'Your need for appreciation'],
    ['xyz', 'IDENTIFIED_NEED', 'A need of yours'],
    ['We went shopping', 'EVENT_SUMMARY', 'Something you told'],
    [
      'I am furious about the dishes',
      'EVENT_SUMMARY',
      'Something you told, about household tasks: a feeling of anger',
    ],
    ['No calls after nine', 'BOUNDARY', 'A boundary of yours'],
    ['I am exhausted', 'EMPATHY_ATTEMPT', 'Your words on what your partner may feel'],
  ] as const)('[CB-4] of %j as %s: %s', (original, contentType, description) => {
    expect(transformBuiltIn(original, contentType).description).toBe(description)
  })
})
