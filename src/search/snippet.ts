import { eachToken } from './tokenize.js'

/** An excerpt of a text: `text` is the source from `start` to `end`. Highlights are offsets into `text`. */
export interface Passage {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly highlights: [number, number][]
}

export interface TextSnippet {
  /** In the order of the text. */
  readonly passages: Passage[]
  /** The same, best first. */
  readonly bestFirst: Passage[]
  /** Whether any word matches, even if none fits into a passage. */
  readonly matches: boolean
}

/** What a word of a text stands for: a term of the question, and how much it says, by its rarity. */
export interface WordMeant {
  readonly term: string
  readonly weight: number
}

/** Finds what a word stands for; nothing if it does not match. */
export type MeantWords = Pick<ReadonlyMap<string, WordMeant>, 'get'>

/** A matching word. Words that stand for the same term have the same number. */
interface Hit {
  readonly word: number
  readonly weight: number
  readonly start: number
  readonly end: number
}

interface Range {
  readonly start: number
  readonly end: number
}

interface Words {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly hits: readonly Hit[]
}

/**
 * Chooses the passages of a text that show best why it matches: those with the most different matching terms, where
 * rare ones weigh more, then those with the most matching words, then the earliest. What the title says already is not
 * counted as different. Passages do not overlap. Highlights are offsets, never markup. Without a match, the snippet is
 * the beginning of the text.
 *
 * @example
 * makeSnippet('The shed is behind the garden.', new Map([['garden', { term: 'garden', weight: 1 }]])).passages
 */
export function makeSnippet(
  text: string,
  meant: MeantWords,
  { passages = 2, length = 200 }: { passages?: number; length?: number } = {},
  title = '',
): TextSnippet {
  const numbers = new Map<string, number>()
  const shown = new Set(findWords(title, meant, numbers).hits.map(({ word }) => word))
  const words = findWords(text, meant, numbers)
  const fitting = words.hits.filter(({ start, end }) => end - start <= length)
  const chosen: Range[] = []
  let gaps: Range[] = [{ start: 0, end: text.length }]
  while (chosen.length < passages) {
    const best = bestWindow(fitting, gaps, shown, length)
    if (best === null) break
    const range = widen(text, words, best.core, best.gap, length)
    chosen.push(range)
    gaps = gaps.flatMap(gap => (gap === best.gap ? split(gap, range) : [gap]))
    for (const { word } of hitsWithin(fitting, range)) shown.add(word)
  }
  if (chosen.length === 0 && passages > 0) chosen.push(beginning(text, words, length))
  const bestFirst = chosen
    .filter(({ start, end }) => start < end)
    .map(range => toPassage(text, range, fitting))
  return {
    passages: bestFirst.toSorted((a, b) => a.start - b.start),
    bestFirst,
    matches: words.hits.length > 0,
  }
}

/** The ranges of the matching words, for a title that is shown whole. */
export function highlightsOf(text: string, meant: MeantWords): [number, number][] {
  return findWords(text, meant, new Map()).hits.map(({ start, end }) => [start, end])
}

/** The words of a text, and those that match. Terms are numbered as they are met. */
function findWords(text: string, meant: MeantWords, numbers: Map<string, number>): Words {
  const starts: number[] = []
  const ends: number[] = []
  const hits: Hit[] = []
  eachToken(text, (term, start, end) => {
    starts.push(start)
    ends.push(end)
    const means = meant.get(term)
    if (means === undefined) return
    const word = numbers.get(means.term) ?? numbers.size
    numbers.set(means.term, word)
    hits.push({ word, weight: Math.round(means.weight * WEIGHT_STEPS), start, end })
  })
  return { starts, ends, hits }
}

/** Weights are added as whole numbers, so that a sum does not depend on its order. */
const WEIGHT_STEPS = 1_000

/**
 * Finds the best window: in each gap, it slides from hit to hit and extends as far as the length allows. Words that
 * an earlier passage already shows do not count as different ones.
 */
function bestWindow(
  hits: readonly Hit[],
  gaps: readonly Range[],
  shown: ReadonlySet<number>,
  length: number,
): { core: Range; gap: Range } | null {
  let best: { core: Range; gap: Range; different: number; count: number } | null = null
  for (const gap of gaps) {
    const inside = hitsWithin(hits, gap)
    const counts = new Map<number, number>()
    let [last, different] = [0, 0]
    for (const [first, { word, weight, start }] of inside.entries()) {
      for (let next = inside[last]; next !== undefined && next.end - start <= length; next = inside[++last]) {
        const count = counts.get(next.word) ?? 0
        counts.set(next.word, count + 1)
        if (count === 0 && !shown.has(next.word)) different += next.weight
      }
      const count = last - first
      if (
        best === null ||
        different > best.different ||
        (different === best.different && count > best.count)
      ) {
        best = { core: { start, end: inside[last - 1]?.end ?? start }, gap, different, count }
      }
      const left = (counts.get(word) ?? 0) - 1
      counts.set(word, left)
      if (left === 0 && !shown.has(word)) different -= weight
    }
  }
  return best
}

/** Extends a range equally on both sides up to the length, without cutting words in half. */
function widen(text: string, words: Words, core: Range, gap: Range, length: number): Range {
  const room = length - (core.end - core.start)
  const earliest = Math.max(gap.start, core.start - Math.floor(room / 2))
  const latest = Math.min(gap.end, earliest + length)
  const from = Math.max(gap.start, latest - length)
  return {
    start: Math.min(core.start, forward(text, words, from)),
    end: Math.max(core.end, backward(text, words, latest)),
  }
}

function beginning(text: string, words: Words, length: number): Range {
  const start = forward(text, words, 0)
  const cut = Math.min(text.length, start + length)
  const end = backward(text, words, cut)
  // If the first word is longer than the passage, it has to be cut.
  return { start, end: end > start ? end : inPair(text, cut) ? cut - 1 : cut }
}

/** The first offset from here on where a passage may begin: not within a word, and not at white space. */
function forward(text: string, words: Words, from: number): number {
  let at = wordAround(words, from)?.end ?? (inPair(text, from) ? from + 1 : from)
  while (at < text.length && WHITE.test(text.charAt(at))) at++
  return at
}

/** The last offset up to here where a passage may end. */
function backward(text: string, words: Words, to: number): number {
  let at = wordAround(words, to)?.start ?? (inPair(text, to) ? to - 1 : to)
  while (at > 0 && WHITE.test(text.charAt(at - 1))) at--
  return at
}

const WHITE = /\s/

/** The word that a cut at this offset would split. */
function wordAround({ starts, ends }: Words, at: number): Range | null {
  const after = firstWhere(starts.length, word => (starts[word] ?? 0) >= at)
  const start = starts[after - 1]
  const end = ends[after - 1]
  return start !== undefined && end !== undefined && end > at ? { start, end } : null
}

function inPair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff
}

function hitsWithin(hits: readonly Hit[], { start, end }: Range): readonly Hit[] {
  const first = firstWhere(hits.length, at => (hits[at]?.start ?? 0) >= start)
  const after = firstWhere(hits.length, at => (hits[at]?.end ?? 0) > end)
  return hits.slice(first, Math.max(first, after))
}

/** Binary search: `holds` must be false up to some index and true from there on. */
function firstWhere(length: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

const split = (gap: Range, { start, end }: Range): Range[] => [
  { start: gap.start, end: start },
  { start: end, end: gap.end },
]

function toPassage(text: string, range: Range, hits: readonly Hit[]): Passage {
  const { start, end } = range
  const highlights = hitsWithin(hits, range).map((hit): [number, number] => [
    hit.start - start,
    hit.end - start,
  ])
  return { text: text.slice(start, end), start, end, highlights }
}
