import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/open.js'
import { OPERATIONS } from '../../src/operations.js'
import type { Credential } from '../../src/runtime/caller.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { ChainPolicies } from '../../src/runtime/profile-policies.js'
import { limitsOf } from '../../src/runtime/rates.js'
import { builtInRegistry } from '../../src/runtime/tenant-facts.js'
import { loadRunningProfile, type ProfileRow } from '../../src/storage/queries/running-profile.js'
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

const GENERIC = 'Not available in this session.'

describe.each(engines)('sub-agents on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let ahead = 0

  beforeAll(async () => {
    store = await sharedStore(engine)
    const clock = { ...SYSTEM_CLOCK, now: () => new Date(Date.now() + ahead) }
    privity = await store.instance(clock, { embedding: [], sweeps: false })
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  const world = async () => {
    const tenant = store.tenant()
    const ana: Credential = { tenant, actor: 'ana' }
    await privity.invoke(ana, 'memory.list', {})
    return { tenant, ana }
  }
  const keep = async (by: Credential, draft: Record<string, unknown>) => {
    const records = [{ kind: 'note', text: 'kept', ...draft }]
    const made = (await privity.invoke(by, 'memory.remember', { records })) as { records: [{ id: string }] }
    return made.records[0].id
  }
  const sees = async (by: Credential, record: string) =>
    ((await privity.invoke(by, 'memory.get', { record })) as { face: string } | null)?.face === 'full'
  const refused = (by: Credential, input?: Record<string, unknown>) =>
    spawn(privity, by, input).then(
      () => 'allowed',
      error => error,
    )
  /** What happens to a session while its sub-agents run. */
  const setState = (ana: Credential, profile: string, state: string) =>
    state === 'suspended' || state === 'revoked'
      ? privity.invoke(ana, state === 'suspended' ? 'profiles.suspend' : 'profiles.revoke', { profile })
      : writeState(ana.tenant, profile, state)
  const writeState = (tenant: string, profile: string, state: string) =>
    store.sql('update privity.profiles set state = $3 where tenant_id = $1 and profile_id = $2', [
      tenant,
      profile,
      state,
    ])

  it('[SP-6] [SP-7] follows example 21.3 from step 3 to step 7', async () => {
    const { tenant, ana } = await world()
    const note = await keep(ana, { text: 'opposition to a motion', visibilityClass: 'privileged' })

    // Step 3: the host starts a sub-agent, and its binding follows from its host's.
    const sub = await spawn(privity, ana, { agent: 'intelligence' })
    expect(sub.binding).toMatchObject({
      bindingKind: 'subagent_session',
      inheritedCapabilityPolicyRef: 'built-in:agent',
      forkForbidden: false,
      maxSpawnDepth: 2,
      maxChildrenPerAgent: 5,
      contextInheritancePolicy: 'full_inherit',
      authInheritancePolicy: 'inherit_with_session_token',
      transcriptVisibilityPolicy: 'shared',
      childSpawnConstraint: 'inherit_parent_constraint',
      childSpawnAllowList: null,
      childrenCount: 0,
    })
    expect(sub.binding.inheritedVisibilityConstraints).toContain('privileged')
    expect(sub.profile).toMatchObject({
      profileState: 'active',
      sessionKind: 'subagent_session',
      identityMode: 'system_agent',
      originUserRef: 'ana',
      nativeSessionScopeBindingRef: sub.binding.bindingId,
    })
    expect(sub.binding.ecSessionId).toBe(sub.profile.profile)

    // Step 4: it works within that, with all of its host's context and a key of its own.
    const intelligence = await enter(privity, sub)
    expect(intelligence).toMatchObject({ actor: 'ana/intelligence', audience: 'agent', for: 'ana' })
    expect(await sees(intelligence, note)).toBe(true)

    // Step 5: it starts one itself.
    const subsub = await spawn(privity, intelligence, { agent: 'ocr' })
    expect(subsub.binding).toMatchObject({
      ...sub.binding,
      bindingId: subsub.binding.bindingId,
      ecSessionId: subsub.profile.profile,
      openclawNativeSessionId: subsub.profile.profile,
      maxSpawnDepth: 1,
      parentRef: sub.binding.bindingId,
    })
    expect(subsub.profile.parentProfileRef).toBe(sub.profile.profile)
    const ocr = await enter(privity, subsub)
    expect(ocr.actor).toBe('ana/intelligence/ocr')

    // Step 6: the fourth level is the last one.
    const last = await spawn(privity, ocr, { agent: 'page' })
    expect(last.binding.maxSpawnDepth).toBe(0)
    expect(await refused(await enter(privity, last), { agent: 'line' })).toMatchObject({
      code: 'not_allowed',
      message: GENERIC,
      reason: undefined,
    })

    // Step 7: whoever came by a link starts nothing, and reads nothing of why.
    const guest = await recipientOf(privity, ana)
    expect(await refused(guest)).toMatchObject({ code: 'not_allowed', message: GENERIC, reason: undefined })
    expect(await refusedSpawns(privity, tenant)).toEqual([
      'native_session_max_spawn_depth_exceeded',
      'native_session_fork_forbidden',
    ])
  })

  it('[SP-6] refuses with a code of its own for each constraint, readable to the owner, and keeps it in the audit', async () => {
    const { tenant, ana } = await world()
    const cases: [string, object, object][] = [
      ['native_session_fork_forbidden', { forkForbidden: true }, {}],
      ['native_session_max_spawn_depth_exceeded', { maxSpawnDepth: 0 }, {}],
      ['native_session_max_children_per_agent_exceeded', { maxChildrenPerAgent: 0 }, {}],
      ['native_session_child_spawn_denied', { childSpawnConstraint: 'deny_all' }, {}],
      [
        'native_session_child_spawn_external_denied',
        { childSpawnConstraint: 'deny_external' },
        { external: true },
      ],
      [
        'native_session_child_spawn_not_in_allow_list',
        { childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList: ['ocr'] },
        { agent: 'other' },
      ],
    ]
    for (const [code, terms, asked] of cases) {
      const profile = await bindSession(privity, ana, terms as Record<string, unknown>)
      expect(await refused({ ...ana, profile }, { ...asked })).toMatchObject({
        code: 'not_allowed',
        reason: code,
      })
    }
    expect(await refusedSpawns(privity, tenant)).toEqual(cases.map(([code]) => code))
    // What the constraints let through.
    const profile = await bindSession(privity, ana, {
      childSpawnConstraint: 'explicit_allow_list',
      childSpawnAllowList: ['ocr'],
    })
    expect(await spawn(privity, { ...ana, profile }, { agent: 'ocr' })).toMatchObject({
      binding: { childSpawnAllowList: ['ocr'] },
    })
  })

  it('[SP-4] refuses a session whose binding is of another kind', async () => {
    const { tenant, ana } = await world()
    const profile = await plantProfile(store, tenant, { owner: 'ana', actor: 'ana' })
    await plantBinding(store, tenant, profile, { bindingKind: 'subagent_session' })
    expect(await refused({ ...ana, profile })).toMatchObject({
      code: 'not_allowed',
      reason: 'session_binding_kind_mismatch',
    })
    expect(await refusedSpawns(privity, tenant)).toEqual(['session_binding_kind_mismatch'])
  })

  it('[SP-6] refuses an agent that runs under no session', async () => {
    const { tenant } = await world()
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'high' },
    }
    expect(await refused(helper)).toMatchObject({ code: 'not_allowed', reason: undefined })
    expect(await refusedSpawns(privity, tenant)).toEqual(['native_session_fork_forbidden'])
  })

  it('[SP-6] gives plain use one root, and a session of its own making another', async () => {
    const { tenant, ana } = await world()
    const all = await Promise.all([1, 2, 3].map(at => spawn(privity, ana, { agent: `worker ${at}` })))
    expect(new Set(all.map(({ profile }) => profile.parentProfileRef)).size).toBe(1)
    const profile = await plantProfile(store, tenant, { owner: 'ana', actor: 'ana' })
    const [one, two] = [
      await spawn(privity, ana, {}, { profile }),
      await spawn(privity, ana, {}, { profile }),
    ]
    expect([one.profile.parentProfileRef, two.profile.parentProfileRef]).toEqual([profile, profile])
    expect(one.binding.parentRef).toBe(two.binding.parentRef)
    const [implicit] = await store.sql<{ n: number }>(
      `select count(*)::int as n from privity.profiles where tenant_id = $1 and fields -> 'implicit' = 'true'`,
      [tenant],
    )
    expect(implicit?.n).toBe(1)
  })

  it('[SP-6] counts children that have not ended, and lets others take the place of those that have', async () => {
    const { ana } = await world()
    const five: Spawned[] = []
    for (let at = 0; at < 4; at++) five.push(await spawn(privity, ana))
    const brief = await spawn(privity, ana, { expiresAt: new Date(Date.now() + 60_000) })
    const code = 'native_session_max_children_per_agent_exceeded'
    expect(await refused(ana)).toMatchObject({ reason: code })
    await privity.invoke(ana, 'agents.end', { profile: five[0]?.profile.profile })
    await spawn(privity, ana)
    expect(await refused(ana)).toMatchObject({ reason: code })
    ahead = 61_000
    try {
      await expect(privity.invoke(await enter(privity, brief), 'memory.list', {})).rejects.toMatchObject({
        reason: 'session.profile_expired',
      })
      await spawn(privity, ana)
      expect(await refused(ana)).toMatchObject({ reason: code })
    } finally {
      ahead = 0
    }
  })

  it('[SP-6] lets no child do or see more than its parent', async () => {
    const { tenant, ana } = await world()
    const host: Credential = { tenant, actor: 'warden', audience: 'host' }
    await privity.invoke(host, 'policies.set', {
      policy: 'no-lists',
      mode: 'allow_all_except',
      deniedCapabilities: [{ kind: 'exact', capability: 'memory.list' }],
    })
    const records = {
      open: await keep(ana, { scope: 'work', visibilityClass: 'public_open' }),
      privileged: await keep(ana, { scope: 'work', visibilityClass: 'privileged' }),
      high: await keep(ana, { sensitivity: 'high', scope: 'work', visibilityClass: 'public_open' }),
      work: await keep(ana, { scope: 'work', visibilityClass: 'public_open' }),
      home: await keep(ana, { scope: 'home', visibilityClass: 'public_open' }),
    }
    const profile = await plantProfile(store, tenant, {
      owner: 'ana',
      actor: 'ana',
      fields: { capabilityPolicyRef: 'no-lists', visibilityClassCeiling: 'public_open' },
    })
    const child = await enter(
      privity,
      await spawn(
        privity,
        { ...ana, profile },
        { visibilityClassCeiling: 'firewalled', maxSensitivity: 'medium', scopes: ['work'] },
      ),
    )
    const grandchild = await enter(
      privity,
      await spawn(privity, child, { visibilityClassCeiling: 'firewalled', maxSensitivity: 'hyper' }),
    )
    for (const one of [child, grandchild]) {
      expect(one.trust).toMatchObject({ maxSensitivity: 'medium', scopes: ['work'] })
      await expect(privity.invoke(one, 'memory.list', {})).rejects.toMatchObject({ code: 'not_allowed' })
      const seen: Record<string, boolean> = {}
      for (const [name, record] of Object.entries(records)) seen[name] = await sees(one, record)
      expect(seen).toEqual({ open: true, privileged: false, high: false, work: true, home: false })
    }
    await expect(spawn(privity, child, { scopes: ['home'] })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('[SP-6] [SP-10] counts what a child asks against the rates of its parent as well', async () => {
    const { tenant, ana } = await world()
    const profile = await plantProfile(store, tenant, {
      owner: 'ana',
      actor: 'ana',
      fields: { capabilityPolicyRef: 'built-in:owner', maxQueriesPerHour: 2 },
    })
    const child = await spawn(privity, { ...ana, profile })
    const running = await store.db.transaction({ access: 'read', role: null, settings: {} }, tx =>
      loadRunningProfile(tx, tenant, child.profile.profile),
    )
    const most = { results: 1, tokens: 1, bytes: 1 }
    const [row] = running.chain as [ProfileRow]
    const policies = new ChainPolicies(running.chain, running.policies)
    expect(limitsOf({ ...running, row, most, policies, sharedViews: [], viewRows: [] }, 'query')).toEqual([
      { subject: child.profile.profile, limit: 2 },
      { subject: profile, limit: 2 },
    ])
  })

  it('[SP-6] puts a child under the policy that it is given, beside all above it', async () => {
    const { tenant, ana } = await world()
    const host: Credential = { tenant, actor: 'warden', audience: 'host' }
    await privity.invoke(host, 'policies.set', {
      policy: 'only-get',
      mode: 'deny_all_except',
      allowedCapabilities: [
        { kind: 'exact', capability: 'memory.get' },
        { kind: 'exact', capability: 'keys.create' },
      ],
    })
    const record = await keep(ana, {})
    const child = await enter(privity, await spawn(privity, ana, { capabilityPolicyRef: 'only-get' }))
    expect(await sees(child, record)).toBe(true)
    for (const [operation, input] of [
      ['memory.list', {}],
      ['keys.create', { name: 'more' }],
    ] as const)
      await expect(privity.invoke(child, operation, input)).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(spawn(privity, ana, { capabilityPolicyRef: 'nowhere' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('[SP-7] delegates to one elsewhere that reads, sees by its views alone and starts nothing', async () => {
    const { tenant, ana } = await world()
    const shared = { surface: 'source_documents', visibilityClass: 'public_open' }
    const inside = await keep(ana, { corpus: 'briefs', ...shared })
    const outside = await keep(ana, { corpus: 'letters', ...shared })
    const view = await plantView(store, tenant, { owner: 'ana', corpus: 'briefs' })
    const made = await spawn(privity, ana, { external: true, sharedCorpusViewRefs: [view] })
    expect(made.binding).toMatchObject({
      contextInheritancePolicy: 'scoped_inherit',
      authInheritancePolicy: 'session_only',
      childSpawnConstraint: 'deny_all',
      maxSpawnDepth: 0,
      maxChildrenPerAgent: 0,
    })
    expect(made.profile).toMatchObject({
      capabilityPolicyRef: 'built-in:reader',
      sharedCorpusViewRefs: [view],
    })
    const delegate = await enter(privity, made)
    expect([await sees(delegate, inside), await sees(delegate, outside)]).toEqual([true, false])
    await expect(keep(delegate, {})).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(privity.invoke(delegate, 'memory.pin', { record: inside })).rejects.toMatchObject({
      code: 'not_allowed',
    })
    expect(await refused(delegate)).toMatchObject({ code: 'not_allowed' })
    // Without a view there is nothing to see, and somebody else's view is not there.
    const blind = await enter(privity, await spawn(privity, ana, { external: true }))
    expect(await sees(blind, inside)).toBe(false)
    const ben: Credential = { tenant, actor: 'ben' }
    await expect(spawn(privity, ben, { external: true, sharedCorpusViewRefs: [view] })).rejects.toMatchObject(
      { code: 'not_found' },
    )
  })

  it('[SP-7] has a policy for readers in which nothing is written', () => {
    const { agent, reader } = builtInRegistry(OPERATIONS).builtInPolicies
    const named = (policy: typeof reader) =>
      policy.allowedCapabilities.map(pattern => ('capability' in pattern ? pattern.capability : ''))
    const reads = new Set<string>(
      OPERATIONS.filter(({ access }) => access === 'read').map(({ name }) => name),
    )
    const agents = named(agent)
    expect(named(reader).length).toBeGreaterThan(5)
    for (const capability of named(reader)) {
      expect(reads).toContain(capability)
      expect(agents).toContain(capability)
    }
  })

  it('[SP-6] shows a child that inherits no context nothing, and one that inherits part what its parent lends', async () => {
    const { tenant, ana } = await world()
    const shared = { surface: 'source_documents', visibilityClass: 'public_open' }
    const brief = await keep(ana, { corpus: 'briefs', ...shared })
    const metadata = await keep(ana, {
      corpus: 'briefs',
      visibilityClass: 'public_open',
      surface: 'filing_metadata',
    })
    const letter = await keep(ana, { corpus: 'letters', ...shared })
    const wide = await plantView(store, tenant, { owner: 'ana', corpus: 'briefs' })
    const narrow = await plantView(store, tenant, {
      owner: 'ana',
      corpus: 'briefs',
      exposedSurfaces: ['filing_metadata'],
    })
    const letters = await plantView(store, tenant, { owner: 'ana', corpus: 'letters' })
    const seenBy = async (one: Credential) => [
      await sees(one, brief),
      await sees(one, metadata),
      await sees(one, letter),
    ]
    const none = { contextInheritancePolicy: 'no_inherit' }
    const part = { contextInheritancePolicy: 'scoped_inherit' }
    const nothing = await enter(privity, await spawn(privity, ana, { binding: none }))
    expect(await seenBy(nothing)).toEqual([false, false, false])
    await expect(spawn(privity, ana, { binding: none, sharedCorpusViewRefs: [wide] })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    const scoped = await enter(
      privity,
      await spawn(privity, ana, { binding: part, sharedCorpusViewRefs: [wide, narrow] }),
    )
    expect(await seenBy(scoped)).toEqual([false, true, false])
    // One of two views of a corpus would show more than both.
    const below = await spawn(privity, scoped, { sharedCorpusViewRefs: [wide] })
    expect([...below.profile.sharedCorpusViewRefs].sort()).toEqual([wide, narrow].sort())
    expect(await seenBy(await enter(privity, below))).toEqual([false, true, false])
    await expect(spawn(privity, scoped, { sharedCorpusViewRefs: [letters] })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await seenBy(await enter(privity, await spawn(privity, scoped)))).toEqual([false, false, false])
  })

  it('[SP-7] takes the snapshot of a view when a delegate is first shown it', async () => {
    const { tenant, ana } = await world()
    const view = await plantView(store, tenant, { owner: 'ana', corpus: 'briefs' })
    await store.sql(
      `update privity.shared_views set view_temporal_mode = 'snapshot_at_share' where view_id = $1`,
      [view],
    )
    const shared = { corpus: 'briefs', surface: 'source_documents', visibilityClass: 'public_open' }
    const before = await keep(ana, shared)
    const delegate = await enter(
      privity,
      await spawn(privity, ana, { external: true, sharedCorpusViewRefs: [view] }),
    )
    ahead = 1_000
    try {
      const after = await keep(ana, shared)
      expect([await sees(delegate, before), await sees(delegate, after)]).toEqual([true, false])
    } finally {
      ahead = 0
    }
  })

  it.each([
    'suspended',
    'revoked',
    'expired',
    'draft',
  ])('[SP-5] [SP-6] stops everything below a session that is %s', async state => {
    const { tenant, ana } = await world()
    const child = await spawn(privity, ana)
    const childSays = await enter(privity, child)
    const grandchild = await enter(privity, await spawn(privity, childSays))
    const record = await keep(ana, {})
    expect(await sees(grandchild, record)).toBe(true)
    await setState(ana, child.profile.parentProfileRef, state)
    for (const one of [childSays, grandchild]) {
      await expect(sees(one, record)).rejects.toMatchObject({ code: 'session_profile_invalid' })
      expect(await refused(one)).toMatchObject({ code: 'session_profile_invalid' })
    }
    await writeState(tenant, child.profile.parentProfileRef, 'active')
    await setState(ana, child.profile.profile, state)
    await expect(sees(grandchild, record)).rejects.toMatchObject({ code: 'session_profile_invalid' })
  })

  it('[SP-6] ends a child with everything that it has started, and their keys', async () => {
    const { tenant, ana } = await world()
    const child = await spawn(privity, ana, { agent: 'one' })
    const childSays = await enter(privity, child)
    const grandchild = await spawn(privity, childSays, { agent: 'two' })
    const grandchildSays = await enter(privity, grandchild)
    const last = await spawn(privity, grandchildSays, { agent: 'three' })
    const sibling = await spawn(privity, ana, { agent: 'four' })
    // An agent ends what it started itself, and nothing else.
    const absent = { code: 'not_found' }
    for (const profile of [child, last, sibling].map(({ profile }) => profile.profile))
      await expect(privity.invoke(childSays, 'agents.end', { profile })).rejects.toMatchObject(absent)
    const ben: Credential = { tenant, actor: 'ben' }
    const profile = child.profile.profile
    await expect(privity.invoke(ben, 'agents.end', { profile })).rejects.toMatchObject(absent)
    await expect(
      privity.invoke(ana, 'agents.end', { profile: child.profile.parentProfileRef }),
    ).rejects.toMatchObject(absent)
    expect(
      await privity.invoke(childSays, 'agents.end', { profile: grandchild.profile.profile }),
    ).toMatchObject({
      profile: { profileState: 'revoked', revokedReasonCode: 'session.profile_revoked' },
      ended: [last.profile.profile, grandchild.profile.profile],
    })
    // Whoever holds a key of theirs is told why; the keys have ended as well.
    for (const one of [await enter(privity, grandchild), await enter(privity, last), grandchildSays])
      await expect(privity.invoke(one, 'memory.list', {})).rejects.toMatchObject({
        code: 'session_profile_invalid',
        reason: 'session.profile_revoked',
      })
    for (const { key } of [grandchild, last])
      expect(
        await store.sql('select from privity.api_keys where key_id = $1 and revoked_at is null', [
          key?.id ?? null,
        ]),
      ).toEqual([])
    const reason = { code: 'host.done', description: 'Done.', visibility: 'expose' }
    await privity.invoke({ tenant, actor: 'warden', audience: 'host' }, 'reasons.register', reason)
    const options = { idempotencyKey: 'once' }
    const ended = await privity.invoke(ana, 'agents.end', { profile, reasonCode: 'host.done' }, options)
    expect(ended).toMatchObject({ profile: { revokedReasonCode: 'host.done' }, ended: [profile] })
    expect(await privity.invoke(ana, 'agents.end', { profile, reasonCode: 'host.done' }, options)).toEqual(
      ended,
    )
    await expect(privity.invoke(ana, 'agents.end', { profile })).rejects.toMatchObject({
      code: 'session_state_transition_invalid',
    })
    await privity.invoke(await enter(privity, sibling), 'memory.list', {})
  })

  it('[SP-6] lists sub-agents of every depth, newest first, to their owner alone', async () => {
    const { tenant, ana } = await world()
    const one = await spawn(privity, ana, { agent: 'one' })
    ahead = 10
    const two = await spawn(privity, await enter(privity, one), { agent: 'two' })
    ahead = 20
    const three = await spawn(privity, ana, { agent: 'three', external: true })
    ahead = 0
    await privity.invoke(ana, 'agents.end', { profile: two.profile.profile })
    type Page = {
      agents: (Pick<Spawned, 'profile' | 'binding'> & { actor: string })[]
      cursor: string | null
    }
    const first = (await privity.invoke(ana, 'agents.list', { limit: 2 })) as Page
    const rest = (await privity.invoke(ana, 'agents.list', { limit: 2, cursor: first.cursor })) as Page
    const agents = [...first.agents, ...rest.agents]
    expect(agents.map(({ actor, profile }) => [actor, profile.profile, profile.profileState])).toEqual([
      ['ana/three', three.profile.profile, 'active'],
      ['ana/one/two', two.profile.profile, 'revoked'],
      ['ana/one', one.profile.profile, 'active'],
    ])
    expect(agents.map(({ binding }) => binding.childrenCount)).toEqual([0, 0, 0])
    expect(rest.cursor).toBeNull()
    expect(await privity.invoke({ tenant, actor: 'ben' }, 'agents.list', {})).toMatchObject({ agents: [] })
    await expect(privity.invoke(await enter(privity, one), 'agents.list', {})).rejects.toMatchObject({
      code: 'not_allowed',
    })
  })

  it('[SP-6] shows the secret once, and ends the key with its profile at the latest', async () => {
    const { tenant, ana } = await world()
    const options = { idempotencyKey: 'once' }
    const made = await spawn(privity, ana, {}, options)
    const again = await spawn(privity, ana, {}, options)
    expect(again).toEqual({ ...made, secret: null })
    // Later than any other test has let time pass: it does not go back.
    const soon = new Date(Date.now() + 600_000)
    const profile = await plantProfile(store, tenant, { owner: 'ana', actor: 'ana', expiresAt: soon })
    const brief = await spawn(privity, { ...ana, profile }, { expiresAt: new Date(Date.now() + 1_200_000) })
    expect([brief.profile.expiresAt, brief.key?.expiresAt]).toEqual([soon.toISOString(), soon.toISOString()])
    const mute = await spawn(privity, ana, { binding: { authInheritancePolicy: 'no_auth' } })
    expect([mute.key, mute.secret]).toEqual([null, null])
    await expect(spawn(privity, ana, { expiresAt: new Date(1) })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(spawn(privity, ana, { agent: 'a/b' })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
