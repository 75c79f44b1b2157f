import { levelOf } from '../policy/faces.js'
import { participants } from '../policy/gates/participants.js'
import type { ReadRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'

/** The records in which everybody has consented to models being told about them (PC-2). */
export async function selectConsentedRecords(
  request: ReadRequest,
  rows: readonly RecordRow[],
): Promise<ReadonlySet<RecordRow>> {
  const owners = new Set(rows.map(({ tuple }) => tuple.owner))
  const subject = { ...(await request.subjectFor({ owners, consents: new Set() })), respectConsent: true }
  return new Set(rows.filter(({ tuple }) => levelOf(participants.decide(subject, tuple).face) === 'full'))
}
