import type { Transaction } from '../database.js'
import { dropKeptIndexes } from './index-parts.js'
import { logChanges } from './insert-records.js'
import { lockRecords } from './lock.js'
import { deleteEdgesFrom } from './relations.js'

/** Returns and locks those of these records that belong to an owner's own vessel, whatever their lifecycle. */
export async function lockOwned(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
  owner: string,
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(LOCK_OWNED, [tenant, ids, owner])
  return new Set(rows.map(row => row.id))
}

const LOCK_OWNED = `
  select record_id as "id"
  from privity.records
  where tenant_id = $1
    and record_id = any ($2::uuid[])
    and vessel = 'user'
    and owner = $3
  order by record_id
  for update`

/**
 * Deletes records, with everything that was derived from them, at any distance and whoever owns it, and the versions
 * that they superseded. Relations and derivations are deleted with their ends, and relations also with the records
 * that assert them. What others said themselves is kept: an agreement of two sides, which is marked if its basis is
 * no longer shared (CB-7), and a strategy of someone else. Returns the owners whose facts change because their
 * consents no longer share anything.
 */
export async function forgetRecords(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<string[]> {
  const replaced = await tx.query<{ id: string }>(REPLACED_CHUNKS, [tenant, ids])
  const doomed = await lockCopies(tx, tenant, [...new Set([...ids, ...replaced.map(({ id }) => id)])])
  await logChanges(tx, tenant, doomed)
  // The stored index still contains the words of these records, so it must be rebuilt from the rest (AU-4).
  const cells = await tx.query<{ cell: string }>(CELLS_OF, [tenant, doomed])
  await dropKeptIndexes(
    tx,
    tenant,
    cells.map(row => row.cell),
  )
  await deleteEdgesFrom(tx, tenant, doomed)
  const shared = await tx.query<{ owner: string; session: string | null }>(DEACTIVATE_CONSENTS, [
    tenant,
    doomed,
  ])
  await tx.query(DELETE_ORIGINALS, [tenant, doomed])
  await tx.query(DELETE_RECORDS, [tenant, doomed])
  return shared.flatMap(({ owner, session }) => [owner, `session:${session}`])
}

const CELLS_OF = `
  select distinct cell
  from privity.records
  where tenant_id = $1
    and record_id = any ($2::uuid[])`

/**
 * Locks the records and their copies. It searches again after locking, because a copy may have been made in the
 * meantime (WR-3).
 */
async function lockCopies(tx: Transaction, tenant: string, ids: readonly string[]): Promise<string[]> {
  let locked = [...ids]
  for (;;) {
    const copies = await tx.query<{ id: string }>(FIND_COPIES, [tenant, ids])
    if (copies.length === locked.length) return locked.sort()
    locked = copies.map(row => row.id)
    await lockRecords(tx, tenant, locked, 'exclusive')
  }
}

const FIND_COPIES = `
  with recursive copies (record_id) as (
    select unnest($2::uuid[])
    union
    select next.record_id
    from copies
    cross join lateral (
      select d.record_id
      from privity.derivations d
      where d.tenant_id = $1
        and d.source_id = copies.record_id
        and not exists (
          select 1
          from privity.records agreed
          where agreed.tenant_id = d.tenant_id
            and agreed.record_id = d.record_id
            and agreed.vessel = 'shared'
            and (
              agreed.kind = 'agreement'
              or agreed.kind = 'strategy_proposal'
              and not exists (
                select 1
                from privity.records first
                where first.tenant_id = d.tenant_id
                  and first.record_id = any ($2::uuid[])
                  and first.owner = agreed.owner)))
      union all
      select d.source_id
      from privity.derivations d
      join privity.records r on r.tenant_id = d.tenant_id and r.record_id = d.source_id
      join privity.records own on own.tenant_id = d.tenant_id and own.record_id = d.record_id
      where d.tenant_id = $1
        and d.record_id = copies.record_id
        and r.lifecycle = 'superseded'
        -- What it was made from and somebody else replaced is no version of it. Of old ones nobody knows when they ended.
        and (r.ended_at is null or r.ended_at = own.created_at)
    ) next
  )
  select record_id as "id"
  from copies`

/** A consent whose content is gone no longer shares anything (CB-9). */
const DEACTIVATE_CONSENTS = `
  update privity.consent_records c
  set consent_active = false
  where c.tenant_id = $1
    and c.consent_record_id in (
      select r.consent_record
      from privity.records r
      where r.tenant_id = $1
        and r.record_id = any ($2::uuid[]))
  returning c.owner, c.session_id as "session"`

/** Earlier versions may contain the words of a chunk anywhere, so none of their chunks is kept (AU-4). */
const REPLACED_CHUNKS = `
  select distinct old.record_id as "id"
  from privity.records r
  join privity.records old on old.tenant_id = $1 and old.owner = r.owner and old.document = r.document
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
    and r.kind = 'segment'
    and old.kind = 'segment'
    and old.lifecycle = 'stale'`

/**
 * A file contains the words of all its chunks, so no version of it is kept once one of them is forgotten, nor what was
 * recognised on its pages (AU-4).
 */
const DELETE_ORIGINALS = `
  with files as (
    select distinct s.source_id
    from privity.sources s
    join privity.records r on r.tenant_id = $1 and r.owner = s.owner and r.document = s.document
    where s.tenant_id = $1
      and r.record_id = any ($2::uuid[])
      and r.kind = 'segment'),
  pages as (
    delete from privity.recognised_pages p
    using files f
    where p.tenant_id = $1
      and p.source_id = f.source_id)
  delete from privity.source_contents c
  using files f
  where c.tenant_id = $1
    and c.source_id = f.source_id`

const DELETE_RECORDS = `
  delete from privity.records
  where tenant_id = $1
    and record_id = any ($2::uuid[])`
