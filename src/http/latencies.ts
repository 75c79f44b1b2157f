/** Upper ends of the intervals in milliseconds, a quarter apart: from 1 ms to about half a minute. */
const BOUNDS = Array.from({ length: 47 }, (_, at) => Math.round(1.25 ** at * 10) / 10)
const MINUTE = 60_000
/** How many minutes are remembered, and of how many tenants. */
const MOST_MINUTES = 12 * 60
const MOST_TENANTS = 500

/** How long the requests of one minute took. */
export interface MinuteLatency {
  /** The start of the minute, as an ISO 8601 time. */
  readonly at: string
  /** Half of the requests took at most this many milliseconds. */
  readonly median: number
  /** 95 of 100 requests took at most this many milliseconds. */
  readonly p95: number
}

/**
 * How long this process took to answer, by tenant and minute. It is a picture for whoever runs a tenant; `/metrics` has
 * the exact figures of all of them.
 */
export class Latencies {
  readonly #now: () => number
  readonly #tenants = new Map<string, Map<number, Uint32Array>>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  note(tenant: string, milliseconds: number): void {
    const minutes = this.#tenants.get(tenant) ?? new Map<number, Uint32Array>()
    // The tenant that was quiet for longest is the first to be forgotten.
    this.#tenants.delete(tenant)
    this.#tenants.set(tenant, minutes)
    drop(this.#tenants, MOST_TENANTS)
    const minute = Math.floor(this.#now() / MINUTE)
    const counts = minutes.get(minute) ?? new Uint32Array(BOUNDS.length + 1)
    minutes.set(minute, counts)
    drop(minutes, MOST_MINUTES)
    const found = BOUNDS.findIndex(bound => milliseconds <= bound)
    const slot = found < 0 ? BOUNDS.length : found
    counts[slot] = (counts[slot] ?? 0) + 1
  }

  of(tenant: string): MinuteLatency[] {
    return [...(this.#tenants.get(tenant) ?? [])].map(([minute, counts]) => ({
      at: new Date(minute * MINUTE).toISOString(),
      median: quantile(counts, 0.5),
      p95: quantile(counts, 0.95),
    }))
  }
}

/** Forgets what was added first. */
function drop(map: Map<unknown, unknown>, most: number): void {
  const [first] = map.keys()
  if (map.size > most) map.delete(first)
}

function quantile(counts: Uint32Array, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  const slot = counts.findIndex(count => {
    seen += count
    return seen >= total * share
  })
  return BOUNDS[slot] ?? BOUNDS.at(-1) ?? 0
}
