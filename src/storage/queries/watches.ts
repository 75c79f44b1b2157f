import type { Transaction } from '../database.js'

/** A watched folder or feed. */
export interface WatchRow {
  readonly bindingId: string
  readonly owner: string
  readonly name: string
  readonly kind: string
  readonly location: string
  readonly corpus: string
  readonly defaults: Readonly<Record<string, unknown>>
  readonly state: string
  readonly createdAt: Date
}

const SELECTED = `
    b.binding_id as "bindingId",
    b.owner,
    b.name,
    b.kind,
    b.location,
    b.corpus,
    b.defaults,
    b.state,
    b.created_at as "createdAt"`

/** Returns false if the owner already has a watch of that name. */
export async function insertWatch(tx: Transaction, tenant: string, row: WatchRow): Promise<boolean> {
  const rows = await tx.query(INSERT_WATCH, [
    tenant,
    row.bindingId,
    row.owner,
    row.name,
    row.kind,
    row.location,
    row.corpus,
    JSON.stringify(row.defaults),
    row.state,
    row.createdAt,
  ])
  return rows.length > 0
}

const INSERT_WATCH = `
  insert into privity.bindings (
    tenant_id, binding_id, owner, name, kind, location, corpus, defaults, state, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10)
  on conflict (tenant_id, owner, name) do nothing
  returning binding_id`

/** The watches of some owners, sorted by name. */
export function listWatches(tx: Transaction, tenant: string, owners: readonly string[]): Promise<WatchRow[]> {
  return tx.query<WatchRow>(LIST_WATCHES, [tenant, owners])
}

const LIST_WATCHES = `
  select ${SELECTED}
  from privity.bindings b
  where b.tenant_id = $1
    and b.owner = any ($2::text[])
  order by b.name, b.binding_id`

/** Loads one watch and locks it: until the transaction ends, nobody else can change it or record a fire of it. */
export async function lockWatch(
  tx: Transaction,
  tenant: string,
  bindingId: string,
): Promise<WatchRow | undefined> {
  const [row] = await tx.query<WatchRow>(LOCK_WATCH, [tenant, bindingId])
  return row
}

const LOCK_WATCH = `
  select ${SELECTED}
  from privity.bindings b
  where b.tenant_id = $1
    and b.binding_id = $2
  for update`

export async function updateWatchState(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  state: string,
): Promise<void> {
  await tx.query(UPDATE_WATCH_STATE, [tenant, bindingId, state])
}

const UPDATE_WATCH_STATE = `
  update privity.bindings
  set state = $3
  where tenant_id = $1
    and binding_id = $2`

/** Deletes a watch with its ledger. The documents that it brought are kept. */
export async function deleteWatch(tx: Transaction, tenant: string, bindingId: string): Promise<void> {
  await tx.query(DELETE_WATCH, [tenant, bindingId])
}

const DELETE_WATCH = `
  delete from privity.bindings
  where tenant_id = $1
    and binding_id = $2`

/** The digests of rejected files. */
export async function loadRejections(
  tx: Transaction,
  tenant: string,
  bindingId: string,
): Promise<Uint8Array[]> {
  const rows = await tx.query<{ digest: Uint8Array }>(LOAD_REJECTIONS, [tenant, bindingId])
  return rows.map(({ digest }) => digest)
}

const LOAD_REJECTIONS = `
  select j.digest
  from privity.binding_rejections j
  join privity.bindings b using (tenant_id, binding_id)
  where j.tenant_id = $1
    and j.binding_id = $2
  order by j.digest`

export async function insertRejection(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  digest: Uint8Array,
): Promise<void> {
  await tx.query(INSERT_REJECTION, [tenant, bindingId, digest])
}

const INSERT_REJECTION = `
  insert into privity.binding_rejections (tenant_id, binding_id, digest)
  values ($1, $2, $3)
  on conflict do nothing`

export async function deleteRejections(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  digests: readonly Uint8Array[],
): Promise<void> {
  for (const digest of digests) await tx.query(DELETE_REJECTION, [tenant, bindingId, digest])
}

const DELETE_REJECTION = `
  delete from privity.binding_rejections
  where tenant_id = $1
    and binding_id = $2
    and digest = $3`
