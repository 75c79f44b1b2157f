import type { Transaction } from '../database.js'

/** The stored index of a cell: its bytes, and the transaction id up to which it includes everything. */
export interface KeptIndex {
  readonly horizon: bigint
  readonly bytes: Uint8Array
}

/** An index to store, with the later transactions that it also includes. */
export interface IndexToKeep extends KeptIndex {
  readonly including: readonly bigint[]
}

/** The number of bytes in one row. A whole index could exceed the size limit of a value. */
const PART_BYTES = 4 * 1_024 * 1_024

/** The stored index of a cell in this format; null if there is none that can be used. */
export async function loadKeptIndex(
  tx: Transaction,
  tenant: string,
  cell: string,
  format: number,
): Promise<KeptIndex | null> {
  const parts: Uint8Array[] = []
  let horizon: string | undefined
  // Reads one part at a time, so that no result is larger than a part.
  for (;;) {
    const [row] = await tx.query<{ horizon: string; bytes: Uint8Array; last: boolean }>(LOAD_PART, [
      tenant,
      cell,
      parts.length,
      format,
    ])
    if (row === undefined) return null
    parts.push(row.bytes)
    horizon = row.horizon
    if (row.last) break
  }
  return {
    horizon: BigInt(horizon),
    bytes: parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts),
  }
}

const LOAD_PART = `
  select
    horizon::text as "horizon",
    bytes,
    not exists (
      select 1
      from privity.index_parts next
      where next.tenant_id = p.tenant_id
        and next.cell = p.cell
        and next.part = p.part + 1) as "last"
  from privity.index_parts p
  where tenant_id = $1
    and cell = $2
    and part = $3
    and format = $4
    and p.xmin = p.written_by::xid`

/**
 * Stores the index of a cell in place of the previous one, unless a record was forgotten meanwhile, whose words would
 * be stored with it (AU-4).
 */
export async function saveKeptIndex(
  tx: Transaction,
  tenant: string,
  cell: string,
  format: number,
  { horizon, bytes, including }: IndexToKeep,
): Promise<void> {
  await lockCells(tx, tenant, [cell])
  const [forgotten] = await tx.query(FORGOTTEN_SINCE, [tenant, cell, String(horizon), including.map(String)])
  if (forgotten !== undefined) return
  await tx.query(DROP_PARTS, [tenant, cell])
  for (let part = 0; part * PART_BYTES < bytes.length; part++)
    await tx.query(INSERT_PART, [
      tenant,
      cell,
      part,
      format,
      String(horizon),
      bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    ])
}

/**
 * Deletes the stored indexes of cells. Cells are locked in a fixed order, to avoid deadlocks with a process that
 * stores an index.
 */
export async function dropKeptIndexes(
  tx: Transaction,
  tenant: string,
  cells: readonly string[],
): Promise<void> {
  await lockCells(tx, tenant, cells)
  for (const cell of cells) await tx.query(DROP_PARTS, [tenant, cell])
}

async function lockCells(tx: Transaction, tenant: string, cells: readonly string[]): Promise<void> {
  for (const cell of [...new Set(cells)].sort()) await tx.query(LOCK_CELL, [JSON.stringify([tenant, cell])])
}

const FORGOTTEN_SINCE = `
  select 1
  from privity.changes c
  where c.tenant_id = $1
    and c.cell = $2
    and c.xid >= $3::xid8
    and c.xid::text <> all ($4::text[])
    and not exists (
      select 1
      from privity.records r
      where r.tenant_id = c.tenant_id
        and r.record_id = c.record_id)
  limit 1`

const LOCK_CELL = `select pg_advisory_xact_lock(hashtextextended($1, 11))`

const DROP_PARTS = `
  delete from privity.index_parts
  where tenant_id = $1
    and cell = $2`

const INSERT_PART = `
  insert into privity.index_parts (tenant_id, cell, part, format, horizon, bytes)
  values ($1, $2, $3, $4, $5::xid8, $6)`
