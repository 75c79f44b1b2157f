import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OcrProvider } from '../../src/documents/ocr/provider.js'
import type { Privity } from '../../src/open.js'
import { blankPng, pdfOf } from '../support/scans.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { passingClock } from '../support/sharing.js'

const scripted = (pages: Record<string, string>): OcrProvider => ({
  name: 'scripted',
  module: new URL('../support/scripted-ocr.js', import.meta.url).href,
  options: { pages },
})

/** A page of a PDF that shows only a picture; the recognition knows it by its width. */
const picture = (width: number) => (pdf: Parameters<Parameters<typeof pdfOf>[0][number]>[0]) =>
  pdf.image(blankPng(width, Math.round((width * 792) / 612)), 0, 0, { width: 612, height: 792 })
const written = (text: string) => (pdf: Parameters<Parameters<typeof pdfOf>[0][number]>[0]) => pdf.text(text)

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe('[SR-18] text recognition', () => {
  let store: SharedStore
  let privity: Privity
  const open = (pages: Record<string, string> | null) =>
    store.instance(passingClock(), pages === null ? {} : { ocr: scripted(pages) })

  beforeAll(async () => {
    store = await sharedStore('pglite')
    privity = await open({
      100: 'The quarry permit lapsed in May.',
      102: 'Blasting stopped\nthe same week.',
      104: 'crash',
      120: 'A receipt for zinkgravel, four tons.',
    })
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  it('reads scanned pages between written ones as the next version, with its confidence', async () => {
    const ana = privity.as({ tenant: store.tenant(), actor: 'ana' })
    const content = base64(
      await pdfOf([
        written('First page, written.'),
        picture(100),
        picture(102),
        written('Last page, written.'),
      ]),
    )
    const taken = await ana.documents.ingest({
      document: 'permit.pdf',
      corpus: 'quarry',
      content,
      sensitivity: 'high',
    })
    expect(taken).toMatchObject({ state: 'needs_ocr', version: 1 })
    await privity.caughtUp()

    const { results, receipt } = await ana.documents.search({ query: 'quarry permit lapsed' })
    const [span] = results[0]?.sourceSpans ?? []
    expect(span).toMatchObject({ version: 'permit.pdf@2' })
    expect(receipt).toMatchObject({ unreadFiles: [] })
    const { documents } = await ana.documents.cards({})
    expect(documents).toMatchObject([{ state: 'complete', version: 'permit.pdf@2', pages: 4 }])
    const card = await ana.documents.get(documents[0]?.id ?? '')
    expect(card?.fields.recognisedPages).toEqual([
      { page: 2, confidence: 87 },
      { page: 3, confidence: 87 },
    ])
    const read = await ana.documents.read(documents[0]?.id ?? '')
    expect(read?.text.replace(/\s+/g, ' ')).toBe(
      'First page, written. The quarry permit lapsed in May. Blasting stopped the same week. Last page, written.',
    )
    expect((await ana.documents.original(documents[0]?.id ?? ''))?.content).toBe(content)
    expect(await ana.documents.ingest({ document: 'permit.pdf', corpus: 'quarry', content })).toMatchObject({
      outcome: 'unchanged',
      version: 2,
    })
  })

  it('keeps the label of the file for what was recognised, and forgets it with the text', async () => {
    const tenant = store.tenant()
    const ana = privity.as({ tenant, actor: 'ana' })
    const content = base64(blankPng(120, 90))
    await ana.documents.ingest({ document: 'paid.png', corpus: 'quarry', content, sensitivity: 'high' })
    await privity.caughtUp()
    const query = { query: 'zinkgravel tons' }
    expect((await ana.documents.search(query)).results).toHaveLength(1)
    const low = privity.as({ tenant, actor: 'ana', trust: { maxSensitivity: 'low', authenticated: true } })
    expect((await low.documents.search(query)).results).toEqual([])
    const [found] = (await ana.documents.cards({})).documents
    const segment = (await ana.documents.read(found?.id ?? ''))?.segments[0]?.id ?? ''
    await ana.forget(segment)
    const left = (await dumpTables(store.sql)).filter(({ row }) => row.includes('zinkgravel'))
    expect(left).toEqual([])
  })

  it('leaves a page out that ends its process again and again, and says so', async () => {
    const ana = privity.as({ tenant: store.tenant(), actor: 'ana' })
    const content = base64(await pdfOf([picture(100), picture(104)]))
    await ana.documents.ingest({ document: 'bad.pdf', corpus: 'quarry', content })
    await privity.caughtUp()
    expect((await ana.documents.cards({})).documents).toMatchObject([{ state: 'partial' }])
    const { results, receipt } = await ana.documents.search({ query: 'permit lapsed' })
    expect(results).toHaveLength(1)
    expect(receipt).toMatchObject({
      unreadFiles: ['bad.pdf'],
      resultSetCompleteness: 'partial_due_to_index_health',
    })
  })

  it('goes on with what another process left, without a page twice', async () => {
    const tenant = store.tenant()
    const without = await open(null)
    const content = base64(await pdfOf([picture(100)]))
    const ana = without.as({ tenant, actor: 'ana' })
    await ana.documents.ingest({ document: 'late.pdf', corpus: 'quarry', content })
    expect(await ana.documents.recognise({ document: 'late.pdf' })).toMatchObject({
      recognition: 'not_set_up',
    })
    expect((await ana.documents.search({ query: 'permit' })).receipt).toMatchObject({
      unreadFiles: ['late.pdf'],
    })
    await without.close()

    const later = privity.as({ tenant, actor: 'ana' })
    expect(await later.documents.recognise({ document: 'late.pdf' })).toMatchObject({
      recognition: 'waiting',
    })
    await privity.caughtUp()
    expect(await later.documents.recognise({ document: 'late.pdf' })).toMatchObject({
      recognition: 'not_needed',
      state: 'complete',
      version: 2,
    })
    expect((await later.documents.search({ query: 'permit' })).results).toHaveLength(1)
  })
})
