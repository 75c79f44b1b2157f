import type { Audience } from '../../policy/vocabulary.js'
import type { Transaction } from '../database.js'
import { keyIsValidSql } from './api-keys.js'
import type { TimeKey } from './time-key.js'

/** A credential that is valid now: a key, a link that can be opened, or a profile. The row contains no secret. */
export interface LiveCredential {
  readonly kind: 'key' | 'link' | 'profile'
  readonly id: string
  readonly name: string
  /** The principal who owns it. */
  readonly owner: string
  /** Null for a profile that no key opens: the actor's own credentials select it by name. */
  readonly audience: Audience | null
  /** The policy that its key names. */
  readonly policy: string | null
  /**
   * The profile under which it runs. For a link, the profile under which it was granted, which is the parent of the
   * link's profiles.
   */
  readonly profileId: string | null
  readonly linkId: string | null
  /** The actions that its link allows. */
  readonly allowedActions: readonly unknown[] | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** The credentials of these owners, or with null of the whole tenant, newest first. */
export function listLiveCredentials(
  tx: Transaction,
  tenant: string,
  owners: readonly string[] | null,
  now: Date,
  before: TimeKey | null,
  limit: number,
): Promise<LiveCredential[]> {
  return tx.query(LIST, [tenant, owners, now, before?.createdAt ?? null, before?.id ?? null, limit])
}

// The key of a profile is shown with the profile. A suspended profile does not expire, because it may be resumed.
const LIST = `
  select *
  from (
    select
      'key' as kind,
      k.key_id as id,
      k.name,
      k.owner,
      k.credential ->> 'audience' as audience,
      k.credential ->> 'policy' as policy,
      (k.credential ->> 'profile')::uuid as "profileId",
      null::uuid as "linkId",
      null::jsonb as "allowedActions",
      k.created_at as "createdAt",
      k.expires_at as "expiresAt"
    from privity.api_keys k
    where k.tenant_id = $1
      and k.profile_id is null
      and ${keyIsValidSql('$3')}
      and ($2::text[] is null or k.owner = any ($2))
    union all
    select
      'link', l.link_id, l.name, l.owner, 'recipient', null, l.owner_session, l.link_id, l.allowed_actions,
      l.created_at, l.expires_at
    from privity.share_links l
    where l.tenant_id = $1
      and l.revoked_at is null
      and (l.expires_at is null or l.expires_at > $3)
      and ($2::text[] is null or l.owner = any ($2))
    union all
    select
      'profile', p.profile_id, coalesce(p.recipient_name, p.actor), p.owner,
      coalesce(own.audience, case when p.link_id is not null then 'recipient' end), own.policy, p.profile_id,
      p.link_id, l.allowed_actions, p.created_at, p.expires_at
    from privity.profiles p
    left join privity.share_links l using (tenant_id, link_id)
    left join lateral (
      select k.credential ->> 'audience' as audience, k.credential ->> 'policy' as policy
      from privity.api_keys k
      where k.tenant_id = p.tenant_id
        and k.profile_id = p.profile_id
        and ${keyIsValidSql('$3')}
      order by k.created_at, k.key_id
      limit 1
    ) own on true
    where p.tenant_id = $1
      and (p.state = 'suspended' or (p.state = 'active' and (least(p.expires_at, p.idle_at) > $3 or (p.expires_at is null and p.idle_at is null))))
      and (p.ends_at is null or p.ends_at > $3)
      and ($2::text[] is null or p.owner = any ($2))
  ) as live
  where ($4::timestamptz is null or ("createdAt", id) < ($4, $5::uuid))
  order by "createdAt" desc, id desc
  limit $6`
