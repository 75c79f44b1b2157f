import { Parser } from 'htmlparser2'
import { cleanAbout, cleanLine } from './clean-text.js'
import { type ExtractedText, type ReadLimits, UnreadableFile } from './extracted.js'
import { readText } from './plain-text.js'
import { TextFlow } from './text-flow.js'

const UNSEEN = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'iframe',
  'object',
  'canvas',
  'head',
])
const PARAGRAPHS = new Set(
  'article blockquote dl fieldset figure form hr main menu nav ol p section table ul'.split(' '),
)
const LINES = new Set(
  (
    'address aside body caption center dd details dialog div dt figcaption footer header hgroup html legend li ' +
    'option summary'
  ).split(' '),
)

export function readHtml(bytes: Uint8Array, limits: ReadLimits): ExtractedText {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1')
  const declared = /<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)\s*=\s*["']?([\w:.-]{1,40})/i.exec(
    start,
  )
  return {
    mediaType: 'text/html',
    pages: [],
    state: 'complete',
    ...htmlText(readText(bytes, limits, declared?.[1]), limits),
  }
}

/** Extracts the text that a browser would show. */
export function htmlText(
  html: string,
  limits: ReadLimits,
): Pick<ExtractedText, 'text' | 'title' | 'headings' | 'about'> {
  const flow = new TextFlow(limits.characters)
  const about: Record<string, unknown> = {}
  let title = ''
  let inTitle = false
  let depth = 0
  /** The depth of the outermost hidden element that is open. */
  let unseen: number | null = null
  let preformatted = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > limits.depth) throw new UnreadableFile('damaged', 'is nested too deeply')
        if (name === 'title' && title === '') inTitle = true
        if (name === 'meta') note(about, attributes)
        if (unseen !== null) return
        if (UNSEEN.has(name) || isHidden(attributes)) unseen = depth
        else if (name === 'br') flow.break('line')
        else if (name === 'td' || name === 'th') cells.at(-1)?.()
        else if (name === 'tr') openRow()
        else if (/^h[1-6]$/.test(name)) flow.openHeading(Number(name[1]))
        else if (name === 'pre') {
          flow.break('paragraph')
          preformatted++
        } else separate(name)
      },
      ontext(text) {
        if (inTitle && title.length < 2_000) title += text
        if (unseen !== null || inTitle) return
        if (preformatted > 0) flow.verbatim(text)
        else flow.write(text)
      },
      onclosetag(name) {
        const at = depth--
        if (name === 'title') inTitle = false
        if (unseen !== null) {
          if (at === unseen) unseen = null
          return
        }
        if (name === 'pre') {
          preformatted--
          flow.break('paragraph')
        } else if (/^h[1-6]$/.test(name)) flow.closeHeading()
        else if (name === 'tr') closeRow()
        else separate(name)
      },
    },
    { decodeEntities: true },
  )
  /** For each open row, a function that starts its next cell. */
  const cells: (() => void)[] = []
  const openRow = () => {
    flow.openRow()
    let first = true
    cells.push(() => {
      if (!first) flow.cell()
      first = false
    })
  }
  const closeRow = () => {
    cells.pop()
    flow.closeRow()
  }
  const separate = (name: string) => {
    if (PARAGRAPHS.has(name)) flow.break('paragraph')
    else if (LINES.has(name)) flow.break('line')
  }
  // The HTML is parsed in one piece, because splitting it could cut a character in half.
  parser.end(html)
  const { text, headings } = flow.finish()
  const first = headings[0]
  return {
    text,
    headings,
    title: cleanLine(title) ?? (first === undefined ? null : cleanLine(text.slice(first.start, first.end))),
    about: cleanAbout(about),
  }
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  if ('hidden' in attributes) return true
  const style = attributes.style
  return style !== undefined && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style.slice(0, 2_000))
}

const NOTED = new Set(['author', 'description', 'keywords', 'date', 'generator'])

function note(about: Record<string, unknown>, { name, content }: Readonly<Record<string, string>>): void {
  const key = name?.toLowerCase()
  if (key !== undefined && NOTED.has(key)) about[key] ??= content
}
