import type { Transaction } from '../database.js'

/** A profile or the link from which it came, and its limit of uses. */
export interface RateSubject {
  readonly subject: string
  readonly limit: number
}

/** Whether a use was within its limits; if not, how often the asker was refused, and the oldest use that counts. */
export interface CountedUse {
  readonly counted: boolean
  readonly refusals: number
  readonly oldest: Date | null
}

/**
 * Counts one use against every subject, unless one of them has reached its limit since the given time. Then only the
 * refusal is counted, for the asker. Subjects are locked, so that two concurrent uses count as two.
 */
export async function countUse(
  tx: Transaction,
  tenant: string,
  kind: string,
  subjects: readonly RateSubject[],
  asker: string,
  use: { readonly id: string; readonly since: Date; readonly at: Date },
): Promise<CountedUse> {
  const locked = [...new Set([asker, ...subjects.map(({ subject }) => subject)])].sort()
  for (const subject of locked) await tx.query(LOCK_SUBJECT, [JSON.stringify([tenant, subject])])
  const refused = `refused:${kind}`
  let within = true
  let oldest: Date | null = null
  for (const subject of locked) await tx.query(DELETE_OLD, [tenant, subject, [kind, refused], use.since])
  for (const { subject, limit } of subjects) {
    const [row] = await tx.query<{ uses: number; oldest: Date | null }>(COUNT_USES, [tenant, subject, kind])
    if ((row?.uses ?? 0) < limit) continue
    within = false
    // Every limit must have room again, so the latest of them decides.
    if (row?.oldest != null && (oldest === null || row.oldest > oldest)) oldest = row.oldest
  }
  const ids = within ? subjects.map(({ subject }) => subject) : [asker]
  await tx.query(INSERT_USES, [tenant, ids, within ? kind : refused, use.at, use.id])
  const [refusals] = within ? [] : await tx.query<{ uses: number }>(COUNT_USES, [tenant, asker, refused])
  return { counted: within, refusals: refusals?.uses ?? 0, oldest }
}

const LOCK_SUBJECT = `select pg_advisory_xact_lock(hashtextextended($1, 13))`

const DELETE_OLD = `
  delete from privity.profile_uses
  where tenant_id = $1
    and subject = $2
    and kind = any ($3::text[])
    and at <= $4`

const COUNT_USES = `
  select count(*)::int as "uses", min(at) as "oldest"
  from privity.profile_uses
  where tenant_id = $1
    and subject = $2
    and kind = $3`

const INSERT_USES = `
  insert into privity.profile_uses (tenant_id, subject, kind, at, use_id)
  select $1, subject, $3, $4, $5
  from unnest($2::uuid[]) as subject`

/** Suspends an active profile; returns false if it was not active. */
export async function suspendForRate(
  tx: Transaction,
  tenant: string,
  profileId: string,
  reason: string,
  generation: string,
  at: Date,
): Promise<boolean> {
  return (await tx.query(SUSPEND, [tenant, profileId, reason, at, generation])).length > 0
}

const SUSPEND = `
  update privity.profiles
  set state = 'suspended', suspended_at = $4, suspended_reason = $3, version = version + 1, policy_generation = $5
  where tenant_id = $1
    and profile_id = $2
    and state = 'active'
  returning profile_id`

/** Deletes the refusals of a profile, so that it starts anew when it is resumed. */
export async function forgetRefusals(tx: Transaction, tenant: string, profileId: string): Promise<void> {
  await tx.query(FORGET_REFUSALS, [tenant, profileId])
}

const FORGET_REFUSALS = `
  delete from privity.profile_uses
  where tenant_id = $1
    and subject = $2
    and kind like 'refused:%'`
