import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import type { Privity } from '../open.js'
import type { Credential } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'
import {
  accessOf,
  type Issuer,
  type IssuerOptions,
  issuerOptions,
  isUnreachable,
  type OpenIdConfiguration,
  readConfiguration,
  signingKeysOf,
} from './issuers.js'

/** How long somebody may take to sign in at the issuer. */
export const SIGN_IN_SECONDS = 600

/** What the sealed value is bound to, so that no other sealed text of the store can be presented as one. */
const BOUND_TO = 'oidc sign-in'
/** How long an issuer that cannot be reached is not asked again. */
const OUTAGE_PAUSE = 5_000
const LONGEST_ANSWER = 262_144

type SignInIssuer = Issuer & { readonly signIn: NonNullable<Issuer['signIn']> }

interface Provider {
  readonly issuer: SignInIssuer
  readonly keys: JWTVerifyGetKey
  configuration(): Promise<OpenIdConfiguration>
}

/** What the browser keeps, sealed, between the start of a sign-in and its end. */
const attempt = z.strictObject({
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  until: z.number(),
})

const tokenResponse = z.object({ id_token: z.string().max(16_384) })

/** What the issuer sent the browser back with. */
export interface Returned {
  readonly code: string
  readonly state: string
  readonly iss?: string | undefined
}

/**
 * Signs people in by way of an OIDC issuer: authorization code with PKCE. The attempt, with its state, nonce and code
 * verifier, stays sealed in a cookie of the browser that began it, so a code that somebody else brings is worth
 * nothing, and no process has to remember anything.
 *
 * Two requests to the issuer are all there is to it, and `jose` verifies the token: a library for this would be larger
 * than what it replaces.
 */
export class OidcSignIn {
  readonly #store: Pick<Privity, 'seal' | 'unseal' | 'now'>
  readonly #providers: readonly Provider[]

  constructor(store: Pick<Privity, 'seal' | 'unseal' | 'now'>, issuers: readonly IssuerOptions[]) {
    this.#store = store
    this.#providers = issuers
      .map(given => issuerOptions.parse(given))
      .filter((issuer): issuer is SignInIssuer => issuer.signIn !== undefined)
      .map(issuer => ({
        issuer,
        keys: signingKeysOf(issuer, 30_000),
        configuration: remembered(issuer.issuer),
      }))
  }

  /** The issuers to choose from. */
  get choices(): { readonly issuer: string; readonly name: string }[] {
    return this.#providers.map(({ issuer: { issuer, signIn } }) => ({
      issuer,
      name: signIn.name ?? new URL(issuer).hostname,
    }))
  }

  /** Where to send the browser, and what it has to keep until it comes back. */
  async begin(issuer: string, redirectUri: string): Promise<{ location: string; sealed: string }> {
    const provider = this.#providers.find(one => one.issuer.issuer === issuer)
    if (provider === undefined) throw new PrivityError('not_found', 'not found')
    const { signIn } = provider.issuer
    const { authorization_endpoint } = await reached(provider.configuration())
    if (authorization_endpoint === undefined) throw unusable()
    const [state, nonce, verifier] = [secret(), secret(), secret()] as const
    const location = new URL(authorization_endpoint)
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: signIn.clientId,
      redirect_uri: redirectUri,
      scope: signIn.scope,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }))
      location.searchParams.set(name, value)
    const until = this.#store.now().getTime() + SIGN_IN_SECONDS * 1_000
    const kept: z.input<typeof attempt> = { issuer, state, nonce, verifier, redirectUri, until }
    return { location: location.href, sealed: this.#store.seal(JSON.stringify(kept), BOUND_TO) }
  }

  /** Whom the issuer vouches for. Whatever is wrong with what came back gets the same answer. */
  async finish(sealed: string, { code, state, iss }: Returned): Promise<Credential> {
    const begun = await this.#open(sealed)
    const provider = this.#providers.find(one => one.issuer.issuer === begun.issuer)
    if (provider === undefined || begun.until < this.#store.now().getTime() || !isSame(begun.state, state))
      throw unauthenticated()
    const { issuer, keys } = provider
    const configuration = await reached(provider.configuration())
    // RFC 9207: an answer of another issuer must not be redeemed at this one.
    const namesIssuer = configuration.authorization_response_iss_parameter_supported === true
    if (iss === undefined ? namesIssuer : iss !== issuer.issuer) throw unauthenticated()
    const token = await this.#redeem(provider, configuration, code, begun)
    const { clientId, hours } = issuer.signIn
    const payload = await verify(token, keys, issuer, this.#store.now())
    const isForOthers = Array.isArray(payload.aud) && payload.aud.length > 1
    if (isForOthers && payload.azp !== clientId) throw unauthenticated()
    if (typeof payload.nonce !== 'string' || !isSame(begun.nonce, payload.nonce)) throw unauthenticated()
    const { credential } = accessOf(issuer, payload)
    return { ...credential, expiresAt: new Date(this.#store.now().getTime() + hours * 3_600_000) }
  }

  async #open(sealed: string): Promise<z.output<typeof attempt>> {
    try {
      return attempt.parse(JSON.parse(await this.#store.unseal(sealed, BOUND_TO)))
    } catch {
      throw unauthenticated()
    }
  }

  /** Exchanges the code for an id token. */
  async #redeem(
    { issuer: { signIn } }: Provider,
    { token_endpoint }: OpenIdConfiguration,
    code: string,
    { verifier, redirectUri }: z.output<typeof attempt>,
  ): Promise<string> {
    if (token_endpoint === undefined) throw unusable()
    const { clientId, clientSecret } = signIn
    const response = await reached(
      fetch(token_endpoint, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
        headers: {
          accept: 'application/json',
          ...(clientSecret === undefined ? {} : { authorization: basic(clientId, clientSecret) }),
        },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          ...(clientSecret === undefined ? { client_id: clientId } : {}),
        }),
      }),
    )
    const text = await reached(response.text())
    if (response.status >= 500) throw unreachable(new Error(`status ${response.status}`))
    // A code that is unknown, used or not of this attempt.
    if (!response.ok || text.length > LONGEST_ANSWER) throw unauthenticated()
    try {
      return tokenResponse.parse(JSON.parse(text)).id_token
    } catch {
      throw unauthenticated()
    }
  }
}

async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, signIn, algorithms }: SignInIssuer,
  now: Date,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: signIn.clientId,
      algorithms,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      clockTolerance: 5,
      currentDate: now,
    })
    return payload
  } catch (error) {
    throw isUnreachable(error) ? unreachable(error) : unauthenticated()
  }
}

/** Reads the configuration of an issuer once. After a failure it is read again, but not at once. */
function remembered(issuer: string): () => Promise<OpenIdConfiguration> {
  let known: Promise<OpenIdConfiguration> | undefined
  return () => {
    if (known === undefined) {
      const reading = readConfiguration(issuer)
      known = reading
      reading.catch(() => setTimeout(() => (known = undefined), OUTAGE_PAUSE).unref())
    }
    return known
  }
}

const secret = () => randomBytes(32).toString('base64url')

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))

/** RFC 6749, 2.3.1: both parts are form-encoded first. */
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')}`
const formEncoded = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length)

async function reached<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer
  } catch (cause) {
    throw unreachable(cause)
  }
}

const unreachable = (cause: unknown) =>
  new PrivityError('unavailable', 'the identity provider cannot be reached; try again in a moment', { cause })

const unusable = () =>
  new PrivityError(
    'unavailable',
    'the identity provider publishes no authorization or token endpoint; check `issuer` in the configuration',
  )
