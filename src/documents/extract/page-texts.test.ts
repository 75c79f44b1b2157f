import { describe, expect, it } from 'vitest'
import type { PageItem } from './page-lines.js'
import { readPage, textsOf } from './page-texts.js'

const item = (str: string, x: number, y: number, size = 12): PageItem => ({
  str,
  transform: [size, 0, 0, size, x, y],
  width: str.length * size * 0.5,
  height: size,
})
/** Lines one below the other; 60 letters fill a line. */
const lines = (texts: readonly string[], { top = 700, x = 90, spacing = 24, size = 12 } = {}) =>
  texts.map((text, at) => item(text, x, top - at * spacing, size))
const read = (...pages: readonly (readonly PageItem[])[]) => textsOf(pages.map(page => readPage(page)))

const FULL = 'Every court that has looked at it found the pleading enough;'

describe('[SR-14] the text of pages', () => {
  it('joins double-spaced lines to paragraphs, and an indented line begins the next', () => {
    const { texts } = read([
      ...lines([FULL, 'none has held otherwise, and none was asked to do so again.']),
      item('The second paragraph begins here and fills the whole line,', 126, 652),
      ...lines(['and goes on.'], { top: 628 }),
    ])
    expect(texts[0]).toBe(
      `${FULL} none has held otherwise, and none was asked to do so again.\n\nThe second paragraph begins here and fills the whole line, and goes on.`,
    )
  })

  it('joins words that are cut, and leaves the hyphen of a compound', () => {
    const { texts } = read(
      lines([
        'The well-known rule is that a party who asserts a state-',
        'ment must prove it. A forward statement, though looking harm-',
        'less, is a forward-looking one; whoever calls it forward-',
        'looking says so.',
      ]),
    )
    expect(texts[0]).toContain('a statement must prove it')
    expect(texts[0]).toContain('looking harmless, is')
    expect(texts[0]).toContain('calls it forward-looking says')
  })

  it('reads columns of running text one after the other, and rows of a table across', () => {
    const left = Array.from({ length: 10 }, (_, at) => `left column line ${at} goes on and`)
    const right = Array.from({ length: 10 }, (_, at) => `right column line ${at} goes on and`)
    const columns = [...lines(left, { spacing: 14 }), ...lines(right, { x: 330, spacing: 14 })]
    const mixed = columns.sort((a, b) => (b.transform[5] ?? 0) - (a.transform[5] ?? 0))
    const [text = ''] = read(mixed).texts
    expect(text.indexOf('left column line 9')).toBeLessThan(text.indexOf('right column line 0'))
    const cells = ['Item', 'Price', 'rigs', '$10', 'crates', '$20'].map((cell, at) =>
      item(cell, 90 + (at % 2) * 160, 700 - Math.floor(at / 2) * 18),
    )
    expect(read(cells).texts[0]).toBe('Item\tPrice\nrigs\t$10\ncrates\t$20')
  })

  it('leaves out numbers of lines, stamps, running feet and page numbers, and tells them of the page', () => {
    const page = (number: number, body: string) => [
      item(`Case 3:24-cv-01180 Document 7 Filed 03/05/24 Page ${number} of 3`, 110, 770, 9),
      ...Array.from({ length: 25 }, (_, at) => item(String(at + 1), 60, 700 - at * 24)),
      ...lines([FULL, `${body}.`, 'See Exhibit 3.']),
      item(String(number), 306, 54),
      item('OPPOSITION TO MOTION', 150, 40, 9),
    ]
    const { texts, facts } = read(page(1, 'one'), page(2, 'two'), page(3, 'three'))
    expect(texts[1]).toBe(`${FULL} two.\n\nSee Exhibit 3.\n\n`)
    expect(facts[1]).toEqual({
      label: '2',
      stamp: 'Case 3:24-cv-01180 Document 7 Filed 03/05/24 Page 2 of 3',
      heads: ['OPPOSITION TO MOTION'],
    })
  })

  it('keeps a number that is text, and the first of the running heads of an exhibit', () => {
    const { texts } = read(
      ...['one', 'two', 'three', 'four'].map((body, at) => [
        item('EXHIBIT A', 280, 760),
        ...lines([`${FULL}`, `${body} and`, '42']),
        item(String(at + 1), 306, 54),
      ]),
    )
    expect(texts.map(text => text.includes('EXHIBIT A'))).toEqual([true, false, false, false])
    expect(texts.every(text => text.includes('42'))).toBe(true)
  })

  it('puts footnotes after the text of their page, with their marks', () => {
    const { texts } = read([
      ...lines([FULL, 'the rule is settled.']),
      item('1', 90 + 20 * 6, 681, 7),
      ...lines(['1 But see the dissent, which', '2 Nobody else does.'], { top: 120, spacing: 12, size: 9 }),
    ])
    expect(texts[0]).toBe(
      `${FULL} the rule is settled.[1]\n\n[1] But see the dissent, which\n\n[2] Nobody else does.`,
    )
  })

  it('goes on on the next page where the sentence does, and ends the page where it does not', () => {
    const first = lines([FULL, 'the pleading says who spoke and when, and it says what con-'])
    const { texts } = read(first, lines(['clusion follows. It is enough.']))
    expect(texts[0]?.endsWith('what conclusion ')).toBe(true)
    expect(texts[1]).toBe('follows. It is enough.')
    expect(read(lines(['It ends.']), lines(['It begins.'])).texts).toEqual(['It ends.\n\n', 'It begins.'])
  })
})
