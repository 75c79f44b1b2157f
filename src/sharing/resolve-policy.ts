import type { z } from 'zod'
import type { ReadRequest } from '../runtime/request.js'
import { listSessionPolicies } from '../storage/queries/profiles.js'
import { SESSION_POLICIES, type SessionPolicyKind } from './session-policies.js'

/** The typed policy that a profile refers to, among those of its owner; undefined where the reference leads nowhere. */
export async function resolvePolicy<Kind extends SessionPolicyKind>(
  request: ReadRequest,
  owner: string,
  kind: Kind,
  ref: string,
): Promise<z.output<(typeof SESSION_POLICIES)[Kind]> | undefined> {
  const policies = await listSessionPolicies(request.tx, request.tenant, owner)
  const found = policies.find(policy => policy.kind === kind && policy.policyId === ref)
  const read = SESSION_POLICIES[kind].safeParse(found?.policy)
  return read.success ? (read.data as z.output<(typeof SESSION_POLICIES)[Kind]>) : undefined
}
