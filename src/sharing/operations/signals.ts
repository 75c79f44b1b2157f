import { z } from 'zod'
import { isRecipient } from '../../policy/subject.js'
import { routeOf, SIGNAL_KINDS, SIGNAL_ROUTES, type SignalRoute } from '../../policy/utility-signals.js'
import { cursorBoundary } from '../../runtime/cursor-boundary.js'
import { nextCursor } from '../../runtime/fields.js'
import { id, name, principal } from '../../runtime/input.js'
import { pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import type { RecordView } from '../../runtime/record-view.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { loadSearchRun, type SearchRunRow } from '../../storage/queries/search-runs.js'
import {
  addCorpusSignal,
  addProfileSignal,
  addRecordSignal,
  deleteEndedProfileSignals,
  listCorpusSignals,
  listRecordSignals,
  type RecordSignals,
  type RecordSignalsKey,
  reviewCorpusSignals,
} from '../../storage/queries/utility-signals.js'
import { signalPolicyFor } from '../signals.js'

// These counts are for people to look at. No search reads them, because what one person found useful must not change
// what another person finds (NI-1).

const signalInput = z
  .strictObject({
    kind: z.enum(SIGNAL_KINDS).meta({ description: 'What you did.', example: 'explicit_helpful' }),
    record: id.optional().meta({ description: 'The result it is about, by its id.' }),
    searchRun: id
      .optional()
      .meta({ description: 'The search that led to it: one of your own. It is not kept with the signal.' }),
    dwellMs: z
      .int()
      .min(0)
      .max(3_600_000)
      .optional()
      .meta({ description: 'Milliseconds that you stayed. Only with `click_dwell`.', example: 4_000 }),
  })
  .refine(({ kind, dwellMs }) => dwellMs === undefined || kind === 'click_dwell', {
    message: 'goes with click_dwell only',
    path: ['dwellMs'],
  })
type SignalInput = z.output<typeof signalInput>

const recorded = z.object({
  captured: z.boolean().meta({ description: 'Whether the signal was kept.' }),
  route: z.enum(SIGNAL_ROUTES).nullable().meta({ description: 'Where it went; null if it was not kept.' }),
})

/** Counts what a reader did, if the policy of its profile allows that (SP-8). */
export const recordSignal = writeOperation({
  name: 'signals.record',
  route: 'POST /signals',
  summary: 'Record what you did with a result, as far as your session captures it',
  policies: ['agent', 'recipient'],
  sample: world => ({
    ...world.pick([{ kind: 'explicit_helpful' }, { kind: 'click_dwell', dwellMs: 1_200 }]),
    ...world.maybe(0.8, { record: world.record() }),
    ...world.maybe(0.3, { searchRun: world.searchRun() }),
  }),
  callers: 'anyone',
  effects: ['signal_recorded'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: signalInput,
  output: recorded,
  async run(request, input) {
    const corpus = await placeOf(request, input)
    const route = routeOf(signalPolicyFor(request), input.kind)
    if (route !== null) await keep(request, route, corpus, input)
    await deleteEndedProfileSignals(request.tx, request.tenant, request.now)
    // No references are stored, so the request log does not reveal which record a signal was about.
    return { output: answer(request, route), refs: [] }
  },
  async replay(request, _refs, input) {
    await placeOf(request, input)
    return answer(request, routeOf(signalPolicyFor(request), input.kind))
  },
})

/** The corpus that a signal is about. The caller may name only records it sees and its own searches. */
async function placeOf(request: WriteRequest, { record, searchRun }: SignalInput): Promise<string | null> {
  const found = record === undefined ? undefined : (await request.fetchVisible([record])).get(record)
  if (record !== undefined && (found === undefined || found.level === 'none')) throw absent()
  if (searchRun !== undefined) await requireOwnSearch(request, searchRun)
  return found?.row.tuple.corpus ?? null
}

type RunRow = SearchRunRow<unknown, unknown, unknown, unknown, unknown>

async function requireOwnSearch(request: WriteRequest, searchRun: string): Promise<void> {
  const { tx, tenant, now, parts } = request
  const by = { forId: parts.forId, actorId: parts.actorId }
  const found = await loadSearchRun<RunRow>(tx, tenant, by, searchRun, 'read')
  const [row] = await request.seen(found === undefined ? [] : [found])
  // A search run that is due for deletion counts as gone, even if it is still stored.
  const isDue = row?.retentionClass === 'ephemeral_session_lifetime' && row.dueAt <= now
  if (row === undefined || row.receipt === null || isDue) throw absent()
}

async function keep(
  { tx, tenant, caller, parts: { profile } }: WriteRequest,
  route: SignalRoute,
  corpus: string | null,
  input: SignalInput,
): Promise<void> {
  const signal = { kind: input.kind, record: input.record ?? null, dwellMs: input.dwellMs ?? 0 }
  const owner = profile?.row.owner ?? caller.actingFor
  switch (route) {
    case 'session_local_only':
      // Without a profile there is nowhere to keep the signal.
      if (profile !== null) await addProfileSignal(tx, tenant, profile.row.profileId, signal)
      return
    case 'corpus_aggregate_review_required':
      await addCorpusSignal(tx, tenant, { owner, corpus, standing: 'pending' }, signal)
      return
    case 'host_global':
      if (signal.record === null)
        await addCorpusSignal(tx, tenant, { owner, corpus, standing: 'accepted' }, signal)
      else await addRecordSignal(tx, tenant, owner, { ...signal, record: signal.record })
  }
}

/** A recipient is not told where the signal goes; that is the host's business. */
function answer({ caller }: WriteRequest, route: SignalRoute | null): z.input<typeof recorded> {
  return { captured: route !== null, route: isRecipient(caller.audience) ? null : route }
}

const counted = {
  kind: z.string().meta({ description: 'What was done.' }),
  count: z.int().meta({ description: 'How often.' }),
  dwellMs: z.int().meta({ description: 'Milliseconds that people stayed, all together.' }),
}
const ofCorpus = z
  .object({
    owner: z.string().meta({ description: 'Who owns the collection.' }),
    corpus: z.string().nullable().meta({ description: 'The collection; null for records in none.' }),
    ...counted,
  })
  .meta({
    id: 'CorpusSignalCounts',
    description: 'How often something was done with what is in a collection.',
  })
const ofRecord = z.object({
  owner: z.string().meta({ description: 'Who owns it: a person, `group:<id>` or `role:<id>/<role>`.' }),
  record: z.string().meta({ description: 'The record, by its id.' }),
  corpus: z.string().nullable().meta({ description: 'The collection it belongs to; null if none.' }),
  ...counted,
})

/** Totals of a corpus count records that a restricted credential or profile does not see, so it gets none (NI-1). */
async function corpusSignals(request: ReadRequest, standing: 'pending' | 'accepted') {
  return request.seesEverything && request.caller.profile === null
    ? await listCorpusSignals(request.tx, request.tenant, ownersOf(request), standing)
    : []
}

const ownersOf = ({ parts }: ReadRequest) => [...parts.identity.principals]

export const pendingSignals = readOperation({
  name: 'signals.pending',
  route: 'GET /signals/pending',
  summary: 'Read what the signals of others add up to by corpus, before you accept them',
  sample: () => ({}),
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({
    pending: z.array(ofCorpus).meta({ description: 'Signals that wait for review, by collection.' }),
  }),
  run: async request => ({ pending: await corpusSignals(request, 'pending') }),
})

/** Signals of others count for a host only after the host has accepted them (SP-8). */
export const reviewSignals = writeOperation({
  name: 'signals.review',
  route: 'POST /signals/review',
  summary: 'Accept or reject what the signals of others add up to in a corpus',
  sample: world => ({
    decision: world.pick(['accept', 'reject']),
    ...world.maybe(0.7, { corpus: world.corpus() }),
  }),
  callers: 'owner',
  // A caller that cannot read the totals cannot review them.
  needsWholeSight: 'absent',
  effects: ['signals_reviewed'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    corpus: name
      .optional()
      .meta({ description: 'The collection they are about. Default: those about none.', example: 'letters' }),
    owner: principal.optional().meta({
      description: 'Whose collection: yours, or that of a group of yours. Default: yours.',
      example: 'ana',
    }),
    decision: z
      .enum(['accept', 'reject'])
      .meta({ description: 'Whether they count from now on, or are dropped.', example: 'accept' }),
  }),
  output: z.object({ reviewed: z.boolean().meta({ description: 'Whether there were any.' }) }),
  async run(request, { corpus = null, decision, owner = request.caller.actingFor }) {
    request.requireOwner(owner)
    if (request.caller.profile !== null) throw absent()
    await reviewCorpusSignals(request.tx, request.tenant, { owner, corpus }, decision === 'accept')
    await deleteEndedProfileSignals(request.tx, request.tenant, request.now)
    return { output: { reviewed: true }, refs: [] }
  },
  async replay(request, _refs, { owner = request.caller.actingFor }) {
    request.requireOwner(owner)
    return { reviewed: true }
  },
})

/**
 * The signals that count for the host: its own by record and, by corpus, those it accepted and those about no record.
 */
export const summariseSignals = readOperation({
  name: 'signals.summary',
  route: 'GET /signals',
  summary: 'Read what signals add up to, by record and by corpus',
  sample: world => ({ limit: world.pick([1, 2, 50]) }),
  callers: 'owner',
  input: z.strictObject(pageInput),
  output: z.object({
    corpora: z.array(ofCorpus).meta({ description: 'Signals by collection.' }),
    records: z.array(ofRecord).meta({ description: 'Signals by record.' }),
    cursor: nextCursor,
  }),
  async run(request, { limit, cursor }) {
    const { secrets } = request.parts
    const boundTo = cursorBoundary(request, 'signals.summary', null)
    let after = cursor === undefined ? null : (JSON.parse(secrets.open(cursor, boundTo)) as RecordSignalsKey)
    const corpora = await corpusSignals(request, 'accepted')
    const found: { row: RecordSignals; view: RecordView }[] = []
    // As when listing records: the statement filters roughly, and the gates make the final decision.
    for (;;) {
      const wanted = limit + 1 - found.length
      const rows = await listRecordSignals(request.tx, request.tenant, ownersOf(request), after, wanted)
      found.push(...(await seenInFull(request, rows)))
      after = rows.at(-1) ?? after
      if (found.length > limit || rows.length < wanted) break
    }
    const page = found.slice(0, limit)
    for (const { view } of page) request.show(view, 'without its text')
    const last = page.at(-1)
    const more = found.length > limit && last !== undefined
    return {
      corpora,
      records: page.map(({ row, view }) => ({ ...row, corpus: view.payload?.corpus ?? null })),
      cursor: more ? secrets.seal(keyOf(last.row), boundTo) : null,
    }
  },
})

const keyOf = ({ record, kind, owner }: RecordSignalsKey) => JSON.stringify({ record, kind, owner })

async function seenInFull(
  request: ReadRequest,
  rows: readonly RecordSignals[],
): Promise<{ row: RecordSignals; view: RecordView }[]> {
  const ids = [...new Set(rows.map(({ record }) => record))]
  const views = await request.view(await fetchRecords(request.tx, request.tenant, ids))
  const full = new Map(views.flatMap(view => (view?.face === 'full' ? [[view.id, view] as const] : [])))
  return rows.flatMap(row => {
    const view = full.get(row.record)
    return view === undefined ? [] : [{ row, view }]
  })
}
