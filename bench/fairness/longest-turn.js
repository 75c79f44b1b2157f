import { readFileSync } from 'node:fs'

/**
 * Watches how long the event loop is kept from its next turn, in milliseconds of processor time of the main thread. Unlike
 * the time on a clock that `monitorEventLoopDelay` tells, this does not grow when other programs use the processor.
 * Linux only: elsewhere it is always 0.
 *
 * @returns {{ take(): number, stop(): void }} `take` tells the longest turn since it was last called
 */
export function watchTurns() {
  let last = used()
  let longest = 0
  const timer = setInterval(() => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
  }, 2)
  timer.unref()
  return {
    take() {
      const taken = longest
      longest = 0
      last = used()
      return taken
    },
    stop: () => clearInterval(timer),
  }
}

/** The thread that Node starts with has the number of the process. */
const STATISTICS = `/proc/${process.pid}/task/${process.pid}/schedstat`

function used() {
  try {
    return Number(readFileSync(STATISTICS, 'latin1').split(' ', 1)[0]) / 1e6
  } catch {
    return 0
  }
}
