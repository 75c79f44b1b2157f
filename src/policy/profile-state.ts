import { PrivityError } from '../errors.js'

export const PROFILE_STATES = ['draft', 'active', 'expired', 'revoked', 'suspended'] as const
export type ProfileState = (typeof PROFILE_STATES)[number]

/** The transitions of 002 §2.2; all others are refused. `transition` also checks the clock. (SP-2) */
export const TRANSITIONS: Readonly<Record<ProfileState, readonly ProfileState[]>> = {
  draft: ['active'],
  active: ['expired', 'revoked', 'suspended'],
  expired: [],
  revoked: [],
  suspended: ['active', 'revoked'],
}

/**
 * A profile as stored: `state` may come from a newer or damaged store; `expiresAt` null means that it never expires.
 */
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

/** The reason why nothing may run under a profile in this state. (SP-5) */
export const PROFILE_REFUSAL = {
  draft: 'session.profile_not_yet_activated',
  expired: 'session.profile_expired',
  revoked: 'session.profile_revoked',
  suspended: 'session.profile_suspended',
} as const satisfies Record<Exclude<ProfileState, 'active'>, string>
export type ProfileRefusal = (typeof PROFILE_REFUSAL)[keyof typeof PROFILE_REFUSAL]

/** Whether 002 defines this transition, regardless of the clock. (SP-2) */
export function mayMove(from: string, to: string): boolean {
  return isProfileState(from) && TRANSITIONS[from].some(next => next === to)
}

/**
 * The current state, whether or not a job has recorded the expiry. A suspended profile does not expire: it can be
 * resumed before its expiry time, or revoked. (SP-2)
 */
export function currentState(profile: StoredProfile, now: number): ProfileState {
  const state = storedState(profile)
  return state === 'active' && hasLapsed(profile, now) ? 'expired' : state
}

/** Whether a draft may become active, which it may before its expiry. (SP-2) */
export function mayActivate(profile: StoredProfile, now: number): boolean {
  return profile.state === 'draft' && !hasLapsed(profile, now)
}

/** Whether a suspended profile may become active again, which it may before its expiry. (SP-2) */
export function mayResume(profile: StoredProfile, now: number): boolean {
  return profile.state === 'suspended' && !hasLapsed(profile, now)
}

const storedState = ({ state }: StoredProfile): ProfileState => (isProfileState(state) ? state : 'revoked') // DE-2

const isProfileState = (state: string): state is ProfileState => Object.hasOwn(TRANSITIONS, state)

/** Whether the expiry time is reached or passed; the negated comparison also treats NaN as passed. (DE-2) */
const hasLapsed = ({ expiresAt }: StoredProfile, now: number): boolean =>
  expiresAt !== null && !(now < expiresAt)

/**
 * Returns the state after a transition and what to write. Throws session_state_transition_invalid for everything that
 * SP-2 does not allow. After its expiry an active profile can only be recorded as expired, a suspended one can only be
 * revoked, and a draft cannot be activated. Before it, all `TRANSITIONS` are allowed except recording the expiry.
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

/** Throws unless the profile is a draft. Only a draft may be deleted: it is discarded, never revoked. (SP-2) */
export function requireDraft(profile: StoredProfile): void {
  if (profile.state !== 'draft') {
    throw new PrivityError('session_state_transition_invalid', 'only a draft can be discarded')
  }
}

/** The reason why nothing may run under a profile in this current state; null if it may run. (SP-5) */
export function profileRefusal(state: string): ProfileRefusal | null {
  if (!isProfileState(state)) return PROFILE_REFUSAL.revoked // An unknown state (DE-2).
  return state === 'active' ? null : PROFILE_REFUSAL[state]
}
