import type { RecognisedPage } from '../../runtime/extraction.js'
import type { OcrEngine, OcrProvider } from '../ocr/provider.js'
import { UnreadableFile } from './extracted.js'
import { imageSize } from './image-size.js'
import { asPgm, drawPageImages } from './page-image.js'
import { openPdf } from './pdf.js'
import { sniff } from './sniff.js'

/** An image with more pixels is not decoded. A page at 600 dots an inch has 34 million. */
export const MOST_IMAGE_PIXELS = 64_000_000
/** The width of a page in points, for images, which have no measure. */
const PAGE_WIDTH = 612

/** The engine of this process. It is started once, because that takes longer than a page. */
let running: { readonly said: string; readonly engine: Promise<OcrEngine> } | null = null

function engineOf(provider: OcrProvider): Promise<OcrEngine> {
  const said = JSON.stringify([provider.module, provider.options])
  if (running?.said !== said) running = { said, engine: start(provider) }
  return running.engine
}

async function start({ module, options }: OcrProvider): Promise<OcrEngine> {
  const { load } = (await import(module)) as { load(options: unknown): Promise<OcrEngine> }
  return load(options)
}

/** Recognises one page of a PDF, or an image. */
export async function recognisePage(
  bytes: Uint8Array,
  name: string,
  page: number,
  provider: OcrProvider,
): Promise<RecognisedPage> {
  const engine = await engineOf(provider).catch(() => {
    running = null
    throw new UnreadableFile('no_ocr', 'cannot be recognised, because the text recognition does not start')
  })
  const { image, scale } = await imageOf(bytes, name, page)
  const { runs, height, confidence } = await engine.recognise(image)
  return {
    page,
    confidence: Math.max(0, Math.min(100, Math.round(confidence))),
    items: runs.map(({ text, left, right, bottom, size }) => ({
      str: text,
      width: (right - left) / scale,
      height: size / scale,
      transform: [size / scale, 0, 0, size / scale, left / scale, (height - bottom) / scale],
    })),
  }
}

/** The file of an image, and how many of its pixels make a point. */
async function imageOf(
  bytes: Uint8Array,
  name: string,
  number: number,
): Promise<{ image: Uint8Array; scale: number }> {
  if (sniff(bytes, name) !== 'application/pdf') {
    const { width } = requireImageSize(bytes)
    return { image: bytes, scale: width / PAGE_WIDTH }
  }
  const pdf = await openPdf(bytes, { maxImageSize: MOST_IMAGE_PIXELS })
  try {
    const drawn = await drawPageImages(await pdf.getPage(number))
    return { image: asPgm(drawn), scale: drawn.scale }
  } finally {
    await pdf.loadingTask.destroy().catch(() => {})
  }
}

/** The size of an image that can be decoded within bounds. */
export function requireImageSize(bytes: Uint8Array): { readonly width: number; readonly height: number } {
  const size = imageSize(bytes)
  if (size === null) throw new UnreadableFile('damaged', 'is not a whole image')
  if (size.width * size.height > MOST_IMAGE_PIXELS)
    throw new UnreadableFile('too_large', 'has too many pixels')
  return size
}
