import { getDocumentProxy } from 'unpdf'
import { cleanAbout } from './clean-text.js'
import {
  type ExtractedText,
  type Page,
  type PageState,
  type ReadLimits,
  UnreadableFile,
} from './extracted.js'
import type { PageItem } from './page-lines.js'
import { type PageContent, readPage, textsOf } from './page-texts.js'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>
type PdfOptions = NonNullable<Parameters<typeof getDocumentProxy>[1]>

const SAFE: PdfOptions = {
  verbosity: 0,
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  useWasm: false,
  enableXfa: false,
  // Images are never decoded; everything else on the page is.
  maxImageSize: 0,
}
/** With these options, drawing a page stops at its first image, however small. */
const STOP_AT_PICTURES: PdfOptions = { ...SAFE, stopAtErrors: true }

/** Reads the pages in order. A page that cannot be read is marked, and the others are still read. */
export async function readPdf(bytes: Uint8Array, limits: ReadLimits): Promise<ExtractedText> {
  const pdf = await open(bytes, SAFE)
  let pictures: Promise<Pdf> | undefined
  try {
    if (pdf.numPages > limits.pages) throw new UnreadableFile('too_large', 'has too many pages')
    const read: (PageContent | null)[] = []
    let length = 0
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await contentOf(pdf, number).catch(() => null)
      read.push(page)
      for (const { text } of [...(page?.lines ?? []), ...(page?.turned ?? [])]) length += text.length
      if (length > limits.characters) throw new UnreadableFile('too_large', 'holds too much text')
    }
    const { texts, facts } = textsOf(read.map(page => page ?? NO_CONTENT))
    const pages: Page[] = []
    let start = 0
    for (const [at, text] of texts.entries()) {
      let state: PageState = read[at] === null ? 'failed' : 'text'
      if (state === 'text' && text.trim() === '')
        try {
          pictures ??= open(bytes, STOP_AT_PICTURES)
          state = (await drawsPictures(pdf, await pictures, at + 1)) ? 'needs_ocr' : 'empty'
        } catch {
          state = 'failed'
        }
      pages.push({ number: at + 1, start, end: start + text.length, state, ...facts[at] })
      start += text.length
    }
    if (start > limits.characters) throw new UnreadableFile('too_large', 'holds too much text')
    if (pages.every(({ state }) => state === 'failed'))
      throw new UnreadableFile('damaged', 'none of its pages can be read')
    const { title, ...about } = await aboutOf(pdf)
    return {
      mediaType: 'application/pdf',
      text: texts.join(''),
      title: title ?? null,
      pages,
      headings: [],
      about,
      state: stateOf(pages),
    }
  } finally {
    await close(pdf)
    if (pictures !== undefined) await pictures.then(close, () => {})
  }
}

async function open(bytes: Uint8Array, options: PdfOptions): Promise<Pdf> {
  try {
    // pdf.js takes ownership of the buffer that it gets, so we pass a copy.
    return await getDocumentProxy(Uint8Array.from(bytes), options)
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'PasswordException')
      throw new UnreadableFile('encrypted', 'needs a password')
    throw new UnreadableFile('damaged', 'is not a whole PDF')
  }
}

const close = (pdf: Pdf) => pdf.loadingTask.destroy().catch(() => {})

const NO_CONTENT: PageContent = { lines: [], turned: [] }

async function contentOf(pdf: Pdf, number: number): Promise<PageContent> {
  const page = await pdf.getPage(number)
  const { items }: { items: (PageItem | object)[] } = await page.getTextContent()
  page.cleanup()
  return readPage(items.filter((item): item is PageItem => 'str' in item))
}

/** Whether a page has images: it then draws more when images are skipped than when drawing stops at them. */
async function drawsPictures(pdf: Pdf, stopping: Pdf, number: number): Promise<boolean> {
  const drawn = async (from: Pdf): Promise<number> =>
    (await (await from.getPage(number)).getOperatorList()).fnArray.length
  return (await drawn(stopping)) < (await drawn(pdf))
}

function stateOf(pages: readonly Page[]): ExtractedText['state'] {
  if (pages.some(({ state }) => state === 'failed')) return 'partial'
  return pages.some(({ state }) => state === 'needs_ocr') ? 'needs_ocr' : 'complete'
}

async function aboutOf(pdf: Pdf): Promise<Record<string, string>> {
  try {
    const info = (await pdf.getMetadata()).info as Record<string, unknown>
    return cleanAbout({
      title: info.Title,
      author: info.Author,
      subject: info.Subject,
      keywords: info.Keywords,
      creator: info.Creator,
      producer: info.Producer,
      created: info.CreationDate,
      modified: info.ModDate,
    })
  } catch {
    return {}
  }
}
