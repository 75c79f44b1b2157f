import { full, gate, none } from '../gate.js'

/** Only what still stands is retrieved; what is contested is retrieved and marked (TR-8, SR-11, OP-4). */
export const freshness = gate(
  'freshness',
  ['lifecycle'],
  (_subject, record) => {
    switch (record.lifecycle) {
      case 'active':
        return full('access.current')
      case 'contested':
        return full('access.contested')
      case 'superseded':
        return none('access.superseded')
      case 'retracted':
        return none('access.retracted')
      case 'stale':
        return none('access.stale')
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
