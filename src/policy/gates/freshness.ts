import { full, gate, none } from '../gate.js'
import { type Subject, viewOf } from '../subject.js'
import type { PolicyTuple } from '../tuple.js'

/** Only current records are retrieved; contested ones are retrieved and marked (TR-8, SR-11, OP-4). */
export const freshness = gate(
  'freshness',
  ['lifecycle', 'endedAt', 'owner', 'corpus'],
  (subject, record) => {
    switch (record.lifecycle) {
      case 'active':
        return full('access.current')
      case 'contested':
        return full('access.contested')
      case 'superseded':
        return stoodAtShare(subject, record) ? full('access.stood_at_share') : none('access.superseded')
      case 'retracted':
        return none('access.retracted')
      case 'stale':
        return stoodAtShare(subject, record) ? full('access.stood_at_share') : none('access.stale')
      case 'forgotten':
        return none('access.forgotten')
      default:
        return none('access.unknown_lifecycle')
    }
  },
  (subject, times) =>
    times.expiresAt === null || subject.now < times.expiresAt
      ? full('access.current')
      : none('access.expired'),
)

/** Whether the record was current when the snapshot was shared. Later versions are not in a snapshot (SV-4). */
function stoodAtShare(subject: Subject, record: Pick<PolicyTuple, 'endedAt' | 'owner' | 'corpus'>): boolean {
  const stoodAt = viewOf(subject, record)?.stoodAt ?? null
  return stoodAt !== null && record.endedAt !== null && Date.parse(record.endedAt) > stoodAt
}
