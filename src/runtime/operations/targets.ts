import { z } from 'zod'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { type ReadRequest, WriteRequest } from '../request.js'

// NI-6
export const shownTarget = z
  .object({
    kind: z.string().meta({ description: 'What sort of thing is named.' }),
    ref: z
      .string()
      .nullable()
      .meta({ description: 'Its name, or the id of a record; null if the reader may not see it.' }),
    owner: z.string().meta({ description: 'Who owns it.' }),
  })
  .meta({ id: 'Target', description: 'What a grant or an overlay is about.' })

export const HIDDEN_TARGET: z.input<typeof shownTarget> = { kind: '', ref: null, owner: '' }

const RECORD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Targets without the ids of hidden records. A name that is not an id is the owner's own word and stays. */
export async function showTargets(
  request: ReadRequest,
  rows: readonly { readonly targetKind: string; readonly targetRef: string; readonly owner: string }[],
): Promise<z.input<typeof shownTarget>[]> {
  const ids = [...new Set(rows.map(row => row.targetRef).filter(ref => RECORD_ID.test(ref)))].sort()
  const visible = await visibleIds(request, ids)
  return rows.map(({ targetKind, targetRef, owner }) => ({
    kind: targetKind,
    ref: RECORD_ID.test(targetRef) && !visible.has(targetRef) ? null : targetRef,
    owner,
  }))
}

async function visibleIds(request: ReadRequest, ids: readonly string[]): Promise<Set<string>> {
  const decided =
    request instanceof WriteRequest
      ? [...(await request.fetchVisible(ids)).values()]
      : await request.decide(await fetchRecords(request.tx, request.tenant, ids))
  return new Set(decided.filter(({ level }) => level !== 'none').map(({ row }) => row.id))
}
