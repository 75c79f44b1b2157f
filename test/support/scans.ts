import { deflateSync } from 'node:zlib'
import type PdfDocumentType from 'pdfkit'
import type { Browser } from 'playwright-core'
import { importOnDemand } from '../../scripts/on-demand.js'

/** A picture of a page with a text, as a scanner at this resolution would make it. */
export async function scanOf(
  browser: Browser,
  paragraphs: readonly string[],
  { dpi = 200, type = 'png' as 'png' | 'jpeg', font = '12pt DejaVu Serif, serif' } = {},
): Promise<Buffer> {
  const page = await browser.newPage({
    viewport: { width: 816, height: 1056 },
    deviceScaleFactor: dpi / 96,
  })
  try {
    const escaped = paragraphs.map(text => `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`)
    await page.setContent(
      `<body style="margin:0;padding:1in;background:#fff;font:${font};line-height:1.6">${escaped.join('')}</body>`,
    )
    return await page.screenshot({ type, ...(type === 'jpeg' ? { quality: 60 } : {}) })
  } finally {
    await page.close()
  }
}

/** A PDF each of whose pages is drawn by a function. */
export async function pdfOf(
  pages: readonly ((pdf: InstanceType<typeof PdfDocumentType>) => void)[],
): Promise<Uint8Array> {
  const { default: PdfDocument } = await importOnDemand('test', 'pdfkit')
  const date = new Date(Date.UTC(2024, 0, 1))
  const pdf: InstanceType<typeof PdfDocumentType> = new PdfDocument({
    autoFirstPage: false,
    margin: 72,
    info: { CreationDate: date, ModDate: date },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Uint8Array>(resolve =>
    pdf.on('end', () => resolve(Uint8Array.from(Buffer.concat(chunks)))),
  )
  for (const draw of pages) {
    pdf.addPage()
    draw(pdf)
  }
  pdf.end()
  return done
}

/** A white picture of this size, as a PNG. */
export function blankPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits of grey for each pixel; each row begins with the number of its filter.
  head[8] = 8
  const rows = Buffer.alloc((width + 1) * height, 255)
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(data: Buffer): number {
  let sum = 0xffffffff
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}
