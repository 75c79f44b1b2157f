import { GLYPH_HEIGHT, GLYPH_STEP, GLYPH_WIDTH, glyphOf, readGlyph } from './font.js'
import type { Pixels } from './pixels.js'

/** In dots: what is left free around the text of the strip, and between its lines. */
const MARGIN = 2
const LINE = GLYPH_HEIGHT + 2
/** So narrow an image gets white beside it: a number has to fit onto one line of the strip. */
const LEAST_WIDTH = 130
/** A dot of the strip is one pixel for every so many of the width. */
const PIXELS_PER_DOT = 600
const MOST_LINES = 8
const INK = 40

const dotOf = (width: number) => Math.max(1, Math.round(width / PIXELS_PER_DOT))

/**
 * The image with the line below it on a white strip, so that nothing of the image is covered, and faintly across it with
 * what identifies the copy, so that cutting the strip off does not help.
 */
export function drawMark(image: Pixels, line: string, number: string): Pixels {
  const width = Math.max(image.width, LEAST_WIDTH)
  const dot = dotOf(width)
  const lines = breakLine(line, Math.floor((width / dot - 2 * MARGIN) / GLYPH_STEP))
  const strip = (2 * MARGIN + lines.length * LINE) * dot
  const data = new Uint8Array(width * (image.height + strip) * 4).fill(255)
  for (let y = 0; y < image.height; y++)
    data.set(image.data.subarray(y * image.width * 4, (y + 1) * image.width * 4), y * width * 4)
  const drawn = { width, height: image.height + strip, data }
  drawAcross(drawn, image, number)
  lines.forEach((text, at) => {
    const top = image.height + (MARGIN + at * LINE) * dot
    eachDot(text, MARGIN * dot, top, dot, (x, y) => setPixel(drawn, x, y, () => INK))
  })
  return drawn
}

/** Breaks a line at its separators, or anywhere where a part is too long. */
function breakLine(line: string, most: number): string[] {
  const parts = line.split(' · ').flatMap(part => {
    const letters = [...part]
    return Array.from({ length: Math.ceil(letters.length / most) }, (_, at) =>
      letters.slice(at * most, (at + 1) * most).join(''),
    )
  })
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    const joined = `${last} · ${part}`
    if (last !== undefined && [...joined].length <= most) lines[lines.length - 1] = joined
    else lines.push(part)
  }
  return lines.slice(0, MOST_LINES)
}

/** Writes the number over the image several times, lighter on what is dark and darker on what is light. */
function drawAcross(drawn: Pixels, { width, height }: Pixels, number: string): void {
  const dot = Math.max(1, Math.floor((width * 0.8) / (number.length * GLYPH_STEP)))
  const [wide, high] = [number.length * GLYPH_STEP * dot, GLYPH_HEIGHT * dot]
  const rows = Math.max(1, Math.min(4, Math.floor(height / (high * 3))))
  for (let row = 0; row < rows; row++) {
    const top = Math.round((height * (row + 0.5)) / rows - high / 2)
    const left = Math.round((width - wide) / 2)
    eachDot(number, left, top, dot, (x, y) => {
      if (x < width && y < height) setPixel(drawn, x, y, value => (value > 127 ? value - 36 : value + 36))
    })
  }
}

function eachDot(
  text: string,
  left: number,
  top: number,
  dot: number,
  draw: (x: number, y: number) => void,
): void {
  let start = left
  for (const letter of text) {
    glyphOf(letter).forEach((column, at) => {
      for (let row = 0; row < GLYPH_HEIGHT; row++)
        if ((column >> row) & 1)
          for (let dy = 0; dy < dot; dy++)
            for (let dx = 0; dx < dot; dx++) draw(start + at * dot + dx, top + row * dot + dy)
    })
    start += GLYPH_STEP * dot
  }
}

function setPixel(
  { width, height, data }: Pixels,
  x: number,
  y: number,
  to: (value: number) => number,
): void {
  if (x < 0 || y < 0 || x >= width || y >= height) return
  const at = (y * width + x) * 4
  for (let channel = 0; channel < 3; channel++) data[at + channel] = to(data[at + channel] ?? 0)
  // What shows nothing shows the mark.
  data[at + 3] = Math.max(data[at + 3] ?? 0, 160)
}

/** What stands on the strip of an image that was marked and not scaled since; several readings, by how many lines it has. */
export function readStrip(image: Pixels): string {
  const dot = dotOf(image.width)
  const letters = Math.floor((image.width / dot - 2 * MARGIN) / GLYPH_STEP)
  const lines: string[] = []
  for (let line = 1; line <= MOST_LINES; line++) {
    const top = image.height - (MARGIN + line * LINE) * dot
    if (top < 0) break
    lines.unshift(
      Array.from({ length: letters }, (_, at) =>
        readGlyph(columnsAt(image, (MARGIN + at * GLYPH_STEP) * dot, top, dot)),
      ).join(''),
    )
  }
  return lines.join('\n')
}

function columnsAt(image: Pixels, left: number, top: number, dot: number): number[] {
  return Array.from({ length: GLYPH_WIDTH }, (_, column) => {
    let bits = 0
    for (let row = 0; row < GLYPH_HEIGHT; row++)
      if (lightOf(image, left + column * dot, top + row * dot, dot) < 148) bits |= 1 << row
    return bits
  })
}

/** How light a dot is on average. */
function lightOf({ width, data }: Pixels, left: number, top: number, dot: number): number {
  let sum = 0
  for (let dy = 0; dy < dot; dy++)
    for (let dx = 0; dx < dot; dx++) {
      const at = ((top + dy) * width + left + dx) * 4
      sum += (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)
    }
  return sum / (3 * dot * dot)
}
