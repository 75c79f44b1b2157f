// @ts-nocheck: this runs in a browser, whose types are not loaded here.

/** What is kept in this tab, and nowhere else: which link it shows, and what that is being opened with. */
export const tabStorage = {
  read: name => sessionStorage.getItem(`privity.${name}`),
  write: (name, value) => sessionStorage.setItem(`privity.${name}`, value),
  forget: (...names) => {
    for (const name of names) sessionStorage.removeItem(`privity.${name}`)
  },
}

/** The part of a token that names its link, and opens nothing. */
export const linkOf = token => token.split('.')[1] ?? ''

const keyName = () => `privity.key.${tabStorage.read('link') ?? ''}`

/** The key of the session that this browser has by the link of this tab: all tabs with the link use the same one. */
export const sessionKey = {
  read: () => localStorage.getItem(keyName()),
  write: key => localStorage.setItem(keyName(), key),
  forget: () => localStorage.removeItem(keyName()),
}

/** Nothing of a session stays in this browser once it is over. */
export function forgetSession() {
  sessionKey.forget()
  tabStorage.forget('link', 'token', 'ticket')
}

/** Lets only one tab at a time open a link, so that the others find its session. */
export const inTurn = work =>
  navigator.locks === undefined ? work() : navigator.locks.request(keyName(), work)

export class ServerFailure extends Error {
  constructor({ code, message, reason }) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'

async function ask(method, path, body) {
  const key = sessionKey.read()
  try {
    return await fetch(`api/v1${path}`, {
      method,
      cache: 'no-store',
      credentials: 'omit',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new ServerFailure({ code: 'network', message: UNREACHABLE })
  }
}

/** Asks the server that this page came from. */
export async function callServer(method, path, body) {
  return await readAnswer(await ask(method, path, body))
}

/** A file that the server makes. */
export async function fetchFile(path, body) {
  const response = await ask('POST', path, body)
  if (!response.ok) return await readAnswer(response)
  return await response.blob().catch(() => {
    throw new ServerFailure({ code: 'network', message: UNREACHABLE })
  })
}

async function readAnswer(response) {
  const answer = await response.json().catch(() => null)
  if (answer?.success === true) return answer.data
  throw new ServerFailure(answer?.error ?? { code: 'network', message: UNREACHABLE })
}

/** What a failure means to whoever reads. */
export function explainFailure({ code, message }) {
  switch (code) {
    case 'rate_limit_exceeded':
      return 'You reached the rate limit of this link. Wait a few minutes, then try again.'
    case 'not_found':
      return 'This document is not available to you.'
    case 'busy':
    case 'unavailable':
    case 'timed_out':
      return 'The server is busy. Try again in a moment.'
    default:
      return message || 'Something went wrong. Try again.'
  }
}
