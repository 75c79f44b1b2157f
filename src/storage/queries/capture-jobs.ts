import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

/** Turns that wait for a model. */
export interface NewCaptureJob {
  readonly id: string
  readonly owner: string
  readonly conversation: string
  readonly records: readonly string[]
  /** The credential that they are read with, sealed. */
  readonly sealed: string
  readonly createdAt: Date
  readonly label: StoredLabel
}

export async function insertCaptureJobs(
  tx: Transaction,
  tenant: string,
  jobs: readonly NewCaptureJob[],
): Promise<void> {
  for (const job of jobs)
    await tx.query(INSERT, [
      tenant,
      job.id,
      job.owner,
      job.conversation,
      job.records,
      job.sealed,
      job.createdAt,
      JSON.stringify(job.label),
    ])
}

const INSERT = `
  insert into privity.capture_jobs
    (tenant_id, job_id, owner, conversation, record_ids, sealed, created_at, label)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb)`

/** How far a job got. */
export interface CaptureJobRow {
  readonly id: string
  readonly owner: string
  readonly conversation: string
  readonly records: readonly string[]
  readonly createdAt: Date
  readonly attempts: number
  readonly nextAt: Date
  readonly doneAt: Date | null
  readonly failedAt: Date | null
  readonly failure: string | null
  readonly facts: number | null
  readonly heldBack: number | null
  readonly label: StoredLabel | null
}

export type CaptureJobState = 'waiting' | 'done' | 'failed'

export const captureJobStateOf = ({
  doneAt,
  failedAt,
}: Pick<CaptureJobRow, 'doneAt' | 'failedAt'>): CaptureJobState =>
  doneAt !== null ? 'done' : failedAt !== null ? 'failed' : 'waiting'

const COLUMNS = `
    job_id as "id",
    owner,
    conversation,
    record_ids as "records",
    created_at as "createdAt",
    attempts,
    next_at as "nextAt",
    done_at as "doneAt",
    failed_at as "failedAt",
    failure,
    facts,
    held_back as "heldBack",
    label`

/** Jobs of these owners, newest first. */
export function listCaptureJobs(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  state: CaptureJobState | null,
  before: TimeKey | null,
  limit: number,
): Promise<CaptureJobRow[]> {
  return tx.query(LIST, [tenant, owners, state, before?.createdAt ?? null, before?.id ?? null, limit])
}

const LIST = `
  select ${COLUMNS}
  from privity.capture_jobs
  where tenant_id = $1
    and owner = any ($2::text[])
    and case $3::text
      when 'waiting' then done_at is null and failed_at is null
      when 'done' then done_at is not null
      when 'failed' then failed_at is not null
      else true
    end
    and ($4::timestamptz is null or (created_at, job_id) < ($4, $5::uuid))
  order by created_at desc, job_id desc
  limit $6`

/** A job of these owners, locked. */
export async function lockCaptureJob(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  jobId: string,
): Promise<CaptureJobRow | undefined> {
  const [row] = await tx.query<CaptureJobRow>(LOCK, [tenant, owners, jobId])
  return row
}

const LOCK = `
  select ${COLUMNS}
  from privity.capture_jobs
  where tenant_id = $1
    and owner = any ($2::text[])
    and job_id = $3
  for update`

/** Makes a job that failed due again, now with this credential. */
export async function requeueCaptureJob(
  tx: Transaction,
  tenant: string,
  jobId: string,
  sealed: string,
  label: StoredLabel,
): Promise<void> {
  await tx.query(REQUEUE, [tenant, jobId, sealed, JSON.stringify(label)])
}

const REQUEUE = `
  update privity.capture_jobs
  set
    sealed = $3,
    label = $4::jsonb,
    attempts = 0,
    next_at = clock_timestamp(),
    leased_until = null,
    failed_at = null
  where tenant_id = $1
    and job_id = $2`

/** A job that this process has leased. */
export interface LeasedCaptureJob {
  readonly id: string
  readonly attempt: number
  readonly records: readonly string[]
  readonly sealed: string
}

/** The milliseconds until the next job is due. */
export function loadDueCaptureJobs(
  tx: Transaction,
  tenant: string,
): Promise<{ line: string; dueIn: number }[]> {
  return tx.query(DUE, [tenant])
}

const DUE = `
  select
    '' as "line",
    (extract(epoch from min(greatest(next_at, leased_until)) - clock_timestamp()) * 1000)::float8 as "dueIn"
  from privity.capture_jobs
  where tenant_id = $1
    and sealed is not null
  having count(*) > 0`

/** Leases jobs that are due. If this process dies, another one takes over when the lease ends. */
export function leaseCaptureJobs(
  tx: Transaction,
  tenant: string,
  _line: string,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<LeasedCaptureJob[]> {
  return tx.query<LeasedCaptureJob>(LEASE, [tenant, limit, leaseMs])
}

const LEASE = `
  with due as (
    select job_id
    from privity.capture_jobs
    where tenant_id = $1
      and sealed is not null
      and next_at <= clock_timestamp()
      and (leased_until is null or leased_until <= clock_timestamp())
    order by next_at
    limit $2
    for update skip locked
  )
  update privity.capture_jobs j
  set
    attempts = j.attempts + 1,
    leased_until = clock_timestamp() + $3 * interval '1 millisecond'
  from due
  where j.tenant_id = $1
    and j.job_id = due.job_id
  returning
    j.job_id as "id",
    j.attempts as "attempt",
    j.record_ids as "records",
    j.sealed`

/** Ends a job, and deletes those of this tenant that ended long ago. */
export async function endCaptureJob(
  tx: Transaction,
  tenant: string,
  jobId: string,
  ended: { facts: number; heldBack: number; now: Date; forgetBefore: Date },
): Promise<void> {
  await tx.query(END, [tenant, jobId, ended.now, ended.facts, ended.heldBack])
  await tx.query(DELETE_OLD, [tenant, ended.forgetBefore])
}

const END = `
  update privity.capture_jobs
  set sealed = null, leased_until = null, done_at = $3, failure = null, facts = $4, held_back = $5
  where tenant_id = $1
    and job_id = $2
    and done_at is null`

const DELETE_OLD = `
  delete from privity.capture_jobs
  where tenant_id = $1
    and done_at < $2`

/** Makes a job that failed due again after some milliseconds. */
export async function postponeCaptureJob(
  tx: Transaction,
  tenant: string,
  { id, attempt }: Pick<LeasedCaptureJob, 'id' | 'attempt'>,
  failed: { why: string; retryMs: number; countsAsAttempt: boolean },
): Promise<void> {
  await tx.query(POSTPONE, [tenant, id, attempt, failed.why, failed.retryMs, failed.countsAsAttempt ? 0 : 1])
}

const POSTPONE = `
  update privity.capture_jobs
  set
    next_at = clock_timestamp() + $5 * interval '1 millisecond',
    leased_until = null,
    attempts = attempts - $6::int,
    failure = $4
  where tenant_id = $1
    and job_id = $2
    and attempts = $3
    and sealed is not null`

/** Gives a job up until somebody asks for it again. */
export async function giveUpCaptureJob(
  tx: Transaction,
  tenant: string,
  { id, attempt }: Pick<LeasedCaptureJob, 'id' | 'attempt'>,
  failed: { why: string; now: Date },
): Promise<void> {
  await tx.query(GIVE_UP, [tenant, id, attempt, failed.why, failed.now])
}

const GIVE_UP = `
  update privity.capture_jobs
  set sealed = null, leased_until = null, failed_at = $5, failure = $4
  where tenant_id = $1
    and job_id = $2
    and attempts = $3
    and sealed is not null`

/** How many jobs of a tenant wait or failed, for `privity doctor`. */
export async function countCaptureJobs(
  tx: Transaction,
  tenant: string,
): Promise<{ waiting: number; failed: number }> {
  const [row] = await tx.query<{ waiting: number; failed: number }>(COUNT, [tenant])
  return row ?? { waiting: 0, failed: 0 }
}

const COUNT = `
  select
    count(*) filter (where sealed is not null)::int as "waiting",
    count(*) filter (where failed_at is not null)::int as "failed"
  from privity.capture_jobs
  where tenant_id = $1`
