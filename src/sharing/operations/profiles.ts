import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { explainFailures, type GateFailure } from '../../policy/activation.js'
import { findKindMismatch } from '../../policy/profile-binding.js'
import { requireDraft, transition } from '../../policy/profile-state.js'
import { findReasonCode } from '../../policy/reason-codes.js'
import { isAgentAudience } from '../../policy/subject.js'
import type { IdentityMode, ProfileKind } from '../../policy/vocabulary.js'
import { createdAt, nextCursor, profileId } from '../../runtime/fields.js'
import { id, moment, name } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { stateOf, storedState } from '../../runtime/profile.js'
import {
  POLICY_OF_FIELD,
  PROFILE_POLICIES,
  PROFILE_POLICY_KINDS,
  type SettingsOf,
} from '../../runtime/profile-policies.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { builtInPolicyId, findPolicy } from '../../runtime/tenant-facts.js'
import { identityMode, profileKind } from '../../runtime/vocabulary.js'
import { lockOwners } from '../../storage/queries/lock.js'
import { hasPolicyGeneration } from '../../storage/queries/operations.js'
import { findBinding } from '../../storage/queries/profile-bindings.js'
import { forgetRefusals } from '../../storage/queries/profile-uses.js'
import {
  deleteProfile,
  findProfile,
  insertProfile,
  listProfiles,
  type ProfileWithViews,
  replaceProfileViews,
  saveProfile,
  saveProfilePolicy,
} from '../../storage/queries/profiles.js'
import {
  listProfilePolicies,
  type ProfileFields,
  profileOwner,
} from '../../storage/queries/running-profile.js'
import { findLinks } from '../../storage/queries/share-links.js'
import { findViews } from '../../storage/queries/shared-views.js'
import { hashProfile, newProfile, profileFields, profileView, viewProfile } from '../profile-view.js'
import { requireWholeCredential } from '../require-whole-credential.js'

/** The principals whose profiles a caller manages: its own and those of its groups. */
export const ownersOf = ({ parts }: ReadRequest) => [...parts.identity.principals]

async function requireProfile(request: ReadRequest, profile: string): Promise<ProfileWithViews> {
  const row = await findProfile(request.tx, request.tenant, ownersOf(request), profile)
  if (row === undefined) throw absent()
  return row
}

/** Locks a profile in order to change it. */
export async function lockProfile(request: WriteRequest, profile: string): Promise<ProfileWithViews> {
  // An agent may end what it started itself.
  if (!isAgentAudience(request.caller.audience)) requireWholeCredential(request)
  // Changes of a profile take turns, so that a request changes the state that it decided on.
  await lockOwners(request.tx, request.tenant, [profileOwner(profile)], 'exclusive')
  const row = await findProfile(request.tx, request.tenant, ownersOf(request), profile, { lock: true })
  if (row === undefined) throw absent()
  return row
}

const MINUTE_MS = 60_000

/** The identity modes that each kind of profile allows; the first is the default. */
const IDENTITIES_OF_KIND: Readonly<Record<ProfileKind, readonly [IdentityMode, ...IdentityMode[]]>> = {
  host_session: ['host_user'],
  share_link_session: [
    'anonymous_share_token',
    'email_bound',
    'passcode_required',
    'host_approved_named_external',
  ],
  subagent_session: ['system_agent'],
  system_agent_session: ['system_agent'],
}

/** A profile that does not fit its kind is refused when it is written, not only when it is activated (SP-1, SP-4). */
function requireFitting({
  sessionKind,
  identityMode,
  fields,
}: Pick<ProfileWithViews, 'sessionKind' | 'identityMode' | 'fields'>): void {
  const identities: readonly string[] = IDENTITIES_OF_KIND[sessionKind as ProfileKind] ?? []
  if (!identities.includes(identityMode))
    throw new PrivityError('invalid_input', `identityMode: is not possible for a ${sessionKind}`)
  if (fields.whyBlockedSurface === true && sessionKind !== 'host_session')
    throw new PrivityError('invalid_input', 'whyBlockedSurface: is for host sessions only')
}

/** A stored reason must be a registered code that somebody can look up (RS-1). */
export function requireReason({ parts }: ReadRequest, reasonCode: string): string {
  if (findReasonCode(reasonCode) === undefined && !parts.tenantFacts.reasonCodes.has(reasonCode))
    throw new PrivityError(
      'invalid_input',
      'reasonCode: is not registered; register it first with reasons.register',
    )
  return reasonCode
}

/** Creates a draft. Nothing runs under it before it is activated (SP-1, SP-2). */
export const createProfile = writeOperation({
  name: 'profiles.create',
  route: 'POST /profiles',
  summary: 'Create a draft of a session profile',
  sample: world => ({
    ...world.maybe(0.3, { maxResultCount: world.below(5) }),
    ...world.maybe(0.3, { visibilityClassCeiling: world.pick(['public_open', 'privileged']) }),
    ...world.maybe(0.3, { documentDeliveryPolicyRef: world.pick(['view only', 'nothing']) }),
    ...world.maybe(0.3, { sharedCorpusViewRefs: [world.madeOrOther('view')] }),
    ...world.maybe(0.1, { sessionKind: 'share_link_session' }),
  }),
  callers: 'owner',
  effects: ['profile_created'],
  reversibility: 'reversible',
  changesFacts: false,
  input: newProfile,
  output: profileView,
  async run(request, { sessionKind, identityMode, sharedCorpusViewRefs, expiresAt, ...fields }) {
    const { caller, now } = request
    const profileId = request.parts.clock.newId('profile')
    const base = {
      owner: caller.actingFor,
      actor: caller.actor,
      sessionKind,
      identityMode: identityMode ?? IDENTITIES_OF_KIND[sessionKind][0],
      linkId: null,
      parentProfile: request.parts.profile?.row.profileId ?? null,
      fields: withDefaults(request, fields),
      expiresAt: expiresAt ?? null,
      views: [...new Set(sharedCorpusViewRefs)].sort(),
    }
    requireFitting(base)
    await requireViews(request, base.views)
    await insertProfile(request.tx, request.tenant, {
      ...base,
      profileId,
      state: 'draft',
      createdBy: caller.actor,
      createdAt: now,
      activatedAt: null,
      version: 1,
      hash: hashProfile(base),
      policyGeneration: request.parts.identity.tenantGeneration,
    })
    return { output: viewProfile(await requireProfile(request, profileId), request), refs: [profileId] }
  },
  replay: replayProfile,
})

/** By default, a host's profile uses the host's own policy as of when the profile is created. */
function withDefaults(request: WriteRequest, given: ProfileFields): ProfileFields {
  const { caller, identity } = request.parts
  return {
    ...given,
    capabilityPolicyRef:
      given.capabilityPolicyRef === undefined
        ? (caller.policy ?? builtInPolicyId(caller.audience))
        : given.capabilityPolicyRef,
    sourcePolicySnapshotRef:
      given.sourcePolicySnapshotRef === undefined
        ? (identity.tenantGeneration ?? FIRST_SNAPSHOT)
        : given.sourcePolicySnapshotRef,
  }
}
/** Names the policies of a tenant that has not defined any of its own. */
export const FIRST_SNAPSHOT = 'built-in'

async function requireViews(request: ReadRequest, views: readonly string[]): Promise<void> {
  const found = await findViews(request.tx, request.tenant, ownersOf(request), views)
  // To a caller who does not see everything, no view exists (NI-10).
  if (found.length < views.length || (views.length > 0 && !request.seesEverything)) throw absent()
}

/** Changes a draft. Fields that are not given stay as they are. */
export const updateProfile = writeOperation({
  name: 'profiles.update',
  route: 'PATCH /profiles/:profile',
  summary: 'Change a draft of a session profile',
  sample: world => ({
    profile: world.madeOrOther('profile'),
    ...world.maybe(0.5, { maxQueriesPerHour: 1 + world.below(3) }),
    ...world.maybe(0.3, { sharedCorpusViewRefs: [world.madeOrOther('view')] }),
  }),
  callers: 'owner',
  effects: ['profile_updated'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    profile: profileId,
    ...profileFields,
    identityMode: identityMode
      .optional()
      .meta({ description: 'How whoever uses the session proves who they are.', example: 'host_user' }),
    sharedCorpusViewRefs: z
      .array(id)
      .max(100)
      .optional()
      .meta({ description: 'The views it sees by, by their ids.' }),
    expiresAt: moment.nullable().optional().meta({ description: 'When it expires; null for never.' }),
  }),
  output: profileView,
  async run(request, { profile, sharedCorpusViewRefs, expiresAt, identityMode, ...fields }) {
    const row = await lockProfile(request, profile)
    if (row.state !== 'draft')
      throw new PrivityError('session_state_transition_invalid', 'only a draft can be changed')
    const views = sharedCorpusViewRefs === undefined ? row.views : [...new Set(sharedCorpusViewRefs)].sort()
    await requireViews(request, views)
    const changed = {
      ...row,
      views,
      fields: { ...row.fields, ...fields },
      identityMode: identityMode ?? row.identityMode,
      expiresAt: expiresAt === undefined ? row.expiresAt : expiresAt,
    }
    requireFitting(changed)
    await replaceProfileViews(request.tx, request.tenant, profile, views)
    await saveChangedProfile(request, changed)
    return { output: viewProfile(await requireProfile(request, profile), request), refs: [profile] }
  },
  replay: replayProfile,
})

/** Saves a changed profile with a new version, hash and generation, so that requests under it decide again. */
export async function saveChangedProfile(request: WriteRequest, row: ProfileWithViews): Promise<void> {
  request.changesFactsOf(profileOwner(row.profileId))
  await saveProfile(request.tx, request.tenant, {
    ...row,
    version: row.version + 1,
    hash: hashProfile(row),
    policyGeneration: request.generation,
  })
}

/** Activates a draft, or reports which gates it does not pass (SP-3). */
export const activateProfile = writeOperation({
  name: 'profiles.activate',
  route: 'POST /profiles/:profile/activate',
  summary: 'Activate a draft',
  positional: ['profile'],
  sample: world => ({ profile: world.madeOrOther('profile') }),
  callers: 'owner',
  effects: ['profile_activated'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ profile: profileId }),
  output: profileView,
  async run(request, { profile }) {
    const row = await lockProfile(request, profile)
    if (row.state !== 'draft')
      throw new PrivityError('conflict', 'the profile is already active', {
        reason: 'session_already_activated',
      })
    await requireGates(request, row)
    return moveProfile(request, row, 'active', 'session.activation_succeeded')
  },
  replay: replayProfile,
})

/** Reports every gate that a draft does not pass, all at once. */
async function requireGates(request: WriteRequest, row: ProfileWithViews): Promise<void> {
  const resolvable = await resolvableFor(request, row)
  const { fields } = row
  const ref = fields.nativeSessionScopeBindingRef
  const found = ref == null ? undefined : await findBinding(request.tx, request.tenant, ref, request.now)
  // Somebody else's binding looks as if it did not exist (NI-5).
  const binding = found?.owner === row.owner ? found : undefined
  const others = Object.entries(POLICY_OF_FIELD).flatMap(([field, kind]) => {
    const other = fields[field as keyof typeof POLICY_OF_FIELD]
    return other == null ? [] : [{ kind, ref: other, field }]
  })
  const failed = explainFailures(
    {
      sessionKind: row.sessionKind,
      capabilityPolicyRef: fields.capabilityPolicyRef ?? null,
      sourcePolicySnapshotRef: fields.sourcePolicySnapshotRef ?? null,
      sharedCorpusViewRefs: row.views,
      shareTokenId: row.linkId,
      originatingShareRef: row.linkId,
      nativeSessionScopeBindingRef: fields.nativeSessionScopeBindingRef ?? null,
      parentIsHost: binding?.rootKind === 'host_session',
      otherRefs: others,
    },
    resolvable,
  )
  if (failed.length > 0) throw notActivated(failed)
  if (binding !== undefined && findKindMismatch(row.sessionKind, binding.binding.bindingKind) !== null)
    throw new PrivityError('session_activation_failed', 'the profile and its binding have different kinds', {
      reason: 'session_binding_kind_mismatch',
    })
}

function notActivated(failed: readonly GateFailure[]): PrivityError {
  const gates = failed.map(({ gate }) => gate)
  const unresolved = gates.includes('G-ACT-6') || gates.includes('G-ACT-1')
  return new PrivityError('session_activation_failed', `these gates are not passed: ${gates.join(', ')}`, {
    reason: unresolved ? 'session.activation_blocked_unresolved_ref' : 'session_activation_failed',
    details: { failedGates: failed.map(({ gate, refs }) => ({ gate, refs: [...refs] })) },
  })
}

/** Everything that a profile may refer to, as its owner has it now. */
async function resolvableFor(
  request: WriteRequest,
  row: ProfileWithViews,
): Promise<(kind: string, ref: string) => boolean> {
  const { tx, tenant } = request
  const owned = [row.owner]
  const views = new Set((await findViews(tx, tenant, owned, row.views)).map(({ viewId }) => viewId))
  const links = row.linkId === null ? [] : await findLinks(tx, tenant, owned, [row.linkId])
  const policies = await listProfilePolicies(tx, tenant, owned)
  const snapshot = row.fields.sourcePolicySnapshotRef ?? FIRST_SNAPSHOT
  const hasBeen =
    snapshot === FIRST_SNAPSHOT ||
    snapshot === request.parts.identity.tenantGeneration ||
    (id.safeParse(snapshot).success && (await hasPolicyGeneration(tx, tenant, snapshot)))
  const bindingRef = row.fields.nativeSessionScopeBindingRef
  const binding = bindingRef == null ? undefined : await findBinding(tx, tenant, bindingRef, request.now)
  return (kind, ref) => {
    switch (kind) {
      case 'capability_policy':
        return row.linkId !== null || findPolicy(ref, request.parts.tenantFacts) !== undefined
      case 'source_policy_snapshot':
        return hasBeen
      case 'shared_corpus_view':
        return views.has(ref)
      case 'share_token':
      case 'originating_share':
        return links.some(({ linkId }) => linkId === ref)
      case 'native_session_scope_binding':
        return binding?.owner === row.owner
      default:
        return policies.some(policy => policy.kind === kind && policy.policyId === ref)
    }
  }
}

/** Moves a profile to its next state (SP-2). */
export async function moveProfile(
  request: WriteRequest,
  row: ProfileWithViews,
  to: Parameters<typeof transition>[1],
  reasonCode: string,
) {
  const { now } = request
  const stored = storedState(row)
  // A profile whose link was revoked also ends when its remaining time is over.
  if (row.endsAt !== null && row.endsAt <= now)
    throw new PrivityError(
      'session_state_transition_invalid',
      `profile is ${stateOf(row, now)}, it cannot become ${to}`,
    )
  const { state, changes } = transition(stored, to, now.getTime(), reasonCode)
  const changed: ProfileWithViews = {
    ...row,
    state,
    activatedAt: changes.activatedAt === undefined ? row.activatedAt : new Date(changes.activatedAt),
    revokedAt: changes.revokedAt === undefined ? row.revokedAt : new Date(changes.revokedAt),
    revokedReasonCode: changes.revokedReasonCode ?? row.revokedReasonCode,
    suspendedAt: to === 'suspended' ? now : null,
    suspendedReason: to === 'suspended' ? reasonCode : null,
    // The time during which it was suspended does not count as time without use.
    idleAt:
      row.idleAt === null || row.suspendedAt === null
        ? row.idleAt
        : new Date(now.getTime() + Math.max(row.idleAt.getTime() - row.suspendedAt.getTime(), MINUTE_MS)),
  }
  await saveChangedProfile(request, changed)
  return {
    output: viewProfile(await requireProfile(request, row.profileId), request),
    refs: [row.profileId],
  }
}

const reasoned = z.strictObject({
  profile: profileId,
  reasonCode: name.optional().meta({
    description: 'Why, as a code, for its owner to read later.',
    example: 'session.profile_suspended',
  }),
})

/** Suspends a profile for a while. */
export const suspendProfile = writeOperation({
  name: 'profiles.suspend',
  route: 'POST /profiles/:profile/suspend',
  summary: 'Suspend an active profile',
  sample: world => ({ profile: world.madeOrOther('profile') }),
  callers: 'owner',
  effects: ['profile_suspended'],
  reversibility: 'reversible',
  changesFacts: true,
  input: reasoned,
  output: profileView,
  async run(request, { profile, reasonCode = 'session.profile_suspended' }) {
    const row = await lockProfile(request, profile)
    return moveProfile(request, row, 'suspended', requireReason(request, reasonCode))
  },
  replay: replayProfile,
})

/** Resumes a suspended profile. */
export const resumeProfile = writeOperation({
  name: 'profiles.resume',
  route: 'POST /profiles/:profile/resume',
  summary: 'Resume a suspended profile',
  positional: ['profile'],
  sample: world => ({ profile: world.madeOrOther('profile') }),
  callers: 'owner',
  effects: ['profile_resumed'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({ profile: profileId }),
  output: profileView,
  async run(request, { profile }) {
    const row = await lockProfile(request, profile)
    // Only a suspended profile can be resumed: a draft must be activated and pass its gates.
    if (row.state !== 'suspended')
      throw new PrivityError('session_state_transition_invalid', 'only a suspended profile can be resumed')
    await forgetRefusals(request.tx, request.tenant, profile)
    return moveProfile(request, row, 'active', 'session.activation_succeeded')
  },
  replay: replayProfile,
})

/** Ends a profile permanently. */
export const revokeProfile = writeOperation({
  name: 'profiles.revoke',
  route: 'POST /profiles/:profile/revoke',
  summary: 'Revoke a profile for good',
  sample: world => ({ profile: world.madeOrOther('profile') }),
  callers: 'owner',
  effects: ['profile_revoked'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: reasoned,
  output: profileView,
  async run(request, { profile, reasonCode = 'session.profile_revoked' }) {
    const row = await lockProfile(request, profile)
    return moveProfile(request, row, 'revoked', requireReason(request, reasonCode))
  },
  replay: replayProfile,
})

/** Deletes a draft. */
export const discardProfile = writeOperation({
  name: 'profiles.discard',
  route: 'DELETE /profiles/:profile',
  summary: 'Discard a draft',
  positional: ['profile'],
  sample: world => ({ profile: world.madeOrOther('profile') }),
  callers: 'owner',
  effects: ['profile_discarded'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ profile: profileId }),
  output: z.object({
    discarded: z.boolean().meta({ description: 'Whether it was discarded; false if it was not there.' }),
  }),
  async run(request, { profile }) {
    const row = await lockProfile(request, profile)
    requireDraft({ state: row.state, expiresAt: null })
    await deleteProfile(request.tx, request.tenant, profile)
    request.changesFactsOf(profileOwner(profile))
    return { output: { discarded: true }, refs: [profile] }
  },
  replay: async () => ({ discarded: true }),
})

async function replayProfile(request: WriteRequest, [profile = '']: readonly string[]) {
  return viewProfile(await requireProfile(request, profile), request)
}

export const getProfile = readOperation({
  name: 'profiles.get',
  route: 'GET /profiles/:profile',
  summary: 'Read one of your session profiles',
  positional: ['profile'],
  sample: world => ({ profile: world.madeOrOther('profile') }),
  callers: 'owner',
  needsWholeSight: { otherwise: null },
  input: z.strictObject({ profile: profileId }),
  output: profileView.nullable(),
  async run(request, { profile }) {
    const row = await findProfile(request.tx, request.tenant, ownersOf(request), profile)
    return row === undefined ? null : viewProfile(row, request)
  },
})

/** Lists the caller's own profiles, those of its agents and those of recipients of its links; newest first. */
export const listProfilesOf = readOperation({
  name: 'profiles.list',
  route: 'GET /profiles',
  summary: 'List session profiles',
  sample: world => ({
    limit: world.pick([1, 2, 50]),
    ...world.maybe(0.3, { sessionKind: world.pick(['host_session', 'share_link_session']) }),
    ...world.maybe(0.2, { link: world.madeOrOther('link') }),
  }),
  callers: 'owner',
  needsWholeSight: { otherwise: { profiles: [], cursor: null } },
  input: z.strictObject({
    ...pageInput,
    sessionKind: profileKind
      .optional()
      .meta({ description: 'Only sessions of this sort.', example: 'host_session' }),
    link: id.optional().meta({ description: 'Only sessions that were opened by this share link.' }),
  }),
  output: z.object({
    profiles: z.array(profileView).meta({ description: 'The profiles, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { sessionKind = null, link = null, ...asked }) {
    const { rows, cursor } = await listNewestFirst(
      request,
      ['profiles.list', sessionKind, link],
      { limit: asked.limit, cursor: asked.cursor },
      (before, most) =>
        listProfiles(request.tx, request.tenant, ownersOf(request), { sessionKind, link }, before, most),
      row => ({ createdAt: row.createdAt, id: row.profileId }),
    )
    return { profiles: rows.map(row => viewProfile(row, request)), cursor }
  },
})

const profilePolicy = z
  .object({
    kind: z.string().meta({ description: 'What the policy is about.' }),
    policy: z.string().meta({ description: 'Its name.' }),
    settings: z.record(z.string(), z.unknown()).meta({ description: 'What it says.' }),
    createdAt,
  })
  .meta({ id: 'SessionPolicy', description: 'A policy that session profiles refer to.' })

/** Creates or replaces a policy that profiles refer to. */
export const setProfilePolicy = writeOperation({
  name: 'profiles.set_policy',
  route: 'POST /session-policies',
  summary: 'Write a policy that session profiles refer to',
  sample: world => ({
    kind: 'document_delivery_policy',
    policy: 'view only',
    settings: world.pick([{ delivery: 'view_only' }, { delivery: 'view_and_download' }, { delivery: 'x' }]),
  }),
  callers: 'owner',
  effects: ['session_policy_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    kind: z
      .enum(PROFILE_POLICY_KINDS)
      .meta({ description: 'What the policy is about.', example: 'document_delivery_policy' }),
    policy: name.meta({ description: 'A name for it.', example: 'view only' }),
    settings: z
      .record(name, z.unknown())
      .default({})
      .meta({
        description: 'What it says; its kind decides which fields there are.',
        example: { delivery: 'view_only' },
      }),
  }),
  output: profilePolicy,
  async run(request, { kind, policy, settings }) {
    requireWholeCredential(request)
    // A caller that a profile restricts must not rewrite the policies that restrict it.
    if (request.caller.profileIsBound) throw absent()
    const read = PROFILE_POLICIES[kind].safeParse(settings)
    if (!read.success) {
      const [issue] = read.error.issues
      throw new PrivityError(
        'invalid_input',
        `settings.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
      )
    }
    const told = PROFILE_POLICIES.session_denial_message_policy.safeParse(settings)
    if (kind === 'session_denial_message_policy' && told.success) requireToldReasons(request, told.data)
    const row = {
      kind,
      policyId: policy,
      owner: request.caller.actingFor,
      policy: read.data,
      createdAt: request.now,
    }
    await saveProfilePolicy(request.tx, request.tenant, row)
    request.changesFactsOf(request.caller.actingFor)
    return {
      output: { kind, policy, settings: { ...read.data }, createdAt: request.now.toISOString() },
      refs: [],
    }
  },
  async replay(request, _refs, { kind, policy }) {
    const found = (await listProfilePolicies(request.tx, request.tenant, [request.caller.actingFor])).find(
      row => row.kind === kind && row.policyId === policy,
    )
    if (found === undefined) throw absent()
    return viewPolicy(found)
  },
})

/** A custom message for a reason that is not exposed would reveal which reason it was (RS-2). */
function requireToldReasons(
  { parts }: ReadRequest,
  { messages }: SettingsOf<'session_denial_message_policy'>,
): void {
  for (const [at, { reasonCode }] of messages.entries()) {
    const reason = findReasonCode(reasonCode) ?? parts.tenantFacts.reasonCodes.get(reasonCode)
    if (reason?.visibility !== 'expose')
      throw new PrivityError(
        'invalid_input',
        `settings.messages.${at}.reasonCode: is not registered as one that recipients are told`,
      )
  }
}

const viewPolicy = (row: Awaited<ReturnType<typeof listProfilePolicies>>[number]) => ({
  kind: row.kind,
  policy: row.policyId,
  settings: row.policy as Record<string, unknown>,
  createdAt: row.createdAt.toISOString(),
})

export const listProfilePoliciesOf = readOperation({
  name: 'profiles.policies',
  route: 'GET /session-policies',
  summary: 'List the policies that your session profiles refer to',
  sample: () => ({}),
  callers: 'owner',
  needsWholeSight: { otherwise: { policies: [] } },
  input: z.strictObject({}),
  output: z.object({
    policies: z.array(profilePolicy).meta({ description: 'The policies.' }),
  }),
  async run(request) {
    const rows = await listProfilePolicies(request.tx, request.tenant, [request.caller.actingFor])
    return { policies: rows.map(viewPolicy) }
  },
})
