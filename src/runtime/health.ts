import { statfs } from 'node:fs/promises'
import { type ErrorCode, PrivityError } from '../errors.js'
import type { Database } from '../storage/database.js'
import { probeAudit, probeStore } from '../storage/queries/probes.js'
import type { AuditLanes } from './audit-lanes.js'
import type { Embeddings } from './embedding/embeddings.js'

export type HealthStatus = 'ready' | 'warning' | 'failing'

export interface HealthCheck {
  readonly name: 'store' | 'audit' | 'disk' | 'embedding'
  readonly status: HealthStatus
  /** What is wrong. Never content, nor the name of anybody. */
  readonly message?: string
}

/** Whether requests can be answered now: as its worst check is. A disk is looked at where it is ours, models where there are some. */
export interface Health {
  readonly status: HealthStatus
  readonly checks: readonly HealthCheck[]
}

const ANSWER_WITHIN_MS = 2_000
const KEPT_MS = 1_000
/** How long an entry that could not be written says more than an attempt which writes nothing. */
const FAILURE_COUNTS_MS = 10_000

const MIB = 1_048_576
const WARN_BELOW = 1_024 * MIB
const WARN_BELOW_SHARE = 0.05
/** Twice what the store leaves free by refusing to write. */
const FAIL_BELOW = 64 * MIB

interface HealthParts {
  readonly db: Database
  readonly audit: Pick<AuditLanes, 'failedAt'>
  readonly embeddings: Pick<Embeddings, 'providers' | 'resting'>
  readonly dataDir: string | undefined
}

/** Looks at what answering depends on. Takes about two seconds at most, however busy the store is. */
export class HealthChecks {
  readonly #parts: HealthParts
  readonly #store: Probe
  readonly #audit: Probe
  #latest: { readonly health: Promise<Health>; until: number } | null = null

  constructor(parts: HealthParts) {
    this.#parts = parts
    this.#store = new Probe(() => probeStore(parts.db))
    this.#audit = new Probe(() => probeAudit(parts.db))
  }

  /** Whoever asks within a second gets the same answer. */
  check(): Promise<Health> {
    if (this.#latest !== null && performance.now() < this.#latest.until) return this.#latest.health
    const latest = { health: this.#look(), until: Number.POSITIVE_INFINITY }
    this.#latest = latest
    void latest.health.then(() => {
      latest.until = performance.now() + KEPT_MS
    })
    return latest.health
  }

  async #look(): Promise<Health> {
    const found = await Promise.all([this.#lookAtStore(), this.#lookAtAudit(), this.#lookAtDisk()])
    const checks = [...found, this.#lookAtModels()].filter(check => check !== null)
    const has = (status: HealthStatus) => checks.some(check => check.status === status)
    return { status: has('failing') ? 'failing' : has('warning') ? 'warning' : 'ready', checks }
  }

  async #lookAtStore(): Promise<HealthCheck> {
    const outcome = await this.#store.outcome()
    if (outcome === 'ok') return { name: 'store', status: 'ready' }
    return { name: 'store', status: 'failing', message: `the store does not answer (${outcome})` }
  }

  async #lookAtAudit(): Promise<HealthCheck> {
    const outcome = await this.#audit.outcome()
    if (outcome !== 'ok')
      return { name: 'audit', status: 'failing', message: `the audit cannot be written (${outcome})` }
    const { failedAt } = this.#parts.audit
    if (failedAt === null) return { name: 'audit', status: 'ready' }
    // Only a request shows that entries can be written again, and none comes to whoever says to fail.
    const status = performance.now() - failedAt < FAILURE_COUNTS_MS ? 'failing' : 'warning'
    return { name: 'audit', status, message: 'the last entry of the audit could not be written' }
  }

  async #lookAtDisk(): Promise<HealthCheck | null> {
    const { dataDir } = this.#parts
    if (dataDir === undefined) return null
    try {
      const { bavail, blocks, bsize } = await statfs(dataDir)
      return checkDisk(bavail * bsize, blocks * bsize)
    } catch {
      return { name: 'disk', status: 'failing', message: 'the folder of the store cannot be read' }
    }
  }

  #lookAtModels(): HealthCheck | null {
    const { providers, resting } = this.#parts.embeddings
    if (providers.length === 0) return null
    if (resting === 0) return { name: 'embedding', status: 'ready' }
    const message = `${resting} of ${providers.length} embedding providers failed and will be asked again`
    return { name: 'embedding', status: 'warning', message }
  }
}

export function checkDisk(free: number, total: number): HealthCheck {
  const message = `${Math.floor(free / MIB)} MiB are free on the disk of the store`
  if (free < FAIL_BELOW) return { name: 'disk', status: 'failing', message }
  if (free < Math.max(WARN_BELOW, total * WARN_BELOW_SHARE))
    return { name: 'disk', status: 'warning', message }
  return { name: 'disk', status: 'ready' }
}

/** Asks one thing at a time: while an answer is due, waiting for it is all that is done. */
class Probe {
  readonly #ask: () => Promise<void>
  #due: Promise<'ok' | ErrorCode> | null = null

  constructor(ask: () => Promise<void>) {
    this.#ask = ask
  }

  async outcome(): Promise<'ok' | 'too slow' | ErrorCode> {
    this.#due ??= this.#ask()
      .then(
        () => 'ok' as const,
        error => (error instanceof PrivityError ? error.code : 'internal'),
      )
      .finally(() => {
        this.#due = null
      })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'too slow'>(resolve => {
      timer = setTimeout(() => resolve('too slow'), ANSWER_WITHIN_MS)
    })
    try {
      return await Promise.race([this.#due, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
