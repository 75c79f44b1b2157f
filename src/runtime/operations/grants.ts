import { z } from 'zod'
import { targetKey } from '../../policy/tuple.js'
import { deleteGrant, type GrantRow, insertGrant, listGrants } from '../../storage/queries/grants.js'
import { target } from '../draft.js'
import { createdAt } from '../fields.js'
import { id, principal } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest } from '../request.js'
import { HIDDEN_TARGET, shownTarget, showTargets } from './targets.js'

const grant = z
  .object({
    id: z.string().meta({ description: 'The id of the grant.' }),
    grantee: z.string().meta({ description: 'Who is let in.' }),
    target: shownTarget.meta({ description: 'What they are let in to.' }),
    createdAt,
  })
  .meta({ id: 'Grant', description: 'Somebody who is let in to something.' })

const view = (row: GrantRow, target: z.input<typeof shownTarget>): z.input<typeof grant> => ({
  id: row.grantId,
  grantee: row.grantee,
  target,
  createdAt: row.createdAt.toISOString(),
})

/**
 * Grants an actor, a group or a role access to a target that requires explicit access; nothing else is lifted (OV-2,
 * OP-2).
 */
export const addGrant = writeOperation({
  name: 'grants.add',
  route: 'POST /grants',
  summary: 'Grant explicit access to a target',
  sample: () => ({ grantee: 'dot', target: { kind: 'corpus', ref: 'fresh' } }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['grant_added'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    grantee: principal.meta({
      description: 'Who to let in: a person, `group:<id>` or `role:<id>/<role>`.',
      example: 'ben',
    }),
    target: target.meta({ description: 'What to let them in to.' }),
  }),
  output: grant,
  async run(request, input) {
    const owner = input.target.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    const row: GrantRow = {
      grantId: request.parts.clock.newId('grant'),
      owner,
      grantee: input.grantee,
      targetKind: input.target.kind,
      targetRef: input.target.ref,
      target: targetKey(input.target.kind, owner, input.target.ref),
      createdAt: request.now,
      label: request.clearance,
    }
    await insertGrant(request.tx, request.tenant, row)
    request.changesFactsOf(owner)
    return { output: view(row, { ...input.target, owner }), refs: [row.grantId] }
  },
  async replay(request, refs) {
    const shown = (await listOwn(request)).find(({ id }) => refs.includes(id))
    if (shown === undefined) throw absent()
    return shown
  },
})

/** Lists the grants on the caller's own things. */
export const listGrantsOf = readOperation({
  name: 'grants.list',
  route: 'GET /grants',
  summary: 'List your grants',
  sample: () => ({}),
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ grants: z.array(grant).meta({ description: 'The grants, oldest first.' }) }),
  run: async request => ({ grants: await listOwn(request) }),
})

async function listOwn(request: ReadRequest): Promise<z.input<typeof grant>[]> {
  const all = await listGrants(request.tx, request.tenant, [...request.parts.identity.principals])
  const rows = await request.seen(all)
  const targets = await showTargets(request, rows)
  return rows.map((row, at) => view(row, targets[at] ?? HIDDEN_TARGET))
}

/** Revokes a grant, from the next request on. */
export const revokeGrant = writeOperation({
  name: 'grants.revoke',
  route: 'DELETE /grants/:grant',
  summary: 'Revoke a grant',
  sample: world => ({ grant: world.other() }),
  callers: 'owner',
  effects: ['grant_revoked'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ grant: id.meta({ description: 'The grant, by its id.' }) }),
  output: z.object({
    revoked: z.boolean().meta({ description: 'Whether it was revoked; false if it was not there.' }),
  }),
  async run(request, input) {
    const owners = [...request.parts.identity.principals]
    const seen = await request.seen(await listGrants(request.tx, request.tenant, owners))
    const mine = seen.filter(({ grantId }) => grantId === input.grant).map(({ grantId }) => grantId)
    const owner = await deleteGrant(request.tx, request.tenant, mine, owners)
    if (owner === undefined) throw absent()
    request.changesFactsOf(owner)
    return { output: { revoked: true }, refs: [input.grant] }
  },
  replay: async () => ({ revoked: true }),
})
