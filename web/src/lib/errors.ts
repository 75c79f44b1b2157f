import { PrivityError } from 'privity/client'

/** What went wrong, for a person: what happened, and what to do. */
export function describeFailure(error: unknown): { title: string; advice: string; code: string | null } {
  if (!(error instanceof PrivityError))
    return {
      title: 'Something went wrong in this page.',
      advice: 'Reload the page and try again.',
      code: null,
    }
  const { code, message } = error
  const known = SENTENCES[code]
  if (known !== undefined) return { ...known, code }
  return { title: sentence(message), advice: 'Change your input and try again.', code }
}

const SENTENCES: Partial<Record<PrivityError['code'], { title: string; advice: string }>> = {
  unavailable: {
    title: 'The server cannot be reached.',
    advice: 'Check that it is running, then try again.',
  },
  busy: { title: 'The server is busy.', advice: 'Wait a moment and try again.' },
  timed_out: { title: 'The server took too long to answer.', advice: 'Try again, or ask for less at once.' },
  unauthenticated: { title: 'Your session has ended.', advice: 'Sign in again to go on.' },
  not_found: {
    title: 'There is nothing here.',
    advice: 'It does not exist, was deleted, or is not shared with you.',
  },
  rate_limit_exceeded: { title: 'You reached a rate limit.', advice: 'Wait a while and try again.' },
  version_conflict: {
    title: 'Somebody changed this while you were editing.',
    advice: 'Reload it and make your change again.',
  },
  storage_full: { title: 'The disk of the server is full.', advice: 'Free some space, then try again.' },
  audit_unavailable: {
    title: 'The audit log cannot be written, so nothing is answered.',
    advice: 'Check the disk and the database of the server.',
  },
  internal: { title: 'Something went wrong on the server.', advice: 'Try again. The server log says more.' },
}

const sentence = (message: string) => {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
