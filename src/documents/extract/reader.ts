import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../embedding/package-file.js'
import { PrivityError } from '../../errors.js'
import type { ExtractedText, ReadFailure } from './extracted.js'
import type { ProcessLimits, ReaderReply, ReaderRequest } from './reader-protocol.js'

const START_MS = 30_000
const MIB = 1_048_576
/** How V8 and the system end a process that wants more memory than there is. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals | null>(['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL'])

/**
 * Reads one file after the other in a process of its own, which it starts when there is none. A thread would not
 * do: where a parser asks for much memory at once, V8 ends the whole process, whatever the limits of the thread.
 */
export class Reader {
  readonly #limits: ProcessLimits
  #child: Promise<ChildProcess> | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(limits: ProcessLimits) {
    this.#limits = limits
  }

  async read(request: ReaderRequest): Promise<ExtractedText | ReadFailure> {
    clearTimeout(this.#idle)
    this.#child ??= start(this.#limits)
    const starting = this.#child
    try {
      const child = await starting
      const { answer, again } = await ask(child, request, this.#limits.milliseconds)
      if (!again) this.close()
      return answer
    } catch (thrown) {
      if (this.#child === starting) this.#child = null
      throw thrown
    }
  }

  /** It will not be asked for a while: the process may end with this one, and does in any case. */
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
  // Always the built file: a process cannot run the sources. It is given nothing of the environment.
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
  // An error is followed by the exit.
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
  readonly answer: ExtractedText | ReadFailure
  /** Whether the process can be asked again. */
  readonly again: boolean
}

function ask(child: ChildProcess, request: ReaderRequest, milliseconds: number): Promise<ReaderAnswer> {
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
      if (reply.kind === 'read') settle({ answer: reply.answer, again: !reply.spent })
    }
    const onExit = (_: number | null, signal: NodeJS.Signals | null) =>
      settle({ answer: late ? TOOK_TOO_LONG : deathBy(signal), again: false })
    child.on('message', onMessage)
    child.on('exit', onExit)
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode)
    else child.send(request, () => {})
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
