import { describe, expect, it } from 'vitest'
import {
  atMost,
  type Face,
  type Form,
  FULL,
  formOf,
  LEVELS,
  type Level,
  levelOf,
  METADATA,
  meet,
  NONE,
  PREVIEW,
  SUBSTITUTE,
  settle,
  shownLevel,
} from './faces.js'

/** Every possible face. */
const FACES: readonly [face: Face, form: Form, level: Level][] = [
  [FULL, 'original', 'full'],
  [PREVIEW, 'original', 'preview'],
  [METADATA, 'original', 'metadata'],
  [SUBSTITUTE, 'substitute', 'full'],
  [0b0011, 'substitute', 'preview'],
  [0b0001, 'substitute', 'metadata'],
  [NONE, 'substitute', 'none'],
]
const ALL = FACES.map(([face]) => face)
const pairs = ALL.flatMap(a => ALL.map(b => [a, b] as const))

const lessForm = (a: Form, b: Form): Form =>
  a === 'substitute' || b === 'substitute' ? 'substitute' : 'original'
const lessLevel = (a: Level, b: Level): Level => (LEVELS.indexOf(a) < LEVELS.indexOf(b) ? a : b)

it.each(FACES)('[DE-1] the face %i is of the %s and shows %s', (face, form, level) => {
  expect(formOf(face)).toBe(form)
  expect(levelOf(face)).toBe(level)
})

it('[DE-1] preview of the original and full of the substitute meet in preview of the substitute', () => {
  const face = meet(PREVIEW, SUBSTITUTE)
  expect([formOf(face), levelOf(face)]).toEqual(['substitute', 'preview'])
})

describe('[DE-1] the meet', () => {
  it('is taken part by part', () => {
    for (const [a, b] of pairs) {
      const met = meet(a, b)
      expect(levelOf(met)).toBe(lessLevel(levelOf(a), levelOf(b)))
      if (met !== NONE) expect(formOf(met)).toBe(lessForm(formOf(a), formOf(b)))
    }
  })

  it('does not depend on order, grouping or repetition', () => {
    for (const [a, b] of pairs) {
      expect(meet(a, b)).toBe(meet(b, a))
      expect(meet(a, a, b, b)).toBe(meet(a, b))
      for (const c of ALL) expect(meet(meet(a, b), c)).toBe(meet(a, meet(b, c)))
      for (const c of ALL) expect(meet(a, b, c)).toBe(meet(a, meet(b, c)))
    }
  })

  it('is at most each, and the greatest that is', () => {
    for (const [a, b] of pairs) {
      expect(atMost(meet(a, b), a) && atMost(meet(a, b), b)).toBe(true)
      for (const c of ALL) if (atMost(c, a) && atMost(c, b)) expect(atMost(c, meet(a, b))).toBe(true)
    }
  })

  it('keeps the order: what narrows one side narrows the meet', () => {
    for (const [a, b] of pairs)
      for (const c of ALL) if (atMost(a, b)) expect(atMost(meet(a, c), meet(b, c))).toBe(true)
  })

  it('of full and a face is that face, of none and a face is none', () => {
    for (const face of ALL) {
      expect(meet(FULL, face)).toBe(face)
      expect(meet(NONE, face)).toBe(NONE)
    }
  })

  it('of nothing is none', () => {
    expect(meet()).toBe(NONE)
  })
})

it('[DE-1] at most is an order of parts', () => {
  for (const [a, b] of pairs) {
    const level = LEVELS.indexOf(levelOf(a)) <= LEVELS.indexOf(levelOf(b))
    const form = formOf(a) === 'substitute' || formOf(b) === 'original'
    expect(atMost(a, b)).toBe(a === NONE || (level && form))
  }
})

it('[DE-1] what shows nothing is one value, original or not', () => {
  expect(settle(0b1000)).toBe(NONE)
  expect(meet(0b1000)).toBe(NONE)
})

it('[DE-2] a byte that is no face shows nothing', () => {
  for (const byte of [0b0010, 0b0100, 0b0101, 0b0110, 0b1010, 0b1100]) expect(levelOf(byte)).toBe('none')
})

it('[DE-1] under its own id a record shows its original and never a substitute', () => {
  expect(FACES.map(([face]) => shownLevel(face))).toEqual([
    'full',
    'preview',
    'metadata',
    'none',
    'none',
    'none',
    'none',
  ])
})
