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

/** Whether a record holds some of a range. A whole document is identified by its name or its id. */
export const isInRange = ({ id, tuple, document, start, end }: SpanSource, range: DocumentRange): boolean =>
  range.owner === tuple.owner &&
  (range.document === document || range.document === id) &&
  range.start < end &&
  range.end > start

/**
 * The ranges that some records speak of, with so much around each: what the spans of a derived record name, and what a
 * source itself holds. `records` selects record rows; a span that cannot be one names nothing.
 */
export const rangesOf = (records: string, reach: string): string => `
  select
    item.tuple ->> 'owner' as owner,
    place.document,
    greatest(0, place.first - ${reach}) as first,
    place.beyond + ${reach} as beyond
  from ${records} item
  cross join lateral (
    select
      span ->> 'document' as document,
      case jsonb_typeof(span -> 'start') when 'number' then (span ->> 'start')::numeric end as first,
      case jsonb_typeof(span -> 'end') when 'number' then (span ->> 'end')::numeric end as beyond
    from jsonb_array_elements(item.spans) span
    where item.tuple ->> 'kind' not in ('document', 'segment')
    union all
    -- Places are counted in units of UTF-16, of which a character has one or two.
    select coalesce(item.document, item.id::text), begins.at, begins.at + 2 * char_length(item.text)
    from (select coalesce((item.spans -> 0 ->> 'start')::numeric, 0)) as begins (at)
    where item.tuple ->> 'kind' in ('document', 'segment')
      and ${reach} > 0
  ) place
  where place.document is not null
    and place.first is not null
    and place.beyond is not null`

// A card is left out: its text is about the document, not part of it. `offset 0` makes the planner look up each
// document by its name; without statistics it would otherwise check every record of the tenant.
/** The records that contain some ranges (`owner`, `document`, `first`, `beyond`), under row-level security. */
export const spanSourcesIn = (ranges: string): string => `
  with range as (
    select * from ${ranges}
  ), named as (
    select distinct owner, document from range
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
    from range a
    where a.owner = h.owner
      and (a.document = h.document or a.document = h.record_id::text)
      and a.first < h.beyond
      and a.beyond > h.first)
  order by "document", "start", "id"`

/** The records that contain some ranges, under row-level security. */
export function fetchSpanSources(
  tx: Transaction,
  tenant: string,
  ranges: readonly DocumentRange[],
): Promise<SpanSource[]> {
  if (ranges.length === 0) return Promise.resolve([])
  return tx.query<SpanSource>(FETCH_SPAN_SOURCES, [
    tenant,
    ranges.map(({ owner }) => owner),
    ranges.map(({ document }) => document),
    ranges.map(({ start }) => start),
    ranges.map(({ end }) => end),
  ])
}

const FETCH_SPAN_SOURCES = spanSourcesIn(
  'unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as a (owner, document, first, beyond)',
)
