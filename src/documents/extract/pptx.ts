import { cleanLine } from './clean-text.js'
import { PROPERTIES, properties } from './docx.js'
import { type ExtractedText, type Page, type ReadLimits, UnreadableFile } from './extracted.js'
import { partsInOrder } from './office-parts.js'
import { TextFlow } from './text-flow.js'
import { attribute, readXml } from './xml.js'
import { PPTX_BODY, unzip, zipNames } from './zip.js'

const NOTES = /^ppt\/notesSlides\/notesSlide\d+\.xml$/

/** Extracts the slides of a presentation in their order, each as a page, with the notes of its speaker below it. */
export function readPptx(bytes: Uint8Array, limits: ReadLimits): ExtractedText {
  const names = zipNames(bytes)
  const slides = partsInOrder(bytes, limits, { body: PPTX_BODY, element: 'sldId', folder: 'ppt' })
  if (slides.length > limits.pages) throw new UnreadableFile('too_large', 'has too many pages')
  const relations = slides.map(({ path }) => relationsOf(path)).filter(path => names.has(path))
  const notes = [...names].filter(name => NOTES.test(name))
  const files = unzip(bytes, [...slides.map(({ path }) => path), ...relations, ...notes, PROPERTIES], limits)
  const flow = new TextFlow(limits.characters)
  const pages: Page[] = []
  for (const [at, { path }] of slides.entries()) {
    flow.break('paragraph')
    const start = flow.length
    const isWhole = readShapes(flow, files[path], limits)
    const spoken = notesOf(files[relationsOf(path)], limits)
    if (spoken !== null) readShapes(flow, files[spoken], limits, false)
    const state = !isWhole ? 'failed' : flow.length === start ? 'empty' : 'text'
    pages.push({ number: at + 1, start, end: flow.length, state })
  }
  const { text, headings } = flow.finish()
  const { title, ...about } = properties(files[PROPERTIES], limits)
  const first = headings[0]
  return {
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    text,
    title: title ?? (first === undefined ? null : cleanLine(text.slice(first.start, first.end))),
    // Pages have no gaps between them.
    pages: pages.map((page, at) => ({
      ...page,
      start: at === 0 ? 0 : page.start,
      end: pages[at + 1]?.start ?? text.length,
    })),
    headings,
    about,
    state: pages.some(({ state }) => state === 'failed') ? 'partial' : 'complete',
  }
}

const relationsOf = (path: string) => path.replace(/^(.*)\/([^/]+)$/, '$1/_rels/$2.rels')

/** The notes of a slide, by their path in the file. */
function notesOf(bytes: Uint8Array | undefined, limits: ReadLimits): string | null {
  let path: string | null = null
  readXml(bytes, limits, {
    open(name, attributes) {
      const target = attribute(attributes, 'Target')?.match(/notesSlide\d+\.xml$/)?.[0]
      if (name === 'Relationship' && target !== undefined) path = `ppt/notesSlides/${target}`
    },
    close() {},
  })
  return path
}

/** Writes the text of shapes and tables. Numbers of slides, dates and footers are left out. */
function readShapes(
  flow: TextFlow,
  bytes: Uint8Array | undefined,
  limits: ReadLimits,
  withTitles = true,
): boolean {
  let kind = ''
  let inText = false
  let cells = 0
  let isFirstCell = true
  let inHeading = false
  const isFurniture = () => ['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'].includes(kind)
  return readXml(bytes, limits, {
    open(name, attributes) {
      if (name === 'sp') kind = ''
      else if (name === 'ph') {
        kind = attribute(attributes, 'type') ?? 'body'
      } else if (name === 'tr') {
        isFirstCell = true
        flow.openRow()
      } else if (name === 'tc') {
        cells++
        if (isFirstCell) isFirstCell = false
        else flow.cell()
      } else if (name === 'p' && cells === 0 && !isFurniture()) {
        if (withTitles && (kind === 'title' || kind === 'ctrTitle')) {
          inHeading = true
          flow.openHeading(1)
        } else flow.break('paragraph')
      } else if (name === 't') inText = true
      else if (name === 'br') flow.write(' ')
    },
    text(text) {
      if (inText && !isFurniture()) flow.write(text)
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'tc') cells--
      else if (name === 'tr') flow.closeRow()
      else if (name === 'sp') kind = ''
      else if (name === 'p' && cells > 0) flow.write(' ')
      else if (name === 'p' && inHeading) {
        inHeading = false
        flow.closeHeading()
      }
    },
  })
}
