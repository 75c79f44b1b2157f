import { PrivityError } from '../errors.js'
import type { ReadRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { loadConsents } from '../storage/queries/load-consents.js'

/** What is said of an agreement whose strategies are not all shared any more (CB-7). */
export const STALE = {
  staleReason: 'Source strategy consent revoked',
  staleNotice: '(based on content no longer shared)',
} as const

/** Which of these consents stand now. One that is not there does not (CB-7). */
export async function findStandingConsents(
  { tx, tenant }: ReadRequest,
  consents: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await loadConsents(tx, tenant, [...new Set(consents)].sort())
  const standing = rows.filter(
    ({ decision, revoked, active }) => decision === 'GRANTED' && !revoked && active,
  )
  return new Set(standing.map(({ consentRecordId }) => consentRecordId))
}

/** Nothing more is made of an agreement that rests on something no longer shared (CB-7). */
export async function requireFresh(request: ReadRequest, agreements: readonly RecordRow[]): Promise<void> {
  if ((await findStaleRecords(request, agreements)).size > 0)
    throw new PrivityError('conflict', 'this agreement is based on content no longer shared')
}

/** Which of these records rest on something that is no longer shared. */
export async function findStaleRecords(
  request: ReadRequest,
  rows: readonly RecordRow[],
): Promise<ReadonlySet<string>> {
  const standing = await findStandingConsents(
    request,
    rows.flatMap(({ tuple }) => tuple.inputConsents),
  )
  const stale = rows.filter(({ tuple }) => !tuple.inputConsents.every(consent => standing.has(consent)))
  return new Set(stale.map(({ id }) => id))
}
