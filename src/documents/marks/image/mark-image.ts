import type { Mark } from '../../../policy/watermark.js'
import { isJpeg, isPng } from '../../extract/image-size.js'
import { CannotMark } from '../cannot-mark.js'
import { drawMark, readStrip } from './draw-mark.js'
import { noteJpeg, readJpeg, writeJpeg } from './jpeg.js'
import type { Pixels } from './pixels.js'
import { notePng, readPng, writePng } from './png.js'

/** How images of one format are taken apart, put together again, and noted on without either. */
interface Format {
  readonly read: (bytes: Uint8Array) => Pixels
  readonly write: (pixels: Pixels, original: Uint8Array, number: string | null) => Uint8Array
  readonly note: (bytes: Uint8Array, number: string) => Uint8Array
}

const PNG: Format = { read: readPng, write: writePng, note: notePng }
const JPEG: Format = { read: readJpeg, write: writeJpeg, note: noteJpeg }

function formatOf(bytes: Uint8Array): Format | null {
  if (isPng(bytes)) return PNG
  return isJpeg(bytes) ? JPEG : null
}

/** Puts the mark below and across the image, and its number among the texts of the file. */
export function markImage(bytes: Uint8Array, { number, line, visibility }: Mark): Uint8Array {
  const format = formatOf(bytes)
  if (format === null) throw new CannotMark('is an image of a type that cannot carry a watermark')
  if (visibility === 'invisible_metadata') return format.note(bytes, number)
  const drawn = drawMark(pixelsOf(format, bytes), line, number)
  return format.write(drawn, bytes, visibility === 'both' ? number : null)
}

/** What is written below an image. */
export function imageText(bytes: Uint8Array): string {
  const format = formatOf(bytes)
  try {
    return format === null ? '' : readStrip(pixelsOf(format, bytes))
  } catch {
    return ''
  }
}

function pixelsOf(format: Format, bytes: Uint8Array): Pixels {
  try {
    return format.read(bytes)
  } catch (thrown) {
    if (thrown instanceof CannotMark) throw thrown
    throw new CannotMark('is a damaged image')
  }
}
