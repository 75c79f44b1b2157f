import { z } from 'zod'
import {
  insertCheckpoint,
  listEntries,
  loadCheckpoints,
  loadHeads,
} from '../../storage/queries/audit-read.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { lockOwners } from '../../storage/queries/lock.js'
import { findMediationIds, findSharingIds, listOperations } from '../../storage/queries/operations.js'
import { makeCheckpoint } from '../audit-chain.js'
import { checkpointsInOrder, firstCheckpoint, verifyAudit } from '../audit-verify.js'
import { cursorBoundary } from '../cursor-boundary.js'
import { EXAMPLE_HASH, nextCursor } from '../fields.js'
import { id, name } from '../input.js'
import { listNewestFirst, pageInput } from '../list-newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest } from '../request.js'

const entry = z
  .object({
    at: z.string().meta({ description: 'When it was asked.' }),
    actor: z.string().nullable().meta({ description: 'Who asked; null if the reader may not know.' }),
    for: z
      .string()
      .nullable()
      .meta({ description: 'The person the caller works for; null if the reader may not know.' }),
    audience: z.string().meta({ description: 'What sort of caller it is.' }),
    authenticated: z.boolean().meta({ description: "Whether the caller's identity was proven." }),
    operation: z.string().meta({ description: 'The operation, by its name.' }),
    outcome: z
      .string()
      .meta({ description: 'How the request ended: `ok`, or a code of refusal or failure.' }),
    reason: z.string().nullable().meta({ description: 'The reason code; null if there is none.' }),
    // AU-2
    effects: z
      .array(z.string())
      .meta({ description: 'What it changed; empty if it only read or was refused.' }),
    reversibility: z
      .string()
      .nullable()
      .meta({ description: 'Whether it can be undone; null if it changed nothing.' }),
    records: z.array(z.string()).meta({ description: 'The records it was about, by their ids.' }),
    counts: z
      .record(z.string(), z.number())
      .meta({ description: 'How many records it returned, changed or refused.' }),
  })
  .meta({ id: 'AuditEntry', description: 'Who asked for what, and how it ended. It holds no content.' })

/**
 * Lists what was asked and done, newest first: by an owner and those who work for them or, for a host, in the whole
 * tenant. Ids of records that the reader cannot see now are left out, and entries have no numbers (NI-6).
 */
export const listAudit = readOperation({
  name: 'audit.list',
  route: 'GET /audit',
  summary: 'List what was asked and done',
  sample: world => ({ limit: world.pick([1, 2, 5, 200]) }),
  callers: 'owner',
  input: z.strictObject({
    operation: name.optional().meta({ description: 'Only this operation.', example: 'memory.search' }),
    outcome: name
      .optional()
      .meta({ description: 'Only requests that ended like this: `ok`, or a code.', example: 'not_allowed' }),
    ...pageInput,
  }),
  output: z.object({
    entries: z.array(entry).meta({ description: 'The entries, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, input) {
    const { secrets, forId, tenantFacts } = request.parts
    const { tenant, caller } = request
    const changeOf = ({ operation, outcome }: { operation: string; outcome: string }) =>
      outcome === 'ok' ? tenantFacts.changes.get(operation) : undefined
    const { operation, outcome } = input
    const boundTo = cursorBoundary(request, 'audit.list', [operation, outcome])
    const before = input.cursor === undefined ? null : readKey(secrets.open(input.cursor, boundTo))
    const of = caller.audience === 'host' ? null : forId
    const rows = await listEntries(request.tx, tenant, of, { operation, outcome }, before, input.limit + 1)
    const listed = await request.seen(rows.slice(0, input.limit))
    const named = await fetchRecords(request.tx, tenant, [...new Set(listed.flatMap(row => row.refs))])
    const views = await request.view(named)
    const visible = new Set(views.flatMap(view => view?.id ?? []))
    const last = rows[input.limit - 1]
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

const operation = z
  .object({
    operation: z.string().meta({ description: 'The id of this run of the operation.' }),
    at: z.string().meta({ description: 'When it ran.' }),
    name: z.string().meta({ description: 'The operation, by its name.' }),
    actor: z.string().nullable().meta({ description: 'Who asked; null if the reader may not know.' }),
    for: z
      .string()
      .nullable()
      .meta({ description: 'The person the caller works for; null if the reader may not know.' }),
    audience: z.string().meta({ description: 'What sort of caller it is.' }),
    effects: z.array(z.string()).meta({ description: 'What it changed.' }),
    reversibility: z.string().meta({ description: 'Whether it can be undone.' }),
    refs: z.array(z.string()).meta({
      description: 'Ids of the links, views, mediation sessions, consents and visible records it was about.',
    }),
    causalParents: z.array(z.string()).meta({ description: 'Ids of the runs that it followed from.' }),
    mails: z
      .array(
        z.object({
          mail: z.string().meta({ description: 'The mail, by its id.' }),
          state: z.string().meta({ description: 'Whether it was delivered, as `mail.list` says.' }),
        }),
      )
      .meta({ description: 'Mail that it sent for a link.' }),
    hasIdempotencyKey: z.boolean().meta({ description: 'Whether it was asked for with an idempotency key.' }),
    policyGeneration: z
      .string()
      .nullable()
      .meta({ description: 'The generation of the policies after it; null if it changed none.' }),
  })
  .meta({ id: 'OperationLogEntry', description: 'A change that was made, and whether it can be undone.' })

/** The durable log of state changes, newest first (AU-2). */
export const listOperationLog = readOperation({
  name: 'audit.operations',
  route: 'GET /audit/operations',
  summary: 'List what was changed, and whether it can be undone',
  sample: world => ({
    limit: world.pick([1, 200]),
    ...world.maybe(0.3, { of: world.record() }),
  }),
  callers: 'host',
  /** `name` is the operation; `of` is the id of what it was about. */
  input: z.strictObject({
    ...pageInput,
    name: name.optional().meta({ description: 'Only this operation.', example: 'links.grant' }),
    of: id
      .optional()
      .meta({ description: 'Only what was about this link, view, mediation session, consent or record.' }),
  }),
  output: z.object({
    operations: z.array(operation).meta({ description: 'The runs, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { name = null, of = null, limit, cursor }) {
    const { tx, tenant } = request
    // A caller who asks about something it may not know of gets an empty list.
    const { rows, cursor: next } =
      of !== null && !(await namable(request, [of])).has(of)
        ? { rows: [], cursor: null }
        : await listNewestFirst(
            request,
            ['audit.operations', name, of],
            { limit, cursor },
            (before, most) => listOperations(tx, tenant, { name, ref: of }, before, most),
            row => ({ createdAt: row.createdAt, id: row.operationId }),
          )
    const seen = await request.seen(rows)
    const mayName = await namable(
      request,
      seen.flatMap(({ refs }) => refs),
    )
    return {
      operations: seen.map(row => ({
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
        mails: row.refs.flatMap(ref => {
          const state = mayName.get(ref)
          return state == null ? [] : [{ mail: ref, state }]
        }),
        hasIdempotencyKey: row.idempotencyKey !== null,
        policyGeneration: row.policyGeneration,
      })),
      cursor: next,
    }
  },
})

/** The ids that a host may be told: of records those that it sees, of sharing all or none (NI-10); of mail, its state. */
async function namable(
  request: ReadRequest,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const asked = [...new Set(ids)]
  const records = await fetchRecords(request.tx, request.tenant, asked)
  const views = await request.view(records)
  // What has no label of its own is told only to a host who sees everything (NI-10).
  const sharing = await findSharingIds(request.tx, request.tenant, asked)
  const sessions = await findMediationIds(request.tx, request.tenant, asked)
  return new Map<string, string | null>([
    ...(request.seesEverything ? sessions.map(known => [known, null] as const) : []),
    ...(request.seesEverything ? sharing : []),
    ...views.flatMap(view => (view === null ? [] : [[view.id, null] as const])),
  ])
}

const ISO_LENGTH = new Date(0).toISOString().length
const readKey = (key: string) => ({ at: new Date(key.slice(0, ISO_LENGTH)), entryId: key.slice(ISO_LENGTH) })

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const checkpoint = z
  .strictObject({
    checkpointId: id.meta({ description: 'The id of the checkpoint.' }),
    at: z.iso.datetime().meta({ description: 'When it was taken.', example: '2026-01-01T00:00:00Z' }),
    heads: z
      .array(
        z.strictObject({
          laneId: id.meta({ description: 'The lane, by its id.' }),
          seq: z.int().min(1).meta({ description: 'The number of the entry.', example: 1 }),
          hash: hash.meta({ description: 'The hash of the entry.', example: EXAMPLE_HASH }),
        }),
      )
      .max(100_000)
      .meta({ description: 'The last entry of each lane.', example: [] }),
    previous: hash.meta({ description: 'The hash of the checkpoint before it.', example: EXAMPLE_HASH }),
    hash: hash.meta({ description: 'The hash of this checkpoint.', example: EXAMPLE_HASH }),
  })
  .meta({ id: 'Checkpoint', description: 'The state of the audit at one moment, to be kept elsewhere.' })

/** Recomputes the hash chains of this tenant and reports where they are broken (AU-1). */
export const verify = readOperation({
  name: 'audit.verify',
  route: 'POST /audit/verify',
  summary: 'Verify the audit, against an earlier checkpoint if one is given',
  sample: () => ({}),
  callers: 'host',
  needsWholeSight: 'absent',
  input: z.strictObject({
    checkpoint: checkpoint
      .optional()
      .meta({ description: 'A checkpoint that was kept elsewhere, to compare with.' }),
  }),
  output: z.object({
    ok: z.boolean().meta({ description: 'Whether the audit is complete and unchanged.' }),
    lanes: z.number().meta({ description: 'Number of lanes that were checked.' }),
    entries: z.number().meta({ description: 'Number of entries that were checked.' }),
    checkpoints: z.number().meta({ description: 'Number of checkpoints that were checked.' }),
    erased: z
      .number()
      .meta({ description: 'Number of pseudonyms whose names were erased. That is no problem.' }),
    problems: z
      .array(
        z.object({
          kind: z.string().meta({ description: 'What is wrong, as a code.' }),
          laneId: z.string().nullable().meta({ description: 'The lane, by its id; null if none.' }),
          seq: z.number().nullable().meta({ description: 'The number of the entry; null if none.' }),
          checkpointId: z
            .string()
            .nullable()
            .meta({ description: 'The checkpoint, by its id; null if none.' }),
        }),
      )
      .meta({ description: 'What is wrong.' }),
  }),
  async run(request, input) {
    const { problems, ...rest } = await verifyAudit(request.tx, request.tenant, input.checkpoint ?? null)
    return { ...rest, problems: [...problems] }
  },
})

/**
 * Takes a checkpoint over all lanes. Kept elsewhere, it later proves that nothing before it was cut off or changed.
 */
export const takeCheckpoint = writeOperation({
  name: 'audit.checkpoint',
  route: 'POST /audit/checkpoints',
  summary: 'Take a checkpoint of the audit',
  positional: [],
  sample: () => ({}),
  callers: 'host',
  needsWholeSight: 'absent',
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
