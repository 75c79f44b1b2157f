/** Ends a command that has already printed everything, with its own exit code. */
export class CommandStopped extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('stopped')
    this.exitCode = exitCode
  }
}

export const INTERRUPTED = 130

/**
 * A signal that the first Ctrl-C aborts; the second one ends the process immediately. So does the time that it is given to
 * finish, if there is one: whoever sent SIGTERM waits for the process to end.
 */
export function untilInterrupted(grace?: number): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    controller.abort()
    if (grace !== undefined) setTimeout(() => process.exit(INTERRUPTED), grace).unref()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: controller.signal,
    done() {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
