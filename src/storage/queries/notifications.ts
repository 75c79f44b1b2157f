import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

export interface NotificationRow {
  readonly id: string
  readonly recipient: string
  readonly type: string
  readonly session: string | null
  /** The ids of what the notification is about. */
  readonly refs: Readonly<Record<string, string>>
  readonly createdAt: Date
  readonly readAt: Date | null
}

/**
 * Inserts notifications and, in the same statement, a delivery for each enabled webhook that wants one. One that was
 * already told since `toldSince`, with the same refs, is not told again. Returns how many were told, and the number of
 * deliveries.
 */
export async function insertNotifications(
  tx: Transaction,
  tenant: string,
  notifications: readonly Omit<NotificationRow, 'createdAt' | 'readAt'>[],
  now: Date,
  toldSince: Date | null = null,
): Promise<{ told: number; deliveries: number }> {
  const of = <Field extends keyof (typeof notifications)[number]>(field: Field) =>
    notifications.map(notification => notification[field])
  const [row] = await tx.query<{ told: number; deliveries: number }>(INSERT, [
    tenant,
    of('id'),
    of('recipient'),
    of('type'),
    of('session'),
    of('refs').map(refs => JSON.stringify(refs)),
    now,
    toldSince,
  ])
  return row ?? { told: 0, deliveries: 0 }
}

const INSERT = `
  with added as (
    insert into privity.notifications
      (tenant_id, notification_id, recipient, type, session_id, refs, created_at)
    select $1, notification_id, recipient, type, session_id, refs::jsonb, $7
    from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
      as event (notification_id, recipient, type, session_id, refs)
    where $8::timestamptz is null
      or not exists (
        select 1
        from privity.notifications n
        where n.tenant_id = $1
          and n.recipient = event.recipient
          and n.created_at > $8
          and n.type = event.type
          and n.refs = event.refs::jsonb)
    returning notification_id, type
  ),
  waiting as (
    insert into privity.webhook_deliveries (tenant_id, delivery_id, webhook_id, notification_id)
    select w.tenant_id, gen_random_uuid(), w.webhook_id, added.notification_id
    from added
    join privity.webhooks w on w.types is null or added.type = any (w.types)
    where w.tenant_id = $1
      and w.disabled_at is null
    returning delivery_id
  )
  select
    (select count(*)::int from added) as "told",
    (select count(*)::int from waiting) as "deliveries"`

/** Deletes the notifications about a session, with their waiting deliveries. */
export async function deleteNotificationsOfSession(
  tx: Transaction,
  tenant: string,
  session: string,
): Promise<void> {
  await tx.query(DELETE_OF_SESSION, [tenant, session])
}

const DELETE_OF_SESSION = `
  delete from privity.notifications
  where tenant_id = $1
    and session_id = $2`

/** Deletes the notifications of a recipient. */
export async function deleteNotificationsTo(
  tx: Transaction,
  tenant: string,
  recipient: string,
): Promise<void> {
  await tx.query(DELETE_TO, [tenant, recipient])
}

const DELETE_TO = `
  delete from privity.notifications
  where tenant_id = $1
    and recipient = $2`

/** Lists the notifications of a recipient, newest first. */
export function listNotifications(
  tx: Transaction,
  tenant: string,
  recipient: string,
  { unread, before, limit }: { unread: boolean | null; before: TimeKey | null; limit: number },
): Promise<NotificationRow[]> {
  return tx.query<NotificationRow>(LIST, [
    tenant,
    recipient,
    unread,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST = `
  select
    notification_id as "id",
    recipient,
    type,
    session_id as "session",
    refs,
    created_at as "createdAt",
    read_at as "readAt"
  from privity.notifications
  where tenant_id = $1
    and recipient = $2
    and ($3::bool is null or (read_at is null) = $3)
    and ($4::timestamptz is null or (created_at, notification_id) < ($4, $5::uuid))
  order by created_at desc, notification_id desc
  limit $6`

/** Marks notifications of a recipient as read; returns those that were unread. */
export async function markRead(
  tx: Transaction,
  tenant: string,
  recipient: string,
  ids: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(MARK_READ, [tenant, recipient, ids, now])
  return rows.map(({ id }) => id)
}

const MARK_READ = `
  update privity.notifications
  set read_at = $4
  where tenant_id = $1
    and recipient = $2
    and notification_id = any ($3::uuid[])
    and read_at is null
  returning notification_id as "id"`

export async function countUnread(tx: Transaction, tenant: string, recipient: string): Promise<number> {
  const [row] = await tx.query<{ unread: number }>(COUNT_UNREAD, [tenant, recipient])
  return row?.unread ?? 0
}

const COUNT_UNREAD = `
  select count(*)::int as "unread"
  from privity.notifications
  where tenant_id = $1
    and recipient = $2
    and read_at is null`
