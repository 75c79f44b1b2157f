import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { clampTrust } from '../policy/claims.js'
import { rank, VISIBILITY_CLASSES } from '../policy/vocabulary.js'
import type { PreviewRow } from '../storage/queries/profiles.js'
import {
  clampCaller,
  holdsEverything,
  RECIPIENT_SCOPES,
  type RequestCaller,
  readCredential,
  trustContext,
  visibilityBounds,
} from './caller.js'
import { id, name, principal } from './input.js'
import { refuse } from './refusal.js'
import { absent } from './request.js'
import { audience } from './vocabulary.js'

/** Somebody whose view is looked at: a credential of this tenant. */
const person = z
  .strictObject({
    actor: principal.meta({ description: 'Who looks; for an agent, its name.', example: 'helper' }),
    audience: audience.optional().meta({ description: 'What sort of caller it is.', example: 'agent' }),
    for: principal
      .optional()
      .meta({ description: 'The person an agent works for. Default: you.', example: 'ana' }),
    trust: trustContext.optional().meta({
      description: 'What the caller is trusted with. Required for agents.',
      example: { maxSensitivity: 'low' },
    }),
    session: name.optional().meta({ description: 'The conversation or run.', example: 'planning' }),
    policy: name.optional().meta({ description: 'A capability policy, by its name.', example: 'reading' }),
    visibility: visibilityBounds
      .optional()
      .meta({ description: 'Between which visibility classes records are shown.' }),
  })
  .meta({ id: 'AgentViewer', description: 'An agent that works for you, or yourself with less.' })

const recipient = z
  .strictObject({
    profile: id.meta({ description: 'A preview of a share link, from `links.preview`, by its id.' }),
  })
  .meta({ id: 'RecipientViewer', description: 'The recipient of a share link of yours.' })

export const viewer = z.union([person, recipient]).meta({ id: 'Viewer', description: 'Somebody to look as.' })
export type LookedAs = z.input<typeof viewer>
type Person = z.input<typeof person>

/** The capability that looking as somebody else needs besides that of the operation itself. */
export const LOOK_AS = 'viewers.look'

/** The credential that a viewer stands for. An agent works for the one who asks, unless another is named. */
export const credentialOfViewer = (as: Person, { tenant, actingFor }: RequestCaller) =>
  readCredential({ ...(as.audience === 'agent' ? { for: actingFor } : {}), ...as, tenant })

/**
 * The caller as somebody else who works for the same person (DE-7). Why this shows nothing new: the viewer gets no
 * more trust, scopes or classes than the one who looks, acts for the same person, and thus sees a part of what that
 * one sees. Whether such an agent exists is not looked up, so nothing is learned from a refusal. People cannot look as
 * other people: a host that must makes a key for them, which they find in their own list.
 *
 * The key stays that of the one who looks, so that the request falls with it.
 */
export function lookAs(caller: RequestCaller, as: Person): RequestCaller {
  const asked = credentialOfViewer(as, caller)
  const isOwn = asked.audience === 'agent' || (asked.audience === 'owner' && asked.actor === caller.actor)
  const isUnderOther = caller.policy !== null && asked.policy !== null && asked.policy !== caller.policy
  requireLooker(caller)
  if (asked.actingFor !== caller.actingFor || !isOwn || isUnderOther) throw notAllowed(caller)
  if (asked.trust === null || caller.trust === null)
    throw new PrivityError(
      'trust_required',
      'as.trust: an agent needs a trust context, for example {"maxSensitivity":"low"}',
    )
  const { scopes, maxSensitivity } = asked.trust
  const trust = clampTrust(caller.trust, { maxSensitivity, scopes: scopes === 'all' ? [] : [...scopes] })
  // None of these scopes is the caller's own, and an empty list would mean all of them.
  if (trust.scopes !== 'all' && trust.scopes.size === 0) throw notAllowed(caller)
  return clampCaller(
    {
      ...asked,
      trust,
      policy: asked.policy ?? caller.policy,
      ceiling: classRank(asked.ceiling) <= classRank(caller.ceiling) ? asked.ceiling : caller.ceiling,
      floor: higher(asked.floor, caller.floor),
      key: caller.key,
      expiresAt: caller.expiresAt,
      profile: null,
    },
    { respectConsent: caller.respectConsent },
  )
}

/**
 * The caller as the recipient of a link of theirs (DE-8). Only somebody who sees everything may, because a link shows
 * what its owner shares, whatever the credential in use sees. A preview of somebody else is not found.
 */
export function lookAsRecipient(caller: RequestCaller, preview: PreviewRow | undefined): RequestCaller {
  requireLooker(caller)
  if (preview === undefined || preview.createdBy !== caller.actor || !holdsEverything(caller)) throw absent()
  const { actor, maxSensitivity, ceiling, profileId } = preview
  return clampCaller(
    {
      tenant: caller.tenant,
      actor,
      actingFor: actor,
      audience: 'recipient',
      trust: { maxSensitivity, scopes: RECIPIENT_SCOPES, authenticated: false },
      session: '',
      policy: null,
      ceiling,
      floor: null,
      key: caller.key,
      expiresAt: caller.expiresAt,
      profile: profileId,
    },
    {},
  )
}

function requireLooker(caller: RequestCaller): void {
  if (caller.audience === 'agent' || caller.audience === 'recipient' || caller.profile !== null)
    throw notAllowed(caller)
}

const notAllowed = (caller: RequestCaller) => refuse('session.audience_not_allowed', caller, new Map())

const classRank = (visibilityClass: string) => rank(VISIBILITY_CLASSES, visibilityClass)
function higher(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return classRank(a) >= classRank(b) ? a : b
}
