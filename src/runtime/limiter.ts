import { PrivityError } from '../errors.js'

/** Does a piece of work once fewer than so many others are under way. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/** How many may be under way, and how many may wait before whoever comes next is told that it is busy. */
export interface LimiterOptions {
  readonly atOnce: number
  readonly waiting?: { readonly most: number; readonly busy: string }
}

/** For work of which each piece takes a core, a thread or much memory: first come, first served. */
export function makeLimiter({ atOnce, waiting: queue }: LimiterOptions): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (queue !== undefined && waiting.length >= queue.most) throw new PrivityError('busy', queue.busy)
    if (running < atOnce) running++
    // Whoever is done hands over their place: nobody who comes meanwhile can take it as well.
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
