import type { PolicyTuple } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'

/** A range of a document's text that is stored in its own record. */
export interface SpanSource {
  readonly id: string
  readonly tuple: PolicyTuple
  readonly document: string | null
  readonly version: string | null
  readonly part: string | null
  readonly title: string | null
  readonly author: string
  /** The range of the record's text within the document's text. */
  readonly start: number
  readonly end: number
  readonly spans: readonly unknown[]
  readonly text: string
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

/** A requested range of a document. */
export interface DocumentRange {
  readonly owner: string
  readonly document: string
  readonly start: number
  readonly end: number
}

/**
 * The records that contain some ranges, under row-level security. A whole document is identified by its name or its
 * id.
 */
export function fetchSpanSources(
  tx: Transaction,
  tenant: string,
  stretches: readonly DocumentRange[],
): Promise<SpanSource[]> {
  if (stretches.length === 0) return Promise.resolve([])
  return tx.query<SpanSource>(FETCH_SPAN_SOURCES, [
    tenant,
    stretches.map(({ owner }) => owner),
    stretches.map(({ document }) => document),
    stretches.map(({ start }) => start),
    stretches.map(({ end }) => end),
  ])
}

// A card is left out: its text is about the document, not part of it. `offset 0` makes the planner look up each
// document by its name; without statistics it would otherwise check every record of the tenant.
const FETCH_SPAN_SOURCES = `
  with asked as (
    select * from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as a (owner, document, first, beyond)
  ), named as (
    select distinct owner, document from asked
  ), held as (
    select r.*, (r.spans -> 0 ->> 'start')::bigint as first, (r.spans -> 0 ->> 'end')::bigint as beyond
    from named n
    cross join lateral (
      select *
      from privity.records r
      where r.tenant_id = $1
        and r.owner = n.owner
        and r.document = n.document
      offset 0) r
    where r.kind = 'segment'
      and r.spans -> 0 ->> 'document' = r.document
    union all
    -- Places are counted in units of UTF-16, of which a character has one or two.
    select r.*, 0, 2 * char_length(r.text)
    from named n
    cross join lateral (
      select *
      from privity.records r
      where r.tenant_id = $1
        and r.owner = n.owner
        and r.document = n.document
      union all
      select *
      from privity.records r
      where r.tenant_id = $1
        and r.owner = n.owner
        and r.record_id = case when n.document ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then n.document::uuid end
        and r.document is distinct from n.document
      offset 0) r
    where r.kind = 'document'
      and not r.fields ? 'parts'
  )
  select
    h.record_id as "id",
    c.tuple,
    coalesce(h.document, h.record_id::text) as "document",
    h.version,
    h.part,
    h.title,
    h.author,
    h.first::float8 as "start",
    h.beyond::float8 as "end",
    h.spans,
    h.text,
    h.expires_at as "expiresAt",
    h.created_at as "createdAt"
  from held h
  join privity.compartments c on c.tenant_id = h.tenant_id and c.compartment_id = h.compartment_id
  where exists (
    select 1
    from asked a
    where a.owner = h.owner
      and (a.document = h.document or a.document = h.record_id::text)
      and a.first < h.beyond
      and a.beyond > h.first)
  order by "document", "start", "id"`
