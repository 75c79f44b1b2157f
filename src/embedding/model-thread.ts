import { Worker } from 'node:worker_threads'
import { packageFile } from './package-file.js'
import { EmbeddingError } from './provider.js'
import type { ThreadReply, ThreadRequest, ThreadStart } from './worker-model.js'

/** The time after which a request counts as hung and its thread is terminated. */
const STUCK_MS = 300_000

interface Job {
  readonly request: ThreadRequest
  readonly urgent: boolean
  readonly resolve: (reply: ThreadReply) => void
  readonly reject: (error: EmbeddingError) => void
}

/**
 * A thread that runs a model, one request at a time. It starts with the first request, restarts after it ended for
 * any reason, and keeps the process alive only while a request is running.
 */
export class ModelThread {
  readonly #start: ThreadStart
  readonly #stuckMs: number
  #waiting: Job[] = []
  #running: Job | null = null
  #worker: Worker | null = null
  #stuck: NodeJS.Timeout | undefined

  constructor(module: URL, options: unknown, stuckMs = STUCK_MS) {
    this.#start = { module: module.href, options }
    this.#stuckMs = stuckMs
  }

  /**
   * Runs a request. Urgent requests go before all others. A request that is aborted while it runs is completed, but
   * its result is ignored.
   */
  run(request: ThreadRequest, urgent: boolean, signal?: AbortSignal): Promise<ThreadReply> {
    return new Promise((resolve, reject) => {
      const job: Job = {
        request,
        urgent,
        resolve(reply) {
          signal?.removeEventListener('abort', giveUp)
          resolve(reply)
        },
        reject(error) {
          signal?.removeEventListener('abort', giveUp)
          reject(error)
        },
      }
      const giveUp = () => {
        this.#waiting = this.#waiting.filter(other => other !== job)
        job.reject(new EmbeddingError('timeout', 'the model did not answer in time'))
      }
      if (signal?.aborted) return giveUp()
      signal?.addEventListener('abort', giveUp)
      const before = urgent ? this.#waiting.findIndex(other => !other.urgent) : -1
      this.#waiting.splice(before < 0 ? this.#waiting.length : before, 0, job)
      this.#next()
    })
  }

  async close(): Promise<void> {
    const jobs = this.#running ? [this.#running, ...this.#waiting] : this.#waiting
    this.#running = null
    this.#waiting = []
    clearTimeout(this.#stuck)
    for (const job of jobs) job.reject(new EmbeddingError('unavailable', 'closed'))
    await this.#drop(this.#worker)
  }

  #next(): void {
    if (this.#running) return
    const job = this.#waiting.shift()
    if (!job) {
      this.#worker?.unref()
      return
    }
    this.#running = job
    this.#worker ??= this.#makeWorker()
    this.#worker.ref()
    this.#stuck = setTimeout(() => void this.#worker?.terminate(), this.#stuckMs).unref()
    this.#worker.postMessage(job.request)
  }

  #makeWorker(): Worker {
    // Always uses the built file, because a thread cannot run the TypeScript sources.
    const worker = new Worker(packageFile('dist/embedding/worker.js'), {
      workerData: this.#start,
      execArgv: [],
    })
    const settle = (reply: ThreadReply) => {
      if (this.#worker !== worker) return
      const job = this.#running
      this.#running = null
      clearTimeout(this.#stuck)
      if (reply.kind === 'failed') job?.reject(new EmbeddingError('unavailable', 'the model failed'))
      else if (reply.kind === 'not_loaded')
        job?.reject(new EmbeddingError('unavailable', `the model could not be loaded: ${reply.why}`))
      else job?.resolve(reply)
    }
    worker.on('message', (reply: ThreadReply) => {
      settle(reply)
      // The next request should try to load the model again.
      if (reply.kind === 'not_loaded') void this.#drop(worker)
      this.#next()
    })
    // The exit event follows and is handled below. The error itself is ignored because it may contain a text.
    worker.on('error', () => {})
    worker.on('exit', () => {
      settle({ kind: 'failed' })
      void this.#drop(worker)
      this.#next()
    })
    return worker
  }

  async #drop(worker: Worker | null): Promise<void> {
    if (this.#worker === worker) this.#worker = null
    await worker?.terminate()
  }
}
