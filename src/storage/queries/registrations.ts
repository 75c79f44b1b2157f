import type { Capability, CapabilityNamespace } from '../../policy/capability.js'
import type { CapabilityPolicy } from '../../policy/capability-policy.js'
import type { ReasonCode } from '../../policy/reason-codes.js'
import type { Transaction } from '../database.js'

export async function saveNamespace(
  tx: Transaction,
  tenant: string,
  namespace: CapabilityNamespace,
  now: Date,
): Promise<void> {
  await tx.query(SAVE_NAMESPACE, [
    tenant,
    namespace.namespace,
    namespace.description,
    namespace.parentNamespace ?? null,
    namespace.registrationBasis,
    now,
  ])
}

const SAVE_NAMESPACE = `
  insert into privity.capability_namespaces
    (tenant_id, namespace, description, parent_namespace, registration_basis, registered_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing`

/** The limit of a tenant for a class of capacity. */
export interface CapacityRow {
  readonly leaseClass: string
  readonly total: number
  readonly perCredential: number
  readonly seconds: number
}

export async function saveCapacity(tx: Transaction, tenant: string, row: CapacityRow): Promise<void> {
  await tx.query(SAVE_CAPACITY, [tenant, row.leaseClass, row.total, row.perCredential, row.seconds])
}

const SAVE_CAPACITY = `
  insert into privity.capacities (tenant_id, lease_class, total, per_credential, seconds)
  values ($1, $2, $3, $4, $5)
  on conflict (tenant_id, lease_class) do update set
    total = excluded.total,
    per_credential = excluded.per_credential,
    seconds = excluded.seconds`

/** Saves a capability, or its new lifecycle or capacity. The name of who registered it does not change. */
export async function saveCapability(
  tx: Transaction,
  tenant: string,
  capability: Capability,
  now: Date,
): Promise<void> {
  await tx.query(SAVE_CAPABILITY, [
    tenant,
    capability.capabilityId,
    capability.namespace,
    capability.name,
    capability.description,
    capability.lifecycleState,
    capability.registrationBasis,
    JSON.stringify(capability.metadata),
    now,
    capability.registeredByActorRef ?? null,
  ])
}

const SAVE_CAPABILITY = `
  insert into privity.capabilities
    (tenant_id, capability_id, namespace, name, description, lifecycle_state, registration_basis, metadata,
     registered_at, registered_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10)
  on conflict (tenant_id, capability_id) do update set
    lifecycle_state = excluded.lifecycle_state,
    metadata = excluded.metadata`

export async function savePolicy(
  tx: Transaction,
  tenant: string,
  policy: CapabilityPolicy,
  now: Date,
): Promise<void> {
  await tx.query(SAVE_POLICY, [
    tenant,
    policy.policyId,
    policy.mode,
    JSON.stringify(policy.allowedCapabilities),
    JSON.stringify(policy.deniedCapabilities),
    policy.parentRef ?? null,
    now,
  ])
}

const SAVE_POLICY = `
  insert into privity.policies
    (tenant_id, policy_id, mode, allowed_capabilities, denied_capabilities, parent_ref, created_at)
  values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7)
  on conflict (tenant_id, policy_id) do update set
    mode = excluded.mode,
    allowed_capabilities = excluded.allowed_capabilities,
    denied_capabilities = excluded.denied_capabilities,
    parent_ref = excluded.parent_ref`

export async function saveReasonCode(tx: Transaction, tenant: string, reason: ReasonCode): Promise<void> {
  await tx.query(SAVE_REASON_CODE, [tenant, reason.code, reason.description, reason.visibility, reason.owner])
}

const SAVE_REASON_CODE = `
  insert into privity.reason_codes (tenant_id, code, description, visibility, owner)
  values ($1, $2, $3, $4, $5)
  on conflict (tenant_id, code) do update set
    description = excluded.description,
    visibility = excluded.visibility,
    owner = excluded.owner`
