#!/usr/bin/env node
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, markdown, table } from './measure.js'
import { barChart } from './svg.js'

/**
 * @typedef {{
 *   full: boolean,
 *   growth: boolean,
 *   records?: string | undefined,
 *   visible?: string | undefined,
 *   compartments?: string | undefined,
 *   systems?: string | undefined,
 *   budget?: string | undefined,
 *   dims?: string | undefined,
 *   data?: string | undefined,
 *   only?: string | undefined,
 *   half?: string | undefined,
 *   markdown: boolean,
 *   soak?: string | undefined,
 * }} SearchOptions
 * @typedef {{ seed: number, quick: boolean, log: (line: string) => void, search: SearchOptions }} Options
 * @typedef {{ figures: Record<string, string | number>[], chart: import('./svg.js').Chart }} Figures
 * @typedef {{ text: string, content: object, plots: Record<string, string> }} Shown plots are files of bench/results by name
 * @typedef {{ name: string, title: string, goal: string } & (Figures | Shown)} Report
 */

const HELP = `usage: npm run bench [decide | store | reads | search | vectors | quality | documents | documents-quality | sharing | whole | fairness | all] [-- options]

  decide   the decision over 10,000 and 100,000 compartments, against gates one by one and the slow reference
  store    remembering in batches, against bare inserts of the same rows, on PGlite and Postgres
  reads    reading with the audit, against the same reading without it, on Postgres and PGlite
  search   searching what a caller may see, against SQLite FTS5, LanceDB, Orama, MiniSearch and Postgres with
           row-level security; its first run installs them into bench/peers
  vectors  the nearest vectors among what a caller may see, exactly, against LanceDB, pgvector with row-level
           security on PGlite and a plain loop, and the scan against the speed of memory
  quality  what is found of what is relevant in given data, or in made-up legal passages: by words, by meaning and by
           both; as documents by the router, with citations and legal terms on and off; against plain BM25, MiniSearch,
           Orama and SQLite FTS5, with a paired bootstrap
  documents  pages of PDFs taken in, against the bare parser; routed questions by which executors run, against the bare
             search
  documents-quality  whether the passage that answers a question is among the first and in a bundle, over made-up filings
             as PDF and Word files, against SQLite FTS5 over the same text; half of the questions are held back
  sharing  watermarks on PDF files, against what the bare library takes to load and save them, and copying
  whole    whole operations, each against the least that could do it: requests over HTTP, search, lists, remembering,
           ingesting, memory, statements, and the same visible records in a growing world
  fairness what one tenant, or somebody without a credential, can do to others: how long the event loop stands still and
           what an honest tenant still gets; --data DIR measures another checkout that is built, --only names attacks,
           --systems is postgres, pglite or both
  all      all of them (the default); quality only with --data or --only

  --json OUT      also write OUT/<name>.json and the chart OUT/<name>.svg; of search, vectors, quality or whole
                  alone, the file OUT, and tables and charts into bench/results unless --quick
  --markdown      tables as Markdown has them, for README.md
  --quick         less of everything: to see that it runs, not to quote
  --seed N        another world (1 by default)
  --help          this text

of search; numbers with commas between them are several:

  --records N          10000,200000 by default
  --visible F          the part that the caller sees, as 0.01 or 1%, or above 1 a number of records; 1%,10%,100%
  --compartments C     a number, records/2 or records; 1000,records/2,records
  --full               also 1,000,000 records, and the cases of --growth, with more time for each
  --growth             1,000 visible records among 10,000 to 1,000,000
  --systems NAMES      only these
  --budget SECONDS     how long one may build its index before it is left out; 120, with --full 900
  --plots              write the charts into bench/results

of vectors: --records (200000), --visible, --systems and --plots as above, and

  --dims N             384 by default

of quality:

  --data FILE_OR_DIR   a JSON file { name, groups: [{ id, docs: [{ id, text }], queries: [{ id, text, gold: { doc:
                       grade } }] }] }, where docs may have conversation, turn, speaker and occurredAt, a folder of such files, or a folder in BEIR form
  --only PARTS         search, legal or peers, or several with commas between them; legal takes everything in as
                       documents and asks the router, and like search it installs nothing. Of given data, legal
                       is run only if it is named
  --half NAME          only every other query: tuned, on which changes are tried, or held-back, by which they are judged

of whole:

  --only PARTS         statements, memory, http, search, lists, remember, ingest, core, growth, or several of them
  --systems STORES     pglite, postgres, or both
  --records N          the sizes of core and growth; growth may take an hour with 1,000,000
  --soak MINUTES       after http also that long a mixed load, with errors and memory by the minute

Figures are medians, and ratios within one run on one machine are what counts. Nothing fails for being slow.`

const RESULTS = fileURLToPath(new URL('results', import.meta.url))

/** @type {Record<string, () => Promise<(options: Options) => Promise<Report>>>} */
const BENCHMARKS = {
  decide: async () => (await import('./decide.js')).benchDecide,
  store: async () => (await import('./store.js')).benchStore,
  reads: async () => (await import('./reads.js')).benchReads,
  search: async () => (await import('./search.js')).benchSearch,
  vectors: async () => (await import('./vectors.js')).benchVectors,
  quality: async () => (await import('./quality.js')).benchQuality,
  documents: async () => (await import('./documents.js')).benchDocuments,
  'documents-quality': async () => (await import('./documents-quality.js')).benchDocumentsQuality,
  sharing: async () => (await import('./sharing.js')).benchSharing,
  whole: async () => (await import('./whole.js')).benchWhole,
  fairness: async () => (await import('./fairness.js')).benchFairness,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    records: { type: 'string' },
    visible: { type: 'string' },
    compartments: { type: 'string' },
    systems: { type: 'string' },
    budget: { type: 'string' },
    dims: { type: 'string' },
    data: { type: 'string' },
    only: { type: 'string' },
    half: { type: 'string' },
    markdown: { type: 'boolean', default: false },
    soak: { type: 'string' },
    full: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    plots: { type: 'boolean', default: false },
  },
})
const all = Object.keys(BENCHMARKS).filter(
  name => name !== 'quality' || values.data !== undefined || values.only !== undefined,
)
const names = positionals.length === 0 || positionals.includes('all') ? all : positionals
const seed = Number(values.seed)

if (values.help) {
  console.log(HELP)
} else if (!Number.isSafeInteger(seed) || names.some(name => !Object.hasOwn(BENCHMARKS, name))) {
  console.error(HELP)
  process.exitCode = 2
} else {
  try {
    for (const name of names) await bench(name)
  } catch (e) {
    // A case that was picked and cannot be.
    if (!(e instanceof RangeError)) throw e
    console.error(e.message)
    process.exitCode = 2
  }
}

/** @param {string} name */
async function bench(name) {
  const run = await BENCHMARKS[name]?.()
  const report = await run?.({
    seed,
    quick: values.quick,
    log: line => console.error(`  ${line}`),
    search: values,
  })
  if (report === undefined) return
  const text = 'text' in report ? report.text : (values.markdown ? markdown : table)(report.figures)
  console.log(`\n${report.title}\n\n${text}\n\ngoal: ${report.goal}\n`)
  if ('text' in report) await writeShown(name, report)
  else if (values.json !== undefined) {
    const { chart, ...content } = report
    const json = { ...content, seed, quick: values.quick, machine: machine() }
    await write(join(values.json, `${name}.json`), toJson(json))
    await write(join(values.json, `${name}.svg`), barChart(chart))
  }
}

/** @param {string} name @param {Shown} shown */
async function writeShown(name, { content, plots }) {
  if (values.json !== undefined) {
    const isFolder =
      names.length > 1 ||
      (await stat(values.json).then(
        found => found.isDirectory(),
        () => false,
      ))
    await write(isFolder ? join(values.json, `${name}.json`) : values.json, toJson(content))
  }
  if (!values.plots && (values.json === undefined || values.quick)) return
  for (const [file, svg] of Object.entries(plots)) await write(join(RESULTS, file), svg)
}

/** @param {object} value */
function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** @param {string} file @param {string} content */
async function write(file, content) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}
