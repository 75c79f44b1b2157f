import { importOnDemand } from '../../../scripts/on-demand.js'

/**
 * Lays text out as courts get it: double-spaced lines, words broken with hyphens, numbers in the margin of pleading
 * paper, the stamp of the filing system, a running foot and page numbers, and footnotes at the bottom of their page.
 */

const WIDTH = 612
const LEFT = 90
const RIGHT = 540
const TOP = 700
const BOTTOM = 96
const SIZE = 12
const FONT = 'Times-Roman'

/**
 * @typedef {{ stamp(page: number): string | null, foot: string | null, lineNumbers: number, spacing: number }} Paper
 * @typedef {{ text: string, x?: number, center?: boolean, bold?: boolean, size?: number }} Line
 */

/** Widths of words, which are slow to compute. @type {Map<string, number>} */
const WIDTHS = new Map()

/** @param {Paper} paper */
export async function openPages(paper) {
  const { default: PDFDocument } = await importOnDemand('test', 'pdfkit')
  const pdf = new PDFDocument({ size: 'LETTER', margin: 0, autoFirstPage: false, compress: true })
  /** @type {Buffer[]} */
  const chunks = []
  pdf.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk))
  const ended = new Promise(resolve => pdf.on('end', resolve))
  return new Pages(pdf, paper, async () => {
    await ended
    return Buffer.concat(chunks)
  })
}

class Pages {
  #pdf
  #paper
  #bytes
  #page = 0
  #y = 0
  #bottom = BOTTOM
  /** @type {string[][]} */
  #notes = []
  #noteCount = 0

  /** @param {any} pdf @param {Paper} paper @param {() => Promise<Buffer>} bytes */
  constructor(pdf, paper, bytes) {
    this.#pdf = pdf
    this.#paper = paper
    this.#bytes = bytes
  }

  /** Begins a page; the lines in the margin are drawn first, as word processors do. */
  turn() {
    if (this.#page > 0) this.#finishPage()
    this.#page++
    this.#pdf.addPage()
    this.#bottom = BOTTOM
    this.#notes = []
    const stamp = this.#paper.stamp(this.#page)
    if (stamp !== null) this.#put(stamp, 110, 770, 9, 'Helvetica')
    for (let line = 0; line < this.#paper.lineNumbers; line++)
      this.#put(String(line + 1), 62 - (line < 9 ? 0 : 6), TOP - line * 24, SIZE, FONT)
    this.#y = TOP
  }

  #finishPage() {
    let y = this.#bottom - 12
    if (this.#notes.length > 0) {
      this.#pdf
        .moveTo(LEFT, 792 - y - 12)
        .lineTo(LEFT + 144, 792 - y - 12)
        .stroke()
      for (const lines of this.#notes)
        for (const line of lines) {
          y -= 12
          this.#put(line, LEFT, y, 10, FONT)
        }
    }
    const { foot } = this.#paper
    if (foot !== null) this.#put(foot, LEFT + 60, 40, 9, FONT)
    this.#put(String(this.#page), WIDTH / 2, 54, SIZE, FONT)
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} size @param {string} font */
  #put(text, x, y, size, font) {
    this.#pdf
      .font(font)
      .fontSize(size)
      .text(text, x, 792 - y - size, { lineBreak: false })
  }

  /** @param {Line} line */
  line({ text, x = LEFT, center = false, bold = false, size = SIZE }) {
    if (this.#page === 0 || this.#y < this.#bottom) this.turn()
    const font = bold ? 'Times-Bold' : FONT
    const width = this.#pdf.font(font).fontSize(size).widthOfString(text)
    this.#put(text, center ? (LEFT + RIGHT - width) / 2 : x, this.#y, size, font)
    this.#y -= this.#paper.spacing
  }

  gap(lines = 1) {
    this.#y -= this.#paper.spacing * lines
  }

  /** A paragraph with an indented first line; `note` becomes a footnote of the page on which the paragraph ends. */
  paragraph(/** @type {string} */ text, /** @type {string | undefined} */ note = undefined, indent = 36) {
    const mark = note === undefined ? '' : String(++this.#noteCount)
    const lines = this.#wrap(text, RIGHT - LEFT, indent)
    if (note !== undefined) {
      const noted = this.#wrap(`${mark} ${note}`, RIGHT - LEFT, 0, 10)
      // The note must fit below the last line of its paragraph.
      if (this.#y - this.#paper.spacing * lines.length < this.#bottom + 12 * noted.length + 24) this.turn()
      this.#bottom += 12 * noted.length + 6
      this.#notes.push(noted)
    }
    for (const [at, line] of lines.entries()) {
      this.line({ text: line, x: at === 0 ? LEFT + indent : LEFT })
      if (note !== undefined && at === lines.length - 1) {
        const width = this.#pdf.font(FONT).fontSize(SIZE).widthOfString(line)
        const x = (at === 0 ? LEFT + indent : LEFT) + width
        this.#put(mark, x, this.#y + this.#paper.spacing + 5, 7, FONT)
      }
    }
  }

  /** Rows of a table; each cell is placed on its own. @param {readonly (readonly string[])[]} rows */
  table(rows) {
    if (this.#y < this.#bottom + rows.length * 18) this.turn()
    for (const row of rows) {
      for (const [at, cell] of row.entries()) this.#put(cell, LEFT + at * 160, this.#y, 11, FONT)
      this.#y -= 18
    }
  }

  /** Two columns of small type on a page of their own, the left one first. @param {readonly string[]} paragraphs */
  columns(paragraphs) {
    this.turn()
    const width = 210
    const lines = paragraphs.flatMap(text => [...this.#wrap(text, width, 0, 10), ''])
    const half = Math.ceil(lines.length / 2)
    for (const [at, line] of lines.entries()) {
      const x = at < half ? LEFT : LEFT + width + 30
      if (line !== '') this.#put(line, x, TOP - (at % half) * 13, 10, FONT)
    }
    this.#y = this.#bottom - 1
  }

  /** Text beside text, as in a caption. @param {string} left @param {string} middle @param {string} right */
  beside(left, middle, right) {
    const lead = /^ */.exec(left)?.[0].length ?? 0
    const [names, words] = [this.#wrap(left.trim(), 195 - lead * 3, 0), this.#wrap(right, 205, 0)]
    for (let at = 0; at < Math.max(names.length, words.length); at++) {
      if (this.#page === 0 || this.#y < this.#bottom) this.turn()
      const [name = '', word = ''] = [names[at], words[at]]
      if (name !== '') this.#put(name, LEFT + lead * 3, this.#y, SIZE, FONT)
      if (middle !== '') this.#put(middle, LEFT + 215, this.#y, SIZE, FONT)
      if (word !== '') this.#put(word, LEFT + 235, this.#y, SIZE, FONT)
      this.#y -= Math.min(this.#paper.spacing, 16)
    }
  }

  /** Lines of a text; a long last word is broken with a hyphen. */
  #wrap(/** @type {string} */ text, /** @type {number} */ width, /** @type {number} */ indent, size = SIZE) {
    const lines = []
    let line = ''
    let used = 0
    const room = () => width - (lines.length === 0 ? indent : 0)
    for (const word of text.split(' ')) {
      const wide = this.#widthOf(word, size)
      const space = line === '' ? 0 : this.#widthOf(' ', size)
      if (used + space + wide <= room()) {
        line = line === '' ? word : `${line} ${word}`
        used += space + wide
        continue
      }
      const cut = hyphenate(word)
      const begins = cut !== null && used + space + this.#widthOf(`${cut[0]}-`, size) <= room()
      lines.push(begins ? `${line} ${cut[0]}-` : line)
      line = begins ? cut[1] : word
      used = this.#widthOf(line, size)
    }
    lines.push(line)
    return lines
  }

  /** @param {string} text @param {number} size @returns {number} */
  #widthOf(text, size) {
    const key = `${size} ${text}`
    const known = WIDTHS.get(key)
    if (known !== undefined) return known
    const width = this.#pdf.font(FONT).fontSize(size).widthOfString(text)
    WIDTHS.set(key, width)
    return width
  }

  async end() {
    this.#finishPage()
    this.#pdf.end()
    return this.#bytes()
  }
}

/** Where a long word of small letters may be broken. @param {string} word @returns {[string, string] | null} */
function hyphenate(word) {
  if (!/^[a-z]{9,}[.,;]?$/.test(word)) return null
  const at = word.search(/(?<=[a-z]{4}[aeiou])[^aeiou](?=[a-z]{3})/)
  return at <= 0 ? null : [word.slice(0, at), word.slice(at)]
}
