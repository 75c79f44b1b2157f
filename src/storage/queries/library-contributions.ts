import type { Transaction } from '../database.js'

/** A contribution as everybody in the tenant may read it, without its author. */
export interface LibraryContributionRow {
  readonly entryId: string
  readonly title: string
  readonly text: string
  readonly needs: readonly string[]
  readonly durationDays: number
  readonly optedInAt: Date
}

/** A contribution as its author sees it. */
export interface OwnContributionRow extends LibraryContributionRow {
  readonly withdrawnAt: Date | null
  /** When a host let it in; null while it waits. */
  readonly approvedAt: Date | null
}

/** The position at which a page ended. */
export interface ContributionKey {
  readonly optedInAt: Date
  readonly entryId: string
}

const COLUMNS = `
    entry_id as "entryId",
    title,
    text,
    needs,
    duration_days as "durationDays",
    opted_in_at as "optedInAt"`
const OWN_COLUMNS = `${COLUMNS},
    withdrawn_at as "withdrawnAt",
    approved_at as "approvedAt"`

export async function insertContribution(
  tx: Transaction,
  tenant: string,
  author: string,
  entry: Omit<OwnContributionRow, 'withdrawnAt'>,
): Promise<void> {
  const { entryId, title, text, needs, durationDays, optedInAt, approvedAt } = entry
  await tx.query(INSERT, [tenant, entryId, author, title, text, needs, durationDays, optedInAt, approvedAt])
}

const INSERT = `
  insert into privity.library_contributions
    (tenant_id, entry_id, author_id, title, text, needs, duration_days, opted_in_at, approved_at)
  values ($1, $2, $3, $4, $5, $6::text[], $7, $8, $9)`

/** The contributions that everybody may read, newest first. */
export function listStanding(
  tx: Transaction,
  tenant: string,
  need: string | null,
  before: ContributionKey | null,
  limit: number,
): Promise<LibraryContributionRow[]> {
  return tx.query<LibraryContributionRow>(LIST_STANDING, [
    tenant,
    need,
    before?.optedInAt ?? null,
    before?.entryId ?? null,
    limit,
  ])
}

const LIST_STANDING = `
  select ${COLUMNS}
  from privity.library_contributions
  where tenant_id = $1
    and withdrawn_at is null
    and approved_at is not null
    and ($2::text is null or $2 = any (needs))
    and ($3::timestamptz is null or (opted_in_at, entry_id) < ($3, $4::uuid))
  order by opted_in_at desc, entry_id desc
  limit $5`

/** The contributions that wait for a host, oldest first. */
export function listWaiting(
  tx: Transaction,
  tenant: string,
  after: ContributionKey | null,
  limit: number,
): Promise<LibraryContributionRow[]> {
  return tx.query<LibraryContributionRow>(LIST_WAITING, [
    tenant,
    after?.optedInAt ?? null,
    after?.entryId ?? null,
    limit,
  ])
}

const LIST_WAITING = `
  select ${COLUMNS}
  from privity.library_contributions
  where tenant_id = $1
    and withdrawn_at is null
    and approved_at is null
    and ($2::timestamptz is null or (opted_in_at, entry_id) > ($2, $3::uuid))
  order by opted_in_at, entry_id
  limit $4`

/** Lets a contribution into the library. Returns whether it is one that was not withdrawn. */
export async function approveContribution(
  tx: Transaction,
  tenant: string,
  entryId: string,
  now: Date,
): Promise<boolean> {
  return (await tx.query(APPROVE, [tenant, entryId, now])).length > 0
}

const APPROVE = `
  update privity.library_contributions
  set approved_at = coalesce(approved_at, $3)
  where tenant_id = $1
    and entry_id = $2
    and withdrawn_at is null
  returning entry_id as "id"`

/** Takes a contribution out of the library, whoever made it: its text is deleted. */
export async function removeContribution(
  tx: Transaction,
  tenant: string,
  entryId: string,
  now: Date,
): Promise<boolean> {
  return (await tx.query(REMOVE, [tenant, entryId, now])).length > 0
}

const REMOVE = `
  update privity.library_contributions
  set title = '', text = '', needs = '{}', withdrawn_at = $3
  where tenant_id = $1
    and entry_id = $2
    and withdrawn_at is null
  returning entry_id as "id"`

/** All contributions of an author, withdrawn or not, newest first. */
export function listOwn(
  tx: Transaction,
  tenant: string,
  author: string,
  before: ContributionKey | null,
  limit: number,
): Promise<OwnContributionRow[]> {
  return tx.query<OwnContributionRow>(LIST_OWN, [
    tenant,
    author,
    before?.optedInAt ?? null,
    before?.entryId ?? null,
    limit,
  ])
}

const LIST_OWN = `
  select ${OWN_COLUMNS}
  from privity.library_contributions
  where tenant_id = $1
    and author_id = $2
    and ($3::timestamptz is null or (opted_in_at, entry_id) < ($3, $4::uuid))
  order by opted_in_at desc, entry_id desc
  limit $5`

export async function loadOwn(
  tx: Transaction,
  tenant: string,
  author: string,
  entryId: string,
): Promise<OwnContributionRow | undefined> {
  const [row] = await tx.query<OwnContributionRow>(LOAD_OWN, [tenant, author, entryId])
  return row
}

const LOAD_OWN = `
  select ${OWN_COLUMNS}
  from privity.library_contributions
  where tenant_id = $1
    and author_id = $2
    and entry_id = $3`

export async function countStanding(tx: Transaction, tenant: string, author: string): Promise<number> {
  const [row] = await tx.query<{ standing: number }>(COUNT_STANDING, [tenant, author])
  return row?.standing ?? 0
}

const COUNT_STANDING = `
  select count(*)::int as "standing"
  from privity.library_contributions
  where tenant_id = $1
    and author_id = $2
    and withdrawn_at is null`

/** Withdraws a contribution: its text is deleted. One that is already withdrawn does not change. */
export async function withdrawContribution(
  tx: Transaction,
  tenant: string,
  author: string,
  entryId: string,
  now: Date,
): Promise<void> {
  await tx.query(WITHDRAW, [tenant, author, entryId, now])
}

/** Withdraws all contributions of an author; returns their number. */
export async function withdrawContributionsOf(
  tx: Transaction,
  tenant: string,
  actor: string,
  now: Date,
): Promise<number> {
  const rows = await tx.query(WITHDRAW_ALL, [tenant, actor, now])
  return rows.length
}

const WITHDRAW_ALL = `
  update privity.library_contributions c
  set title = '', text = '', needs = '{}', withdrawn_at = $3
  from privity.actors a
  where c.tenant_id = $1
    and a.tenant_id = $1
    and a.actor = $2
    and c.author_id = a.actor_id
    and c.withdrawn_at is null
  returning c.entry_id as "id"`

const WITHDRAW = `
  update privity.library_contributions
  set title = '', text = '', needs = '{}', withdrawn_at = $4
  where tenant_id = $1
    and author_id = $2
    and entry_id = $3
    and withdrawn_at is null`
