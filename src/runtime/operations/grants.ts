import { z } from 'zod'
import { targetKey } from '../../policy/tuple.js'
import { deleteGrant, type GrantRow, insertGrant, listGrants } from '../../storage/queries/grants.js'
import { target } from '../draft.js'
import { id, principal } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest } from '../request.js'
import { HIDDEN_TARGET, shownTarget, showTargets } from './targets.js'

const grant = z.object({
  id: z.string(),
  grantee: z.string(),
  target: shownTarget,
  createdAt: z.string(),
})

const view = (row: GrantRow, target: z.input<typeof shownTarget>): z.input<typeof grant> => ({
  id: row.grantId,
  grantee: row.grantee,
  target,
  createdAt: row.createdAt.toISOString(),
})

/** Opens a target that needs explicit access, for an actor, a group or a role; it lifts nothing else (OV-2, OP-2). */
export const addGrant = writeOperation({
  name: 'grants.add',
  summary: 'Grant explicit access to a target',
  callers: 'owner',
  effects: ['grant_added'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({ grantee: principal, target }),
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

/** Grants on what is one's own. */
export const listGrantsOf = readOperation({
  name: 'grants.list',
  summary: 'List your grants',
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ grants: z.array(grant) }),
  run: async request => ({ grants: await listOwn(request) }),
})

async function listOwn(request: ReadRequest): Promise<z.input<typeof grant>[]> {
  const rows = await listGrants(request.tx, request.tenant, [...request.parts.identity.principals])
  const targets = await showTargets(request, rows)
  return rows.map((row, at) => view(row, targets[at] ?? HIDDEN_TARGET))
}

/** Takes a grant back: gone at the next request. */
export const revokeGrant = writeOperation({
  name: 'grants.revoke',
  summary: 'Take back a grant',
  callers: 'owner',
  effects: ['grant_revoked'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ grant: id }),
  output: z.object({ revoked: z.boolean() }),
  async run(request, input) {
    const owner = await deleteGrant(request.tx, request.tenant, input.grant, [
      ...request.parts.identity.principals,
    ])
    if (owner === undefined) throw absent()
    request.changesFactsOf(owner)
    return { output: { revoked: true }, refs: [input.grant] }
  },
  replay: async () => ({ revoked: true }),
})
