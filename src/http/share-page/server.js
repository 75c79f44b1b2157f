// @ts-nocheck: this runs in a browser, whose types are not loaded here.

/** What is kept in this tab, and nowhere else: the key of an open profile, or what a link is being opened with. */
export const tabStorage = {
  read: name => sessionStorage.getItem(`privity.${name}`),
  write: (name, value) => sessionStorage.setItem(`privity.${name}`, value),
  forget: (...names) => {
    for (const name of names) sessionStorage.removeItem(`privity.${name}`)
  },
}

export class ServerFailure extends Error {
  constructor({ code, message, reason }) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'

/** Asks the server that this page came from. */
export async function callServer(method, path, body) {
  const key = tabStorage.read('key')
  let response
  try {
    response = await fetch(`api/v1${path}`, {
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
