import { newSignInToken, type SignInTokenStore, SignInTokens } from '../authentication/sign-in-tokens.js'
import type { Credential } from '../runtime/caller.js'
import { unauthenticated } from '../runtime/facts.js'

/** What a process that serves asks of the one that started it. */
type TokenRequest =
  | { readonly kind: 'keep token'; readonly token: string; readonly credential: Credential }
  | { readonly kind: 'take token'; readonly id: number; readonly token: string }

interface TokenReply {
  readonly kind: 'token taken'
  readonly id: number
  /** Null if the token is unknown, used or expired. */
  readonly credential: Credential | null
}

const isOfKind = (message: unknown, ...kinds: readonly string[]): boolean =>
  typeof message === 'object' && message !== null && 'kind' in message && kinds.includes(String(message.kind))

/** Answers the processes that serve: their sign-in tokens are here, so that each can be used once in all of them. */
export function keepSignInTokens(): (message: unknown, reply: (reply: TokenReply) => void) => void {
  const tokens = new SignInTokens()
  return (message, reply) => {
    if (!isOfKind(message, 'keep token', 'take token')) return
    const request = message as TokenRequest
    if (request.kind === 'keep token') return tokens.keep(request.token, request.credential)
    reply({ kind: 'token taken', id: request.id, credential: takeOrNull(tokens, request.token) })
  }
}

function takeOrNull(tokens: SignInTokens, token: string): Credential | null {
  try {
    return tokens.take(token)
  } catch {
    return null
  }
}

/** The sign-in tokens of a process that serves, which are in the process that started it. */
export function sharedSignInTokens(): SignInTokenStore {
  const waiting = new Map<number, (credential: Credential | null) => void>()
  let asked = 0
  const settle = (id: number, credential: Credential | null) => {
    waiting.get(id)?.(credential)
    waiting.delete(id)
  }
  process.on('message', message => {
    if (!isOfKind(message, 'token taken')) return
    const { id, credential } = message as TokenReply
    settle(id, credential)
  })
  process.on('disconnect', () => {
    for (const id of waiting.keys()) settle(id, null)
  })
  const send = (request: TokenRequest) => void process.send?.(request)
  return {
    issue(credential) {
      const token = newSignInToken()
      send({ kind: 'keep token', token, credential })
      return token
    },
    async take(token) {
      if (!process.connected) throw unauthenticated()
      const id = asked++
      const taken = new Promise<Credential | null>(resolve => waiting.set(id, resolve))
      send({ kind: 'take token', id, token })
      const credential = await taken
      if (credential === null) throw unauthenticated()
      return credential
    },
  }
}
