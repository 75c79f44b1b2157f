import { z } from 'zod'
import { isRecipient } from '../../policy/subject.js'
import { routeOf, SIGNAL_KINDS, SIGNAL_ROUTES, type SignalRoute } from '../../policy/utility-signals.js'
import { isUnrestricted } from '../../runtime/caller.js'
import { id, name, principal } from '../../runtime/input.js'
import { page } from '../../runtime/newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import type { RecordView } from '../../runtime/record-view.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { loadSearchRun, type SearchRunRow } from '../../storage/queries/search-runs.js'
import {
  addCorpusSignal,
  addRecordSignal,
  addSessionSignal,
  deleteEndedSessionSignals,
  listCorpusSignals,
  listRecordSignals,
  type RecordSignals,
  type RecordSignalsKey,
  reviewCorpusSignals,
} from '../../storage/queries/utility-signals.js'
import { signalPolicyFor } from '../signals.js'

// What is counted here is for people to look at. No search reads any of it: what somebody else found useful must not move
// what is found (NI-1).

const signalInput = z
  .strictObject({
    kind: z.enum(SIGNAL_KINDS),
    record: id.optional(),
    searchRun: id.optional(),
    dwellMs: z.int().min(0).max(3_600_000).optional(),
  })
  .refine(({ kind, dwellMs }) => dwellMs === undefined || kind === 'click_dwell', {
    message: 'goes with click_dwell only',
    path: ['dwellMs'],
  })
type SignalInput = z.output<typeof signalInput>

const recorded = z.object({ captured: z.boolean(), route: z.enum(SIGNAL_ROUTES).nullable() })

/** Counts what a reader did, where the policy of its session lets that go (SP-8). */
export const recordSignal = writeOperation({
  name: 'signals.record',
  summary: 'Tell what you did with a result, as far as your session captures it',
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
    await deleteEndedSessionSignals(request.tx, request.tenant, request.now)
    // No refs: the history of requests tells of none that a signal was about it.
    return { output: answer(request, route), refs: [] }
  },
  async replay(request, _refs, input) {
    await placeOf(request, input)
    return answer(request, routeOf(signalPolicyFor(request), input.kind))
  },
})

/** The corpus that a signal is about; record and search are the caller's to name. */
async function placeOf(request: WriteRequest, { record, searchRun }: SignalInput): Promise<string | null> {
  const found = record === undefined ? undefined : (await request.fetchVisible([record])).get(record)
  if (record !== undefined && (found === undefined || found.level === 'none')) throw absent()
  if (searchRun !== undefined) await requireOwnSearch(request, searchRun)
  return found?.row.tuple.corpus ?? null
}

type RunRow = SearchRunRow<unknown, unknown, unknown, unknown, unknown>

async function requireOwnSearch({ tx, tenant, now, parts }: WriteRequest, searchRun: string): Promise<void> {
  const by = { forId: parts.forId, actorId: parts.actorId }
  const row = await loadSearchRun<RunRow>(tx, tenant, by, searchRun, 'read')
  // What is due is gone, whether or not anything has removed it yet.
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
      // Without a profile there is no session to keep it in.
      if (profile !== null) await addSessionSignal(tx, tenant, profile.row.profileId, signal)
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

/** Where it goes is the host's business. */
function answer({ caller }: WriteRequest, route: SignalRoute | null): z.input<typeof recorded> {
  return { captured: route !== null, route: isRecipient(caller.audience) ? null : route }
}

const counted = { kind: z.string(), count: z.int(), dwellMs: z.int() }
const ofCorpus = z.object({ owner: z.string(), corpus: z.string().nullable(), ...counted })
const ofRecord = z.object({
  owner: z.string(),
  record: z.string(),
  corpus: z.string().nullable(),
  ...counted,
})

/** Sums over a corpus count records that a narrower credential or profile does not see: it is told of none (NI-1). */
async function corpusSignals(request: ReadRequest, standing: 'pending' | 'accepted') {
  return isUnrestricted(request.caller)
    ? await listCorpusSignals(request.tx, request.tenant, ownersOf(request), standing)
    : []
}

const ownersOf = ({ parts }: ReadRequest) => [...parts.identity.principals]

export const pendingSignals = readOperation({
  name: 'signals.pending',
  summary: 'Read what the signals of others add up to by corpus, before you accept them',
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ pending: z.array(ofCorpus) }),
  run: async request => ({ pending: await corpusSignals(request, 'pending') }),
})

/** Nothing of others counts for a host that did not accept it (SP-8). */
export const reviewSignals = writeOperation({
  name: 'signals.review',
  summary: 'Accept or reject what the signals of others add up to in a corpus',
  callers: 'owner',
  effects: ['signals_reviewed'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    /** Without one, those that belong to no corpus. */
    corpus: name.optional(),
    owner: principal.optional(),
    decision: z.enum(['accept', 'reject']),
  }),
  output: z.object({ reviewed: z.boolean() }),
  async run(request, { corpus = null, decision, owner = request.caller.actingFor }) {
    requireReviewer(request, owner)
    await reviewCorpusSignals(request.tx, request.tenant, { owner, corpus }, decision === 'accept')
    await deleteEndedSessionSignals(request.tx, request.tenant, request.now)
    return { output: { reviewed: true }, refs: [] }
  },
  async replay(request, _refs, { owner = request.caller.actingFor }) {
    requireReviewer(request, owner)
    return { reviewed: true }
  },
})

/** Who is told of none decides on none. */
function requireReviewer(request: WriteRequest, owner: string): void {
  request.requireOwner(owner)
  if (!isUnrestricted(request.caller)) throw absent()
}

/** What counts for the host: its own signals by record, and by corpus what it accepted and what is about no record. */
export const summariseSignals = readOperation({
  name: 'signals.summary',
  summary: 'Read what signals add up to, by record and by corpus',
  callers: 'owner',
  input: z.strictObject(page),
  output: z.object({
    corpora: z.array(ofCorpus),
    records: z.array(ofRecord),
    cursor: z.string().nullable(),
  }),
  async run(request, { limit, cursor }) {
    const { secrets, actorId, forId } = request.parts
    const boundTo = JSON.stringify(['signals.summary', actorId, forId, request.caller.audience])
    let after = cursor === undefined ? null : (JSON.parse(secrets.open(cursor, boundTo)) as RecordSignalsKey)
    const corpora = await corpusSignals(request, 'accepted')
    const found: { row: RecordSignals; view: RecordView }[] = []
    // As in a list of records: the statement leaves out what the gates do, and the gates are right.
    for (;;) {
      const wanted = limit + 1 - found.length
      const rows = await listRecordSignals(request.tx, request.tenant, ownersOf(request), after, wanted)
      found.push(...(await seenInFull(request, rows)))
      after = rows.at(-1) ?? after
      if (found.length > limit || rows.length < wanted) break
    }
    const page = found.slice(0, limit)
    for (const { view } of page) request.show(view)
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
