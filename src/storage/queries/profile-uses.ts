import type { Transaction } from '../database.js'

/** A profile, or the link it came by, and how often it may do something. */
export interface RateSubject {
  readonly subject: string
  readonly limit: number
}

/**
 * Counts one use against every subject, unless one of them has had as many as it may since a moment: then nothing is
 * counted but that whoever asked was refused, and how often that was. Whoever counts the same waits, so that two at once
 * are two.
 */
export async function countUse(
  tx: Transaction,
  tenant: string,
  kind: string,
  subjects: readonly RateSubject[],
  asker: string,
  use: { readonly id: string; readonly since: Date; readonly at: Date },
): Promise<{ readonly counted: boolean; readonly refusals: number }> {
  const locked = [...new Set([asker, ...subjects.map(({ subject }) => subject)])].sort()
  for (const subject of locked) await tx.query(LOCK_SUBJECT, [JSON.stringify([tenant, subject])])
  const refused = `refused:${kind}`
  let within = true
  for (const subject of locked) await tx.query(DELETE_OLD, [tenant, subject, [kind, refused], use.since])
  for (const { subject, limit } of subjects) {
    const [row] = await tx.query<{ uses: number }>(COUNT_USES, [tenant, subject, kind])
    if ((row?.uses ?? 0) >= limit) within = false
  }
  const ids = within ? subjects.map(({ subject }) => subject) : [asker]
  await tx.query(INSERT_USES, [tenant, ids, within ? kind : refused, use.at, use.id])
  const [refusals] = within ? [] : await tx.query<{ uses: number }>(COUNT_USES, [tenant, asker, refused])
  return { counted: within, refusals: refusals?.uses ?? 0 }
}

const LOCK_SUBJECT = `select pg_advisory_xact_lock(hashtextextended($1, 13))`

const DELETE_OLD = `
  delete from privity.profile_uses
  where tenant_id = $1
    and subject = $2
    and kind = any ($3::text[])
    and at <= $4`

const COUNT_USES = `
  select count(*)::int as "uses"
  from privity.profile_uses
  where tenant_id = $1
    and subject = $2
    and kind = $3`

const INSERT_USES = `
  insert into privity.profile_uses (tenant_id, subject, kind, at, use_id)
  select $1, subject, $3, $4, $5
  from unnest($2::uuid[]) as subject`

/** Suspends a profile that is active; false where it was not. */
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

/** Forgets how often a profile was refused: whoever resumes it starts anew. */
export async function forgetRefusals(tx: Transaction, tenant: string, profileId: string): Promise<void> {
  await tx.query(FORGET_REFUSALS, [tenant, profileId])
}

const FORGET_REFUSALS = `
  delete from privity.profile_uses
  where tenant_id = $1
    and subject = $2
    and kind like 'refused:%'`
