import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { exposureOf } from '../../policy/stored-label.js'
import {
  deleteSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  loadSavedSearch,
  markSavedSearch,
  type SavedSearchRow,
} from '../../storage/queries/saved-searches.js'
import { createdAt } from '../fields.js'
import { id, name, parse } from '../input.js'
import { labelToKeep } from '../labels-of-writes.js'
import { readOperation, writeOperation } from '../operation.js'
import { recordView } from '../record-view.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { sampleQuestion } from '../sample-world.js'
import { parseQuestion, QUESTION, question } from '../search/question.js'
import { receipt } from '../search/receipt.js'
import { fetchResults, runSearch } from '../search/run.js'
import type { Digest } from '../secrets.js'
import { retainRun } from './receipts.js'

const savedSearch = z
  .object({
    id: z.string().meta({ description: 'The id of the saved search.' }),
    name: z.string().meta({ description: 'Its name.' }),
    question: z.record(z.string(), z.unknown()).meta({ description: 'What is asked.' }),
    createdAt,
    checkedAt: z
      .string()
      .nullable()
      .meta({ description: 'When it was last looked at; null if it never was.' }),
  })
  .meta({ id: 'SavedSearch', description: 'A search that is kept, to be asked again.' })

const saverOf = ({ parts: { actorId, forId } }: ReadRequest) => ({ actorId, forId })

/** Saves a question under a name. Every later run is decided again for whoever runs it. */
export const saveSearch = writeOperation({
  name: 'searches.save',
  route: 'POST /searches',
  summary: 'Save a search under a name',
  policies: ['agent'],
  sample: world => ({
    name: world.pick(['mine', `search ${world.key}`]),
    ...sampleQuestion(world),
    ...world.maybe(0.2, { searchRun: world.searchRun() }),
  }),
  callers: 'anyone',
  effects: ['search_saved'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({
    name: name.meta({ description: 'A name for it.', example: 'weekly' }),
    ...QUESTION,
    // CV-7
    searchRun: id
      .optional()
      .meta({ description: 'The search it was first asked in, by its id: its receipt is kept as well.' }),
  }),
  output: savedSearch,
  async run(request, { name, searchRun, ...asked }) {
    // A question that cannot be parsed is not saved.
    parseQuestion(asked)
    if (searchRun !== undefined)
      await retainRun(request, searchRun, 'referenced_by_saved_search_or_standing_order', 'durable_audit_1y')
    const savedSearchId = request.parts.clock.newId('saved_search')
    const question = request.parts.secrets.seal(JSON.stringify(asked), boundTo(savedSearchId))
    const label = await labelToKeep(request)
    const saved = { savedSearchId, name, question, label, createdAt: request.now }
    const saver = { ...saverOf(request), credential: request.credential }
    const isNew = await insertSavedSearch(request.tx, request.tenant, saver, saved)
    if (!isNew)
      throw new PrivityError(
        'conflict',
        'name: a saved search with this name already exists; choose another name',
      )
    return {
      output: view(request, { ...saved, checkedAt: null }),
      refs: [savedSearchId],
    }
  },
  replay: async (request, [savedSearchId = '']) =>
    view(request, await require(request, savedSearchId, 'read')),
})

export const listSaved = readOperation({
  name: 'searches.list',
  route: 'GET /searches',
  summary: 'List the searches that the caller saved',
  policies: ['agent', 'reader'],
  sample: () => ({}),
  callers: 'anyone',
  input: z.strictObject({}),
  output: z.object({ searches: z.array(savedSearch).meta({ description: 'The saved searches, by name.' }) }),
  async run(request) {
    const saved = await listSavedSearches(request.tx, request.tenant, saverOf(request))
    return { searches: (await request.seen(saved)).map(one => view(request, one)) }
  },
})

export const deleteSaved = writeOperation({
  name: 'searches.delete',
  route: 'DELETE /searches/:search',
  summary: 'Delete a saved search',
  positional: ['search'],
  policies: ['agent'],
  sample: world => ({ search: world.made('saved_search') }),
  callers: 'anyone',
  effects: ['saved_search_deleted'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({ search: id.meta({ description: 'The saved search, by its id.' }) }),
  output: z.object({
    deleted: z.boolean().meta({ description: 'Whether it was deleted; false if it was not there.' }),
  }),
  async run(request, { search }) {
    await require(request, search, 'lock')
    await deleteSavedSearch(request.tx, request.tenant, search)
    return { output: { deleted: true }, refs: [search] }
  },
  replay: async () => ({ deleted: true }),
})

const changes = z.object({
  added: z.array(recordView).meta({ description: 'Records found now, and not when it was last looked at.' }),
  changed: z.array(recordView).meta({ description: 'Records found then and now that show something else.' }),
  since: z.string().nullable().meta({ description: 'When it was last looked at; null if it never was.' }),
  receipt: receipt.meta({ description: 'What was searched, and how complete the search was.' }),
})

/**
 * Tells what a saved search finds now and did not find at the last look. Each look was decided at its own time; what
 * is no longer visible is not mentioned.
 */
export const savedSearchChanges = writeOperation({
  name: 'searches.changes',
  route: 'POST /searches/:search/changes',
  summary: 'List what changed in a saved search since the last look',
  positional: ['search', '...'],
  policies: ['agent'],
  sample: world => ({ search: world.made('saved_search') }),
  callers: 'anyone',
  effects: ['saved_search_checked'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    search: id.meta({ description: 'The saved search, by its id.' }),
    mark: z.boolean().default(true).meta({ description: 'Whether this counts as a look.' }),
  }),
  output: changes,
  async run(request, { search, mark }) {
    const saved = await require(request, search, 'lock')
    const { output, seen, sawAll } = await look(request, saved, saved.seen)
    // What somebody saw who sees more must not count as a look of whoever saved it (NI-10).
    const isOwn = saved.credential === request.credential
    if (mark && sawAll && isOwn) await markSavedSearch(request.tx, request.tenant, search, seen, request.now)
    return { output, refs: [search] }
  },
  // The answer may have been lost, so this compares with what the last look was compared with, and decides again.
  async replay(request, [search = ''], { mark }) {
    const saved = await require(request, search, 'read')
    return (await look(request, saved, mark ? saved.seenBefore : saved.seen)).output
  },
})

async function look(
  request: WriteRequest,
  saved: SavedSearchRow,
  before: SavedSearchRow['seen'],
): Promise<{ output: z.input<typeof changes>; seen: Record<string, string>; sawAll: boolean }> {
  const { asked, digest: keyed } = questionOf(request, saved)
  const searched = await runSearch(request, parseQuestion(parse(question, asked)))
  const { executed, account } = searched
  const results = await fetchResults(request, searched, executed.ranked)
  const digest = (value: string) =>
    keyed(JSON.stringify([saved.savedSearchId, value]))
      .toString('base64url')
      .slice(0, 22)
  const found = results.map(({ view }) => ({
    view,
    record: digest(view.id),
    version: digest(`${view.id} ${view.version}`),
  }))
  const added = found.filter(({ record }) => before[record] === undefined)
  const changed = found.filter(({ record, version }) => ![undefined, version].includes(before[record]))
  for (const { view } of [...added, ...changed]) request.show(view)
  request.leave(account.run)
  return {
    output: {
      added: added.map(({ view }) => view),
      changed: changed.map(({ view }) => view),
      since: saved.checkedAt?.toISOString() ?? null,
      receipt: account.receipt,
    },
    seen: Object.fromEntries(found.map(({ record, version }) => [record, version])),
    // If a model failed, this look must not be saved: it would forget what only that model finds.
    sawAll: !account.receipt.meaning.some(({ state }) => state === 'timeout' || state === 'unavailable'),
  }
}

async function require(
  request: WriteRequest,
  search: string,
  mode: 'read' | 'lock',
): Promise<SavedSearchRow> {
  const found = await loadSavedSearch(request.tx, request.tenant, saverOf(request), search, mode)
  const [saved] = await request.seen(found === undefined ? [] : [found])
  if (saved === undefined) throw absent()
  return saved
}

const boundTo = (savedSearchId: string) => JSON.stringify(['saved search', savedSearchId])

/**
 * The question, and the digest that compares its looks; it always uses the key that sealed the question. Whoever
 * reads the question or its results is exposed to what it was made from (WR-2).
 */
function questionOf(
  request: ReadRequest,
  { savedSearchId, question, label }: Pick<SavedSearchRow, 'savedSearchId' | 'question' | 'label'>,
): { asked: Record<string, unknown>; digest: Digest } {
  request.expose(exposureOf(label))
  const { plain, digest } = request.parts.secrets.unseal(question, boundTo(savedSearchId))
  return { asked: JSON.parse(plain), digest }
}

const view = (
  request: ReadRequest,
  saved: Omit<SavedSearchRow, 'seen' | 'seenBefore' | 'credential'>,
): z.input<typeof savedSearch> => ({
  id: saved.savedSearchId,
  name: saved.name,
  question: questionOf(request, saved).asked,
  createdAt: saved.createdAt.toISOString(),
  checkedAt: saved.checkedAt?.toISOString() ?? null,
})
