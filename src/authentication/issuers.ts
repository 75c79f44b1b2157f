import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { clampTrust } from '../policy/claims.js'
import { isAgentAudience } from '../policy/subject.js'
import { AUDIENCES, SENSITIVITIES } from '../policy/vocabulary.js'
import { type Access, trustContext, visibilityBounds } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'
import { isActorName, name, scopeName } from '../runtime/input.js'

/** Signature algorithms with which only the issuer can sign; `none` and shared secrets are never accepted. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

const claim = z.strictObject({ claim: z.string().min(1) })
const secureUrl = z
  .url({ protocol: /^https?$/ })
  .refine(isSecure, { message: 'must be https, or on this machine' })

/** How people sign in to the console by way of an issuer (authorization code with PKCE). */
const signInOptions = z.strictObject({
  /** The console's own client id at the issuer; also the audience of the id tokens it gets. */
  clientId: z.string().min(1).max(500),
  /** For a confidential client. A public client has none. */
  clientSecret: z.string().min(1).max(2_000).optional(),
  /** The label of the button. Default: the host name of the issuer. */
  name: z.string().min(1).max(80).optional(),
  scope: z.string().min(1).max(500).default('openid'),
  /** How long a session lasts. Id tokens expire within minutes, which says nothing about the session. */
  hours: z.int().min(1).max(24).default(8),
})

/** An issuer of tokens: which caller they stand for, and the most that they may allow. */
export const issuerOptions = z.strictObject({
  /** The `iss` claim of its tokens. */
  issuer: secureUrl,
  /** The `aud` claim of its tokens; tokens for another audience are rejected. */
  audience: z.string().min(1),
  /** The URL of its keys. Default: found through the issuer's OpenID configuration. */
  jwksUri: secureUrl.optional(),
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']),
  /** The tenant, or the claim that contains it. */
  tenant: z.union([name, claim]),
  /** The claim that contains the actor. */
  actor: claim.default({ claim: 'sub' }),
  callers: z.enum(AUDIENCES).default('owner'),
  /** For agents: the person they work for, or the claim that contains it. */
  for: z.union([name, claim]).optional(),
  trust: trustContext.pick({ maxSensitivity: true, scopes: true }).optional(),
  policy: name.optional(),
  visibility: visibilityBounds.optional(),
  choosesSession: z.boolean().default(false),
  signIn: signInOptions.optional(),
})
export type IssuerOptions = z.input<typeof issuerOptions>
export type Issuer = z.output<typeof issuerOptions>

/** Claims with which a token may narrow what its issuer allows (DE-3). */
const narrowing = z.object({
  privity_max_sensitivity: z.enum(SENSITIVITIES).optional(),
  privity_scopes: z.array(scopeName).min(1).max(256).optional(),
  privity_session: name.optional(),
})

/** Authenticates bearer tokens of known issuers. */
export class Issuers {
  readonly #issuers: ReadonlyMap<string, { readonly issuer: Issuer; readonly keys: JWTVerifyGetKey }>
  readonly #now: () => Date

  /** `cooldown` is the number of milliseconds in which unknown key ids cause only one request to the issuer. */
  constructor(
    issuers: readonly IssuerOptions[],
    { now = () => new Date(), cooldown = 30_000 }: { now?: () => Date; cooldown?: number } = {},
  ) {
    this.#now = now
    this.#issuers = new Map(
      issuers.map(given => {
        const issuer = issuerOptions.parse(given)
        return [issuer.issuer, { issuer, keys: signingKeysOf(issuer, cooldown) }]
      }),
    )
  }

  /** Finds whose token this is. Unknown, forged, expired and misdirected tokens all get the same answer. */
  async authenticate(token: string): Promise<Access> {
    const known = this.#issuers.get(unverifiedIssuer(token) ?? '')
    if (known === undefined) throw unauthenticated()
    const { issuer, keys } = known
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: issuer.issuer,
        audience: issuer.audience,
        algorithms: issuer.algorithms,
        requiredClaims: ['exp'],
        clockTolerance: 5,
        currentDate: this.#now(),
      })
      return accessOf(issuer, payload)
    } catch (error) {
      if (error instanceof PrivityError) throw error
      if (!isUnreachable(error)) throw unauthenticated()
      throw new PrivityError('unavailable', 'the keys of the issuer cannot be read now', { cause: error })
    }
  }
}

/** The issuer only selects the keys to try: nothing in the token is trusted before it is verified with them. */
function unverifiedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** Whether the keys could not be fetched; such an error says nothing about the token. */
export const isUnreachable = (error: unknown) =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === 'ERR_JOSE_GENERIC'

/** How long an unreachable issuer is not asked again, because anybody may send tokens that name it. */
const OUTAGE_PAUSE = 5_000

/** The keys of an issuer. They are fetched when needed, and again when a token names an unknown key. */
export function signingKeysOf({ issuer, jwksUri }: Issuer, cooldownDuration: number): JWTVerifyGetKey {
  const at = (where: URL) => createRemoteJWKSet(where, { cooldownDuration })
  let keys = jwksUri === undefined ? undefined : Promise.resolve(at(new URL(jwksUri)))
  let outage: { readonly until: number; readonly error: unknown } | undefined
  return async (header, token) => {
    if (outage !== undefined && Date.now() < outage.until) throw outage.error
    keys ??= readConfiguration(issuer).then(({ jwks_uri }) => at(new URL(jwks_uri)))
    try {
      return await (await keys)(header, token)
    } catch (error) {
      if (isUnreachable(error)) {
        outage = { until: Date.now() + Math.min(cooldownDuration, OUTAGE_PAUSE), error }
        if (jwksUri === undefined) keys = undefined
      }
      throw error
    }
  }
}

const openIdConfiguration = z.object({
  issuer: z.string(),
  jwks_uri: secureUrl,
  authorization_endpoint: secureUrl.optional(),
  token_endpoint: secureUrl.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
export type OpenIdConfiguration = z.output<typeof openIdConfiguration>

/** What an issuer publishes about itself. */
export async function readConfiguration(issuer: string): Promise<OpenIdConfiguration> {
  const where = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const answer = await fetch(where, { signal: AbortSignal.timeout(5_000), redirect: 'error' })
  const configuration = openIdConfiguration.parse(await answer.json())
  if (configuration.issuer !== issuer) throw new Error('the configuration is of another issuer')
  return configuration
}

/** Whom a verified token stands for. */
export function accessOf(issuer: Issuer, payload: JWTPayload): Access {
  const named = (from: string | z.output<typeof claim>) =>
    typeof from === 'string' ? from : payload[from.claim]
  const tenant = name.safeParse(named(issuer.tenant))
  const actor = name.safeParse(named(issuer.actor))
  // If the token lacks the person that an agent should work for, the agent works for nobody and is rejected.
  const worksFor = (issuer.for === undefined ? z.undefined() : name).safeParse(
    issuer.for === undefined ? undefined : named(issuer.for),
  )
  const narrower = narrowing.safeParse(payload)
  // An unreadable claim denies, because a token that is meant to narrow must not allow everything.
  if (!tenant.success || !actor.success || !worksFor.success || !narrower.success) throw unauthenticated()
  if (!isActorName(actor.data) || !isActorName(worksFor.data ?? '')) throw unauthenticated()
  const { privity_max_sensitivity, privity_scopes, privity_session } = narrower.data
  const held = {
    maxSensitivity: issuer.trust?.maxSensitivity ?? (isAgentAudience(issuer.callers) ? 'public' : 'hyper'),
    scopes: issuer.trust?.scopes?.length ? new Set(issuer.trust.scopes) : ('all' as const),
    authenticated: true,
  }
  const trust = clampTrust(held, { maxSensitivity: privity_max_sensitivity, scopes: privity_scopes })
  if (trust.scopes !== 'all' && trust.scopes.size === 0) throw unauthenticated()
  return {
    choosesSession: issuer.choosesSession && privity_session === undefined,
    credential: {
      tenant: tenant.data,
      actor: actor.data,
      audience: issuer.callers,
      ...(payload.exp === undefined ? {} : { expiresAt: new Date(payload.exp * 1_000) }),
      trust: {
        maxSensitivity: z.enum(SENSITIVITIES).parse(trust.maxSensitivity),
        scopes: trust.scopes === 'all' ? [] : [...trust.scopes],
        authenticated: true,
      },
      ...(worksFor.data === undefined ? {} : { for: worksFor.data }),
      ...(issuer.policy === undefined ? {} : { policy: issuer.policy }),
      ...(issuer.visibility === undefined ? {} : { visibility: issuer.visibility }),
      ...(privity_session === undefined ? {} : { session: privity_session }),
    },
  }
}

/** Whether a URL is protected by TLS or local: keys that somebody on the way could replace are worthless. */
function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}
