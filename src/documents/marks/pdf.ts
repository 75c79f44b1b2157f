import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  type PDFFont,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFPage,
  type PDFRef,
  PDFString,
  StandardFonts,
} from '#pdf-lib'
import type { Mark } from '../../policy/watermark.js'
import { CannotMark } from './cannot-mark.js'

/** The key under which the number stands in the document's information and on each page. */
const KEY = PDFName.of('PrivityWatermark')
const RESOURCES = PDFName.of('Resources')
const X_OBJECT = PDFName.of('XObject')
const CONTENTS = PDFName.of('Contents')

/** Loads a PDF that opens without a password. */
export async function loadPdf(bytes: Uint8Array): Promise<PDFDocument> {
  try {
    const pdf = await PDFDocument.load(bytes, {
      updateMetadata: false,
      parseSpeed: ParseSpeeds.Fastest,
      preserveXFA: true,
      password: '',
    })
    // The tree of pages is only read now.
    pdf.getPages()
    return pdf
  } catch (thrown) {
    const isLocked = thrown instanceof Error && /encrypt|password/i.test(thrown.message)
    throw new CannotMark(isLocked ? 'needs a password' : 'is a damaged PDF')
  }
}

/** Puts the mark on every page as it is displayed: within its crop box, and upright however it is rotated. */
export async function markPdf(bytes: Uint8Array, { number, line, visibility }: Mark): Promise<Uint8Array> {
  const pdf = await loadPdf(bytes)
  const pages = pdf.getPages()
  if (pages.length === 0) throw new CannotMark('has no pages')
  if (visibility !== 'visible') {
    informationOf(pdf).set(KEY, PDFString.of(number))
    for (const page of pages) page.node.set(KEY, PDFString.of(number))
  }
  if (visibility !== 'invisible_metadata') {
    const pen = await Pen.for(pdf, line)
    for (const page of pages) pen.draw(page)
  }
  return pdf.save({ updateFieldAppearances: false, addDefaultPage: false })
}

/** The number in the information of a PDF and on its pages. What is drawn on them is found in its text. */
export async function findPdfNumbers(bytes: Uint8Array): Promise<string[]> {
  const pdf = await loadPdf(bytes).catch(() => null)
  if (pdf === null) return []
  const dictionaries = [informationOf(pdf), ...pdf.getPages().map(({ node }) => node)]
  return dictionaries.flatMap(dictionary => {
    const value = dictionary.lookup(KEY)
    return value instanceof PDFString || value instanceof PDFHexString ? [value.decodeText()] : []
  })
}

function informationOf({ context }: PDFDocument): PDFDict {
  const { Info } = context.trailerInfo
  const known = Info === undefined ? undefined : context.lookup(Info)
  if (known instanceof PDFDict) return known
  const made = context.obj({})
  context.trailerInfo.Info = context.register(made)
  return made
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Draws the same line on pages. Those of one size share one drawing, which keeps a file of 500 pages small. */
class Pen {
  readonly #pdf: PDFDocument
  readonly #font: PDFFont
  readonly #line: string
  readonly #drawings = new Map<string, PDFRef>()
  readonly #save: PDFRef
  readonly #restore: PDFRef

  private constructor(pdf: PDFDocument, font: PDFFont, line: string) {
    this.#pdf = pdf
    this.#font = font
    this.#line = line
    this.#save = pdf.context.register(pdf.context.stream('q\n'))
    this.#restore = pdf.context.register(pdf.context.stream('\nQ\n'))
  }

  static async for(pdf: PDFDocument, line: string): Promise<Pen> {
    const font = await pdf.embedFont(StandardFonts.Helvetica)
    const known = new Set(font.getCharacterSet())
    const plain = [...line].map(letter => (known.has(letter.codePointAt(0) ?? 0) ? letter : '?')).join('')
    await font.embed()
    return new Pen(pdf, font, plain)
  }

  draw(page: PDFPage): void {
    const { context } = this.#pdf
    const box = shownBox(page)
    const turn = (((page.getRotation().angle % 360) + 360) % 360) as 0 | 90 | 180 | 270
    const [width, height] = turn % 180 === 0 ? [box.width, box.height] : [box.height, box.width]
    const name = this.#addTo(page, this.#drawing(width, height))
    const matrix = displayToPage(box, turn).map(plain).join(' ')
    const drawn = context.register(context.stream(`q ${matrix} cm ${name.toString()} Do Q\n`))
    // A page may share its content with others, so the list is made anew.
    const contents = context.obj([]) as PDFArray
    for (const ref of [this.#save, ...contentsOf(page), this.#restore, drawn]) contents.push(ref)
    page.node.set(CONTENTS, contents)
  }

  /** Names the drawing among the resources of this page alone: pages may share resources too. */
  #addTo({ node }: PDFPage, drawing: PDFRef): PDFName {
    const { context } = this.#pdf
    const resources = node.Resources()?.clone(context) ?? context.obj({})
    const objects = resources.lookupMaybe(X_OBJECT, PDFDict)?.clone(context) ?? context.obj({})
    const name = objects.uniqueKey('PrivityMark')
    objects.set(name, drawing)
    resources.set(X_OBJECT, objects)
    node.set(RESOURCES, resources)
    return name
  }

  #drawing(width: number, height: number): PDFRef {
    const key = `${plain(width)}x${plain(height)}`
    const known = this.#drawings.get(key)
    if (known !== undefined) return known
    const { context } = this.#pdf
    const text = this.#font.encodeText(this.#line).toString()
    const wide = Math.max(1, this.#font.widthOfTextAtSize(this.#line, 1))
    const foot = Math.max(1, Math.min(8, (width - 12) / wide))
    const across = Math.max(1, (Math.hypot(width, height) * 0.7) / wide)
    const angle = Math.atan2(height, width)
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const start = [
      width / 2 - (cos * wide * across) / 2 + (sin * across) / 3,
      height / 2 - (sin * wide * across) / 2 - (cos * across) / 3,
    ]
    const content = [
      `q /Faint gs 0.5 g BT /F ${plain(across)} Tf ${[cos, sin, -sin, cos, ...start].map(plain).join(' ')} Tm ${text} Tj ET Q`,
      // A light strip keeps the line readable on a dark page.
      `q /Strip gs 1 g 0 0 ${plain(width)} ${plain(foot * 1.75)} re f Q`,
      `q 0.25 g BT /F ${plain(foot)} Tf 1 0 0 1 ${plain((width - wide * foot) / 2)} ${plain(foot * 0.5)} Tm ${text} Tj ET Q`,
    ].join('\n')
    const made = context.register(
      context.flateStream(content, {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, width, height],
        Resources: {
          Font: { F: this.#font.ref },
          ExtGState: { Faint: { ca: 0.18 }, Strip: { ca: 0.6 } },
        },
      }),
    )
    this.#drawings.set(key, made)
    return made
  }
}

/** What of a page is displayed: its crop box, as far as that lies within the media box. */
function shownBox(page: PDFPage): Box {
  const media = page.getMediaBox()
  const crop = page.getCropBox()
  const x = Math.max(media.x, crop.x)
  const y = Math.max(media.y, crop.y)
  const width = Math.min(media.x + media.width, crop.x + crop.width) - x
  const height = Math.min(media.y + media.height, crop.y + crop.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : media
}

/** The matrix from the page as it is displayed to the coordinates that it is drawn in. */
function displayToPage({ x, y, width, height }: Box, turn: 0 | 90 | 180 | 270): number[] {
  switch (turn) {
    case 90:
      return [0, 1, -1, 0, x + width, y]
    case 180:
      return [-1, 0, 0, -1, x + width, y + height]
    case 270:
      return [0, -1, 1, 0, x, y + height]
    default:
      return [1, 0, 0, 1, x, y]
  }
}

function contentsOf({ node }: PDFPage): PDFObject[] {
  const contents = node.get(CONTENTS)
  const found = contents === undefined ? undefined : node.context.lookup(contents)
  if (found === undefined || contents === undefined) return []
  return found instanceof PDFArray ? found.asArray() : [contents]
}

/** A number as PDF writes it: without an exponent. */
const plain = (value: number) => String(Number(value.toFixed(4)))
