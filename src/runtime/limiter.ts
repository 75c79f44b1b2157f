import { PrivityError } from '../errors.js'

/** Runs a piece of work as soon as fewer than the maximum are running. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/** How many pieces of work may run at once, and how many may wait before further callers get a `busy` error. */
export interface LimiterOptions {
  readonly atOnce: number
  readonly waiting?: { readonly most: number; readonly busy: string }
}

/** Makes a first-come, first-served limiter for work that needs a core, a thread or much memory each time. */
export function makeLimiter({ atOnce, waiting: queue }: LimiterOptions): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (queue !== undefined && waiting.length >= queue.most) throw new PrivityError('busy', queue.busy)
    if (running < atOnce) running++
    // Work that ends hands its slot over directly, so that no newcomer can take it as well.
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
