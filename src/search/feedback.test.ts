import { describe, expect, it } from 'vitest'
import {
  aDocument,
  aQuestion,
  aSegment,
  aText,
  seenAs,
  seenInFull,
} from '../../test/support/search-documents.js'
import { scoreOf, weightOf } from './bm25.js'
import { type FeedbackDocument, feedbackTerms, withFeedback } from './feedback.js'
import { FULL_LEVEL, HIDDEN_LEVEL } from './mask.js'
import { match } from './match.js'

const TEXTS = [
  'garden roses bloom', // 0
  'garden roses shed', // 1
  'garden', // 2
  'roses', // 3: has no word of the question
  'shed tools', // 4
]
const all = [seenInFull(aSegment(TEXTS.map((text, at) => aDocument(at, text))))]
const told = (words: string, score = 2): FeedbackDocument => ({ score, words: words.split(' ') })

describe('feedback terms', () => {
  const matches = match(all, aQuestion(['garden']))

  it('[SC-2] are the words of the best documents, by how much these say them and how rare they are', () => {
    const found = feedbackTerms(
      all,
      matches,
      [told('garden roses roses bloom'), told('roses shed', 1)],
      'en',
      false,
    )
    const roses = 2 / 3 + (0.5 * 1) / 2
    const values = [roses * weightOf(5, 3), ((0.5 * 1) / 2) * weightOf(5, 2)]
    // `bloom` occurs in only one document, and `garden` is already in the question.
    expect(found).toEqual([
      { term: 'roses', share: 0.5 },
      { term: 'shed', share: 0.5 * ((values[1] as number) / (values[0] as number)) },
    ])
  })

  it('leave out common words, and take forms of a word as one', () => {
    const parts = [
      seenInFull(
        aSegment(
          ['the gardens roses rose', 'the garden rose', 'the rose'].map((text, at) =>
            aDocument(at, '', { full: aText(text, { language: 'en' }) }),
          ),
        ),
      ),
    ]
    const question = aQuestion(['garden'], { stemming: true })
    const found = match(parts, question)
    expect(feedbackTerms(parts, found, [told('the gardens rose roses')], 'en', true)).toEqual([
      { term: 'rose', share: 0.5 },
    ])
    expect(feedbackTerms(parts, found, [told('the gardens roses rose')], 'en', false)).toEqual([
      { term: 'rose', share: 0.5 },
    ])
    expect(feedbackTerms(parts, found, [told('the')], 'de', true)).toEqual([{ term: 'the', share: 0.5 }])
  })

  it('are ten at most, equal ones in the order of their words, of the first 500 words', () => {
    const words = Array.from({ length: 12 }, (_, at) => `w${String(at).padStart(2, '0')}`)
    const text = words.join(' ')
    const parts = [seenInFull(aSegment([0, 1, 2].map(at => aDocument(at, `${text} last asked`))))]
    const found = match(parts, aQuestion(['asked']))
    const reversed = [...words].reverse().join(' ')
    expect(feedbackTerms(parts, found, [told(reversed)], 'en', false).map(({ term }) => term)).toEqual(
      words.slice(0, 10),
    )
    const long = [...Array<string>(500).fill('asked'), 'last'].join(' ')
    expect(feedbackTerms(parts, found, [told(long)], 'en', false)).toEqual([])
    expect(feedbackTerms(parts, found, [], 'en', false)).toEqual([])
  })

  it('[NI-2] weigh by what is visible: a word of one visible document is none', () => {
    const segment = aSegment(TEXTS.map((text, at) => aDocument(at, text)))
    const some = [seenAs(segment, [FULL_LEVEL, HIDDEN_LEVEL, FULL_LEVEL, HIDDEN_LEVEL, FULL_LEVEL])]
    const without = [seenInFull(aSegment([0, 2, 4].map(at => aDocument(at, TEXTS[at] as string))))]
    const terms = (parts: typeof some) =>
      feedbackTerms(
        parts,
        match(parts, aQuestion(['garden'])),
        [told('garden roses shed tools bloom')],
        'en',
        false,
      )
    expect(terms(some)).toEqual(terms(without))
    expect(terms(some)).toEqual([])
  })
})

describe('with feedback', () => {
  const matches = match(all, aQuestion(['garden']))
  const scoresOf = ({ parts }: typeof matches) =>
    new Map(Array.from(parts[0]?.documents ?? [], (document, at) => [document, parts[0]?.scores[at]]))

  it('[SC-2] what matches scores more for each term, in order; nothing else is found and nothing is lost', () => {
    const terms = [
      { term: 'roses', share: 0.2 },
      { term: 'shed', share: 0.05 },
    ]
    const raised = withFeedback(all, matches, terms, false)
    const average = 10 / 5
    const garden = weightOf(5, 3)
    const roses = scoreOf(weightOf(5, 3) * 0.2, 1, 3, average)
    const shed = scoreOf(weightOf(5, 2) * 0.05, 1, 3, average)
    const long = scoreOf(garden, 1, 3, average)
    const short = scoreOf(garden, 1, 1, average)
    expect([...scoresOf(raised)].sort(([a], [b]) => a - b)).toEqual([
      [0, long + roses],
      [1, long + roses + shed],
      [2, short],
    ])
    expect(raised).toMatchObject({
      count: 3,
      terms: matches.terms,
      whole: matches.whole,
    })
    // Neither the original matches nor the next search are affected.
    expect([...scoresOf(matches)].sort(([a], [b]) => a - b)).toEqual([
      [0, long],
      [1, long],
      [2, short],
    ])
    expect(match(all, aQuestion(['garden']))).toEqual(matches)
  })

  it('what matches by its meaning alone stays without a text score', () => {
    const near = match(all, aQuestion(['garden']), [Uint32Array.of(3)])
    const raised = withFeedback(all, near, [{ term: 'roses', share: 0.5 }], false)
    expect(near.count).toBe(4)
    expect(scoresOf(raised).get(3)).toBe(0)
  })

  it('without terms nothing changes', () => {
    expect(withFeedback(all, matches, [], false)).toBe(matches)
  })

  it('add at most three tenths of the best score', () => {
    const parts = [seenInFull(aSegment(['a b', 'a c c', 'a d'].map((text, at) => aDocument(at, text))))]
    const found = match(parts, aQuestion(['a']))
    const best = Math.max(...[...scoresOf(found).values()].map(score => score ?? 0))
    const raised = withFeedback(parts, found, [{ term: 'b', share: 100 }], false)
    expect(scoresOf(raised).get(0)).toBe((scoresOf(found).get(0) ?? 0) + 0.3 * best)
    expect(scoresOf(raised).get(1)).toBe(scoresOf(found).get(1))
  })
})
