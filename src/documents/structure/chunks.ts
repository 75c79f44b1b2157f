import { sentenceStarts } from '../../search/sentences.js'
import { firstAfter, isCapitals, isSpace, lastBefore, skipSpace } from './lines.js'

/** Target and maximum length of a chunk, in UTF-16 code units, not counting white space at its ends. */
export const CHUNK_TARGET = 1_200
export const CHUNK_MOST = 2_000
const CHUNK_LEAST = 400

/** A chunk of a document: the text from `start` to `end`, within one part. */
export interface Chunk {
  readonly start: number
  readonly end: number
  /** The index of its part in the list of parts. */
  readonly part: number
  /** The number of the page on which it begins, if the format has pages. */
  readonly page: number | null
  /** The further pages that it goes on on, and where they begin. */
  readonly turns: readonly { readonly page: number; readonly start: number }[]
}

interface Range {
  readonly start: number
  readonly end: number
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Splits a text into chunks that partition it, each within one part. A chunk ends with its page, so that a citation can
 * name one page, unless a paragraph goes on on the next page. White space belongs to the chunk before it; leading white space belongs to the first chunk. White space does
 * not count towards the length, so a long run of blanks makes no chunk. Each cut looks at a bounded stretch of text,
 * so the total time is linear.
 */
export function cutIntoChunks(
  text: string,
  parts: readonly Range[],
  {
    pages,
    headings,
  }: { pages: readonly (Range & { readonly number: number })[]; headings: readonly Range[] },
): Chunk[] {
  const chunks: Chunk[] = []
  const cutter = new Cutter(text, headings)
  const pageOf = pageFinder(pages)
  for (const [part, range] of parts.entries())
    for (const { start, end } of cutter.onPages(range, pages)) {
      let written = end
      while (written > start && isSpace(text.charCodeAt(written - 1))) written--
      for (let at = start; at < end; ) {
        const begins = skipSpace(text, at, end)
        const next = cutter.next(begins, written, end)
        const page = pageOf(begins === end ? at : begins)
        chunks.push({ start: at, end: next, part, page, turns: turnsWithin(pages, begins, next) })
        at = next
      }
    }
  return chunks
}

/**
 * Finds the page of a position: the last page that begins at or before it. Positions must be asked for in ascending
 * order.
 */
function pageFinder(pages: readonly (Range & { readonly number: number })[]) {
  let place = 0
  return (at: number): number | null => {
    while ((pages[place + 1]?.start ?? Number.POSITIVE_INFINITY) <= at) place++
    return pages[place]?.number ?? null
  }
}

/** The pages that begin inside a range. Empty pages are none. */
function turnsWithin(
  pages: readonly (Range & { readonly number: number })[],
  from: number,
  to: number,
): Chunk['turns'] {
  const turns: { page: number; start: number }[] = []
  for (let page = firstAfter(pages, from); (pages[page]?.start ?? to) < to; page++) {
    const { start, end, number } = pages[page] as (typeof pages)[number]
    if (start < end) turns.push({ page: number, start })
  }
  return turns
}

class Cutter {
  readonly #text: string
  readonly #headings: readonly Range[]

  constructor(text: string, headings: readonly Range[]) {
    this.#text = text
    // Text longer than a chunk is not a heading, and could not stay whole.
    this.#headings = headings
      .filter(({ start, end }) => end - start <= CHUNK_MOST)
      .toSorted((a, b) => a.start - b.start)
  }

  /**
   * Splits a range at page breaks, but where a paragraph goes on. White space before a page belongs to the page before
   * it, and empty pages are skipped.
   */
  *onPages({ start, end }: Range, pages: readonly Range[]): Generator<Range> {
    let from = start
    for (const { start: turns } of pages) {
      if (turns >= end) break
      if (turns <= from || skipSpace(this.#text, from, turns) === turns) continue
      if (this.#text.charCodeAt(turns - 1) === 32) continue
      const next = skipSpace(this.#text, turns, end)
      if (next === end) break
      // A page break counts only after white space; anywhere else it would split a word.
      if (!isSpace(this.#text.charCodeAt(next - 1)) || !this.#betweenGraphemes(next - 1, next)) continue
      yield { start: from, end: next }
      from = next
    }
    if (from < end) yield { start: from, end }
  }

  /**
   * Where the chunk that begins at `start` ends, including the white space after it. `last` is the end of the last
   * word of the part.
   */
  next(start: number, last: number, end: number): number {
    const left = last - start
    if (left <= CHUNK_TARGET * 1.25) return end
    const aim = start + Math.min(CHUNK_TARGET, Math.ceil(left / 2))
    const from = start + CHUNK_LEAST
    const to = Math.min(start + CHUNK_MOST, last - CHUNK_LEAST)
    const paragraph = this.#paragraphEnd(from, to, aim, end)
    if (paragraph !== null) return paragraph
    if (left <= CHUNK_MOST) return end
    return (
      this.#sentenceEnd(start, from, to, aim, end) ??
      this.#lineEnd(from, to, aim, end) ??
      this.#wordEnd(start, from, to, aim, end) ??
      this.#letterEnd(start, to, end)
    )
  }

  /** The paragraph end nearest to the target. A heading stays with the text that follows it. */
  #paragraphEnd(from: number, to: number, aim: number, end: number): number | null {
    return this.#nearest(from, to, aim, end, (written, next) => {
      const lines = newlines(this.#text, written, next)
      if (lines === 0 || this.#cutsHeading(next)) return false
      return (lines > 1 && !this.#looksLikeHeading(written)) || this.#beginsHeading(next)
    })
  }

  #lineEnd(from: number, to: number, aim: number, end: number): number | null {
    return this.#nearest(
      from,
      to,
      aim,
      end,
      (written, next) => newlines(this.#text, written, next) > 0 && !this.#cutsHeading(next),
    )
  }

  /** The acceptable gap between words that is nearest to the target. */
  #nearest(
    from: number,
    to: number,
    aim: number,
    end: number,
    isGood: (written: number, next: number) => boolean,
  ): number | null {
    let best: number | null = null
    let nearest = Number.POSITIVE_INFINITY
    for (let at = from; at <= to; at++) {
      if (!isSpace(this.#text.charCodeAt(at)) || isSpace(this.#text.charCodeAt(at - 1))) continue
      const distance = Math.abs(at - aim)
      if (distance >= nearest) continue
      const next = skipSpace(this.#text, at, end)
      if (!isGood(at, next) || !this.#betweenGraphemes(from, next)) continue
      best = next
      nearest = distance
    }
    return best
  }

  #sentenceEnd(start: number, from: number, to: number, aim: number, end: number): number | null {
    const window = this.#text.slice(start, Math.min(end, to + 1))
    const ends = sentenceStarts(window).flatMap(index => (start + index >= from ? [start + index] : []))
    ends.sort((a, b) => Math.abs(a - aim) - Math.abs(b - aim) || a - b)
    for (const at of ends) {
      const next = skipSpace(this.#text, at, end)
      if (!this.#cutsHeading(next) && this.#betweenGraphemes(start, next)) return next
    }
    return null
  }

  /** The start of the word at the target, or its end if the word is long. */
  #wordEnd(start: number, from: number, to: number, aim: number, end: number): number | null {
    const word = words.segment(this.#text.slice(start, to + 1)).containing(aim - start)
    if (word === undefined) return null
    const begins = start + word.index
    for (const at of [begins, begins + word.segment.length]) {
      const next = skipSpace(this.#text, at, end)
      if (at >= from && at <= to && this.#betweenGraphemes(start, next)) return next
    }
    return null
  }

  /** Splits a word that is longer than a chunk between graphemes, and a grapheme that long between characters. */
  #letterEnd(start: number, to: number, end: number): number {
    const window = graphemes.segment(this.#text.slice(start, Math.min(end, to + 16)))
    const at = start + (window.containing(to - start)?.index ?? 0)
    if (at > start) return skipSpace(this.#text, at, end)
    return isHighSurrogate(this.#text.charCodeAt(to - 1)) ? to - 1 : to
  }

  #betweenGraphemes(from: number, at: number): boolean {
    const [before, after] = [this.#text.charCodeAt(at - 1), this.#text.charCodeAt(at)]
    if (before === 10 || (before < 0x300 && after < 0x300)) return true
    const near = Math.max(from, at - CHUNK_MOST)
    const window = this.#text.slice(near, at + 16)
    return graphemes.segment(window).containing(at - near)?.index === at - near
  }

  /** Whether a cut here would separate a heading from the text that follows it, or split the heading. */
  #cutsHeading(next: number): boolean {
    const heading = lastBefore(this.#headings, next - 1)
    if (heading === undefined) return false
    return heading.end >= next || skipSpace(this.#text, heading.end, next) === next
  }

  #beginsHeading(next: number): boolean {
    const heading = lastBefore(this.#headings, next)
    if (heading === undefined || heading.end <= next) return false
    return skipSpace(this.#text, heading.start, next) === next
  }

  /** Whether the line that ends here looks like a heading: short, in capitals or numbered, and not a sentence. */
  #looksLikeHeading(written: number): boolean {
    const line = this.#text.slice(Math.max(0, written - 120), written).split('\n')
    const last = line.at(-1) as string
    if (line.length === 1 && written > 120) return false
    if (/[.!?:;,"”)]$/.test(last)) return /^\s*(?:[IVX]{1,5}|[A-Z]|\d{1,2})\.$/.test(last)
    return isCapitals(last) || /^\s*(?:[IVX]{1,5}|[A-Z]|\d{1,2})[.)]\s+\p{Lu}/u.test(last)
  }
}

function newlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 10) count++
  return count
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
