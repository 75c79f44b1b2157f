import { z } from 'zod'
import {
  insertCheckpoint,
  listEntries,
  loadCheckpoints,
  loadHeads,
} from '../../storage/queries/audit-read.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { lockOwners } from '../../storage/queries/lock.js'
import { idsOfSharing, listOperations } from '../../storage/queries/operations.js'
import { makeCheckpoint } from '../audit-chain.js'
import { checkpointsInOrder, firstCheckpoint, verifyAudit } from '../audit-verify.js'
import { id, name, text } from '../input.js'
import { newestFirst, page } from '../newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest } from '../request.js'

const entry = z.object({
  at: z.string(),
  actor: z.string().nullable(),
  for: z.string().nullable(),
  audience: z.string(),
  authenticated: z.boolean(),
  operation: z.string(),
  outcome: z.string(),
  reason: z.string().nullable(),
  /** What it changed, and whether that can be undone; nothing and null for what only asked, or was refused (AU-2). */
  effects: z.array(z.string()),
  reversibility: z.string().nullable(),
  records: z.array(z.string()),
  counts: z.record(z.string(), z.number()),
})

/**
 * What was asked and done, newest first: by an owner and those who work for them, or for a host in the whole tenant.
 * Ids of records that the reader cannot see now are left out, and nothing is numbered (NI-6).
 */
export const listAudit = readOperation({
  name: 'audit.list',
  summary: 'List what was asked and done',
  callers: 'owner',
  input: z.strictObject({ limit: z.int().min(1).max(200).default(50), cursor: text(2_000).optional() }),
  output: z.object({ entries: z.array(entry), cursor: z.string().nullable() }),
  async run(request, input) {
    const { secrets, actorId, forId, tenantFacts } = request.parts
    const { tenant, caller } = request
    const changeOf = ({ operation, outcome }: { operation: string; outcome: string }) =>
      outcome === 'ok' ? tenantFacts.changes.get(operation) : undefined
    const boundTo = JSON.stringify(['audit.list', actorId, forId, caller.audience])
    const before = input.cursor === undefined ? null : readKey(secrets.open(input.cursor, boundTo))
    const of = caller.audience === 'host' ? null : forId
    const rows = await listEntries(request.tx, tenant, of, before, input.limit + 1)
    const listed = rows.slice(0, input.limit)
    const named = await fetchRecords(request.tx, tenant, [...new Set(listed.flatMap(row => row.refs))])
    const views = await request.view(named)
    const visible = new Set(views.flatMap(view => view?.id ?? []))
    const last = listed.at(-1)
    const more = rows.length > input.limit && last !== undefined
    return {
      entries: listed.map(row => ({
        at: row.at,
        actor: row.actor,
        for: row.actingFor,
        audience: row.audience,
        authenticated: row.authenticated,
        operation: row.operation,
        outcome: row.outcome,
        reason: row.reason,
        effects: [...(changeOf(row)?.effects ?? [])],
        reversibility: changeOf(row)?.reversibility ?? null,
        records: row.refs.filter(ref => visible.has(ref)),
        counts: { ...row.counts },
      })),
      cursor: more ? secrets.seal(`${last.at}${last.entryId}`, boundTo) : null,
    }
  },
})

const operation = z.object({
  operation: z.string(),
  at: z.string(),
  name: z.string(),
  actor: z.string().nullable(),
  for: z.string().nullable(),
  audience: z.string(),
  effects: z.array(z.string()),
  reversibility: z.string(),
  /** What it was about: links, views and sessions, and records that the reader sees now. */
  refs: z.array(z.string()),
  /** The operations that it followed from. */
  causalParents: z.array(z.string()),
  /** Whether it was asked for with a key that makes it happen once. The key is its caller's own words. */
  hasIdempotencyKey: z.boolean(),
  /** Where it brought the policies of the tenant; null where it changed none. */
  policyGeneration: z.string().nullable(),
})

/** The durable log of state changes, newest first (AU-2). */
export const listOperationLog = readOperation({
  name: 'audit.operations',
  summary: 'List what was changed, and whether it can be undone',
  callers: 'host',
  /** `name` of the operation; `of` what it was about. */
  input: z.strictObject({ ...page, name: name.optional(), of: id.optional() }),
  output: z.object({ operations: z.array(operation), cursor: z.string().nullable() }),
  async run(request, { name = null, of = null, limit, cursor }) {
    const { tx, tenant } = request
    // Whoever asks of something that it cannot be told of is told of nothing.
    const { rows, cursor: next } =
      of !== null && !(await namable(request, [of])).has(of)
        ? { rows: [], cursor: null }
        : await newestFirst(
            request,
            ['audit.operations', name, of],
            { limit, cursor },
            (before, most) => listOperations(tx, tenant, { name, ref: of }, before, most),
            row => ({ createdAt: row.createdAt, id: row.operationId }),
          )
    const mayName = await namable(
      request,
      rows.flatMap(({ refs }) => refs),
    )
    return {
      operations: rows.map(row => ({
        operation: row.operationId,
        at: row.createdAt.toISOString(),
        name: row.name,
        actor: row.actor,
        for: row.actingFor,
        audience: row.audience,
        effects: [...row.effects],
        reversibility: row.reversibility,
        refs: row.refs.filter(ref => mayName.has(ref)),
        causalParents: [...row.causalParents],
        hasIdempotencyKey: row.idempotencyKey !== null,
        policyGeneration: row.policyGeneration,
      })),
      cursor: next,
    }
  },
})

/** Those of the ids that may be named to a host: what is shared, and by what; and the records that it sees. */
async function namable(request: ReadRequest, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = [...new Set(ids)]
  const records = await fetchRecords(request.tx, request.tenant, asked)
  const views = await request.view(records)
  return new Set([
    ...(await idsOfSharing(request.tx, request.tenant, asked)),
    ...views.flatMap(view => view?.id ?? []),
  ])
}

const ISO_LENGTH = new Date(0).toISOString().length
const readKey = (key: string) => ({ at: new Date(key.slice(0, ISO_LENGTH)), entryId: key.slice(ISO_LENGTH) })

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const checkpoint = z.strictObject({
  checkpointId: id,
  at: z.iso.datetime(),
  heads: z.array(z.strictObject({ laneId: id, seq: z.int().min(1), hash })).max(100_000),
  previous: hash,
  hash,
})

/** Recomputes the chains of this tenant and says where they do not hold (AU-1). */
export const verify = readOperation({
  name: 'audit.verify',
  summary: 'Verify the audit, against a kept checkpoint if one is given',
  callers: 'host',
  input: z.strictObject({ checkpoint: checkpoint.optional() }),
  output: z.object({
    ok: z.boolean(),
    lanes: z.number(),
    entries: z.number(),
    checkpoints: z.number(),
    problems: z.array(
      z.object({
        kind: z.string(),
        laneId: z.string().nullable(),
        seq: z.number().nullable(),
        checkpointId: z.string().nullable(),
      }),
    ),
  }),
  async run(request, input) {
    const { problems, ...rest } = await verifyAudit(request.tx, request.tenant, input.checkpoint ?? null)
    return { ...rest, problems: [...problems] }
  },
})

/** Takes a checkpoint over all lanes. Keep it somewhere else: it proves later that nothing before it was cut or changed. */
export const takeCheckpoint = writeOperation({
  name: 'audit.checkpoint',
  summary: 'Take a checkpoint of the audit',
  callers: 'host',
  effects: ['audit_checkpoint_taken'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({}),
  output: checkpoint,
  async run(request) {
    const { tx, tenant } = request
    await lockOwners(tx, tenant, ['checkpoints'], 'exclusive')
    const stored = checkpointsInOrder(tenant, await loadCheckpoints(tx, tenant))
    const made = makeCheckpoint(tenant, {
      checkpointId: request.parts.clock.newId('checkpoint'),
      at: request.now.toISOString(),
      heads: await loadHeads(tx, tenant),
      previous: stored.at(-1)?.hash ?? firstCheckpoint(tenant),
    })
    await insertCheckpoint(tx, tenant, made)
    return { output: { ...made, heads: [...made.heads] }, refs: [made.checkpointId] }
  },
  async replay(request, refs) {
    const stored = await loadCheckpoints(request.tx, request.tenant)
    const found = stored.find(({ checkpointId }) => refs.includes(checkpointId))
    if (found === undefined) throw absent()
    return { ...found, heads: [...found.heads] }
  },
})
