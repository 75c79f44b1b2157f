import { PrivityError } from '../errors.js'

export const PROFILE_STATES = ['draft', 'active', 'expired', 'revoked', 'suspended'] as const
export type ProfileState = (typeof PROFILE_STATES)[number]

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

/** Why nothing may run under a profile in such a state. (SP-5) */
export const PROFILE_REFUSAL = {
  draft: 'session.profile_not_yet_activated',
  expired: 'session.profile_expired',
  revoked: 'session.profile_revoked',
  suspended: 'session.profile_suspended',
} as const satisfies Record<Exclude<ProfileState, 'active'>, string>
export type ProfileRefusal = (typeof PROFILE_REFUSAL)[keyof typeof PROFILE_REFUSAL]

/** Whether 002 knows this transition at all, the clock aside. (SP-2) */
export function mayMove(from: string, to: string): boolean {
  return isProfileState(from) && TRANSITIONS[from].some(next => next === to)
}

/**
 * The state that holds now, whether or not a job has recorded the expiry. A suspended profile stays suspended:
 * it does not expire, it can only be resumed before its expiry, or revoked. (SP-2)
 */
export function currentState(profile: StoredProfile, now: number): ProfileState {
  const state = storedState(profile)
  return state === 'active' && hasLapsed(profile, now) ? 'expired' : state
}

/** Whether a draft may become active: not past its expiry. (SP-2) */
export function mayActivate(profile: StoredProfile, now: number): boolean {
  return profile.state === 'draft' && !hasLapsed(profile, now)
}

/** Whether a suspended profile may become active again: not past its expiry. (SP-2) */
export function mayResume(profile: StoredProfile, now: number): boolean {
  return profile.state === 'suspended' && !hasLapsed(profile, now)
}

const storedState = ({ state }: StoredProfile): ProfileState => (isProfileState(state) ? state : 'revoked') // DE-2

const isProfileState = (state: string): state is ProfileState => Object.hasOwn(TRANSITIONS, state)

/** Expired from the instant itself on; written so that a time that is not a number counts as passed. (DE-2) */
const hasLapsed = ({ expiresAt }: StoredProfile, now: number): boolean =>
  expiresAt !== null && !(now < expiresAt)

/**
 * The state after a transition and what to write; throws session_state_transition_invalid for all that SP-2 does
 * not allow. Past its expiry an active profile can only be recorded as expired, a suspended one only be revoked, and
 * a draft cannot activate. Before it, all of `TRANSITIONS` but recording the expiry.
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
  const escalated = from === 'suspended' && to === 'revoked'
  const clockAgrees = escalated || (to === 'expired') === hasLapsed(profile, now)
  if (!mayMove(from, to) || !clockAgrees) {
    throw new PrivityError(
      'session_state_transition_invalid',
      `profile is ${currentState(profile, now)}, it cannot become ${to}`,
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
export function requireDraft(profile: StoredProfile): void {
  if (profile.state !== 'draft') {
    throw new PrivityError('session_state_transition_invalid', 'only a draft can be discarded')
  }
}

/** Why nothing may run under a profile that is in this state now; null when it may. (SP-5) */
export function profileRefusal(state: string): ProfileRefusal | null {
  if (!isProfileState(state)) return PROFILE_REFUSAL.revoked // DE-2
  return state === 'active' ? null : PROFILE_REFUSAL[state]
}
