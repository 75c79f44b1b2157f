import type { Database } from '../database.js'

/** The latest time that the audit of any tenant tells of; null for a store in which nothing was asked yet. */
export async function loadLatestTime(db: Database): Promise<Date | null> {
  const [row] = await db.transaction({ access: 'read', role: 'privity_operator', settings: {} }, tx =>
    tx.query<{ latest: Date | null }>(LOAD_LATEST_TIME),
  )
  return row?.latest ?? null
}

// A lane that was closed says when. Of one whose process died or still runs, the last entry does.
const LOAD_LATEST_TIME = `
  select max(known.at) as "latest"
  from (
    select greatest(opened_at, closed_at) as at
    from privity.audit_lanes
    union all
    select last.at
    from privity.audit_lanes l
    cross join lateral (
      select e.at
      from privity.audit_entries e
      where e.tenant_id = l.tenant_id
        and e.lane_id = l.lane_id
      order by e.seq desc
      limit 1) last
    where l.closed_at is null) known`
