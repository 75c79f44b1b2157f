import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { clampTrust } from '../../policy/claims.js'
import { narrowBinding } from '../../policy/narrow-binding.js'
import {
  AUTH_INHERITANCE_POLICIES,
  bindingDefaults,
  CHILD_SPAWN_CONSTRAINTS,
  CONTEXT_INHERITANCE_POLICIES,
  childBinding,
  kindMismatch,
  refuseSpawn,
  type SessionBinding,
  TRANSCRIPT_VISIBILITY_POLICIES,
} from '../../policy/session-binding.js'
import { isAgentAudience } from '../../policy/subject.js'
import { corpusKey } from '../../policy/tuple.js'
import { rank, SENSITIVITIES, VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import { hashSecret, SECRET_BYTES, writeKey } from '../../runtime/api-key.js'
import { unauthenticated } from '../../runtime/facts.js'
import { id, isActorName, moment, name, parse, principal, scopeName } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import type { Said } from '../../runtime/operations/keys.js'
import { stateOf } from '../../runtime/profile.js'
import { refuse } from '../../runtime/refusal.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { BUILT_IN_POLICIES, policyNamed, READER_POLICY } from '../../runtime/tenant-facts.js'
import { holdApiKey, insertApiKey, loadApiKey, revokeKeysOfProfiles } from '../../storage/queries/api-keys.js'
import {
  findImplicitProfile,
  findProfile,
  insertProfile,
  lockDescendants,
  type NewProfile,
} from '../../storage/queries/profiles.js'
import {
  type ProfileFields,
  type ProfileRow,
  profileOwner,
  type SharedViewRow,
} from '../../storage/queries/running-profile.js'
import {
  findBinding,
  findBindingOf,
  insertBinding,
  listSubagents,
  loadBindingChain,
} from '../../storage/queries/session-bindings.js'
import { lockViews } from '../../storage/queries/shared-views.js'
import { hashOf, sessionProfile, viewProfile } from '../session-profile.js'
import { shareViews } from '../share-views.js'
import { FIRST_SNAPSHOT, lockProfile, move, ownersOf } from './profiles.js'

/** A binding as whoever keeps it reads it (SP-6). */
const sessionBinding = z.object({
  bindingId: z.string(),
  ecSessionId: z.string(),
  openclawNativeSessionId: z.string(),
  bindingKind: z.string(),
  inheritedCapabilityPolicyRef: z.string(),
  inheritedShareTokenPolicyRef: z.string().nullable(),
  inheritedVisibilityConstraints: z.array(z.string()),
  forkForbidden: z.boolean(),
  maxSpawnDepth: z.int(),
  maxChildrenPerAgent: z.int(),
  contextInheritancePolicy: z.string(),
  authInheritancePolicy: z.string(),
  transcriptVisibilityPolicy: z.string(),
  watermarkPolicy: z
    .object({ appliesTo: z.string(), watermarkKind: z.string(), watermarkVisibility: z.string() })
    .nullable(),
  childSpawnConstraint: z.string(),
  childSpawnAllowList: z.array(z.string()).nullable(),
  childrenCount: z.int(),
  parentRef: z.string().nullable(),
  schemaVersion: z.literal(1),
})

function viewBinding(binding: SessionBinding): z.input<typeof sessionBinding> {
  return {
    ...binding,
    inheritedVisibilityConstraints: [...binding.inheritedVisibilityConstraints],
    childSpawnAllowList: binding.childSpawnAllowList === null ? null : [...binding.childSpawnAllowList],
    schemaVersion: 1,
  }
}

const count = z.int().min(0).max(1_000)

const input = z.strictObject({
  /** What it is called: whoever starts it is put before that. */
  agent: name.refine(value => !value.includes('/'), { message: 'must not hold a slash' }),
  /** Whether it runs elsewhere: it then reads what it is given views of, and nothing more (SP-7). */
  external: z.boolean().default(false),
  /** A policy beside those of everything above it. */
  capabilityPolicyRef: name.optional(),
  sharedCorpusViewRefs: z.array(id).max(100).default([]),
  visibilityClassCeiling: z.enum(VISIBILITY_CLASSES).optional(),
  maxSensitivity: z.enum(SENSITIVITIES),
  scopes: z.array(scopeName).max(256).optional(),
  expiresAt: moment.optional(),
  /** What it is to have less of than it would inherit. */
  binding: z
    .strictObject({
      forkForbidden: z.boolean().optional(),
      maxSpawnDepth: count.optional(),
      maxChildrenPerAgent: count.optional(),
      contextInheritancePolicy: z.enum(CONTEXT_INHERITANCE_POLICIES).optional(),
      authInheritancePolicy: z.enum(AUTH_INHERITANCE_POLICIES).optional(),
      transcriptVisibilityPolicy: z.enum(TRANSCRIPT_VISIBILITY_POLICIES).optional(),
      childSpawnConstraint: z.enum(CHILD_SPAWN_CONSTRAINTS).optional(),
      childSpawnAllowList: z.array(name).max(100).optional(),
    })
    .default({}),
})
type Input = z.output<typeof input>

/**
 * Starts a sub-agent under the session of the caller, as far as that session's binding lets it. Whatever it may do or
 * see, its parent may as well (SP-6, SP-7).
 */
export const spawnAgent = writeOperation({
  name: 'agents.spawn',
  summary: 'Start a sub-agent with a session and a key of its own; its secret is shown once',
  callers: 'anyone',
  effects: ['agent_spawned'],
  reversibility: 'compensating_operation_only',
  // So that it waits for whatever else is started or ended for the same principal: children are counted one by one.
  changesFacts: true,
  input,
  output: z.object({
    profile: sessionProfile,
    binding: sessionBinding,
    /** Null for one that shows who it is with nothing of its own. */
    key: z.object({ id: z.string(), expiresAt: z.string().nullable() }).nullable(),
    /** To be kept by whoever is to use it. A repeated request does not get it again. */
    secret: z.string().nullable(),
  }),
  async run(request, asked) {
    const { caller, now, tx, tenant } = request
    const { clock, tenantFacts } = request.parts
    // It may be revoked at this moment: then the new key falls with it, or is not made.
    if (caller.key !== null && !(await holdApiKey(tx, tenant, caller.key))) throw unauthenticated()
    const parent = await parentOf(request)
    const refusal =
      typeof parent === 'string'
        ? parent
        : refuseSpawn(parent.bindings, { kind: asked.agent, external: asked.external })
    if (typeof parent === 'string' || refusal !== null)
      throw refuse(refusal ?? 'native_session_fork_forbidden', caller, tenantFacts.reasonCodes)

    const bindingId = clock.newId('binding')
    const child = await draftChild(request, parent, asked, bindingId)
    await insertProfile(tx, tenant, child.profile)
    await insertBinding(tx, tenant, {
      bindingId,
      profileId: child.profile.profileId,
      parentBinding: child.binding.parentRef,
      binding: child.binding,
      createdAt: now,
    })
    request.changesFactsOf(profileOwner(child.profile.profileId))
    const key =
      child.binding.authInheritancePolicy === 'no_auth' ? null : await makeKey(request, child, asked)
    const refs = [child.profile.profileId, ...(key === null ? [] : [key.keyId])]
    return { output: { ...(await describe(request, refs)), secret: key?.secret ?? null }, refs }
  },
  replay: async (request, refs) => ({ ...(await describe(request, refs)), secret: null }),
})

interface Parent {
  readonly row: ProfileRow
  readonly views: readonly SharedViewRow[]
  /** Its binding and those above it, nearest first. */
  readonly bindings: readonly SessionBinding[]
}

/** The session that starts something, or why it is none that could. */
async function parentOf(request: WriteRequest): Promise<Parent | string> {
  const { tx, tenant, now, caller } = request
  const { profile } = request.parts
  const isAgent = isAgentAudience(caller.audience)
  if (profile === null && isAgent) return 'native_session_fork_forbidden'
  const row = profile?.row ?? (await implicitProfile(request))
  const ref = row.fields.nativeSessionScopeBindingRef
  const found =
    ref == null ? await findBindingOf(tx, tenant, row.profileId) : await findBinding(tx, tenant, ref, now)
  const bindingId =
    found?.bindingId ?? (row.sessionKind === 'host_session' && !isAgent ? await bindHost(request, row) : null)
  if (bindingId === null) return 'native_session_fork_forbidden'
  const bindings = await loadBindingChain(tx, tenant, bindingId, now)
  const mismatch = kindMismatch(row.sessionKind, bindings[0]?.bindingKind ?? '')
  if (mismatch !== null) return mismatch
  return { row, views: profile?.viewRows ?? [], bindings }
}

/** A person's plain use runs under no profile; what it spawns has this one above it. */
async function implicitProfile(request: WriteRequest): Promise<ProfileRow> {
  const { tx, tenant, caller, now } = request
  const { clock, identity } = request.parts
  const { actingFor: owner, actor } = caller
  const capabilityPolicyRef = caller.policy ?? BUILT_IN_POLICIES[caller.audience].policyId
  const known = await findImplicitProfile(tx, tenant, owner, actor, capabilityPolicyRef)
  if (known !== undefined) return known
  const profileId = clock.newId('profile')
  const base = {
    owner,
    actor,
    sessionKind: 'host_session',
    identityMode: 'host_user',
    linkId: null,
    parentProfile: null,
    fields: {
      capabilityPolicyRef,
      sourcePolicySnapshotRef: identity.tenantGeneration ?? FIRST_SNAPSHOT,
      implicit: true,
    },
    expiresAt: null,
    views: [],
  }
  await insertProfile(tx, tenant, {
    ...base,
    profileId,
    state: 'active',
    createdBy: actor,
    createdAt: now,
    activatedAt: now,
    version: 1,
    hash: hashOf(base),
    policyGeneration: request.generation,
  })
  request.changesFactsOf(profileOwner(profileId))
  const row = await findProfile(tx, tenant, [owner], profileId)
  if (row === undefined) throw absent()
  return row
}

/** A host's session is bound when it first spawns. */
async function bindHost(request: WriteRequest, row: ProfileRow): Promise<string> {
  const bindingId = request.parts.clock.newId('binding')
  const ceiling = row.fields.visibilityClassCeiling ?? 'firewalled'
  await insertBinding(request.tx, request.tenant, {
    bindingId,
    profileId: row.profileId,
    parentBinding: null,
    binding: {
      ...bindingDefaults('host_session'),
      bindingId,
      ecSessionId: row.profileId,
      openclawNativeSessionId: row.profileId,
      bindingKind: 'host_session',
      inheritedCapabilityPolicyRef: row.fields.capabilityPolicyRef ?? '',
      inheritedShareTokenPolicyRef: null,
      inheritedVisibilityConstraints: VISIBILITY_CLASSES.filter(one => classRank(one) <= classRank(ceiling)),
      parentRef: null,
    },
    createdAt: request.now,
  })
  return bindingId
}

interface Child {
  readonly profile: NewProfile
  readonly binding: Omit<SessionBinding, 'childrenCount'>
  readonly ceiling: string
}

/** What the sub-agent is to be: what was asked for, within what its parent is. */
async function draftChild(
  request: WriteRequest,
  parent: Parent,
  asked: Input,
  bindingId: string,
): Promise<Child> {
  const { caller, now } = request
  const { clock, identity } = request.parts
  const [above] = parent.bindings
  if (above === undefined) throw absent()
  const { external } = asked
  const narrowed = narrowBinding(childBinding(above, { external }), asked.binding, parent.bindings)
  if ('widens' in narrowed)
    throw new PrivityError(
      'invalid_input',
      `binding.${narrowed.widens}: would be more than the agent inherits`,
    )
  const { childrenCount: _, ...terms } = narrowed.binding
  const capabilityPolicyRef = policyOf(request, asked)
  const ceiling = lowest(asked.visibilityClassCeiling ?? 'privileged', caller.ceiling)
  const views = await viewsFor(request, parent, asked, terms.contextInheritancePolicy)
  const profileId = clock.newId('profile')
  const { implicit, ...inherited } = parent.row.fields
  const fields: ProfileFields = {
    ...inherited,
    capabilityPolicyRef,
    sourcePolicySnapshotRef: identity.tenantGeneration ?? FIRST_SNAPSHOT,
    visibilityClassCeiling: ceiling,
    nativeSessionScopeBindingRef: bindingId,
    boundByViews: terms.contextInheritancePolicy !== 'full_inherit' || inherited.boundByViews === true,
  }
  const ends = [asked.expiresAt ?? null, parent.row.expiresAt, identity.keyExpiresAt, caller.expiresAt]
  const expiresAt = ends.reduce(earlier, null)
  if (expiresAt !== null && expiresAt <= now)
    throw new PrivityError('invalid_input', 'expiresAt: must lie in the future')
  const isRoot = above.parentRef === null
  const base = {
    owner: parent.row.owner,
    actor: parse(principal, `${isRoot ? parent.row.owner : parent.row.actor}/${asked.agent}`),
    sessionKind: 'subagent_session',
    identityMode: 'system_agent',
    linkId: null,
    parentProfile: parent.row.profileId,
    fields,
    expiresAt,
    views,
  }
  if (!isActorName(base.actor))
    throw new PrivityError('invalid_input', 'agent: must not read as the name of a group or role')
  return {
    ceiling,
    profile: {
      ...base,
      profileId,
      state: 'active',
      createdBy: caller.actor,
      createdAt: now,
      activatedAt: now,
      version: 1,
      hash: hashOf(base),
      policyGeneration: request.generation,
    },
    binding: {
      ...terms,
      bindingId,
      ecSessionId: profileId,
      openclawNativeSessionId: profileId,
      inheritedCapabilityPolicyRef: capabilityPolicyRef,
      inheritedVisibilityConstraints: above.inheritedVisibilityConstraints.filter(
        one => classRank(one) <= classRank(ceiling),
      ),
    },
  }
}

/** The policy of its profile. One that is external has that of a reader; what was asked for is then that of its key. */
function policyOf({ parts }: WriteRequest, { external, capabilityPolicyRef: asked }: Input): string {
  if (asked !== undefined && policyNamed(asked, parts.tenantFacts) === undefined) throw absent()
  if (!external) return asked ?? BUILT_IN_POLICIES.agent.policyId
  const { policy } = parts.caller
  if (
    asked !== undefined &&
    (!parts.tenantFacts.policies.has(asked) || (policy !== null && policy !== asked))
  )
    throw new PrivityError(
      'invalid_input',
      'capabilityPolicyRef: an external agent cannot be under this one as well',
    )
  return READER_POLICY.policyId
}

/**
 * What a sub-agent sees by: the views it is given. A parent that is bound by views lends those alone, and all of those
 * of a corpus together: fewer of them would show more.
 */
async function viewsFor(
  request: WriteRequest,
  { row, views }: Parent,
  { sharedCorpusViewRefs, maxSensitivity }: Input,
  context: string,
): Promise<readonly string[]> {
  const asked = [...new Set(sharedCorpusViewRefs)].sort()
  if (asked.length > 0 && context !== 'scoped_inherit')
    throw new PrivityError('invalid_input', 'sharedCorpusViewRefs: only for an agent with scoped_inherit')
  const isBound = row.fields.boundByViews === true
  const found = await lockViews(request.tx, request.tenant, ownersOf(request), asked)
  if (found.length < asked.length) throw absent()
  if (!isBound) {
    if (!isAgentAudience(request.caller.audience)) await shareViews(request, found, { maxSensitivity })
    return asked
  }
  if (context === 'full_inherit') return views.map(({ viewId }) => viewId)
  const held = new Set(views.map(({ viewId }) => viewId))
  if (!asked.every(viewId => held.has(viewId))) throw absent()
  const corpora = new Set(found.map(({ owner, corpus }) => corpusKey(owner, corpus)))
  return views
    .filter(({ owner, corpus }) => corpora.has(corpusKey(owner, corpus)))
    .map(({ viewId }) => viewId)
}

/** The key of a sub-agent, which holds no more than the credential it was made with. */
async function makeKey(
  request: WriteRequest,
  { profile, ceiling }: Child,
  asked: Input,
): Promise<{ readonly keyId: string; readonly secret: string }> {
  const { caller, tenant } = request
  const { clock } = request.parts
  if (caller.trust === null) throw absent()
  const trust = clampTrust(caller.trust, asked)
  if (trust.scopes !== 'all' && trust.scopes.size === 0)
    throw new PrivityError('invalid_input', 'scopes: none of these can be handed on')
  const keyId = clock.newId('key')
  const secret = clock.newSecret?.(SECRET_BYTES) ?? randomBytes(SECRET_BYTES)
  const credential = {
    actor: profile.actor,
    audience: 'agent',
    for: profile.owner,
    trust: {
      maxSensitivity: trust.maxSensitivity as Said['trust']['maxSensitivity'],
      scopes: trust.scopes === 'all' ? [] : [...trust.scopes].sort(),
    },
    policy: caller.policy ?? (asked.external ? (asked.capabilityPolicyRef ?? null) : null),
    visibility: {
      ceiling: ceiling as Said['visibility']['ceiling'],
      floor: caller.floor as Said['visibility']['floor'],
    },
    session: '',
    choosesSession: false,
    profile: profile.profileId,
  } satisfies Said
  await insertApiKey(request.tx, tenant, {
    keyId,
    owner: profile.owner,
    name: profileOwner(profile.profileId),
    secretHash: hashSecret(secret),
    credential,
    madeWith: caller.key,
    createdBy: caller.actor,
    createdAt: request.now,
    expiresAt: profile.expiresAt,
    profileId: profile.profileId,
  })
  return { keyId, secret: writeKey({ tenant, keyId, secret }) }
}

const classRank = (visibilityClass: string) => rank(VISIBILITY_CLASSES, visibilityClass)
// A class that is not known is kept, and denies (DE-2).
const lowest = (asked: string, held: string) => (classRank(asked) < classRank(held) ? asked : held)
const earlier = (a: Date | null, b: Date | null) => (a === null || (b !== null && b < a) ? b : a)

async function describe(request: ReadRequest, [profileId = '', keyId]: readonly string[]) {
  const { tx, tenant, now } = request
  const row = await findProfile(tx, tenant, ownersOf(request), profileId)
  const bound = await findBindingOf(tx, tenant, profileId)
  if (row === undefined || bound === undefined) throw absent()
  const [binding] = await loadBindingChain(tx, tenant, bound.bindingId, now)
  if (binding === undefined) throw absent()
  const key = keyId === undefined ? undefined : await loadApiKey(tx, tenant, row.owner, keyId)
  return {
    profile: viewProfile(row, now),
    binding: viewBinding(binding),
    key: key === undefined ? null : { id: key.keyId, expiresAt: key.expiresAt?.toISOString() ?? null },
  }
}

/** Sub-agents of one's own and of those, newest first; also those that have ended. */
export const listAgents = readOperation({
  name: 'agents.list',
  summary: 'List sub-agents, their sessions and how they are bound',
  callers: 'owner',
  input: z.strictObject({ ...page }),
  output: z.object({
    agents: z.array(z.object({ actor: z.string(), profile: sessionProfile, binding: sessionBinding })),
    cursor: z.string().nullable(),
  }),
  async run(request, asked) {
    const { now } = request
    const { rows, cursor } = await newestFirst(
      request,
      ['agents.list'],
      { limit: asked.limit, cursor: asked.cursor },
      (before, most) => listSubagents(request.tx, request.tenant, ownersOf(request), now, before, most),
      row => ({ createdAt: row.createdAt, id: row.profileId }),
    )
    return {
      agents: rows.map(row => ({
        actor: row.actor,
        profile: viewProfile(row, now),
        binding: viewBinding({ ...row.binding, childrenCount: row.childrenCount }),
      })),
      cursor,
    }
  },
})

/** Ends a sub-agent and everything that it has started, for good: by its owner, or by the agent that started it. */
export const endAgent = writeOperation({
  name: 'agents.end',
  summary: 'End a sub-agent and everything that it has started',
  callers: 'anyone',
  effects: ['profile_revoked', 'key_revoked'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ profile: id, reasonCode: name.optional() }),
  output: z.object({ profile: sessionProfile, ended: z.array(z.string()) }),
  async run(request, { profile, reasonCode = 'session.profile_revoked' }) {
    const { tx, tenant, now, caller } = request
    const row = await lockProfile(request, profile)
    const isOwn =
      !isAgentAudience(caller.audience) || row.parentProfile === request.parts.profile?.row.profileId
    if (row.sessionKind !== 'subagent_session' || row.parentProfile === null || !isOwn) throw absent()
    const below = await lockDescendants(tx, tenant, profile)
    const running = below.filter(one => ['active', 'suspended'].includes(stateOf(one, now)))
    const ended = [...running, row]
    for (const one of ended) await move(request, one, 'revoked', reasonCode)
    await revokeKeysOfProfiles(tx, tenant, [...below.map(({ profileId }) => profileId), profile], now)
    return {
      output: await endedOf(
        request,
        ended.map(({ profileId }) => profileId),
      ),
      refs: ended.map(({ profileId }) => profileId),
    }
  },
  replay: endedOf,
})

/** The last is the one that was named. */
async function endedOf(request: ReadRequest, ended: readonly string[]) {
  const row = await findProfile(request.tx, request.tenant, ownersOf(request), ended.at(-1) ?? '')
  if (row === undefined) throw absent()
  return { profile: viewProfile(row, request.now), ended: [...ended] }
}
