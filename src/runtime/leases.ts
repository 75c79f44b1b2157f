import { z } from 'zod'
import type { Database, Transaction } from '../storage/database.js'
import {
  deleteLease,
  insertLease,
  type LeaseBounds,
  type LeaseKey,
  lockLeases,
  renewLease,
} from '../storage/queries/leases.js'
import type { Clock } from './clock.js'
import { name } from './input.js'

/** How many requests of one class a tenant may run at once. A plain number is the total. */
export type Capacity =
  | number
  | {
      readonly total: number
      /** The maximum for one credential, that is, an API key or a pair of actor and principal. Default: the total. */
      readonly perCredential?: number | undefined
      /** After how many seconds the leases of a dead process no longer count. Default: 60. */
      readonly seconds?: number | undefined
    }

const total = z.int().min(0).max(1_000_000)
/** The capacity of one class as an object. */
export const capacityTotal = z
  .strictObject({
    total: total.meta({ description: 'Most calls at once.', example: 8 }),
    perCredential: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Most calls at once by one credential.', example: 2 }),
    seconds: z.int().min(1).max(86_400).optional().meta({
      description: 'Seconds after which a call that was not given back no longer counts.',
      example: 120,
    }),
  })
  .refine(({ total, perCredential = 0 }) => perCredential <= total, {
    message: 'perCredential may not be more than total',
  })
export const capacityOption = z.record(name, z.union([total, capacityTotal])) satisfies z.ZodType<
  Readonly<Record<string, Capacity>>
>

const SECONDS = 60
/** How often a lease is renewed within its lifetime, so that it survives a missed renewal. */
const RENEWALS = 3

/** A slot of limited capacity, held while a request runs. */
export interface Lease {
  /** Never throws: a lease that cannot be released now expires by itself. */
  release(): Promise<void>
}

/** The capacity of a class, and how long a lease lasts without renewal. */
export interface ClassBounds extends LeaseBounds {
  readonly seconds: number
}

/** Identifies the credential that capacity is counted for. */
export const holderOf = (
  { key }: { readonly key: string | null },
  { actorId, forId }: { readonly actorId: string; readonly forId: string },
): string => key ?? JSON.stringify([actorId, forId])

/**
 * Limits how many requests of a class run at once, over all processes of a store (CP-3). A class without capacity has
 * none.
 */
export class Leases {
  readonly #db: Database
  readonly #clock: Clock
  readonly #bounds: ReadonlyMap<string, ClassBounds>
  readonly #held = new Set<Lease>()
  /** The leases being released, with their class. */
  readonly #returning = new Map<Promise<void>, string>()

  constructor(db: Database, clock: Clock, capacity: Readonly<Record<string, Capacity>> = {}) {
    this.#db = db
    this.#clock = clock
    this.#bounds = new Map(
      Object.entries(capacity).map(([leaseClass, given]) => [leaseClass, boundsOf(given)]),
    )
  }

  /** A tenant's capacity of a class: what the operator grants, limited by what its host says. Null means none. */
  boundsOf(leaseClass: string, byHost: ClassBounds | undefined): ClassBounds | null {
    const given = this.#bounds.get(leaseClass)
    const bounds = given === undefined || byHost === undefined ? (given ?? byHost) : within(given, byHost)
    return bounds === undefined || bounds.total === 0 ? null : bounds
  }

  /** Returns null if this holder can get no lease now. Do not call it inside a transaction: it opens its own. */
  async take(
    tenant: string,
    leaseClass: string,
    holder: string,
    byHost?: ClassBounds,
  ): Promise<Lease | null> {
    const bounds = this.boundsOf(leaseClass, byHost)
    if (bounds === null) return null
    // A caller that sends one request after another must not be refused because of leases it is just releasing.
    const ofClass = JSON.stringify([tenant, leaseClass])
    await Promise.all([...this.#returning].filter(([, of]) => of === ofClass).map(([returned]) => returned))
    const key = { leaseClass, leaseId: this.#clock.newId('lease') }
    const taken = await this.#transaction(tenant, async tx => {
      await lockLeases(tx, tenant, leaseClass)
      const takenAt = this.#clock.now()
      const expiresAt = this.#expiryOf(bounds)
      return insertLease(tx, tenant, { ...key, holder, takenAt, expiresAt }, bounds)
    })
    return taken ? this.#hold(tenant, key, bounds) : null
  }

  /** Releases all leases that are still held. */
  async close(): Promise<void> {
    for (const lease of this.#held) void lease.release()
    await Promise.all(this.#returning.keys())
  }

  #hold(tenant: string, key: LeaseKey, bounds: ClassBounds): Lease {
    const renew = () =>
      this.#transaction(tenant, tx => renewLease(tx, tenant, key, this.#expiryOf(bounds))).catch(() => {})
    const timer = setInterval(renew, (bounds.seconds * 1_000) / RENEWALS).unref()
    const lease = {
      release: async () => {
        if (!this.#held.delete(lease)) return
        clearInterval(timer)
        const returned = this.#transaction(tenant, tx => deleteLease(tx, tenant, key)).catch(() => {})
        this.#returning.set(returned, JSON.stringify([tenant, key.leaseClass]))
        await returned
        this.#returning.delete(returned)
      },
    }
    this.#held.add(lease)
    return lease
  }

  #expiryOf({ seconds }: ClassBounds): Date {
    return new Date(this.#clock.now().getTime() + seconds * 1_000)
  }

  #transaction<T>(tenant: string, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      fn,
    )
  }
}

const within = (a: ClassBounds, b: ClassBounds): ClassBounds => ({
  total: Math.min(a.total, b.total),
  perCredential: Math.min(a.perCredential, b.perCredential),
  seconds: Math.min(a.seconds, b.seconds),
})

export function boundsOf(given: Capacity): ClassBounds {
  const {
    total,
    perCredential = total,
    seconds = SECONDS,
  } = typeof given === 'number' ? { total: given } : given
  return { total, perCredential, seconds }
}
