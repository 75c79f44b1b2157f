import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AREAS } from '../support/areas.js'
import { withSeenIn } from '../support/seen-in.js'

const LIST = `const LEAKS = {
  'a word of others': {
    seenIn: 3,
  },
  "another's word": {
    operation: /x/,
    seenIn: 3,
  },
}`

describe('the world that shows a planted leak', () => {
  it('is written to that leak alone', () => {
    expect(withSeenIn(LIST, "another's word", 3, 17)).toBe(
      LIST.replace('operation: /x/,\n    seenIn: 3', 'operation: /x/,\n    seenIn: 17'),
    )
    expect(withSeenIn(LIST, 'a word of others', 3, 4)).toBe(LIST.replace('seenIn: 3', 'seenIn: 4'))
  })

  it('is not written to a leak that is elsewhere or shows in another world', () => {
    expect(() => withSeenIn(LIST, 'a word', 3, 4)).toThrow('not in its list')
    expect(() => withSeenIn(LIST, 'a word of others', 4, 5)).toThrow('not in its list')
  })

  it('is found in the lists as they are', () => {
    const leaks = AREAS.filter(({ name }) => name.startsWith('leaks-'))
    expect(leaks.length).toBe(9)
    for (const { test, broken } of leaks) {
      const text = readFileSync(test.replace('.test.ts', '.ts'), 'utf8')
      for (const { name } of broken) {
        const from = Number(/seenIn: (\d+)/.exec(text.slice(text.indexOf(name)))?.[1])
        expect(withSeenIn(text, name, from, 999)).toContain('seenIn: 999')
      }
    }
  })
})
