import cluster from 'node:cluster'

/** Ends a command that has already printed everything, with its own exit code. */
export class CommandStopped extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('stopped')
    this.exitCode = exitCode
  }
}

export const INTERRUPTED = 130

/** What the process that started this one sends to stop it. */
export const STOP = 'stop'

/**
 * A signal that the first Ctrl-C aborts; the second one ends the process immediately. So does the time that it is given to
 * finish, if there is one: whoever sent SIGTERM waits for the process to end.
 *
 * One of several processes is stopped by the one that started them, or by its end. Ctrl-C reaches all of them at once,
 * and counts there alone.
 */
export function untilInterrupted(grace?: number): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    controller.abort()
    if (grace !== undefined) setTimeout(() => process.exit(INTERRUPTED), grace).unref()
  }
  const stopOnce = () => {
    if (!controller.signal.aborted) stop()
  }
  const hear = (message: unknown) => {
    if (message === STOP) stopOnce()
  }
  const isOneOfSeveral = cluster.isWorker
  const interrupted = isOneOfSeveral ? () => {} : stop
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', stop)
  if (isOneOfSeveral) process.on('message', hear).on('disconnect', stopOnce)
  return {
    signal: controller.signal,
    done() {
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', stop)
      process.off('message', hear).off('disconnect', stopOnce)
    },
  }
}
