import { convertIndexedToRgb, decode, encode } from '#images'
import { CannotMark } from '../cannot-mark.js'
import { MOST_PIXELS, type Pixels } from './pixels.js'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** What says how colours and sizes are meant, and goes with the pixels. */
const KEPT = new Set(['iCCP', 'sRGB', 'gAMA', 'cHRM', 'pHYs'])
const GREY = new Set([0, 4])
const KEYWORD = 'Privity watermark'

interface Chunk {
  readonly type: string
  /** With its length and its checksum. */
  readonly bytes: Uint8Array
}

/** The chunks of a PNG file, as far as they are whole. */
function chunksOf(bytes: Uint8Array): Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) break
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    chunks.push({ type, bytes: bytes.subarray(at, end) })
    at = end
  }
  return chunks
}

export function readPng(bytes: Uint8Array): Pixels {
  const chunks = chunksOf(bytes)
  const [head] = chunks
  if (head?.type !== 'IHDR') throw new CannotMark('is a damaged image')
  const view = new DataView(head.bytes.buffer, head.bytes.byteOffset)
  if (view.getUint32(8) * view.getUint32(12) > MOST_PIXELS)
    throw new CannotMark('is too large an image for a watermark')
  if (chunks.some(({ type }) => type === 'acTL')) throw new CannotMark('is an animated image')
  const png = decode(bytes, { checkCrc: false })
  const { width, height } = png
  const rgb = png.palette === undefined ? null : convertIndexedToRgb(png)
  const channels = rgb === null ? png.channels : rgb.length / (width * height)
  const sample = rgb === null ? samplerOf(png) : (at: number) => rgb[at] ?? 0
  const clear = rgb === null && png.transparency !== undefined ? [...png.transparency] : null
  if (rgb === null && png.depth === 8 && channels === 4)
    return { width, height, data: new Uint8Array(png.data.buffer, png.data.byteOffset, width * height * 4) }
  const data = new Uint8Array(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const from = pixel * channels
    const isGrey = channels < 3
    for (let channel = 0; channel < 3; channel++)
      data[pixel * 4 + channel] = sample(from + (isGrey ? 0 : channel))
    const isClear = clear?.every((value, channel) => png.data[from + channel] === value) ?? false
    data[pixel * 4 + 3] = isClear ? 0 : channels % 2 === 0 ? sample(from + channels - 1) : 255
  }
  return { width, height, data }
}

/** Samples as bytes. Grey ones of less than a byte are packed, each row from a byte of its own on. */
function samplerOf({ data, depth, channels, width }: ReturnType<typeof decode>): (at: number) => number {
  if (depth === 16) return at => (data[at] ?? 0) >> 8
  if (depth === 8) return at => data[at] ?? 0
  const perRow = width * channels
  const rowBytes = Math.ceil((perRow * depth) / 8)
  const most = 2 ** depth - 1
  return at => {
    const bit = (at % perRow) * depth
    const byte = data[Math.floor(at / perRow) * rowBytes + (bit >> 3)] ?? 0
    return Math.round((((byte >> (8 - depth - (bit & 7))) & most) * 255) / most)
  }
}

/** The pixels as a PNG, with what of the original says how they are meant, and the number if there is one. */
export function writePng({ width, height, data }: Pixels, original: Uint8Array, number: string | null) {
  const made = encode({
    width,
    height,
    data,
    depth: 8,
    channels: 4,
    ...(number === null ? {} : { text: { [KEYWORD]: number } }),
  })
  const [head, ...rest] = chunksOf(made)
  const ofOriginal = chunksOf(original)
  const wasGrey = GREY.has(ofOriginal[0]?.bytes[17] ?? 0)
  // Pixels are in colour now, which the profile of a grey image cannot be of.
  const kept = ofOriginal.filter(({ type }) => KEPT.has(type) && !(wasGrey && type === 'iCCP'))
  const parts = [head, ...kept, ...rest].flatMap(chunk => chunk?.bytes ?? [])
  return Buffer.concat([Uint8Array.from(SIGNATURE), ...parts])
}

/** A PNG with the number among its texts, and its pixels as they are. */
export function notePng(bytes: Uint8Array, number: string): Uint8Array {
  const chunks = chunksOf(bytes)
  const [head, ...rest] = chunks
  if (head?.type !== 'IHDR') throw new CannotMark('is a damaged image')
  const tiny = chunksOf(encode({ width: 1, height: 1, data: new Uint8Array(4), text: { [KEYWORD]: number } }))
  const note = tiny.filter(({ type }) => type === 'tEXt')
  const parts = [head, ...note, ...rest].map(chunk => chunk.bytes)
  return Buffer.concat([Uint8Array.from(SIGNATURE), ...parts])
}
