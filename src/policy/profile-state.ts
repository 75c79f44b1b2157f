import { PrivityError } from '../errors.js'

export type ProfileState = 'draft' | 'active' | 'expired' | 'revoked' | 'suspended'

/** 002 §2.2. What is not here is refused; when the clock forbids one of these, see `transition`. (SP-2) */
export const TRANSITIONS: Readonly<Record<ProfileState, readonly ProfileState[]>> = {
  draft: ['active'],
  active: ['expired', 'revoked', 'suspended'],
  expired: [],
  revoked: [],
  suspended: ['active', 'revoked'],
}

/** As read from storage: `state` may be a word from a newer or a damaged store; `null` never expires. */
export interface StoredProfile {
  readonly state: string
  readonly expiresAt: number | null
}

export interface ProfileTransition {
  readonly state: ProfileState
  readonly changes: {
    readonly profileState: ProfileState
    readonly activatedAt?: number
    readonly revokedAt?: number
    readonly revokedReasonCode?: string
  }
}

export type ProfileRefusal =
  | 'session.profile_revoked'
  | 'session.profile_expired'
  | 'session.profile_suspended'
  | 'session.profile_not_yet_activated'

/** The state that holds now, whether or not a job has recorded the expiry. (SP-2) */
export function effectiveState(profile: StoredProfile, now: number): ProfileState {
  const state = storedState(profile)
  const canLapse = state === 'active' || state === 'suspended'
  return canLapse && hasLapsed(profile, now) ? 'expired' : state
}

const storedState = ({ state }: StoredProfile): ProfileState => (isProfileState(state) ? state : 'revoked') // DE-2

const isProfileState = (state: string): state is ProfileState => Object.hasOwn(TRANSITIONS, state)

/** Expired from the instant itself on; written so that a time that is not a number counts as passed. (DE-2) */
const hasLapsed = ({ expiresAt }: StoredProfile, now: number): boolean =>
  expiresAt !== null && !(now < expiresAt)

/**
 * The state after a transition and what to write; throws session_state_transition_invalid for all that SP-2 does
 * not allow. Past its expiry nothing can happen to a profile but that an active one is recorded as expired: a
 * suspended one cannot resume, a draft cannot activate. Before it, all of `TRANSITIONS` but that.
 *
 * @example
 * const { changes } = transition(profile, 'revoked', now, 'share_token_revoked')
 */
export function transition(
  profile: StoredProfile,
  to: ProfileState,
  now: number,
  reasonCode: string,
): ProfileTransition {
  const from = storedState(profile)
  const clockAgrees = (to === 'expired') === hasLapsed(profile, now)
  if (!TRANSITIONS[from].includes(to) || !clockAgrees) {
    throw new PrivityError(
      'session_state_transition_invalid',
      `profile is ${effectiveState(profile, now)}, it cannot become ${to}`,
    )
  }
  return {
    state: to,
    changes: {
      profileState: to,
      ...(from === 'draft' ? { activatedAt: now } : {}), // resuming keeps the first activation
      ...(to === 'revoked' ? { revokedAt: now, revokedReasonCode: reasonCode } : {}),
    },
  }
}

/** Throws unless the profile is a draft, whose row may then be deleted: a draft is discarded, never revoked. (SP-2) */
export function discard(profile: StoredProfile): void {
  if (profile.state !== 'draft') {
    throw new PrivityError('session_state_transition_invalid', 'only a draft can be discarded')
  }
}

/** Why nothing may run under a profile in this effective state; null when it may. (SP-5) */
export function profileRefusal(state: ProfileState): ProfileRefusal | null {
  switch (state) {
    case 'active':
      return null
    case 'draft':
      return 'session.profile_not_yet_activated'
    case 'expired':
      return 'session.profile_expired'
    case 'suspended':
      return 'session.profile_suspended'
    case 'revoked':
      return 'session.profile_revoked'
  }
  return 'session.profile_revoked' // a state we do not know (DE-2)
}
