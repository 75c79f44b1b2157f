import type { SessionState } from '../storage/queries/sessions.js'

/** The states that may follow each state. A session that has ended stays ended. */
const NEXT: Readonly<Record<SessionState, readonly SessionState[]>> = {
  CREATED: ['INVITED', 'ABANDONED'],
  INVITED: ['CREATED', 'ACTIVE', 'ABANDONED'],
  ACTIVE: ['PAUSED', 'RESOLVED', 'ABANDONED'],
  PAUSED: ['ACTIVE', 'RESOLVED', 'ABANDONED'],
  RESOLVED: [],
  ABANDONED: [],
}

export const mayChangeState = (from: SessionState, to: SessionState): boolean => NEXT[from].includes(to)

/** Whether a session still accepts messages and sharing. */
export const isOpen = (state: SessionState): boolean => NEXT[state].length > 0
