import type { PolicyTuple } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'
import { KEPT_BY_GENERATION } from './kept-by-generation.js'

/** A record as the index reads it, regardless of who may see it. Read only as privity_index. */
export interface IndexRow {
  readonly id: string
  readonly cell: string
  /** Hexadecimal. */
  readonly compartmentId: string
  readonly tuple: PolicyTuple
  readonly title: string | null
  readonly text: string
  readonly language: string | null
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly spans: readonly unknown[]
  readonly filingUnit: string | null
  readonly version: string | null
  readonly versionKind: string | null
  readonly part: string | null
  readonly conversation: string | null
  readonly turn: number | null
  readonly speaker: string | null
  readonly createdAt: Date
  readonly occurredAt: Date | null
  /** When it holds; left out if it does not say. */
  readonly validFrom?: Date | null
  readonly validTo?: Date | null
  readonly expiresAt: Date | null
  readonly salience: number
  readonly salienceAt: Date
  readonly pinned: boolean
}

/** Fetches records by id. A deleted record has no row. Returns null if their texts have more bytes than that. */
export async function fetchIndexRows(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
  mostBytes: number,
): Promise<IndexRow[] | null> {
  const rows = await tx.query<IndexRow & { fits: boolean }>(`${KEPT_BY_GENERATION}${FETCH_INDEX_ROWS}`, [
    tenant,
    ids,
    mostBytes,
  ])
  return rows.some(({ fits }) => !fits) ? null : rows
}

/**
 * The next records of a cell, ordered by compartment: at most `limit` of them, and fewer if their texts are long, but at
 * least one while there are more. `after` is the last record of the batch before; null for the first batch.
 */
export async function scanCell(
  tx: Transaction,
  tenant: string,
  cell: string,
  after: Pick<IndexRow, 'compartmentId' | 'id'> | null,
  { limit, mostBytes }: { readonly limit: number; readonly mostBytes: number },
): Promise<{ rows: IndexRow[]; more: boolean }> {
  const from = after === null ? null : Buffer.from(after.compartmentId, 'hex')
  const params = [tenant, cell, from, after?.id ?? null, limit, mostBytes]
  const rows = await tx.query<IndexRow & { found: number }>(SCAN_CELL, params)
  const found = rows[0]?.found ?? 0
  return { rows, more: found === limit || rows.length < found }
}

const COLUMNS = `
    r.record_id as "id",
    r.cell,
    encode(r.compartment_id, 'hex') as "compartmentId",
    c.tuple,
    r.title,
    r.text,
    r.language,
    r.tags,
    r.fields,
    r.spans,
    r.filing_unit as "filingUnit",
    r.version,
    r.version_kind as "versionKind",
    r.part,
    r.conversation,
    r.turn,
    r.speaker,
    r.created_at as "createdAt",
    r.occurred_at as "occurredAt",
    r.valid_from as "validFrom",
    r.valid_to as "validTo",
    r.expires_at as "expiresAt",
    r.salience,
    coalesce(r.salience_at, r.created_at) as "salienceAt",
    r.pinned`

export const FETCH_INDEX_ROWS = `
  select ${COLUMNS.replace('r.text,', "case when sum(octet_length(r.text)) over () <= $3 then r.text else '' end as text,")},
    sum(octet_length(r.text)) over () <= $3 as fits
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
  order by r.compartment_id, r.record_id`

// The length of a text is known without reading it, so only the texts that are returned are read.
const SCAN_CELL = `
  select *
  from (
    select
      found.*,
      count(*) over ()::int as "found",
      row_number() over in_order as "place",
      sum(octet_length(found.text)) over in_order as "upTo"
    from (
      select ${COLUMNS},
        r.compartment_id
      from privity.records r
      join privity.compartments c using (tenant_id, compartment_id)
      where r.tenant_id = $1
        and r.cell = $2
        and ($3::bytea is null or (r.compartment_id, r.record_id) > ($3, $4::uuid))
      order by r.compartment_id, r.record_id
      limit $5
    ) found
    window in_order as (order by found.compartment_id, found.id)
  ) batch
  where "place" = 1
    or "upTo" <= $6
  order by batch.compartment_id, batch.id`
