import { full, gate, none, over } from '../gate.js'

/**
 * Checks the people in a memory. One person without granted consent hides all of it from every agent audience (PC-2).
 */
export const participants = over(
  'participants',
  gate('participants', ['participants', 'session'], (subject, record) => {
    if (record.participants.length === 0) return full('access.no_participants')
    if (!subject.respectConsent) return full('access.owner_browsing')
    // For people who take part in the mediation session, vessels and the bridge decide; for third parties, their
    // consent does.
    const seated = record.session === null ? undefined : subject.sessions.get(record.session)?.participants
    const granted = record.participants.every(id => {
      const person = subject.people.get(id)
      if (person === undefined) return false
      return person.consent === 'granted' || (person.actor !== null && seated?.has(person.actor) === true)
    })
    return granted ? full('access.participants_granted') : none('access.participant_not_granted')
  }),
)
