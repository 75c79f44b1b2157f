import type { Transaction } from '../database.js'

/** Adds an edge; an edge that is there already stays as it is. */
export async function insertRelation(
  tx: Transaction,
  tenant: string,
  from: string,
  to: string,
  type: string,
  now: Date,
): Promise<void> {
  await tx.query(INSERT_RELATION, [tenant, from, to, type, now])
}

const INSERT_RELATION = `
  insert into privity.relations (tenant_id, from_id, to_id, type, created_at)
  values ($1, $2, $3, $4, $5)
  on conflict do nothing`

export async function insertDerivation(
  tx: Transaction,
  tenant: string,
  record: string,
  source: string,
): Promise<void> {
  await tx.query(INSERT_DERIVATION, [tenant, record, source])
}

const INSERT_DERIVATION = `
  insert into privity.derivations (tenant_id, record_id, source_id)
  values ($1, $2, $3)
  on conflict do nothing`

/** Whether a record comes, at any distance, from another. */
export async function isDerivedFrom(
  tx: Transaction,
  tenant: string,
  record: string,
  source: string,
): Promise<boolean> {
  const rows = await tx.query(IS_DERIVED_FROM, [tenant, record, source])
  return rows.length > 0
}

const IS_DERIVED_FROM = `
  with recursive ancestors (source_id) as (
    select d.source_id
    from privity.derivations d
    where d.tenant_id = $1
      and d.record_id = $2
    union
    select d.source_id
    from ancestors
    join privity.derivations d on d.tenant_id = $1 and d.record_id = ancestors.source_id
  )
  select 1 as found
  from ancestors
  where source_id = $3`
