import { LEAST_LABEL } from '../policy/labels.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { retupleRecords } from '../storage/queries/retuple-records.js'
import { changeTuple, followSources } from './change-tuple.js'
import type { WriteRequest } from './request.js'

/**
 * Marks records as superseded by what is written next, or as retracted. What was derived from them becomes stale
 * (SR-11).
 */
export async function endRecords(
  request: WriteRequest,
  rows: readonly RecordRow[],
  lifecycle: 'superseded' | 'retracted',
  /** When each ceased to hold, if that is known. */
  validTo?: (row: RecordRow) => Date | null,
): Promise<void> {
  const endedAt = lifecycle === 'superseded' ? request.now.toISOString() : null
  const ended = rows.map(row => {
    const closed = validTo?.(row)
    return changeTuple(
      row,
      { ...row.tuple, lifecycle, endedAt },
      closed == null ? {} : { validTo: closed.toISOString() },
    )
  })
  const sources = rows.map(({ id }) => ({ id, label: LEAST_LABEL, targets: [], inputConsents: [] }))
  // What was derived from them comes first, so that a successor written next is not included.
  await followSources(request, sources, { stale: true, endedAt })
  await retupleRecords(request.tx, request.tenant, ended, request.now)
}
