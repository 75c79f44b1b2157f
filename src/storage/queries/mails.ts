import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

/** Whose mail it is and what it is about, for its host to follow. */
export interface MailSubject {
  readonly owner: string
  readonly link: string
  readonly purpose: 'code' | 'recall' | 'notice'
}

/** A mail that this process has leased in order to send it. */
export interface LeasedMail {
  readonly id: string
  /** The number of this attempt, which no other process has. */
  readonly attempt: number
  readonly sealed: string
  readonly expiresAt: Date | null
}

export async function insertMail(
  tx: Transaction,
  tenant: string,
  mail: { id: string; sealed: string; createdAt: Date; expiresAt: Date | null; about: MailSubject | null },
): Promise<void> {
  const { owner = null, link = null, purpose = null } = mail.about ?? {}
  await tx.query(INSERT, [tenant, mail.id, mail.sealed, mail.createdAt, mail.expiresAt, owner, link, purpose])
}

const INSERT = `
  insert into privity.mails (tenant_id, mail_id, sealed, created_at, expires_at, owner, link_id, purpose)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

/** How far a mail got. */
export interface MailStateRow {
  readonly id: string
  readonly linkId: string | null
  readonly purpose: string | null
  readonly createdAt: Date
  readonly attempts: number
  readonly nextAt: Date
  readonly sentAt: Date | null
  readonly failedAt: Date | null
  readonly failure: string | null
}

export type StoredMailState = 'waiting' | 'sent' | 'rejected' | 'failed' | 'expired'
export type MailProgress = Pick<MailStateRow, 'sentAt' | 'failedAt' | 'failure'>

/** The state of a mail in a word. */
export function mailStateOf({ sentAt, failedAt, failure }: MailProgress): StoredMailState {
  if (sentAt !== null) return 'sent'
  if (failedAt === null) return 'waiting'
  return failure === 'rejected' || failure === 'expired' ? failure : 'failed'
}

/** Mail of these owners, newest first. */
export function listMails(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  link: string | null,
  before: TimeKey | null,
  limit: number,
): Promise<MailStateRow[]> {
  return tx.query(LIST_MAILS, [tenant, owners, link, before?.createdAt ?? null, before?.id ?? null, limit])
}

const LIST_MAILS = `
  select
    mail_id as "id",
    link_id as "linkId",
    purpose,
    created_at as "createdAt",
    attempts,
    next_at as "nextAt",
    sent_at as "sentAt",
    failed_at as "failedAt",
    failure
  from privity.mails
  where tenant_id = $1
    and owner = any ($2::text[])
    and ($3::uuid is null or link_id = $3)
    and ($4::timestamptz is null or (created_at, mail_id) < ($4, $5::uuid))
  order by created_at desc, mail_id desc
  limit $6`

/** The milliseconds until the next waiting mail is due. All mail of a tenant is in one queue. */
export function loadDueMails(tx: Transaction, tenant: string): Promise<{ line: string; dueIn: number }[]> {
  return tx.query(DUE, [tenant])
}

const DUE = `
  select
    '' as "line",
    (extract(epoch from min(greatest(next_at, leased_until)) - clock_timestamp()) * 1000)::float8 as "dueIn"
  from privity.mails
  where tenant_id = $1
    and sealed is not null
  having count(*) > 0`

/**
 * Leases the mails that are due for some milliseconds. If this process dies, another one takes over when the lease
 * ends.
 */
export function leaseMails(
  tx: Transaction,
  tenant: string,
  _line: string,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<LeasedMail[]> {
  return tx.query<LeasedMail>(LEASE, [tenant, limit, leaseMs])
}

const LEASE = `
  with due as (
    select mail_id
    from privity.mails
    where tenant_id = $1
      and sealed is not null
      and next_at <= clock_timestamp()
      and (leased_until is null or leased_until <= clock_timestamp())
    order by next_at
    limit $2
    for update skip locked
  )
  update privity.mails m
  set
    attempts = m.attempts + 1,
    leased_until = clock_timestamp() + $3 * interval '1 millisecond'
  from due
  where m.tenant_id = $1
    and m.mail_id = due.mail_id
  returning
    m.mail_id as "id",
    m.attempts as "attempt",
    m.sealed,
    m.expires_at as "expiresAt"`

/** Marks a mail as sent, even if another process has leased it meanwhile. */
export async function noteMailSent(
  tx: Transaction,
  tenant: string,
  mailId: string,
  now: Date,
): Promise<void> {
  await tx.query(NOTE_SENT, [tenant, mailId, now])
}

const NOTE_SENT = `
  update privity.mails
  set sealed = null, leased_until = null, sent_at = $3, failed_at = null, failure = null
  where tenant_id = $1
    and mail_id = $2
    and sent_at is null`

/** Makes a mail that could not be sent due again after some milliseconds. */
export async function postponeMail(
  tx: Transaction,
  tenant: string,
  { id, attempt }: Pick<LeasedMail, 'id' | 'attempt'>,
  failed: { why: string; retryMs: number },
): Promise<void> {
  await tx.query(POSTPONE, [tenant, id, attempt, failed.why, failed.retryMs])
}

const POSTPONE = `
  update privity.mails
  set
    next_at = clock_timestamp() + $5 * interval '1 millisecond',
    leased_until = null,
    failure = $4
  where tenant_id = $1
    and mail_id = $2
    and attempts = $3
    and sealed is not null`

/** Gives up a mail that could not be sent. */
export async function giveUpMail(
  tx: Transaction,
  tenant: string,
  { id, attempt }: Pick<LeasedMail, 'id' | 'attempt'>,
  failed: { why: string; now: Date },
): Promise<void> {
  await tx.query(GIVE_UP, [tenant, id, attempt, failed.why, failed.now])
}

const GIVE_UP = `
  update privity.mails
  set sealed = null, leased_until = null, failed_at = $5, failure = $4
  where tenant_id = $1
    and mail_id = $2
    and attempts = $3
    and sealed is not null`
