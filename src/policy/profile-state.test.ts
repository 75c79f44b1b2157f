import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  currentState,
  mayActivate,
  mayMove,
  mayResume,
  PROFILE_REFUSAL,
  PROFILE_STATES,
  type ProfileState,
  profileRefusal,
  requireDraft,
  type StoredProfile,
  TRANSITIONS,
  transition,
} from './profile-state.js'
import { findReasonCode } from './reason-codes.js'

const STATES = PROFILE_STATES
const EXPIRY = 1_000
const REASON = 'share_token_revoked'

/** The code of the error that a call throws, or 'allowed'. */
function outcome(call: () => unknown): unknown {
  try {
    call()
    return 'allowed'
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}
const REFUSED = 'session_state_transition_invalid'

type Cell = [from: ProfileState, to: ProfileState, verdict: string]

/** Parses a table of stored states and requested states. */
function cells(table: string): Cell[] {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/) as ProfileState[])
  return rows.flatMap(([from = 'draft', ...marks]) =>
    head.map((to, at): Cell => [from, to, String(marks[at]) === 'yes' ? 'allowed' : REFUSED]),
  )
}

const BEFORE_EXPIRY = cells(`
             draft  active  expired  revoked  suspended
  draft      -      yes     -        -        -
  active     -      -       -        yes      yes
  expired    -      -       -        -        -
  revoked    -      -       -        -        -
  suspended  -      yes     -        yes      -
`)

const PAST_EXPIRY = cells(`
             draft  active  expired  revoked  suspended
  draft      -      -       -        -        -
  active     -      -       yes      -        -
  expired    -      -       -        -        -
  revoked    -      -       -        -        -
  suspended  -      -       -        yes      -
`)

describe('transition', () => {
  it('[SP-2] both tables hold every pair of states', () => {
    const pairs = STATES.flatMap(from => STATES.map(to => `${from} ${to}`))
    for (const table of [BEFORE_EXPIRY, PAST_EXPIRY]) {
      expect(table.map(([from, to]) => `${from} ${to}`)).toEqual(pairs)
    }
  })

  it.each(BEFORE_EXPIRY)('[SP-2] before expiry, %s to %s is %s', (state, to, verdict) => {
    for (const [expiresAt, now] of [
      [EXPIRY, EXPIRY - 1],
      [EXPIRY, 0],
      [null, EXPIRY],
      [null, Number.MAX_SAFE_INTEGER],
    ] as const) {
      expect(outcome(() => transition({ state, expiresAt }, to, now, REASON))).toBe(verdict)
    }
  })

  it.each(PAST_EXPIRY)('[SP-2] from the instant of expiry on, %s to %s is %s', (state, to, verdict) => {
    for (const now of [EXPIRY, EXPIRY + 1, Number.MAX_SAFE_INTEGER]) {
      expect(outcome(() => transition({ state, expiresAt: EXPIRY }, to, now, REASON))).toBe(verdict)
    }
  })

  it('[SP-2] the table is the one of 002', () => {
    expect(TRANSITIONS).toEqual({
      draft: ['active'],
      active: ['expired', 'revoked', 'suspended'],
      expired: [],
      revoked: [],
      suspended: ['active', 'revoked'],
    })
  })

  it.each([
    ['draft', 'active', 7, { profileState: 'active', activatedAt: 7 }],
    ['suspended', 'active', 7, { profileState: 'active' }],
    ['active', 'suspended', 7, { profileState: 'suspended' }],
    ['active', 'revoked', 7, { profileState: 'revoked', revokedAt: 7, revokedReasonCode: REASON }],
    [
      'suspended',
      'revoked',
      EXPIRY,
      { profileState: 'revoked', revokedAt: EXPIRY, revokedReasonCode: REASON },
    ],
    ['suspended', 'revoked', 7, { profileState: 'revoked', revokedAt: 7, revokedReasonCode: REASON }],
    ['active', 'expired', EXPIRY, { profileState: 'expired' }],
  ] as const)('[SP-2] %s to %s says exactly what to write', (state, to, now, changes) => {
    const profile = Object.freeze({ state, expiresAt: EXPIRY })
    expect(transition(profile, to, now, REASON)).toStrictEqual({ state: to, changes })
  })

  it('[SP-2] [DE-2] an unknown stored state goes nowhere, and no state goes to an unknown one', () => {
    for (const word of ['', 'ACTIVE', 'archived', 'constructor', '__proto__', 'toString']) {
      for (const state of STATES) {
        const stored = { state: word, expiresAt: EXPIRY }
        expect(outcome(() => transition(stored, state, 0, REASON))).toBe(REFUSED)
        expect(outcome(() => transition(stored, state, EXPIRY, REASON))).toBe(REFUSED)
        const wanted = () => transition({ state, expiresAt: null }, word as ProfileState, 0, REASON)
        expect(outcome(wanted)).toBe(REFUSED)
      }
    }
  })
})

describe('mayMove', () => {
  it('[SP-2] knows the states and the six transitions of 002, and no other word', () => {
    expect(PROFILE_STATES).toEqual(['draft', 'active', 'expired', 'revoked', 'suspended'])
    const words = [...STATES, '', 'archived', 'constructor', '__proto__']
    const moves = words.flatMap(from => words.filter(to => mayMove(from, to)).map(to => `${from} ${to}`))
    expect(moves).toEqual([
      'draft active',
      'active expired',
      'active revoked',
      'active suspended',
      'suspended active',
      'suspended revoked',
    ])
  })
})

describe('mayActivate and mayResume', () => {
  it('[SP-2] a draft is activated and a suspended profile resumed, only before their expiry', () => {
    for (const state of [...STATES, '', 'archived']) {
      for (const [expiresAt, now, open] of [
        [EXPIRY, EXPIRY - 1, true],
        [EXPIRY, EXPIRY, false],
        [EXPIRY, EXPIRY + 1, false],
        [null, EXPIRY, true],
        [Number.NaN, 0, false],
        [EXPIRY, Number.NaN, false],
      ] as const) {
        expect(mayActivate({ state, expiresAt }, now)).toBe(state === 'draft' && open)
        expect(mayResume({ state, expiresAt }, now)).toBe(state === 'suspended' && open)
      }
    }
  })
})

describe('stateNow', () => {
  it.each([
    ['draft', 'draft', 'draft'],
    ['active', 'active', 'expired'],
    ['expired', 'expired', 'expired'],
    ['revoked', 'revoked', 'revoked'],
    ['suspended', 'suspended', 'suspended'],
  ] as const)('[SP-2] stored %s is %s before its expiry and %s from then on', (state, before, after) => {
    expect(currentState({ state, expiresAt: EXPIRY }, EXPIRY - 1)).toBe(before)
    expect(currentState({ state, expiresAt: EXPIRY }, EXPIRY)).toBe(after)
    expect(currentState({ state, expiresAt: EXPIRY }, EXPIRY + 1)).toBe(after)
    expect(currentState({ state, expiresAt: null }, EXPIRY)).toBe(before)
    expect(currentState({ state, expiresAt: 0 }, 0)).toBe(after)
  })

  it('[DE-2] an unknown stored state is revoked', () => {
    for (const state of ['', 'Active', 'active ', 'archived', 'constructor', '__proto__']) {
      expect(currentState({ state, expiresAt: null }, 0)).toBe('revoked')
      expect(currentState({ state, expiresAt: EXPIRY }, EXPIRY)).toBe('revoked')
    }
  })

  it('[DE-2] a time that is not a number counts as passed', () => {
    const missing = undefined as unknown as number
    for (const [expiresAt, now] of [
      [Number.NaN, 0],
      [EXPIRY, Number.NaN],
      [missing, 0],
    ] as const) {
      expect(currentState({ state: 'active', expiresAt }, now)).toBe('expired')
      expect(outcome(() => transition({ state: 'draft', expiresAt }, 'active', now, REASON))).toBe(REFUSED)
    }
  })
})

describe('discard', () => {
  it('[SP-2] a draft is discarded, never revoked; nothing else is discarded', () => {
    for (const state of [...STATES, '', 'archived']) {
      const verdict = state === 'draft' ? 'allowed' : REFUSED
      expect(outcome(() => requireDraft({ state, expiresAt: null }))).toBe(verdict)
      expect(outcome(() => requireDraft({ state, expiresAt: 0 }))).toBe(verdict)
    }
  })
})

describe('profileRefusal', () => {
  it.each([
    ['draft', 'session.profile_not_yet_activated'],
    ['active', null],
    ['expired', 'session.profile_expired'],
    ['revoked', 'session.profile_revoked'],
    ['suspended', 'session.profile_suspended'],
  ] as const)('[SP-2] [RS-1] the refusal of a profile that is %s is %s', (state, code) => {
    expect(profileRefusal(state)).toBe(code)
    if (code !== null) expect(findReasonCode(code)?.code).toBe(code)
    expect(Object.entries(PROFILE_REFUSAL).find(([known]) => known === state)?.[1] ?? null).toBe(code)
  })

  it('[DE-2] a state that is not known is refused', () => {
    for (const word of ['', 'archived', 'constructor']) {
      expect(profileRefusal(word)).toBe('session.profile_revoked')
    }
  })
})

describe('the life of a profile', () => {
  const anyStep = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...STATES).map(to => ({ kind: 'go' as const, to })) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 400 }).map(by => ({ kind: 'wait' as const, by })) },
  )
  const anyExpiry = fc.option(fc.integer({ min: 0, max: EXPIRY }), { nil: null })

  it('[SP-2] any walk agrees with a plain model of it', () => {
    const visited = new Set<string>()
    fc.assert(
      fc.property(anyExpiry, fc.array(anyStep, { maxLength: 30 }), (expiresAt, steps) => {
        let now = 0
        let profile: StoredProfile = { state: 'draft', expiresAt }
        // The model keeps flags instead of a state: everything that has ever happened to the profile.
        const model = { activated: false, suspended: false, revoked: false, recorded: false }
        const written = { activations: 0, revocations: 0 }
        for (const step of steps) {
          if (step.kind === 'wait') now += step.by
          const over = expiresAt !== null && now >= expiresAt
          const usable = model.activated && !model.revoked && !over
          if (step.kind === 'go') {
            const allowed = {
              draft: false,
              active: (!model.activated && !over) || (usable && model.suspended),
              expired: model.activated && !model.revoked && !model.suspended && !model.recorded && over,
              revoked: usable || (model.suspended && !model.revoked),
              suspended: usable && !model.suspended,
            }[step.to]
            expect(outcome(() => transition(profile, step.to, now, REASON))).toBe(
              allowed ? 'allowed' : REFUSED,
            )
            if (allowed) {
              const { state, changes } = transition(profile, step.to, now, REASON)
              visited.add(`${profile.state} ${state}`)
              profile = { ...profile, state }
              if (changes.activatedAt !== undefined) written.activations++
              if (changes.revokedAt !== undefined) written.revocations++
              if (step.to === 'active') Object.assign(model, { activated: true, suspended: false })
              if (step.to === 'suspended') model.suspended = true
              if (step.to === 'revoked') model.revoked = true
              if (step.to === 'expired') model.recorded = true
            }
          }
          const runs = model.activated && !model.suspended && !model.revoked && !over
          expect(profileRefusal(currentState(profile, now)) === null).toBe(runs)
          expect(written).toEqual({
            activations: Number(model.activated),
            revocations: Number(model.revoked),
          })
        }
      }),
      { numRuns: 500 },
    )
    // The random walk proves nothing unless it reaches every state.
    expect([...visited].sort()).toEqual([
      'active expired',
      'active revoked',
      'active suspended',
      'draft active',
      'suspended active',
      'suspended revoked',
    ])
  })

  it('[SP-2] what is expired or revoked now stays so, whatever is tried later', () => {
    const anyStored = fc.record({ state: fc.constantFrom(...STATES), expiresAt: anyExpiry })
    const anyLater = fc.nat(2 * EXPIRY)
    fc.assert(
      fc.property(anyStored, anyLater, anyLater, fc.constantFrom(...STATES), (profile, now, wait, to) => {
        const state = currentState(profile, now)
        fc.pre(state === 'expired' || state === 'revoked')
        expect(currentState(profile, now + wait)).toBe(state)
        const recording = profile.state === 'active' && to === 'expired'
        expect(outcome(() => transition(profile, to, now + wait, REASON))).toBe(
          recording ? 'allowed' : REFUSED,
        )
      }),
    )
  })
})
