import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import {
  bindSession,
  enter,
  plantBinding,
  plantProfile,
  plantView,
  recipientOf,
  refusedSpawns,
  type Spawned,
  spawn,
} from '../support/spawning.js'
import { engines } from '../support/stores.js'

/** How often a spawn and what ends its parent begin at once. */
const TRIALS = Number(process.env.PRIVITY_SPAWN_TRIALS ?? 20)

describe.each(engines)('chains of sub-agents on %s', engine => {
  let store: SharedStore
  let a: Privity
  let b: Privity

  beforeAll(async () => {
    store = await sharedStore(engine)
    const quiet = { embedding: [], sweeps: false } as const
    a = await store.instance(undefined, quiet)
    b = await store.instance(undefined, quiet)
  })
  afterAll(async () => {
    await Promise.all([a?.close(), b?.close()])
    await store?.dispose()
  })

  const world = async () => {
    const tenant = store.tenant()
    const ana: Credential = { tenant, actor: 'ana' }
    await a.invoke(ana, 'memory.list', {})
    return { tenant, ana }
  }
  const outcome = (answer: Promise<unknown>) =>
    answer.then(
      () => 'allowed',
      (error: { code: string; reason?: string }) => error.reason ?? error.code,
    )
  const profilesIn = async (tenant: string) =>
    store.sql<{ profileId: string; state: string; parent: string | null }>(
      `select profile_id as "profileId", state, parent_profile as parent from privity.profiles where tenant_id = $1`,
      [tenant],
    )

  it('[SP-6] [NI-5] takes nobody into a session that is not theirs, as if it were not there', async () => {
    const { tenant, ana } = await world()
    const [one, two] = [await spawn(a, ana, { agent: 'one' }), await spawn(a, ana, { agent: 'two' })]
    const oneSays = await enter(a, one)
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'high' },
    }
    for (const profile of [two.profile.profile, two.profile.parentProfileRef, randomUUID()]) {
      // Named by a request, of a credential that has another one or none.
      for (const by of [oneSays, helper, { tenant, actor: 'ben' }])
        expect(await outcome(spawn(a, by, {}, { profile }))).toBe('not_found')
      // In the credential itself.
      for (const by of [
        { ...oneSays, profile },
        { ...helper, profile },
        { tenant, actor: 'ben', profile },
      ])
        expect(await outcome(spawn(a, by))).toBe('unauthenticated')
    }
    expect(await profilesIn(tenant)).toHaveLength(3)
  })

  it('[SP-6] [NI-7] leaves nothing that runs where a spawn meets the end of its parent', async () => {
    const { ana } = await world()
    const met = new Set<string>()
    for (let trial = 0; trial < TRIALS; trial++) {
      const parent = await spawn(a, ana)
      const parentSays = await enter(a, parent)
      const profile = parent.profile.profile
      const ending = trial % 2 === 0 ? 'agents.end' : 'profiles.revoke'
      const begun = [
        () => spawn(b, parentSays).catch(error => error as { code: string }),
        () => a.invoke(ana, ending, { profile }),
      ]
      const both = trial % 3 === 0 ? begun.reverse() : begun
      const answers = await Promise.all(both.map(begin => begin()))
      const made = answers.find(answer => (answer as Partial<Spawned>).secret !== undefined) as
        | Spawned
        | undefined
      met.add(made === undefined ? 'refused' : 'made')
      if (made === undefined) continue
      // It was ended itself, or its parent's state stops it.
      const used = await outcome(b.invoke(await enter(b, made), 'memory.list', {}))
      expect(used, ending).toBe('session.profile_revoked')
    }
    // Otherwise the two never met.
    expect([...met].sort()).toEqual(['made', 'refused'])
  })

  it('[SP-6] [NI-7] ends a child everywhere at once', async () => {
    const { ana } = await world()
    const child = await spawn(a, ana)
    const says = [await enter(a, child), await enter(b, child)]
    for (const one of says) await b.invoke(one, 'memory.list', {})
    await a.invoke(ana, 'agents.end', { profile: child.profile.profile })
    for (const one of [...says, await enter(b, child)])
      expect(await outcome(b.invoke(one, 'memory.list', {}))).toBe('session.profile_revoked')
    // Without its key, whoever vouches for it gets no further.
    const { key, ...vouched } = says[0] as Credential
    expect(await outcome(b.invoke(vouched, 'memory.list', {}))).toMatch(/session/)
  })

  it('[SP-6] [DE-3] widens nothing by an override', async () => {
    const { tenant, ana } = await world()
    const narrow = {
      forkForbidden: false,
      maxSpawnDepth: 1,
      maxChildrenPerAgent: 2,
      contextInheritancePolicy: 'scoped_inherit',
      authInheritancePolicy: 'session_only',
      childSpawnConstraint: 'explicit_allow_list',
      childSpawnAllowList: ['ocr'],
    }
    const parent = await spawn(a, ana, { binding: narrow })
    expect(parent.binding).toMatchObject(narrow)
    const says = await enter(a, parent)
    const before = (await profilesIn(tenant)).length
    for (const binding of [
      { maxSpawnDepth: 1 },
      { maxSpawnDepth: 9 },
      { maxSpawnDepth: -1 },
      { maxChildrenPerAgent: 3 },
      { contextInheritancePolicy: 'full_inherit' },
      { contextInheritancePolicy: 'everything' },
      { authInheritancePolicy: 'inherit_with_session_token' },
      { transcriptVisibilityPolicy: 'isolated' },
      { childSpawnConstraint: 'inherit_parent_constraint' },
      { childSpawnConstraint: 'deny_external' },
      { childSpawnAllowList: ['ocr', 'shell'] },
      { childSpawnConstraint: 'deny_all', childSpawnAllowList: ['ocr'] },
      { bindingKind: 'host_session' },
      { inheritedCapabilityPolicyRef: 'built-in:host' },
    ])
      expect([binding, await outcome(spawn(a, says, { agent: 'ocr', binding }))]).toEqual([
        binding,
        'invalid_input',
      ])
    const forked = await spawn(a, ana, { binding: { maxSpawnDepth: 1, forkForbidden: true } })
    expect(await outcome(spawn(a, await enter(a, forked), { binding: { forkForbidden: false } }))).toBe(
      'not_allowed',
    )
    for (const binding of [
      { childSpawnConstraint: 'inherit_parent_constraint' },
      { maxSpawnDepth: 1 },
      { maxChildrenPerAgent: 1 },
      { contextInheritancePolicy: 'full_inherit' },
    ])
      expect(await outcome(spawn(a, ana, { external: true, binding }))).toBe('invalid_input')
    expect(await profilesIn(tenant)).toHaveLength(before + 1)
    // What is less is taken, field by field.
    const less = {
      forkForbidden: true,
      maxSpawnDepth: 0,
      maxChildrenPerAgent: 1,
      contextInheritancePolicy: 'no_inherit',
      authInheritancePolicy: 'no_auth',
      transcriptVisibilityPolicy: 'host_only',
      childSpawnConstraint: 'deny_all',
    }
    const { binding } = await spawn(a, says, { agent: 'ocr', binding: less })
    expect(binding).toMatchObject({ ...less, childSpawnAllowList: null })
  })

  it('[SP-6] keeps a constraint through those that inherit it, down to the last', async () => {
    const { ana } = await world()
    const constraint = { childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList: ['ocr'] }
    const top = await enter(a, await spawn(a, ana, { binding: constraint }))
    const below = await enter(a, await spawn(a, top, { agent: 'ocr', binding: { childSpawnAllowList: [] } }))
    for (const agent of ['ocr', 'shell', 'subagent_session', '*'])
      expect(await outcome(spawn(a, below, { agent }))).toBe('not_allowed')
    expect(await outcome(spawn(a, top, { agent: 'OCR' }))).toBe('not_allowed')
  })

  it('[SP-6] [DE-2] refuses rings, broken chains and words that it does not know', async () => {
    const { tenant, ana } = await world()
    const session = async (terms: Record<string, unknown>, sessionKind = 'host_session') => {
      const profile = await plantProfile(store, tenant, { owner: 'ana', actor: 'ana', sessionKind })
      await plantBinding(store, tenant, profile, terms)
      return { ...ana, profile }
    }
    const itself = randomUUID()
    const other = randomUUID()
    const cases: [Credential, string][] = [
      [await session({ bindingId: itself, parentRef: itself }), 'native_session_child_spawn_denied'],
      [await session({ parentRef: randomUUID() }), 'native_session_child_spawn_denied'],
      [await session({ childSpawnConstraint: 'allow_some' }), 'native_session_child_spawn_denied'],
      [await session({ bindingKind: 'future_session' }), 'session_binding_kind_mismatch'],
      [await session({ bindingKind: 'future_session' }, 'future_session'), 'session_binding_kind_mismatch'],
      [await session({ maxSpawnDepth: 'many' }), 'native_session_max_spawn_depth_exceeded'],
      [await session({ maxChildrenPerAgent: null }), 'native_session_max_children_per_agent_exceeded'],
      [await session({ forkForbidden: 'no' }), 'native_session_fork_forbidden'],
    ]
    for (const [by, code] of cases) expect(await outcome(spawn(a, by))).toBe(code)
    // A ring of two sessions: it ends, and nothing is spawned under it.
    const one = await plantProfile(store, tenant, { owner: 'ana', actor: 'ana', parentProfile: other })
    await plantProfile(store, tenant, { owner: 'ana', actor: 'ana', profileId: other, parentProfile: one })
    const [first, second] = [randomUUID(), randomUUID()]
    await plantBinding(store, tenant, one, { bindingId: first, parentRef: second })
    await plantBinding(store, tenant, other, { bindingId: second, parentRef: first })
    expect(await outcome(spawn(a, { ...ana, profile: one }))).toBe('native_session_child_spawn_denied')
    expect(await refusedSpawns(a, tenant)).toEqual([
      ...cases.map(([, code]) => code),
      'native_session_child_spawn_denied',
    ])
  })

  it('[SP-6] ends sessions that stand in a ring', async () => {
    const { tenant, ana } = await world()
    const child = await spawn(a, ana)
    const grandchild = await spawn(a, await enter(a, child))
    await store.sql(
      'update privity.profiles set parent_profile = $3 where tenant_id = $1 and profile_id = $2',
      [tenant, child.profile.profile, grandchild.profile.profile],
    )
    await a.invoke(ana, 'agents.end', { profile: child.profile.profile })
    const ended = (await profilesIn(tenant))
      .filter(({ state }) => state === 'revoked')
      .map(one => one.profileId)
    expect(ended.sort()).toEqual([child.profile.profile, grandchild.profile.profile].sort())
  })

  it('[SP-6] lets whoever came by a link start nothing, whatever their binding says', async () => {
    const { tenant, ana } = await world()
    const guest = await recipientOf(a, ana)
    await store.sql(
      `update privity.session_bindings
       set binding = binding || '{"forkForbidden": false, "maxSpawnDepth": 9, "maxChildrenPerAgent": 9,
         "childSpawnConstraint": "inherit_parent_constraint"}'
       where tenant_id = $1`,
      [tenant],
    )
    for (const input of [{}, { external: true }])
      expect(await outcome(spawn(a, guest, input))).toBe('not_allowed')
    // With no binding at all, and with the key of its host's session in the place of its own.
    await store.sql('delete from privity.session_bindings where tenant_id = $1', [tenant])
    expect(await outcome(spawn(a, guest))).toBe('not_allowed')
    const { profile } = guest
    expect(await outcome(spawn(a, ana, {}, { profile: profile ?? '' }))).toBe('not_found')
    expect(await outcome(a.invoke(guest, 'agents.end', { profile: randomUUID() }))).toBe('not_allowed')
    expect(await refusedSpawns(a, tenant)).toEqual([
      'native_session_fork_forbidden',
      'native_session_fork_forbidden',
      'native_session_fork_forbidden',
      null,
    ])
  })

  it('[SP-6] [DE-3] keeps a key that was made under a session under it', async () => {
    const { ana } = await world()
    const session = { visibilityClassCeiling: 'public_open' }
    const profile = await bindSession(a, ana, { maxChildrenPerAgent: 1 }, session)
    const made = (await a.invoke({ ...ana, profile }, 'keys.create', { name: 'more' })) as { secret: string }
    const key = (await a.authenticate(made.secret)).credential
    expect(key.profile).toBe(profile)
    const child = await spawn(a, key)
    expect(child.profile).toMatchObject({ parentProfileRef: profile, visibilityClassCeiling: 'public_open' })
    expect(await outcome(spawn(a, key))).toBe('native_session_max_children_per_agent_exceeded')
    await a.invoke(ana, 'profiles.revoke', { profile })
    for (const one of [key, await enter(a, child)])
      expect(await outcome(a.invoke(one, 'memory.list', {}))).toMatch(/session/)
  })

  it('[SP-6] ends the keys of children with the key that their parent asked with', async () => {
    const { ana } = await world()
    const made = (await a.invoke(ana, 'keys.create', { name: 'laptop' })) as {
      secret: string
      key: { id: string }
    }
    const child = await spawn(a, (await a.authenticate(made.secret)).credential)
    const grandchild = await spawn(a, await enter(a, child))
    await b.invoke(ana, 'keys.revoke', { key: made.key.id })
    for (const one of [child, grandchild]) expect(await outcome(enter(a, one))).toBe('unauthenticated')
  })

  it('[SP-6] goes no deeper than the limit, whoever asks', async () => {
    const { tenant, ana } = await world()
    let says = ana
    for (let depth = 3; depth > 0; depth--) {
      const child = await spawn(a, says)
      expect(child.binding.maxSpawnDepth).toBe(depth - 1)
      says = await enter(a, child)
    }
    for (const input of [{}, { external: true }, { binding: { maxSpawnDepth: 0 } }])
      expect(await outcome(spawn(a, says, input))).toBe('not_allowed')
    expect(new Set(await refusedSpawns(a, tenant))).toEqual(
      new Set(['native_session_max_spawn_depth_exceeded']),
    )
  })

  it('[SP-6] starts as many as it may of fifty that are asked for at once', async () => {
    const { tenant, ana } = await world()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        outcome(spawn(at % 2 === 0 ? a : b, ana, { agent: `agent ${at}` })),
      ),
    )
    expect(answers.filter(answer => answer === 'allowed')).toHaveLength(5)
    expect(new Set(answers)).toEqual(new Set(['allowed', 'native_session_max_children_per_agent_exceeded']))
    const profiles = await profilesIn(tenant)
    expect(profiles.filter(({ parent }) => parent === null)).toHaveLength(1)
    expect(profiles).toHaveLength(6)
  })

  it("[SP-6] [NI-5] names somebody else's view, policy or agent as one that is not there", async () => {
    const { tenant, ana } = await world()
    const theirs = await plantView(store, tenant, { owner: 'ben', corpus: 'briefs' })
    for (const view of [theirs, randomUUID()])
      expect(await outcome(spawn(a, ana, { external: true, sharedCorpusViewRefs: [view] }))).toBe('not_found')
    const child = await spawn(a, { tenant, actor: 'ben' })
    for (const profile of [child.profile.profile, randomUUID()])
      expect(await outcome(a.invoke(ana, 'agents.end', { profile }))).toBe('not_found')
  })
})
