import { cleanExtractedText } from './clean-text.js'
import { linesInReadingOrder } from './page-columns.js'
import { furnitureOf, type PageFacts, withoutLineNumbers } from './page-furniture.js'
import { fragmentsOf, linesOfFragments, type PageItem, type PageLine } from './page-lines.js'
import { joinLines, type Paragraph, paragraphsOf, type Vocabulary, vocabularyOf } from './page-text.js'

/** The lines of a page in reading order, and those that are turned against them. */
export interface PageContent {
  readonly lines: readonly PageLine[]
  readonly turned: readonly PageLine[]
}

export function readPage(items: readonly PageItem[]): PageContent {
  const { upright, turned } = fragmentsOf(
    items.map(item => ({ ...item, str: cleanExtractedText(item.str).replaceAll('\n', ' ') })),
  )
  return {
    lines: linesInReadingOrder(withoutLineNumbers(upright)),
    turned: linesOfFragments(turned),
  }
}

/**
 * The text of each page: paragraphs with an empty line between them, footnotes last. What is printed around the text is
 * left out and told as facts. A paragraph that goes on on the next page goes on in the text.
 */
export function textsOf(pages: readonly PageContent[]): {
  readonly texts: readonly string[]
  readonly facts: readonly PageFacts[]
} {
  const furniture = furnitureOf(pages.map(({ lines }) => lines))
  const written = pages.map(({ lines }) => lines.filter(line => !furniture.lines.has(line)))
  const words = vocabularyOf(written)
  const paragraphs = written.map((lines, at) => [
    ...paragraphsOf(lines, words),
    ...paragraphsOf(pages[at]?.turned ?? [], words),
  ])
  const texts = paragraphs.map((page, at) => {
    const next = paragraphs[at + 1]
    const text = () => page.map(paragraph => paragraph.text).join('\n\n')
    if (next === undefined || page.length === 0) return text()
    const [last, first] = [page.at(-1), next[0]]
    if (last === undefined || first === undefined || !continues(last, first)) return `${text()}\n\n`
    return /[-‐\u00ad]$/u.test(last.text) ? joinWord(last, first, text, words) : `${text()} `
  })
  return { texts, facts: furniture.facts }
}

/** Whether a paragraph goes on on the next page: it ends with a full line in the middle of a sentence. */
function continues(last: Paragraph, first: Paragraph): boolean {
  if (last.isNote || first.isNote || !last.isOpen || !first.continues) return false
  return !/[.!?:;]["”’)\]]*(?:\[\d+\])?$/u.test(last.text) || /^\p{Ll}/u.test(first.text)
}

/** Gives a word that is cut by the end of a page to the page on which it begins. */
function joinWord(last: Paragraph, first: Paragraph, text: () => string, words: Vocabulary): string {
  const rest = /^\S+\s?/u.exec(first.text)?.[0] ?? ''
  first.text = first.text.slice(rest.length)
  last.text = joinLines(last.text, rest.trimEnd(), words)
  return `${text()} `
}
