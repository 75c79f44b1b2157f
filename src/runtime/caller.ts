import { createHash } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { clampRespectConsent, clampTrust } from '../policy/claims.js'
import { clearanceOf, STRICTEST_LABEL, type StoredLabel } from '../policy/stored-label.js'
import { isAgentAudience, isRecipient, type Trust } from '../policy/subject.js'
import type { Audience, VisibilityClass } from '../policy/vocabulary.js'
import { id, moment, name, parse, principal, scopeName } from './input.js'
import type { LookedAs } from './look-as.js'
import { audience, sensitivity, visibilityClass } from './vocabulary.js'

// TR-2
export const trustContext = z
  .strictObject({
    maxSensitivity: sensitivity.meta({
      description: 'The highest sensitivity that is shown in full.',
      example: 'low',
    }),
    authenticated: z
      .boolean()
      .optional()
      .meta({ description: "Whether the caller's identity was proven.", example: true }),
    actorId: name
      .optional()
      .meta({ description: 'Who the caller says it is. It is recorded only.', example: 'helper' }),
    scopes: z
      .array(scopeName)
      .max(256)
      .optional()
      .meta({
        description: 'Only these scopes. Empty means all that the credential has.',
        example: ['home'],
      }),
  })
  .meta({ id: 'TrustContext', description: 'What a caller is trusted with.' })
export type TrustContext = z.input<typeof trustContext>

export const visibilityBounds = z
  .strictObject({
    ceiling: visibilityClass.meta({
      description: 'The highest visibility class that is shown.',
      example: 'privileged',
    }),
    floor: visibilityClass
      .optional()
      .meta({ description: 'The lowest visibility class that is shown.', example: 'public_open' }),
  })
  .meta({ id: 'VisibilityBounds', description: 'Between which visibility classes records are shown.' })

const credentialSchema = z.strictObject({
  tenant: name,
  actor: principal,
  audience: audience.default('owner'),
  /** The person an agent works for. */
  for: principal.optional(),
  trust: trustContext.optional(),
  /** A conversation or run. What the agent is shown in it labels everything that it writes in it (WR-2). */
  session: name.optional(),
  /** A capability policy of the tenant. Without one, the built-in policy of the audience applies. */
  policy: name.optional(),
  visibility: visibilityBounds.optional(),
  /** The API key that the caller presented. Every request checks that it is still valid. */
  key: id.optional(),
  /** When the credential expires, if it does. API keys that it creates expire then as well. */
  expiresAt: moment.optional(),
  /** The profile that all its requests run under. Without one, each request may name one. */
  profile: id.optional(),
})

/** The caller, as the host application or a door vouches for it. */
export type Credential = z.input<typeof credentialSchema>

/** The result of authenticating a presented credential. */
export interface Access {
  readonly credential: Credential
  /** Whether a request may name its conversation. If not, all requests share one, in which labels add up (WR-2). */
  readonly choosesSession: boolean
}

/** The credential in the conversation that a request names, if it may name one. */
export function inSession({ credential, choosesSession }: Access, session: string | undefined): Credential {
  return choosesSession && session !== undefined ? { ...credential, session } : credential
}

/** What a single request claims about itself. Claims can only narrow what the credential allows (DE-3). */
export interface RequestClaims {
  readonly trust?: TrustContext | undefined
  readonly respectConsent?: boolean | undefined
  /** One of the caller's own profiles. It never allows more than the caller may do and see without it. */
  readonly profile?: string | undefined
  /**
   * The answer goes to a model: a person's request is decided as that of an agent who works for them, as over MCP. An
   * agent's own request stays as it is.
   */
  readonly forModel?: boolean | undefined
  /** Somebody who works for the caller and through whose eyes a read is answered (DE-7). */
  readonly as?: LookedAs | undefined
}

/** A parsed credential with all defaults filled in. */
export interface Caller {
  readonly tenant: string
  readonly actor: string
  readonly actingFor: string
  readonly audience: Audience
  readonly trust: Trust | null
  readonly session: string
  readonly policy: string | null
  readonly ceiling: string
  readonly floor: string | null
  readonly key: string | null
  readonly expiresAt: Date | null
  readonly profile: string | null
}

/** The only scope that recipients hold, so a record with any other scope is hidden from them (TR-4). */
export const RECIPIENT_SCOPES: ReadonlySet<string> = new Set(['share_link'])

/** The highest visibility class that each audience sees unless the credential says otherwise (OV-4). */
const DEFAULT_CEILING: Readonly<Record<Audience, VisibilityClass>> = {
  owner: 'firewalled',
  host: 'firewalled',
  agent: 'privileged',
  recipient: 'public_open',
}

const kept = new WeakMap<object, Caller>()

/** Reads a credential once for all requests that come with it. From now on nothing in it can change. */
export function keepCredential(credential: Credential): Credential {
  const caller = readCredential(credential)
  for (const part of [credential, credential.trust, credential.trust?.scopes, credential.visibility])
    Object.freeze(part)
  kept.set(credential, caller)
  return credential
}

export function readCredential(input: unknown): Caller {
  const known = typeof input === 'object' && input !== null ? kept.get(input) : undefined
  if (known !== undefined) return known
  const credential = parse(credentialSchema, input)
  const { audience } = credential
  return {
    tenant: credential.tenant,
    actor: credential.actor,
    actingFor: credential.for ?? credential.actor,
    audience,
    trust: heldTrust(audience, credential.trust),
    session: credential.session ?? '',
    policy: credential.policy ?? null,
    ceiling: credential.visibility?.ceiling ?? DEFAULT_CEILING[audience],
    floor: credential.visibility?.floor ?? null,
    key: credential.key ?? null,
    expiresAt: credential.expiresAt ?? null,
    profile: credential.profile ?? null,
  }
}

/** People are trusted with what is theirs; anyone else has only the trust that the credential names (TR-2). */
function heldTrust(audience: Audience, trust: z.output<typeof trustContext> | undefined): Trust | null {
  if (trust === undefined)
    return isAgentAudience(audience) ? null : { maxSensitivity: 'hyper', scopes: 'all', authenticated: true }
  return {
    maxSensitivity: trust.maxSensitivity,
    scopes: trust.scopes === undefined || trust.scopes.length === 0 ? 'all' : new Set(trust.scopes),
    authenticated: trust.authenticated ?? false,
  }
}

/** The caller of one request, with its claims clamped to what its credential allows. */
export function clampCaller(
  caller: Caller,
  claims: RequestClaims,
): Caller & {
  respectConsent: boolean
  heldTrust: Trust | null
  /** The values of the credential, before a profile narrows them. */
  heldCeiling: string
  heldFloor: string | null
  profileIsBound: boolean
} {
  const profileIsBound = caller.profile !== null
  if (profileIsBound && claims.profile !== undefined && claims.profile !== caller.profile)
    throw new PrivityError('not_found', 'not found')
  return {
    ...caller,
    profile: caller.profile ?? claims.profile ?? null,
    profileIsBound,
    heldTrust: caller.trust,
    heldCeiling: caller.ceiling,
    heldFloor: caller.floor,
    trust: caller.trust === null ? null : clampTrust(caller.trust, claims.trust),
    respectConsent: clampRespectConsent(caller.audience, claims.respectConsent),
  }
}
/** The most that this request may be shown, which labels what it stores beside records (NI-10). */
export const requestClearance = (caller: RequestCaller): StoredLabel =>
  clearanceOf({ ...caller, profile: bindingOf(caller, caller.profile) })

/** The most that the credential may be shown, whatever this request claims or which profile it names. */
export const heldClearance = (caller: RequestCaller): StoredLabel =>
  clearanceOf({
    trust: caller.heldTrust,
    respectConsent: isAgentAudience(caller.audience),
    ceiling: caller.heldCeiling,
    profile: bindingOf(caller, caller.profileIsBound ? caller.profile : null),
  })

/** A recipient is bound by views even where it has no profile that names some. */
const bindingOf = ({ audience }: RequestCaller, profile: string | null) =>
  profile ?? (isRecipient(audience) ? 'recipient' : null)

/** A digest of a clearance. Credentials of one actor that may be shown the same share it; no others do (NI-10). */
export function clearanceDigest(clearance: StoredLabel | null): string {
  const { sensitivity, scope, visibilityClass, participants, profile = null } = clearance ?? STRICTEST_LABEL
  const text = JSON.stringify([sensitivity, scope, visibilityClass, participants, profile])
  return createHash('sha256').update(text).digest('base64url')
}

/** Whether the credential and its claims allow everything, whatever a profile of the request withholds. */
export function holdsEverything(caller: RequestCaller): boolean {
  const { audience, trust, heldCeiling, heldFloor, respectConsent } = caller
  return (
    !isAgentAudience(audience) &&
    !respectConsent &&
    trust?.maxSensitivity === 'hyper' &&
    trust.scopes === 'all' &&
    heldCeiling === 'firewalled' &&
    heldFloor === null
  )
}

export type RequestCaller = ReturnType<typeof clampCaller>
