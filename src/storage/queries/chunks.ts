import type { Transaction } from '../database.js'
import { RECORD_COLUMNS, type RecordRow } from './fetch-records.js'
import { IS_SEEN, IS_SEEN_IN_FULL } from './seen-rows.js'

/**
 * Whether `r`, which was derived from a card, is a chunk of it: written together with it, by the same author. Records
 * that were derived from the card later are about the document, but not part of it.
 */
export const isChunkOf = (card: string): string => `(
      r.kind = 'segment'
      and ${card}.kind = 'document'
      and r.created_at = ${card}.created_at
      and r.author = ${card}.author
      and r.version = ${card}.version)`

const CHUNKS_OF_CARD = `
  privity.records card
  join privity.derivations d on d.tenant_id = $1 and d.source_id = card.record_id
  join privity.records r on r.tenant_id = $1 and r.record_id = d.record_id and ${isChunkOf('card')}`

/** The chunks of a card in the order of the text, under row-level security. */
export function fetchChunks(tx: Transaction, tenant: string, card: string): Promise<RecordRow[]> {
  return tx.query<RecordRow>(FETCH_CHUNKS, [tenant, card])
}

const FETCH_CHUNKS = `
  select ${RECORD_COLUMNS}
  from ${CHUNKS_OF_CARD}
  join privity.compartments c on c.tenant_id = $1 and c.compartment_id = r.compartment_id
  where card.tenant_id = $1
    and card.record_id = $2
    and ${IS_SEEN}
  order by (r.spans -> 0 ->> 'start')::bigint, r.record_id`

/** How many chunks of each card are seen in full. */
export async function countChunks(
  tx: Transaction,
  tenant: string,
  cards: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{ card: string; count: number }>(COUNT_CHUNKS, [tenant, cards])
  return new Map(rows.map(({ card, count }) => [card, count]))
}

const COUNT_CHUNKS = `
  select card.record_id as "card", count(*)::int as "count"
  from ${CHUNKS_OF_CARD}
  where card.tenant_id = $1
    and card.record_id = any ($2::uuid[])
    and ${IS_SEEN}
    and ${IS_SEEN_IN_FULL}
  group by card.record_id`

/**
 * Other visible cards of the same file: those that a snapshot shows, and those made by someone who saw no card of it.
 */
export function fetchVersions(tx: Transaction, tenant: string, card: string): Promise<RecordRow[]> {
  return tx.query<RecordRow>(FETCH_VERSIONS, [tenant, card])
}

const FETCH_VERSIONS = `
  select ${RECORD_COLUMNS}
  from privity.records card
  join privity.records r on r.tenant_id = $1
    and r.owner = card.owner
    and r.document = card.document
    and r.kind = 'document'
  join privity.compartments c on c.tenant_id = $1 and c.compartment_id = r.compartment_id
  where card.tenant_id = $1
    and card.record_id = $2
    and ${IS_SEEN}
  order by r.created_at desc, r.record_id`

/**
 * The stale records that were made, at any distance, from versions that a card replaced. Row-level security shows
 * them only to this statement, and only those that the caller would see if they were current (SR-14).
 */
export async function fetchStale(tx: Transaction, tenant: string, card: string): Promise<RecordRow[]> {
  await tx.query(SHOW_STALE, ['stale'])
  const rows = await tx.query<RecordRow>(FETCH_STALE, [tenant, card])
  await tx.query(SHOW_STALE, [''])
  return rows
}

const SHOW_STALE = `select set_config('privity.framed', $1, true)`

const FETCH_STALE = `
  with recursive replaced (record_id) as (
    select $2::uuid
    union
    select d.source_id
    from replaced
    join privity.derivations d on d.tenant_id = $1 and d.record_id = replaced.record_id
  ),
  made_from (record_id) as (
    select record_id
    from replaced
    union
    select d.record_id
    from made_from
    join privity.derivations d on d.tenant_id = $1 and d.source_id = made_from.record_id
  )
  select ${RECORD_COLUMNS}
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.record_id in (select record_id from made_from)
    and r.lifecycle = 'stale'
    and r.kind not in ('document', 'segment')
    and ${IS_SEEN}
  order by r.created_at desc, r.record_id
  limit 200`

/** All chunks of some cards regardless of who sees them, for writing their replacements. */
export function fetchGuarded(
  tx: Transaction,
  tenant: string,
  cards: readonly string[],
): Promise<Pick<RecordRow, 'id' | 'tuple' | 'targets' | 'text'>[]> {
  return tx.query(FETCH_GUARDED, [tenant, cards])
}

const FETCH_GUARDED = `
  select r.record_id as "id", c.tuple, r.targets, r.text
  from ${CHUNKS_OF_CARD}
  join privity.compartments c on c.tenant_id = $1 and c.compartment_id = r.compartment_id
  where card.tenant_id = $1
    and card.record_id = any ($2::uuid[])
  order by r.record_id`

/** A chunk and the card with which it was written. */
export interface CardOf {
  readonly segment: string
  readonly id: string
  readonly tuple: RecordRow['tuple']
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

/** The cards of some chunks, under row-level security. */
export const FETCH_CARDS_OF = `
  select
    r.record_id as "segment",
    card.record_id as "id",
    c.tuple,
    card.expires_at as "expiresAt",
    card.created_at as "createdAt"
  from privity.records r
  join privity.derivations d on d.tenant_id = $1 and d.record_id = r.record_id
  join privity.records card on card.tenant_id = $1 and card.record_id = d.source_id and ${isChunkOf('card')}
  join privity.compartments c on c.tenant_id = $1 and c.compartment_id = card.compartment_id
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
  order by r.record_id, card.record_id`
