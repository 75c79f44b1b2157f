import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { makeLegalSet } from './legal-set.js'

/**
 * @typedef {{ id: string, title?: string, text: string, conversation?: string, turn?: number, speaker?: string, occurredAt?: string }} Doc
 * @typedef {{ id: string, text: string, gold: import('./measures.js').Gold }} Query
 * @typedef {{ id: string, docs: Doc[], queries: Query[] }} Group a corpus of its own, with what is asked of it
 * @typedef {{ name: string, groups: Group[] }} DataSet
 */

const BEIR = { corpus: 'corpus.jsonl', queries: 'queries.jsonl', judgements: join('qrels', 'test.tsv') }

/**
 * The legal set that is made here where nothing is given; or the sets in a JSON file, in a folder of such files, or in a
 * folder in BEIR form, or of such folders.
 *
 * @param {string | undefined} path
 * @param {{ seed: number, quick: boolean }} making
 * @returns {Promise<DataSet[]>}
 */
export async function readSets(path, making) {
  if (path === undefined) return [makeLegalSet(making)]
  const found = await stat(path).catch(() => {
    throw new RangeError(`quality: there is no ${path}`)
  })
  const sets = found.isDirectory() ? await readFolder(path) : [await readJson(path)]
  if (sets.length === 0) throw new RangeError(`quality: no JSON file and no ${BEIR.corpus} in ${path}`)
  const names = sets.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new RangeError(`quality: two sets are called ${twice}`)
  return sets
}

/** @param {string} folder @returns {Promise<DataSet[]>} */
async function readFolder(folder) {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (entries.some(({ name }) => name === BEIR.corpus)) return [await readBeir(folder)]
  const sets = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const isBeir = await stat(join(path, BEIR.corpus)).catch(() => null)
      if (isBeir !== null) sets.push(await readBeir(path))
    } else if (entry.name.endsWith('.json')) sets.push(await readJson(path))
  }
  return sets
}

/** @param {string} file @returns {Promise<DataSet>} */
async function readJson(file) {
  const data = parse(await readFile(file, 'utf8'), file)
  const { name, groups } = fields(data, file)
  if (typeof name !== 'string' || !Array.isArray(groups) || groups.length === 0)
    throw new RangeError(`quality: ${file} has no name or no groups`)
  return checked(
    {
      name,
      groups: groups.map((group, at) => {
        const where = `${file}: group ${at + 1}`
        const { id, docs, queries } = fields(group, where)
        if (!Array.isArray(docs) || !Array.isArray(queries))
          throw new RangeError(`quality: ${where} has no docs or no queries`)
        return {
          id: String(id ?? at),
          docs: docs.map(doc => readDoc(doc, where)),
          queries: queries.map(query => readQuery(query, where)),
        }
      }),
    },
    file,
  )
}

/** @param {string} folder @returns {Promise<DataSet>} */
async function readBeir(folder) {
  const [corpus, asked, judgements] = await Promise.all(
    [BEIR.corpus, BEIR.queries, BEIR.judgements].map(name =>
      readFile(join(folder, name), 'utf8').catch(() => {
        throw new RangeError(`quality: there is no ${join(folder, name)}`)
      }),
    ),
  )
  /** @type {Map<string, Record<string, number>>} */
  const gold = new Map()
  for (const [at, line] of linesOf(judgements ?? '').entries()) {
    const [query = '', doc = '', grade = ''] = line.split('\t')
    if (at === 0 && !Number.isFinite(Number.parseFloat(grade))) continue
    if (!Number.isFinite(Number.parseFloat(grade)))
      throw new RangeError(`quality: ${join(folder, BEIR.judgements)}: line ${at + 1} has no grade`)
    const own = gold.get(query) ?? {}
    own[doc] = Number(grade)
    gold.set(query, own)
  }
  /** @param {string} text @param {string} name */
  const rows = (text, name) =>
    linesOf(text).map((line, at) => {
      const where = `${join(folder, name)}: line ${at + 1}`
      const { _id, ...row } = fields(parse(line, where), where)
      return { where, row: { id: _id, ...row } }
    })
  const docs = rows(corpus ?? '', BEIR.corpus).map(({ row, where }) => readDoc(row, where))
  const queries = rows(asked ?? '', BEIR.queries).flatMap(({ row, where }) => {
    const own = gold.get(String(row.id))
    return own === undefined ? [] : [readQuery({ ...row, gold: own }, where)]
  })
  const name = basename(resolve(folder))
  return checked({ name, groups: [{ id: name, docs, queries }] }, folder)
}

/** @param {string} text */
const linesOf = text => text.split(/\r?\n/).filter(line => line.trim() !== '')

/** @param {unknown} given @param {string} where @returns {Doc} */
function readDoc(given, where) {
  const { id, title, text } = fields(given, where)
  if (id === undefined || typeof text !== 'string')
    throw new RangeError(`quality: ${where} has a document without id or text`)
  return {
    id: String(id),
    text,
    ...(typeof title === 'string' && title.trim() !== '' ? { title } : {}),
    ...turnOf(fields(given, where)),
  }
}

/**
 * The place of a turn in its conversation, who spoke and when, as `remember` takes them. LoCoMo has the place in its
 * ids (`D3:12` is turn 12 of session 3) and the speaker before the text.
 *
 * @param {Record<string, unknown>} given
 */
function turnOf({ id, text, conversation, turn, speaker, occurredAt }) {
  const [, session, place] = /^D(\d+):(\d+)$/.exec(String(id)) ?? []
  const [, named] = session === undefined ? [] : (/^([\p{L} ]{1,40}): /u.exec(String(text)) ?? [])
  return {
    ...(typeof conversation === 'string'
      ? { conversation }
      : session === undefined
        ? {}
        : { conversation: session }),
    ...(typeof turn === 'number' ? { turn } : place === undefined ? {} : { turn: Number(place) }),
    ...(typeof speaker === 'string' ? { speaker } : named === undefined ? {} : { speaker: named }),
    ...(typeof occurredAt === 'string' ? { occurredAt } : {}),
  }
}

/** What is not relevant at all is no gold. @param {unknown} given @param {string} where @returns {Query} */
function readQuery(given, where) {
  const { id, text, gold } = fields(given, where)
  if (id === undefined || typeof text !== 'string')
    throw new RangeError(`quality: ${where} has a query without id or text`)
  const grades = Object.entries(fields(gold, where)).map(([doc, grade]) => [doc, Number(grade)])
  return { id: String(id), text, gold: Object.fromEntries(grades.filter(([, grade]) => Number(grade) > 0)) }
}

/** Without queries that nothing answers or that say nothing: there is nothing to measure. @param {DataSet} set @param {string} where */
function checked(set, where) {
  const groups = set.groups.map(group => ({
    ...group,
    queries: group.queries.filter(({ text, gold }) => text.trim() !== '' && Object.keys(gold).length > 0),
  }))
  if (groups.every(({ queries }) => queries.length === 0))
    throw new RangeError(`quality: ${where} has no query with an answer`)
  return { ...set, groups }
}

/** @param {string} text @param {string} where @returns {unknown} */
function parse(text, where) {
  try {
    return JSON.parse(text)
  } catch {
    throw new RangeError(`quality: ${where} is not JSON`)
  }
}

/** @param {unknown} value @param {string} where @returns {Record<string, unknown>} */
function fields(value, where) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RangeError(`quality: ${where} is not in the form of a set`)
  return { ...value }
}
