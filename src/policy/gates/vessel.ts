import { full, gate, none } from '../gate.js'
import { isRecipient, viewOf } from '../subject.js'

/** Whose memory it is: one's own, one's group's, a session's, everybody's, or a corpus shared by a view. */
export const vessel = gate('vessel', ['vessel', 'owner', 'session', 'corpus'], (subject, record) => {
  switch (record.vessel) {
    case 'user':
      if (record.owner === subject.actingFor) return full('access.own_vessel')
      if (subject.principals.has(record.owner)) return full('access.group_vessel')
      // An agent's views narrow what its host sees, and open nothing.
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
