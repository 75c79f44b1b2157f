import { imageSize } from '../extract/image-size.js'
import type { OcrEngine, RecognisedRun } from './provider.js'

export const TESSERACT: string = 'tesseract.js'

/** The part of the package that is used here. */
interface Tesseract {
  createWorker(languages: readonly string[], engine: number, options: object): Promise<Worker>
}
interface Worker {
  recognize(image: Uint8Array, options: object, output: object): Promise<{ data: Recognised }>
}
interface Recognised {
  readonly confidence: number
  readonly blocks: readonly { readonly paragraphs: readonly { readonly lines: readonly Line[] }[] }[] | null
}
interface Line extends Boxed {
  readonly words: readonly (Boxed & { readonly text: string; readonly confidence: number })[]
  readonly rowAttributes?: { readonly rowHeight?: number }
}
interface Boxed {
  readonly bbox: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }
}

const LSTM_ONLY = 1
/** A wider gap than this many letter heights divides a line, as in a table or between columns. */
const WIDE_GAP = 1.5
/** Below this, what was recognised is noise, such as the specks of a scan. */
const LEAST_CONFIDENCE = 25

/** Starts the engine with data from a folder only, without downloads and without a cache. */
export async function load(options: {
  readonly languages: readonly string[]
  readonly folder: string
}): Promise<OcrEngine> {
  const loaded = (await import(TESSERACT)) as { default: Tesseract }
  const worker = await loaded.default.createWorker(options.languages, LSTM_ONLY, {
    langPath: options.folder,
    cacheMethod: 'none',
    gzip: true,
    // Its messages may quote what it reads.
    logger: () => {},
    errorHandler: () => {},
  })
  return {
    async recognise(image) {
      const size = imageSize(image)
      if (size === null) throw new Error('the image has no size')
      const { data } = await worker.recognize(image, {}, { text: false, blocks: true })
      const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
      return { ...size, runs: lines.flatMap(runsOf), confidence: data.confidence }
    },
  }
}

function runsOf({ words, bbox, rowAttributes }: Line): RecognisedRun[] {
  const size = rowAttributes?.rowHeight || bbox.y1 - bbox.y0 || 1
  const runs: RecognisedRun[] = []
  for (const { text, confidence, bbox: box } of words) {
    if (text.trim() === '' || confidence < LEAST_CONFIDENCE) continue
    const last = runs.at(-1)
    if (last !== undefined && box.x0 - last.right <= size * WIDE_GAP)
      runs[runs.length - 1] = { ...last, text: `${last.text} ${text}`, right: box.x1 }
    else runs.push({ text, left: box.x0, right: box.x1, bottom: bbox.y1, size })
  }
  return runs
}
