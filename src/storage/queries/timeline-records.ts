import { foldName } from '../../policy/person-name.js'
import type { Transaction } from '../database.js'
import { RECORD_COLUMNS, type RecordRow } from './fetch-records.js'
import { allTakePartSql, IS_SEEN, IS_SEEN_IN_FULL } from './seen-rows.js'

export interface TimelineFilter {
  readonly from: Date | null
  readonly to: Date | null
  readonly kinds: readonly string[] | null
  /** Only a full face shows them, so this filter finds only what is seen in full (NI-4). */
  readonly people: readonly string[] | null
}

export interface TimelineRow extends RecordRow {
  /** The position on the timeline: when it happened, if its face shows that, otherwise when it was written. */
  readonly placedAt: Date
}

/** A position in the order of a timeline. */
export type TimelineKey = Pick<TimelineRow, 'placedAt' | 'id'>

/**
 * The next records by the time at which they happened, under row-level security. It returns exactly what the caller
 * sees, so that one statement fills a page. A record whose face does not show that time is placed by when it was
 * written, so that its position reveals no more than the face (NI-4).
 */
export function timelineRecords(
  tx: Transaction,
  tenant: string,
  filter: TimelineFilter,
  order: 'newest' | 'oldest',
  after: TimelineKey | null,
  limit: number,
): Promise<TimelineRow[]> {
  return tx.query<TimelineRow>(order === 'newest' ? TIMELINE_NEWEST : TIMELINE_OLDEST, [
    tenant,
    filter.from,
    filter.to,
    filter.kinds,
    filter.people?.map(foldName) ?? null,
    after?.placedAt ?? null,
    after?.id ?? null,
    limit,
  ])
}

const timeline = (beyond: '<' | '>', direction: 'desc' | 'asc') => `
  select ${RECORD_COLUMNS}, placed.at as "placedAt"
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  cross join lateral (
    select case
      when r.occurred_at is null then r.created_at
      when ${IS_SEEN_IN_FULL} then r.occurred_at
      else r.created_at
    end as at
    -- worked out once, and only for what row-level security lets through
    offset 0
  ) placed
  where r.tenant_id = $1
    and ${IS_SEEN}
    -- the place is one of the two: most rows out of a window are out before anything else is looked at
    and ($2::timestamptz is null or r.created_at >= $2 or r.occurred_at >= $2)
    and ($3::timestamptz is null or r.created_at < $3 or r.occurred_at < $3)
    and ($2::timestamptz is null or placed.at >= $2)
    and ($3::timestamptz is null or placed.at < $3)
    and ($4::text[] is null or r.kind = any ($4))
    and ($5::text[] is null or ${IS_SEEN_IN_FULL})
    and ($5::text[] is null or ${allTakePartSql('$5')})
    and ($6::timestamptz is null or (placed.at, r.record_id) ${beyond} ($6, $7::uuid))
  order by placed.at ${direction}, r.record_id ${direction}
  limit $8`

const TIMELINE_NEWEST = timeline('<', 'desc')
const TIMELINE_OLDEST = timeline('>', 'asc')
