import { z } from 'zod'
import type { SessionBinding } from '../policy/session-binding.js'

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
