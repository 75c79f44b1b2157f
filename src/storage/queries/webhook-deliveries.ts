import type { Transaction } from '../database.js'

/** A delivery that this process has leased, with everything to send. */
export interface LeasedDelivery {
  readonly id: string
  /** The number of this attempt, which no other process has. */
  readonly attempt: number
  readonly url: string
  readonly sealedSecret: string
  /** The notification to send; a ping has none. */
  readonly notification: {
    readonly id: string
    readonly type: string
    readonly recipient: string
    readonly session: string | null
    readonly refs: Readonly<Record<string, string>>
    readonly createdAt: string
  } | null
  readonly createdAt: Date
}

/** The webhooks with waiting deliveries, each a queue, and the milliseconds until its first delivery is due. */
export function loadDueWebhooks(tx: Transaction, tenant: string): Promise<{ line: string; dueIn: number }[]> {
  return tx.query(DUE, [tenant])
}

const DUE = `
  select
    webhook_id as "line",
    (extract(epoch from min(greatest(next_at, leased_until)) - clock_timestamp()) * 1000)::float8 as "dueIn"
  from privity.webhook_deliveries
  where tenant_id = $1
  group by webhook_id`

/**
 * Leases the due deliveries of a webhook for some milliseconds. If this process dies, another one takes over when the
 * lease ends.
 */
export function leaseDeliveries(
  tx: Transaction,
  tenant: string,
  webhookId: string,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<LeasedDelivery[]> {
  return tx.query<LeasedDelivery>(LEASE, [tenant, webhookId, limit, leaseMs])
}

const LEASE = `
  with due as (
    select delivery_id
    from privity.webhook_deliveries
    where tenant_id = $1
      and webhook_id = $2
      and next_at <= clock_timestamp()
      and (leased_until is null or leased_until <= clock_timestamp())
    order by next_at
    limit $3
    for update skip locked
  ),
  leased as (
    update privity.webhook_deliveries d
    set
      attempts = d.attempts + 1,
      leased_until = clock_timestamp() + $4 * interval '1 millisecond'
    from due
    where d.tenant_id = $1
      and d.delivery_id = due.delivery_id
    returning d.delivery_id, d.attempts, d.webhook_id, d.notification_id, d.created_at
  )
  select
    l.delivery_id as "id",
    l.attempts as "attempt",
    w.url,
    w.secret as "sealedSecret",
    case when n.notification_id is not null then jsonb_build_object(
      'id', n.notification_id,
      'type', n.type,
      'recipient', n.recipient,
      'session', n.session_id,
      'refs', n.refs,
      'createdAt', n.created_at
    ) end as "notification",
    l.created_at as "createdAt"
  from leased l
  join privity.webhooks w on w.tenant_id = $1 and w.webhook_id = l.webhook_id
  left join privity.notifications n on n.tenant_id = $1 and n.notification_id = l.notification_id`

/** Records that a delivery arrived, even if another process has leased it meanwhile. */
export async function markDelivered(
  tx: Transaction,
  tenant: string,
  webhookId: string,
  deliveryId: string,
  now: Date,
): Promise<void> {
  // Locks the webhook first, in the same order as deleting it does.
  await tx.query(NOTE_SUCCESS, [tenant, webhookId, now])
  await tx.query(REMOVE, [tenant, deliveryId])
}

const REMOVE = `
  delete from privity.webhook_deliveries
  where tenant_id = $1
    and delivery_id = $2`

const NOTE_SUCCESS = `
  update privity.webhooks
  set last_success_at = $3
  where tenant_id = $1
    and webhook_id = $2`

/**
 * Records a failed delivery: it is due again after some milliseconds, or given up if it has waited longer than
 * `mostMs`.
 */
export async function markDeliveryFailed(
  tx: Transaction,
  tenant: string,
  webhookId: string,
  { id, attempt }: Pick<LeasedDelivery, 'id' | 'attempt'>,
  failed: { why: string; retryMs: number; mostMs: number; now: Date },
): Promise<void> {
  await tx.query(NOTE_FAILURE, [tenant, webhookId, failed.now, failed.why])
  const givenUp = await tx.query(GIVE_UP, [tenant, id, attempt, failed.mostMs])
  if (givenUp.length > 0) await tx.query(COUNT_GIVEN_UP, [tenant, webhookId])
  else await tx.query(POSTPONE, [tenant, id, attempt, failed.retryMs])
}

const GIVE_UP = `
  delete from privity.webhook_deliveries
  where tenant_id = $1
    and delivery_id = $2
    and attempts = $3
    and created_at <= clock_timestamp() - $4 * interval '1 millisecond'
  returning delivery_id`

const POSTPONE = `
  update privity.webhook_deliveries
  set
    next_at = clock_timestamp() + $4 * interval '1 millisecond',
    leased_until = null
  where tenant_id = $1
    and delivery_id = $2
    and attempts = $3`

const NOTE_FAILURE = `
  update privity.webhooks
  set
    last_failure_at = $3,
    last_failure = $4
  where tenant_id = $1
    and webhook_id = $2`

const COUNT_GIVEN_UP = `
  update privity.webhooks
  set given_up = given_up + 1
  where tenant_id = $1
    and webhook_id = $2`

/** Disables a webhook whose receiver is permanently gone: nothing more is sent to it. */
export async function disableWebhook(
  tx: Transaction,
  tenant: string,
  webhookId: string,
  why: string,
  now: Date,
): Promise<void> {
  await tx.query(DISABLE, [tenant, webhookId, now, why])
  await tx.query(REMOVE_ALL, [tenant, webhookId])
}

const DISABLE = `
  update privity.webhooks
  set disabled_at = $3, last_failure_at = $3, last_failure = $4
  where tenant_id = $1
    and webhook_id = $2`

const REMOVE_ALL = `
  delete from privity.webhook_deliveries
  where tenant_id = $1
    and webhook_id = $2`
