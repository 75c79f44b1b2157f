import { addToHash, HASH_START } from './term-table.js'

/** A word of a text: the normalised term, and its range in UTF-16 units of the original text. */
export interface Token {
  readonly term: string
  readonly start: number
  readonly end: number
}

/** The longest term. More letters identify no word better, and a megabyte without a space must not become a key. */
export const LONGEST_TERM = 64

// The role of a character in a word. KINDS has one byte for each code point, which is 0 until that code point first
// occurs.
const OUTSIDE = 1
const LETTER = 2
const DIGIT = 3
const INSIDE = 4 // continues a word and never begins one
const APOSTROPHE = 5 // continues a word between two of its letters
const POINT = 6 // continues a number between two of its digits
const UNSPACED = 7

const KINDS = new Uint8Array(0x110000)

// Superscript and subscript digits count as digits (H₂O). Fractions and circled numbers do not: NFKC would turn 1½
// into 11/2.
const IS_LETTER = /[\p{L}\p{Nl}]/u
const IS_DIGIT = /[\p{Nd}²³¹⁰⁴-⁹₀-₉]/u
const IS_MARK = /\p{M}/u
const IS_APOSTROPHE = /['’‘ʼ＇]/u
const IS_POINT = /[.,．，]/u

// Uses scripts rather than script extensions, which grow with each Unicode version and now include the combining
// tilde in Thai. The last few characters belong to no script but occur in Japanese words.
const IS_UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u{3006}\u{30fc}\u{ff70}\u{ff9e}\u{ff9f}]/u

// Characters that change how a word looks but not which word it is: soft hyphen, joiners, variation selectors,
// enclosing marks.
const SHAPING = '\\u{ad}\\u{200c}\\u{200d}\\u{2060}\\u{feff}\\u{fe00}-\\u{fe0f}\\u{e0100}-\\u{e01ef}\\p{Me}'
const IS_SHAPING = new RegExp(`[${SHAPING}]`, 'u')
const NOT_IN_TERMS = new RegExp(`[^\\p{L}\\p{M}\\p{N}'.,]|[${SHAPING}]`, 'gu')
const APOSTROPHES = /['’‘ʼ＇]+/gu
const NEEDS_CARE = /[^\p{L}\p{N}]|ʼ/u
const BEFORE_TERM = /^[\p{M}'.,]+/u
const AFTER_TERM = /['.,]+$/u

/** What is done with the words of a text, in order. */
export interface WordVisitor {
  /**
   * A word that is its own term but for capitals: ASCII and short. `hash` is that of the term (see `addToHash`). Whoever
   * knows the term needs no string for it. `units` are those of the text, until the visit ends.
   */
  plain(text: string, units: Uint16Array, start: number, end: number, hash: number): void
  /** Any other word, normalised. */
  other(term: string, start: number, end: number): void
}

/**
 * Finds the words of a text, in order. A word is a run of letters, marks and digits, including apostrophes between its
 * letters and dots and commas between its digits. Scripts without spaces between words are split by a dictionary.
 */
export function eachWord(text: string, visitor: WordVisitor): void {
  const { length } = text
  const units = unitsOf(text)
  let at = 0
  while (at < length) {
    const code = codeAt(units, at, length)
    const kind = kindOf(code)
    if (kind === LETTER || kind === DIGIT) at = visitWord(text, units, at, visitor)
    else if (kind === UNSPACED) at = visitUnspaced(text, units, at, visitor)
    else at += widthOf(code)
  }
  spareUnits = units
}

/** Where the units of the next text are put; null while a text is being read. */
let spareUnits: Uint16Array | null = null
const LEAST_UNITS = 4_096
/** Larger buffers are not kept. */
const MOST_UNITS = 1_048_576

/** The UTF-16 units of a text, at least: reading them from here is faster than from a string. */
function unitsOf(text: string): Uint16Array {
  const kept = spareUnits
  spareUnits = null
  const units =
    kept !== null && kept.length >= text.length && kept.length <= MOST_UNITS
      ? kept
      : new Uint16Array(Math.max(LEAST_UNITS, text.length))
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  return units
}

/**
 * The same with every word as a term.
 *
 * @example
 * eachToken('Don’t pay 1,000', (term, start, end) => {}) // don't 0 5, pay 6 9, 1,000 10 15
 */
export function eachToken(text: string, visit: (term: string, start: number, end: number) => void): void {
  eachWord(text, {
    plain: (_, __, start, end) => visit(plainTerm(text, start, end), start, end),
    other: visit,
  })
}

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  eachToken(text, (term, start, end) => tokens.push({ term, start, end }))
  return tokens
}

/** A surrogate pair as one code point, a lone surrogate as itself. */
function codeAt(units: Uint16Array, at: number, length: number): number {
  const unit = units[at] as number
  if (unit < 0xd800 || unit >= 0xdc00 || at + 1 >= length) return unit
  const next = units[at + 1] as number
  return next >= 0xdc00 && next < 0xe000 ? (unit - 0xd800) * 0x400 + next - 0xdc00 + 0x10000 : unit
}

const widthOf = (code: number): number => (code < 0x10000 ? 1 : 2)

const kindOf = (code: number): number => KINDS[code] || meet(code)

function meet(code: number): number {
  const kind = classify(String.fromCodePoint(code))
  KINDS[code] = kind
  return kind
}

function classify(character: string): number {
  if (IS_APOSTROPHE.test(character)) return APOSTROPHE
  if (IS_POINT.test(character)) return POINT
  if (IS_UNSPACED.test(character)) return UNSPACED
  if (IS_LETTER.test(character)) return LETTER
  if (IS_DIGIT.test(character)) return DIGIT
  if (IS_MARK.test(character) || IS_SHAPING.test(character)) return INSIDE
  return OUTSIDE
}

/** Visits the word that begins here and returns where it ends. */
function visitWord(text: string, units: Uint16Array, start: number, visitor: WordVisitor): number {
  const { length } = text
  let end = start
  let before = OUTSIDE
  let seen = 0
  let hash = HASH_START
  while (end < length) {
    const unit = units[end] as number
    // Most of most texts is letters and digits of ASCII.
    if (unit < 128) {
      const kind = KINDS[unit] as number
      if (kind === LETTER || kind === DIGIT) {
        hash = addToHash(hash, unit >= 65 && unit <= 90 ? unit + 32 : unit)
        before = kind
        end++
        continue
      }
    }
    const code = codeAt(units, end, length)
    const kind = kindOf(code)
    if (kind === APOSTROPHE || kind === POINT) {
      const after = end + 1 < length ? kindOf(codeAt(units, end + 1, length)) : OUTSIDE
      if (kind === POINT ? before !== DIGIT || after !== DIGIT : after !== LETTER && after !== DIGIT) break
    } else if (kind === OUTSIDE || kind === UNSPACED) break
    seen |= code
    hash = addToHash(hash, code >= 65 && code <= 90 ? code + 32 : code)
    before = kind
    end += widthOf(code)
  }
  if (seen >= 128) visitTerm(text.slice(start, end), start, end, visitor)
  else if (end - start < LONGEST_TERM) visitor.plain(text, units, start, end, hash)
  else visitor.other(plainTerm(text, start, end), start, end)
  return end
}

/** The fast path: ASCII needs no normalisation except lower case. */
export function plainTerm(text: string, start: number, end: number): string {
  return cut(text.slice(start, Math.min(end, start + LONGEST_TERM)).toLowerCase())
}

function visitTerm(word: string, start: number, end: number, visitor: WordVisitor): void {
  const normal = word.normalize('NFKC').toLowerCase()
  const term = cut(NEEDS_CARE.test(normal) ? carefulTerm(normal) : normal)
  if (term !== '') visitor.other(term, start, end)
}

/**
 * Normalises again at the end, because lower-casing and removing characters can both bring a letter next to its mark.
 */
const carefulTerm = (normal: string): string =>
  normal
    .replace(APOSTROPHES, "'")
    .replace(NOT_IN_TERMS, '')
    .normalize('NFC')
    .replace(BEFORE_TERM, '')
    .replace(AFTER_TERM, '')

/**
 * Shortens a term to the longest allowed, not within a surrogate pair and not directly after an apostrophe or a
 * point. From 13 units on, V8 keeps a slice as a view that retains the whole text. A term outlives its text by far,
 * so longer slices are copied.
 */
function cut(term: string): string {
  if (term.length < 13) return term
  if (term.length < LONGEST_TERM) return ` ${term}`.slice(1)
  const last = term.charCodeAt(LONGEST_TERM - 1)
  const length = last >= 0xd800 && last < 0xdc00 ? LONGEST_TERM - 1 : LONGEST_TERM
  return ` ${term.slice(0, length).replace(AFTER_TERM, '')}`.slice(1)
}

const STRETCH = 256
const HELD_BACK = 32

let segmenter: Intl.Segmenter | undefined

/** The locale is fixed, because the default one comes from the environment and an index must not depend on that. */
const wordSegmenter = (): Intl.Segmenter => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  return segmenter
}

/** Visits the words of the unspaced run that begins here and returns where the run ends. */
function visitUnspaced(text: string, units: Uint16Array, start: number, visitor: WordVisitor): number {
  let end = start
  while (end < text.length) {
    const code = codeAt(units, end, text.length)
    const kind = kindOf(code)
    if (kind !== UNSPACED && kind !== INSIDE) break
    end += widthOf(code)
  }
  for (let at = start; at < end; ) at = visitStretch(text, at, end, visitor)
  return end
}

/**
 * Visits the words in the next stretch of a run and returns where to continue. Stretches are short because the
 * segmenter takes quadratic time. Unless the run ends here, its last pieces wait for the next stretch, because half a
 * word may be split differently than a whole one.
 */
function visitStretch(text: string, start: number, runEnd: number, visitor: WordVisitor): number {
  const end = Math.min(runEnd, start + STRETCH)
  const sure = end === runEnd ? end : end - HELD_BACK
  let [at, wordLike] = [start, false]
  const visitUpTo = (next: number): void => {
    if (wordLike) visitTerm(text.slice(at, next), at, next, visitor)
    at = next
  }
  for (const { index, isWordLike } of wordSegmenter().segment(text.slice(start, end))) {
    visitUpTo(start + index)
    if (at >= sure) return at
    wordLike = isWordLike === true
  }
  visitUpTo(end)
  return end
}
