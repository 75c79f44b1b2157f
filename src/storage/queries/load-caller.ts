import type { Transaction } from '../database.js'

export interface CallerRow {
  readonly memberships: readonly { groupId: string; role: string }[]
  readonly sessions: readonly { sessionId: string; relationship: string; participants: readonly string[] }[]
  /** Of what the tenant itself registered. */
  readonly tenantGeneration: string | null
}

/** What decides who the caller is: groups, roles and sessions. Small, so it is read every time. */
export async function loadCaller(tx: Transaction, tenant: string, principal: string): Promise<CallerRow> {
  const [row] = await tx.query<CallerRow>(LOAD_CALLER, [tenant, principal])
  return row ?? { memberships: [], sessions: [], tenantGeneration: null }
}

const LOAD_CALLER = `
  select
    coalesce(
      (select jsonb_agg(jsonb_build_object('groupId', m.group_id, 'role', m.role))
       from privity.memberships m
       where m.tenant_id = $1
         and m.member = $2),
      '[]'
    ) as "memberships",
    coalesce(
      (select jsonb_agg(jsonb_build_object(
         'sessionId', s.session_id,
         'relationship', s.relationship,
         'participants',
         (select jsonb_agg(other.actor)
          from privity.session_participants other
          where other.tenant_id = s.tenant_id
            and other.session_id = s.session_id)))
       from privity.sessions s
       join privity.session_participants self using (tenant_id, session_id)
       where s.tenant_id = $1
         and self.actor = $2),
      '[]'
    ) as "sessions",
    (select g.generation
     from privity.generations g
     where g.tenant_id = $1
       and g.owner = '') as "tenantGeneration"`
