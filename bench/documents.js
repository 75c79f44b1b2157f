import { extractText, getDocumentProxy } from 'unpdf'
import { builtIns, extracting, opening } from './built.js'
import { makePdfs } from './documents/make-pdf.js'
import { median, rounded } from './measure.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 */

const QUESTIONS = {
  'plain words': 'auditors ledgers offering',
  'a citation': '551 U.S. 308, 314',
  'three executors': 'Find oppositions that argue PSLRA falls short on scienter.',
}

/**
 * Pages taken in per second, against the bare parser on the same files; and what routing adds to the bare search over the
 * same records.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchDocuments({ seed, quick, log }) {
  const [documents, pages, rounds] = quick ? [4, 5, 3] : [30, 20, 15]
  const total = documents * pages
  const files = await makePdfs(seed, documents, pages)
  log(`documents: ${documents} filings of ${pages} pages`)
  const extractor = new extracting.Extractor()
  const privity = await opening.open({ embedding: [builtIns.builtIn()] })
  const owner = privity.as({ tenant: 'bench', actor: 'owner' })
  try {
    /** @param {string} name @param {(file: { name: string, bytes: Buffer }, round: number) => Promise<unknown>} take */
    const rate = async (name, take) => {
      const rates = []
      for (let round = 0; round < 3; round++) {
        const start = performance.now()
        for (const file of files) await take(file, round)
        rates.push((total * 1000) / (performance.now() - start))
      }
      log(`documents: ${name}: ${Math.round(median(rates))} pages per second`)
      return median(rates)
    }
    const bare = await rate('the bare parser', async ({ bytes }) => {
      const pdf = await getDocumentProxy(new Uint8Array(bytes))
      await extractText(pdf, { mergePages: false })
      await pdf.destroy()
    })
    const extracted = await rate('extraction', ({ name, bytes }) => extractor.extract(bytes, name))
    const ingested = await rate('ingestion', ({ name, bytes }, round) =>
      owner.documents.ingest({
        document: `${round}/${name}`,
        corpus: 'briefs',
        content: bytes.toString('base64'),
      }),
    )
    await privity.caughtUp()
    const figures = [
      {
        what: 'extraction, in a process of its own',
        ours: rounded(extracted),
        bare: rounded(bare),
        ratio: rounded(extracted / bare),
        unit: 'pages/s',
      },
      {
        what: 'ingestion: card, segments, index feed, audit',
        ours: rounded(ingested),
        bare: rounded(bare),
        ratio: rounded(ingested / bare),
        unit: 'pages/s',
      },
    ]
    for (const [name, query] of Object.entries(QUESTIONS)) {
      const [routed, direct] = [[], []].map(() => /** @type {number[]} */ ([]))
      for (let round = -3; round < rounds; round++) {
        for (const [times, run] of /** @type {const} */ ([
          [direct, () => owner.search(query, { limit: 10, mode: 'text', facets: [] })],
          [routed, () => owner.documents.search({ query, limit: 10, mode: 'text' })],
        ])) {
          const start = performance.now()
          await run()
          if (round >= 0) times?.push(performance.now() - start)
        }
      }
      const [ours, bareSearch] = [median(routed ?? []), median(direct ?? [])]
      figures.push({
        what: `routed: ${name}`,
        ours: rounded(ours),
        bare: rounded(bareSearch),
        ratio: rounded(ours / bareSearch),
        unit: 'ms',
      })
    }
    return {
      name: 'documents',
      title: `Documents: ${total} pages in ${documents} PDFs, three times; questions over all their segments`,
      goal: 'none of its own: ratios to the bare parser and the bare search',
      figures,
      chart: {
        title: 'Documents',
        subtitle: 'against the bare parser and the bare search on the same files; a group has its own unit',
        unit: '',
        groups: figures.map(({ what, ours, bare, unit }) => ({
          label: `${what}, ${unit}`,
          bars: [
            { label: 'Privity', value: ours },
            { label: unit === 'ms' ? 'bare search' : 'bare parser', value: bare },
          ],
        })),
      },
    }
  } finally {
    await extractor.close()
    await privity.close()
  }
}
