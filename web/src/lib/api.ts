import { connect, type InputOf, PrivityError } from 'privity/client'

/** The server this page came from, as whoever signed in. */
export const privity = connect({ url: location.origin, signedIn: true, retries: 1 })

/** Who is signed in. */
export interface Who {
  readonly tenant: string
  readonly actor: string
  readonly audience: 'owner' | 'host' | 'agent' | 'recipient'
  readonly trust: { readonly maxSensitivity: string; readonly scopes?: readonly string[] }
  readonly policy: string | null
  readonly profile: string | null
  readonly key: string | null
  /** How many sessions lie below this one: more than none if somebody continues as somebody else. */
  readonly below: number
}

/** An identity provider to sign in with. */
export interface SignInChoice {
  readonly issuer: string
  readonly name: string
}

export interface SessionState {
  readonly version: string
  readonly issuers: readonly SignInChoice[]
  readonly who: Who | null
}

export interface ExampleWorld {
  readonly name: string
  readonly about: string
  readonly asked: string
  readonly callers: readonly { readonly who: string; readonly key: InputOf<'keys.create'> }[]
}

/** How long the server took to answer in one minute: milliseconds. */
export interface MinuteLatency {
  readonly at: string
  readonly median: number
  readonly p95: number
}

export type ContinueAs = Pick<InputOf<'keys.create'>, 'actor' | 'audience' | 'for' | 'trust'>

/** The few requests that only the console makes: signing in and out, and the examples. */
async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(`/console${path}`, {
      method,
      headers: { 'privity-console': '1', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  } catch (cause) {
    throw new PrivityError('unavailable', 'the server could not be reached', { cause })
  }
  const answer = (await response.json().catch(() => null)) as
    | { success: true; data: Answer }
    | { success: false; error: { code: PrivityError['code']; message: string } }
    | null
  if (answer?.success === true) return answer.data
  throw new PrivityError(answer?.error.code ?? 'internal', answer?.error.message ?? 'something went wrong')
}

export const consoleApi = {
  session: () => ask<SessionState>('GET', '/session'),
  signInWithKey: (key: string) => ask<null>('POST', '/session', { key }),
  signInWithToken: (token: string) => ask<null>('POST', '/session', { token }),
  /** Where the identity provider asks who somebody is. It sends them back to `/sign-in` with a code. */
  beginSignIn: (issuer: string) => ask<{ readonly location: string }>('POST', '/sign-in', { issuer }),
  signInWithCode: (returned: { code: string; state: string; iss?: string }) =>
    ask<null>('POST', '/session', returned),
  continueAs: (as: ContinueAs) => ask<null>('POST', '/session', { as }),
  signOut: () => ask<null>('DELETE', '/session'),
  latencies: () => ask<readonly MinuteLatency[]>('GET', '/latencies'),
  examples: () => ask<readonly ExampleWorld[]>('GET', '/examples'),
  loadExample: (name: string) => ask<null>('POST', `/examples/${encodeURIComponent(name)}`, {}),
}
