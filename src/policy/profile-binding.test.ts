import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bindingDefaults,
  CHILD_SPAWN_CONSTRAINTS,
  findKindMismatch,
  makeChildBinding,
  type ProfileBinding,
  refuseEverySpawn,
  refuseSpawn,
  refuseStarting,
} from './profile-binding.js'
import { findReasonCode } from './reason-codes.js'
import { AUDIENCES, PROFILE_KINDS } from './vocabulary.js'

const INTERNAL = { kind: 'subagent_session', external: false }
const EXTERNAL = { kind: 'subagent_session', external: true }

function aBinding(
  kind: 'host_session' | 'share_link_session' | 'system_agent_session',
  change: Partial<ProfileBinding> = {},
): ProfileBinding {
  return {
    bindingId: `${kind} 1`,
    ecSessionId: 'session',
    openclawNativeSessionId: 'native',
    bindingKind: kind,
    inheritedCapabilityPolicyRef: 'policy',
    inheritedShareTokenPolicyRef: null,
    inheritedVisibilityConstraints: ['public_open', 'sealed'],
    childrenCount: 0,
    parentRef: null,
    ...bindingDefaults(kind),
    ...change,
  }
}

/** Starts a sub-agent that is allowed; its binding becomes the first in the chain. */
function spawned(chain: readonly ProfileBinding[], external = false): readonly ProfileBinding[] {
  const [parent, ...above] = chain
  if (parent === undefined) throw new Error('nobody spawns')
  const child = {
    ...makeChildBinding(parent, { external }),
    bindingId: `${parent.bindingId}.1`,
    ecSessionId: 'child session',
    openclawNativeSessionId: 'child native',
  }
  return [child, { ...parent, childrenCount: parent.childrenCount + 1 }, ...above]
}

describe('example 21.3', () => {
  const host = [aBinding('host_session')]
  const agent = spawned(host)
  const second = spawned(agent)
  const third = spawned(second)

  it('[SP-6] step 3: the host may start a sub-agent, which gets what the host has and one level less', () => {
    expect(refuseSpawn(host, INTERNAL)).toBeNull()
    expect(agent[0]).toEqual({
      bindingId: 'host_session 1.1',
      ecSessionId: 'child session',
      openclawNativeSessionId: 'child native',
      bindingKind: 'subagent_session',
      inheritedCapabilityPolicyRef: 'policy',
      inheritedShareTokenPolicyRef: null,
      inheritedVisibilityConstraints: ['public_open', 'sealed'],
      forkForbidden: false,
      maxSpawnDepth: 2,
      maxChildrenPerAgent: 5,
      contextInheritancePolicy: 'full_inherit',
      authInheritancePolicy: 'inherit_with_session_token',
      transcriptVisibilityPolicy: 'shared',
      watermarkPolicy: null,
      childSpawnConstraint: 'inherit_parent_constraint',
      childSpawnAllowList: null,
      childrenCount: 0,
      parentRef: 'host_session 1',
    })
  })

  it('[SP-6] steps 4 and 5: the sub-agent works as the host does, and may start another', () => {
    expect(agent[0]?.contextInheritancePolicy).toBe('full_inherit')
    expect(refuseSpawn(agent, INTERNAL)).toBeNull()
    expect(second[0]).toEqual({
      ...agent[0],
      bindingId: 'host_session 1.1.1',
      maxSpawnDepth: 1,
      parentRef: 'host_session 1.1',
    })
  })

  it('[SP-6] step 6: one more level may start, and nothing below it', () => {
    expect(refuseSpawn(second, INTERNAL)).toBeNull()
    expect(third[0]?.maxSpawnDepth).toBe(0)
    expect(refuseSpawn(third, INTERNAL)).toBe('native_session_max_spawn_depth_exceeded')
  })

  it('[SP-6] step 7: a recipient can start nothing', () => {
    const share = aBinding('share_link_session')
    expect(share).toMatchObject({
      forkForbidden: true,
      maxSpawnDepth: 0,
      maxChildrenPerAgent: 0,
      contextInheritancePolicy: 'no_inherit',
      authInheritancePolicy: 'session_only',
      transcriptVisibilityPolicy: 'isolated',
      childSpawnConstraint: 'deny_all',
    })
    expect(refuseSpawn([share], INTERNAL)).toBe('native_session_fork_forbidden')
    expect(findReasonCode('native_session_fork_forbidden')?.visibility).toBe('generic_only')
  })
})

describe('refuseSpawn', () => {
  const host = (change: Partial<ProfileBinding> = {}) => aBinding('host_session', change)

  it.each([
    ['a fork forbidden', { forkForbidden: true }, 'native_session_fork_forbidden'],
    ['no depth left', { maxSpawnDepth: 0 }, 'native_session_max_spawn_depth_exceeded'],
    ['a depth below nothing', { maxSpawnDepth: -1 }, 'native_session_max_spawn_depth_exceeded'],
    ['four of five children', { childrenCount: 4 }, null],
    ['five of five children', { childrenCount: 5 }, 'native_session_max_children_per_agent_exceeded'],
    ['a denial of all', { childSpawnConstraint: 'deny_all' }, 'native_session_child_spawn_denied'],
    ['a denial of external ones', { childSpawnConstraint: 'deny_external' }, null],
    [
      'no list',
      { childSpawnConstraint: 'explicit_allow_list' },
      'native_session_child_spawn_not_in_allow_list',
    ],
    [
      'another list',
      { childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList: ['system_agent_session'] },
      'native_session_child_spawn_not_in_allow_list',
    ],
    [
      'the right list',
      { childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList: ['x', 'subagent_session'] },
      null,
    ],
  ] as const)('[SP-6] with %s', (_, change, refusal) => {
    expect(refuseSpawn([host(change)], INTERNAL)).toBe(refusal)
    if (refusal !== null) expect(findReasonCode(refusal)?.visibility).toBe('generic_only')
  })

  it('[SP-6] a denial of external ones denies them alone', () => {
    const binding = host({ childSpawnConstraint: 'deny_external' })
    expect(refuseSpawn([binding], EXTERNAL)).toBe('native_session_child_spawn_external_denied')
    expect(refuseSpawn([host()], EXTERNAL)).toBeNull()
  })

  it('[SP-6] the checks come in the order of 002: fork, depth, children, constraint', () => {
    const none = {
      forkForbidden: true,
      maxSpawnDepth: 0,
      maxChildrenPerAgent: 0,
      childSpawnConstraint: 'deny_all',
    }
    expect(refuseSpawn([host(none)], INTERNAL)).toBe('native_session_fork_forbidden')
    const { forkForbidden, ...forked } = none
    expect(refuseSpawn([host(forked)], INTERNAL)).toBe('native_session_max_spawn_depth_exceeded')
    const { maxSpawnDepth, ...deep } = forked
    expect(refuseSpawn([host(deep)], INTERNAL)).toBe('native_session_max_children_per_agent_exceeded')
    const { maxChildrenPerAgent, ...room } = deep
    expect(refuseSpawn([host(room)], INTERNAL)).toBe('native_session_child_spawn_denied')
  })

  it('[SP-6] ancestors lend their constraint, the nearest one that has any, and nothing else', () => {
    const spent = host({ forkForbidden: true, maxSpawnDepth: 0, childrenCount: 9 })
    const child = host({ parentRef: spent.bindingId, bindingKind: 'subagent_session' })
    expect(refuseSpawn([child, spent], INTERNAL)).toBeNull()
    const denying = { ...spent, childSpawnConstraint: 'deny_all' }
    expect(refuseSpawn([child, denying], INTERNAL)).toBe('native_session_child_spawn_denied')
    const nearer = { ...child, childSpawnConstraint: 'deny_external' }
    expect(refuseSpawn([child, nearer, denying], INTERNAL)).toBeNull()
    expect(refuseSpawn([child, nearer, denying], EXTERNAL)).toBe('native_session_child_spawn_external_denied')
  })

  it('[SP-6] [DE-2] a chain that is empty or ends before its root refuses', () => {
    expect(refuseSpawn([], INTERNAL)).toBe('native_session_fork_forbidden')
    expect(refuseSpawn([host({ parentRef: 'somebody' })], INTERNAL)).toBe('native_session_child_spawn_denied')
  })

  it.each([
    { bindingKind: 'guest_session' },
    { forkForbidden: 'no' as unknown as boolean },
    { forkForbidden: null as unknown as boolean },
    { maxSpawnDepth: Number.NaN },
    { maxChildrenPerAgent: Number.NaN },
    { childrenCount: Number.NaN },
    { childSpawnConstraint: 'allow_all' },
  ])('[DE-2] an unknown value refuses: %o', change => {
    expect(refuseSpawn([host(change)], INTERNAL)).not.toBeNull()
  })

  it('[DE-2] a candidate that does not say whether it is external counts as such', () => {
    const silent = { kind: 'subagent_session' } as unknown as typeof INTERNAL
    const binding = host({ childSpawnConstraint: 'deny_external' })
    expect(refuseSpawn([binding], silent)).toBe('native_session_child_spawn_external_denied')
  })

  it('[SP-6] a share-link session can start nothing, whatever its fields say', () => {
    const anyFields = fc.record({
      forkForbidden: fc.boolean(),
      maxSpawnDepth: fc.integer(),
      maxChildrenPerAgent: fc.integer(),
      childrenCount: fc.nat(),
      childSpawnConstraint: fc.constantFrom(...CHILD_SPAWN_CONSTRAINTS),
      childSpawnAllowList: fc.constantFrom(null, ['subagent_session']),
      parentRef: fc.constantFrom(null, 'host_session 1'),
    })
    fc.assert(
      fc.property(anyFields, fc.boolean(), (fields, external) => {
        const chain = [aBinding('share_link_session', fields), host()]
        expect(refuseSpawn(chain, { kind: 'subagent_session', external })).toBe(
          'native_session_fork_forbidden',
        )
      }),
    )
  })

  it('[SP-6] no chain of sub-agents gets deeper than the depth of its root', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), depth => {
        let chain: readonly ProfileBinding[] = [host({ maxSpawnDepth: depth })]
        let started = 0
        while (refuseSpawn(chain, INTERNAL) === null && started < 20) {
          chain = spawned(chain)
          started++
        }
        expect(started).toBe(depth)
      }),
    )
  })
})

describe('bindings of other kinds', () => {
  it('[SP-6] a system agent has the defaults of a share link with a shared transcript', () => {
    expect(bindingDefaults('system_agent_session')).toEqual({
      ...bindingDefaults('share_link_session'),
      transcriptVisibilityPolicy: 'shared',
    })
    expect(bindingDefaults('guest_session' as 'host_session')).toEqual(bindingDefaults('share_link_session'))
  })

  it('[SP-7] an external delegate gets a part of the context, no token of the session, and starts nothing', () => {
    const host = aBinding('host_session', {
      childSpawnConstraint: 'explicit_allow_list',
      childSpawnAllowList: ['subagent_session'],
    })
    const chain = spawned([host], true)
    expect(chain[0]).toMatchObject({
      bindingKind: 'subagent_session',
      contextInheritancePolicy: 'scoped_inherit',
      authInheritancePolicy: 'session_only',
      transcriptVisibilityPolicy: 'shared',
      childSpawnConstraint: 'deny_all',
      childSpawnAllowList: null,
      maxSpawnDepth: 0,
      maxChildrenPerAgent: 0,
      parentRef: host.bindingId,
    })
    expect(refuseSpawn(chain, INTERNAL)).toBe('native_session_max_spawn_depth_exceeded')
  })

  it('[SP-6] the transcript of a sub-agent is shared, whatever its parent keeps, and its children are its own', () => {
    const host = aBinding('host_session', {
      transcriptVisibilityPolicy: 'isolated',
      forkForbidden: true,
      childrenCount: 2,
    })
    expect(makeChildBinding(host, { external: false })).toMatchObject({
      childrenCount: 0,
      transcriptVisibilityPolicy: 'shared',
      forkForbidden: true,
    })
  })
})

describe('who starts nothing', () => {
  it('[SP-6] recipients, agents of no session, and kinds that never fork, whoever asks', () => {
    const forks = (audience: (typeof AUDIENCES)[number]) =>
      [null, ...PROFILE_KINDS].filter(
        sessionKind => refuseStarting(audience, sessionKind && { sessionKind }) === null,
      )
    expect(Object.fromEntries(AUDIENCES.map(audience => [audience, forks(audience)]))).toEqual({
      owner: [null, 'host_session', 'subagent_session'],
      host: [null, 'host_session', 'subagent_session'],
      agent: ['host_session', 'subagent_session'],
      recipient: [],
    })
    // This must agree with the default bindings, which are the most that each kind may ever have.
    for (const kind of ['host_session', 'share_link_session', 'system_agent_session'] as const)
      expect(refuseStarting('owner', { sessionKind: kind }) !== null).toBe(
        bindingDefaults(kind).forkForbidden,
      )
  })

  it('[SP-6] a session that may start some agent is not told that it may start none', () => {
    const listed = (childSpawnAllowList: string[]) =>
      aBinding('host_session', { childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList })
    expect(refuseEverySpawn([aBinding('host_session')])).toBeNull()
    expect(refuseEverySpawn([aBinding('host_session', { childSpawnConstraint: 'deny_external' })])).toBeNull()
    expect(refuseEverySpawn([listed(['ocr'])])).toBeNull()
    expect(refuseEverySpawn(spawned([listed(['ocr'])]))).toBeNull()
    expect(refuseEverySpawn([listed([])])).toBe('native_session_child_spawn_not_in_allow_list')
    expect(refuseEverySpawn([aBinding('host_session', { maxSpawnDepth: 0 })])).toBe(
      'native_session_max_spawn_depth_exceeded',
    )
  })
})

describe('kindMismatch', () => {
  it('[SP-4] kind and binding kind agree, and are known', () => {
    for (const session of PROFILE_KINDS)
      for (const binding of PROFILE_KINDS)
        expect(findKindMismatch(session, binding) === null).toBe(session === binding)
    expect(findKindMismatch('guest_session', 'guest_session')).toBe('session_binding_kind_mismatch')
    expect(findReasonCode('session_binding_kind_mismatch')).toBeDefined()
  })
})
