import type { Transaction } from '../database.js'

/** A signal that is added to a sum. */
export interface Signal {
  readonly kind: string
  readonly record: string | null
  readonly dwellMs: number
}

/** Adds a signal to its profile. A signal about a deleted record is dropped. */
export async function addProfileSignal(
  tx: Transaction,
  tenant: string,
  profile: string,
  { kind, record, dwellMs }: Signal,
): Promise<void> {
  await tx.query(ADD_PROFILE_SIGNAL, [tenant, profile, kind, record, dwellMs])
}

const ADD_PROFILE_SIGNAL = `
  insert into privity.session_signals as s (tenant_id, profile_id, kind, record_id, times, dwell_ms)
  select $1, $2::uuid, $3, $4::uuid, 1, $5::bigint
  where $4::uuid is null
    or exists (
      select 1
      from privity.records r
      where r.tenant_id = $1
        and r.record_id = $4
      for key share)
  on conflict (tenant_id, profile_id, kind, record_id) do update set
    times = s.times + 1,
    dwell_ms = s.dwell_ms + excluded.dwell_ms`

/** Deletes the signals of profiles that have ended, whether or not a job has recorded that. */
export async function deleteEndedProfileSignals(tx: Transaction, tenant: string, now: Date): Promise<void> {
  await tx.query(DELETE_ENDED, [tenant, now])
}

// Rows that another request is changing are skipped and left for the next call.
const DELETE_ENDED = `
  delete from privity.session_signals
  where tenant_id = $1
    and ctid in (
      select s.ctid
      from privity.session_signals s
      join privity.profiles p using (tenant_id, profile_id)
      where s.tenant_id = $1
        and (p.state in ('expired', 'revoked') or p.expires_at <= $2 or p.ends_at <= $2
          or (p.state = 'active' and p.idle_at <= $2))
      for update of s skip locked)`

/** Whether a host has accepted the signals of a corpus or still has to decide. */
export type SignalState = 'pending' | 'accepted'

export interface CorpusSignals {
  readonly owner: string
  /** Null for signals that belong to no corpus. */
  readonly corpus: string | null
  readonly kind: string
  readonly count: number
  readonly dwellMs: number
}

export async function addCorpusSignal(
  tx: Transaction,
  tenant: string,
  of: { readonly owner: string; readonly corpus: string | null; readonly standing: SignalState },
  { kind, dwellMs }: Signal,
): Promise<void> {
  await tx.query(ADD_CORPUS_SIGNAL, [tenant, of.owner, of.standing, of.corpus ?? '', kind, dwellMs])
}

const ADD_CORPUS_SIGNAL = `
  insert into privity.corpus_signals as s (tenant_id, owner, standing, corpus, kind, times, dwell_ms)
  values ($1, $2, $3, $4, $5, 1, $6)
  on conflict (tenant_id, owner, standing, corpus, kind) do update set
    times = s.times + 1,
    dwell_ms = s.dwell_ms + excluded.dwell_ms`

export function listCorpusSignals(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  standing: SignalState,
): Promise<CorpusSignals[]> {
  return tx.query(LIST_CORPUS_SIGNALS, [tenant, owners, standing])
}

const LIST_CORPUS_SIGNALS = `
  select owner, nullif(corpus, '') as "corpus", kind, times::float8 as "count", dwell_ms::float8 as "dwellMs"
  from privity.corpus_signals
  where tenant_id = $1
    and owner = any ($2::text[])
    and standing = $3
  order by owner, corpus, kind`

/** Accepts or rejects the pending signals of a corpus: they count from now on, or are deleted. */
export async function reviewCorpusSignals(
  tx: Transaction,
  tenant: string,
  { owner, corpus }: { readonly owner: string; readonly corpus: string | null },
  accepted: boolean,
): Promise<void> {
  await tx.query(accepted ? ACCEPT : REJECT, [tenant, owner, corpus ?? ''])
}

const REJECT = `
  delete from privity.corpus_signals
  where tenant_id = $1
    and owner = $2
    and standing = 'pending'
    and corpus = $3
  returning kind, times, dwell_ms`

const ACCEPT = `
  with taken as (${REJECT})
  insert into privity.corpus_signals as s (tenant_id, owner, standing, corpus, kind, times, dwell_ms)
  select $1, $2, 'accepted', $3, kind, times, dwell_ms
  from taken
  on conflict (tenant_id, owner, standing, corpus, kind) do update set
    times = s.times + excluded.times,
    dwell_ms = s.dwell_ms + excluded.dwell_ms`

export interface RecordSignals {
  readonly owner: string
  readonly record: string
  readonly kind: string
  readonly count: number
  readonly dwellMs: number
}

/** Adds a signal to a host's sum for a record; does nothing if the record is deleted. */
export async function addRecordSignal(
  tx: Transaction,
  tenant: string,
  owner: string,
  { kind, record, dwellMs }: Signal & { readonly record: string },
): Promise<void> {
  await tx.query(ADD_RECORD_SIGNAL, [tenant, owner, record, kind, dwellMs])
}

const ADD_RECORD_SIGNAL = `
  insert into privity.record_signals as s (tenant_id, owner, record_id, kind, times, dwell_ms)
  select $1, $2, r.record_id, $4, 1, $5::bigint
  from privity.records r
  where r.tenant_id = $1
    and r.record_id = $3
  for key share
  on conflict (tenant_id, owner, record_id, kind) do update set
    times = s.times + 1,
    dwell_ms = s.dwell_ms + excluded.dwell_ms`

export type RecordSignalsKey = Pick<RecordSignals, 'record' | 'kind' | 'owner'>

/** Lists the signals of records that row-level security shows. The gates decide again afterwards. */
export function listRecordSignals(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  after: RecordSignalsKey | null,
  limit: number,
): Promise<RecordSignals[]> {
  return tx.query(LIST_RECORD_SIGNALS, [
    tenant,
    owners,
    after?.record ?? null,
    after?.kind ?? null,
    after?.owner ?? null,
    limit,
  ])
}

const LIST_RECORD_SIGNALS = `
  select
    s.owner,
    s.record_id as "record",
    s.kind,
    s.times::float8 as "count",
    s.dwell_ms::float8 as "dwellMs"
  from privity.record_signals s
  join privity.records r using (tenant_id, record_id)
  where s.tenant_id = $1
    and s.owner = any ($2::text[])
    and ($3::uuid is null or (s.record_id, s.kind, s.owner) > ($3, $4, $5))
  order by s.record_id, s.kind, s.owner
  limit $6`
