import { describe, expect, it } from 'vitest'
import { findNames } from './find-names.js'
import { tokenize } from './tokenize.js'

const named = (id: string, name: string) => ({ id, terms: tokenize(name).map(({ term }) => term) })

describe('names in a text', () => {
  const names = [
    named('b', 'Ana'),
    named('a', 'Ana Maria'),
    named('c', 'The Old Mill'),
    named('d', "O'Brien"),
    named('e', '…'),
    named('e', ''),
    named('f', '東京'),
  ]
  it.each([
    ['Ana went home', ['b']],
    ['ANA, Maria!', ['a', 'b']],
    ['Anaconda, Banana, Mariana', []],
    ['the old windmill', []],
    ['by the (old) mill', ['c']],
    ['the old', []],
    ['O’Brien again', ['d']],
    ['東京 is big', ['f']],
    ['', []],
    ['… …', []],
  ])('stand there as whole words: %s', (text, found) => {
    expect(findNames(text, names)).toEqual(found)
  })

  it('are found once, in order of id, whatever the order they are looked for in', () => {
    const text = 'Ana Ana Maria and the old mill'
    expect(findNames(text, names)).toEqual(['a', 'b', 'c'])
    expect(findNames(text, [...names].reverse())).toEqual(['a', 'b', 'c'])
  })
})
