import { z } from 'zod'
import { refuseSpawn } from '../../policy/session-binding.js'
import { isAgentAudience } from '../../policy/subject.js'
import { unauthenticated } from '../../runtime/facts.js'
import { id, name } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { stateOf } from '../../runtime/profile.js'
import { absent, type ReadRequest } from '../../runtime/request.js'
import { holdApiKey, loadApiKey, revokeKeysOfProfiles } from '../../storage/queries/api-keys.js'
import { findProfile, insertProfile, lockDescendants } from '../../storage/queries/profiles.js'
import { profileOwner } from '../../storage/queries/running-profile.js'
import {
  findBindingOf,
  insertBinding,
  listSubagents,
  loadBindingChain,
} from '../../storage/queries/session-bindings.js'
import { refuseTo, requireParent } from '../parent-session.js'
import { sessionBinding, viewBinding } from '../session-binding.js'
import { sessionProfile, viewProfile } from '../session-profile.js'
import { draftChild, makeKey, newAgent } from '../sub-agent.js'
import { lockProfile, move, ownersOf, requireReason } from './profiles.js'

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
  input: newAgent,
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
    const { clock } = request.parts
    // It may be revoked at this moment: then the new key falls with it, or is not made.
    if (caller.key !== null && !(await holdApiKey(tx, tenant, caller.key))) throw unauthenticated()
    const parent = await requireParent(request)
    const refusal = refuseSpawn(parent.bindings, { kind: asked.agent, external: asked.external })
    if (refusal !== null) throw refuseTo(request, refusal)
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
        profile: viewProfile(row, request),
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
    for (const one of ended) await move(request, one, 'revoked', requireReason(request, reasonCode))
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
  return { profile: viewProfile(row, request), ended: [...ended] }
}
