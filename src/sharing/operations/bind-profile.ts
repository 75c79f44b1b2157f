import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { narrowBinding } from '../../policy/narrow-binding.js'
import {
  bindingDefaults,
  findKindMismatch,
  makeChildBinding,
  type NewBinding,
  type ProfileBinding,
  refuseSpawn,
} from '../../policy/profile-binding.js'
import type { ProfileKind } from '../../policy/vocabulary.js'
import { profileId } from '../../runtime/fields.js'
import { name } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { profileKind } from '../../runtime/vocabulary.js'
import { deleteBindingsOf, insertBinding, loadBindingsOf } from '../../storage/queries/profile-bindings.js'
import { findProfile, type ProfileWithViews } from '../../storage/queries/profiles.js'
import { bindingView, narrowingFields, viewBinding } from '../binding-view.js'
import { classesOf, refuseSpawnTo, requireParentProfileOf } from '../parent-profile.js'
import { profileView, viewProfile } from '../profile-view.js'
import { lockProfile, ownersOf, saveChangedProfile } from './profiles.js'

/**
 * Binds a draft to the runtime that runs its agents, with the defaults of its kind or with less. The binding of a
 * sub-agent goes below the profile that the draft was created in, as if that had started it (SP-6, SP-3).
 */
export const bindProfile = writeOperation({
  name: 'profiles.bind',
  route: 'POST /profiles/:profile/bind',
  summary: 'Say how a draft is bound to the runtime of its agents: its defaults, or less',
  sample: world => ({
    profile: world.madeOrOther('profile'),
    ...world.maybe(0.3, { maxSpawnDepth: world.below(5) }),
    ...world.maybe(0.2, { bindingKind: world.pick(['host_session', 'subagent_session']) }),
    ...world.maybe(0.2, { childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList: ['helper'] }),
  }),
  callers: 'owner',
  effects: ['profile_bound'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    profile: profileId,
    bindingKind: profileKind.optional().meta({
      description: 'What sort of session to bind it as. It must be that of its profile.',
      example: 'host_session',
    }),
    openclawNativeSessionId: name.optional().meta({
      description: 'What the agent runtime calls the session. Default: the id of its profile.',
      example: 'run-7',
    }),
    ...narrowingFields,
  }),
  output: z.object({
    profile: profileView.meta({ description: 'The profile.' }),
    binding: bindingView.meta({ description: 'What its agents may start and inherit.' }),
  }),
  async run(request, { profile, bindingKind, openclawNativeSessionId, ...less }) {
    const row = await lockProfile(request, profile)
    if (row.state !== 'draft')
      throw new PrivityError('session_state_transition_invalid', 'only a draft can be bound')
    requireKind(row, bindingKind ?? row.sessionKind)
    // A previous binding is deleted first, so that it does not count beside the new one.
    await deleteBindingsOf(request.tx, request.tenant, profile)
    const { base, above, isBound } = await startingPoint(request, row)
    const narrowed = narrowBinding(base, less, above)
    if ('widens' in narrowed)
      throw new PrivityError('invalid_input', `${narrowed.widens}: must not exceed the default of its kind`)
    const { childrenCount: _, ...terms } = narrowed.binding
    const bindingId = request.parts.clock.newId('binding')
    await insertBinding(request.tx, request.tenant, {
      bindingId,
      profileId: profile,
      parentBinding: terms.parentRef,
      binding: {
        ...terms,
        bindingId,
        ecSessionId: profile,
        openclawNativeSessionId: openclawNativeSessionId ?? profile,
      },
      createdAt: request.now,
    })
    const isPart = row.sessionKind === 'subagent_session' && terms.contextInheritancePolicy !== 'full_inherit'
    const fields = {
      ...row.fields,
      nativeSessionScopeBindingRef: bindingId,
      // A profile that inherits only part of the context sees only what its views show.
      boundByViews: isBound || isPart,
    }
    await saveChangedProfile(request, { ...row, fields })
    return { output: await describe(request, profile), refs: [profile] }
  },
  replay: (request, [profile = '']) => describe(request, profile),
})

function requireKind({ sessionKind }: ProfileWithViews, bindingKind: string): void {
  const reason = findKindMismatch(sessionKind, bindingKind)
  if (reason !== null)
    throw new PrivityError('conflict', 'the profile and its binding have different kinds', { reason })
}

/** The most that a binding of this profile may have. */
async function startingPoint(
  request: WriteRequest,
  row: ProfileWithViews,
): Promise<{
  readonly base: NewBinding
  readonly above: readonly ProfileBinding[]
  readonly isBound: boolean
}> {
  const sessionKind = row.sessionKind as ProfileKind
  const own = { inheritedCapabilityPolicyRef: row.fields.capabilityPolicyRef ?? '' }
  if (sessionKind !== 'subagent_session')
    return {
      base: {
        ...bindingDefaults(sessionKind),
        ...own,
        bindingKind: sessionKind,
        inheritedShareTokenPolicyRef: null,
        inheritedVisibilityConstraints: classesOf(row),
        childrenCount: 0,
        parentRef: null,
      },
      above: [],
      isBound: false,
    }
  const parent = await requireParentProfileOf(request, row)
  const [nearest] = parent.bindings
  const refusal = refuseSpawn(parent.bindings, { kind: sessionKind, external: false })
  if (refusal !== null || nearest === undefined)
    throw refuseSpawnTo(request, refusal ?? 'native_session_fork_forbidden')
  const shown = classesOf(row)
  return {
    base: {
      ...makeChildBinding(nearest, { external: false }),
      ...own,
      inheritedVisibilityConstraints: nearest.inheritedVisibilityConstraints.filter(one =>
        shown.includes(one),
      ),
    },
    above: parent.bindings,
    isBound: parent.row.fields.boundByViews === true,
  }
}

async function describe(request: ReadRequest, profile: string) {
  const row = await findProfile(request.tx, request.tenant, ownersOf(request), profile)
  const bindings =
    row === undefined ? null : await loadBindingsOf(request.tx, request.tenant, row, request.now)
  const binding = bindings?.[0]
  if (row === undefined || binding === undefined) throw absent()
  return { profile: viewProfile(row, request), binding: viewBinding(binding) }
}
