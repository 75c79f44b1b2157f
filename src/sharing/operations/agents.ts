import { z } from 'zod'
import { refuseSpawn } from '../../policy/profile-binding.js'
import { unauthenticated } from '../../runtime/facts.js'
import { nextCursor } from '../../runtime/fields.js'
import { id, name } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { stateOf } from '../../runtime/profile.js'
import { absent, type ReadRequest } from '../../runtime/request.js'
import { holdApiKey, loadApiKey, revokeKeysOfProfiles } from '../../storage/queries/api-keys.js'
import {
  findBindingOf,
  insertBinding,
  listSubagents,
  loadBindingChain,
} from '../../storage/queries/profile-bindings.js'
import { findProfile, insertProfile, lockDescendants } from '../../storage/queries/profiles.js'
import { profileOwner } from '../../storage/queries/running-profile.js'
import { bindingView, viewBinding } from '../binding-view.js'
import { refuseSpawnTo, requireParentProfile } from '../parent-profile.js'
import { profileView, viewProfile } from '../profile-view.js'
import { draftChild, makeKey, newAgent } from '../sub-agent.js'
import { lockProfile, moveProfile, ownersOf, requireReason } from './profiles.js'

/**
 * Starts a sub-agent under the caller's profile, within the limits of that profile's binding. It can never do or see
 * more than its parent (SP-6, SP-7).
 */
export const spawnAgent = writeOperation({
  name: 'agents.spawn',
  route: 'POST /agents',
  summary: 'Start a sub-agent with a session and a key of its own; its secret is shown once',
  policies: ['agent'],
  answeredOnce: true,
  sample: world => ({
    agent: world.pick(['reader', 'scribe']),
    maxSensitivity: world.pick(['low', 'high']),
    ...world.maybe(0.3, { external: true }),
    ...world.maybe(0.2, { external: true, sharedCorpusViewRefs: [world.other()] }),
    ...world.maybe(0.2, { capabilityPolicyRef: world.pick(['reading', 'built-in:agent']) }),
  }),
  callers: 'anyone',
  effects: ['agent_spawned'],
  reversibility: 'compensating_operation_only',
  // Makes the request wait for other starts and ends for the same principal, so that children are counted correctly.
  changesFacts: true,
  input: newAgent,
  output: z.object({
    profile: profileView.meta({ description: 'The session of the sub-agent.' }),
    binding: bindingView.meta({ description: 'What it may start and inherit.' }),
    key: z
      .object({
        id: z.string().meta({ description: 'The id of the key.' }),
        expiresAt: z.string().nullable().meta({ description: 'When it expires; null if it does not.' }),
      })
      .nullable()
      .meta({ description: 'Its key; null if it gets none of its own.' }),
    secret: z.string().nullable().meta({
      description: 'The secret to send with requests. It is shown once: null when a request is repeated.',
    }),
  }),
  async run(request, asked) {
    const { caller, now, tx, tenant } = request
    const { clock } = request.parts
    // The caller's key may be revoked at this moment. Then the new key is revoked with it, or not created.
    if (caller.key !== null && !(await holdApiKey(tx, tenant, caller.key))) throw unauthenticated()
    const parent = await requireParentProfile(request)
    const refusal = refuseSpawn(parent.bindings, { kind: asked.agent, external: asked.external })
    if (refusal !== null) throw refuseSpawnTo(request, refusal)
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

async function describe(request: ReadRequest, [profileId = '', keyId]: readonly string[]) {
  const { tx, tenant, now } = request
  const row = await findProfile(tx, tenant, ownersOf(request), profileId)
  const bound = await findBindingOf(tx, tenant, profileId)
  if (row === undefined || bound === undefined) throw absent()
  const [binding] = await loadBindingChain(tx, tenant, bound.bindingId, now)
  if (binding === undefined) throw absent()
  const key = keyId === undefined ? undefined : await loadApiKey(tx, tenant, row.owner, keyId)
  return {
    profile: viewProfile(row, request),
    binding: viewBinding(binding),
    key: key === undefined ? null : { id: key.keyId, expiresAt: key.expiresAt?.toISOString() ?? null },
  }
}

/** Lists the caller's sub-agents and their sub-agents, newest first, including those that have ended. */
export const listAgents = readOperation({
  name: 'agents.list',
  route: 'GET /agents',
  summary: 'List sub-agents, their sessions and how they are bound',
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'owner',
  needsWholeSight: { otherwise: { agents: [], cursor: null } },
  input: z.strictObject({ ...pageInput }),
  output: z.object({
    agents: z
      .array(
        z.object({
          actor: z.string().meta({ description: 'The name of the sub-agent.' }),
          profile: profileView.meta({ description: 'Its session.' }),
          binding: bindingView.meta({ description: 'What it may start and inherit.' }),
        }),
      )
      .meta({ description: 'The sub-agents, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, asked) {
    const { now } = request
    const { rows, cursor } = await listNewestFirst(
      request,
      ['agents.list'],
      { limit: asked.limit, cursor: asked.cursor },
      (before, most) => listSubagents(request.tx, request.tenant, ownersOf(request), now, before, most),
      row => ({ createdAt: row.createdAt, id: row.profileId }),
    )
    return {
      agents: rows.map(row => ({
        actor: row.actor,
        profile: viewProfile(row, request),
        binding: viewBinding({ ...row.binding, childrenCount: row.childrenCount }),
      })),
      cursor,
    }
  },
})

/** Ends a sub-agent and everything that it started, permanently. Its owner or the agent that started it may do so. */
export const endAgent = writeOperation({
  name: 'agents.end',
  route: 'POST /agents/:profile/end',
  summary: 'End a sub-agent and everything that it has started',
  policies: ['agent'],
  sample: world => ({ profile: world.other() }),
  callers: 'anyone',
  effects: ['profile_revoked', 'key_revoked'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({
    profile: id.meta({ description: 'The session of the sub-agent, by its id.' }),
    reasonCode: name
      .optional()
      .meta({ description: 'Why it ends, for its owner to read later.', example: 'session.profile_revoked' }),
  }),
  output: z.object({
    profile: profileView.meta({ description: 'The session that ended.' }),
    ended: z.array(z.string()).meta({ description: 'The sessions that ended with it, by their ids.' }),
  }),
  async run(request, { profile, reasonCode = 'session.profile_revoked' }) {
    const { tx, tenant, now } = request
    const row = await lockProfile(request, profile)
    const isOwn = request.seesEverything || row.parentProfile === request.parts.profile?.row.profileId
    if (row.sessionKind !== 'subagent_session' || row.parentProfile === null || !isOwn) throw absent()
    const below = await lockDescendants(tx, tenant, profile)
    const running = below.filter(one => ['active', 'suspended'].includes(stateOf(one, now)))
    const ended = [...running, row]
    for (const one of ended) await moveProfile(request, one, 'revoked', requireReason(request, reasonCode))
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

/** The last one is the agent that was named. */
async function endedOf(request: ReadRequest, ended: readonly string[]) {
  const row = await findProfile(request.tx, request.tenant, ownersOf(request), ended.at(-1) ?? '')
  if (row === undefined) throw absent()
  return { profile: viewProfile(row, request), ended: [...ended] }
}
