import {
  type Audience,
  rank,
  SENSITIVITIES,
  type Sensitivity,
  VISIBILITY_CLASSES,
} from '../policy/vocabulary.js'
import type { Access, Credential } from '../runtime/caller.js'

export interface AgentOptions {
  /** The highest sensitivity that a model may see with a person's credential. Default: `medium`, as for records. */
  readonly maxSensitivity?: Sensitivity
}

/** A model that is not known to be local never gets sealed or firewalled text (OV-4). */
const MOST_VISIBLE = 'privileged'

/**
 * Every MCP client is a model. A person's credential becomes that of an agent working for them, with no more trust
 * than the credential has and than models get here. The credential of an agent or a recipient stays as it is (DE-3,
 * PC-2).
 */
export function asAgent(access: Access, { maxSensitivity = 'medium' }: AgentOptions = {}): Access {
  const { credential } = access
  const audience: Audience = credential.audience ?? 'owner'
  if (audience === 'agent' || audience === 'recipient') return access
  const { trust, visibility, ...rest } = credential
  const agent: Credential = {
    ...rest,
    actor: `mcp:${credential.actor}`,
    for: credential.for ?? credential.actor,
    audience: 'agent',
    trust: {
      // People are trusted with their own records, whether or not the credential says so.
      authenticated: true,
      ...trust,
      maxSensitivity: least(SENSITIVITIES, trust?.maxSensitivity, maxSensitivity),
    },
    visibility: { ...visibility, ceiling: least(VISIBILITY_CLASSES, visibility?.ceiling, MOST_VISIBLE) },
  }
  return { ...access, credential: agent }
}

function least<Value extends string>(list: readonly Value[], held: Value | undefined, most: Value): Value {
  return held !== undefined && rank(list, held) < rank(list, most) ? held : most
}
