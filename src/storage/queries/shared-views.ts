import type { Transaction } from '../database.js'
import type { TupleRow } from './retuple-records.js'
import { type SharedViewRow, VIEW_COLUMNS } from './running-profile.js'
import type { TimeKey } from './time-key.js'

/** The targets of a document scope. */
export interface ScopeTargets {
  readonly kinds: readonly string[]
  readonly refs: readonly string[]
}

export async function insertView(
  tx: Transaction,
  tenant: string,
  row: SharedViewRow,
  scope: ScopeTargets | null,
): Promise<void> {
  await tx.query(INSERT_VIEW, [
    tenant,
    row.viewId,
    row.owner,
    row.corpus,
    row.name,
    row.ownerSessionRef,
    row.exposedSurfaces,
    row.derivedMemorySharePolicy,
    row.hostAnnotationPolicy,
    row.viewTemporalMode,
    row.snapshotAt,
    JSON.stringify(row.documentScope),
    scope !== null,
    row.visibilityClassCeiling,
    row.disclosesExclusions,
    row.createdAt,
  ])
  if (scope !== null) await tx.query(INSERT_TARGETS, [tenant, row.viewId, scope.kinds, scope.refs])
}

const INSERT_TARGETS = `
  insert into privity.view_targets (tenant_id, view_id, kind, ref)
  select $1, $2, kind, ref
  from unnest($3::text[], $4::text[]) as target (kind, ref)
  on conflict do nothing`

const INSERT_VIEW = `
  insert into privity.shared_views
    (tenant_id, view_id, owner, corpus, name, owner_session, exposed_surfaces, derived_memory_share_policy,
     host_annotation_policy, view_temporal_mode, snapshot_at, document_scope, is_scoped, visibility_class_ceiling,
     discloses_exclusions, created_at)
  values ($1, $2, $3, $4, $5, $6, $7::text[], $8, $9, $10, $11, $12::jsonb, $13, $14, $15, $16)`

/** Views of these owners, all or only some, sorted by id. */
export function findViews(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  ids: readonly string[],
): Promise<SharedViewRow[]> {
  return tx.query(FIND_VIEWS, [tenant, owners, ids])
}

const FIND_VIEWS = `
  select ${VIEW_COLUMNS}
  from privity.shared_views v
  where v.tenant_id = $1
    and v.owner = any ($2::text[])
    and v.view_id = any ($3::uuid[])
  order by v.view_id`

/** Finds views and locks them, because they are about to be shared. */
export function lockViews(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  ids: readonly string[],
): Promise<SharedViewRow[]> {
  return tx.query(LOCK_VIEWS, [tenant, owners, ids])
}
const LOCK_VIEWS = `${FIND_VIEWS}
  for update`

/** Lists views, newest first. */
export function listViews(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  corpus: string | null,
  before: TimeKey | null,
  limit: number,
): Promise<SharedViewRow[]> {
  return tx.query(LIST_VIEWS, [tenant, owners, corpus, before?.createdAt ?? null, before?.id ?? null, limit])
}

const LIST_VIEWS = `
  select ${VIEW_COLUMNS}
  from privity.shared_views v
  where v.tenant_id = $1
    and v.owner = any ($2::text[])
    and ($3::text is null or v.corpus = $3)
    and ($4::timestamptz is null or (v.created_at, v.view_id) < ($4, $5::uuid))
  order by v.created_at desc, v.view_id desc
  limit $6`

/**
 * Marks a view as shared. From then on neither the view nor its number of exclusions changes. Happens only once
 * (CV-4).
 */
export async function shareView(
  tx: Transaction,
  tenant: string,
  view: {
    readonly viewId: string
    readonly snapshotAt: Date | null
    readonly excludedCount: number
    readonly sharedAt: Date
  },
): Promise<void> {
  await tx.query(SHARE_VIEW, [tenant, view.viewId, view.snapshotAt, view.excludedCount, view.sharedAt])
}

const SHARE_VIEW = `
  update privity.shared_views
  set snapshot_at = $3, excluded_count = $4, shared_at = $5
  where tenant_id = $1
    and view_id = $2
    and shared_at is null`

/** Deletes a view that was never shared and that no profile uses; returns false if there is none. */
export async function deleteView(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  viewId: string,
): Promise<boolean> {
  return (await tx.query(DELETE_VIEW, [tenant, owners, viewId])).length > 0
}

const DELETE_VIEW = `
  delete from privity.shared_views v
  where v.tenant_id = $1
    and v.owner = any ($2::text[])
    and v.view_id = $3
    and v.shared_at is null
    and not exists (
      select 1
      from privity.profile_views pv
      where pv.tenant_id = v.tenant_id
        and pv.view_id = v.view_id)
  returning v.view_id`

export async function insertScopedTargets(
  tx: Transaction,
  tenant: string,
  targets: readonly string[],
): Promise<void> {
  await tx.query(INSERT_SCOPED, [tenant, targets])
}

const INSERT_SCOPED = `
  insert into privity.scoped_targets (tenant_id, target)
  select $1, target
  from unnest($2::text[]) as target
  on conflict do nothing`

/** A record in a scope, with the fields by which a scope can name it. */
export interface ScopedRow extends TupleRow {
  readonly filingUnit: string | null
  readonly version: string | null
  readonly part: string | null
  readonly document: string | null
  readonly segment: string | null
}

/** The records of an owner's corpus that are in a scope, locked. */
export function lockInScope(
  tx: Transaction,
  tenant: string,
  owner: string,
  corpus: string,
  { kinds, refs }: ScopeTargets,
): Promise<ScopedRow[]> {
  const of = (kind: string) => refs.filter((_, at) => kinds[at] === kind)
  const byKind = ['document', 'version', 'filing_unit', 'part', 'segment'].map(of)
  return tx.query(LOCK_IN_SCOPE, [tenant, owner, corpus, ...byKind])
}

const LOCK_IN_SCOPE = `
  select
    r.record_id as "id",
    c.tuple,
    r.participants as "participantIds",
    r.targets,
    r.filing_unit as "filingUnit",
    r.version,
    r.part,
    r.document,
    r.segment
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.owner = $2
    and r.corpus = $3
    and (
      r.document = any ($4::text[])
      or r.record_id::text = any ($4::text[])
      or r.version = any ($5::text[])
      or r.filing_unit = any ($6::text[])
      or r.part = any ($7::text[])
      or r.segment = any ($8::text[]))
  order by r.record_id
  for update of r`
