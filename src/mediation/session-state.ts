import type { SessionState } from '../storage/queries/sessions.js'

/** Where a session may go from each state. One that ended stays ended. */
const NEXT: Readonly<Record<SessionState, readonly SessionState[]>> = {
  CREATED: ['INVITED', 'ABANDONED'],
  INVITED: ['CREATED', 'ACTIVE', 'ABANDONED'],
  ACTIVE: ['PAUSED', 'RESOLVED', 'ABANDONED'],
  PAUSED: ['ACTIVE', 'RESOLVED', 'ABANDONED'],
  RESOLVED: [],
  ABANDONED: [],
}

export const mayChangeState = (from: SessionState, to: SessionState): boolean => NEXT[from].includes(to)

/** Whether anything can still be said and shared in it. */
export const isOpen = (state: SessionState): boolean => NEXT[state].length > 0
