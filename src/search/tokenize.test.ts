import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { times } from '../../test/support/depth.js'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { eachToken, LONGEST_TERM, type Token, tokenize } from './tokenize.js'

const terms = (text: string): string[] => tokenize(text).map(({ term }) => term)
const inParameters = { seed: SEED, numRuns: WORLDS }

it.each([
  ['', []],
  [' \t\n.,;!?', []],
  ['We meet at Noon', ['we', 'meet', 'at', 'noon']],
  ["don't DON’T don‘t donʼt don＇t", ["don't", "don't", "don't", "don't", "don't"]],
  ["'tis the dogs' rock'n'roll o''clock", ['tis', 'the', 'dogs', "rock'n'roll", 'o', 'clock']],
  ["don't. can't, won't", ["don't", "can't", "won't"]],
  ['well-known snake_case either/or a.b', ['well', 'known', 'snake', 'case', 'either', 'or', 'a', 'b']],
  [
    '3.14 1,000.50 2026.01.15 3. .5 a.5 5.a',
    ['3.14', '1,000.50', '2026.01.15', '3', '5', 'a', '5', '5', 'a'],
  ],
  ["o'95 90's", ["o'95", "90's"]],
  ['v2 90s utf8', ['v2', '90s', 'utf8']],
  ['café cafe\u0301 CAFÉ', ['café', 'café', 'café']],
  ['Straße STRASSE ﬁsh Ｗｉｄｅ ３．１４ H₂O m²', ['straße', 'strasse', 'fish', 'wide', '3.14', 'h2o', 'm2']],
  ['1½ ①', ['1']],
  ['Ångström Œuvre Żółć', ['ångström', 'œuvre', 'żółć']],
  ['Встреча ЗАВТРА', ['встреча', 'завтра']],
  ['Καλημέρα ΟΔΟΣ', ['καλημέρα', 'οδος']],
  ['שלום עולם', ['שלום', 'עולם']],
  ['مرحبا بالعالم', ['مرحبا', 'بالعالم']],
  ['नमस्ते दुनिया', ['नमस्ते', 'दुनिया']],
  ['안녕하세요 세계', ['안녕하세요', '세계']],
  ['می\u200cخواهم Donau\u00addampf', ['میخواهم', 'donaudampf']],
  ['e\u200d\u0301te', ['éte']],
  ['J\u030cX', ['\u01f0x']],
  ['👩‍👩‍👧 ❤️ ok🙂ok 1️⃣ \u{1f1e9}\u{1f1ea}', ['ok', 'ok', '1']],
  ['a\0b', ['a', 'b']],
  ['a\ud800b \udc00', ['a', 'b']],
  ['\u0301 \ufe0f', []],
  ['\u{10400}\u{10428}', ['\u{10428}\u{10428}']],
])('%j has the words %j', (text, expected) => {
  expect(terms(text)).toEqual(expected)
})

describe('scripts without spaces between words', () => {
  it.each([
    ['我昨天在商店', ['我', '昨天', '在', '商店']],
    ['สวัสดีครับ', ['สวัสดี', 'ครับ']],
    ['カタカナ、ｶﾀｶﾅ', ['カタカナ', 'カタカナ']],
    ['コーヒー', ['コーヒー']],
  ])('%j is divided into %j', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })

  it('are divided where they stand, beside words of other scripts', () => {
    expect(tokenize('Tom在商店5号')).toEqual([
      { term: 'tom', start: 0, end: 3 },
      { term: '在', start: 3, end: 4 },
      { term: '商店', start: 4, end: 6 },
      { term: '5', start: 6, end: 7 },
      { term: '号', start: 7, end: 8 },
    ])
  })

  it('are divided in long runs as in short ones', () => {
    const word = '商店'
    for (const length of [100, 127, 128, 129, 300]) {
      expect(terms(word.repeat(length)), `${length}`).toEqual(Array(length).fill(word))
      expect(terms(`我${word.repeat(length)}`), `${length}`).toEqual(['我', ...Array(length).fill(word)])
    }
  })

  it('never go to the segmenter in one long piece: its time grows with the square', () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    expect(terms('สวัสดี'.repeat(1000))).toEqual(Array(1000).fill('สวัสดี'))
    const lengths = segment.mock.calls.map(([text]) => text.length)
    segment.mockRestore()
    expect(Math.max(...lengths)).toBeLessThan(1000)
    expect(lengths.length).toBeLessThan(100)
  })
})

describe('a long word', () => {
  it.each([
    ['ASCII', 'a'.repeat(100), 'a'.repeat(64)],
    ['capitals', 'A'.repeat(100), 'a'.repeat(64)],
    ['other letters', 'é'.repeat(100), 'é'.repeat(64)],
    ['surrogate pairs', '\u{10428}'.repeat(100), '\u{10428}'.repeat(32)],
    ['surrogate pairs off by one', `a${'\u{10428}'.repeat(100)}`, `a${'\u{10428}'.repeat(31)}`],
    ['an apostrophe at the cut', `${'a'.repeat(63)}'b`, 'a'.repeat(63)],
    ['an apostrophe at the cut, and accents', `${'é'.repeat(63)}’b`, 'é'.repeat(63)],
    ['points at the cut', `${'1'.repeat(63)}.5`, '1'.repeat(63)],
    ['exactly the length', 'b'.repeat(64), 'b'.repeat(64)],
  ])('of %s is cut, and still ends where it ends', (_, text, term) => {
    expect(tokenize(text)).toEqual([{ term, start: 0, end: text.length }])
  })
})

/** In these scripts a word may be split differently when it stands alone. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]/u

/** Strings that are difficult to tokenise, with more word characters than random text would have. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit)) }),
      fc.constantFrom("'", '’', 'ʼ', '.', ',', '1', 'a', 'É', 'İ', 'ŉ', 'Σ', '\u200d', '\u0301', '\ufe0f'),
      fc.constantFrom('在', 'カ', 'ー', 'ส', 'ວ', 'ក', 'မ', '\u{20000}', '\ud800', '\udc00', '\0', ' ', '-'),
    ),
    { maxLength: 30 },
  )
  .map(parts => parts.join(''))

function expectInOrder(tokens: readonly Token[], text: string): void {
  let before = 0
  for (const { term, start, end } of tokens) {
    expect(start).toBeGreaterThanOrEqual(before)
    expect(end).toBeGreaterThan(start)
    expect(end).toBeLessThanOrEqual(text.length)
    expect(term.length).toBeGreaterThan(0)
    expect(term.length).toBeLessThanOrEqual(LONGEST_TERM)
    expect(term).not.toMatch(/\p{Cs}/u)
    before = end
  }
}

describe('of any text', () => {
  it('the words stand in the text, in order and apart', () => {
    fc.assert(
      fc.property(anyText, text => expectInOrder(tokenize(text), text)),
      inParameters,
    )
  })

  it('each letter and digit is part of a word', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'É', '7', "'", '.', ' ', '-', 'ж', '\u{10428}')), parts => {
        const text = parts.join('')
        const outside = tokenize(text).reduceRight(
          (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
          text,
        )
        expect(outside).toMatch(/^['. -]*$/)
      }),
      inParameters,
    )
  })

  it('a term is the one word of itself', () => {
    fc.assert(
      fc.property(anyText, text => {
        for (const term of terms(text)) if (!UNSPACED.test(term)) expect(terms(term)).toEqual([term])
      }),
      inParameters,
    )
  })

  it('the words are the same however its letters are composed', () => {
    const words = fc.string({
      unit: fc.constantFrom('e', 'é', 'Å', 'ü', 'ό', 'й', '각', 'ữ', '\u0301', ' ', '1'),
    })
    fc.assert(
      fc.property(words, text => {
        expect(terms(text.normalize('NFD'))).toEqual(terms(text.normalize('NFC')))
      }),
      inParameters,
    )
  })
})

it('every character alone is a word that is the one word of itself, or none', () => {
  const odd: string[] = []
  // In the first run every eleventh, from every script.
  for (let code = 0; code < 0x30000; code += times(11, 1)) {
    for (const term of terms(String.fromCodePoint(code))) {
      const again = terms(term)
      if (!UNSPACED.test(term) && (again.length !== 1 || again[0] !== term)) odd.push(code.toString(16))
    }
  }
  expect(odd).toEqual([])
})

it('visits the words that the list holds', () => {
  const visited: Token[] = []
  eachToken("Don't go, 在商店", (term, start, end) => visited.push({ term, start, end }))
  expect(visited).toEqual(tokenize("Don't go, 在商店"))
  expect(visited).toHaveLength(4)
})
