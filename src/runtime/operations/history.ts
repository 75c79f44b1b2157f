import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { shownLevel } from '../../policy/faces.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { setRole } from '../../storage/queries/set-role.js'
import { loadVersions } from '../../storage/queries/versions.js'
import { CAPTURED } from '../capture/keep-facts.js'
import { changeTuple } from '../change-tuple.js'
import { deliver, isDocument } from '../deliver.js'
import { endRecords } from '../end-records.js'
import { recordId } from '../fields.js'
import { readOperation, writeOperation } from '../operation.js'
import { recordView, viewRecord } from '../record-view.js'
import { absent, type ReadRequest, timesOf, type WriteRequest } from '../request.js'
import { replayStored, storedRecord } from './stored.js'

const LIFECYCLES = ['active', 'contested', 'superseded', 'retracted', 'stale'] as const

/**
 * The versions of a record that its owner would see if each were current: every gate but that on freshness decides
 * (TR-9). Records of others, and of mediations, do not exist here.
 */
async function versionsOf(request: ReadRequest, record: string): Promise<RecordRow[]> {
  await setRole(request.tx, 'privity_writer')
  const rows = await loadVersions(request.tx, request.tenant, record)
  await setRole(request.tx, request.role)
  const own = rows.filter(
    ({ tuple }) => tuple.vessel === 'user' && request.parts.identity.principals.has(tuple.owner),
  )
  const faces = await request.faces(
    own.map(row => ({ tuple: { ...row.tuple, lifecycle: 'active', endedAt: null }, times: timesOf(row) })),
  )
  const seen = own.filter((_, at) => shownLevel(faces[at] ?? 0) === 'full')
  if (!seen.some(({ id }) => id === record)) throw absent()
  return seen
}

/** Tells an owner what a record said before, and what became of it. */
export const recordHistory = readOperation({
  name: 'memory.history',
  route: 'GET /records/:record/history',
  summary: 'Read the versions of a record, oldest first',
  positional: ['record'],
  sample: world => ({ record: world.record() }),
  callers: 'owner',
  needsWholeSight: 'absent',
  input: z.strictObject({ record: recordId }),
  output: z.object({
    versions: z
      .array(
        z
          .object({
            record: recordView.meta({ description: 'The version, as it was.' }),
            lifecycle: z
              .enum(LIFECYCLES)
              .meta({ description: 'Whether it holds, is contested, or was replaced or taken back.' }),
            endedAt: z
              .string()
              .nullable()
              .meta({ description: 'When the next version replaced it; null if none did.' }),
          })
          .meta({ id: 'RecordVersion', description: 'One version of a record.' }),
      )
      .meta({ description: 'The versions, oldest first.' }),
  }),
  async run(request, { record }) {
    const rows = await versionsOf(request, record)
    return {
      versions: rows.map(row => {
        const delivered = deliver(request, row, 'full', 'text')
        const view = viewRecord(row, 'full', request.salienceOf(row), [], delivered, request.namesIn(row))
        if (view === null) throw absent()
        request.showRow(row, 'full')
        if (isDocument(row.tuple) && delivered !== null && delivered.text !== '') request.noteView()
        const lifecycle = LIFECYCLES.find(known => known === row.tuple.lifecycle) ?? 'stale'
        return { record: view, lifecycle, endedAt: row.tuple.endedAt }
      }),
    }
  },
})

/** Takes back a supersession, a retraction or a contest. What was made from the record stays stale until it is made again. */
export const undoRevision = writeOperation({
  name: 'memory.undo',
  route: 'POST /records/undo',
  summary: 'Undo the last revision of a record',
  positional: ['record'],
  sample: world => ({ record: world.record() }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['revision_undone'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({
    record: recordId.meta({
      description: 'The record that was superseded, retracted or contested, by its id.',
    }),
  }),
  output: z.object({
    records: z.array(storedRecord).meta({ description: 'The record, which holds again.' }),
    retracted: z
      .array(z.string())
      .meta({ description: 'Ids of the records that had replaced it, which are retracted now.' }),
  }),
  async run(request, { record }) {
    await lockRecords(request.tx, request.tenant, [record], 'exclusive')
    const versions = await versionsOf(request, record)
    const row = versions.find(({ id }) => id === record)
    if (row === undefined) throw absent()
    const { lifecycle, endedAt } = row.tuple
    if (lifecycle !== 'superseded' && lifecycle !== 'retracted' && lifecycle !== 'contested')
      throw new PrivityError('conflict', 'nothing was revised: this record holds as it is')
    const successors = versions.filter(
      ({ tuple, createdAt }) =>
        lifecycle === 'superseded' && tuple.lifecycle !== 'retracted' && createdAt.toISOString() === endedAt,
    )
    await retractAll(request, successors)
    const tuple = { ...row.tuple, lifecycle: 'active', endedAt: null }
    // A captured fact that was replaced ceased to hold by that alone (WR-5).
    const reopens = lifecycle === 'superseded' && row.provenance.source === CAPTURED && row.validTo !== null
    const change = changeTuple(row, tuple, reopens ? { validTo: null } : {})
    await retupleRecords(request.tx, request.tenant, [change], request.now)
    const { sensitivity, scope, visibilityClass } = tuple
    return {
      output: {
        records: [{ id: row.id, sensitivity, scope, visibilityClass }],
        retracted: successors.map(({ id }) => id).sort(),
      },
      refs: [row.id],
    }
  },
  replay: async (request, refs) => ({ ...(await replayStored(request, refs)), retracted: [] }),
})

async function retractAll(request: WriteRequest, rows: readonly RecordRow[]): Promise<void> {
  await lockRecords(
    request.tx,
    request.tenant,
    rows.map(({ id }) => id),
    'exclusive',
  )
  if (rows.length > 0) await endRecords(request, rows, 'retracted')
}
