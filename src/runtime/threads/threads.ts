import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../embedding/package-file.js'
import { PrivityError } from '../../errors.js'
import { FairLine, type Party, type Waiter } from '../fairness/fair-line.js'
import type { Load } from '../fairness/fair-share.js'

/** A job for a thread: the module whose default export does it, and what it is given. Both must be cloneable. */
export interface ThreadJob {
  /** The address of a built module. A thread cannot run the TypeScript sources. */
  readonly module: string
  readonly input: unknown
}

/** What a job's module returns. The buffers are moved and not copied. */
export interface JobResult<Value> {
  readonly value: Value
  readonly transfer?: ArrayBuffer[]
}

export type JobReply = { readonly value: unknown } | { readonly failed: true }

interface WaitingJob extends ThreadJob {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: PrivityError) => void
  readonly onStart: () => void
}

const tooBusy = () =>
  new PrivityError('busy', 'too many changes are waiting to be indexed; try again in a minute')

/** Few, because requests and the store need cores too. One tenant never has all of them if there are several. */
const MOST_THREADS = Math.max(1, Math.min(2, availableParallelism()))
const WAITING = { total: 4_096, perTenant: 1_024, perCredential: 1_024 }
const IDLE_MS = 30_000
/** The time after which a job counts as hung and its thread is ended. */
const STUCK_MS = 120_000

/** The address of a job's module, from the sources and from the build. */
export const jobModule = (path: string): string => packageFile(`dist/${path}`).href

/**
 * Threads for work that needs a core for long: no request may keep the event loop from answering others (OP-8). They
 * start when they are needed, end when they are idle, and keep the process alive only while they work. Tenants take
 * turns.
 *
 * A pool of npm would not be smaller: its queue would have to be this line, which may hold a job back although a thread
 * is free.
 */
export class Threads {
  readonly #line = new FairLine<WaitingJob>({ total: MOST_THREADS, perTenant: 1, perCredential: 1 }, WAITING)
  readonly #idle = new Map<Worker, NodeJS.Timeout>()
  readonly #working = new Map<Worker, { job: WaitingJob; party: Party; stuck: NodeJS.Timeout }>()
  #closed = false

  get load(): Load {
    const { running, waiting, isFull } = this.#line
    return { running, waiting, full: isFull }
  }

  /** A job that nobody waits for any more leaves the line; one that has begun is done. */
  run<Value>({ signal, ...party }: Waiter, { module, input }: ThreadJob): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (this.#closed) return reject(new PrivityError('closed', 'privity is closed'))
      const leave = () => void (this.#line.remove(party, job) && reject(tooBusy()))
      const job: WaitingJob = {
        module,
        input,
        resolve: resolve as (value: unknown) => void,
        reject,
        onStart: () => signal?.removeEventListener('abort', leave),
      }
      if (signal?.aborted || !this.#line.add(party, job)) return reject(tooBusy())
      signal?.addEventListener('abort', leave)
      this.#next()
    })
  }

  /** Ends all threads at once. Whatever they worked on fails as closed. */
  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#line.drain()) job.reject(new PrivityError('closed', 'privity is closed'))
    const workers = [...this.#idle.keys(), ...this.#working.keys()]
    await Promise.all(workers.map(worker => worker.terminate()))
  }

  #next(): void {
    for (let next = this.#line.take(); next !== null; next = this.#line.take()) {
      const { job, party } = next
      job.onStart()
      const worker = this.#start()
      const stuck = setTimeout(() => void worker.terminate(), STUCK_MS).unref()
      this.#working.set(worker, { job, party, stuck })
      worker.ref()
      worker.postMessage({ module: job.module, input: job.input })
    }
  }

  #start(): Worker {
    for (const [worker, idle] of this.#idle) {
      clearTimeout(idle)
      this.#idle.delete(worker)
      return worker
    }
    const worker = new Worker(packageFile('dist/runtime/threads/worker.js'), { execArgv: [] })
    worker.on('message', (reply: JobReply) => {
      const job = this.#settle(worker)
      worker.unref()
      this.#idle.set(worker, setTimeout(() => void worker.terminate(), IDLE_MS).unref())
      if ('failed' in reply) job?.reject(new PrivityError('internal', 'a background job failed'))
      else job?.resolve(reply.value)
      this.#next()
    })
    // The exit event follows and is handled below. The error itself is ignored because it may contain a text.
    worker.on('error', () => {})
    worker.on('exit', () => {
      clearTimeout(this.#idle.get(worker))
      this.#idle.delete(worker)
      const code = this.#closed ? 'closed' : 'unavailable'
      this.#settle(worker)?.reject(new PrivityError(code, 'a background job was ended'))
      if (!this.#closed) this.#next()
    })
    return worker
  }

  #settle(worker: Worker): WaitingJob | undefined {
    const working = this.#working.get(worker)
    if (working === undefined) return undefined
    clearTimeout(working.stuck)
    this.#working.delete(worker)
    this.#line.leave(working.party)
    return working.job
  }
}
