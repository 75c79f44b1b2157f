import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'

export interface GroupRow {
  readonly groupId: string
  readonly name: string
  readonly owner: string
  readonly members: readonly { readonly member: string; readonly role: string }[]
  /** The most that its author could be shown; null counts as the strictest label (NI-10). */
  readonly label: StoredLabel | null
}

export async function insertGroup(
  tx: Transaction,
  tenant: string,
  group: Pick<GroupRow, 'groupId' | 'owner' | 'name' | 'label'> & { readonly credential: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(INSERT_GROUP, [
    tenant,
    group.groupId,
    group.owner,
    group.name,
    now,
    group.label === null ? null : JSON.stringify(group.label),
    group.credential,
  ])
  return rows.length > 0
}

const INSERT_GROUP = `
  insert into privity.groups (tenant_id, group_id, owner, name, created_at, label, credential)
  values ($1, $2, $3, $4, $5, $6::jsonb, $7)
  on conflict (tenant_id, owner, name, credential) do nothing
  returning group_id`

/** The groups that an actor owns or belongs to. Only the owner of a group sees its other members. */
export function listGroups(tx: Transaction, tenant: string, actor: string): Promise<GroupRow[]> {
  return tx.query<GroupRow>(LIST_GROUPS, [tenant, actor])
}

const LIST_GROUPS = `
  select
    g.group_id as "groupId",
    g.name,
    g.owner,
    g.label,
    coalesce(
      (select jsonb_agg(jsonb_build_object('member', m.member, 'role', m.role) order by m.member, m.role)
       from privity.memberships m
       where m.tenant_id = g.tenant_id
         and m.group_id = g.group_id
         and (g.owner = $2 or m.member = $2)),
      '[]'
    ) as "members"
  from privity.groups g
  where g.tenant_id = $1
    and (
      g.owner = $2
      or exists (
        select 1
        from privity.memberships m
        where m.tenant_id = g.tenant_id
          and m.group_id = g.group_id
          and m.member = $2))
  order by g.name, g.group_id`

interface OwnGroup extends Pick<GroupRow, 'label'> {
  readonly members: readonly string[]
}

/** The members of a group, if this actor owns it. */
export async function loadOwnGroup(
  tx: Transaction,
  tenant: string,
  groupId: string,
  owner: string,
): Promise<OwnGroup | undefined> {
  const [row] = await tx.query<OwnGroup>(LOAD_OWN_GROUP, [tenant, groupId, owner])
  return row
}

const LOAD_OWN_GROUP = `
  select
    array(
      select distinct m.member
      from privity.memberships m
      where m.tenant_id = g.tenant_id
        and m.group_id = g.group_id
      order by m.member) as "members",
    g.label
  from privity.groups g
  where g.tenant_id = $1
    and g.group_id = $2
    and g.owner = $3
  for update of g`

export async function insertMember(
  tx: Transaction,
  tenant: string,
  groupId: string,
  member: string,
  role: string,
  now: Date,
): Promise<void> {
  await tx.query(INSERT_MEMBER, [tenant, groupId, member, role, now])
}

const INSERT_MEMBER = `
  insert into privity.memberships (tenant_id, group_id, member, role, created_at)
  values ($1, $2, $3, $4, $5)
  on conflict do nothing`

/** Removes one role of a member or, with null, the whole membership. */
export async function deleteMember(
  tx: Transaction,
  tenant: string,
  groupId: string,
  member: string,
  role: string | null,
): Promise<boolean> {
  const rows = await tx.query(DELETE_MEMBER, [tenant, groupId, member, role])
  return rows.length > 0
}

const DELETE_MEMBER = `
  delete from privity.memberships
  where tenant_id = $1
    and group_id = $2
    and member = $3
    and ($4::text is null or role = $4)
  returning member`
