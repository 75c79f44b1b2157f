import type { Transaction } from '../database.js'

export interface WebhookRow {
  readonly id: string
  readonly url: string
  /** Null means all types. */
  readonly types: readonly string[] | null
  readonly description: string | null
  readonly createdAt: Date
  readonly disabledAt: Date | null
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
  readonly lastFailure: string | null
  /** The number of waiting deliveries, and of those given up. */
  readonly waiting: number
  readonly givenUp: number
}

const COLUMNS = `
    w.webhook_id as "id",
    w.url,
    w.types,
    w.description,
    w.created_at as "createdAt",
    w.disabled_at as "disabledAt",
    w.last_success_at as "lastSuccessAt",
    w.last_failure_at as "lastFailureAt",
    w.last_failure as "lastFailure",
    (select count(*)::int
     from privity.webhook_deliveries d
     where d.tenant_id = w.tenant_id
       and d.webhook_id = w.webhook_id) as "waiting",
    w.given_up as "givenUp"`

export async function insertWebhook(
  tx: Transaction,
  tenant: string,
  webhook: Pick<WebhookRow, 'id' | 'url' | 'types' | 'description' | 'createdAt'> & {
    readonly secret: string
    readonly createdBy: string
  },
): Promise<void> {
  await tx.query(INSERT, [
    tenant,
    webhook.id,
    webhook.url,
    webhook.types,
    webhook.description,
    webhook.secret,
    webhook.createdBy,
    webhook.createdAt,
  ])
}

const INSERT = `
  insert into privity.webhooks
    (tenant_id, webhook_id, url, types, description, secret, created_by, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

/** All webhooks of a tenant, newest first. There are never many. */
export function listWebhooks(tx: Transaction, tenant: string): Promise<WebhookRow[]> {
  return tx.query<WebhookRow>(LIST, [tenant])
}

const LIST = `
  select ${COLUMNS}
  from privity.webhooks w
  where w.tenant_id = $1
  order by w.created_at desc, w.webhook_id desc`

export async function loadWebhook(
  tx: Transaction,
  tenant: string,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(LOAD, [tenant, webhookId])
  return row
}

const LOAD = `
  select ${COLUMNS}
  from privity.webhooks w
  where w.tenant_id = $1
    and w.webhook_id = $2`

export async function countWebhooks(tx: Transaction, tenant: string): Promise<number> {
  const [row] = await tx.query<{ webhooks: number }>(COUNT, [tenant])
  return row?.webhooks ?? 0
}

const COUNT = `
  select count(*)::int as "webhooks"
  from privity.webhooks
  where tenant_id = $1`

/** Deletes a webhook with its waiting deliveries. Returns false if there is none. */
export async function deleteWebhook(tx: Transaction, tenant: string, webhookId: string): Promise<boolean> {
  return (await tx.query(DELETE, [tenant, webhookId])).length > 0
}

const DELETE = `
  delete from privity.webhooks
  where tenant_id = $1
    and webhook_id = $2
  returning webhook_id`

/** Adds a delivery without a notification. Returns false if the webhook does not exist or is disabled. */
export async function insertPing(
  tx: Transaction,
  tenant: string,
  webhookId: string,
  deliveryId: string,
): Promise<boolean> {
  return (await tx.query(INSERT_PING, [tenant, webhookId, deliveryId])).length > 0
}

const INSERT_PING = `
  insert into privity.webhook_deliveries (tenant_id, delivery_id, webhook_id)
  select tenant_id, $3, webhook_id
  from privity.webhooks
  where tenant_id = $1
    and webhook_id = $2
    and disabled_at is null
  returning delivery_id`
