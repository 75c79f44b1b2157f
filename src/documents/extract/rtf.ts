import { TextDecoder } from 'node:util'
import { type ExtractedText, type ReadLimits, UnreadableFile } from './extracted.js'
import { TextFlow } from './text-flow.js'

/** Groups that hold no text of the document. A group that begins with `\*` is skipped as well. */
const SKIPPED = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'listtable',
  'listoverridetable',
  'info',
  'pict',
  'object',
  'header',
  'headerl',
  'headerr',
  'headerf',
  'footer',
  'footerl',
  'footerr',
  'footerf',
  'fldinst',
  'themedata',
  'datastore',
  'xmlnstbl',
])
const SPOKEN: Readonly<Record<string, string>> = {
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
}
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi

interface Group {
  readonly isSkipped: boolean
  /** How many characters stand for a Unicode character that an old reader does not know. */
  readonly substitutes: number
}

/** Extracts the text of a rich text file: paragraphs, tables by row, footnotes where they stand. */
export function readRtf(bytes: Uint8Array, limits: ReadLimits): ExtractedText {
  const flow = new TextFlow(limits.characters)
  const groups: Group[] = []
  let group: Group = { isSkipped: false, substitutes: 1 }
  let decoder = new TextDecoder('windows-1252')
  let pending = 0
  let isFirst = false
  let inRow = false
  const write = (text: string) => {
    const shown = text.slice(Math.min(pending, text.length))
    pending -= text.length - shown.length
    if (!group.isSkipped) flow.write(shown)
  }
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  for (const [, word, parameter, hex, symbol, brace, plain] of source.matchAll(TOKEN)) {
    const wasFirst = isFirst
    isFirst = false
    if (brace === '{') {
      if (groups.length > limits.depth) throw new UnreadableFile('damaged', 'is nested too deeply')
      groups.push(group)
      isFirst = true
    } else if (brace === '}') {
      group = groups.pop() ?? group
      pending = 0
    } else if (hex !== undefined) write(decoder.decode(Uint8Array.of(Number.parseInt(hex, 16))))
    else if (symbol !== undefined) {
      if (symbol === '*' && wasFirst) group = { ...group, isSkipped: true }
      else if (symbol === '~') write(' ')
      else if (symbol === '_') write('-')
      else if (/[\\{}]/.test(symbol)) write(symbol)
      else if (/[\r\n]/.test(symbol) && !group.isSkipped) flow.break('paragraph')
    } else if (word !== undefined) {
      const value = Number(parameter)
      if (wasFirst && SKIPPED.has(word)) group = { ...group, isSkipped: true }
      else if (word === 'ansicpg') decoder = decoderOf(value)
      else if (word === 'uc') group = { ...group, substitutes: value }
      else if (word === 'u') {
        if (!group.isSkipped) flow.write(String.fromCharCode(value < 0 ? value + 65_536 : value))
        pending = group.substitutes
      } else if (group.isSkipped) continue
      else if (SPOKEN[word] !== undefined) write(SPOKEN[word])
      else if (word === 'tab') flow.write(' ')
      else if (word === 'line') flow.break('line')
      else if (word === 'cell') {
        flow.cell()
        inRow = true
      } else if (word === 'row') {
        flow.closeRow()
        inRow = false
      } else if (['par', 'sect', 'page'].includes(word))
        if (inRow) flow.write(' ')
        else flow.break('paragraph')
    } else if (plain !== undefined) write(plain)
  }
  if (groups.length > 0) throw new UnreadableFile('damaged', 'its text is cut off')
  const { text, headings } = flow.finish()
  return {
    mediaType: 'application/rtf',
    text,
    title: null,
    pages: [],
    headings,
    about: {},
    state: 'complete',
  }
}

function decoderOf(page: number): TextDecoder {
  try {
    return new TextDecoder(page === 65_001 ? 'utf-8' : `windows-${page}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
