import type { ReadRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'

export const STALE_REASON = 'Source strategy consent revoked'
export const STALE_NOTICE = '(based on content no longer shared)'

/** Which of these records rest on something that is no longer shared, by the facts of this snapshot (CB-7). */
export async function withStaleInputs(
  request: ReadRequest,
  rows: readonly RecordRow[],
): Promise<ReadonlySet<string>> {
  const consents = new Set(rows.flatMap(({ tuple }) => tuple.inputConsents))
  const subject = await request.subjectFor({ owners: new Set(), consents })
  const stands = (id: string) => {
    const facts = subject.consents.get(id)
    // A consent that is not there counts as taken back.
    return facts !== undefined && facts.decision === 'GRANTED' && !facts.revoked && facts.active
  }
  return new Set(rows.filter(({ tuple }) => !tuple.inputConsents.every(stands)).map(({ id }) => id))
}
