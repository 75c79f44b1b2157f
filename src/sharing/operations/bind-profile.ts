import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { narrowBinding } from '../../policy/narrow-binding.js'
import {
  bindingDefaults,
  childBinding,
  kindMismatch,
  type NewBinding,
  refuseSpawn,
  type SessionBinding,
} from '../../policy/session-binding.js'
import { SESSION_KINDS, type SessionKind } from '../../policy/vocabulary.js'
import { id, name } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { findProfile, type ProfileWithViews } from '../../storage/queries/profiles.js'
import { deleteBindingsOf, insertBinding, loadBindingsOf } from '../../storage/queries/session-bindings.js'
import { classesOf, refuseTo, requireParentOf } from '../parent-session.js'
import { narrowing, sessionBinding, viewBinding } from '../session-binding.js'
import { sessionProfile, viewProfile } from '../session-profile.js'
import { lockProfile, ownersOf, writeChanged } from './profiles.js'

/**
 * Binds a draft to the runtime that runs its agents, with what its kind has by default or with less. That of a sub-agent
 * stands below the session that the draft was made in, as if that had started it (SP-6, SP-3).
 */
export const bindProfile = writeOperation({
  name: 'profiles.bind',
  summary: 'Say how a draft is bound to the runtime of its agents: its defaults, or less',
  callers: 'owner',
  effects: ['profile_bound'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    profile: id,
    /** The kind that it is taken to be: that of its profile, and no other. */
    bindingKind: z.enum(SESSION_KINDS).optional(),
    /** What the runtime calls the session; the id of its profile at first. */
    openclawNativeSessionId: name.optional(),
    ...narrowing,
  }),
  output: z.object({ profile: sessionProfile, binding: sessionBinding }),
  async run(request, { profile, bindingKind, openclawNativeSessionId, ...less }) {
    const row = await lockProfile(request, profile)
    if (row.state !== 'draft')
      throw new PrivityError('session_state_transition_invalid', 'only a draft can be bound')
    requireKind(row, bindingKind ?? row.sessionKind)
    // One that it had makes room first: it is not to be counted beside the new one.
    await deleteBindingsOf(request.tx, request.tenant, profile)
    const { base, above, isBound } = await startingPoint(request, row)
    const narrowed = narrowBinding(base, less, above)
    if ('widens' in narrowed)
      throw new PrivityError('invalid_input', `${narrowed.widens}: would be more than it has by its kind`)
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
      // Who gets no more than part of the context sees by its views.
      boundByViews: isBound || isPart,
    }
    await writeChanged(request, { ...row, fields })
    return { output: await describe(request, profile), refs: [profile] }
  },
  replay: (request, [profile = '']) => describe(request, profile),
})

function requireKind({ sessionKind }: ProfileWithViews, bindingKind: string): void {
  const reason = kindMismatch(sessionKind, bindingKind)
  if (reason !== null)
    throw new PrivityError('conflict', 'the profile and its binding are of different kinds', { reason })
}

/** What a binding of this profile may have at most. */
async function startingPoint(
  request: WriteRequest,
  row: ProfileWithViews,
): Promise<{
  readonly base: NewBinding
  readonly above: readonly SessionBinding[]
  readonly isBound: boolean
}> {
  const sessionKind = row.sessionKind as SessionKind
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
  const parent = await requireParentOf(request, row)
  const [nearest] = parent.bindings
  const refusal = refuseSpawn(parent.bindings, { kind: sessionKind, external: false })
  if (refusal !== null || nearest === undefined)
    throw refuseTo(request, refusal ?? 'native_session_fork_forbidden')
  const shown = classesOf(row)
  return {
    base: {
      ...childBinding(nearest, { external: false }),
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
