import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { degrees, PDFDocument } from '#pdf-lib'
import { type Mark, numberFrom, type WatermarkVisibility } from '../../policy/watermark.js'
import { READ_LIMITS } from '../extract/extracted.js'
import { readPdf } from '../extract/pdf.js'
import { applyMark } from './apply-mark.js'
import { CannotMark } from './cannot-mark.js'
import { findNumbersIn } from './find-numbers.js'

const NUMBER = numberFrom(Uint8Array.from({ length: 13 }, (_, at) => at * 19))
const mark = (visibility: WatermarkVisibility): Mark => ({
  number: NUMBER,
  line: `berg@example.org · ${NUMBER} · 2026-11-18 09:00 UTC`,
  visibility,
})

async function plainPdf(
  pages: number,
  passwords: { ownerPassword?: string; userPassword?: string } | null = null,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (let page = 1; page <= pages; page++)
    pdf.addPage([400, 600]).drawText(`Content of page ${page}.`, { x: 50, y: 500 })
  if (passwords !== null) await pdf.encrypt({ userPassword: '', ownerPassword: 'owner', ...passwords })
  return pdf.save()
}

/** Pages of all rotations, some cropped, that share their resources and one content. */
async function oddPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (const turn of [0, 90, 180, 270]) {
    const page = pdf.addPage([400, 600])
    page.drawText(`Turned by ${turn}`, { x: 120, y: 320, size: 12 })
    page.setRotation(degrees(turn))
    if (turn >= 180) page.setCropBox(50, 100, 300, 400)
  }
  return pdf.save()
}

const textsOf = async (bytes: Uint8Array) => {
  const { text, pages } = await readPdf(Uint8Array.from(bytes), READ_LIMITS)
  return pages.map(({ start, end }) => text.slice(start, end))
}

describe('a marked PDF', () => {
  it.each([
    ['of several pages', () => plainPdf(3), 'Content of page'],
    ['that only restricts copying', () => plainPdf(2, {}), 'Content of page'],
    ['with rotated and cropped pages', oddPdf, 'Turned by'],
  ])('[ST-4] %s shows the number and all of its text on every page', async (_, make, own) => {
    const before = await make()
    const marked = await applyMark(before, 'brief.pdf', mark('visible'))
    const texts = await textsOf(marked)
    expect(texts).toHaveLength((await textsOf(before)).length)
    for (const text of texts) {
      expect(text).toContain(NUMBER)
      expect(text).toContain(own)
    }
    expect(await findNumbersIn(marked, 'copy.pdf')).toEqual([NUMBER])
  })

  it('[ST-4] has its line upright within what is displayed of each page', async () => {
    const marked = await applyMark(await oddPdf(), 'brief.pdf', mark('visible'))
    const pdf = await getDocumentProxy(Uint8Array.from(marked), { verbosity: 0 })
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number)
      const viewport = page.getViewport({ scale: 1 })
      const { items } = await page.getTextContent()
      const lines = (items as { str?: string; transform?: number[] }[]).flatMap(
        ({ str = '', transform = [] }) => (str.includes(NUMBER) ? [transform] : []),
      )
      const upright = lines.filter(([a = 0, b = 0, , , x = 0, y = 0]) => {
        const [left = 0, top = 0] = viewport.convertToViewportPoint(x, y)
        const [right = 0, bottom = 0] = viewport.convertToViewportPoint(x + a, y + b)
        const isLevel = Math.abs(bottom - top) < 0.01 && right > left
        const isAtFoot = top > viewport.height - 20 && top <= viewport.height
        return isLevel && isAtFoot && left >= 0 && left < viewport.width
      })
      expect([number, upright.length]).toEqual([number, 1])
    }
  })

  it('[ST-4] keeps the number in metadata alone, where nothing is to be seen', async () => {
    const marked = await applyMark(await plainPdf(2), 'brief.pdf', mark('invisible_metadata'))
    expect((await textsOf(marked)).join()).not.toContain('PV-')
    expect(await findNumbersIn(marked, 'x')).toEqual([NUMBER])
  })

  it('[ST-4] does not become more for 100 pages than for a few', async () => {
    const before = await plainPdf(100)
    const marked = await applyMark(before, 'brief.pdf', mark('both'))
    expect(marked.length).toBeLessThan(before.length + 100 * 400 + 10_000)
  })

  it('[ST-4] is refused where it cannot be opened', async () => {
    await expect(
      applyMark(await plainPdf(1, { userPassword: 'secret' }), 'a.pdf', mark('both')),
    ).rejects.toThrow(CannotMark)
    await expect(applyMark(strToU8('%PDF-1.7\nnothing'), 'a.pdf', mark('both'))).rejects.toThrow(CannotMark)
  })
})

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const docx = (body: string, more: Record<string, string> = {}) =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        '[Content_Types].xml':
          '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
        '_rels/.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        'word/document.xml': `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
        ...more,
      }).map(([name, text]) => [name, strToU8(text)]),
    ),
  )
const P = '<w:p><w:r><w:t>Content.</w:t></w:r></w:p>'

describe('a marked Word file', () => {
  it.each([
    ['without a section', docx(P)],
    ['with an empty section', docx(`${P}<w:sectPr/>`)],
    ['with a section', docx(`${P}<w:sectPr w:rsidR="1"><w:titlePg/></w:sectPr>`)],
    [
      'with a footer of its own',
      docx(`${P}<w:sectPr><w:footerReference w:type="default" r:id="r9"/></w:sectPr>`, {
        'word/footer1.xml': `<w:ftr xmlns:w="${WORD}">${P}</w:ftr>`,
      }),
    ],
  ])('[ST-4] %s has the line in every footer', async (_, before) => {
    const marked = await applyMark(before, 'a.docx', mark('visible'))
    const files = unzipSync(marked)
    const body = strFromU8(files['word/document.xml'] ?? new Uint8Array())
    for (const type of ['default', 'first', 'even'])
      expect(body.match(new RegExp(`footerReference w:type="${type}"`, 'g'))).toHaveLength(1)
    const footers = Object.keys(files).filter(name => /ooter\d*\.xml$/.test(name))
    for (const name of footers) expect(strFromU8(files[name] ?? new Uint8Array())).toContain(NUMBER)
    expect(await findNumbersIn(marked, 'a.docx')).toEqual([NUMBER])
  })

  it('[ST-4] keeps the number among its properties', async () => {
    const marked = await applyMark(docx(P), 'a.docx', mark('invisible_metadata'))
    expect(strFromU8(unzipSync(marked)['docProps/custom.xml'] ?? new Uint8Array())).toContain(NUMBER)
    const again = await applyMark(marked, 'a.docx', {
      ...mark('both'),
      number: numberFrom(new Uint8Array(13)),
    })
    expect(await findNumbersIn(again, 'a.docx')).toHaveLength(2)
  })
})

describe('marked text', () => {
  it.each([
    ['notes.txt', 'One line\r\nand another'],
    ['notes.md', '# A heading\n\nText.'],
    ['page.html', '<!doctype html><html><head><title>x</title></head><body><p>Text</p></body></html>'],
    ['part.html', '<p>Text</p>'],
    ['empty.txt', ''],
  ])('[ST-4] %s has its number, seen and unseen', async (name, text) => {
    for (const visibility of ['visible', 'invisible_metadata', 'both'] as const) {
      const marked = await applyMark(strToU8(text), name, mark(visibility))
      expect(await findNumbersIn(marked, name)).toEqual([NUMBER])
      const seen = strFromU8(marked).replace(/[\u200b-\u200d\u2060]|<meta[^>]*>/g, '')
      expect(seen.includes(NUMBER)).toBe(visibility !== 'invisible_metadata')
    }
  })

  it('[ST-4] of mail is refused', async () => {
    const mail =
      'From: a@example.org\r\nTo: b@example.org\r\nMessage-ID: <1@x>\r\nDate: Mon, 1 Jan 2024 10:00:00 +0000\r\n\r\nHello'
    await expect(applyMark(strToU8(mail), 'a.eml', mark('both'))).rejects.toThrow('is mail')
  })
})
