import type { Load } from '../runtime/fairness/fair-share.js'
import type { Health, HealthCheck } from '../runtime/health.js'

/** How much runs and waits, by what it is. */
export type Loads = Readonly<Record<string, Load>>

/** Without these no request can be answered. The others are waited for by few. */
const NEEDED = new Set(['requests', 'credentials'])

/**
 * Adds what is full: a warning, or a failure if everybody new is refused, so that a load balancer asks another process.
 * It tells what, by a fixed name, and never who (OP-8).
 */
export function withSaturation(health: Health, loads: Loads): Health {
  const full = Object.entries(loads).filter(([, load]) => load.full)
  const [status, ...checks] = [health.status, ...full.map(([name]) => checkOf(name))] as const
  const worst = checks.some(check => check.status === 'failing')
    ? 'failing'
    : checks.length > 0 && status === 'ready'
      ? 'warning'
      : status
  return { status: worst, checks: [...health.checks, ...checks] }
}

const checkOf = (name: string): HealthCheck => ({
  name: 'saturation',
  status: NEEDED.has(name) ? 'failing' : 'warning',
  message: `${name}_full`,
})
