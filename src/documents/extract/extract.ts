import { PrivityError } from '../../errors.js'
import type { UploadControls, UploadInspection } from '../../policy/upload-controls.js'
import type { Mark } from '../../policy/watermark.js'
import type { RecognisedPage } from '../../runtime/extraction.js'
import { FairLine, type Party, type Waiter } from '../../runtime/fairness/fair-line.js'
import type { Load } from '../../runtime/fairness/fair-share.js'
import type { OcrProvider } from '../ocr/provider.js'
import {
  type ExtractedText,
  type Problem,
  READ_LIMITS,
  type ReadFailure,
  type ReadLimits,
} from './extracted.js'
import { Reader } from './reader.js'
import type { AnswerTo, ReaderTask } from './reader-protocol.js'
import { sniff } from './sniff.js'

export * from './extracted.js'
export { splitMbox } from './mbox.js'
export { sniff } from './sniff.js'

export interface ExtractLimits extends ReadLimits {
  /** Time limit for one file, counted from when its reading starts. */
  readonly milliseconds: number
  /** Memory limit of the process that reads a file, in bytes. */
  readonly memory: number
  /** How many files are read at once, each in a process of its own. A tenant has one of them at most. */
  readonly atOnce: number
  /** How many files may wait in the queue: half of them of one tenant, and an eighth of one caller. */
  readonly waiting: number
  /** How long a process may stay idle before it is ended. */
  readonly idleMilliseconds: number
}

export const EXTRACT_LIMITS: ExtractLimits = {
  ...READ_LIMITS,
  milliseconds: 60_000,
  memory: 1_073_741_824,
  atOnce: 2,
  waiting: 256,
  idleMilliseconds: 30_000,
}

/** Problems that may mean that the process reading the file was killed. */
const LOST: ReadonlySet<Problem> = new Set(['took_too_long', 'too_much_memory', 'damaged'])

function isMail(bytes: Uint8Array, name: string): boolean {
  try {
    return ['message/rfc822', 'application/mbox'].includes(sniff(bytes, name))
  } catch {
    return false
  }
}

/** Whoever reads files without a tenant is one party. */
const NOBODY: Party = { tenant: '', credential: '' }

const tooBusy = () => new PrivityError('busy', 'too many files are waiting to be read; try again in a minute')

interface Job {
  readonly task: ReaderTask
  readonly resolve: (answer: AnswerTo<ReaderTask>) => void
  readonly reject: (error: unknown) => void
  readonly signal: AbortSignal | undefined
  /** Whether its reading was ended because nobody waited for it, and somebody else waited. */
  isEnded: boolean
}

/**
 * Reads files that may be malicious, each in a process that is killed when it takes too long or too much memory. For
 * any input, the answer holds the text or says why the file could not be read.
 */
export class Extractor {
  readonly #limits: ExtractLimits
  readonly #resting: Reader[] = []
  readonly #reading = new Map<Reader, { party: Party; job: Job }>()
  readonly #line: FairLine<Job>
  #closed = false

  constructor(limits: Partial<ExtractLimits> = {}) {
    this.#limits = { ...EXTRACT_LIMITS, ...limits }
    const { atOnce, waiting } = this.#limits
    this.#line = new FairLine(
      { total: atOnce, perTenant: 1, perCredential: 1 },
      {
        total: waiting,
        perTenant: Math.max(1, Math.ceil(waiting / 2)),
        perCredential: Math.max(1, Math.ceil(waiting / 8)),
      },
    )
  }

  /** The name serves only to tell Markdown from other text. Rejects only if no file can be read at all. */
  extract(
    bytes: Uint8Array,
    name: string,
    party: Waiter = NOBODY,
    recognised: readonly RecognisedPage[] = [],
  ): Promise<ExtractedText | ReadFailure> {
    return this.#ask({ task: 'read', bytes, name, limits: this.#limits, recognised }, party)
  }

  /** Recognises the text of a scanned page, or of an image. */
  recognise(
    bytes: Uint8Array,
    name: string,
    page: number,
    provider: OcrProvider,
    party: Waiter = NOBODY,
  ): Promise<RecognisedPage | ReadFailure> {
    return this.#ask({ task: 'recognise', bytes, name, page, provider }, party)
  }

  /** A copy of a file with a watermark, or why it cannot carry one. */
  mark(
    bytes: Uint8Array,
    name: string,
    mark: Mark,
    party: Waiter = NOBODY,
  ): Promise<{ readonly bytes: Uint8Array } | ReadFailure> {
    return this.#ask({ task: 'mark', bytes, name, mark }, party)
  }

  /** The numbers of watermarks on a file. */
  findMarks(
    bytes: Uint8Array,
    name: string,
    party: Waiter = NOBODY,
  ): Promise<{ readonly numbers: readonly string[] } | ReadFailure> {
    return this.#ask({ task: 'find_marks', bytes, name }, party)
  }

  /** What the checks find of a file that a recipient sends in. */
  inspectUpload(
    bytes: Uint8Array,
    name: string,
    declaredType: string | null,
    controls: UploadControls,
    party: Waiter = NOBODY,
  ): Promise<UploadInspection | ReadFailure> {
    return this.#ask({ task: 'inspect_upload', bytes, name, declaredType, controls }, party)
  }

  /** Once nobody waits for a file any more, it leaves the line; if it is being read, it makes way for the next. */
  #ask<Task extends ReaderTask>(task: Task, { signal, ...party }: Waiter): Promise<AnswerTo<Task>> {
    if (task.bytes.length > this.#limits.bytes)
      return Promise.resolve({ problem: 'too_large', message: 'is too large' })
    return new Promise<AnswerTo<Task>>((resolve, reject) => {
      if (this.#closed) return reject(new PrivityError('closed', 'closed'))
      const settle = <Value>(by: (value: Value) => void) => {
        return (value: Value) => {
          signal?.removeEventListener('abort', leave)
          by(value)
        }
      }
      const job: Job = {
        task,
        resolve: settle(resolve as Job['resolve']),
        reject: settle(reject),
        signal,
        isEnded: false,
      }
      const leave = () => (this.#line.remove(party, job) ? job.reject(tooBusy()) : this.#makeWay())
      if (signal?.aborted || !this.#line.add(party, job)) return reject(tooBusy())
      signal?.addEventListener('abort', leave)
      this.#next()
      this.#makeWay()
    })
  }

  /** Ends readings that nobody waits for and that keep somebody else's file waiting (OP-8). */
  #makeWay(): void {
    for (const [reader, { party, job }] of this.#reading) {
      if (job.isEnded || !job.signal?.aborted || !this.#line.isInTheWay(party)) continue
      job.isEnded = true
      reader.close()
    }
  }

  get load(): Load {
    const { running, waiting, isFull } = this.#line
    return { running, waiting, full: isFull }
  }

  async close(): Promise<void> {
    this.#closed = true
    const jobs = [...[...this.#reading.values()].map(({ job }) => job), ...this.#line.drain()]
    for (const reader of [...this.#reading.keys(), ...this.#resting.splice(0)]) reader.close()
    for (const job of jobs) job.reject(new PrivityError('closed', 'closed'))
  }

  #next(): void {
    for (let next = this.#line.take(); next !== null; next = this.#line.take()) {
      const reader = this.#resting.pop() ?? new Reader(this.#limits)
      this.#reading.set(reader, next)
      void this.#read(reader, next)
    }
  }

  async #read(reader: Reader, { party, job }: { party: Party; job: Job }): Promise<void> {
    try {
      const { task } = job
      const answer = await reader.do(task)
      if (job.isEnded) throw tooBusy()
      // A bad attachment must not cost us the message: read it again without attachments.
      const isLost = task.task === 'read' && 'problem' in answer && LOST.has(answer.problem)
      job.resolve(
        isLost && isMail(task.bytes, task.name)
          ? await reader.do({ ...task, limits: { ...this.#limits, attachments: 0 } })
          : answer,
      )
    } catch (thrown) {
      job.reject(thrown)
    }
    this.#reading.delete(reader)
    if (this.#closed) return reader.close()
    this.#line.leave(party)
    this.#resting.push(reader)
    this.#next()
    if (this.#resting.includes(reader)) reader.rest(this.#limits.idleMilliseconds)
  }
}
