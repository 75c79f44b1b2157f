import { LEAST_LABEL } from '../policy/labels.js'
import { isAgentAudience } from '../policy/subject.js'
import type { Kind } from '../policy/vocabulary.js'
import { changeTuple } from '../runtime/change-tuple.js'
import { draft } from '../runtime/draft.js'
import { sessionOwner } from '../runtime/facts.js'
import { absent, type ReadRequest, type WriteRequest } from '../runtime/request.js'
import { writeRecords } from '../runtime/write-records.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { lockRecords } from '../storage/queries/lock.js'
import { setRecordFields } from '../storage/queries/mediation-records.js'
import { retupleRecords } from '../storage/queries/retuple-records.js'
import type { SessionRow } from '../storage/queries/sessions.js'
import { enterContract, requireSession } from './session.js'

/** More records of one kind than a session ever shares. */
export const MOST_SHARED = 1_000

/** Enters the contract for this caller: a person may browse, a model is limited to the queries of its stage. */
export const enterAsCaller = (request: ReadRequest, session: SessionRow) =>
  enterContract(request, session, isAgentAudience(request.caller.audience) ? 'turn' : 'browse')

/** Records of this session that the caller sees in full. Any other id is absent (NI-5). */
export async function requireInSession(
  request: WriteRequest,
  session: SessionRow,
  ids: readonly string[],
  kind: Kind,
): Promise<RecordRow[]> {
  enterAsCaller(request, session)
  await lockRecords(request.tx, request.tenant, [...ids].sort(), 'exclusive')
  const rows = await request.requireFull(ids)
  for (const { tuple } of rows) if (tuple.kind !== kind || tuple.session !== session.sessionId) throw absent()
  return rows
}

/** The same for a single record. */
export async function requireRecordInSession(
  request: WriteRequest,
  session: SessionRow,
  id: string,
  kind: Kind,
): Promise<RecordRow> {
  const [row] = await requireInSession(request, session, [id], kind)
  if (row === undefined) throw absent()
  return row
}

/** The record for the answer to a repeated request, as the caller sees it now (NI-7). */
export const requireRecordForReplay = async (
  request: WriteRequest,
  session: string,
  id: string,
  kind: Kind,
) => requireRecordInSession(request, await requireSession(request, session), id, kind)

/** Stores a record that belongs to the session as a whole: nobody owns it, and all participants may read it. */
export async function writeSessionRecord(
  request: WriteRequest,
  session: SessionRow,
  made: {
    readonly kind: Kind
    readonly text: string
    readonly fields: Readonly<Record<string, unknown>>
    readonly sources: readonly RecordRow[]
  },
): Promise<string> {
  const [stored] = await writeRecords(request, [
    {
      draft: draft.parse({ kind: made.kind, text: made.text, fields: made.fields }),
      owner: sessionOwner(session.sessionId),
      sources: made.sources,
      atLeast: LEAST_LABEL,
      mediation: { vessel: 'shared', session: session.sessionId, relationship: session.relationship },
    },
  ])
  if (stored === undefined) throw new Error('nothing was written')
  return stored.id
}

/** Changes the fields of a shared record, and whether everybody has confirmed it. */
export async function changeShared(
  { tx, tenant, now }: WriteRequest,
  row: RecordRow,
  { fields, confirmed }: { fields: Readonly<Record<string, unknown>>; confirmed?: boolean },
): Promise<RecordRow> {
  const tuple = { ...row.tuple, confirmed: confirmed ?? row.tuple.confirmed }
  const after = { ...row, tuple, fields: { ...row.fields, ...fields } }
  await setRecordFields(tx, tenant, row.id, after.fields, now)
  if (tuple.confirmed !== row.tuple.confirmed)
    await retupleRecords(tx, tenant, [changeTuple(row, tuple)], now)
  return after
}

/** Reads a field that holds a list of names. */
export const namesIn = (field: unknown): string[] =>
  Array.isArray(field) ? field.filter(each => typeof each === 'string') : []

/** Reads a field that maps names to texts. */
export const readNameMap = (field: unknown): Readonly<Record<string, string>> =>
  typeof field === 'object' && field !== null && !Array.isArray(field)
    ? (field as Record<string, string>)
    : {}
