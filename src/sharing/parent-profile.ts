import type { PrivityError } from '../errors.js'
import { bindingDefaults, findKindMismatch, type ProfileBinding } from '../policy/profile-binding.js'
import { isAgentAudience } from '../policy/subject.js'
import { rank, VISIBILITY_CLASSES } from '../policy/vocabulary.js'
import { refuse } from '../runtime/refusal.js'
import { absent, type WriteRequest } from '../runtime/request.js'
import { builtInPolicyId } from '../runtime/tenant-facts.js'
import { insertBinding, loadBindingChain, loadBindingsOf } from '../storage/queries/profile-bindings.js'
import { findImplicitProfile, findProfile, insertProfile } from '../storage/queries/profiles.js'
import { type ProfileRow, profileOwner, type SharedViewRow } from '../storage/queries/running-profile.js'
import { FIRST_SNAPSHOT } from './operations/profiles.js'
import { hashProfile } from './profile-view.js'

export interface ParentProfile {
  readonly row: ProfileRow
  readonly views: readonly SharedViewRow[]
  /** Its own binding and the bindings above it, nearest first. */
  readonly bindings: readonly ProfileBinding[]
}

/** The profile that a new agent starts under. Refuses a profile that may not start any. */
export async function requireParentProfile(request: WriteRequest): Promise<ParentProfile> {
  const { profile } = request.parts
  const row = profile?.row ?? (await implicitProfile(request))
  return { row, views: profile?.viewRows ?? [], bindings: await requireBindings(request, row) }
}

/** The profile that another was created in: one of its owner's, or the implicit profile for working without one. */
export async function requireParentProfileOf(
  request: WriteRequest,
  { owner, parentProfile }: ProfileRow,
): Promise<Pick<ParentProfile, 'row' | 'bindings'>> {
  const row =
    parentProfile === null
      ? await implicitProfile(request)
      : await findProfile(request.tx, request.tenant, [owner], parentProfile)
  if (row === undefined) throw absent()
  return { row, bindings: await requireBindings(request, row) }
}

/** The bindings of a profile. A host's profile that has none and names none is bound now. */
async function requireBindings(request: WriteRequest, row: ProfileRow): Promise<readonly ProfileBinding[]> {
  const { tx, tenant, now, caller } = request
  const isUnbound =
    row.sessionKind === 'host_session' &&
    row.fields.nativeSessionScopeBindingRef == null &&
    !isAgentAudience(caller.audience)
  const bindings =
    (await loadBindingsOf(tx, tenant, row, now)) ??
    (isUnbound ? await loadBindingChain(tx, tenant, await bindHost(request, row), now) : null)
  if (bindings === null) throw refuseSpawnTo(request, 'native_session_fork_forbidden')
  const mismatch = findKindMismatch(row.sessionKind, bindings[0]?.bindingKind ?? '')
  if (mismatch !== null) throw refuseSpawnTo(request, mismatch)
  return bindings
}

/** The refusal of a spawn, with the reason if the caller may read it. */
export const refuseSpawnTo = ({ caller, parts }: WriteRequest, code: string): PrivityError =>
  refuse(code, caller, parts.tenantFacts.reasonCodes, parts.profile)

/** A person who works without a profile gets this one as the parent of the agents that they start. */
async function implicitProfile(request: WriteRequest): Promise<ProfileRow> {
  const { tx, tenant, caller, now } = request
  const { clock, identity } = request.parts
  const { actingFor: owner, actor } = caller
  const capabilityPolicyRef = caller.policy ?? builtInPolicyId(caller.audience)
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
    hash: hashProfile(base),
    policyGeneration: request.generation,
  })
  request.changesFactsOf(profileOwner(profileId))
  const row = await findProfile(tx, tenant, [owner], profileId)
  if (row === undefined) throw absent()
  return row
}

/** A host's profile is bound when it starts its first agent. */
async function bindHost(request: WriteRequest, row: ProfileRow): Promise<string> {
  const bindingId = request.parts.clock.newId('binding')
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
      inheritedVisibilityConstraints: classesOf(row),
      parentRef: null,
    },
    createdAt: request.now,
  })
  return bindingId
}

/** The visibility classes that a profile may show. */
export function classesOf({ fields }: Pick<ProfileRow, 'fields'>): string[] {
  const ceiling = fields.visibilityClassCeiling ?? 'firewalled'
  return VISIBILITY_CLASSES.filter(one => classRank(one) <= classRank(ceiling))
}

const classRank = (visibilityClass: string) => rank(VISIBILITY_CLASSES, visibilityClass)
