import { cleanAbout, cleanLine } from './clean-text.js'
import { type ExtractedText, type ReadLimits, UnreadableFile } from './extracted.js'
import { TextFlow } from './text-flow.js'
import { type Attributes, attribute, readXml } from './xml.js'
import { DOCX_BODY, unzip } from './zip.js'

const STYLES = 'word/styles.xml'
const NOTES = ['word/footnotes.xml', 'word/endnotes.xml'] as const
export const PROPERTIES = 'docProps/core.xml'

/** Extracts headings, paragraphs and tables in order, then the notes. Headers, footers and comments are left out. */
export function readDocx(bytes: Uint8Array, limits: ReadLimits): ExtractedText {
  const files = unzip(bytes, [DOCX_BODY, STYLES, PROPERTIES, ...NOTES], limits)
  const body = files[DOCX_BODY]
  if (body === undefined) throw new UnreadableFile('damaged', 'holds no text part')
  const flow = new TextFlow(limits.characters)
  const text_ = new WordText(flow, headingStyles(files[STYLES], limits))
  if (!text_.read(body, limits)) throw new UnreadableFile('damaged', 'its text part is cut off')
  for (const name of NOTES) new WordText(flow, new Map()).read(files[name], limits)
  const { text, headings } = flow.finish()
  const { title, ...about } = properties(files[PROPERTIES], limits)
  const first = headings[0]
  return {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    text,
    title: title ?? (first === undefined ? null : cleanLine(text.slice(first.start, first.end))),
    pages: [],
    headings,
    about,
    state: 'complete',
  }
}

/** Elements that Word does not show as text: deleted or moved text, fallback drawings and field codes. */
const UNSEEN = new Set(['del', 'moveFrom', 'Fallback', 'instrText', 'delText'])

class WordText {
  readonly #flow: TextFlow
  readonly #styles: ReadonlyMap<string, number>
  #unseen = 0
  #run = { open: false, hidden: false }
  #inText = false
  #tables = 0
  #cells = 0
  #firstCell = true
  #paragraphs = 0
  #heading = false
  /** The number of the current note, which is written before its text. */
  #note: string | null = null

  constructor(flow: TextFlow, styles: ReadonlyMap<string, number>) {
    this.#flow = flow
    this.#styles = styles
  }

  read(bytes: Uint8Array | undefined, limits: ReadLimits): boolean {
    return readXml(bytes, limits, {
      open: (name, attributes) => this.#open(name, attributes),
      text: text => this.#text(text),
      close: name => this.#close(name),
    })
  }

  #open(name: string, attributes: Attributes): void {
    if (UNSEEN.has(name)) this.#unseen++
    if (this.#unseen > 0) return
    switch (name) {
      case 'tbl':
        if (this.#tables++ === 0) this.#flow.break('paragraph')
        break
      case 'tr':
        if (this.#tables === 1) {
          this.#firstCell = true
          this.#flow.openRow()
        }
        break
      case 'tc':
        if (this.#cells++ > 0) this.#flow.write(' ')
        else if (this.#firstCell) this.#firstCell = false
        else this.#flow.cell()
        break
      case 'p':
        this.#paragraphs++
        this.#separate()
        break
      case 'pStyle':
        this.#style(this.#styles.get(attribute(attributes, 'val') ?? ''))
        break
      case 'outlineLvl':
        this.#style(levelOf(attribute(attributes, 'val')))
        break
      case 'r':
        this.#run = { open: true, hidden: false }
        break
      case 'vanish':
        if (this.#run.open) this.#run.hidden = !/^(?:0|false|off)$/.test(attribute(attributes, 'val') ?? '')
        break
      case 't':
        this.#inText = true
        break
      case 'tab':
        // In the properties of a paragraph, `tab` defines a tab stop and is not a tab.
        if (this.#run.open) this.#flow.write(' ')
        break
      case 'br':
      case 'cr':
        if (this.#cells > 0) this.#flow.write(' ')
        else this.#flow.break('line')
        break
      case 'noBreakHyphen':
        this.#flow.write('-')
        break
      case 'footnoteReference':
      case 'endnoteReference':
        this.#flow.write(`[${noteMark(name, attributes)}]`)
        break
      case 'footnote':
      case 'endnote':
        this.#note = attribute(attributes, 'type') === undefined ? noteMark(name, attributes) : null
        break
    }
  }

  #text(text: string): void {
    if (!this.#inText || this.#unseen > 0 || this.#run.hidden) return
    if (this.#note !== null) this.#flow.write(`[${this.#note}] `)
    this.#note = null
    this.#flow.write(text)
  }

  #close(name: string): void {
    if (UNSEEN.has(name)) {
      this.#unseen--
      return
    }
    if (this.#unseen > 0) return
    switch (name) {
      case 'tbl':
        if (--this.#tables === 0) this.#flow.break('paragraph')
        break
      case 'tr':
        if (this.#tables === 1) this.#flow.closeRow()
        break
      case 'tc':
        this.#cells--
        break
      case 'p':
        this.#paragraphs--
        if (this.#heading) this.#flow.closeHeading()
        this.#heading = false
        this.#separate()
        break
      case 'r':
        this.#run = { open: false, hidden: false }
        break
      case 't':
        this.#inText = false
        break
    }
  }

  /** Paragraphs inside a table cell stay on one line. */
  #separate(): void {
    if (this.#cells > 0) this.#flow.write(' ')
    else this.#flow.break('paragraph')
  }

  #style(level: number | undefined): void {
    if (level === undefined || this.#heading || this.#cells > 0 || this.#paragraphs !== 1) return
    this.#heading = true
    this.#flow.openHeading(level)
  }
}

const noteMark = (name: string, attributes: Attributes) =>
  `${name.startsWith('end') ? 'e' : ''}${(attribute(attributes, 'id') ?? '').slice(0, 10)}`

/** Outline levels count from 0, and 9 means body text. */
function levelOf(value: string | undefined): number | undefined {
  const level = Number(value ?? Number.NaN)
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : undefined
}

/** The level of each heading style, from its name, its outline level or the style that it is based on. */
function headingStyles(bytes: Uint8Array | undefined, limits: ReadLimits): ReadonlyMap<string, number> {
  const found = new Map<string, { level: number | undefined; basedOn: string | undefined }>()
  let style: { level: number | undefined; basedOn: string | undefined } | undefined
  readXml(bytes, limits, {
    open(name, attributes) {
      if (name === 'style') {
        style = { level: undefined, basedOn: undefined }
        found.set(attribute(attributes, 'styleId') ?? '', style)
      }
      if (style === undefined) return
      const value = attribute(attributes, 'val')
      if (name === 'name') style.level = levelOfName(value) ?? style.level
      if (name === 'outlineLvl') style.level ??= levelOf(value)
      if (name === 'basedOn') style.basedOn = value
    },
    close(name) {
      if (name === 'style') style = undefined
    },
  })
  const levels = new Map<string, number>()
  for (const id of found.keys()) {
    let at = found.get(id)
    for (let steps = 0; at !== undefined && at.level === undefined && steps < 20; steps++)
      at = found.get(at.basedOn ?? '')
    if (at?.level !== undefined) levels.set(id, at.level)
  }
  return levels
}

function levelOfName(name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  if (/^title$/i.test(name)) return 1
  const level = /^heading ([1-9])$/i.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

/** What the properties of a file say, by the names that they have here. */
const NOTED: Readonly<Record<string, string>> = {
  title: 'title',
  creator: 'author',
  subject: 'subject',
  keywords: 'keywords',
  description: 'description',
  lastModifiedBy: 'lastModifiedBy',
  created: 'created',
  modified: 'modified',
}

/** The properties of an office file. OpenDocument names some of them otherwise. */
export function properties(bytes: Uint8Array | undefined, limits: ReadLimits): Record<string, string> {
  const found: Record<string, string> = {}
  let current: string | undefined
  try {
    readXml(bytes, limits, {
      open(name) {
        current = Object.hasOwn(NOTED, name) ? NOTED[name] : undefined
      },
      text(text) {
        if (current !== undefined) found[current] = ((found[current] ?? '') + text).slice(0, 2_000)
      },
      close() {
        current = undefined
      },
    })
  } catch {
    // Unreadable metadata must not cost us the text of the file.
  }
  return cleanAbout(found)
}
