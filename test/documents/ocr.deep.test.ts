import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { link } from '../../scripts/on-demand.js'
import { Extractor } from '../../src/documents/extract/extract.js'
import type { OcrProvider } from '../../src/documents/ocr/provider.js'
import { tesseract } from '../../src/documents/ocr/tesseract.js'
import { open } from '../../src/open.js'
import { openBrowser } from '../support/browser.js'
import { pdfOf, scanOf } from '../support/scans.js'

const BRIEF = [
  'UNITED STATES DISTRICT COURT, SOUTHERN DISTRICT OF NEW YORK. In re Halcyon Freight Securities Litigation, No. 22-10984 (KBO).',
  'Plaintiffs allege that on March 14, 2022 the company told investors that its terminals were running at full capacity, although the weekly reports of its own operations staff showed that fewer than half of the berths were in use.',
  'A complaint survives if the inference of scienter is cogent and at least as compelling as any opposing inference. Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308, 324 (2007). The confidential witnesses are described with enough detail to support that they knew what they report.',
  'The motion to dismiss should therefore be denied. Damages of $4,310,275 are pleaded with the method by which they were computed.',
]

let browser: Browser
let provider: OcrProvider
const extractor = new Extractor({ milliseconds: 120_000 })
beforeAll(async () => {
  await link('ocr', ['tesseract.js', '@tesseract.js-data/eng'])
  provider = tesseract()
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await extractor.close()
})

async function textOf(
  bytes: Uint8Array,
  name: string,
  page = 1,
): Promise<{ text: string; confidence: number }> {
  const recognised = await extractor.recognise(bytes, name, page, provider)
  if ('problem' in recognised) throw new Error(recognised.problem)
  const read = await extractor.extract(bytes, name, undefined, [recognised])
  if ('problem' in read) throw new Error(read.problem)
  return { text: read.text, confidence: recognised.confidence }
}

/** Wrong characters among those that were printed (Levenshtein distance over length). */
function errorRate(printed: string, read: string): number {
  const [a, b] = [printed, read].map(text => text.replace(/\s+/g, ' ').trim()) as [string, string]
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return (row[b.length] ?? 0) / a.length
}

describe('text recognition with tesseract.js', () => {
  it.each([
    ['a PNG at 300 dpi', { dpi: 300 }, 0.01],
    ['a PNG at 150 dpi', { dpi: 150 }, 0.02],
    ['a JPEG at 200 dpi', { dpi: 200, type: 'jpeg' as const }, 0.02],
    ['a typewriter face at 200 dpi', { dpi: 200, font: '12pt DejaVu Sans Mono, monospace' }, 0.02],
  ])(
    '[SR-18] reads %s with few wrong characters',
    async (name, how, most) => {
      const { text, confidence } = await textOf(await scanOf(browser, BRIEF, how), 'scan.png')
      const rate = errorRate(BRIEF.join(' '), text)
      console.log(`${name}: ${(rate * 100).toFixed(2)} % wrong characters, confidence ${confidence}`)
      expect(rate).toBeLessThanOrEqual(most)
      expect(confidence).toBeGreaterThan(80)
    },
    120_000,
  )

  it.each([
    ['as it is', 0],
    ['turned by a quarter', 90],
    ['upside down', 180],
  ])(
    '[SR-18] reads a page of a PDF whose picture lies %s',
    async (name, angle) => {
      const picture = await scanOf(browser, BRIEF, { type: 'jpeg' })
      const bytes = await pdfOf([
        pdf => {
          Object.assign(pdf.page.dictionary.data, { Rotate: angle })
          pdf.save()
          pdf.rotate(-angle, { origin: [306, 306] })
          if (angle === 180) pdf.translate(0, -180)
          pdf.image(picture, 0, 0, { width: 612 })
          pdf.restore()
        },
      ])
      const { text } = await textOf(bytes, 'scan.pdf')
      const rate = errorRate(BRIEF.join(' '), text)
      console.log(`a page ${name}: ${(rate * 100).toFixed(2)} % wrong characters`)
      expect(rate).toBeLessThanOrEqual(0.02)
    },
    120_000,
  )

  it('[SR-18] reads a page that is made of strips', async () => {
    const picture = await scanOf(browser, BRIEF, { dpi: 200 })
    const bytes = await pdfOf([
      pdf => {
        for (let strip = 0; strip < 4; strip++) {
          pdf.save()
          pdf.rect(0, strip * 198, 612, 198).clip()
          pdf.image(picture, 0, 0, { width: 612 })
          pdf.restore()
        }
      },
    ])
    expect(errorRate(BRIEF.join(' '), (await textOf(bytes, 'scan.pdf')).text)).toBeLessThanOrEqual(0.02)
  }, 120_000)

  it('[SR-18] makes a scanned filing found by its words, from the file to the answer', async () => {
    const privity = await open({ ocr: provider })
    try {
      const hollis = privity.as({ tenant: 'firm', actor: 'hollis' })
      const picture = await scanOf(browser, BRIEF)
      const bytes = await pdfOf([pdf => pdf.image(picture, 0, 0, { width: 612 })])
      const content = Buffer.from(bytes).toString('base64')
      expect((await hollis.documents.ingest({ document: 'scan.pdf', corpus: 'briefs', content })).state).toBe(
        'needs_ocr',
      )
      await privity.caughtUp()
      const { results, receipt } = await hollis.documents.search({
        query: 'weekly reports of operations staff',
      })
      expect(results[0]?.sourceSpans[0]?.text).toContain('fewer than half of the berths')
      expect(receipt).toMatchObject({ unreadFiles: [] })
    } finally {
      await privity.close()
    }
  }, 300_000)
})
