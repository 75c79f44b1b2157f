import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'
import { storedFunction } from '../stored-function.js'
import type { Send } from './read.js'
import { UPKEEP } from './upkeep.js'

/** The stored record of a search (CV-1). */
export interface NewSearchRun {
  readonly searchRunId: string
  readonly actorId: string
  readonly forId: string
  readonly audience: string
  readonly at: string
  readonly retentionClass: string
  readonly dueAt: string
  readonly indexSnapshotsDueAt: string
  /** The question, sealed. */
  readonly question: string
  readonly plan: object
  readonly manifest: object
  readonly receipt: object
  readonly expansions: readonly object[]
  readonly indexSnapshots: readonly object[]
  /** The most that the searcher could be shown (NI-10). */
  readonly label: StoredLabel
}

/** The row of a run, as its insert reads it. */
export const runToWrite = (run: NewSearchRun) => ({
  search_run_id: run.searchRunId,
  actor_id: run.actorId,
  for_id: run.forId,
  audience: run.audience,
  at: run.at,
  retention_class: run.retentionClass,
  due_at: run.dueAt,
  index_snapshots_due_at: run.indexSnapshotsDueAt,
  question: run.question,
  plan: run.plan,
  manifest: run.manifest,
  receipt: run.receipt,
  expansions: run.expansions,
  index_snapshots: run.indexSnapshots,
  label: run.label,
})

export const RUN_COLUMNS_TO_WRITE = [
  'search_run_id uuid',
  'actor_id uuid',
  'for_id uuid',
  'audience text',
  'at timestamptz',
  'retention_class text',
  'due_at timestamptz',
  'index_snapshots_due_at timestamptz',
  'question text',
  'plan jsonb',
  'manifest jsonb',
  'receipt jsonb',
  'expansions jsonb',
  'index_snapshots jsonb',
  'label jsonb',
]

/** A stored search. What was purged is null. */
export interface SearchRunRow<Plan, Manifest, Receipt, Expansion, IndexSnapshot> {
  readonly searchRunId: string
  readonly actorId: string
  readonly audience: string
  readonly at: Date
  readonly retentionClass: string
  readonly retainedBecause: readonly string[]
  readonly dueAt: Date
  readonly indexSnapshotsDueAt: Date
  readonly question: string | null
  readonly plan: Plan | null
  readonly manifest: Manifest | null
  readonly receipt: Receipt | null
  readonly expansions: readonly Expansion[] | null
  readonly indexSnapshots: readonly IndexSnapshot[]
  readonly label: StoredLabel | null
}

/** Selects the searches of a principal; only those of one actor unless `actorId` is null. */
export interface RunsOf {
  readonly forId: string
  readonly actorId: string | null
}

const RUN_COLUMNS = `
    search_run_id as "searchRunId",
    actor_id as "actorId",
    audience,
    at,
    retention_class as "retentionClass",
    retained_because as "retainedBecause",
    due_at as "dueAt",
    index_snapshots_due_at as "indexSnapshotsDueAt",
    question,
    plan,
    manifest,
    receipt,
    expansions,
    index_snapshots as "indexSnapshots",
    label`

export async function loadSearchRun<Row>(
  tx: Transaction,
  tenant: string,
  { forId, actorId }: RunsOf,
  id: string,
  mode: 'read' | 'lock',
): Promise<Row | undefined> {
  const [row] = await tx.query<Row>(mode === 'read' ? LOAD_RUN : LOCK_RUN, [tenant, id, forId, actorId])
  return row
}

const LOAD_RUN = `
  select ${RUN_COLUMNS}
  from privity.search_runs
  where tenant_id = $1
    and search_run_id = $2
    and for_id = $3
    and ($4::uuid is null or actor_id = $4)`
const LOCK_RUN = `${LOAD_RUN}
  for update`

/** A caller's searches that are still stored, newest first, from before a given one. */
export function listSearchRuns<Row>(
  tx: Transaction,
  tenant: string,
  { forId, actorId }: RunsOf,
  now: Date,
  before: { at: Date; id: string } | null,
  limit: number,
): Promise<Row[]> {
  return tx.query<Row>(LIST_RUNS, [
    tenant,
    forId,
    actorId,
    before?.at ?? null,
    before?.id ?? null,
    limit,
    now,
  ])
}

const LIST_RUNS = `
  select ${RUN_COLUMNS}
  from privity.search_runs
  where tenant_id = $1
    and for_id = $2
    and ($3::uuid is null or actor_id = $3)
    and receipt is not null
    and (retention_class <> 'ephemeral_session_lifetime' or due_at > $7)
    and ($4::timestamptz is null or (at, search_run_id) < ($4, $5::uuid))
  order by at desc, search_run_id desc
  limit $6`

/** Keeps a search for longer, and records why. */
export async function retainSearchRun(
  tx: Transaction,
  tenant: string,
  id: string,
  kept: { retentionClass: string; dueAt: string; indexSnapshotsDueAt: string; because: string },
): Promise<void> {
  await tx.query(RETAIN_RUN, [
    tenant,
    id,
    kept.retentionClass,
    kept.dueAt,
    kept.indexSnapshotsDueAt,
    kept.because,
  ])
}

const RETAIN_RUN = `
  update privity.search_runs
  set
    retention_class = $3,
    due_at = greatest(due_at, $4::timestamptz),
    index_snapshots_due_at = greatest(index_snapshots_due_at, $5::timestamptz),
    retained_because =
      case when $6 = any (retained_because) then retained_because else array_append(retained_because, $6) end
  where tenant_id = $1
    and search_run_id = $2`

/** Purges what is due: everything of an ephemeral search except its index snapshots, which are kept longer. */
export async function purgeSearchRuns(send: Send, tenant: string, now: Date): Promise<number> {
  const asked = JSON.stringify({ tenant, now: now.toISOString() })
  const [row] = await send<{ purged: number }>(PURGE, [asked])
  return row?.purged ?? 0
}

const PURGE_BODY = `
declare
  asked_tenant constant text := asked ->> 'tenant';
  asked_now constant timestamptz := asked ->> 'now';
  purged int;
begin
  perform set_config('privity.tenant', asked_tenant, true);
  update privity.search_runs
  set question = null, plan = null, manifest = null, receipt = null, expansions = null
  where tenant_id = asked_tenant
    and receipt is not null
    and retention_class = 'ephemeral_session_lifetime'
    and due_at <= asked_now;
  get diagnostics purged = row_count;
  delete from privity.search_runs
  where tenant_id = asked_tenant
    and retention_class = 'ephemeral_session_lifetime'
    and due_at <= asked_now
    and index_snapshots_due_at <= asked_now;
  return to_json(purged);
end
`

export const PURGE_SEARCH_RUNS_FUNCTION = storedFunction('purge_search_runs', {
  owner: 'privity_writer',
  volatility: 'volatile',
  body: PURGE_BODY,
})

const PURGE = `${UPKEEP}
  select ${PURGE_SEARCH_RUNS_FUNCTION.name}($1::jsonb) as "purged"`
