import type { ServerAnswer } from './answer.js'

const FIRST_MS = 200
/** If a server asks for a longer pause, there is no retry, and the caller decides what to do. */
const MOST_MS = 30_000

interface Limits {
  readonly retries: number
  readonly signal: AbortSignal | undefined
}

/** Retries after a temporary failure: with exponential back-off and jitter, and never before `Retry-After`. */
export async function retry(
  { retries, signal }: Limits,
  attempt: () => Promise<ServerAnswer>,
): Promise<ServerAnswer> {
  for (let failures = 0; ; failures++) {
    const answer = await attempt()
    if ('data' in answer || failures >= retries) return answer
    if (!answer.passing || answer.retryAfterMs > MOST_MS) return answer
    const span = Math.min(MOST_MS, FIRST_MS * 2 ** failures)
    await pause(answer.retryAfterMs + Math.random() * span, signal)
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
