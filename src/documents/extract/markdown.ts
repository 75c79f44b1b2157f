import { cleanLine } from './clean-text.js'
import type { ExtractedText, Heading, ReadLimits } from './extracted.js'
import { readText } from './plain-text.js'

/** Keeps the text with its Markdown syntax, and finds its headings. */
export function readMarkdown(bytes: Uint8Array, limits: ReadLimits): ExtractedText {
  const text = readText(bytes, limits)
  const front = frontMatterOf(text)
  const headings = [...headingsIn(text, front.length)]
  const named = cleanLine(/^title:[ \t]*(.{1,500})$/m.exec(front)?.[1]?.replace(/^(["'])(.*)\1\s*$/, '$2'))
  const first = headings[0]
  return {
    mediaType: 'text/markdown',
    text,
    title: named ?? (first === undefined ? null : cleanLine(text.slice(first.start, first.end))),
    pages: [],
    headings,
    about: {},
    state: 'complete',
  }
}

function frontMatterOf(text: string): string {
  if (!text.startsWith('---\n')) return ''
  const end = text.indexOf('\n---\n', 3)
  return end < 0 || end > 65_536 ? '' : text.slice(0, end + 5)
}

/** The range of a heading covers its words without the Markdown marks. */
function* headingsIn(text: string, from: number): Generator<Heading> {
  let fence: string | null = null
  let before = { start: from, line: '' }
  for (const { start, line } of linesOf(text, from)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null
      before = { start, line: '' }
      continue
    }
    if (mark !== undefined) fence = mark
    const hashes = /^ {0,3}(#{1,6})(?=[ \t])/.exec(line)
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1]
    if (hashes !== null) {
      const words = withoutClosing(line.slice(hashes[0].length))
      const at = start + hashes[0].length + words.length - words.trimStart().length
      if (words.trim() !== '')
        yield { start: at, end: at + words.trim().length, level: (hashes[1] ?? '').length }
      before = { start, line: '' }
      continue
    }
    if (underline !== undefined && /^ {0,3}[^\s>#|*+-]/.test(before.line)) {
      const at = before.start + before.line.length - before.line.trimStart().length
      yield { start: at, end: at + before.line.trim().length, level: underline.startsWith('=') ? 1 : 2 }
      before = { start, line: '' }
      continue
    }
    before = { start, line }
  }
}

/** Removes closing hashes as in `# Words #`, which only count as such after a space. */
function withoutClosing(words: string): string {
  const trimmed = words.trimEnd()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  return end === 0 || /[ \t]/.test(trimmed[end - 1] ?? '') ? trimmed.slice(0, end) : trimmed
}

function* linesOf(text: string, from: number): Generator<{ start: number; line: string }> {
  let start = from
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    // A line this long cannot be a heading.
    yield { start, line: end - start > 2_000 ? '' : text.slice(start, end) }
    start = end + 1
  }
}
