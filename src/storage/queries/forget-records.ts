import type { Transaction } from '../database.js'
import { dropKeptIndexes } from './index-parts.js'
import { logChanges } from './insert-records.js'
import { lockRecords } from './lock.js'
import { deleteEdgesFrom } from './relations.js'

/** Which of these records belong to an owner itself, whatever state they are in; locked. */
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
 * Deletes records. With each goes what was derived from it, at any distance and whoever owns it, and the versions it
 * superseded. Relations and derivations go with their ends, and relations with whoever tells of them. What others said
 * themselves stays: an agreement of two sides, marked where what it rests on is no longer shared (CB-7), and a strategy of
 * somebody else's. Answers whose facts change with it: consents share nothing any more.
 */
export async function forgetRecords(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<string[]> {
  const replaced = await tx.query<{ id: string }>(REPLACED_CHUNKS, [tenant, ids])
  const doomed = await lockCopies(tx, tenant, [...new Set([...ids, ...replaced.map(({ id }) => id)])])
  await logChanges(tx, tenant, doomed)
  // A kept index still holds their words: it is made again from what is left (AU-4).
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

/** The records and their copies. Looked for again once they are locked: one may have been made in the meantime (WR-3). */
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

/** A consent whose content is gone shares nothing any more (CB-9). */
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

/** Versions before may have the words of a chunk too, wherever they stand in them: none of theirs is kept (AU-4). */
const REPLACED_CHUNKS = `
  select distinct old.record_id as "id"
  from privity.records r
  join privity.records old on old.tenant_id = $1 and old.owner = r.owner and old.document = r.document
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
    and r.kind = 'segment'
    and old.kind = 'segment'
    and old.lifecycle = 'stale'`

/** A file holds the words of all its chunks: no version of it is kept once one of them is forgotten (AU-4). */
const DELETE_ORIGINALS = `
  delete from privity.source_contents c
  using privity.sources s, privity.records r
  where c.tenant_id = $1
    and s.tenant_id = $1
    and s.source_id = c.source_id
    and r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
    and r.kind = 'segment'
    and s.owner = r.owner
    and s.document = r.document`

const DELETE_RECORDS = `
  delete from privity.records
  where tenant_id = $1
    and record_id = any ($2::uuid[])`
