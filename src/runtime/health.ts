import { statfs } from 'node:fs/promises'
import { type ErrorCode, PrivityError } from '../errors.js'
import type { Database } from '../storage/database.js'
import { probeAudit, probeStore } from '../storage/queries/probes.js'
import type { AuditLanes } from './audit-lanes.js'
import type { Embeddings } from './embedding/embeddings.js'

export type HealthStatus = 'ready' | 'warning' | 'failing'

export interface HealthCheck {
  readonly name: 'store' | 'audit' | 'disk' | 'embedding' | 'clock' | 'saturation'
  readonly status: HealthStatus
  /** What is wrong. It contains neither content nor names. */
  readonly message?: string
}

/**
 * Whether requests can be answered now, as bad as the worst check. The disk is checked if it is ours, models if there
 * are any.
 */
export interface Health {
  readonly status: HealthStatus
  readonly checks: readonly HealthCheck[]
}

const ANSWER_WITHIN_MS = 2_000
const KEPT_MS = 1_000
/** How long a failed entry outweighs a successful probe, which writes nothing. */
const FAILURE_COUNTS_MS = 10_000

/** Clocks of several machines differ by less. */
const CLOCK_TOLERANCE_MS = 60_000

const MIB = 1_048_576
const WARN_BELOW = 1_024 * MIB
const WARN_BELOW_SHARE = 0.05
/** Twice the free space below which the store refuses to write. */
const FAIL_BELOW = 64 * MIB

interface HealthParts {
  readonly db: Database
  readonly audit: Pick<AuditLanes, 'failedAt'>
  readonly embeddings: Pick<Embeddings, 'providers' | 'resting'>
  readonly dataDir: string | undefined
  readonly clock: { readonly aheadBy: number }
}

/** Checks everything that answering depends on, within about two seconds however busy the store is. */
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

  /** Callers within the same second share one answer. */
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
    const checks = [...found, this.#lookAtModels(), this.#lookAtClock()].filter(check => check !== null)
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
    // Only a request can show that entries are written again, and a load balancer sends none to a failing process.
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

  /** Reported only if it is wrong, because it can be noticed only then. */
  #lookAtClock(): HealthCheck | null {
    const { aheadBy } = this.#parts.clock
    if (aheadBy < CLOCK_TOLERANCE_MS) return null
    const minutes = Math.round(aheadBy / 60_000)
    const message = `the clock of this machine is ${minutes} minutes behind the latest time in the store; set it right`
    return { name: 'clock', status: 'warning', message }
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

/** Runs one probe at a time: a second caller waits for the answer to the first. */
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
