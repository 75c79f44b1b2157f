import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clampSignals, defaultSignals, routeOf, SIGNAL_KINDS, SIGNAL_ROUTES } from './utility-signals.js'
import { IDENTITY_MODES } from './vocabulary.js'

const ALL = {
  utilitySignalCapture: 'host_global',
  captureKinds: [
    'click_dwell',
    'explicit_helpful',
    'explicit_not_helpful',
    'query_refinement',
    'result_share',
  ],
}
const ANONYMOUS = { utilitySignalCapture: 'session_local_only', captureKinds: ['click_dwell'] }
const NAMED = {
  utilitySignalCapture: 'corpus_aggregate_review_required',
  captureKinds: ['click_dwell', 'explicit_helpful', 'explicit_not_helpful'],
}
const NOTHING = { utilitySignalCapture: 'session_local_only', captureKinds: [] }

describe('defaultSignals', () => {
  it.each([
    ['host_session', 'host_user', ALL],
    ['system_agent_session', 'system_agent', ALL],
    ['share_link_session', 'anonymous_share_token', ANONYMOUS],
    ['share_link_session', 'passcode_required', ANONYMOUS],
    ['share_link_session', 'email_bound', NAMED],
    ['share_link_session', 'host_approved_named_external', NAMED],
    ['share_link_session', 'unheard_of', ANONYMOUS],
    ['subagent_session', 'host_user', NOTHING],
    ['guest_session', 'host_user', NOTHING],
  ])('[SP-8] of a %s as %s', (kind, mode, policy) => {
    expect(defaultSignals(kind, mode)).toEqual(policy)
  })

  it('[SP-8] a sub-agent does as its parent does, and nobody else does', () => {
    expect(defaultSignals('subagent_session', 'system_agent', NAMED)).toEqual(NAMED)
    expect(defaultSignals('share_link_session', 'anonymous_share_token', ALL)).toEqual(ANONYMOUS)
  })
})

describe('routeOf', () => {
  it('[SP-8] a kind that is not captured goes nowhere, one that is goes where the policy says', () => {
    expect(SIGNAL_KINDS.map(kind => routeOf(ALL, kind))).toEqual(Array(5).fill('host_global'))
    expect(SIGNAL_KINDS.map(kind => routeOf(ANONYMOUS, kind))).toEqual([
      'session_local_only',
      null,
      null,
      null,
      null,
    ])
    const reviewed = 'corpus_aggregate_review_required'
    expect(SIGNAL_KINDS.map(kind => routeOf(NAMED, kind))).toEqual([reviewed, reviewed, reviewed, null, null])
  })

  it('[DE-2] an unknown kind or route goes nowhere', () => {
    expect(routeOf({ ...ALL, captureKinds: ['mouse_trail'] }, 'mouse_trail')).toBeNull()
    expect(routeOf({ ...ALL, utilitySignalCapture: 'everywhere' }, 'click_dwell')).toBeNull()
  })
})

describe('clampSignals', () => {
  const anyPolicy = fc.record({
    utilitySignalCapture: fc.constantFrom<string>(...SIGNAL_ROUTES, 'everywhere'),
    captureKinds: fc.subarray<string>([...SIGNAL_KINDS, 'mouse_trail']),
  })

  it('[SP-8] whatever a policy says, nothing of an anonymous recipient leaves the session', () => {
    const anonymous = fc.constantFrom('anonymous_share_token', 'passcode_required', 'unheard_of', '')
    fc.assert(
      fc.property(anyPolicy, anonymous, fc.constantFrom(...SIGNAL_KINDS), (policy, mode, kind) => {
        const route = routeOf(clampSignals(policy, mode), kind)
        expect(route).toBe(policy.captureKinds.includes(kind) ? 'session_local_only' : null)
      }),
    )
  })

  it('[SP-8] the policy of anyone else holds as it is', () => {
    const named = IDENTITY_MODES.filter(m => m !== 'anonymous_share_token' && m !== 'passcode_required')
    expect(named).toHaveLength(4)
    fc.assert(
      fc.property(anyPolicy, fc.constantFrom(...named), (policy, mode) => {
        expect(clampSignals(policy, mode)).toEqual(policy)
      }),
    )
  })
})
