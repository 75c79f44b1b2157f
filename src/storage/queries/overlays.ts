import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'

export interface OverlayRow {
  readonly overlayId: string
  readonly owner: string
  readonly targetKind: string
  readonly targetRef: string
  readonly target: string
  readonly restriction: string
  readonly createdAt: Date
  /** The most that its author could be shown; null counts as the strictest label (NI-10). */
  readonly label: StoredLabel | null
}

export async function insertOverlay(tx: Transaction, tenant: string, overlay: OverlayRow): Promise<void> {
  await tx.query(INSERT_OVERLAY, [
    tenant,
    overlay.overlayId,
    overlay.owner,
    overlay.targetKind,
    overlay.targetRef,
    overlay.target,
    overlay.restriction,
    overlay.createdAt,
    overlay.label === null ? null : JSON.stringify(overlay.label),
  ])
  await tx.query(INSERT_OVERLAID_TARGET, [tenant, overlay.target])
}

const INSERT_OVERLAY = `
  insert into privity.overlays
    (tenant_id, overlay_id, owner, target_kind, target_ref, target, restriction, created_at, label)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb)`

const INSERT_OVERLAID_TARGET = `
  insert into privity.overlaid_targets (tenant_id, target)
  values ($1, $2)
  on conflict do nothing`

/** The overlays on records of these owners. */
export function listOverlays(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
): Promise<OverlayRow[]> {
  return tx.query<OverlayRow>(LIST_OVERLAYS, [tenant, owners])
}

const LIST_OVERLAYS = `
  select
    overlay_id as "overlayId",
    owner,
    target_kind as "targetKind",
    target_ref as "targetRef",
    target,
    restriction,
    created_at as "createdAt",
    label
  from privity.overlays
  where tenant_id = $1
    and owner = any ($2::text[])
  order by created_at, overlay_id`

/** Deletes an overlay of one of these owners and returns the owner. */
export async function deleteOverlay(
  tx: Transaction,
  tenant: string,
  overlayId: string,
  owners: readonly string[],
): Promise<string | undefined> {
  const [row] = await tx.query<{ owner: string }>(DELETE_OVERLAY, [tenant, overlayId, owners])
  return row?.owner
}

const DELETE_OVERLAY = `
  delete from privity.overlays
  where tenant_id = $1
    and overlay_id = $2
    and owner = any ($3::text[])
  returning owner`
