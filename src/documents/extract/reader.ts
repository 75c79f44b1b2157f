import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../embedding/package-file.js'
import { PrivityError } from '../../errors.js'
import type { ReadFailure } from './extracted.js'
import type { AnswerTo, ProcessLimits, ReaderReply, ReaderTask } from './reader-protocol.js'

const START_MS = 30_000
const MIB = 1_048_576
/** The signals by which V8 or the kernel ends a process that is out of memory. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals | null>(['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL'])

/**
 * Works on one file at a time in a process of its own, which it starts when needed. A worker thread is not enough: when
 * a parser allocates much memory at once, V8 ends the whole process, whatever the limits of the thread are.
 */
export class Reader {
  readonly #limits: ProcessLimits
  #child: Promise<ChildProcess> | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(limits: ProcessLimits) {
    this.#limits = limits
  }

  async do<Task extends ReaderTask>(task: Task): Promise<AnswerTo<Task>> {
    clearTimeout(this.#idle)
    this.#child ??= start(this.#limits)
    const starting = this.#child
    try {
      const child = await starting
      const { answer, again } = await ask(child, task, this.#limits.milliseconds)
      if (!again) this.close()
      // The process answers each task by what that task answers.
      return answer as AnswerTo<Task>
    } catch (thrown) {
      if (this.#child === starting) this.#child = null
      throw thrown
    }
  }

  /** Lets this program exit although the reader is running, and ends the reader after it was idle for a while. */
  rest(afterMs: number): void {
    void this.#child?.then(unref, () => {})
    this.#idle = setTimeout(() => this.close(), afterMs).unref()
  }

  close(): void {
    clearTimeout(this.#idle)
    void this.#child?.then(child => child.kill('SIGKILL')).catch(() => {})
    this.#child = null
  }
}

async function start(limits: ProcessLimits): Promise<ChildProcess> {
  // This always runs the built file, because the child process cannot run TypeScript. It inherits no environment.
  const child = fork(
    fileURLToPath(packageFile('dist/documents/extract/reader-process.js')),
    [JSON.stringify(limits)],
    {
      env: {},
      execArgv: [`--max-old-space-size=${Math.ceil(limits.memory / 2 / MIB)}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  )
  // An exit event follows every error event.
  child.on('error', () => {})
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS).unref()
  const started = await new Promise<boolean>(resolve => {
    child.once('message', () => resolve(true))
    child.once('exit', () => resolve(false))
    child.once('error', () => resolve(false))
  })
  clearTimeout(late)
  if (!started) throw new PrivityError('unavailable', 'the process that reads files does not start')
  return child
}

interface ReaderAnswer {
  readonly answer: AnswerTo<ReaderTask>
  /** Whether the process can read another file. */
  readonly again: boolean
}

function ask(child: ChildProcess, task: ReaderTask, milliseconds: number): Promise<ReaderAnswer> {
  ref(child)
  return new Promise(resolve => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, milliseconds)
    const settle = (asked: ReaderAnswer) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(asked)
    }
    const onMessage = (reply: ReaderReply) => {
      if (reply.kind === 'done') settle({ answer: reply.answer, again: !reply.spent })
    }
    const onExit = (_: number | null, signal: NodeJS.Signals | null) =>
      settle({ answer: late ? TOOK_TOO_LONG : deathBy(signal), again: false })
    child.on('message', onMessage)
    child.on('exit', onExit)
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode)
    else child.send(task, () => {})
  })
}

const TOOK_TOO_LONG: ReadFailure = { problem: 'took_too_long', message: 'took too long to read' }

const deathBy = (signal: NodeJS.Signals | null): ReadFailure =>
  OUT_OF_MEMORY.has(signal)
    ? { problem: 'too_much_memory', message: 'needs too much memory to read' }
    : { problem: 'damaged', message: 'cannot be read' }

const ref = (child: ChildProcess) => {
  child.ref()
  child.channel?.ref()
}
const unref = (child: ChildProcess) => {
  child.unref()
  child.channel?.unref()
}
