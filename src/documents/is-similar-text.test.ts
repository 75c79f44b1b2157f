import { describe, expect, it } from 'vitest'
import { isSimilarText } from './is-similar-text.js'

const long = (of: string) => Array.from({ length: 400 }, (_, at) => `${of}${at} argues ${of}`).join(' ')

describe('likeness', () => {
  it.each([
    ['a text and itself', long('a'), long('a'), true],
    ['a text and what was added to it', long('a'), `${long('b')} ${long('a')}`, true],
    ['a text and the first lines of it', long('a'), long('a').slice(0, 300), true],
    ['a changed word', 'The complaint pleads scienter.', 'The complaint pleads strong scienter.', true],
    ['two texts', long('a'), long('b'), false],
    [
      'two texts under one heading',
      `MOTION TO DISMISS ${long('a')}`,
      `MOTION TO DISMISS ${long('b')}`,
      false,
    ],
    ['one word and another', 'One.', 'Two.', false],
    ['a text and none', long('a'), ' … ', null],
  ])('of %s', (_, text, other, like) => {
    expect(isSimilarText(text, other)).toBe(like)
    expect(isSimilarText(other, text)).toBe(like)
  })
})
