import { extractText, getDocumentProxy } from 'unpdf'
import { builtIns, extracting, law, opening } from './built.js'
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

/** One question that any of them can answer, so that what is compared is who runs. */
const ANY = 'auditors ledgers offering under 551 U.S. 308'

/** By which executors are asked, one more each time; what they are is read from the plan. */
const EXECUTORS = /** @type {const} */ ([
  { posture: 'document_text_primary', citations: false },
  { posture: 'document_text_primary', citations: true },
  { posture: 'mixed_surface_disclosed', citations: false },
  { posture: 'mixed_surface_disclosed', citations: true },
  { posture: 'cross_source_synthesis', citations: false },
  { posture: 'cross_source_synthesis', citations: true },
])

/** What each is called in a table. */
const CALLED = {
  primary_direct: 'direct',
  doc18_legal_search_direct: 'citations',
  memory_agent: 'memory',
  document_intelligence_agent: 'document intelligence',
}

const NOTES = 300

/**
 * Pages taken in per second, against the bare parser on the same files; and what routing adds to the bare search over the
 * same records, by which executors run.
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
  const privity = await opening.open({ domain: law.legal(), embedding: [builtIns.builtIn()] })
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
    await owner.remember(notesOn(files))
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
    /** @param {string} what @param {string} query @param {object} told */
    const routed = async (what, query, told) => {
      log(`documents: ${what}`)
      const { ours, bare: bareSearch } = await inTurns(rounds, {
        bare: () => owner.search(query, { limit: 10, mode: 'text', facets: [] }),
        ours: () => owner.documents.search({ query, limit: 10, mode: 'text', ...told }),
      })
      const ratio = rounded(ours / bareSearch)
      figures.push({ what, ours: rounded(ours), bare: rounded(bareSearch), ratio, unit: 'ms' })
    }
    for (const [name, query] of Object.entries(QUESTIONS)) await routed(`routed: ${name}`, query, {})
    for (const told of EXECUTORS) {
      const { plan } = await owner.documents.search({ query: ANY, limit: 10, mode: 'text', ...told })
      const who = plan.executorAssignments.map(({ executorClass }) => CALLED[executorClass])
      await routed(`routed by ${who.join(', ')}`, ANY, told)
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

/** What somebody made of the filings, for memory to be asked. @param {readonly { name: string }[]} files */
const notesOn = files =>
  Array.from({ length: NOTES }, (_, at) => ({
    kind: /** @type {const} */ ('semantic'),
    surface: /** @type {const} */ ('derived_memories'),
    corpus: 'briefs',
    text: `Note ${at}: the auditors saw the ledgers before the offering; compare 551 U.S. 308.`,
    spans: [{ document: `0/${files[at % files.length]?.name}`, start: 10, end: 60 }],
  }))

/**
 * The median time of each of some ways, which take turns.
 *
 * @template {string} Way
 * @param {number} rounds
 * @param {Record<Way, () => Promise<unknown>>} ways
 * @returns {Promise<Record<Way, number>>}
 */
async function inTurns(rounds, ways) {
  const names = /** @type {Way[]} */ (Object.keys(ways))
  const times = new Map(names.map(name => [name, /** @type {number[]} */ ([])]))
  for (let round = -3; round < rounds; round++)
    for (const name of names) {
      const start = performance.now()
      await ways[name]()
      if (round >= 0) times.get(name)?.push(performance.now() - start)
    }
  const medians = names.map(name => [name, median(times.get(name) ?? [])])
  return /** @type {Record<Way, number>} */ (Object.fromEntries(medians))
}
