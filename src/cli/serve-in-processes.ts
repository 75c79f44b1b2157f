import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from './command.js'
import { CommandStopped, INTERRUPTED, STOP, untilInterrupted } from './command-stopped.js'
import { keepSignInTokens } from './shared-sign-in-tokens.js'

/** How long the processes have to finish before they are ended. They give their own requests less. */
const ENDED_WITHIN_MS = 20_000
/** How long a process that ended by itself is left alone before another takes its place. */
const RESTART_MS = 1_000
/** A process that ends sooner after its start than this has not worked. After so many of these in a row, all stop. */
const WORKED_MS = 10_000
const MOST_FAILURES = 5
/** How often is looked whether all have ended, and how often those that have not are told again. */
const LOOK_MS = 50
const TELL_MS = 1_000

/**
 * Serves one port with several processes, each of which runs the same command line. The first one makes or migrates the
 * store and prints what there is to know; the others start once it listens. One that dies is replaced.
 */
export async function serveInProcesses(
  count: number,
  { terminal }: Pick<Context, 'terminal'>,
): Promise<void> {
  const { signal, done } = untilInterrupted(ENDED_WITHIN_MS)
  const answer = keepSignInTokens()
  const running = new Set<Worker>()
  const listening = new Set<Worker>()
  let isComplete = false
  let failures = 0
  let exitCode: number | null = null

  const start = (): Worker => {
    const worker = cluster.fork()
    const began = performance.now()
    running.add(worker)
    worker.on('listening', () => {
      listening.add(worker)
      if (isComplete || listening.size < count) return
      isComplete = true
      terminal.note(terminal.style('dim', `${count} processes are listening`, 'stderr'))
    })
    worker.on('message', message => answer(message, reply => worker.send(reply)))
    // A message to a process that has just ended.
    worker.on('error', () => {})
    worker.on('exit', (code, by) => {
      running.delete(worker)
      listening.delete(worker)
      if (signal.aborted || exitCode !== null) return
      failures = performance.now() - began < WORKED_MS ? failures + 1 : 0
      if (!isReady || failures >= MOST_FAILURES) {
        exitCode = code === 0 ? INTERRUPTED : (code ?? INTERRUPTED)
        stopAll()
        return
      }
      terminal.note(`a process ended (${by ?? `exit code ${code}`}); another takes its place`)
      void wait(RESTART_MS, undefined, { ref: false }).then(() => {
        if (!signal.aborted && exitCode === null) start()
      })
    })
    return worker
  }
  /** One that does not listen yet has nothing to finish, and does not hear. */
  const stopAll = () => {
    for (const worker of running)
      if (!listening.has(worker)) worker.process.kill('SIGTERM')
      else if (worker.isConnected()) worker.send(STOP)
  }

  let isReady = false
  signal.addEventListener('abort', stopAll)
  try {
    const first = start()
    const ended = new Promise<void>(resolve => first.once('exit', () => resolve()))
    await Promise.race([new Promise<void>(resolve => first.once('listening', () => resolve())), ended])
    isReady = running.has(first)
    if (isReady && !signal.aborted) for (let more = 1; more < count; more++) start()
    const isEnding = () => signal.aborted || exitCode !== null || !isReady
    let told = performance.now()
    while (running.size > 0 || !isEnding()) {
      await wait(LOOK_MS)
      if (!isEnding() || performance.now() - told < TELL_MS) continue
      told = performance.now()
      stopAll()
    }
    if (exitCode !== null) throw new CommandStopped(exitCode)
  } finally {
    for (const worker of running) worker.kill('SIGKILL')
    done()
  }
}
