import { z } from 'zod'
import {
  AUTH_INHERITANCE_POLICIES,
  CHILD_SPAWN_CONSTRAINTS,
  CONTEXT_INHERITANCE_POLICIES,
  type SessionBinding,
  TRANSCRIPT_VISIBILITY_POLICIES,
} from '../policy/session-binding.js'
import { name } from '../runtime/input.js'

const count = z.int().min(0).max(1_000)

/** What a session is to have less of than it would by its kind, or inherit. */
export const narrowing = {
  forkForbidden: z.boolean().optional(),
  maxSpawnDepth: count.optional(),
  maxChildrenPerAgent: count.optional(),
  contextInheritancePolicy: z.enum(CONTEXT_INHERITANCE_POLICIES).optional(),
  authInheritancePolicy: z.enum(AUTH_INHERITANCE_POLICIES).optional(),
  transcriptVisibilityPolicy: z.enum(TRANSCRIPT_VISIBILITY_POLICIES).optional(),
  childSpawnConstraint: z.enum(CHILD_SPAWN_CONSTRAINTS).optional(),
  childSpawnAllowList: z.array(name).max(100).optional(),
}

/** A binding as whoever keeps it reads it (SP-6). */
export const sessionBinding = z.object({
  bindingId: z.string(),
  ecSessionId: z.string(),
  openclawNativeSessionId: z.string(),
  bindingKind: z.string(),
  inheritedCapabilityPolicyRef: z.string(),
  inheritedShareTokenPolicyRef: z.string().nullable(),
  inheritedVisibilityConstraints: z.array(z.string()),
  forkForbidden: z.boolean(),
  maxSpawnDepth: z.int(),
  maxChildrenPerAgent: z.int(),
  contextInheritancePolicy: z.string(),
  authInheritancePolicy: z.string(),
  transcriptVisibilityPolicy: z.string(),
  watermarkPolicy: z
    .object({ appliesTo: z.string(), watermarkKind: z.string(), watermarkVisibility: z.string() })
    .nullable(),
  childSpawnConstraint: z.string(),
  childSpawnAllowList: z.array(z.string()).nullable(),
  childrenCount: z.int(),
  parentRef: z.string().nullable(),
  schemaVersion: z.literal(1),
})

export function viewBinding(binding: SessionBinding): z.input<typeof sessionBinding> {
  return {
    ...binding,
    inheritedVisibilityConstraints: [...binding.inheritedVisibilityConstraints],
    childSpawnAllowList: binding.childSpawnAllowList === null ? null : [...binding.childSpawnAllowList],
    schemaVersion: 1,
  }
}
