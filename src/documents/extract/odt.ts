import { cleanLine } from './clean-text.js'
import { properties } from './docx.js'
import { type ExtractedText, type ReadLimits, UnreadableFile } from './extracted.js'
import { TextFlow } from './text-flow.js'
import { type Attributes, attribute, readXml } from './xml.js'
import { ODF_BODY, unzip } from './zip.js'

const META = 'meta.xml'

/** Elements of OpenDocument that are no text of the document: remarks, changes that were made, and what it is built from. */
const UNSEEN = new Set([
  'annotation',
  'tracked-changes',
  'forms',
  'sequence-decls',
  'automatic-styles',
  'tracked-change',
])

/** Extracts headings, paragraphs, lists and tables of an OpenDocument text; notes stand where they are referred to. */
export function readOdt(bytes: Uint8Array, limits: ReadLimits): ExtractedText {
  const files = unzip(bytes, [ODF_BODY, META], limits)
  const flow = new TextFlow(limits.characters)
  if (!new OpenText(flow).read(files[ODF_BODY], limits))
    throw new UnreadableFile('damaged', 'its text part is cut off')
  const { text, headings } = flow.finish()
  const { title, ...about } = properties(files[META], limits)
  const first = headings[0]
  return {
    mediaType: 'application/vnd.oasis.opendocument.text',
    text,
    title: title ?? (first === undefined ? null : cleanLine(text.slice(first.start, first.end))),
    pages: [],
    headings,
    about,
    state: 'complete',
  }
}

class OpenText {
  readonly #flow: TextFlow
  #unseen = 0
  /** How many elements are open in which white space and text count. */
  #paragraphs = 0
  #cells = 0
  #firstCell = true
  #tables = 0
  #inHeading = false

  constructor(flow: TextFlow) {
    this.#flow = flow
  }

  read(bytes: Uint8Array | undefined, limits: ReadLimits): boolean {
    return readXml(bytes, limits, {
      open: (name, attributes) => this.#open(name, attributes),
      text: text => {
        if (this.#unseen === 0 && this.#paragraphs > 0) this.#flow.write(text)
      },
      close: name => this.#close(name),
    })
  }

  #open(name: string, attributes: Attributes): void {
    if (UNSEEN.has(name)) this.#unseen++
    if (this.#unseen > 0) return
    switch (name) {
      case 'table':
        if (this.#tables++ === 0) this.#flow.break('paragraph')
        break
      case 'table-row':
        if (this.#tables === 1) {
          this.#firstCell = true
          this.#flow.openRow()
        }
        break
      case 'table-cell':
        if (this.#cells++ > 0) this.#flow.write(' ')
        else if (this.#firstCell) this.#firstCell = false
        else this.#flow.cell()
        break
      case 'h':
        this.#paragraphs++
        this.#separate()
        if (this.#cells === 0 && this.#paragraphs === 1) {
          this.#inHeading = true
          this.#flow.openHeading(levelOf(attribute(attributes, 'outline-level')))
        }
        break
      case 'p':
        // A paragraph within another is that of a note, which stays in its sentence.
        if (this.#paragraphs++ === 0) this.#separate()
        else this.#flow.write(' ')
        break
      case 'note':
        this.#flow.write(' [')
        break
      case 's':
      case 'tab':
        this.#flow.write(' ')
        break
      case 'line-break':
        if (this.#cells > 0) this.#flow.write(' ')
        else this.#flow.break('line')
        break
    }
  }

  #close(name: string): void {
    if (UNSEEN.has(name)) {
      this.#unseen--
      return
    }
    if (this.#unseen > 0) return
    switch (name) {
      case 'table':
        if (--this.#tables === 0) this.#flow.break('paragraph')
        break
      case 'table-row':
        if (this.#tables === 1) this.#flow.closeRow()
        break
      case 'table-cell':
        this.#cells--
        break
      case 'h':
        this.#paragraphs--
        if (this.#inHeading) this.#flow.closeHeading()
        this.#inHeading = false
        break
      case 'p':
        if (--this.#paragraphs === 0) this.#separate()
        break
      case 'note':
        this.#flow.write('] ')
        break
    }
  }

  /** Paragraphs inside a table cell stay on one line. */
  #separate(): void {
    if (this.#cells > 0) this.#flow.write(' ')
    else this.#flow.break('paragraph')
  }
}

function levelOf(value: string | undefined): number {
  const level = Number(value)
  return Number.isInteger(level) && level >= 1 && level <= 10 ? level : 1
}
