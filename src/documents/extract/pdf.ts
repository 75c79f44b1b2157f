import { getDocumentProxy } from 'unpdf'
import type { RecognisedPage } from '../../runtime/extraction.js'
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
const STOP_AT_PICTURES: PdfOptions = { stopAtErrors: true }

/**
 * Reads the pages in order. A page that cannot be read is marked, and the others are still read. What was recognised of
 * scanned pages is read as if it were printed on them.
 */
export async function readPdf(
  bytes: Uint8Array,
  limits: ReadLimits,
  recognised: readonly RecognisedPage[] = [],
): Promise<ExtractedText> {
  const pdf = await openPdf(bytes)
  const scans = new Map(recognised.map(page => [page.page, page]))
  let pictures: Promise<Pdf> | undefined
  try {
    if (pdf.numPages > limits.pages) throw new UnreadableFile('too_large', 'has too many pages')
    const read: (PageContent | null)[] = []
    let length = 0
    for (let number = 1; number <= pdf.numPages; number++) {
      const scan = scans.get(number)
      const page = scan?.failed ? null : await contentOf(pdf, number, scan?.items).catch(() => null)
      read.push(page)
      for (const { text } of [...(page?.lines ?? []), ...(page?.turned ?? [])]) length += text.length
      if (length > limits.characters) throw new UnreadableFile('too_large', 'holds too much text')
    }
    const { texts, facts } = textsOf(read.map(page => page ?? NO_CONTENT))
    const pages: Page[] = []
    let start = 0
    for (const [at, text] of texts.entries()) {
      const scan = scans.get(at + 1)
      let state: PageState = read[at] === null ? 'failed' : 'text'
      if (state === 'text' && text.trim() === '')
        try {
          pictures ??= openPdf(bytes, STOP_AT_PICTURES)
          const isScan = scan === undefined && (await drawsPictures(pdf, await pictures, at + 1))
          state = isScan ? 'needs_ocr' : 'empty'
        } catch {
          state = 'failed'
        }
      const sure = scan === undefined ? {} : { confidence: scan.confidence }
      pages.push({ number: at + 1, start, end: start + text.length, state, ...facts[at], ...sure })
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
      state: pagesState(pages),
    }
  } finally {
    await close(pdf)
    if (pictures !== undefined) await pictures.then(close, () => {})
  }
}

export async function openPdf(bytes: Uint8Array, options: PdfOptions = {}): Promise<Pdf> {
  try {
    // pdf.js takes ownership of the buffer that it gets, so we pass a copy.
    return await getDocumentProxy(Uint8Array.from(bytes), { ...SAFE, ...options })
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'PasswordException')
      throw new UnreadableFile('encrypted', 'needs a password')
    throw new UnreadableFile('damaged', 'is not a whole PDF')
  }
}

const close = (pdf: Pdf) => pdf.loadingTask.destroy().catch(() => {})

const NO_CONTENT: PageContent = { lines: [], turned: [] }

async function contentOf(
  pdf: Pdf,
  number: number,
  recognised: readonly PageItem[] = [],
): Promise<PageContent> {
  const page = await pdf.getPage(number)
  const { items }: { items: (PageItem | object)[] } = await page.getTextContent()
  page.cleanup()
  return readPage([...items.filter((item): item is PageItem => 'str' in item), ...recognised])
}

/** Whether a page has images: it then draws more when images are skipped than when drawing stops at them. */
async function drawsPictures(pdf: Pdf, stopping: Pdf, number: number): Promise<boolean> {
  const drawn = async (from: Pdf): Promise<number> =>
    (await (await from.getPage(number)).getOperatorList()).fnArray.length
  return (await drawn(stopping)) < (await drawn(pdf))
}

export function pagesState(pages: readonly Page[]): ExtractedText['state'] {
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
