import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/open.js'
import { OPERATIONS } from '../../src/operations.js'
import {
  type AuditCheckpoint,
  checkpointHash,
  entryHash,
  laneSeed,
  makeCheckpoint,
} from '../../src/runtime/audit-chain.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { RequestOptions } from '../../src/runtime/runtime.js'
import { loadLaneEntries } from '../../src/storage/queries/audit-read.js'
import { changesSince } from '../../src/storage/queries/changes-since.js'
import { testClock } from '../../src/testing/clock.js'
import { random } from '../../src/testing/non-interference/random.js'
import { sampleOf } from '../../src/testing/non-interference/requests.js'
import { deep } from '../support/depth.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const host = (tenant: string) => ({ tenant, actor: 'warden', audience: 'host' }) as const
const as = (tenant: string, actor: string) => ({ tenant, actor })
const agentOf = (tenant: string, owner: string) =>
  ({ tenant, actor: 'helper', audience: 'agent', for: owner, trust: { maxSensitivity: 'hyper' } }) as const

const problem = (kind: string, place: { laneId?: string; seq?: number; checkpointId?: string } = {}) => ({
  kind,
  laneId: null,
  seq: null,
  checkpointId: null,
  ...place,
})

describe.each(engines)('the audit on %s', engine => {
  let store: SharedStore
  let auditor: Privity
  beforeAll(async () => {
    store = await sharedStore(engine)
    const model = {
      name: 'plain',
      local: true,
      summarise: async (texts: readonly string[]) => texts.join(' '),
      async complete([, { content } = { content: '' }]: readonly { content: string }[]) {
        if (content.includes('unreadable')) throw new Error('cannot read that')
        return '{"facts":[]}'
      },
    }
    auditor = await store.instance(undefined, {
      consolidation: { model },
      capture: { model, retriesMs: [] },
    })
  })
  afterAll(async () => {
    await auditor.close()
    await store.dispose()
  })

  const verify = (tenant: string, checkpoint?: AuditCheckpoint) =>
    auditor
      .as(host(tenant))
      .audit.verify(
        checkpoint === undefined ? {} : { checkpoint: { ...checkpoint, heads: [...checkpoint.heads] } },
      )
  const lanesOf = async (tenant: string) => {
    const rows = await store.sql<{ id: string }>(
      `select lane_id as id from privity.audit_lanes where tenant_id = $1 order by opened_at`,
      [tenant],
    )
    return rows.map(({ id }) => id)
  }

  describe('untouched', () => {
    it('[AU-1] verifies after many operations of many callers at once, with dense numbers in every lane', async () => {
      const tenant = store.tenant()
      const instances = [await store.instance(), await store.instance()]
      const callers = ['ana', 'ben', 'cyd', 'dov', 'eve', 'fay']
      let asked = 0
      await Promise.all(
        callers.map(async (actor, at) => {
          const me = instances[at % 2]?.as(as(tenant, actor))
          const bot = instances[(at + 1) % 2]?.as(agentOf(tenant, actor))
          for (let round = 0; round < 4; round++) {
            const { id } = (await me?.remember({ kind: 'episodic', text: `${actor} ${round}` })) ?? { id: '' }
            const answers = await Promise.allSettled([
              me?.get(id),
              bot?.get(id),
              me?.list(),
              me?.people.consent({ person: 'nobody', status: 'granted' }),
              bot?.forget(id),
            ])
            asked += 1 + answers.length
          }
        }),
      )
      const verified = await verify(tenant)
      expect(verified).toEqual({
        ok: true,
        lanes: 2,
        entries: asked,
        checkpoints: 0,
        erased: 0,
        problems: [],
      })
      const lanes = await store.sql<{ entries: string; first: number; last: number }>(
        `select count(*)::text as entries, min(seq) as first, max(seq) as last
         from privity.audit_entries where tenant_id = $1 and lane_id = any ($2::uuid[]) group by lane_id`,
        [tenant, (await lanesOf(tenant)).slice(0, 2)],
      )
      expect(lanes).toHaveLength(2)
      for (const { entries, first, last } of lanes) expect([first, Number(entries)]).toEqual([1, last])
      await Promise.all(instances.map(instance => instance.close()))
    })

    it('[AU-1] has a lane for each run, which closing closes in the register with its last number and hash', async () => {
      const tenant = store.tenant()
      const runs = [await store.instance(), await store.instance(), await store.instance()]
      for (const run of runs) await run.as(as(tenant, 'ana')).list()
      const register = () =>
        store.sql<{ closed: boolean; closedSeq: number | null; agrees: boolean | null }>(
          `select l.closed_at is not null as closed, l.closed_seq as "closedSeq", l.closed_hash = e.hash as agrees
           from privity.audit_lanes l
           left join privity.audit_entries e
             on e.tenant_id = l.tenant_id and e.lane_id = l.lane_id and e.seq = l.closed_seq
           where l.tenant_id = $1 order by l.opened_at`,
          [tenant],
        )
      const open = { closed: false, closedSeq: null, agrees: null }
      expect(await register()).toEqual([open, open, open])
      await runs[0]?.as(as(tenant, 'ana')).list()
      await Promise.all(runs.slice(0, 2).map(run => run.close()))
      expect(await register()).toEqual([
        { closed: true, closedSeq: 2, agrees: true },
        { closed: true, closedSeq: 1, agrees: true },
        open,
      ])
      expect(await verify(tenant)).toMatchObject({ ok: true, lanes: 3, entries: 4 })
      await runs[2]?.close()
    })

    it('[AU-1] proves an exported checkpoint later, after more was done, more lanes and more checkpoints', async () => {
      const tenant = store.tenant()
      const first = await store.instance()
      await first.as(as(tenant, 'ana')).list()
      const exported = JSON.stringify(await first.as(host(tenant)).audit.checkpoint())
      await first.as(as(tenant, 'ana')).list()
      await first.close()
      const second = await store.instance()
      await second.as(as(tenant, 'ana')).list()
      await second.as(host(tenant)).audit.checkpoint()
      await second.as(host(tenant)).audit.checkpoint()
      const verified = await verify(tenant, JSON.parse(exported))
      expect(verified).toMatchObject({ ok: true, checkpoints: 3, problems: [] })
      await second.close()
    })

    it('[AU-1] is open to a host only, and holds for one tenant at a time', async () => {
      const [tenant, other] = [store.tenant(), store.tenant()]
      await auditor.as(as(tenant, 'ana')).list()
      await expect(auditor.as(as(tenant, 'ana')).audit.verify()).rejects.toMatchObject({
        code: 'not_allowed',
      })
      await expect(auditor.as(as(tenant, 'ana')).audit.checkpoint()).rejects.toMatchObject({
        code: 'not_allowed',
      })
      expect(await verify(other)).toMatchObject({ ok: true, lanes: 0, entries: 0 })
    })
  })

  describe('tampered with', () => {
    // Two lanes: the first closed with 6 entries, the second open with 9 and a checkpoint after its 6th.
    let tenant: string
    let closed: string
    let open: string
    let kept: AuditCheckpoint
    beforeAll(async () => {
      tenant = store.tenant()
      const [first, second] = [await store.instance(), await store.instance()]
      for (const run of [first, second]) {
        const ana = run.as(as(tenant, 'ana'))
        const { id } = await ana.remember({ kind: 'episodic', text: 'first' })
        await ana.get(id)
        await ana.remember({ kind: 'semantic', text: 'second', participants: ['ben'] })
        await ana.list()
        await ana.people.consent({ person: 'ben', status: 'granted' })
        await ana.explain({ record: id })
        if (run === first) await first.close()
      }
      kept = await second.as(host(tenant)).audit.checkpoint()
      for (let more = 0; more < 2; more++) await second.as(as(tenant, 'ana')).list()
      ;[closed = '', open = ''] = await lanesOf(tenant)
      await store.sql('create schema untouched')
      for (const table of TABLES)
        await store.sql(
          `create table untouched.${table} as select * from privity.${table} where tenant_id = $1`,
          [tenant],
        )
    })
    const TABLES = ['audit_lanes', 'audit_entries', 'audit_checkpoints'] as const

    /** As it was, but for the lane in which verifying is itself recorded. */
    afterEach(async () => {
      const lanes = `where tenant_id = $1 and lane_id in (select lane_id from untouched.audit_lanes)`
      await store.sql(`delete from privity.audit_entries ${lanes}`, [tenant])
      await store.sql(`delete from privity.audit_lanes ${lanes}`, [tenant])
      await store.sql(`delete from privity.audit_checkpoints where tenant_id = $1`, [tenant])
      for (const table of TABLES)
        await store.sql(`insert into privity.${table} select * from untouched.${table}`)
      expect(await verify(tenant)).toMatchObject({ ok: true })
    })

    /** What is wrong with the chain alone, without the operations whose entries are gone. */
    const chainProblems = async () => {
      const { problems } = await verify(tenant)
      return problems.filter(({ kind }) => kind !== 'operation_unrecorded')
    }

    const change = (laneId: string, seq: number, set: string) =>
      store.sql(
        `update privity.audit_entries set ${set} where tenant_id = $1 and lane_id = $2::uuid and seq = $3`,
        [tenant, laneId, seq],
      )
    const remove = (laneId: string, from: number, to = from) =>
      store.sql(
        `delete from privity.audit_entries where tenant_id = $1 and lane_id = $2::uuid and seq between $3 and $4`,
        [tenant, laneId, from, to],
      )
    const removeLane = (laneId: string) =>
      store.sql(`delete from privity.audit_lanes where tenant_id = $1 and lane_id = $2::uuid`, [
        tenant,
        laneId,
      ])
    const removeCheckpoint = (id: string) =>
      store.sql(`delete from privity.audit_checkpoints where tenant_id = $1 and checkpoint_id = $2::uuid`, [
        tenant,
        id,
      ])

    /** What somebody does who knows how the chain is made: every hash after a change made anew. */
    async function forge(laneId: string): Promise<void> {
      const entries = await store.db.transaction({ access: 'read', role: null, settings: {} }, tx =>
        loadLaneEntries(tx, tenant, laneId, 0, 1_000),
      )
      let head = laneSeed(tenant, laneId)
      for (const entry of entries) {
        const hash = entryHash(entry, entry.seq, head)
        await change(
          laneId,
          entry.seq,
          `previous = decode('${head}', 'hex'), hash = decode('${hash}', 'hex')`,
        )
        head = hash
      }
    }

    it('[AU-1] finds every field of an entry that was altered, each in its place', async () => {
      const id = randomUUID()
      const fields = [
        [closed, 1, `entry_id = '${id}'`],
        [closed, 2, `at = at + interval '1 millisecond'`],
        [closed, 3, `actor_id = '${id}'`],
        [closed, 4, `for_id = '${id}'`],
        [closed, 5, `audience = 'host'`],
        [closed, 6, `operation = 'memory.get'`],
        [open, 1, `outcome = 'not_found'`],
        [open, 2, `reason = 'session.trust_missing'`],
        [open, 3, `refs = '{}'`],
        [open, 4, `counts = '{"records": 7}'`],
        [open, 5, `operation_id = null`],
        [open, 6, `refs = array ['${id}']::uuid[]`],
        [open, 7, `counts = counts || '{"more": 0}'`],
        [open, 8, `authenticated = not authenticated`],
        [open, 9, `version = 1`],
      ] as const
      const bindings = [
        [closed, 1, `actor_digest = null`],
        [closed, 2, `for_digest = sha256('other')`],
        [closed, 3, `operation_digest = sha256('other')`],
        [closed, 4, `label = null`],
      ] as const
      const columns = await store.sql<{ name: string }>(
        `select column_name::text as name from information_schema.columns
         where table_schema = 'privity' and table_name = 'audit_entries'`,
      )
      const place = ['tenant_id', 'lane_id', 'seq', 'previous', 'hash']
      const altered = [...fields, ...bindings].map(([, , set]) => set.split(' ')[0] ?? '')
      expect(new Set([...place, ...altered])).toEqual(new Set(columns.map(({ name }) => name)))
      expect(await verify(tenant)).toMatchObject({ ok: true })
      for (const [laneId, seq, set] of bindings) await change(laneId, seq, set)
      expect((await verify(tenant)).problems).toEqual(
        bindings.map(([laneId, seq]) => ({ ...problem('altered'), laneId, seq })),
      )
      for (const [laneId, seq, set] of fields) await change(laneId, seq, set)
      const { ok, problems } = await verify(tenant)
      expect(ok).toBe(false)
      expect(problems).toEqual([
        ...fields
          .map(([laneId, seq]) => ({ ...problem('altered'), laneId, seq }))
          .sort((a, b) => (a.laneId === b.laneId ? 0 : a.laneId < b.laneId ? -1 : 1)),
        // The operation that the fifth was about has no entry any more.
        problem('operation_unrecorded'),
      ])
    })

    it('[AU-1] has no part of a moment that the hash does not cover', async () => {
      const moments = () =>
        store.sql(`select at::text from privity.audit_entries where tenant_id = $1 order by at`, [tenant])
      const before = await moments()
      await change(open, 3, `at = at + interval '400 microseconds'`)
      expect((await moments()).slice(0, before.length)).toEqual(before)
    })

    it('[AU-1] finds an altered hash and the entry that follows it', async () => {
      await change(open, 3, `hash = sha256('other')`)
      expect((await verify(tenant)).problems).toEqual([
        problem('altered', { laneId: open, seq: 3 }),
        problem('removed_or_reordered', { laneId: open, seq: 4 }),
      ])
    })

    it('[AU-1] finds an altered link', async () => {
      await change(open, 3, `previous = sha256('other')`)
      expect((await verify(tenant)).problems).toEqual([
        problem('removed_or_reordered', { laneId: open, seq: 3 }),
      ])
    })

    it('[AU-1] finds removed entries by the one after the gap', async () => {
      await remove(closed, 1)
      await remove(open, 3, 4)
      const problems = await chainProblems()
      expect(problems).toHaveLength(2)
      expect(problems).toContainEqual(problem('removed_or_reordered', { laneId: closed, seq: 2 }))
      expect(problems).toContainEqual(problem('removed_or_reordered', { laneId: open, seq: 5 }))
    })

    it('[AU-1] finds a removed entry whose gap was closed by renumbering', async () => {
      await remove(closed, 3)
      for (const seq of [4, 5, 6]) await change(closed, seq, 'seq = seq - 1')
      const { problems } = await verify(tenant)
      expect(problems[0]).toEqual(problem('removed_or_reordered', { laneId: closed, seq: 3 }))
    })

    it('[AU-1] finds two entries that changed places', async () => {
      await change(open, 3, 'seq = 1000')
      await change(open, 4, 'seq = 3')
      await change(open, 1_000, 'seq = 4')
      expect(await chainProblems()).toEqual(
        [3, 4, 5].map(seq => problem('removed_or_reordered', { laneId: open, seq })),
      )
    })

    it('[AU-1] finds an entry that moved to another lane, missing there and out of place here', async () => {
      await change(closed, 6, `lane_id = '${open}', seq = 10`)
      const problems = await chainProblems()
      expect(problems).toHaveLength(2)
      expect(problems).toContainEqual(problem('truncated', { laneId: closed, seq: 5 }))
      expect(problems).toContainEqual(problem('removed_or_reordered', { laneId: open, seq: 10 }))
    })

    it('[AU-1] finds an entry that was slipped in', async () => {
      await store.sql(
        `insert into privity.audit_entries
         select (jsonb_populate_record(e, '{"seq": 10}')).* from privity.audit_entries e
         where tenant_id = $1 and lane_id = $2::uuid and seq = 9`,
        [tenant, open],
      )
      expect(await chainProblems()).toEqual([problem('removed_or_reordered', { laneId: open, seq: 10 })])
    })

    it('[AU-1] finds a tail cut from before the last checkpoint in a lane that was never closed', async () => {
      await remove(open, 6, 1_000)
      expect(await chainProblems()).toEqual([problem('truncated', { laneId: open, seq: 5 })])
    })

    it('[AU-1] finds a tail cut from a closed lane without any checkpoint', async () => {
      await removeCheckpoint(kept.checkpointId)
      await remove(closed, 6)
      expect(await chainProblems()).toEqual([problem('truncated', { laneId: closed, seq: 5 })])
    })

    it('[AU-1] cannot find reads that were cut after the last checkpoint from a lane that was never closed', async () => {
      await remove(open, 8, 1_000)
      expect(await verify(tenant)).toMatchObject({ ok: true })
      // Of a write, the operation remains.
      await remove(open, 7, 1_000)
      expect((await verify(tenant)).problems).toEqual([problem('operation_unrecorded')])
      await removeCheckpoint(kept.checkpointId)
      await remove(open, 1, 1_000)
      expect((await verify(tenant)).problems).toEqual([problem('operation_unrecorded')])
      expect(await chainProblems()).toEqual([])
    })

    it('[AU-1] finds a lane whose entries are all gone while the register has it', async () => {
      await remove(closed, 1, 1_000)
      await remove(open, 1, 1_000)
      const problems = await chainProblems()
      expect(problems).toHaveLength(2)
      for (const laneId of [closed, open])
        expect(problems).toContainEqual(problem('truncated', { laneId, seq: 0 }))
    })

    it('[AU-1] finds a lane that is gone from the register too, by the checkpoint that saw it', async () => {
      await remove(closed, 1, 1_000)
      await removeLane(closed)
      expect(await chainProblems()).toEqual([problem('missing_lane', { laneId: closed })])
    })

    it('[AU-1] finds entries whose lane is gone from the register', async () => {
      await removeCheckpoint(kept.checkpointId)
      await store.db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
        await tx.query(`select set_config('session_replication_role', 'replica', true)`)
        await tx.query(`delete from privity.audit_lanes where tenant_id = $1 and lane_id = $2::uuid`, [
          tenant,
          closed,
        ])
      })
      expect((await verify(tenant)).problems).toEqual([problem('unregistered_lane', { laneId: closed })])
    })

    it('[AU-1] finds a forged chain by the register where the lane was closed, and by the checkpoint', async () => {
      for (const laneId of [closed, open]) {
        await change(laneId, 2, `outcome = 'not_found'`)
        await forge(laneId)
      }
      const { problems } = await verify(tenant)
      // The checkpoint saw both heads at 6, and the register the closed one.
      expect(problems).toContainEqual(problem('altered', { laneId: closed, seq: 6 }))
      expect(problems).toContainEqual(problem('altered', { laneId: open, seq: 6 }))
    })

    it.each([
      `at = at + interval '1 millisecond'`,
      `heads = jsonb_set(heads, '{0,seq}', '5')`,
      `heads = heads - 0`,
      `previous = sha256('other')`,
      `hash = sha256('other')`,
      `checkpoint_id = gen_random_uuid()`,
    ])('[AU-1] finds a checkpoint altered by %s', async set => {
      await store.sql(`update privity.audit_checkpoints set ${set} where tenant_id = $1`, [tenant])
      const [altered] = await store.sql<{ id: string }>(
        `select checkpoint_id as id from privity.audit_checkpoints where tenant_id = $1`,
        [tenant],
      )
      expect((await verify(tenant)).problems).toContainEqual(
        problem('checkpoint_altered', { checkpointId: altered?.id ?? '' }),
      )
    })

    it('[AU-1] finds a removed checkpoint by the next one, and the last by the one that was kept', async () => {
      const next = await auditor.as(host(tenant)).audit.checkpoint()
      await removeCheckpoint(kept.checkpointId)
      expect((await verify(tenant)).problems).toEqual([
        problem('checkpoint_altered', { checkpointId: next.checkpointId }),
      ])
      await removeCheckpoint(next.checkpointId)
      expect(await verify(tenant)).toMatchObject({ ok: true, checkpoints: 0 })
      expect((await verify(tenant, next)).problems).toEqual([
        problem('checkpoint_missing', { checkpointId: next.checkpointId }),
      ])
    })

    it('[AU-1] finds a history forged whole, register and checkpoints too, by the checkpoint that was kept', async () => {
      for (const laneId of [closed, open]) {
        await change(laneId, 2, `outcome = 'not_found'`)
        await forge(laneId)
      }
      await store.sql(
        `update privity.audit_lanes l set closed_hash = e.hash from privity.audit_entries e
         where l.tenant_id = $1 and e.tenant_id = l.tenant_id and e.lane_id = l.lane_id and e.seq = l.closed_seq`,
        [tenant],
      )
      const heads = await store.sql<AuditCheckpoint['heads'][number]>(
        `select lane_id as "laneId", seq, encode(hash, 'hex') as hash
         from privity.audit_entries where tenant_id = $1 and seq = 6`,
        [tenant],
      )
      const { hash: _, ...content } = kept
      const forged = makeCheckpoint(tenant, { ...content, heads })
      await store.sql(
        `update privity.audit_checkpoints set heads = $2::jsonb, hash = decode($3, 'hex') where tenant_id = $1`,
        [tenant, JSON.stringify(forged.heads), forged.hash],
      )
      expect(await verify(tenant)).toMatchObject({ ok: true })
      const { problems } = await verify(tenant, kept)
      expect(problems).toContainEqual(problem('checkpoint_altered', { checkpointId: kept.checkpointId }))
      for (const laneId of [closed, open])
        expect(problems).toContainEqual(problem('altered', { laneId, seq: 6 }))
    })

    it('[AU-1] does not take a kept checkpoint that was itself altered, or that is of another tenant', async () => {
      const altered = { ...kept, heads: kept.heads.map(head => ({ ...head, seq: head.seq - 1 })) }
      const found = [problem('checkpoint_altered', { checkpointId: kept.checkpointId })]
      expect((await verify(tenant, altered)).problems).toEqual(found)
      expect((await verify(store.tenant(), kept)).problems).toEqual(found)
      expect(checkpointHash(tenant, kept)).toBe(kept.hash)
    })
  })

  describe('of every operation', () => {
    it('[AU-2, AU-3] every write leaves an operation with all it should say and nothing else does; no word of content, name or actor is kept, whatever was asked, done or refused', async () => {
      const tenant = store.tenant()
      const marker = `zq${randomUUID().replaceAll('-', '')}`
      const seen = new Set<string>()
      /** Those that came since it was last asked. */
      const operations = async () => {
        const left = await newOperations()
        for (const { id } of left) seen.add(id)
        return left
      }
      const newOperations = () =>
        store.sql<Record<string, unknown> & { id: string }>(
          `select o.operation_id as id, o.name, a.actor, f.actor as "for", o.audience, o.effects, o.reversibility,
             o.refs, o.causal_parents as "causalParents", o.idempotency_key as "idempotencyKey",
             o.policy_generation as generation, o.audited
           from privity.operations o
           join privity.actors a on a.tenant_id = o.tenant_id and a.actor_id = o.actor_id
           join privity.actors f on f.tenant_id = o.tenant_id and f.actor_id = o.for_id
           where o.tenant_id = $1 and o.operation_id <> all ($2::uuid[])`,
          [tenant, [...seen]],
        )
      const refusals: unknown[] = []
      let steps = 0
      await runEverything(auditor, tenant, marker, async ({ name, by, input, run }) => {
        // First by those who may not, and with input that is wrong: outside the deep run one after the other.
        const attempts: [Credential, unknown][] = [
          [{ ...agentOf(tenant, by.actor), actor: `bot ${marker}` }, input],
          [{ ...by, policy: marker }, input],
          [by, { [marker]: marker }],
          [by, { ...input, record: marker, cursor: marker, grant: marker }],
        ]
        const turn = steps++ % attempts.length
        for (const [who, asked] of deep ? attempts : attempts.slice(turn, turn + 1)) {
          const refused = await auditor.invoke(who, name, asked).then(
            () => false,
            error => refusals.push(error),
          )
          if (refused === false) await operations()
        }
        const operation = OPERATIONS.find(one => one.name === name)
        const options = {
          idempotencyKey: `key of ${name} ${seen.size}`,
          causalParents: [randomUUID(), randomUUID()],
        }
        const output = await run(operation?.access === 'write' ? options : {})
        const left = await operations()
        if (operation?.access !== 'write') {
          expect(left, name).toEqual([])
          return output
        }
        const [row] = left
        expect(left, name).toHaveLength(1)
        expect(row, name).toMatchObject({
          name,
          actor: by.actor,
          for: by.for ?? by.actor,
          audience: by.audience ?? 'owner',
          effects: expect.arrayContaining([...operation.effects]),
          reversibility: operation.reversibility,
          idempotencyKey: options.idempotencyKey,
          // An operation may know itself what it follows from.
          causalParents: expect.arrayContaining(options.causalParents),
          audited: true,
        })
        // Whatever has an id in the answer is among the refs.
        for (const id of idsIn(output)) expect(row?.refs, name).toContain(id)
        const generations = await store.sql<{ generation: string }>(
          `select generation from privity.generations where tenant_id = $1`,
          [tenant],
        )
        // Who waits to be let in has changed nothing for anybody yet.
        const waits = (output as Answer).status === 'waiting'
        if (operation.changesFacts && !waits)
          expect(generations).toContainEqual({ generation: row?.generation })
        else expect(row?.generation, name).toBeNull()
        return output
      })
      expect(refusals.length).toBeGreaterThan(deep ? OPERATIONS.length : steps / 2)
      const rows = await dumpTables(store.sql, table => table.startsWith('audit_') || table === 'operations')
      const own = rows.filter(({ row }) => row.includes(tenant))
      expect(new Set(own.map(({ table }) => table))).toEqual(
        new Set(['audit_entries', 'audit_lanes', 'audit_checkpoints', 'operations']),
      )
      const hex = Buffer.from(marker).toString('hex')
      expect(own.filter(({ row }) => row.includes(marker) || row.includes(hex))).toEqual([])
      // The search itself works: elsewhere the words are there.
      const elsewhere = await dumpTables(store.sql, table => table === 'people' || table === 'actors')
      expect(elsewhere.some(({ row }) => row.includes(marker))).toBe(true)
      expect(await verify(tenant)).toMatchObject({ ok: true })
    })

    it('[AU-2] a refused write and a replayed one leave no operation', async () => {
      const tenant = store.tenant()
      const ana = auditor.as(as(tenant, 'ana'))
      const once = { idempotencyKey: 'once' }
      await ana.remember({ kind: 'episodic', text: 'one' }, once)
      await ana.remember({ kind: 'episodic', text: 'one' }, once)
      await expect(ana.remember({ kind: 'episodic', text: 'two' }, once)).rejects.toMatchObject({
        code: 'idempotency_conflict',
      })
      await expect(ana.forget(randomUUID())).rejects.toMatchObject({ code: 'not_found' })
      await expect(ana.people.remove({ person: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
      const rows = await store.sql(`select 1 from privity.operations where tenant_id = $1`, [tenant])
      expect(rows).toHaveLength(1)
    })

    it('[AU-2] causal parents are ids, or the request is refused', async () => {
      const ana = auditor.as(as(store.tenant(), 'ana'))
      const parents = (causalParents: unknown) =>
        ana.remember({ kind: 'episodic', text: 'one' }, { causalParents } as RequestOptions)
      for (const given of [['what led to it'], [''], 'text', [null], [7], Array(1_001).fill(randomUUID())])
        await expect(parents(given), JSON.stringify(given)).rejects.toMatchObject({ code: 'invalid_input' })
    })
  })

  describe('and forgetting', () => {
    const everythingOf = async (marker: string) => {
      const hex = Buffer.from(marker).toString('hex')
      const rows = await dumpTables(store.sql)
      return rows.filter(({ row }) => row.includes(marker) || row.includes(hex))
    }
    const draftOf = (marker: string) => ({
      kind: 'document' as const,
      title: `title ${marker}`,
      text: `text ${marker}`,
      tags: [`tag ${marker}`],
      fields: { [`key ${marker}`]: [`value ${marker}`] },
      provenance: { source: marker, uri: marker, model: marker, tool: marker, note: marker },
      spans: [{ document: marker, start: 0, end: 4 }],
      filingUnit: marker,
      version: marker,
      part: marker,
      document: marker,
      segment: marker,
    })

    it('[AU-4] leaves no byte of a record, of its versions and of what was made from it, in any table', async () => {
      const tenant = store.tenant()
      const marker = `zq${randomUUID().replaceAll('-', '')}`
      const ana = auditor.as(as(tenant, 'ana'))
      const agent = auditor.as(agentOf(tenant, 'ana'))
      const other = await ana.remember({ kind: 'episodic', text: 'stays' })
      const first = await ana.remember(draftOf(marker))
      await agent.get(first.id)
      await ana.revise({ how: 'contest', record: first.id, reason: `because ${marker}` })
      const [second] = (await ana.revise({ how: 'supersede', record: first.id, by: draftBy(marker) })).records
      const id = second?.id ?? ''
      const [third] = (await ana.revise({ how: 'fork', record: id, by: draftBy(marker) })).records
      const made = await agent.remember({ ...draftOf(marker), derivedFrom: [third?.id ?? ''] })
      await ana.relate({ from: id, to: other.id, type: `about ${marker}` })
      await ana.relate({ from: other.id, to: id, type: `see ${marker}` })
      await ana.list({ tags: [`tag ${marker}`] })
      expect((await everythingOf(marker)).map(({ table }) => table)).toContain('relations')

      const receipt = await ana.forget(id, { idempotencyKey: 'once' })
      expect(receipt).toEqual({ forgotten: [id], forgottenAt: expect.any(String) })
      expect(await everythingOf(marker)).toEqual([])
      for (const gone of [first.id, id, third?.id ?? '', made.id]) {
        expect(await ana.get(gone)).toBeNull()
        expect(await ana.explain({ record: gone })).toBeNull()
        await expect(ana.forget(gone)).rejects.toMatchObject({ code: 'not_found' })
      }
      expect((await ana.list()).records.map(record => record.id)).toEqual([other.id])
      expect((await ana.get(other.id))?.relations).toEqual([])
      // What is left is a receipt: who, when and the id.
      const [operation] = await store.sql(
        `select effects, reversibility, refs, audited from privity.operations
         where tenant_id = $1 and name = 'memory.forget'`,
        [tenant],
      )
      expect(operation).toEqual({
        effects: ['record_forgotten'],
        reversibility: 'irreversible',
        refs: [id],
        audited: true,
      })
      expect(await ana.forget(id, { idempotencyKey: 'once' })).toEqual({
        forgotten: [id],
        forgottenAt: null,
      })
      const { changes } = await store.db.transaction({ access: 'read', role: null, settings: {} }, tx =>
        changesSince(tx, tenant, new Map([['user:ana', 0n]]), 1_000),
      )
      const changed = changes.map(change => change.id)
      for (const gone of [first.id, id, third?.id ?? '', made.id]) expect(changed).toContain(gone)
      expect(await verify(tenant)).toMatchObject({ ok: true })
    })
    const draftBy = (marker: string) => {
      const { title, text, tags, fields, provenance, spans } = draftOf(marker)
      return { title, text, tags, fields, provenance, spans }
    }

    it('[AU-4] takes with it what another owner made from it', async () => {
      const tenant = store.tenant()
      const marker = `zq${randomUUID().replaceAll('-', '')}`
      const [ana, ben] = [auditor.as(as(tenant, 'ana')), auditor.as(as(tenant, 'ben'))]
      const group = await ana.groups.create({ name: 'team' })
      await ana.groups.addMember({ group: group.id, member: 'ben' })
      const { id } = await ana.remember({ kind: 'note', text: 'ours', owner: group.principal })
      const copy = await ben.remember({ kind: 'note', text: marker, derivedFrom: [id] })
      expect(await ana.get(copy.id)).toBeNull()
      expect(await ana.forget(id)).toMatchObject({ forgotten: [id] })
      expect(await ben.get(copy.id)).toBeNull()
      expect(await everythingOf(marker)).toEqual([])
    })

    it('[AU-4] an owner can forget what is hidden from them, expired, superseded, retracted or blocked', async () => {
      const tenant = store.tenant()
      const clock = testClock()
      const privity = await store.instance({ ...clock, newId: () => randomUUID() })
      const ana = privity.as(as(tenant, 'ana'))
      const marker = `zq${randomUUID().replaceAll('-', '')}`
      const expiresAt = new Date(clock.now().getTime() + 1_000)
      const make = async (more: object = {}) =>
        (await ana.remember({ kind: 'note', text: marker, ...more })).id
      const [expired, superseded, retracted, blocked, synthesis] = [
        await make({ expiresAt }),
        await make(),
        await make(),
        await make({ document: 'sealed' }),
        await make({ kind: 'ai_synthesis' }),
      ]
      const { records } = await ana.revise({ how: 'supersede', record: superseded, by: { text: marker } })
      await ana.revise({ how: 'retract', record: retracted })
      await ana.overlays.add({ target: { kind: 'document', ref: 'sealed' }, restriction: 'blocked' })
      clock.advance(2_000)
      for (const id of [expired, superseded, retracted, blocked, synthesis]) {
        expect(await ana.get(id)).toBeNull()
        expect(await ana.forget(id)).toMatchObject({ forgotten: [id] })
      }
      // The successor was made from what it superseded, so it went with it.
      expect(await ana.get(records[0]?.id ?? '')).toBeNull()
      expect(await everythingOf(marker)).toEqual([])
      await privity.close()
    })

    it('[AU-4] the record of somebody else is not found, and a batch with one such id deletes nothing', async () => {
      const tenant = store.tenant()
      const [ana, ben] = [auditor.as(as(tenant, 'ana')), auditor.as(as(tenant, 'ben'))]
      const mine = await ana.remember([
        { kind: 'note', text: 'one' },
        { kind: 'note', text: 'two' },
      ])
      const theirs = await ben.remember({ kind: 'note', text: 'three' })
      const elsewhere = await auditor
        .as(as(store.tenant(), 'ana'))
        .remember({ kind: 'note', text: 'of another tenant' })
      const ids = mine.map(({ id }) => id)
      for (const foreign of [theirs.id, elsewhere.id, randomUUID()]) {
        for (const batch of [[foreign], [...ids, foreign], [foreign, ...ids]])
          await expect(ana.forget(batch)).rejects.toMatchObject({ code: 'not_found', message: 'not found' })
      }
      await expect(auditor.as(agentOf(tenant, 'ana')).forget(ids)).rejects.toMatchObject({
        code: 'not_allowed',
      })
      await expect(auditor.as(host(tenant)).forget(ids)).rejects.toMatchObject({ code: 'not_found' })
      for (const { id } of mine) expect(await ana.get(id)).toMatchObject({ id })
      expect(await ben.get(theirs.id)).toMatchObject({ id: theirs.id })
    })
  })

  describe('as it is read', () => {
    const KEYS = [
      'actor',
      'at',
      'audience',
      'authenticated',
      'counts',
      'effects',
      'for',
      'operation',
      'outcome',
      'reason',
      'records',
      'reversibility',
    ] as const

    it('[NI-6, AU-2] an owner reads what they and those who work for them did, a host all of it, nobody a number or a hash', async () => {
      const tenant = store.tenant()
      const [ana, ben] = [auditor.as(as(tenant, 'ana')), auditor.as(as(tenant, 'ben'))]
      const { id } = await ana.remember({ kind: 'note', text: 'mine' })
      await auditor.as(agentOf(tenant, 'ana')).get(id)
      const theirs = await ben.remember({ kind: 'note', text: 'theirs' })
      await ana.get(theirs.id)
      const anas = (await ana.audit.list()).entries
      expect(
        anas.map(({ actor, for: whom, operation, records }) => [actor, whom, operation, records]),
      ).toEqual([
        ['ana', 'ana', 'memory.get', []],
        ['helper', 'ana', 'memory.get', [id]],
        ['ana', 'ana', 'memory.remember', [id]],
      ])
      for (const entry of anas) expect(Object.keys(entry).sort()).toEqual(KEYS)
      // [AU-2] What was changed is told with what it did, and what was only asked with nothing.
      expect(anas.map(({ effects, reversibility }) => [effects, reversibility])).toEqual([
        [[], null],
        [[], null],
        [['record_created'], expect.any(String)],
      ])
      const bens = JSON.stringify(await ben.audit.list())
      expect(bens).not.toContain('ana')
      expect(bens).not.toContain(id)
      const all = await auditor.as(host(tenant)).audit.list()
      expect(all.entries.map(({ actor, operation }) => [actor, operation])).toEqual([
        ['ben', 'audit.list'],
        ['ana', 'audit.list'],
        ['ana', 'memory.get'],
        ['ben', 'memory.remember'],
        ['helper', 'memory.get'],
        ['ana', 'memory.remember'],
      ])
      // The host runs the tenant, and still may not know of anybody's record.
      expect(all.entries.flatMap(({ records }) => records)).toEqual([])
      await expect(auditor.as(agentOf(tenant, 'ana')).audit.list()).rejects.toMatchObject({
        code: 'not_allowed',
      })
    })

    it('[AU-2, NI-6, AU-3] a host reads what was changed, by name and by what it was about', async () => {
      const tenant = store.tenant()
      const ana = auditor.as(as(tenant, 'ana'))
      const warden = auditor.as(host(tenant))
      const cause = randomUUID()
      const secret = { idempotencyKey: 'in words of her own', causalParents: [cause] }
      const { id } = await ana.remember({ kind: 'note', text: 'mine' }, secret)
      const own = await warden.remember({ kind: 'note', text: 'of the host' })
      const { view } = await ana.views.create({ corpus: 'bank' })
      await ana.get(id)
      const { operations } = await warden.audit.operations()
      const told = operations.map(({ operation, at, ...rest }) => rest)
      const plain = { audience: 'owner', causalParents: [], mails: [], hasIdempotencyKey: false }
      expect(told).toEqual([
        {
          ...plain,
          name: 'views.create',
          actor: 'ana',
          for: 'ana',
          effects: ['view_created'],
          reversibility: 'reversible',
          refs: [view],
          policyGeneration: expect.any(String),
        },
        {
          ...plain,
          name: 'memory.remember',
          actor: 'warden',
          for: 'warden',
          audience: 'host',
          effects: ['record_created'],
          reversibility: 'compensating_operation_only',
          refs: [own.id],
          policyGeneration: null,
        },
        {
          ...plain,
          name: 'memory.remember',
          actor: 'ana',
          for: 'ana',
          effects: ['record_created'],
          reversibility: 'compensating_operation_only',
          // The host runs the tenant, and still may not know of anybody's record.
          refs: [],
          causalParents: [cause],
          mails: [],
          hasIdempotencyKey: true,
          policyGeneration: null,
        },
      ])
      expect(JSON.stringify(operations)).not.toContain('words')

      const names = async (asked: Parameters<typeof warden.audit.operations>[0]) =>
        (await warden.audit.operations(asked)).operations.map(({ name }) => name)
      expect(await names({ name: 'memory.remember' })).toEqual(['memory.remember', 'memory.remember'])
      expect(await names({ name: 'memory' })).toEqual([])
      expect(await names({ of: view })).toEqual(['views.create'])
      expect(await names({ of: own.id })).toEqual(['memory.remember'])
      // Of what it cannot be told of, it is told as little as of what was never there.
      expect(await names({ of: id })).toEqual([])
      expect(await names({ of: randomUUID() })).toEqual([])
      const [first, second] = [await warden.audit.operations({ limit: 2 }), operations.slice(2)]
      expect(first.operations).toEqual(operations.slice(0, 2))
      expect(await warden.audit.operations({ limit: 2, cursor: first.cursor ?? '' })).toEqual({
        operations: second,
        cursor: null,
      })
      await expect(ana.audit.operations()).rejects.toMatchObject({ code: 'not_allowed' })
    })

    it('[NI-6] leaves out the ids of records that can no longer be seen', async () => {
      const tenant = store.tenant()
      const [ana, ben] = [auditor.as(as(tenant, 'ana')), auditor.as(as(tenant, 'ben'))]
      const group = await ana.groups.create({ name: 'team' })
      await ana.groups.addMember({ group: group.id, member: 'ben' })
      const shared = await ana.remember({ kind: 'note', text: 'ours', owner: group.principal })
      const mine = await ben.remember({ kind: 'note', text: 'mine' })
      await ben.get(shared.id)
      expect(JSON.stringify(await ben.audit.list())).toContain(shared.id)
      await ana.groups.removeMember({ group: group.id, member: 'ben' })
      await ben.forget(mine.id)
      const after = JSON.stringify(await ben.audit.list())
      expect(after).not.toContain(shared.id)
      expect(after).not.toContain(mine.id)
    })

    it('[RS-2] tells refused attempts with their code, and the registered reason where there is one', async () => {
      const tenant = store.tenant()
      // Entries of one moment have no order among themselves, so each is of a moment of its own.
      const clock = testClock()
      const privity = await store.instance({ ...clock, newId: () => randomUUID() })
      const ana = privity.as(as(tenant, 'ana'))
      const { id } = await ana.remember({ kind: 'note', text: 'mine', sensitivity: 'high' })
      const refused = async (asked: Promise<unknown>) => {
        await expect(asked).rejects.toThrow()
        clock.advance(1_000)
      }
      clock.advance(1_000)
      const agent = agentOf(tenant, 'ana')
      await refused(ana.forget(randomUUID()))
      await refused(privity.as(agent).forget(id))
      await refused(privity.as(agent).relabel({ record: id, sensitivity: 'low' }))
      await refused(privity.invoke({ ...agent, trust: undefined }, 'memory.list', {}))
      await refused(privity.as({ ...as(tenant, 'ana'), policy: 'unknown' }).list())
      await refused(privity.invoke(as(tenant, 'ana'), 'memory.get', { record: 7 }))
      await refused(ana.audit.verify())
      const { entries } = await ana.audit.list({ limit: 7 })
      expect(entries.map(({ operation, outcome, reason }) => [operation, outcome, reason])).toEqual([
        ['audit.verify', 'not_allowed', 'session.audience_not_allowed'],
        ['memory.get', 'invalid_input', null],
        ['memory.list', 'not_allowed', 'session.capability_blocked_by_policy'],
        ['memory.list', 'trust_required', 'session.trust_missing'],
        ['memory.relabel', 'not_allowed', 'session.audience_not_allowed'],
        ['memory.forget', 'not_allowed', 'session.audience_not_allowed'],
        ['memory.forget', 'not_found', null],
      ])
      await privity.close()
    })

    it('[NI-9] pages through entries of one moment, each once, with a cursor of this caller only', async () => {
      const tenant = store.tenant()
      const clock = testClock()
      const privity = await store.instance({ ...clock, newId: () => randomUUID() })
      const ana = privity.as(as(tenant, 'ana'))
      for (let at = 0; at < 11; at++) await ana.get(randomUUID())
      for (let at = 0; at < 3; at++) await privity.as(as(tenant, 'ben')).list()
      clock.advance(1_000)
      const page = await ana.audit.list({ limit: 4 })
      clock.advance(1_000)
      const sizes = [page.entries.length]
      let { cursor } = page
      for (; cursor !== null; clock.advance(1_000)) {
        const next = await ana.audit.list({ limit: 4, cursor })
        expect(next.entries.every(({ operation }) => operation === 'memory.get')).toBe(true)
        sizes.push(next.entries.length)
        cursor = next.cursor
      }
      expect(sizes).toEqual([4, 4, 3])
      const asked = { limit: 4, cursor: page.cursor ?? '' }
      await expect(privity.as(as(tenant, 'ben')).audit.list(asked)).rejects.toMatchObject({
        code: 'invalid_input',
      })
      await expect(privity.as(host(tenant)).audit.list(asked)).rejects.toMatchObject({
        code: 'invalid_input',
      })
      await privity.close()
    })
  })
})

interface Step {
  readonly name: string
  readonly by: Credential
  readonly input: object
  run(options: RequestOptions): Promise<unknown>
}

/** Every operation there is, each once and with success, with a word in every place that takes text. */
async function runEverything(
  privity: Privity,
  tenant: string,
  word: string,
  take: (step: Step) => Promise<unknown>,
): Promise<void> {
  const owner = { tenant, actor: `ana ${word}` }
  const warden = { tenant, actor: `host ${word}`, audience: 'host' } as const
  const done = new Set<string>()
  const step = async (name: string, by: Credential, input: object): Promise<Answer> => {
    done.add(name)
    const run = (options: RequestOptions) => privity.invoke(by, name, input, options)
    return (await take({ name, by, input, run })) as Answer
  }

  const draft = {
    kind: 'episodic',
    title: word,
    text: word,
    tags: [word],
    fields: { [word]: word },
    provenance: { source: word, uri: word, model: word, tool: word, note: word },
    spans: [{ document: word, start: 0, end: 1 }],
    participants: [word],
    scope: word,
    corpus: word,
    filingUnit: word,
    version: word,
    part: word,
    document: word,
    segment: word,
  }
  const { records = [] } = await step('memory.remember', owner, { records: [draft, draft] })
  const [record = '', other = ''] = records.map(({ id }) => id)
  await step('memory.get', owner, { record })
  await step('memory.list', owner, { tags: [word], people: [word], corpus: word, fields: { [word]: word } })
  await step('memory.timeline', owner, { people: [word] })
  const question = {
    query: `${word} "${word}" -x${word}`,
    tags: [word],
    people: [word],
    fields: { [word]: word },
  }
  const found = await step('memory.search', owner, { ...question, synonyms: [{ of: word, terms: [word] }] })
  const searchRun = found.receipt?.searchRunId ?? ''
  await step('memory.complete', owner, { text: word })
  const { query: task, ...conditions } = question
  await step('memory.retrieve_graph', owner, { ...conditions, task, relationTypes: [word] })
  const saved = await step('searches.save', owner, { name: word, ...question, searchRun })
  await step('searches.list', owner, {})
  await step('searches.changes', owner, { search: saved.id })
  await step('searches.delete', owner, { search: saved.id })
  await step('receipts.get', owner, { searchRun })
  await step('receipts.list', owner, {})
  await step('receipts.cite', owner, { searchRun })
  await step('receipts.deliver', owner, { searchRun })
  await step('receipts.feedback', owner, { searchRun })
  await step('receipts.mark', owner, { searchRun })
  await step('receipts.purge', warden, {})
  await step('index.rebuild', owner, {})
  await step('memory.explain', owner, { record, as: { actor: owner.actor, session: word } })
  await step('memory.relate', owner, { from: record, to: other, type: word })
  await step('memory.relabel', owner, { record, scope: word, tags: [word], addParticipants: [`${word} two`] })
  await step('memory.reinforce', owner, { record })
  await step('memory.penalise', owner, { record })
  await step('memory.pin', owner, { record })
  await step('memory.unpin', owner, { record })
  await step('memory.consolidate', owner, { records: [record, other] })
  const skill = { kind: 'competence', text: word, sensitivity: 'low' }
  const { records: skills = [] } = await step('memory.remember', owner, { records: [skill] })
  await step('memory.record_outcome', owner, { record: skills[0]?.id, outcome: 'success', note: word })
  await step('memory.select', owner, { task: word })
  await step('memory.extract', owner, { records: [record] })
  await step('memory.capture', owner, { messages: [{ text: `unreadable ${word}` }], conversation: word })
  await privity.caughtUp()
  const { jobs = [] } = await step('captures.list', owner, { state: 'failed' })
  await step('captures.retry', owner, { job: jobs[0]?.job })
  // It is tried again now, and leaves entries of its own.
  await privity.caughtUp()
  const change = await step('changes.request', owner, { record, how: 'contest', reason: word })
  await step('changes.mine', owner, {})
  await step('changes.list', owner, {})
  const wish = (change as { request?: { id: string } }).request?.id
  await step('changes.decide', owner, { request: wish, decision: 'declined' })
  await step('memory.revise', owner, { how: 'contest', record, reason: word })
  await step('memory.history', owner, { record })
  await step('memory.undo', owner, { record })
  await step('labels.propose', owner, { text: `${word} has the PIN 4821` })
  await step('people.add', owner, { person: `${word} three` })
  await step('people.get', owner, { person: word })
  await step('people.list', owner, {})
  await step('people.consent', owner, { person: word, status: 'granted' })
  await step('people.update', owner, { person: word, addAliases: [`${word} alias`] })
  await step('people.matches', owner, {})
  const pair = { person: `${word} two`, into: word, consent: 'granted' }
  await step('people.merge_preview', owner, pair)
  await step('people.merge', owner, pair)
  await step('people.split_preview', owner, { person: `${word} two` })
  await step('people.split', owner, { person: `${word} two` })
  await step('people.remove', owner, { person: `${word} three` })
  const asked = await step('consents.request', owner, { person: `${word} four`, reason: word })
  await step('consents.mine', owner, {})
  await step('consents.list', owner, {})
  await step('consents.decide', owner, { request: asked.id, decision: 'granted' })
  await step('requests.why_refused', owner, { requestId: record })
  const group = await step('groups.create', owner, { name: word })
  await step('groups.list', owner, {})
  await step('groups.add_member', owner, { group: group.id, member: word, role: word })
  await step('groups.remove_member', owner, { group: group.id, member: word, role: word })
  const target = { kind: 'corpus', ref: word }
  const overlay = await step('overlays.add', owner, { target, restriction: 'explicit_access_required' })
  await step('overlays.list', owner, {})
  const grant = await step('grants.add', owner, { grantee: word, target })
  await step('grants.list', owner, {})
  await step('grants.revoke', owner, { grant: grant.id })
  await step('overlays.remove', owner, { overlay: overlay.id })
  const made = await step('keys.create', owner, {
    name: word,
    audience: 'agent',
    actor: word,
    session: word,
    trust: { maxSensitivity: 'low', scopes: [word] },
  })
  await step('keys.list', warden, {})
  await step('keys.revoke', owner, { key: (made.key as { id: string }).id })
  const delivery = { kind: 'document_delivery_policy', policy: word }
  await step('profiles.set_policy', owner, { ...delivery, settings: { delivery: 'view_and_download' } })
  await step('profiles.policies', owner, {})
  const draftOf = async () => (await step('profiles.create', owner, {})).profile
  const profile = await draftOf()
  await step('profiles.update', owner, { profile, documentDeliveryPolicyRef: word, maxResultCount: 5 })
  await step('profiles.get', owner, { profile })
  await step('profiles.list', owner, {})
  await step('profiles.bind', owner, {
    profile,
    openclawNativeSessionId: word,
    childSpawnConstraint: 'deny_external',
  })
  await step('profiles.activate', owner, { profile })
  await step('profiles.suspend', owner, { profile, reasonCode: 'session.profile_suspended' })
  await step('profiles.resume', owner, { profile })
  await step('profiles.revoke', owner, { profile, reasonCode: 'session.profile_revoked' })
  await step('profiles.discard', owner, { profile: await draftOf() })
  await runSharing(privity, owner, word, step)
  await runDocuments(owner, word, step)
  const spawned = await step('agents.spawn', owner, { agent: word, maxSensitivity: 'low', scopes: [word] })
  await step('agents.list', owner, {})
  await step('agents.end', owner, { profile: (spawned.profile as { profile: string }).profile })
  const partner = { tenant, actor: `ben ${word}` }
  const opened = await step('sessions.create', owner, { participants: [partner.actor], title: word })
  const session = opened.id
  await step('sessions.list', owner, {})
  await step('sessions.get', partner, { session })
  await step('sessions.join', partner, { session })
  for (const by of [owner, partner]) await step('stages.sign_compact', by, { session })
  for (const by of [owner, partner]) await step('stages.advance', by, { session })
  await step('stages.get', owner, { session })
  const event = { type: 'user_event', text: `They ignored me when we talked, ${word}`, participants: [word] }
  const { items = [] } = await step('vessel.write', owner, { session, items: [event] })
  await step('vessel.list', owner, { session })
  for (const by of [owner, partner]) await step('stages.confirm_heard', by, { session })
  for (const by of [owner, partner]) await step('stages.advance', by, { session })
  await step('bridge.request', owner, { session, content: items[0]?.id, contentType: 'EVENT_SUMMARY' })
  const { pendingRequests = [] } = await step('bridge.pending', owner, { session })
  await step('bridge.screen', owner, {
    session,
    consentRequestId: pendingRequests[0]?.id,
    editedContent: `I feel sad about ${word}.`,
  })
  const consent = await step('bridge.decide', owner, {
    session,
    consentRequestId: pendingRequests[0]?.id,
    decision: 'GRANTED',
    editedContent: `I feel sad about ${word}.`,
  })
  await step('turns.context', partner, { session, message: word })
  await step('turns.list', partner, { session })
  const attempts: unknown[] = []
  for (const by of [owner, partner]) {
    const draft = await step('empathy.draft', by, { session, text: `tired of ${word}`, ready: true })
    const content = `I imagine that you are tired, ${word}.`
    attempts.push((await step('empathy.share', by, { session, draft: draft.id, content })).id)
  }
  for (const [at, other] of [partner, owner].entries()) {
    const said = { attempt: attempts[at], validated: true, feedback: `Yes, ${word}.` }
    await step('empathy.validate', other, { session, ...said })
  }
  for (const by of [owner, partner]) await step('stages.advance', by, { session })
  for (const by of [owner, partner]) {
    const need = { type: 'need', category: 'FAIRNESS', text: `a fair share, ${word}` }
    const { items: kept = [] } = await step('vessel.write', by, { session, items: [need] })
    await step('vessel.confirm_needs', by, { session, needs: [kept[0]?.id] })
    const { pendingRequests: asked = [] } = await step('bridge.pending', by, { session })
    for (const { id } of asked)
      await step('bridge.decide', by, { session, consentRequestId: id, decision: 'GRANTED' })
  }
  await step('common_ground.compare', owner, { session })
  const { commonGround = [] } = await step('common_ground.find', owner, { session })
  const ground = commonGround[0]?.id
  for (const by of [owner, partner])
    await step('common_ground.confirm', by, { session, commonGround: ground })
  for (const by of [owner, partner]) await step('stages.advance', by, { session })
  const strategy = await step('strategies.submit', owner, {
    session,
    content: `Try ${word}.`,
    commonGround: [ground],
  })
  await step('strategies.rank', partner, { session, proposals: [strategy.id] })
  await step('strategies.pool', partner, { session })
  const proposed = { session, text: `We try ${word}.`, proposals: [strategy.id] }
  const agreement = await step('agreements.propose', owner, proposed)
  await step('agreements.agree', partner, { session, agreement: agreement.id })
  const planned = { session, text: `A week of ${word}.`, agreement: agreement.id, suggestion: word }
  const experiment = await step('experiments.add', owner, planned)
  const outcome = { status: 'DONE', outcome: `It went well, ${word}.` }
  await step('experiments.report', partner, { session, experiment: experiment.id, ...outcome })
  await step('agreements.close', owner, { session, agreement: agreement.id, status: 'COMPLETED' })
  await step('agreements.list', partner, { session })
  await step('shared.list', partner, { session })
  await step('bridge.history', owner, { session })
  await step('bridge.revoke', owner, { session, consentRecordId: consent.consentRecord?.id })
  const second = await step('sessions.create', owner, { participants: [partner.actor], invite: false })
  await step('sessions.invite', owner, { session: second.id })
  await step('sessions.decline', partner, { session: second.id })
  await step('sessions.set_state', owner, { session: second.id, state: 'ABANDONED' })
  await step('sessions.leave', partner, { session, erase: true })
  await step('sessions.delete', warden, { session: second.id })
  await step('sessions.erase_person', warden, { person: partner.actor })
  const given = { title: `about ${word}`, text: `talk about ${word}`, needs: ['FAIRNESS'] }
  const { title, text } = await step('library.preview', owner, given)
  const entry = await step('library.contribute', owner, { ...given, optIn: true, seen: { title, text } })
  await step('library.waiting', warden, {})
  await step('library.review', warden, { entry: entry.id, decision: 'approve' })
  await step('library.list', owner, {})
  await step('library.mine', owner, {})
  await step('library.withdraw', owner, { entry: entry.id })
  await step('notifications.list', owner, {})
  await step('notifications.read', owner, { notifications: [record] })
  const hook = await step('webhooks.create', warden, {
    url: `https://hooks.invalid/${word}`,
    description: word,
  })
  await step('webhooks.list', warden, {})
  await step('webhooks.test', warden, { webhook: hook.webhook?.id })
  await step('webhooks.delete', warden, { webhook: hook.webhook?.id })
  await step('signals.record', owner, { kind: 'explicit_helpful', record })
  await step('signals.pending', owner, {})
  await step('signals.review', owner, { corpus: word, decision: 'accept' })
  await step('signals.summary', owner, {})
  await step('capabilities.register', warden, {
    namespace: { namespace: word, description: word },
    capability: { name: word, description: word, metadata: { schemaRef: word, capacityLeaseClass: word } },
  })
  const capability = `${word}.${word}`
  await step('capabilities.set_capacity', warden, { capability, leaseClass: word, limits: { total: 1 } })
  const held = await step('capabilities.acquire', owner, { capability })
  await step('capabilities.release', owner, { lease: held.lease })
  await step('capabilities.set_lifecycle', warden, { capability, lifecycleState: 'deprecated' })
  await step('capabilities.check', owner, { capability })
  await step('policies.set', warden, {
    policy: `policy ${word}`,
    mode: 'inherit_default',
    deniedCapabilities: [{ kind: 'namespace_all', namespace: word }],
    parentRef: word,
  })
  await step('capabilities.who', warden, { of: capability })
  await step('reasons.register', warden, { code: word, description: word, visibility: 'expose' })
  await step('audit.checkpoint', warden, {})
  await step('audit.verify', warden, {})
  await step('audit.list', owner, {})
  await step('audit.operations', warden, {})
  await step('memory.forget', owner, { records: [other] })

  // What takes no text, or nothing that has to be made first, is asked by its sample. Anything else needs a step above.
  const known = { records: [record], others: [], key: 'left:0' }
  for (const { name, callers } of OPERATIONS)
    if (!done.has(name))
      await step(name, callers === 'host' ? warden : owner, sampleOf(name, random(1), known))
}

/** A link from the view that it shares to its revocation, with somebody in between who is let in by name. */
async function runSharing(
  privity: Privity,
  owner: Credential,
  word: string,
  step: (name: string, by: Credential, input: object) => Promise<Answer>,
): Promise<void> {
  const shown = {
    kind: 'document',
    title: word,
    text: word,
    corpus: word,
    surface: 'source_documents',
    visibilityClass: 'public_open',
  }
  const { records = [] } = await step('memory.remember', owner, { records: [shown] })
  const document = records[0]?.id
  const viewOf = async () => (await step('views.create', owner, { corpus: word, name: word })).view
  const view = await viewOf()
  await step('views.get', owner, { view })
  await step('views.list', owner, { corpus: word })
  await step('views.effective', owner, { views: [view] })
  await step('views.delete', owner, { view: await viewOf() })
  const granted = await step('links.grant', owner, {
    views: [view],
    name: word,
    recipientIdentityMode: 'host_approved_named_external',
    approvedName: word,
    allowedActions: ['search', 'document_view', 'document_download', 'upload'].map(namespace => ({
      kind: 'namespace_all',
      namespace,
    })),
  })
  const { token } = granted
  const { link } = granted.link as { link: string }
  const { ticket } = await step('links.redeem', owner, { token, name: word })
  const { requests = [] } = await step('links.requests', owner, { link })
  await step('links.decide', owner, { request: requests[0]?.request, decision: 'approve' })
  const opened = await step('links.redeem', owner, { token, ticket })
  expect(opened.status).toBe('open')
  const { credential: recipient } = await privity.authenticate(opened.key as string)
  await step('profiles.current', recipient, {})
  const routed = { query: word, scope: { corpusScope: [word] } }
  await step('search.plan', recipient, routed)
  await step('search.execute', recipient, routed)
  await step('search.expand', recipient, routed)
  await step('search.bundle', recipient, routed)
  await step('search.complete', recipient, { text: word.slice(0, 3), corpus: word })
  const listed = await step('document_view.list', recipient, { corpus: word })
  expect(listed.documents).toContainEqual(expect.objectContaining({ document }))
  await step('document_view.open', recipient, { document })
  await step('document_download.fetch', recipient, { document })
  await step('document_view.reading', recipient, { document, pages: [{ page: 1, seconds: 5 }] })
  const content = Buffer.from(`A letter about ${word}.`).toString('base64')
  const send = async (name: string) =>
    (await step('upload.send', recipient, { document: name, content, message: word })).upload
  const [first, second] = [await send(`${word}.txt`), await send(`${word} 2.txt`)]
  await step('upload.list', recipient, {})
  await step('uploads.list', owner, { link })
  await step('uploads.fetch', owner, { upload: first })
  await step('uploads.file', owner, { upload: first, corpus: word })
  await step('uploads.decide', owner, { upload: second, decision: 'discard' })
  await step('views.changes', recipient, {})
  await step('profiles.log', recipient, {})
  await step('profiles.leave', recipient, {})
  await step('links.get', owner, { link })
  await step('links.preview', owner, { link })
  await step('links.list', owner, {})
  await step('links.access_log', owner, { link })
  await step('links.readings', owner, { link })
  await step('links.export_log', owner, { link })
  await step('links.copy', owner, { link, recipients: [{ name: word }] })
  await step('links.change', owner, { link, name: word, rateLimits: { maxQueriesPerHour: 1 } })
  await step('links.revoke', owner, { link, reason: word })
}

/** A file from its arrival to its end. */
async function runDocuments(
  owner: Credential,
  word: string,
  step: (name: string, by: Credential, input: object) => Promise<Answer>,
): Promise<void> {
  const document = `${word}.txt`
  const content = Buffer.from(`A brief about ${word}.`).toString('base64')
  const metadata = { caseNumber: word, court: word, parties: [word] }
  await step('documents.ingest', owner, { document, corpus: word, content, metadata, extract: 'later' })
  await step('documents.extract', owner, { document })
  await step('documents.sources', owner, { corpus: word })
  const { documents = [] } = await step('documents.list', owner, { corpus: word })
  const id = documents.find(one => one.document === document)?.id
  await step('documents.get', owner, { id })
  await step('documents.read', owner, { id })
  await step('documents.original', owner, { id })
  await step('documents.fields', owner, { document })
  const watched = { name: word, kind: 'folder', location: `/srv/${word}`, corpus: word }
  const { id: binding } = await step('bindings.create', owner, watched)
  await step('bindings.list', owner, {})
  const event = { binding, sourceEventId: word }
  const { sources = [] } = await step('documents.sources', owner, { corpus: word })
  const entries = [
    { document, outcome: 'created', source: sources[0]?.source },
    { document: `${word}.pdf`, outcome: 'failed', problem: 'too_large' },
  ]
  await step('bindings.fire', owner, { ...event, entries })
  await step('bindings.outcome', owner, event)
  await step('bindings.outcomes', owner, { targetKind: 'document', targetRef: document })
  await step('bindings.manifest', owner, event)
  const { contributions = [] } = await step('bindings.contributions', owner, { binding })
  const contribution = contributions.find(one => one.document === document)?.contribution
  await step('bindings.judge', owner, { contribution, verdict: 'reject' })
  await step('bindings.rejected', owner, { binding, sha256: ['0'.repeat(64)] })
  await step('bindings.health', owner, { binding })
  await step('bindings.set_state', owner, { binding, state: 'paused' })
  await step('bindings.remove', owner, { binding })
  await step('documents.recognise', owner, { document })
  await step('documents.remove', owner, { document })
}

interface Answer {
  readonly jobs?: readonly { readonly job: string }[]
  readonly upload?: string
  readonly id: string
  readonly records?: readonly { readonly id: string }[]
  readonly receipt?: { readonly searchRunId: string }
  readonly lease?: string | null
  readonly key?: { readonly id: string } | string
  readonly profile?: { readonly profile: string } | string
  readonly view?: string
  readonly link?: { readonly link: string } | string
  readonly token?: string
  readonly ticket?: string
  readonly status?: string
  readonly requests?: readonly { readonly request: string }[]
  readonly documents?: readonly { readonly document: string; readonly id?: string }[]
  readonly webhook?: { readonly id: string }
  readonly sources?: readonly { readonly source: string }[]
  readonly contributions?: readonly { readonly document: string | null; readonly contribution: string }[]
  readonly items?: readonly { readonly id: string }[]
  readonly pendingRequests?: readonly { readonly id: string }[]
  readonly consentRecord?: { readonly id: string }
  readonly commonGround?: readonly { readonly id: string }[]
  readonly title?: string
  readonly text?: string
}

/** The ids by which an answer names what was written. */
function idsIn(output: unknown): string[] {
  if (typeof output !== 'object' || output === null) return []
  const { id, records = [], from, to, forgotten = [], checkpointId } = output as Record<string, unknown>
  const ofRecords = (Array.isArray(records) ? records : []).map(record => record.id)
  return [
    ...[id, from, to, checkpointId, ...ofRecords, ...(forgotten as string[])],
    ...sharedIn(output as Record<string, unknown>),
  ].filter((found): found is string => typeof found === 'string')
}

/** Of what is shared, everything is named by what it is, and may be told whole. */
function sharedIn(output: Record<string, unknown>): unknown[] {
  // Who waits is let in or not: the link stays as it is.
  if (output.request !== undefined) return [output.request]
  // A file has a name, and the source and the card that were made of it.
  if (output.removedAt !== undefined || output.recognition !== undefined) return []
  if (output.contribution !== undefined) return [output.contribution]
  if (output.source !== undefined) return [output.source, (output.card as { id: string } | null)?.id]
  return ['profile', 'view', 'link', 'document'].map(name => {
    const told = output[name]
    return typeof told === 'object' && told !== null ? (told as Record<string, unknown>)[name] : told
  })
}
