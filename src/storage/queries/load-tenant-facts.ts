import type { Capability, CapabilityNamespace } from '../../policy/capability.js'
import type { CapabilityPolicy } from '../../policy/capability-policy.js'
import type { ReasonCode } from '../../policy/reason-codes.js'
import { storedFunction, withParams } from '../stored-function.js'
import { KEPT_BY_GENERATION } from './kept-by-generation.js'
import type { Send } from './read.js'
import type { CapacityRow } from './registrations.js'

export interface TenantFactsRow {
  /** The generation of these registrations; null if there never were any. */
  readonly generation: string | null
  readonly namespaces: readonly CapabilityNamespace[]
  readonly capabilities: readonly Capability[]
  readonly policies: readonly CapabilityPolicy[]
  readonly reasonCodes: readonly ReasonCode[]
  readonly capacities: readonly CapacityRow[]
  /** What is done about what texts say (WR-6); null for the default. */
  readonly labelPolicy: unknown
}

/** The registrations of the tenant: capabilities, policies and reason codes. */
export async function loadTenantFacts(send: Send, tenant: string): Promise<TenantFactsRow> {
  const [row] = await send<{ facts: TenantFactsRow }>(LOAD_FACTS, [JSON.stringify({ tenant })])
  if (row === undefined) throw new Error('a function returned nothing')
  return row.facts
}

// A built-in entry has a row only after it was changed, so the time of the row is not when it was registered.
const TENANT_FACTS = `
  select
    (select t.label_policy from privity.tenants t where t.tenant_id = $1) as "labelPolicy",
    (select g.generation
     from privity.generations g
     where g.tenant_id = $1
       and g.owner = '') as "generation",
    coalesce(
      (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
         'namespace', n.namespace,
         'description', n.description,
         'parentNamespace', n.parent_namespace,
         'registrationBasis', n.registration_basis)) order by n.namespace)
       from privity.capability_namespaces n
       where n.tenant_id = $1),
      '[]'
    ) as "namespaces",
    coalesce(
      (select jsonb_agg(jsonb_build_object(
         'capabilityId', c.capability_id,
         'namespace', c.namespace,
         'name', c.name,
         'description', c.description,
         'lifecycleState', c.lifecycle_state,
         'registrationBasis', c.registration_basis,
         'metadata', c.metadata,
         'registeredAt', case when c.registration_basis <> 'v1_6_native_capability' then c.registered_at end,
         'registeredByActorRef', c.registered_by) order by c.capability_id)
       from privity.capabilities c
       where c.tenant_id = $1),
      '[]'
    ) as "capabilities",
    coalesce(
      (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
         'policyId', p.policy_id,
         'mode', p.mode,
         'allowedCapabilities', p.allowed_capabilities,
         'deniedCapabilities', p.denied_capabilities,
         'parentRef', p.parent_ref)) order by p.policy_id)
       from privity.policies p
       where p.tenant_id = $1),
      '[]'
    ) as "policies",
    coalesce(
      (select jsonb_agg(jsonb_build_object(
         'code', r.code,
         'description', r.description,
         'visibility', r.visibility,
         'owner', r.owner) order by r.code)
       from privity.reason_codes r
       where r.tenant_id = $1),
      '[]'
    ) as "reasonCodes",
    coalesce(
      (select jsonb_agg(jsonb_build_object(
         'leaseClass', c.lease_class,
         'total', c.total,
         'perCredential', c.per_credential,
         'seconds', c.seconds) order by c.lease_class)
       from privity.capacities c
       where c.tenant_id = $1),
      '[]'
    ) as "capacities"`

const TENANT_FACTS_BODY = `
begin
  perform set_config('privity.tenant', asked ->> 'tenant', true);
  return (select row_to_json(item) from (${withParams(TENANT_FACTS, `(asked ->> 'tenant')`)}) item);
end
`

export const TENANT_FACTS_FUNCTION = storedFunction('tenant_facts', {
  owner: 'privity_app',
  volatility: 'stable',
  body: TENANT_FACTS_BODY,
})

const LOAD_FACTS = `${KEPT_BY_GENERATION}
  select ${TENANT_FACTS_FUNCTION.name}($1::jsonb) as "facts"`
