import { full, gate, none } from '../gate.js'
import { isRecipient, viewOf } from '../subject.js'

/**
 * Checks the vessel: the caller's own, one of a group, of a session, the global library, or a corpus shared by a
 * view.
 */
export const vessel = gate('vessel', ['vessel', 'owner', 'session', 'corpus'], (subject, record) => {
  switch (record.vessel) {
    case 'user':
      if (record.owner === subject.actingFor) return full('access.own_vessel')
      if (subject.principals.has(record.owner)) return full('access.group_vessel')
      // The views of an agent only narrow what its host sees, so they open nothing.
      if (isRecipient(subject.audience) && viewOf(subject, record) !== undefined)
        return full('access.in_view')
      return none('access.not_your_vessel')
    case 'shared':
      return record.session !== null && subject.sessions.has(record.session)
        ? full('access.session_member')
        : none('access.not_your_vessel')
    case 'global':
      return full('access.global_library')
    default:
      return none('access.unknown_vessel')
  }
})
