import type { Database, Transaction } from '../storage/database.js'
import { advanceGeneration } from '../storage/queries/advance-generation.js'
import { insertOperation } from '../storage/queries/operations.js'
import { countUse, type RateSubject, suspendForRate } from '../storage/queries/profile-uses.js'
import { noteProfileUse } from '../storage/queries/profiles.js'
import { profileOwner } from '../storage/queries/running-profile.js'
import type { Clock } from './clock.js'
import type { Rate } from './operation.js'
import type { RunningProfile } from './profile.js'

const HOUR = 3_600_000
const WINDOW: Readonly<Record<Rate, number>> = {
  query: HOUR,
  completion: HOUR,
  view: HOUR,
  upload: 24 * HOUR,
}
/** A question is completed a few times while it is typed, so completions are limited in proportion to queries. */
const COMPLETIONS_PER_QUERY = 10
const LIMIT = {
  query: { field: 'maxQueriesPerHour', times: 1 },
  completion: { field: 'maxQueriesPerHour', times: COMPLETIONS_PER_QUERY },
  view: { field: 'maxDocumentViewsPerHour', times: 1 },
  upload: { field: 'maxUploadsPerDay', times: 1 },
} as const satisfies Record<Rate, { field: string; times: number }>

/** A profile with this many refusals in one window is suspended until its host resumes it (SP-2). */
export const SUSPENDED_AFTER = 20

/**
 * The limits that a use counts against: those of the profile, of the profiles that spawned it, and of its link
 * (SP-10).
 */
export function limitsOf({ chain, link }: RunningProfile, rate: Rate): RateSubject[] {
  const { field, times } = LIMIT[rate]
  const shared = link?.rateLimits[field]
  return [
    ...chain.flatMap(({ profileId, fields }) => {
      const limit = fields[field]
      return limit == null ? [] : [{ subject: profileId, limit: limit * times }]
    }),
    ...(link === null || shared === undefined ? [] : [{ subject: link.linkId, limit: shared * times }]),
  ]
}

const MINUTE = 60_000

/** What uses are counted for that belong to no profile. */
const WHOLE_TENANT = '00000000-0000-0000-0000-000000000000'

/** In how many seconds the oldest use no longer counts, in whole minutes: whose use that was is nobody's business. */
function retrySeconds(oldest: Date | null, windowMs: number, now: Date): number {
  const left = oldest === null ? windowMs : oldest.getTime() + windowMs - now.getTime()
  return Math.max(1, Math.ceil(left / MINUTE)) * 60
}

/** Rate limits that apply across processes, because every use is a row. */
export class Rates {
  readonly #db: Database
  readonly #clock: Clock

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Counts calls to the model of capture within 24 hours; false if some are beyond the limit of the tenant. */
  async countModelCalls(tenant: string, calls: number, limit: number): Promise<boolean> {
    const at = this.#clock.now()
    const since = new Date(at.getTime() - 24 * HOUR)
    return this.#db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      async tx => {
        for (let nth = 0; nth < calls; nth++) {
          const use = { id: this.#clock.newId('use'), since, at }
          const subjects = [{ subject: WHOLE_TENANT, limit }]
          const { counted } = await countUse(tx, tenant, 'capture', subjects, WHOLE_TENANT, use)
          if (!counted) return false
        }
        return true
      },
    )
  }

  /** Counts one use in its own transaction; returns null, or after how many seconds it may be tried again. */
  count(
    tenant: string,
    rate: Rate,
    profile: RunningProfile,
    by: { readonly actorId: string; readonly forId: string; readonly audience: string },
  ): Promise<number | null> {
    const now = this.#clock.now()
    const { profileId } = profile.row
    return this.#db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      async tx => {
        await this.#noteUse(tx, tenant, profile, now)
        const use = { id: this.#clock.newId('use'), since: new Date(now.getTime() - WINDOW[rate]), at: now }
        const { counted, refusals, oldest } = await countUse(
          tx,
          tenant,
          rate,
          limitsOf(profile, rate),
          profileId,
          use,
        )
        const retryAfter = counted ? null : retrySeconds(oldest, WINDOW[rate], now)
        if (refusals < SUSPENDED_AFTER) return retryAfter
        const generation = this.#clock.newId('generation')
        if (!(await suspendForRate(tx, tenant, profileId, 'rate_limit_exceeded', generation, now)))
          return retryAfter
        await advanceGeneration(tx, tenant, [profileOwner(profileId)], generation)
        await insertOperation(tx, tenant, {
          operationId: this.#clock.newId('operation'),
          name: 'profiles.suspend',
          ...by,
          authenticated: false,
          effects: ['profile_suspended'],
          reversibility: 'reversible',
          refs: [profileId],
          causalParents: [],
          idempotencyKey: null,
          requestDigest: null,
          label: null,
          credential: '',
          policyGeneration: generation,
          createdAt: now,
        })
        return retryAfter
      },
    )
  }

  /** A session that is used does not end idle. It is noted now and then, not with every request. */
  async #noteUse(tx: Transaction, tenant: string, { row, link }: RunningProfile, now: Date): Promise<void> {
    if (row.idleAt === null || link?.sessionIdleSeconds == null) return
    const idleMs = link.sessionIdleSeconds * 1_000
    if (row.idleAt.getTime() - now.getTime() > idleMs * 0.9) return
    await noteProfileUse(tx, tenant, row.profileId, new Date(now.getTime() + idleMs))
  }
}
