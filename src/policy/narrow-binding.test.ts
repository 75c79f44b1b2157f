import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../test/support/depth.js'
import { narrowBinding } from './narrow-binding.js'
import {
  AUTH_INHERITANCE_POLICIES,
  bindingDefaults,
  CHILD_SPAWN_CONSTRAINTS,
  CONTEXT_INHERITANCE_POLICIES,
  makeChildBinding,
  type NewBinding,
  type ProfileBinding,
  refuseSpawn,
  TRANSCRIPT_VISIBILITY_POLICIES,
} from './profile-binding.js'

const HOST: ProfileBinding = {
  ...bindingDefaults('host_session'),
  bindingId: 'host',
  ecSessionId: 'session',
  openclawNativeSessionId: 'native',
  bindingKind: 'host_session',
  inheritedCapabilityPolicyRef: 'policy',
  inheritedShareTokenPolicyRef: null,
  inheritedVisibilityConstraints: [],
  childrenCount: 0,
  parentRef: null,
}

const named = (binding: NewBinding, bindingId: string): ProfileBinding => ({
  ...binding,
  bindingId,
  ecSessionId: bindingId,
  openclawNativeSessionId: bindingId,
})

const UNKNOWN = 'a word from later'
const list = fc.subarray(['ocr', 'shell', 'mail'])
const everyTerm = fc.record({
  forkForbidden: fc.boolean(),
  maxSpawnDepth: fc.constantFrom(0, 1, 2, 3, 9, -1, Number.NaN),
  maxChildrenPerAgent: fc.constantFrom(0, 1, 5, 9, -1, Number.NaN),
  contextInheritancePolicy: fc.constantFrom(...CONTEXT_INHERITANCE_POLICIES, UNKNOWN),
  authInheritancePolicy: fc.constantFrom(...AUTH_INHERITANCE_POLICIES, UNKNOWN),
  transcriptVisibilityPolicy: fc.constantFrom(...TRANSCRIPT_VISIBILITY_POLICIES, UNKNOWN),
  childSpawnConstraint: fc.constantFrom(...CHILD_SPAWN_CONSTRAINTS, UNKNOWN),
  childSpawnAllowList: list,
})
/** Only some of the terms: a random value for every term would nearly always widen something. */
const terms = fc
  .tuple(everyTerm, fc.subarray(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], { maxLength: 3 }))
  .map(
    ([every, some]) =>
      Object.fromEntries(
        Object.entries(every).filter((_, at) => some.includes('abcdefgh'[at] ?? '')),
      ) as Partial<typeof every>,
  )
/** A constraint of the host, or of a profile between the host and the child. */
const constraint = fc.record({
  childSpawnConstraint: fc.constantFrom(...CHILD_SPAWN_CONSTRAINTS),
  childSpawnAllowList: list,
})
const candidates = ['ocr', 'shell', 'mail'].flatMap(kind => [
  { kind, external: false },
  { kind, external: true },
])

describe('the binding of a sub-agent that is to have less', () => {
  it('[SP-6] [DE-3] never has more than it would inherit', () => {
    let taken = 0
    fc.assert(
      fc.property(
        constraint,
        fc.option(constraint),
        fc.boolean(),
        terms,
        (root, between, external, asked) => {
          const host = { ...HOST, ...root }
          const middle =
            between === null
              ? []
              : [{ ...named(makeChildBinding(host, { external: false }), 'middle'), ...between }]
          const chain = [...middle, host]
          const child = makeChildBinding(chain[0] as ProfileBinding, { external })
          const narrowed = narrowBinding(child, asked, chain)
          if ('widens' in narrowed) return
          taken++
          const { binding } = narrowed
          for (const candidate of candidates) {
            const before = refuseSpawn([named(child, 'child'), ...chain], candidate)
            if (before !== null)
              expect(refuseSpawn([named(binding, 'child'), ...chain], candidate)).not.toBeNull()
          }
          expect(binding.maxSpawnDepth).toBeLessThanOrEqual(child.maxSpawnDepth)
          expect(binding.maxChildrenPerAgent).toBeLessThanOrEqual(child.maxChildrenPerAgent)
          expect(CONTEXT_INHERITANCE_POLICIES.slice(0)).toContain(binding.contextInheritancePolicy)
          expect(
            CONTEXT_INHERITANCE_POLICIES.indexOf(binding.contextInheritancePolicy as 'no_inherit'),
          ).toBeGreaterThanOrEqual(
            CONTEXT_INHERITANCE_POLICIES.indexOf(child.contextInheritancePolicy as 'no_inherit'),
          )
          expect(
            AUTH_INHERITANCE_POLICIES.indexOf(binding.authInheritancePolicy as 'no_auth'),
          ).toBeGreaterThanOrEqual(
            AUTH_INHERITANCE_POLICIES.indexOf(child.authInheritancePolicy as 'no_auth'),
          )
          expect(['shared', 'host_only']).toContain(binding.transcriptVisibilityPolicy)
        },
      ),
      { numRuns: times(1_000, 5_000) },
    )
    expect(taken).toBeGreaterThan(300)
  })

  it('[SP-6] is what it would inherit where nothing is asked', () => {
    for (const external of [false, true]) {
      const child = makeChildBinding(HOST, { external })
      expect(narrowBinding(child, {}, [HOST])).toEqual({ binding: child })
    }
    const listed = { ...HOST, childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList: ['ocr'] }
    const child = makeChildBinding(listed, { external: false })
    expect(narrowBinding(child, {}, [listed])).toEqual({ binding: child })
  })

  it('[SP-6] takes each that is less', () => {
    const child = makeChildBinding(HOST, { external: false })
    for (const asked of [
      { forkForbidden: true },
      { maxSpawnDepth: 0 },
      { maxChildrenPerAgent: 4 },
      { contextInheritancePolicy: 'no_inherit' },
      { authInheritancePolicy: 'session_only' },
      { transcriptVisibilityPolicy: 'host_only' },
      { childSpawnConstraint: 'deny_external' },
      { childSpawnConstraint: 'deny_all' },
      { childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList: ['ocr'] },
    ])
      expect(narrowBinding(child, asked, [HOST])).toEqual({ binding: { ...child, ...asked } })
  })
})
