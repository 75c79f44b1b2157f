import { getResolvedPDFJS } from 'unpdf'

/** A page of pdf.js, as far as its images are concerned. */
export interface DrawnPage {
  getViewport(options: { scale: number }): { width: number; height: number; transform: readonly number[] }
  getOperatorList(): Promise<{ fnArray: readonly number[]; argsArray: readonly unknown[] }>
  readonly objs: ObjectStore
  readonly commonObjs: ObjectStore
}
interface ObjectStore {
  get(id: string, then: (image: unknown) => void): unknown
}

/** What is seen of a page that consists of images: its brightness, pixel by pixel. */
export interface PageImage {
  readonly width: number
  readonly height: number
  /** Pixels for each point of the page. */
  readonly scale: number
  /** 0 is black. */
  readonly grey: Uint8Array
}

/** As fine as text recognition needs it: 300 dots an inch, within a bound on memory. */
const MOST_SCALE = 300 / 72
const MOST_PIXELS = 16_000_000
/** Each pixel is the mean of at most so many samples in each direction. */
const MOST_SAMPLES = 4

type Matrix = readonly [number, number, number, number, number, number]
interface PlacedImage {
  readonly image: RawImage
  /** Where the unit square lies on the page. */
  readonly matrix: Matrix
}
interface RawImage {
  readonly data: Uint8Array | Uint8ClampedArray
  readonly width: number
  readonly height: number
  /** A mask paints black where its bits are 0, and leaves the rest as it is. */
  readonly kind: 'bits' | 'rgb' | 'rgba' | 'mask'
}

/** Draws the images of a page as they lie on it, turned and scaled, also where several make up a page. */
export async function drawPageImages(page: DrawnPage): Promise<PageImage> {
  const placed = await placedImages(page)
  const { width: wide, height: high, transform } = page.getViewport({ scale: 1 })
  const finest = Math.max(0, ...placed.map(finenessOf))
  const scale = Math.min(MOST_SCALE, finest || MOST_SCALE, Math.sqrt(MOST_PIXELS / Math.max(1, wide * high)))
  const width = Math.max(1, Math.round(wide * scale))
  const height = Math.max(1, Math.round(high * scale))
  const grey = new Uint8Array(width * height).fill(255)
  const toPixels = times([scale, 0, 0, scale, 0, 0], asMatrix(transform))
  for (const { image, matrix } of placed) draw(grey, width, height, image, times(toPixels, matrix))
  return { width, height, scale, grey }
}

/** The image as a file in the format PGM. */
export function asPgm({ width, height, grey }: Pick<PageImage, 'width' | 'height' | 'grey'>): Uint8Array {
  return Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`, 'latin1'), grey])
}

/** Follows what a page draws, and gathers its images with their places. */
async function placedImages(page: DrawnPage): Promise<PlacedImage[]> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const placed: PlacedImage[] = []
  const kept: Matrix[] = []
  let matrix: Matrix = [1, 0, 0, 1, 0, 0]
  const place = async (said: unknown, isMask: boolean) => {
    const image = asImage(typeof said === 'string' ? await objectOf(page, said) : said, isMask)
    if (image !== null) placed.push({ image, matrix })
  }
  for (const [at, fn] of fnArray.entries()) {
    const args = (argsArray[at] ?? []) as readonly unknown[]
    switch (fn) {
      case OPS.save:
        kept.push(matrix)
        break
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        matrix = kept.pop() ?? matrix
        break
      case OPS.transform:
        matrix = times(matrix, asMatrix(args))
        break
      case OPS.paintFormXObjectBegin:
        kept.push(matrix)
        if (args[0] != null) matrix = times(matrix, asMatrix(args[0] as readonly unknown[]))
        break
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject:
        await place(args[0], false)
        break
      case OPS.paintImageMaskXObject: {
        const mask = args[0] as { readonly data?: unknown } | undefined
        await place(typeof mask?.data === 'string' ? mask.data : mask, true)
        break
      }
    }
  }
  return placed
}

const objectOf = ({ objs, commonObjs }: DrawnPage, id: string): Promise<unknown> =>
  new Promise(resolve => (id.startsWith('g_') ? commonObjs : objs).get(id, resolve))

/** The kinds of images by the numbers of pdf.js. */
const KINDS: Readonly<Record<number, RawImage['kind']>> = { 1: 'bits', 2: 'rgb', 3: 'rgba' }

function asImage(found: unknown, isMask: boolean): RawImage | null {
  const { data, width, height, kind } = (found ?? {}) as Partial<Record<keyof RawImage, unknown>>
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return null
  if (typeof width !== 'number' || typeof height !== 'number') return null
  const known = isMask ? 'mask' : KINDS[Number(kind)]
  return known === undefined ? null : { data, width, height, kind: known }
}

const asMatrix = (values: readonly unknown[]): Matrix => {
  const [a, b, c, d, e, f] = values.map(Number)
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0]
}

/** First the second, then the first. */
const times = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
]

/** How many pixels an image has for each point of the page. */
function finenessOf({ image, matrix: [a, b, c, d] }: PlacedImage): number {
  return Math.max(image.width / (Math.hypot(a, b) || 1), image.height / (Math.hypot(c, d) || 1))
}

/** Looks up, for every pixel within the image's place, what of the image lies there. */
function draw(grey: Uint8Array, width: number, height: number, image: RawImage, matrix: Matrix): void {
  const [a, b, c, d, e, f] = matrix
  const area = a * d - b * c
  if (!Number.isFinite(area) || Math.abs(area) < 1e-9) return
  const xs = [e, e + a, e + c, e + a + c]
  const ys = [f, f + b, f + d, f + b + d]
  const [left, right] = [
    Math.max(0, Math.floor(Math.min(...xs))),
    Math.min(width, Math.ceil(Math.max(...xs))),
  ]
  const [top, bottom] = [
    Math.max(0, Math.floor(Math.min(...ys))),
    Math.min(height, Math.ceil(Math.max(...ys))),
  ]
  const coarse = Math.sqrt((image.width * image.height) / Math.abs(area))
  const samples = Math.max(1, Math.min(MOST_SAMPLES, Math.round(coarse)))
  const light = lightOf(image)
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      let sum = 0
      let hits = 0
      for (let sample = 0; sample < samples * samples; sample++) {
        const px = x + ((sample % samples) + 0.5) / samples - e
        const py = y + (Math.floor(sample / samples) + 0.5) / samples - f
        // The unit square stands on its foot: its first row is the uppermost of the image.
        const column = Math.floor(((d * px - c * py) / area) * image.width)
        const row = Math.floor((1 - (a * py - b * px) / area) * image.height)
        if (column < 0 || row < 0 || column >= image.width || row >= image.height) continue
        const value = light(column, row)
        if (value < 0) continue
        sum += value
        hits++
      }
      const at = y * width + x
      const rest = samples * samples - hits
      if (hits > 0) grey[at] = Math.round((sum + rest * (grey[at] ?? 255)) / (hits + rest))
    }
}

/** The brightness of a pixel of an image; below 0 where it is transparent. */
function lightOf({ data, width, kind }: RawImage): (column: number, row: number) => number {
  const at = (index: number) => data[index] ?? 255
  if (kind === 'bits' || kind === 'mask') {
    const bytes = (width + 7) >> 3
    const clear = kind === 'mask' ? -1 : 255
    return (column, row) => ((at(row * bytes + (column >> 3)) >> (7 - (column & 7))) & 1 ? clear : 0)
  }
  const channels = kind === 'rgb' ? 3 : 4
  return (column, row) => {
    const index = (row * width + column) * channels
    if (kind === 'rgba' && at(index + 3) < 128) return -1
    return (at(index) * 299 + at(index + 1) * 587 + at(index + 2) * 114) / 1_000
  }
}
