import type { ProfileBinding } from '../../policy/profile-binding.js'
import type { Transaction } from '../database.js'
import { PROFILE_VIEWS, type ProfileWithViews } from './profiles.js'
import { PROFILE_COLUMNS, type ProfileRow } from './running-profile.js'
import type { TimeKey } from './time-key.js'

/** A binding as it is stored. The number of its children is counted when needed, not stored. */
export interface BindingRow {
  readonly bindingId: string
  readonly profileId: string
  /** The owner of its profile. */
  readonly owner: string
  readonly parentBinding: string | null
  readonly binding: Omit<ProfileBinding, 'childrenCount'>
  readonly createdAt: Date
}

export async function insertBinding(
  tx: Transaction,
  tenant: string,
  row: Omit<BindingRow, 'owner'>,
): Promise<void> {
  await tx.query(INSERT_BINDING, [
    tenant,
    row.bindingId,
    row.profileId,
    row.parentBinding,
    JSON.stringify(row.binding),
    row.createdAt,
  ])
}

const INSERT_BINDING = `
  insert into privity.session_bindings (tenant_id, binding_id, profile_id, parent_binding, binding, created_at)
  values ($1, $2, $3, $4, $5::jsonb, $6)`

/**
 * Deletes the bindings of a profile. Profiles that name such a binding, and bindings below it, are then bound by
 * nothing and can spawn nothing.
 */
export async function deleteBindingsOf(tx: Transaction, tenant: string, profileId: string): Promise<void> {
  await tx.query(DELETE_BINDINGS, [tenant, profileId])
}

const DELETE_BINDINGS = `
  delete from privity.session_bindings
  where tenant_id = $1
    and profile_id = $2`

/** A binding, its owner, and the kind of profile at the root of its chain. */
export async function findBinding(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  now: Date,
): Promise<(BindingRow & { readonly rootKind: string | null }) | undefined> {
  const [row] = await tx.query<BindingRow>(FIND_BINDING, [tenant, bindingId])
  if (row === undefined) return undefined
  const chain = await loadBindingChain(tx, tenant, bindingId, now)
  const root = chain.at(-1)
  return { ...row, rootKind: root?.parentRef === null ? root.bindingKind : null }
}

const COLUMNS = `
    b.binding_id as "bindingId",
    b.profile_id as "profileId",
    p.owner,
    b.parent_binding as "parentBinding",
    b.binding,
    b.created_at as "createdAt"`

const FIND_BINDING = `
  select ${COLUMNS}
  from privity.session_bindings b
  join privity.profiles p using (tenant_id, profile_id)
  where b.tenant_id = $1
    and b.binding_id = $2`

/** A binding and those above it, nearest first, each with the number of its children that have not ended. */
export async function loadBindingChain(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  now: Date,
): Promise<ProfileBinding[]> {
  const rows = await tx.query<{ binding: Omit<ProfileBinding, 'childrenCount'>; childrenCount: number }>(
    LOAD_CHAIN,
    [tenant, bindingId, now],
  )
  return rows.map(({ binding, childrenCount }) => ({ ...binding, childrenCount }))
}

// Counts by time, whether or not a job has already recorded that a child expired.
const CHILDREN_COUNT = `
    (select count(*)::int
     from privity.session_bindings child
     join privity.profiles cp using (tenant_id, profile_id)
     where child.tenant_id = $1
       and child.parent_binding = b.binding_id
       and cp.state in ('draft', 'active', 'suspended')
       and (cp.expires_at is null or cp.expires_at > $3)) as "childrenCount"`

// The depth limit exceeds any valid chain: a cycle ends here and has no root.
const LOAD_CHAIN = `
  with recursive chain (binding_id, depth) as (
    select $2::uuid, 0
    union all
    select b.parent_binding, chain.depth + 1
    from chain
    join privity.session_bindings b on b.tenant_id = $1 and b.binding_id = chain.binding_id
    where b.parent_binding is not null
      and chain.depth < 16
  )
  select
    b.binding,${CHILDREN_COUNT}
  from chain
  join privity.session_bindings b on b.tenant_id = $1 and b.binding_id = chain.binding_id
  order by chain.depth`

/** The binding of a profile, if it has one. */
export async function findBindingOf(
  tx: Transaction,
  tenant: string,
  profileId: string,
): Promise<BindingRow | undefined> {
  const [row] = await tx.query<BindingRow>(FIND_BINDING_OF, [tenant, profileId])
  return row
}

/**
 * The chain of the binding under which a profile runs, which is the one it names or else its own; null if it has
 * none.
 */
export async function loadBindingsOf(
  tx: Transaction,
  tenant: string,
  { profileId, fields }: Pick<ProfileRow, 'profileId' | 'fields'>,
  now: Date,
): Promise<ProfileBinding[] | null> {
  const named = fields.nativeSessionScopeBindingRef
  const found =
    named == null ? await findBindingOf(tx, tenant, profileId) : await findBinding(tx, tenant, named, now)
  return found === undefined ? null : loadBindingChain(tx, tenant, found.bindingId, now)
}

const FIND_BINDING_OF = `
  select ${COLUMNS}
  from privity.session_bindings b
  join privity.profiles p using (tenant_id, profile_id)
  where b.tenant_id = $1
    and b.profile_id = $2
  order by b.created_at
  limit 1`

/** The profile of a sub-agent, with its binding. */
export type BoundProfile = ProfileWithViews & {
  readonly binding: Omit<ProfileBinding, 'childrenCount'>
  readonly childrenCount: number
}

/** The sub-agents of these owners, newest first. */
export function listSubagents(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  now: Date,
  before: TimeKey | null,
  limit: number,
): Promise<BoundProfile[]> {
  return tx.query(LIST_SUBAGENTS, [tenant, owners, now, before?.createdAt ?? null, before?.id ?? null, limit])
}

const LIST_SUBAGENTS = `
  select ${PROFILE_COLUMNS}, ${PROFILE_VIEWS}, b.binding,${CHILDREN_COUNT}
  from privity.session_bindings b
  join privity.profiles p using (tenant_id, profile_id)
  where b.tenant_id = $1
    and p.owner = any ($2::text[])
    and b.parent_binding is not null
    and ($4::timestamptz is null or (p.created_at, p.profile_id) < ($4, $5::uuid))
  order by p.created_at desc, p.profile_id desc
  limit $6`
