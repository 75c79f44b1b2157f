import { decodeJpeg, encodeJpeg } from '#images'
import { CannotMark } from '../cannot-mark.js'
import { MOST_PIXELS, type Pixels, turnUpright } from './pixels.js'

/** Saving a photograph again at this quality changes nothing that is seen. */
const QUALITY = 93
const COMMENT = 0xfe
const SCAN = 0xda
const PROFILE = 'ICC_PROFILE\0'

interface Segment {
  readonly marker: number
  /** With its marker and its length. */
  readonly bytes: Uint8Array
}

/** The segments before the picture itself. */
function segmentsOf(bytes: Uint8Array): Segment[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const segments: Segment[] = []
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    const end = at + 2 + view.getUint16(at + 2)
    if (marker === SCAN || end > bytes.length) break
    segments.push({ marker, bytes: bytes.subarray(at, end) })
    at = end
  }
  return segments
}

/** What the frame says: SOF0 to SOF15, apart from three numbers that mean tables. */
const isFrame = ({ marker }: Segment) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

export function readJpeg(bytes: Uint8Array): Pixels {
  const segments = segmentsOf(bytes)
  const frame = segments.find(isFrame)?.bytes
  if (frame === undefined || frame.length < 10) throw new CannotMark('is a damaged image')
  const view = new DataView(frame.buffer, frame.byteOffset)
  if (view.getUint16(5) * view.getUint16(7) > MOST_PIXELS)
    throw new CannotMark('is too large an image for a watermark')
  // Colours for print would not be the same afterwards.
  if (frame[9] === 4) throw new CannotMark('is an image in the colours of print (CMYK)')
  const { width, height, data } = decodeJpeg(bytes, {
    useTArray: true,
    formatAsRGBA: true,
    maxResolutionInMP: MOST_PIXELS / 1_000_000,
    maxMemoryUsageInMB: 1_024,
  })
  return turnUpright({ width, height, data }, orientationOf(segments))
}

/** How a camera was held, by its EXIF data; 1 if nothing is said. */
function orientationOf(segments: readonly Segment[]): number {
  const exif = segments.find(
    ({ marker, bytes }) =>
      marker === 0xe1 && Buffer.from(bytes.subarray(4, 10)).toString('latin1') === 'Exif\0\0',
  )
  if (exif === undefined || exif.bytes.length < 24) return 1
  const tiff = exif.bytes.subarray(10)
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const isLittle = tiff[0] === 0x49
  const start = view.getUint32(4, isLittle)
  if (start + 2 > tiff.length) return 1
  const count = view.getUint16(start, isLittle)
  for (let entry = 0; entry < count; entry++) {
    const at = start + 2 + entry * 12
    if (at + 12 > tiff.length) break
    if (view.getUint16(at, isLittle) === 0x0112) return view.getUint16(at + 8, isLittle)
  }
  return 1
}

/** The pixels as a JPEG with the colour profile of the original, and the number if there is one. */
export function writeJpeg(pixels: Pixels, original: Uint8Array, number: string | null): Uint8Array {
  const made = encodeJpeg(pixels, QUALITY).data
  const ofOriginal = segmentsOf(original)
  const wasColoured = ofOriginal.find(isFrame)?.bytes[9] === 3
  const profile = ofOriginal.filter(
    ({ marker, bytes }) =>
      marker === 0xe2 &&
      wasColoured &&
      Buffer.from(bytes.subarray(4, 4 + PROFILE.length)).toString('latin1') === PROFILE,
  )
  return insert(made, [...profile.map(({ bytes }) => bytes), ...(number === null ? [] : [commentOf(number)])])
}

/** A JPEG with the number in a comment, and its picture as it is. */
export const noteJpeg = (bytes: Uint8Array, number: string): Uint8Array => insert(bytes, [commentOf(number)])

function commentOf(number: string): Uint8Array {
  const text = Buffer.from(`Privity watermark ${number}`)
  const head = Buffer.from([0xff, COMMENT, 0, 0])
  head.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([head, text])
}

/** Segments go after the first one, which must stay first. */
function insert(bytes: Uint8Array, segments: readonly Uint8Array[]): Uint8Array {
  const [first] = segmentsOf(bytes)
  const at = first?.marker === 0xe0 ? 2 + first.bytes.length : 2
  return Buffer.concat([bytes.subarray(0, at), ...segments, bytes.subarray(at)])
}
