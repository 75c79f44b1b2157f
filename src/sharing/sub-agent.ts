import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { clampTrust } from '../policy/claims.js'
import { narrowBinding } from '../policy/narrow-binding.js'
import { makeChildBinding, type ProfileBinding } from '../policy/profile-binding.js'
import { isAgentAudience } from '../policy/subject.js'
import { corpusKey } from '../policy/tuple.js'
import { rank, VISIBILITY_CLASSES } from '../policy/vocabulary.js'
import { hashSecret, SECRET_BYTES, writeKey } from '../runtime/api-key.js'
import { id, isActorName, moment, name, parse, principal, scopeName } from '../runtime/input.js'
import type { KeyLimits } from '../runtime/operations/keys.js'
import { absent, type WriteRequest } from '../runtime/request.js'
import { builtInPolicyId, findPolicy } from '../runtime/tenant-facts.js'
import { sensitivity, visibilityClass } from '../runtime/vocabulary.js'
import { insertApiKey } from '../storage/queries/api-keys.js'
import type { NewProfile } from '../storage/queries/profiles.js'
import { type ProfileFields, profileOwner } from '../storage/queries/running-profile.js'
import { lockViews } from '../storage/queries/shared-views.js'
import { narrowingFields } from './binding-view.js'
import { FIRST_SNAPSHOT, ownersOf } from './operations/profiles.js'
import type { ParentProfile } from './parent-profile.js'
import { hashProfile } from './profile-view.js'
import { shareViews } from './share-views.js'

export const newAgent = z.strictObject({
  agent: name
    .refine(value => !value.includes('/'), { message: 'must not contain a slash' })
    .meta({ description: 'Its name. The name of whoever starts it is put before it.', example: 'ocr' }),
  // SP-7
  external: z.boolean().default(false).meta({
    description:
      'Whether it runs elsewhere. It then reads only what it is given views of, and starts nothing.',
  }),
  capabilityPolicyRef: name
    .optional()
    .meta({ description: 'A capability policy it is under, beside those above it.', example: 'reading' }),
  sharedCorpusViewRefs: z
    .array(id)
    .max(100)
    .default([])
    .meta({ description: 'The views it sees by, by their ids, if it inherits part of the context.' }),
  visibilityClassCeiling: visibilityClass
    .optional()
    .meta({ description: 'The highest visibility class it is shown.', example: 'privileged' }),
  maxSensitivity: sensitivity.meta({
    description: 'What it is trusted with; never more than whoever starts it.',
    example: 'medium',
  }),
  scopes: z
    .array(scopeName)
    .max(256)
    .optional()
    .meta({
      description: 'The scopes it is trusted with. Default: those of whoever starts it.',
      example: ['work'],
    }),
  expiresAt: moment.optional().meta({ description: 'When it expires. Never later than whoever starts it.' }),
  binding: z
    .strictObject(narrowingFields)
    .default({})
    .meta({ description: 'What it gets less of than it would inherit.' }),
})
type NewAgent = z.output<typeof newAgent>

export interface Child {
  readonly profile: NewProfile
  readonly binding: Omit<ProfileBinding, 'childrenCount'>
  readonly ceiling: string
}

/** The profile and binding of a new sub-agent: what was asked for, within the limits of its parent. */
export async function draftChild(
  request: WriteRequest,
  parent: ParentProfile,
  asked: NewAgent,
  bindingId: string,
): Promise<Child> {
  const { caller, now } = request
  const { clock, identity } = request.parts
  const [above] = parent.bindings
  if (above === undefined) throw absent()
  const { external } = asked
  const narrowed = narrowBinding(makeChildBinding(above, { external }), asked.binding, parent.bindings)
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
    throw new PrivityError('invalid_input', 'expiresAt: must be in the future')
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
      hash: hashProfile(base),
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

/**
 * The policy of its profile. An external agent gets the reader policy; a policy that was asked for applies to its
 * key.
 */
function policyOf({ parts }: WriteRequest, { external, capabilityPolicyRef: asked }: NewAgent): string {
  if (asked !== undefined && findPolicy(asked, parts.tenantFacts) === undefined) throw absent()
  if (!external) return asked ?? builtInPolicyId('agent')
  const { policy } = parts.caller
  if (
    asked !== undefined &&
    (!parts.tenantFacts.policies.has(asked) || (policy !== null && policy !== asked))
  )
    throw new PrivityError(
      'invalid_input',
      'capabilityPolicyRef: an external agent cannot be under this one as well',
    )
  return builtInPolicyId('reader')
}

/**
 * The views that limit a sub-agent. A parent that is itself limited by views passes on only those, and always all
 * views of a corpus together, because fewer of them would show more.
 */
async function viewsFor(
  request: WriteRequest,
  { row, views }: ParentProfile,
  { sharedCorpusViewRefs, maxSensitivity }: NewAgent,
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

/** The key of a sub-agent, which holds no more than the credential that created it. */
export async function makeKey(
  request: WriteRequest,
  { profile, ceiling }: Child,
  asked: NewAgent,
): Promise<{ readonly keyId: string; readonly secret: string }> {
  const { caller, tenant } = request
  const { clock } = request.parts
  if (caller.trust === null) throw absent()
  const trust = clampTrust(caller.trust, asked)
  if (trust.scopes !== 'all' && trust.scopes.size === 0)
    throw new PrivityError('invalid_input', 'scopes: must include at least one scope that you hold yourself')
  const keyId = clock.newId('key')
  const secret = clock.newSecret?.(SECRET_BYTES) ?? randomBytes(SECRET_BYTES)
  const credential = {
    actor: profile.actor,
    audience: 'agent',
    for: profile.owner,
    trust: {
      maxSensitivity: trust.maxSensitivity as KeyLimits['trust']['maxSensitivity'],
      scopes: trust.scopes === 'all' ? [] : [...trust.scopes].sort(),
    },
    policy: caller.policy ?? (asked.external ? (asked.capabilityPolicyRef ?? null) : null),
    visibility: {
      ceiling: ceiling as KeyLimits['visibility']['ceiling'],
      floor: caller.floor as KeyLimits['visibility']['floor'],
    },
    session: '',
    choosesSession: false,
    profile: profile.profileId,
  } satisfies KeyLimits
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
    label: request.clearance,
    makerDigest: request.credential,
  })
  return { keyId, secret: writeKey({ tenant, keyId, secret }) }
}

const classRank = (visibilityClass: string) => rank(VISIBILITY_CLASSES, visibilityClass)
// An unknown class is kept, so that it denies (DE-2).
const lowest = (asked: string, held: string) => (classRank(asked) < classRank(held) ? asked : held)
const earlier = (a: Date | null, b: Date | null) => (a === null || (b !== null && b < a) ? b : a)
