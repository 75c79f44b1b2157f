import type { Transaction } from '../database.js'

/** An edge, and the records that assert it, if any. */
export interface NewRelation {
  readonly from: string
  readonly to: string
  readonly type: string
  readonly sources: readonly string[]
}

/** Adds edges. An existing edge with the same sources does not change. */
export async function insertRelations(
  tx: Transaction,
  tenant: string,
  relations: readonly NewRelation[],
  now: Date,
): Promise<void> {
  if (relations.length === 0) return
  const rows = relations.map(({ sources, ...edge }) => ({ ...edge, sources: [...new Set(sources)].sort() }))
  await tx.query(INSERT_RELATIONS, [tenant, JSON.stringify(rows), now])
}

const INSERT_RELATIONS = `
  insert into privity.relations (tenant_id, from_id, to_id, type, sources, created_at)
  select $1, edge."from", edge."to", edge.type, edge.sources, $3
  from json_to_recordset($2::json) as edge ("from" uuid, "to" uuid, type text, sources uuid[])
  on conflict do nothing`

/** Deletes the edges that any of these records asserts, before the records themselves are deleted (AU-4). */
export async function deleteEdgesFrom(
  tx: Transaction,
  tenant: string,
  sources: readonly string[],
): Promise<void> {
  await tx.query(DELETE_TOLD_BY, [tenant, sources])
}

const DELETE_TOLD_BY = `
  delete from privity.relations
  where tenant_id = $1
    and sources <> '{}'
    and sources && $2::uuid[]`

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

/** Whether a record is derived from another, at any distance. */
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
