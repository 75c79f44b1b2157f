import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import {
  deleteSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  loadSavedSearch,
  markSavedSearch,
  type SavedSearch,
} from '../../storage/queries/saved-searches.js'
import { id, name, parse } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { recordView } from '../record-view.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { QUESTION, question } from '../search/question.js'
import { receipt } from '../search/receipt.js'
import { fetchResults, runSearch } from '../search/run.js'
import { retain } from './receipts.js'

const savedSearch = z.object({
  id: z.string(),
  name: z.string(),
  question: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  checkedAt: z.string().nullable(),
})

const saverOf = ({ parts: { actorId, forId } }: ReadRequest) => ({ actorId, forId })

/** Keeps a question under a name. Whoever asks it again is decided for again. */
export const saveSearch = writeOperation({
  name: 'searches.save',
  summary: 'Keep a search under a name',
  callers: 'anyone',
  effects: ['search_saved'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({
    name,
    ...QUESTION,
    /** The search it was first asked in: its receipt is then kept as well (CV-7). */
    searchRun: id.optional(),
  }),
  output: savedSearch,
  async run(request, { name, searchRun, ...asked }) {
    if (searchRun !== undefined)
      await retain(request, searchRun, 'referenced_by_saved_search_or_standing_order', 'durable_audit_1y')
    const savedSearchId = request.parts.clock.newId('saved_search')
    const saved = { savedSearchId, name, question: asked, createdAt: request.now }
    const isNew = await insertSavedSearch(request.tx, request.tenant, saverOf(request), saved)
    if (!isNew) throw new PrivityError('conflict', 'name: a search of this name is saved already')
    return {
      output: view({ ...saved, question: JSON.parse(JSON.stringify(asked)), seen: {}, checkedAt: null }),
      refs: [savedSearchId],
    }
  },
  replay: async (request, [savedSearchId = '']) => view(await require(request, savedSearchId, 'read')),
})

export const listSaved = readOperation({
  name: 'searches.list',
  summary: 'List the searches that the caller saved',
  callers: 'anyone',
  input: z.strictObject({}),
  output: z.object({ searches: z.array(savedSearch) }),
  run: async request => ({
    searches: (await listSavedSearches(request.tx, request.tenant, saverOf(request))).map(view),
  }),
})

export const deleteSaved = writeOperation({
  name: 'searches.delete',
  summary: 'Delete a saved search',
  callers: 'anyone',
  effects: ['saved_search_deleted'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({ search: id }),
  output: z.object({ deleted: z.boolean() }),
  async run(request, { search }) {
    await require(request, search, 'lock')
    await deleteSavedSearch(request.tx, request.tenant, search)
    return { output: { deleted: true }, refs: [search] }
  },
  replay: async () => ({ deleted: true }),
})

const changes = z.object({
  /** Found now, and not when this was last looked at. */
  added: z.array(recordView),
  /** Found then and now, and showing something else. */
  changed: z.array(recordView),
  since: z.string().nullable(),
  receipt,
})

/**
 * What a saved search finds that it did not find at the last look. Both looks are decided at their own time; what is no
 * longer seen is not spoken of.
 */
export const savedSearchChanges = writeOperation({
  name: 'searches.changes',
  summary: 'Tell what changed in a saved search since the last look',
  callers: 'anyone',
  effects: ['saved_search_checked'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    search: id,
    /** Whether this counts as a look. */
    mark: z.boolean().default(true),
  }),
  output: changes,
  async run(request, { search, mark }) {
    return { output: await look(request, search, mark), refs: [search] }
  },
  // A repeated look is a look of its own, without marking.
  replay: (request, [search = '']) => look(request, search, false),
})

async function look(request: WriteRequest, search: string, mark: boolean): Promise<z.input<typeof changes>> {
  const saved = await require(request, search, 'lock')
  const searched = await runSearch(request, parse(question, saved.question))
  const { executed, account } = searched
  const results = await fetchResults(request, searched, executed.ranked)
  const added = results.filter(({ view }) => saved.seen[view.id] === undefined)
  const changed = results.filter(
    ({ view }) => saved.seen[view.id] !== undefined && saved.seen[view.id] !== view.version,
  )
  for (const { view } of [...added, ...changed]) request.show(view)
  request.leave(account.run)
  if (mark) {
    const seen = Object.fromEntries(results.map(({ view }) => [view.id, view.version]))
    await markSavedSearch(request.tx, request.tenant, search, { ...saved.seen, ...seen }, request.now)
  }
  return {
    added: added.map(({ view }) => view),
    changed: changed.map(({ view }) => view),
    since: saved.checkedAt?.toISOString() ?? null,
    receipt: account.receipt,
  }
}

async function require(request: WriteRequest, search: string, mode: 'read' | 'lock'): Promise<SavedSearch> {
  const saved = await loadSavedSearch(request.tx, request.tenant, saverOf(request), search, mode)
  if (saved === undefined) throw absent()
  return saved
}

const view = ({
  savedSearchId,
  name,
  question,
  createdAt,
  checkedAt,
}: SavedSearch): z.input<typeof savedSearch> => ({
  id: savedSearchId,
  name,
  question: question as Record<string, unknown>,
  createdAt: createdAt.toISOString(),
  checkedAt: checkedAt?.toISOString() ?? null,
})
