import { z } from 'zod'
import { PrivityError } from '../errors.js'
import type { ReadRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { loadConsents } from '../storage/queries/load-consents.js'

/** The note on an agreement some of whose strategies are no longer shared (CB-7). */
export const STALE = {
  staleReason: 'Source strategy consent revoked',
  staleNotice: '(based on content no longer shared)',
} as const

/** What an answer says of something that may rest on what is no longer shared (CB-7). */
export const stalenessFields = {
  hasStaleInputs: z.boolean().meta({ description: 'Whether something it rests on was withdrawn.' }),
  staleReason: z.string().optional().meta({ description: 'Why it may no longer hold.' }),
  staleNotice: z
    .string()
    .optional()
    .meta({ description: 'The sentence to show with it while it may no longer hold.' }),
}

/** Which of these consents are still granted. A missing one is not (CB-7). */
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

/** Refuses to build on an agreement that rests on something no longer shared (CB-7). */
export async function requireFresh(request: ReadRequest, agreements: readonly RecordRow[]): Promise<void> {
  if ((await findStaleRecords(request, agreements)).size > 0)
    throw new PrivityError('conflict', 'this agreement is based on content that is no longer shared')
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
