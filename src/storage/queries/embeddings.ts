import { SENDABLE_CLASSES } from '../../policy/vocabulary.js'
import type { Transaction } from '../database.js'
import { logVectors } from './insert-records.js'
import { KEPT_BY_GENERATION } from './kept-by-generation.js'

/** A record that has no vector of a model yet, with its place in the queue. */
export interface WaitingRecord {
  readonly id: string
  readonly cell: string
  /** Hexadecimal. */
  readonly compartmentId: string
}

/** The text of a record that is embedded. */
export interface TextToEmbed {
  readonly id: string
  readonly title: string | null
  readonly text: string
}

export interface StoredEmbedding {
  readonly id: string
  readonly contentHash: Uint8Array
  /** Empty if the text contains nothing to embed. */
  readonly vector: Uint8Array
}

// Only records that can be found are embedded. For a remote provider, records that must stay local are not even read.
// `offset 0` makes the planner look up each record by key; without statistics it would join all vectors to a few
// records.
const EMBEDDABLE = `
    r.tenant_id = $1
    and r.lifecycle in ('active', 'contested')
    and ($3::text[] is null or r.visibility_class = any ($3::text[]))
    and not exists (
      select 1
      from privity.embeddings e
      where e.tenant_id = r.tenant_id
        and e.record_id = r.record_id
        and e.model = $2
      offset 0)`

const WAITING = `
  select
    r.record_id as "id",
    r.cell,
    encode(r.compartment_id, 'hex') as "compartmentId"
  from privity.records r
  where ${EMBEDDABLE}`

/** The classes whose text a provider may receive; null means any. */
const classesFor = (local: boolean) => (local ? null : SENDABLE_CLASSES)

/**
 * Records that wait for a vector. The first of every compartment comes before the second of any, so that many records
 * that a caller may not see, which lie in other compartments, do not delay the caller's own (NI-9).
 */
export function findWaiting(
  tx: Transaction,
  tenant: string,
  model: string,
  { local, most }: { local: boolean; most: number },
): Promise<WaitingRecord[]> {
  return tx.query<WaitingRecord>(FIND_WAITING, [tenant, model, classesFor(local), most])
}

const FIND_WAITING = `${WAITING}
  order by row_number() over (partition by r.compartment_id order by r.created_at, r.record_id), r.record_id
  limit $4`

/** Those of some records that wait for a vector. */
export function findWaitingAmong(
  tx: Transaction,
  tenant: string,
  model: string,
  { local, ids }: { local: boolean; ids: readonly string[] },
): Promise<WaitingRecord[]> {
  return tx.query<WaitingRecord>(FIND_WAITING_AMONG, [tenant, model, classesFor(local), ids])
}

const FIND_WAITING_AMONG = `${WAITING}
    and r.record_id = any ($4::uuid[])
  order by r.created_at, r.record_id`

/** The texts of the records that still wait. Their labels are checked again directly before they are sent. */
export function loadTexts(
  tx: Transaction,
  tenant: string,
  model: string,
  { local, ids }: { local: boolean; ids: readonly string[] },
): Promise<TextToEmbed[]> {
  return tx.query<TextToEmbed>(LOAD_TEXTS, [tenant, model, classesFor(local), ids])
}

const LOAD_TEXTS = `
  select r.record_id as "id", r.title, r.text
  from privity.records r
  where ${EMBEDDABLE}
    and r.record_id = any ($4::uuid[])
  order by r.record_id`

/**
 * The existing vectors of equal texts, by hexadecimal hash. Those of global records, which belong to nobody, are kept
 * apart and selected by `shared` (RC-14).
 */
export async function findByContent(
  tx: Transaction,
  tenant: string,
  model: string,
  hashes: readonly Uint8Array[],
  { shared }: { shared: boolean },
): Promise<Map<string, Uint8Array>> {
  const rows = await tx.query<{ hash: string; vector: Uint8Array }>(FIND_BY_CONTENT, [
    tenant,
    model,
    hashes,
    shared,
  ])
  return new Map(rows.map(({ hash, vector }) => [hash, vector]))
}

const FIND_BY_CONTENT = `
  select distinct on (e.content_hash) encode(e.content_hash, 'hex') as "hash", e.vector
  from privity.embeddings e
  where e.tenant_id = $1
    and e.model = $2
    and e.content_hash = any ($3::bytea[])
    and $4 = (
      select r.vessel = 'global'
      from privity.records r
      where r.tenant_id = e.tenant_id
        and r.record_id = e.record_id)`

/** Whether all of these records exist and may be sent to a model that is not declared local (OV-4). */
export async function areSendable(tx: Transaction, tenant: string, ids: readonly string[]): Promise<boolean> {
  const rows = await tx.query(FIND_SENDABLE, [tenant, ids, SENDABLE_CLASSES])
  return rows.length === new Set(ids).size
}

const FIND_SENDABLE = `
  select record_id as "id"
  from privity.records
  where tenant_id = $1
    and record_id = any ($2::uuid[])
    and visibility_class = any ($3::text[])`

/** Stores the vectors of records that still exist, and logs the change for their indexes. */
export async function saveEmbeddings(
  tx: Transaction,
  tenant: string,
  model: string,
  embeddings: readonly StoredEmbedding[],
): Promise<void> {
  const ids = await tx.query<{ id: string }>(SAVE_EMBEDDINGS, [
    tenant,
    model,
    embeddings.map(({ id }) => id),
    embeddings.map(({ contentHash }) => contentHash),
    embeddings.map(({ vector }) => vector),
  ])
  await logVectors(
    tx,
    tenant,
    ids.map(({ id }) => id),
  )
}

// The records are locked while they are read: one that is being forgotten is either gone already, or the deletion
// waits until its vector is stored.
const SAVE_EMBEDDINGS = `
  with living as (
    select record_id
    from privity.records
    where tenant_id = $1
      and record_id = any ($3::uuid[])
    order by record_id
    for key share
  )
  insert into privity.embeddings (tenant_id, record_id, model, content_hash, vector)
  select $1, record_id, $2, content_hash, vector
  from unnest($3::uuid[], $4::bytea[], $5::bytea[]) as made (record_id, content_hash, vector)
  join living using (record_id)
  on conflict do nothing
  returning record_id as "id"`

/** The vectors of a record as the index reads them, regardless of who may see it. Read only as privity_index. */
export interface VectorRow {
  readonly id: string
  readonly model: string
  readonly vector: Uint8Array
}

export function fetchVectors(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
  models: readonly string[],
): Promise<VectorRow[]> {
  return tx.query<VectorRow>(`${KEPT_BY_GENERATION}${FETCH_VECTORS}`, [tenant, ids, models])
}

export const FETCH_VECTORS = `
  select record_id as "id", model, vector
  from privity.embeddings
  where tenant_id = $1
    and record_id = any ($2::uuid[])
    and model = any ($3::text[])
  order by record_id, model`
