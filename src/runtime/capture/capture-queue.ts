import { PrivityError } from '../../errors.js'
import type { Database } from '../../storage/database.js'
import {
  endCaptureJob,
  giveUpCaptureJob,
  type LeasedCaptureJob,
  leaseCaptureJobs,
  loadDueCaptureJobs,
  postponeCaptureJob,
} from '../../storage/queries/capture-jobs.js'
import type { Clock } from '../clock.js'
import type { KeyRing } from '../key-ring.js'
import { asWriter, Sending } from '../sending.js'
import { type JobCredential, jobSealContext, readJobCredential } from './job-credential.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The delay after each failed attempt. After the last one a job waits for somebody to ask for it again. */
const RETRIES_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR]
/** How long jobs are listed after they ended. */
const KEPT_MS = 30 * 24 * HOUR
/** Reading a long conversation may take several calls. */
const CALLS_IN_A_LEASE = 8

/** Makes facts of the records with this credential, and tells how many it made and how many records it kept back. */
export type Extract = (
  by: JobCredential,
  records: readonly string[],
  jobId: string,
) => Promise<{ facts: number; heldBack: number }>

/** Lets the configured model read turns that were captured, in the background (WR-7). */
export class CaptureQueue {
  readonly #db: Database
  readonly #keys: Pick<KeyRing, 'read'>
  readonly #clock: Clock
  readonly #extract: Extract
  readonly #retriesMs: readonly number[]
  readonly #sending: Sending<LeasedCaptureJob>
  #stopping = false

  constructor(
    db: Database,
    keys: Pick<KeyRing, 'read'>,
    clock: Clock,
    extract: Extract,
    options: { sweeps: boolean; timeoutMs: number; retriesMs?: readonly number[] | undefined },
  ) {
    this.#db = db
    this.#keys = keys
    this.#clock = clock
    this.#extract = extract
    this.#retriesMs = options.retriesMs ?? RETRIES_MS
    const timeoutMs = options.timeoutMs * CALLS_IN_A_LEASE
    this.#sending = new Sending(
      db,
      {
        due: (tx, of) => (this.#stopping ? Promise.resolve([]) : loadDueCaptureJobs(tx, of)),
        lease: (tx, of, line, terms) =>
          this.#stopping ? Promise.resolve([]) : leaseCaptureJobs(tx, of, line, terms),
        send: (tenant, _line, job) => this.#read(tenant, job),
      },
      { sweeps: options.sweeps, timeoutMs, leaseMs: 2 * timeoutMs, restMs: 0 },
    )
  }

  noteWork(tenant: string): void {
    this.#sending.noteWork(tenant)
  }

  /** Resolves once what waits and is due was tried. */
  caughtUp(): Promise<void> {
    return this.#sending.idle()
  }

  /** Begins nothing new: what waits is read by the next process. */
  stop(): void {
    this.#stopping = true
  }

  close(): Promise<void> {
    this.stop()
    return this.#sending.close()
  }

  async #read(tenant: string, job: LeasedCaptureJob): Promise<boolean> {
    const outcome = await this.#attempt(tenant, job)
    const now = this.#clock.now()
    await this.#db.transaction(asWriter(tenant), tx => {
      if ('facts' in outcome)
        return endCaptureJob(tx, tenant, job.id, {
          ...outcome,
          now,
          forgetBefore: new Date(now.getTime() - KEPT_MS),
        })
      const { why } = outcome
      if (why === 'budget_spent')
        return postponeCaptureJob(tx, tenant, job, { why, retryMs: HOUR, countsAsAttempt: false })
      // A process that stops has not failed: the next one goes on at once.
      if (why === 'stopped')
        return postponeCaptureJob(tx, tenant, job, { why, retryMs: 0, countsAsAttempt: false })
      const retryMs = this.#retriesMs[job.attempt - 1]
      if (retryMs === undefined || FINAL.has(why)) return giveUpCaptureJob(tx, tenant, job, { why, now })
      return postponeCaptureJob(tx, tenant, job, { why, retryMs, countsAsAttempt: true })
    })
    return 'facts' in outcome
  }

  async #attempt(
    tenant: string,
    job: LeasedCaptureJob,
  ): Promise<{ facts: number; heldBack: number } | { why: string }> {
    try {
      const by = readJobCredential(await this.#keys.read(job.sealed, jobSealContext(tenant, job.id)))
      const expiresAt = by.credential.expiresAt
      if (expiresAt !== undefined && new Date(expiresAt) <= this.#clock.now())
        return { why: 'credential_ended' }
      return await this.#extract(by, job.records, job.id)
    } catch (thrown) {
      return this.#stopping ? { why: 'stopped' } : whyOf(thrown)
    }
  }
}

/** Reasons that trying again does not change. */
const FINAL: ReadonlySet<string> = new Set(['not_allowed', 'credential_ended'])

/** A reason of our own: what a model server said stays out of it. */
function whyOf(thrown: unknown): { facts: number; heldBack: number } | { why: string } {
  if (!(thrown instanceof PrivityError)) return { why: 'failed' }
  switch (thrown.code) {
    // All turns were forgotten, or may not be seen any more.
    case 'not_found':
      return { facts: 0, heldBack: 0 }
    case 'rate_limit_exceeded':
      return { why: 'budget_spent' }
    case 'unauthenticated':
      return { why: 'credential_ended' }
    case 'not_allowed':
    case 'trust_required':
    case 'session_profile_invalid':
      return { why: 'not_allowed' }
    case 'unavailable':
      return { why: FAILURES.get(thrown.message) ?? 'model_failed' }
    default:
      return { why: 'failed' }
  }
}

/** What the messages of a failed model are called in the list of jobs. */
const FAILURES: ReadonlyMap<string, string> = new Map([
  ['the model did not answer in time', 'timed_out'],
  ['the model did not answer with a list of facts', 'invalid_answer'],
  ['the model did not finish its answer', 'unfinished_answer'],
  ['no connection to the model server', 'unreachable'],
])
