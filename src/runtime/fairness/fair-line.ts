/** Who work is done for. The limits of both apply: a tenant with many keys gets no more than its share. */
export interface Party {
  readonly tenant: string
  readonly credential: string
}

/** A party for one of its requests. Nobody waits for that any more once its signal is aborted. */
export interface Waiter extends Party {
  readonly signal?: AbortSignal | undefined
}

/** Limits on what runs at once or waits: in total, for one tenant and for one credential. */
export interface Limits {
  readonly total: number
  readonly perTenant: number
  readonly perCredential: number
}

interface CredentialLine<Job> {
  running: number
  readonly jobs: Job[]
}

interface TenantLine<Job> {
  running: number
  waiting: number
  /** In the order of their turns. */
  readonly credentials: Map<string, CredentialLine<Job>>
}

/**
 * Jobs that run or wait. The next job is that of the tenant with the fewest running ones; among equals, tenants take
 * turns, and the credentials within a tenant do the same. So however many jobs one party adds, another party's first
 * job waits for one turn of each tenant at most (OP-8). It has no clock and starts nothing.
 */
export class FairLine<Job> {
  readonly #running: Limits
  readonly #waiting: Limits
  /** In the order of their turns. */
  readonly #tenants = new Map<string, TenantLine<Job>>()
  #runs = 0
  #waits = 0

  constructor(running: Limits, waiting: Limits) {
    this.#running = running
    this.#waiting = waiting
  }

  get running(): number {
    return this.#runs
  }
  get waiting(): number {
    return this.#waits
  }
  /** Whether somebody who is not here yet would be refused. */
  get isFull(): boolean {
    return this.#waits >= this.#waiting.total
  }

  /** Whether neither the line nor this party's share of it is full. */
  hasRoomFor({ tenant, credential }: Party): boolean {
    const of = this.#tenants.get(tenant)
    return (
      this.#waits < this.#waiting.total &&
      (of?.waiting ?? 0) < this.#waiting.perTenant &&
      (of?.credentials.get(credential)?.jobs.length ?? 0) < this.#waiting.perCredential
    )
  }

  /** Adds a job to the line. Returns false if there is no room for it. */
  add(party: Party, job: Job): boolean {
    if (!this.hasRoomFor(party)) return false
    const { tenant, credential } = party
    const { of, own } = this.#lineOf(tenant, credential)
    own.jobs.push(job)
    of.waiting++
    this.#waits++
    return true
  }

  /** Takes the next job that may run, and counts it as running until `leave`. */
  take(): { readonly party: Party; readonly job: Job } | null {
    if (this.#waits === 0 || this.#runs >= this.#running.total) return null
    let first: { tenant: string; of: TenantLine<Job>; credential: string } | null = null
    for (const [tenant, of] of this.#tenants) {
      if (of.waiting === 0 || of.running >= this.#running.perTenant) continue
      if (first !== null && of.running >= first.of.running) continue
      const credential = this.#nextCredential(of)
      if (credential !== null) first = { tenant, of, credential }
    }
    if (first === null) return null
    const { tenant, of, credential } = first
    const own = of.credentials.get(credential) as CredentialLine<Job>
    const job = own.jobs.shift() as Job
    own.running++
    of.running++
    of.waiting--
    this.#runs++
    this.#waits--
    // Whoever had a turn moves behind the others.
    of.credentials.delete(credential)
    of.credentials.set(credential, own)
    this.#tenants.delete(tenant)
    this.#tenants.set(tenant, of)
    return { party: { tenant, credential }, job }
  }

  /** Called when a job that was taken has ended. */
  leave({ tenant, credential }: Party): void {
    const { of, own } = this.#lineOf(tenant, credential)
    own.running--
    of.running--
    this.#runs--
    this.#clean(tenant, credential)
  }

  /** Removes a job that nobody waits for any more. Returns false if it does not wait. */
  remove({ tenant, credential }: Party, job: Job): boolean {
    const of = this.#tenants.get(tenant)
    const own = of?.credentials.get(credential)
    const at = own?.jobs.indexOf(job) ?? -1
    if (of === undefined || own === undefined || at < 0) return false
    own.jobs.splice(at, 1)
    of.waiting--
    this.#waits--
    this.#clean(tenant, credential)
    return true
  }

  /** Whether somebody else's job could run if one of this party's ended. */
  isInTheWay({ tenant, credential }: Party): boolean {
    for (const [name, of] of this.#tenants) {
      if (name !== tenant) {
        const could = of.running < this.#running.perTenant && this.#nextCredential(of) !== null
        if (could && this.#runs >= this.#running.total) return true
        continue
      }
      for (const [other, { jobs, running }] of of.credentials)
        if (other !== credential && jobs.length > 0 && running < this.#running.perCredential) return true
    }
    return false
  }

  /** Removes all jobs that wait, and returns them. */
  drain(): Job[] {
    const drained: Job[] = []
    for (const [tenant, of] of [...this.#tenants])
      for (const [credential, { jobs }] of [...of.credentials]) {
        of.waiting -= jobs.length
        this.#waits -= jobs.length
        drained.push(...jobs.splice(0))
        this.#clean(tenant, credential)
      }
    return drained
  }

  #nextCredential(of: TenantLine<Job>): string | null {
    let least: { credential: string; running: number } | null = null
    for (const [credential, { jobs, running }] of of.credentials) {
      if (jobs.length === 0 || running >= this.#running.perCredential) continue
      if (least === null || running < least.running) least = { credential, running }
    }
    return least?.credential ?? null
  }

  #lineOf(tenant: string, credential: string) {
    const of: TenantLine<Job> = this.#tenants.get(tenant) ?? {
      running: 0,
      waiting: 0,
      credentials: new Map(),
    }
    this.#tenants.set(tenant, of)
    const own = of.credentials.get(credential) ?? { running: 0, jobs: [] }
    of.credentials.set(credential, own)
    return { of, own }
  }

  /** Forgets parties that neither run nor wait. */
  #clean(tenant: string, credential: string): void {
    const of = this.#tenants.get(tenant)
    const own = of?.credentials.get(credential)
    if (own?.running === 0 && own.jobs.length === 0) of?.credentials.delete(credential)
    if (of?.credentials.size === 0) this.#tenants.delete(tenant)
  }
}
