import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { highlightsOf, type MeantWords, makeSnippet, type TextSnippet } from './snippet.js'
import { tokenize } from './tokenize.js'

const where = (matches: (term: string) => boolean): MeantWords => ({
  get: term => (matches(term) ? { term, weight: 1 } : undefined),
})
const anyOf = (...terms: string[]) => where(term => terms.includes(term))
const none = where(() => false)
const all = where(() => true)
const texts = ({ passages }: TextSnippet): string[] => passages.map(({ text }) => text)
const marked = ({ passages }: TextSnippet): string[] =>
  passages.flatMap(({ text, highlights }) => highlights.map(([start, end]) => text.slice(start, end)))

const filler = (words: number): string => 'lorem '.repeat(words)

it('shows a short text whole, with its matches', () => {
  const whole = {
    text: 'The Shed is behind the garden.',
    start: 0,
    end: 30,
    highlights: [
      [4, 8],
      [23, 29],
    ],
  }
  expect(makeSnippet('The Shed is behind the garden.', anyOf('garden', 'shed'))).toEqual({
    passages: [whole],
    bestFirst: [whole],
    matches: true,
  })
})

describe('of several passages', () => {
  const text = `The garden and the roof. ${filler(20)}The shed. ${filler(20)}Garden again.`
  const words = (weights: Record<string, number>): MeantWords => ({
    get: term => (term in weights ? { term, weight: weights[term] ?? 0 } : undefined),
  })
  const best = (meant: MeantWords, title?: string) =>
    makeSnippet(text, meant, { passages: 1, length: 30 }, title).bestFirst.map(one => one.text)

  it('the best comes first, whatever the order of the text', () => {
    const { passages, bestFirst } = makeSnippet(text, words({ garden: 1, roof: 1, shed: 9 }), { length: 30 })
    expect(passages.map(({ text }) => text.includes('shed'))).toEqual([false, true])
    expect(bestFirst.map(({ text }) => text.includes('shed'))).toEqual([true, false])
  })

  it('one rare word weighs more than two common ones', () => {
    expect(best(words({ garden: 1, roof: 1, shed: 3 }))[0]).toContain('shed')
    expect(best(words({ garden: 1, roof: 1, shed: 1 }))[0]).toContain('roof')
  })

  it('what the title says already does not count', () => {
    const meant = words({ garden: 4, roof: 1, shed: 3 })
    expect(best(meant)[0]).toContain('garden')
    expect(best(meant, 'The garden')[0]).toContain('shed')
  })

  it('forms of one word count once', () => {
    const forms: MeantWords = {
      get: term =>
        ['garden', 'roof'].includes(term)
          ? { term: 'garden', weight: 1 }
          : term === 'shed'
            ? { term, weight: 1.5 }
            : undefined,
    }
    expect(best(forms)[0]).toContain('shed')
  })
})

it('has no passage of an empty text, nor of white space', () => {
  expect(makeSnippet('', all)).toEqual({ passages: [], bestFirst: [], matches: false })
  expect(makeSnippet(' \n ', all)).toEqual({ passages: [], bestFirst: [], matches: false })
})

it('begins at the beginning where nothing matches', () => {
  expect(makeSnippet('  one two three four', none, { length: 10 })).toEqual({
    passages: [{ text: 'one two', start: 2, end: 9, highlights: [] }],
    bestFirst: [{ text: 'one two', start: 2, end: 9, highlights: [] }],
    matches: false,
  })
})

it('cuts words in half only where one is longer than a passage', () => {
  expect(texts(makeSnippet('abcdefghij klm', none, { length: 5 }))).toEqual(['abcde'])
  expect(texts(makeSnippet('🙂🙂🙂', none, { length: 3 }))).toEqual(['🙂'])
  expect(texts(makeSnippet(`a${'\u{10428}'.repeat(9)}`, none, { length: 4 }))).toEqual(['a\u{10428}'])
  expect(texts(makeSnippet('abcdefghij klm', anyOf('klm', 'abcdefghij'), { length: 5 }))).toEqual(['klm'])
})

it('puts the match in the middle and cuts between words', () => {
  const [passage] = makeSnippet(`${filler(50)}garden ${filler(50)}`, anyOf('garden'), { length: 27 }).passages
  expect(passage?.text).toBe('lorem garden lorem')
  expect(passage?.highlights).toEqual([[6, 12]])
  expect(passage?.start).toBe(294)
})

it('uses the room before a match at the end', () => {
  const text = `${filler(50)}garden`
  expect(texts(makeSnippet(text, anyOf('garden'), { length: 30 }))).toEqual([
    'lorem lorem lorem lorem garden',
  ])
})

it('prefers different words to many', () => {
  const text = `shed shed shed shed ${filler(50)}garden shed ${filler(50)}garden`
  expect(marked(makeSnippet(text, anyOf('garden', 'shed'), { passages: 1, length: 40 }))).toEqual([
    'garden',
    'shed',
  ])
})

it('prefers many words to few, and then the earliest', () => {
  const text = `shed ${filler(50)}shed shed ${filler(50)}shed shed ${filler(50)}`
  const [passage] = makeSnippet(text, anyOf('shed'), { passages: 1, length: 40 }).passages
  expect(passage?.highlights).toHaveLength(2)
  expect(passage?.start).toBeLessThan(400)
})

it('shows in a second passage what the first does not, in the order of the text', () => {
  const text = `roof ${filler(50)}garden shed ${filler(50)}garden shed garden ${filler(50)}`
  const snippet = makeSnippet(text, anyOf('garden', 'shed', 'roof'), { length: 40 })
  expect(marked(snippet)).toEqual(['roof', 'garden', 'shed', 'garden'])
})

it('uses the room after a match that stands right behind another passage', () => {
  const text = `lorem garden ${filler(8)}at roof ${filler(20)}`
  const [first, second] = makeSnippet(text, anyOf('garden', 'roof'), { length: 60 }).passages
  expect(first?.highlights).toEqual([[6, 12]])
  expect(second?.text).toMatch(/^at roof/)
  expect(second?.text.length).toBeGreaterThan(50)
})

it('shows at most two passages of 200 unless told', () => {
  const text = `garden ${filler(100)}`.repeat(5)
  const { passages } = makeSnippet(text, anyOf('garden'))
  expect(passages).toHaveLength(2)
  for (const { text } of passages) {
    expect(text.length).toBeLessThanOrEqual(200)
    expect(text.length).toBeGreaterThan(180)
  }
  expect(makeSnippet(text, anyOf('garden'), { passages: 4 }).passages).toHaveLength(4)
  expect(makeSnippet(text, anyOf('garden'), { passages: 0 }).passages).toHaveLength(0)
})

it('finds the matching words of a title', () => {
  expect(highlightsOf('Garden, shed and garden', anyOf('garden'))).toEqual([
    [0, 6],
    [17, 23],
  ])
  expect(highlightsOf('', all)).toEqual([])
})

describe('of any text', () => {
  const part = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('shed', 'garden', 'roof', 'lorem', 'ipsum') },
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.constantFrom('🙂', '商店在', '  ', 'x'.repeat(50), '\ud800', '\u{10428}\u{10428}', '-'),
  )
  const text = fc
    .tuple(fc.array(part, { maxLength: 60 }), fc.constantFrom(' ', ''))
    .map(([all, gap]) => all.join(gap))
  const options = fc.record({
    passages: fc.integer({ min: 1, max: 4 }),
    length: fc.integer({ min: 8, max: 120 }),
  })
  const matches = (term: string): boolean =>
    ['shed', 'garden', 'roof', '商店'].includes(term) || term.startsWith('x')
  const inParameters = { seed: SEED, numRuns: 2 * WORLDS }

  it('passages are slices of it, short enough, in order and apart', () => {
    fc.assert(
      fc.property(text, options, (source, chosen) => {
        const { passages } = makeSnippet(source, where(matches), chosen)
        expect(passages.length).toBeLessThanOrEqual(chosen.passages)
        expect(passages.length === 0).toBe(source.trim() === '')
        let before = 0
        for (const { text, start, end } of passages) {
          expect(text).toBe(source.slice(start, end))
          expect(text.length).toBeGreaterThan(0)
          expect(text.length).toBeLessThanOrEqual(chosen.length)
          expect(start).toBeGreaterThanOrEqual(before)
          expect([...source.slice(0, start), ...text, ...source.slice(end)]).toEqual([...source])
          before = end
        }
      }),
      inParameters,
    )
  })

  it('highlights are the matching words of the text that lie in a passage, each of them', () => {
    fc.assert(
      fc.property(text, options, (source, chosen) => {
        const hits = tokenize(source).filter(({ term }) => matches(term))
        for (const { start, end, highlights } of makeSnippet(source, where(matches), chosen).passages) {
          const inside = hits.filter(hit => hit.start >= start && hit.end <= end)
          expect(highlights).toEqual(inside.map(hit => [hit.start - start, hit.end - start]))
        }
      }),
      inParameters,
    )
  })

  it('a single passage shows as many different words, and of those as many, as any window could', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 120 }), (source, length) => {
        const hits = tokenize(source).filter(({ term, start, end }) => matches(term) && end - start <= length)
        const worth = (shown: typeof hits): number =>
          new Set(shown.map(({ term }) => term)).size * 1000 + shown.length
        const windows = hits.map(({ start }) =>
          hits.filter(hit => hit.start >= start && hit.end - start <= length),
        )
        const [passage] = makeSnippet(source, where(matches), { passages: 1, length }).passages
        const shown = hits.filter(hit => passage && hit.start >= passage.start && hit.end <= passage.end)
        expect(worth(shown)).toBe(Math.max(0, ...windows.map(worth)))
      }),
      inParameters,
    )
  })
})

it('takes a text of megabytes with matches everywhere', () => {
  const text = 'garden shed lorem ipsum '.repeat(100_000)
  const { passages } = makeSnippet(text, anyOf('garden', 'shed'), { passages: 3 })
  expect(passages.map(({ start }) => start)).toEqual([0, 200, 400].map(at => expect.closeTo(at, -2)))
})
