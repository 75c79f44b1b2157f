import type { ServerAnswer } from './answer.js'

const FIRST_MS = 200
/** A server that asks for a longer pause is not asked again: its answer is the caller's to judge. */
const MOST_MS = 30_000

interface Limits {
  readonly retries: number
  readonly signal: AbortSignal | undefined
}

/** Asks again what failed in passing: after a random pause within a span that doubles, and never before it is asked to. */
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
