import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import {
  deleteMember,
  type GroupRow,
  insertGroup,
  insertMember,
  listGroups,
  loadOwnGroup,
} from '../../storage/queries/groups.js'
import { lockOwners } from '../../storage/queries/lock.js'
import { id, name } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'

const group = z
  .object({
    id: z.string().meta({ description: 'The id of the group.' }),
    name: z.string().meta({ description: 'Its name.' }),
    principal: z.string().meta({ description: 'What to name as an owner or a grantee: `group:<id>`.' }),
    owner: z.string().meta({ description: 'Who made it.' }),
    members: z
      .array(
        z.object({
          member: z.string().meta({ description: 'The person, by name.' }),
          role: z.string().nullable().meta({ description: 'Their role; null if they have none.' }),
        }),
      )
      .meta({ description: 'Its members.' }),
  })
  .meta({ id: 'Group', description: 'A group of people, who can own records and be let in.' })

const view = (row: GroupRow): z.input<typeof group> => ({
  id: row.groupId,
  name: row.name,
  principal: `group:${row.groupId}`,
  owner: row.owner,
  members: row.members.map(({ member, role }) => ({ member, role: role === '' ? null : role })),
})

/** A role is part of a principal's name, so it may not contain the separator. */
const role = name.refine(value => !value.includes('/'), { message: 'must not contain a slash' })

async function replayGroup(request: WriteRequest, refs: readonly string[]): Promise<z.input<typeof group>> {
  const rows = await request.seen(await listGroups(request.tx, request.tenant, request.caller.actingFor))
  const row = rows.find(({ groupId }) => refs.includes(groupId))
  if (row === undefined) throw absent()
  return view(row)
}

/** Creates a group whose first member is its owner. Every member reads and writes what the group owns (OP-2). */
export const createGroup = writeOperation({
  name: 'groups.create',
  route: 'POST /groups',
  summary: 'Create a group',
  sample: world => ({
    name: world.pick(['family', 'family', 'family', `circle ${world.key}`]),
  }),
  callers: 'owner',
  effects: ['group_created'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({ name: name.meta({ description: 'A name for it.', example: 'weekly' }) }),
  output: group,
  async run(request, input) {
    const groupId = request.parts.clock.newId('group')
    const owner = request.caller.actingFor
    const made = await insertGroup(
      request.tx,
      request.tenant,
      { groupId, owner, name: input.name, label: request.clearance, credential: request.credential },
      request.now,
    )
    if (!made)
      throw new PrivityError('conflict', 'you already have a group with this name; choose another name')
    await insertMember(request.tx, request.tenant, groupId, owner, '', request.now)
    request.changesFactsOf(owner)
    return { output: await replayGroup(request, [groupId]), refs: [groupId] }
  },
  replay: replayGroup,
})

/** Lists the groups that the caller owns or belongs to. */
export const listGroupsOf = readOperation({
  name: 'groups.list',
  route: 'GET /groups',
  summary: 'List groups you own or belong to',
  sample: () => ({}),
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ groups: z.array(group).meta({ description: 'The groups, by name.' }) }),
  async run(request) {
    const rows = await listGroups(request.tx, request.tenant, request.caller.actingFor)
    return { groups: (await request.seen(rows)).map(view) }
  },
})

/** Requires that the caller owns the group. The change of membership changes the facts of the member. */
async function requireOwnGroup(request: WriteRequest, groupId: string, member: string): Promise<void> {
  await lockOwners(request.tx, request.tenant, [member], 'exclusive')
  const found = await loadOwnGroup(request.tx, request.tenant, groupId, request.caller.actingFor)
  if ((await request.seen(found === undefined ? [] : [found])).length === 0) throw absent()
  request.changesFactsOf(member)
}

/** Adds a member, with or without a role. */
export const addMember = writeOperation({
  name: 'groups.add_member',
  route: 'POST /groups/:group/members',
  summary: 'Add a member to a group',
  sample: world => ({ group: world.other(), member: 'dot' }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['group_member_added'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    group: id.meta({ description: 'The group, by its id.' }),
    member: name.meta({ description: 'A person of the tenant, by name.', example: 'ben' }),
    role: role.optional().meta({ description: 'A role in the group.', example: 'editor' }),
  }),
  output: group,
  async run(request, input) {
    await requireOwnGroup(request, input.group, input.member)
    await insertMember(request.tx, request.tenant, input.group, input.member, '', request.now)
    if (input.role !== undefined)
      await insertMember(request.tx, request.tenant, input.group, input.member, input.role, request.now)
    return { output: await replayGroup(request, [input.group]), refs: [input.group] }
  },
  replay: replayGroup,
})

/** Removes a role from a member or, if none is given, the member from the group, from the next request on. */
export const removeMember = writeOperation({
  name: 'groups.remove_member',
  route: 'POST /groups/:group/members/remove',
  summary: 'Remove a member, or one of its roles, from a group',
  sample: world => ({ group: world.other(), member: 'dot' }),
  callers: 'owner',
  effects: ['group_member_removed'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    group: id.meta({ description: 'The group, by its id.' }),
    member: name.meta({ description: 'A person of the tenant, by name.', example: 'ben' }),
    role: role
      .optional()
      .meta({ description: 'A role in the group. Default: all their roles.', example: 'editor' }),
  }),
  output: group,
  async run(request, input) {
    await requireOwnGroup(request, input.group, input.member)
    const gone = await deleteMember(request.tx, request.tenant, input.group, input.member, input.role ?? null)
    if (!gone) throw absent()
    return { output: await replayGroup(request, [input.group]), refs: [input.group] }
  },
  replay: replayGroup,
})
