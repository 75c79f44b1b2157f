import { builtIns, law, opening, tokenizers } from './built.js'
import { makeQuestions } from './documents/filings/facts.js'
import { makeFilings } from './documents/filings/make-filings.js'
import { openChunks } from './documents/filings/sqlite-chunks.js'
import { markdown, table } from './measure.js'
import { installPeers, missingPeer } from './search/peers.js'

/**
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {ReturnType<typeof makeQuestions>[number]} Question
 * @typedef {{ document: string, text: string }} Passage
 * @typedef {{ passages(query: string): Promise<readonly Passage[]>, bundle(query: string, tokens: number): Promise<readonly Passage[]> }} Finder
 */

const CASES = 28
const QUICK_CASES = 5
const FIRST = [1, 3, 10]
const BUDGETS = [1_000, 2_000, 4_000]
/** Characters beside a span, so that a passage is about as long as a chunk of the peer. */
const CONTEXT = 350

/**
 * Whether the passage that answers a question is among the first, and in what a model is given: made-up filings as PDF and
 * Word files, against SQLite FTS5 over the same text in chunks of 1,000 characters with titles.
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchDocumentsQuality({ seed, quick, log, search: picked }) {
  const { cases, files } = await makeFilings(seed, quick ? QUICK_CASES : CASES)
  const questions = makeQuestions(cases)
  log(`documents-quality: ${files.length} filings, ${questions.length} questions`)
  await installPeers(log)
  const privity = await opening.open({ domain: law.legal(), embedding: [builtIns.builtIn()] })
  const owner = privity.as({ tenant: 'bench', actor: 'owner' })
  try {
    /** @type {Map<string, { title: string, text: string }>} */
    const texts = new Map()
    for (const [at, { name, bytes }] of files.entries()) {
      if (at % 50 === 0) log(`documents-quality: taking in file ${at + 1} of ${files.length}`)
      const { card } = await owner.documents.ingest({
        document: name,
        corpus: 'filings',
        content: bytes.toString('base64'),
      })
      texts.set(name, await readWhole(owner, card?.id ?? ''))
    }
    await privity.caughtUp()
    /** @type {Record<string, Finder>} */
    const finders = { privity: routed(owner, texts) }
    if ((await missingPeer('better-sqlite3')) === null)
      finders['sqlite-fts5'] = openChunks(texts, tokenizers.o200k)
    const rows = []
    for (const half of /** @type {const} */ (['seen', 'held back']))
      for (const [system, finder] of Object.entries(finders)) {
        const asked = questions.filter(question => question.half === half)
        rows.push({
          half,
          system,
          questions: asked.length,
          ...(await measured(finder, asked, { system, half, log })),
        })
      }
    const shown = picked.markdown ? markdown : table
    return {
      name: 'documents-quality',
      title: `The answering passage among the first and in a bundle, in percent; ${files.length} filings`,
      goal: 'ahead of SQLite FTS5 in each column, in both halves',
      text: shown(rows),
      content: { rows },
      plots: {},
    }
  } finally {
    await privity.close()
  }
}

/** @param {any} owner @param {string} card */
async function readWhole(owner, card) {
  let text = ''
  let title = ''
  for (let from = 0; from !== null; ) {
    const read = await owner.documents.read(card, { from })
    title = read.title ?? ''
    text += read.text
    from = read.next
  }
  return { title, text }
}

/** @param {any} owner @param {ReadonlyMap<string, { text: string }>} texts @returns {Finder} */
const routed = (owner, texts) => ({
  async passages(query) {
    const { results } = await owner.documents.search({ query, limit: 10, context: CONTEXT })
    // A result is a filing, with its best records in `more`: here each passage is on its own, as with the peer.
    const records = results.flatMap((/** @type {any} */ result) => [result, ...result.more])
    return records
      .toSorted((/** @type {any} */ a, /** @type {any} */ b) => b.score - a.score)
      .flatMap((/** @type {any} */ { sourceSpans }) =>
        sourceSpans.map((/** @type {any} */ { document, text, context }) => ({
          document,
          text: `${context?.before ?? ''}${text}${context?.after ?? ''}`,
        })),
      )
  },
  async bundle(query, tokenBudget) {
    const { citations } = await owner.documents.bundle({ query, tokenBudget })
    return citations.map((/** @type {any} */ { document, start, end }) => ({
      document,
      text: texts.get(document)?.text.slice(start, end) ?? '',
    }))
  },
})

/** @param {Finder} finder @param {readonly Question[]} questions @param {{ system: string, half: string, log(line: string): void }} told */
async function measured(finder, questions, { system, half, log }) {
  /** @type {Record<string, number>} */
  const sums = {}
  const add = (/** @type {string} */ name, /** @type {boolean} */ hit) => {
    sums[name] = (sums[name] ?? 0) + (hit ? 1 : 0)
  }
  for (const question of questions) {
    const passages = await finder.passages(question.query)
    const place = passages.findIndex(passage => answers(passage, question))
    for (const first of FIRST) add(`passage@${first}`, place >= 0 && place < first)
    for (const budget of BUDGETS) {
      const bundle = await finder.bundle(question.query, budget)
      add(
        `bundle ${budget / 1_000}k`,
        bundle.some(passage => answers(passage, question)),
      )
    }
    if (place < 0 || place > 2)
      log(`documents-quality: ${system}, ${half}: ${question.id} at ${place}: ${question.query}`)
  }
  return Object.fromEntries(
    Object.entries(sums).map(([name, sum]) => [name, Math.round((sum / questions.length) * 1_000) / 10]),
  )
}

/** @param {Passage} passage @param {Question} question */
const answers = ({ document, text }, question) =>
  document === question.document && plain(text).includes(plain(question.answer))

/** Without line breaks, hyphens at their ends and the form of quotes. @param {string} text */
const plain = text =>
  text
    .replace(/-\s*\n\s*/g, '')
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
