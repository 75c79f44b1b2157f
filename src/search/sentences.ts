const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Abbreviations whose full stop does not end a sentence: `Smith v. Jones`, `No. 5`, `J. Doe`. */
const ABBREVIATION =
  /(?:^|[\s([“"])(?:\p{L}|v|vs|Nos?|Mr|Mrs|Ms|Dr|Hon|St|Inc|Corp|Co|Ltd|Cir|Cal|Fed|Supp|App|Ex|Exs|Dkt|Art|Sec|Stat|Rev|Ct|Dist|Civ|Crim|Evid|cf|al|e\.g|i\.e|(?:\p{L}\.)+\p{L})\.\s*$/u

/**
 * Where the sentences of a text begin, in order, 0 first. A line break ends no sentence; an empty line does. Abbreviations
 * as lawyers write them end none either.
 */
export function sentenceStarts(text: string): number[] {
  const plain = text.replace(/\n(?!\s*\n)/g, ' ')
  const starts: number[] = []
  for (const { index } of sentences.segment(plain))
    if (index === 0 || !ABBREVIATION.test(plain.slice(Math.max(0, index - 16), index))) starts.push(index)
  return starts
}

/**
 * Widens a stretch to whole sentences, as far as it then has at most so many characters; otherwise it is narrowed to
 * whole words.
 */
export function toSentences(
  text: string,
  stretch: { readonly start: number; readonly end: number },
  most: number,
): { readonly start: number; readonly end: number } {
  const starts = sentenceStarts(text)
  const begins = starts.findLast(at => at <= stretch.start) ?? 0
  const ends = trimmedEnd(text, starts.find(at => at >= stretch.end) ?? text.length)
  const [start, end] = [skipSpaces(text, begins), Math.max(ends, stretch.end)]
  if (end - start <= most && start <= stretch.start) return { start, end }
  if (stretch.end - start <= most && start <= stretch.start) return { start, end: wordEnd(text, stretch.end) }
  if (end - stretch.start <= most) return { start: wordStart(text, stretch.start), end }
  return { start: wordStart(text, stretch.start), end: wordEnd(text, stretch.end) }
}

/** The first place at or after `at` where a word begins, unless a word begins or ends there. */
export function wordStart(text: string, at: number): number {
  if (at === 0 || /\s/u.test(text.charAt(at - 1))) return skipSpaces(text, at)
  const space = text.slice(at).search(/\s/u)
  return space < 0 ? at : skipSpaces(text, at + space)
}

/** The last place at or before `at` where a word ends. */
export function wordEnd(text: string, at: number): number {
  if (at >= text.length || /\s/u.test(text.charAt(at))) return trimmedEnd(text, at)
  const head = text.slice(0, at)
  const end = trimmedEnd(head, Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n')))
  return end <= 0 ? at : end
}

function skipSpaces(text: string, at: number): number {
  let next = at
  while (next < text.length && /\s/u.test(text.charAt(next))) next++
  return next
}

function trimmedEnd(text: string, at: number): number {
  let end = at
  while (end > 0 && /\s/u.test(text.charAt(end - 1))) end--
  return end
}
