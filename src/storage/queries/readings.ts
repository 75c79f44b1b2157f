import type { Transaction } from '../database.js'

/** Adds to the time that a session spent on pages of a document, up to the time that the session has lasted. */
export async function addReadings(
  tx: Transaction,
  tenant: string,
  of: { readonly profileId: string; readonly linkId: string; readonly recordId: string },
  pages: readonly { readonly page: number; readonly seconds: number }[],
  now: Date,
): Promise<void> {
  const { profileId, linkId, recordId } = of
  const numbers = pages.map(({ page }) => page)
  const seconds = pages.map(one => one.seconds)
  await tx.query(ADD, [tenant, profileId, linkId, recordId, numbers, seconds, now])
}

const ADD = `
  insert into privity.readings as known (tenant_id, profile_id, link_id, record_id, page, seconds, last_at)
  select $1, $2, $3, $4, page, least(seconds, lasted), $7
  from unnest($5::int[], $6::int[]) as told (page, seconds),
    (select ceil(extract(epoch from $7::timestamptz - created_at))::int as lasted
     from privity.profiles
     where tenant_id = $1
       and profile_id = $2) as session
  on conflict (tenant_id, profile_id, record_id, page) do update
  set
    seconds = least(
      known.seconds + excluded.seconds,
      (select ceil(extract(epoch from $7::timestamptz - p.created_at))::int
       from privity.profiles p
       where p.tenant_id = $1
         and p.profile_id = $2)),
    last_at = excluded.last_at`

/** How long one session looked at one document, and what it took of it. */
export interface ReadingRow {
  readonly profileId: string
  readonly recipientName: string | null
  /** The address that the session proved, sealed. */
  readonly ownEmail: string | null
  readonly recordId: string
  readonly pages: readonly { readonly page: number; readonly seconds: number }[]
  readonly seconds: number
  readonly lastAt: Date
}

/** What the sessions of a link looked at, longest first. */
export function listReadings(
  tx: Transaction,
  tenant: string,
  linkId: string,
  limit: number,
): Promise<ReadingRow[]> {
  return tx.query(LIST, [tenant, linkId, limit])
}

const LIST = `
  select
    p.profile_id as "profileId",
    p.recipient_name as "recipientName",
    p.recipient_email as "ownEmail",
    r.record_id as "recordId",
    jsonb_agg(jsonb_build_object('page', r.page, 'seconds', r.seconds) order by r.page) as "pages",
    sum(r.seconds)::int as "seconds",
    max(r.last_at) as "lastAt"
  from privity.readings r
  join privity.profiles p using (tenant_id, profile_id)
  where r.tenant_id = $1
    and r.link_id = $2
  group by p.profile_id, p.recipient_name, p.recipient_email, r.record_id
  order by sum(r.seconds) desc, p.profile_id, r.record_id
  limit $3`
