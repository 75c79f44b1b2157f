import { builtIns, law, opening, queries, tokens } from '../built.js'

/**
 * @typedef {import('./data.js').DataSet} DataSet
 * @typedef {import('./data.js').Group} Group
 * @typedef {import('./data.js').Doc} Doc
 */

const BATCH = 500
const LONGEST_QUERY = 2_000
const LONGEST_TITLE = 2_000

/**
 * A store in memory with the built-in provider. Each group belongs to an owner of its own, who asks.
 *
 * @param {DataSet} set
 */
export async function openPrivity(set) {
  const privity = await opening.open({ embedding: [builtIns.builtIn()] })
  /** What each owner's records are called in the data. @type {Map<Group, Map<string, string>>} */
  const names = new Map()
  /** @param {Group} group */
  const ownerOf = group => privity.as({ tenant: 'quality', actor: `owner-${set.groups.indexOf(group)}` })
  try {
    for (const group of set.groups) {
      const own = new Map()
      names.set(group, own)
      const docs = group.docs.filter(saysSomething)
      for (let at = 0; at < docs.length; at += BATCH) {
        const batch = docs.slice(at, at + BATCH)
        const kept = await ownerOf(group).remember(batch.map(draftOf))
        for (const [place, { id }] of kept.entries()) own.set(id, batch[place]?.id)
      }
    }
    await privity.caughtUp()
  } catch (e) {
    await privity.close()
    throw e
  }
  return {
    /** @param {Group} group @param {string} text @param {number} limit @param {'text' | 'vector' | 'hybrid'} mode */
    async search(group, text, limit, mode) {
      const { results } = await ownerOf(group).search(plain(text), { limit, mode, facets: [] })
      return results.map(({ record }) => names.get(group)?.get(record.id) ?? '')
    },
    close: () => privity.close(),
  }
}

const CORPUS = 'quality'

/**
 * The same with each passage as a document of its own, taken in as a file: cards and segments, asked for by the router.
 *
 * @param {DataSet} set
 * @param {(line: string) => void} log
 */
export async function openDocuments(set, log) {
  const privity = await opening.open({ domain: law.legal(), embedding: [builtIns.builtIn()] })
  /** @param {Group} group */
  const ownerOf = group => privity.as({ tenant: 'quality', actor: `owner-${set.groups.indexOf(group)}` })
  try {
    for (const group of set.groups) {
      const docs = group.docs.filter(saysSomething)
      for (const [at, { id, title, text }] of docs.entries()) {
        if (at % 250 === 0) log(`quality: ${set.name}: taking in document ${at + 1} of ${docs.length}`)
        const content = Buffer.from(title === undefined ? text : `${title}\n\n${text}`).toString('base64')
        await ownerOf(group).documents.ingest({ document: `${id}.txt`, corpus: CORPUS, content })
      }
    }
    await privity.caughtUp()
  } catch (e) {
    await privity.close()
    throw e
  }
  return {
    /** @param {Group} group @param {string} text @param {number} limit @param {{ citations: boolean, legalTerms: boolean }} told */
    async route(group, text, limit, told) {
      const { results } = await ownerOf(group).documents.search({ query: plain(text), limit, ...told })
      return results.map(({ document }) => String(document.documentName).replace(/\.txt$/, ''))
    },
    close: () => privity.close(),
  }
}

/** @param {Doc} doc */
const saysSomething = ({ title = '', text }) => `${title}${text}`.trim() !== ''

/** @param {Doc} doc */
function draftOf({ id: _, title, text, ...turn }) {
  const kind = /** @type {const} */ ('episodic')
  if (title === undefined) return { kind, text, ...turn }
  return text.trim() === ''
    ? { kind, text: title, ...turn }
    : { kind, title: title.slice(0, LONGEST_TITLE), text, ...turn }
}

/**
 * Queries of the data are sentences: quotes, stars and dashes in them ask for nothing. The operation takes so many
 * different words: what goes beyond is left out.
 *
 * @param {string} text
 */
function plain(text) {
  const words = text
    .replace(/["“”„*]/gu, ' ')
    .replace(/(?<=^|\s)-+/gu, ' ')
    .slice(0, LONGEST_QUERY)
  const seen = new Set()
  for (const { term, start } of tokens.tokenize(words)) {
    seen.add(term)
    if (seen.size > queries.MOST_TERMS) return words.slice(0, start)
  }
  return words
}
