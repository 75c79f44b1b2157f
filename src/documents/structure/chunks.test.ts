import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../../test/support/depth.js'
import { legal } from '../../legal/index.js'
import { CHUNK_MOST, CHUNK_TARGET, cutIntoChunks } from './chunks.js'
import { partsOf } from './parts.js'
import { structureOf } from './structure.js'

interface Range {
  readonly start: number
  readonly end: number
}
const plain = { pages: [], headings: [] }
const whole = (text: string) => [{ start: 0, end: text.length }]
const cut = (text: string, given: Partial<Parameters<typeof cutIntoChunks>[2]> = {}) =>
  cutIntoChunks(text, text === '' ? [] : whole(text), { ...plain, ...given })
const texts = (text: string, given = {}) => cut(text, given).map(({ start, end }) => text.slice(start, end))

const sentence = 'The court finds that the lease was signed by both of the parties to it. '
const paragraph = (length: number) =>
  sentence
    .repeat(Math.ceil(length / sentence.length))
    .slice(0, length - 1)
    .trimEnd()
    .padEnd(length - 1, 'e')
    .concat('.')

/** Checks everything that a list of ranges must satisfy to partition a text. */
function partitions(text: string, ranges: readonly Range[]) {
  let at = 0
  for (const { start, end } of ranges) {
    expect(start).toBe(at)
    expect(end).toBeGreaterThan(start)
    at = end
  }
  expect(at).toBe(text.length)
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
function laws(text: string, segments: readonly Range[]) {
  partitions(text, segments)
  const boundaries = new Set([text.length])
  for (const { index } of graphemes.segment(text)) boundaries.add(index)
  for (const { start, end } of segments) {
    expect(text.slice(start, end).trim().length).toBeLessThanOrEqual(CHUNK_MOST)
    expect(boundaries.has(start)).toBe(true)
    // A blank with a combining mark counts as a letter.
    if (start > 0) expect(text.slice(start, start + 2)).toMatch(/^(?:\S|\s\p{M})/u)
  }
}

const piece = fc.oneof(
  fc.constantFrom(
    'EXHIBIT A',
    'Exhibit 2',
    'CERTIFICATE OF SERVICE',
    '[PROPOSED] ORDER',
    'TABLE OF CONTENTS',
    'I. ARGUMENT',
    'DECLARATION OF JANE DOE',
    '\nUNITED STATES DISTRICT COURT\nDISTRICT OF MAINE\nNo. 24-1234\nREPLY BRIEF\n',
    '\nCase 24-1 Doc 45 Filed 03/01/24 Page 1 of 20\n',
    '\n',
    '\n\n',
    ' ',
    '\n \n\t',
    '👩‍👩‍👧‍👦',
    '🇩🇪🇫🇷',
    'é',
    '\u0301',
    ' \u0301',
    'עברית בית המשפט. ',
    '법원은 ',
    '法院认为该动议。',
    'ศาลเห็นว่า',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    sentence,
    sentence.repeat(9),
    'x'.repeat(700),
    '👍🏽'.repeat(300),
    `${sentence}\n`.repeat(6),
  ),
)
const document = fc.array(piece, { maxLength: 40 }).map(pieces => pieces.join(''))

describe('[SR-14] segments', () => {
  it('[SR-14] partition any text, within graphemes never, within the bound, and within one part', () => {
    fc.assert(
      fc.property(
        document,
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (text, cuts, heads) => {
          const ends = [...new Set(cuts.map(at => at % (text.length + 1)))].sort((a, b) => a - b)
          const pages = [0, ...ends].map((start, at) => ({
            number: at + 1,
            start,
            end: ends[at] ?? text.length,
          }))
          const headings = heads.map(at => {
            const start = at % (text.length + 1)
            return { start, end: Math.min(text.length, start + 12), level: 1 }
          })
          const { parts, chunks: segments } = structureOf(
            { text, title: null, pages, headings, about: {} },
            { timeZone: 'UTC', domain: legal() },
          )
          partitions(text, parts)
          laws(text, segments)
          for (const { start, end, part, page } of segments) {
            const owner = parts[part]
            expect(owner !== undefined && owner.start <= start && end <= owner.end).toBe(true)
            const first = start + text.slice(start, end).search(/\S/)
            const at = text.slice(start, end).trim() === '' ? start : first
            expect(page).toBe(pages.findLast(page => page.start <= at)?.number)
          }
        },
      ),
      { numRuns: times(100, 600) },
    )
  }, 120_000)

  it('[SR-14] an empty text has none, and blank text is one', () => {
    expect(cut('')).toEqual([])
    expect(cut(' \n\n\t ')).toEqual([{ start: 0, end: 5, part: 0, page: null, turns: [] }])
    expect(cut('\n'.repeat(9_000))).toHaveLength(1)
  })

  it('[SR-14] a short text is one segment, blank space around it included', () => {
    expect(texts('\n\n  One.\n\nTwo.\n\n')).toEqual(['\n\n  One.\n\nTwo.\n\n'])
    expect(cut(paragraph(CHUNK_TARGET * 1.25))).toHaveLength(1)
  })

  it('[SR-14] cuts between paragraphs near the target, and the blank lines belong to the one before', () => {
    const text = [600, 600, 600, 600, 600].map(paragraph).join('\n\n\n')
    expect(texts(text).map(part => part.length)).toEqual([1_206, 1_206, 600])
    for (const part of texts(text).slice(0, -1)) expect(part.endsWith('.\n\n\n')).toBe(true)
  })

  it('[SR-14] keeps a paragraph whole if it fits, and cuts it between sentences if not', () => {
    expect(cut(paragraph(CHUNK_MOST))).toHaveLength(1)
    const long = sentence.repeat(40).trimEnd()
    const parts = texts(long)
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) {
      expect(part.startsWith('The court')).toBe(true)
      expect(part.length).toBeGreaterThan(900)
      expect(part.length).toBeLessThan(1_700)
    }
  })

  it('[SR-14] the lines of a page are no ends of sentences, and neither are abbreviations', () => {
    const wrapped =
      'The holding of Smith v. Jones, No. 5 of the\nterm, and U.S. Code were cited by J. Doe in this\nvery case. '
    for (const part of texts(wrapped.repeat(40)).slice(0, -1)) expect(part).toMatch(/very case\. $/)
  })

  it('[SR-14] cuts lines without sentences at their ends, and a line without them between words', () => {
    const rows = Array.from({ length: 300 }, (_, at) => `row ${at} of a table`).join('\n')
    for (const part of texts(rows)) expect(part).toMatch(/^row \d+ of/)
    const list = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(' ')
    for (const part of texts(list)) expect(part).toMatch(/^word\d+ [\w ]*word\d+ ?$/)
  })

  it('[SR-14] leaves no small leftover', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_001, max: 9_000 }), fc.boolean(), (length, isWord) => {
        const text = isWord ? 'x'.repeat(length) : list.slice(0, length).trimEnd()
        for (const { start, end } of cut(text)) expect(end - start).toBeGreaterThanOrEqual(390)
      }),
      { numRuns: times(60, 200) },
    )
  })
  const list = 'some words of a text that has no sentence at all '.repeat(200)

  it('[SR-14] a heading stays with what follows, whether the source names it or it only looks like one', () => {
    const body = paragraph(1_030)
    const titled = `${body}\n\nII. THE LEASE IS VOID\n\n${paragraph(1_040)}`
    expect(texts(titled)[1]).toMatch(/^II\. THE LEASE/)
    const named = `${body}\n\nThe lease\n\n${paragraph(1_040)}`
    expect(texts(named)[1]).toMatch(/^The court/)
    const start = named.indexOf('The lease\n')
    const headings = [{ start, end: start + 9 }]
    expect(texts(named, { headings })[1]).toMatch(/^The lease/)
    const close = `${paragraph(1_000)}\nThe lease\n${paragraph(1_000)}`
    const at = close.indexOf('\nThe lease') + 1
    expect(texts(close, { headings: [{ start: at, end: at + 9 }] })[1]).toMatch(/^The lease/)
  })

  it('[SR-14] a heading of the source begins a paragraph without a blank line, and is not cut itself', () => {
    const close = `${paragraph(900)}\nThe lease\n${paragraph(900)}`
    expect(texts(close, { headings: [{ start: 901, end: 910 }] })[1]).toMatch(/^The lease/)
    const tall = `${paragraph(1_000)}\n\nThe lease\n\nis void\n\n${paragraph(1_000)}`
    expect(texts(tall, { headings: [{ start: 1_002, end: 1_020 }] })[1]).toMatch(/^The lease\n\nis void/)
  })

  it('[SR-14] a word that no segment can hold is cut between letters, a letter between characters', () => {
    for (const unit of ['x', '👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301']) {
      const text = unit.repeat(Math.ceil(9_001 / unit.length))
      laws(text, cut(text))
    }
    const monster = `a${'\u0301'.repeat(5_000)}`
    expect(cut(monster).every(({ start, end }) => end - start <= CHUNK_MOST)).toBe(true)
    partitions(monster, cut(monster))
    const astral = `a${'\u{1d165}'.repeat(5_000)}`
    for (const part of texts(astral)) expect(part).not.toMatch(/\p{Surrogate}/u)
  })

  it('[SR-14] the page is that of the first word', () => {
    const text = `\n\n${paragraph(1_000)}\n\n${paragraph(1_000)}`
    const second = text.lastIndexOf('\n\n') + 2
    const pages = [
      { number: 1, start: 0, end: 0 },
      { number: 2, start: 1, end: 1 },
      { number: 3, start: 2, end: second - 2 },
      { number: 7, start: second, end: text.length },
    ]
    expect(cut(text, { pages }).map(({ page }) => page)).toEqual([3, 7])
  })

  it('[SR-14] never crosses a page, however short: what is cited is on the page that is named', () => {
    const texts = ['The first page ends in', 'the middle of a sentence.', '', `${paragraph(3_000)}`]
    const text = texts.join('\n\n')
    let start = 0
    const pages = texts.map((page, at) => {
      const range = { number: at + 1, start, end: start + page.length }
      start += page.length + 2
      return range
    })
    const segments = cut(text, { pages })
    partitions(text, segments)
    for (const { start, end, page } of segments)
      expect(texts[(page ?? 0) - 1]).toContain(text.slice(start, end).trim())
    expect([...new Set(segments.map(({ page }) => page))]).toEqual([1, 2, 4])
  })

  it('[SR-14] never crosses a part', () => {
    const text = 'Lead.\n\nEXHIBIT A\n\nShort.\n\nEXHIBIT B\n\nShort, too.'
    const parts = partsOf({ text, ...plain })
    expect(cutIntoChunks(text, parts, plain).map(({ part }) => part)).toEqual([0, 1, 2])
  })

  it('[SR-14] takes time in proportion to the text, on a very long line and worse', () => {
    const size = times(200_000, 1_000_000)
    const worst = [
      sentence.repeat(size / 70),
      'x'.repeat(size),
      `a ${' '.repeat(size)} b`,
      'EXHIBIT A\n\nx\n\n'.repeat(size / 14),
      'TABLE OF CONTENTS\n\nx\n\n'.repeat(size / 25),
      `a${'\u0301'.repeat(size)}`,
      'בית המשפט קבע כי החוזה בטל. '.repeat(size / 28),
    ]
    for (const text of worst) {
      const began = performance.now()
      const { chunks: segments } = structureOf(
        { text, title: null, pages: [], headings: [], about: {} },
        { timeZone: 'UTC', domain: legal() },
      )
      partitions(text, segments)
      expect(performance.now() - began).toBeLessThan(8_000)
    }
  }, 90_000)

  it('[SR-14] goes on over a page where the sentence does, and knows where the page turns', () => {
    const text = 'The court holds that the lease is void. It ends.\n\nIt begins.'
    const turnsIn = (turn: number) =>
      cut(text, {
        pages: [
          { number: 1, start: 0, end: turn },
          { number: 2, start: turn, end: text.length },
        ],
      }).map(({ page, turns }) => [page, turns.map(one => [one.page, one.start])])
    expect(turnsIn(16)).toEqual([[1, [[2, 16]]]])
    expect(turnsIn(50)).toEqual([
      [1, []],
      [2, []],
    ])
  })
})
