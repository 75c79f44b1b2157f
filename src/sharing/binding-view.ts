import { z } from 'zod'
import {
  AUTH_INHERITANCE_POLICIES,
  CHILD_SPAWN_CONSTRAINTS,
  CONTEXT_INHERITANCE_POLICIES,
  type ProfileBinding,
  TRANSCRIPT_VISIBILITY_POLICIES,
} from '../policy/profile-binding.js'
import { describedAs, schemaVersion } from '../runtime/fields.js'
import { name } from '../runtime/input.js'

const count = z.int().min(0).max(1_000)

/** Settings that give a profile less than its kind has by default, or than it would inherit. */
export const narrowingFields = {
  forkForbidden: z
    .boolean()
    .optional()
    .meta({ description: 'Whether it can start nothing itself.', example: true }),
  maxSpawnDepth: count
    .optional()
    .meta({ description: 'How deep its own sub-agents may be nested.', example: 1 }),
  maxChildrenPerAgent: count.optional().meta({ description: 'Most sub-agents at a time.', example: 2 }),
  contextInheritancePolicy: z
    .enum(CONTEXT_INHERITANCE_POLICIES)
    .optional()
    .meta({ description: 'What it inherits of the context it is started in.', example: 'scoped_inherit' }),
  authInheritancePolicy: z
    .enum(AUTH_INHERITANCE_POLICIES)
    .optional()
    .meta({ description: 'How it proves who it is. With none it gets no key.', example: 'session_only' }),
  transcriptVisibilityPolicy: z
    .enum(TRANSCRIPT_VISIBILITY_POLICIES)
    .optional()
    .meta({ description: "Whether it sees its host's transcript.", example: 'host_only' }),
  childSpawnConstraint: z
    .enum(CHILD_SPAWN_CONSTRAINTS)
    .optional()
    .meta({ description: 'Which sub-agents it may start.', example: 'deny_external' }),
  childSpawnAllowList: z
    .array(name)
    .max(100)
    .optional()
    .meta({ description: 'The names of those it may start, with `explicit_allow_list`.', example: ['ocr'] }),
}

// SP-6
export const bindingView = z
  .object({
    bindingId: z.string().meta({ description: 'The id of the binding.' }),
    ecSessionId: z.string().meta({ description: 'The profile it binds, by its id.' }),
    openclawNativeSessionId: z.string().meta({ description: 'What the agent runtime calls the session.' }),
    bindingKind: z.string().meta({ description: 'What sort of session it is bound as.' }),
    inheritedCapabilityPolicyRef: z.string().meta({ description: 'The capability policy it inherits.' }),
    inheritedShareTokenPolicyRef: z
      .string()
      .nullable()
      .meta({ description: 'The share link it inherits, by its id; null if none.' }),
    inheritedVisibilityConstraints: z
      .array(z.string())
      .meta({ description: 'The visibility limits it inherits.' }),
    forkForbidden: describedAs(narrowingFields.forkForbidden, z.boolean()),
    maxSpawnDepth: describedAs(narrowingFields.maxSpawnDepth, z.int()),
    maxChildrenPerAgent: describedAs(narrowingFields.maxChildrenPerAgent, z.int()),
    contextInheritancePolicy: describedAs(narrowingFields.contextInheritancePolicy, z.string()),
    authInheritancePolicy: describedAs(narrowingFields.authInheritancePolicy, z.string()),
    transcriptVisibilityPolicy: describedAs(narrowingFields.transcriptVisibilityPolicy, z.string()),
    watermarkPolicy: z
      .object({
        appliesTo: z.string().meta({ description: 'What is marked.' }),
        watermarkKind: z.string().meta({ description: 'What sort of mark it is.' }),
        watermarkVisibility: z.string().meta({ description: 'Who can see the mark.' }),
      })
      .nullable()
      .meta({ description: 'How copies are marked; null if they are not.' }),
    childSpawnConstraint: describedAs(narrowingFields.childSpawnConstraint, z.string()),
    childSpawnAllowList: describedAs(narrowingFields.childSpawnAllowList, z.array(z.string()).nullable()),
    childrenCount: z.int().meta({ description: 'Number of sub-agents it has now.' }),
    parentRef: z.string().nullable().meta({ description: 'The binding above it, by its id; null if none.' }),
    schemaVersion,
  })
  .meta({ id: 'SessionBinding', description: 'What the agents of a session may start and inherit.' })

export function viewBinding(binding: ProfileBinding): z.input<typeof bindingView> {
  return {
    ...binding,
    inheritedVisibilityConstraints: [...binding.inheritedVisibilityConstraints],
    childSpawnAllowList: binding.childSpawnAllowList === null ? null : [...binding.childSpawnAllowList],
    schemaVersion: 1,
  }
}
