import type { Transaction } from '../database.js'

/** How records of an owner that hold some people stand to agents, now and if the consent of these were another. */
export interface PersonRecords {
  readonly records: number
  /** Those that agents may see after a change and not before it. */
  readonly opened: number
  /** Those that agents may see before a change and not after it. */
  readonly closed: number
}

/** Counts the records that hold one of these ids, and what another consent would change about them. */
export async function countPersonRecords(
  tx: Transaction,
  tenant: string,
  owner: string,
  ids: readonly string[],
  consent: string,
): Promise<PersonRecords> {
  const [row] = await tx.query<PersonRecords>(COUNT, [tenant, owner, ids, consent])
  return row ?? { records: 0, opened: 0, closed: 0 }
}

const COUNT = `
  with held as (
    select
      coalesce((
        select bool_and(coalesce(p.consent = 'granted', false))
        from unnest(r.participants) as participant (id)
        left join privity.people p
          on p.tenant_id = r.tenant_id
          and p.person_id = participant.id), true) as before,
      $4 = 'granted' and coalesce((
        select bool_and(coalesce(p.consent = 'granted', false))
        from unnest(r.participants) as participant (id)
        left join privity.people p
          on p.tenant_id = r.tenant_id
          and p.person_id = participant.id
        where participant.id <> all ($3::uuid[])), true) as after
    from privity.records r
    where r.tenant_id = $1
      and r.owner = $2
      and r.participants && $3::uuid[]
  )
  select
    count(*)::int as records,
    count(*) filter (where after and not before)::int as opened,
    count(*) filter (where before and not after)::int as closed
  from held`
