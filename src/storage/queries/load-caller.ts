import type { Transaction } from '../database.js'
import { keyIsValidSql, profileHasEndedSql } from './api-keys.js'

export interface CallerRow {
  readonly memberships: readonly { groupId: string; role: string }[]
  readonly sessions: readonly { sessionId: string; relationship: string; participants: readonly string[] }[]
  /** The generation of the tenant's own registrations. */
  readonly tenantGeneration: string | null
  /**
   * Whether the caller's key is valid, and until when; null for a caller without a key. The key of a profile that has
   * ended counts as valid under that profile, which then refuses the request.
   */
  readonly key: { readonly stands: boolean; readonly expiresAt: string | null } | null
}

/** Loads who the caller is: groups, roles, sessions and key. This is little data, so it is read for every request. */
export async function loadCaller(
  tx: Transaction,
  tenant: string,
  principal: string,
  { key, profile }: { readonly key: string | null; readonly profile: string | null },
  now: Date,
): Promise<CallerRow> {
  const [row] = await tx.query<CallerRow>(LOAD_CALLER, [tenant, principal, key, now, profile])
  return row ?? { memberships: [], sessions: [], tenantGeneration: null, key: null }
}

export const LOAD_CALLER = `
  select
    coalesce(
      (select jsonb_agg(jsonb_build_object('groupId', m.group_id, 'role', m.role) order by m.group_id, m.role)
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
         (select jsonb_agg(other.actor order by other.actor)
          from privity.session_participants other
          where other.tenant_id = s.tenant_id
            and other.session_id = s.session_id)) order by s.session_id)
       from privity.sessions s
       join privity.session_participants self using (tenant_id, session_id)
       where s.tenant_id = $1
         and self.actor = $2),
      '[]'
    ) as "sessions",
    (select g.generation
     from privity.generations g
     where g.tenant_id = $1
       and g.owner = '') as "tenantGeneration",
    (select jsonb_build_object(
       'stands', ${keyIsValidSql('$4')} or (k.profile_id = $5::uuid and ${profileHasEndedSql('$4')}),
       'expiresAt', k.expires_at)
     from privity.api_keys k
     where k.tenant_id = $1
       and k.key_id = $3::uuid) as "key"`
