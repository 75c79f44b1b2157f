import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED } from '../../test/support/generated.js'
import { FEELINGS } from './feelings.js'
import { NEED_CATEGORIES } from './needs.js'
import { findGentleName, recognise, recogniseInAnother } from './needs-and-feelings.js'

describe('needs', () => {
  it.each([
    ["I don't feel safe when he drinks", 'SAFETY'],
    ['She lied to me again', 'SAFETY'],
    ['I am walking on eggshells', 'SAFETY'],
    ['There is so much yelling', 'SAFETY'],
    ['I can’t trust him', 'SAFETY'],
    ['We never spend time together', 'CONNECTION'],
    ['He gives me the silent treatment', 'CONNECTION'],
    ['We live like roommates', 'CONNECTION'],
    ['I want a hug', 'CONNECTION'],
    ['she will not talk to me', 'CONNECTION'],
    ['He controls me', 'AUTONOMY'],
    ['She checks my phone', 'AUTONOMY'],
    ['I need some space', 'AUTONOMY'],
    ['he decides everything', 'AUTONOMY'],
    ['I feel smothered', 'AUTONOMY'],
    ["I'm not appreciated", 'RECOGNITION'],
    ['I want respect', 'RECOGNITION'],
    ['He ignores me', 'RECOGNITION'],
    ['I am taken for granted', 'RECOGNITION'],
    ['nobody thanks me', 'RECOGNITION'],
    ['She puts me down', 'RECOGNITION'],
    ["What's the point of all this", 'MEANING'],
    ['We are going through the motions', 'MEANING'],
    ['We have no shared goals', 'MEANING'],
    ['my faith counts for nothing here', 'MEANING'],
    ['Our life has no purpose', 'MEANING'],
    ["It's unfair", 'FAIRNESS'],
    ['I do all the housework', 'FAIRNESS'],
    ['They never help with anything!', 'FAIRNESS'],
    ['He does not lift a finger', 'FAIRNESS'],
    ['it is always me', 'FAIRNESS'],
  ])('[CB-4] are told by %j: %s', (text, need) => {
    expect(recognise(text).needs[0]).toBe(need)
  })

  it.each([
    '',
    'We drove to Lisbon.',
    'The train was late',
    'fairground',
    'a mermaid and a nomad',
    'I disrespeck',
    '12 34',
    '今日は',
  ])('[CB-4] are not told by %j', text => {
    expect(recognise(text)).toEqual({ needs: [], feelings: [] })
  })

  it('[CB-4] come with the one told most often first, and in the order of the list where equal', () => {
    expect(recognise('I feel unfairly treated: no respect, no thanks, ignored.').needs).toEqual([
      'RECOGNITION',
      'FAIRNESS',
    ])
    expect(recognise('fair, safe').needs).toEqual(['SAFETY', 'FAIRNESS'])
    expect(recognise('fair, fair chores, safe').needs).toEqual(['FAIRNESS', 'SAFETY'])
  })
})

describe('feelings', () => {
  it.each([
    ['I am furious', 'angry'],
    ["I'm pissed off", 'angry'],
    ['I felt betrayed', 'hurt'],
    ['He hurt me', 'hurt'],
    ['it hurts', 'hurt'],
    ['so alone tonight', 'lonely'],
    ['I cried all night', 'sad'],
    ["I can't stop crying", 'sad'],
    ["I can't help feeling sad", 'sad'],
    ['I was not happy', 'sad'],
    ["I've never been so hurt", 'hurt'],
    ['I have never felt this lonely', 'lonely'],
    ['he makes me so mad', 'angry'],
    ['she scares me', 'afraid'],
    ["I don't know why I feel sad", 'sad'],
    ["I'm not just annoyed", 'frustrated'],
    ['It is frustrating', 'frustrated'],
    ['I am burned out', 'exhausted'],
    ["I don't feel heard", 'unseen'],
    ['I feel stupid', 'inadequate'],
    ['I’m jealous', 'insecure'],
    ['I drown, it is overwhelming', 'overwhelmed'],
    ['I had a panic', 'anxious'],
    ['I’M ＡＮＸＩＯＵＳ', 'anxious'],
    ['I am lónely', 'lonely'],
    ['I am lone\u200bly', 'lonely'],
    ['I am l\u00f6nely... truly', 'lonely'],
    ['part of me is angry', 'angry'],
    ['he is late and I am worried', 'worried'],
    ["you don't care and I'm sad", 'sad'],
    ['not angry, but disappointed', 'disappointed'],
    ['she knows that it hurts', 'hurt'],
    ['Grateful', 'grateful'],
  ])('[CB-4] are told by %j: %s', (text, feeling) => {
    expect(recognise(text).feelings[0]).toBe(feeling)
  })

  it.each([
    "I'm not angry",
    'I am not angry at all',
    'I do not really feel very angry',
    'I never felt lonely',
    'not angry or sad',
    'I am neither sad nor angry',
    'without anger',
    'no anger',
    "I wasn't hurt",
    'I’m not so angry',
    'He is angry',
    'My husband is always furious',
    'She was so jealous',
    'Mark is worried',
    'you are anxious',
    'They seem exhausted',
    'I think he is sad',
    'my wife gets annoyed',
    'Anna was really afraid',
  ])('[CB-4] of the speaker are not told by %j', text => {
    expect(recognise(text).feelings).toEqual([])
  })

  it('[CB-4] of another are told apart from those of the speaker', () => {
    const text = 'I imagine you feel lonely and afraid. I am sad. She is not angry.'
    expect(recogniseInAnother(text)).toEqual(['lonely', 'afraid'])
    expect(recognise(text).feelings).toEqual(['sad'])
  })

  it('[CB-4] come strongest first', () => {
    expect(recognise('I am hurt. I am angry, furious.').feelings).toEqual(['angry', 'hurt'])
    expect(recognise('I am angry. I am hurt.').feelings).toEqual(['hurt', 'angry'])
  })

  it('[CB-4] are at least forty, each known by its own name and by every word of it', () => {
    expect(FEELINGS.length).toBeGreaterThanOrEqual(40)
    for (const { name, noun, words } of FEELINGS) {
      expect(findGentleName(name)).toBe(name)
      expect(noun).toMatch(/^[a-z ]+$/)
      for (const word of words.split(/,\s*/)) expect(recognise(word).feelings).toContain(name)
    }
  })

  it('[CB-4] have no gentle name for other text', () => {
    expect(findGentleName('Furious!')).toBe('angry')
    for (const text of ['', 'Tom', 'angry at Tom', 'constructor', 'so angry'])
      expect(findGentleName(text)).toBeUndefined()
  })
})

it('[CB-4] recognising answers in words of its own lists only, and twice the same', () => {
  const names = FEELINGS.map(({ name }) => name)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), text => {
      const { needs, feelings } = recognise(text)
      for (const need of needs) expect(NEED_CATEGORIES).toContain(need)
      for (const feeling of feelings) expect(names).toContain(feeling)
      expect(recognise(text)).toEqual({ needs, feelings })
    }),
    { seed: SEED },
  )
})
