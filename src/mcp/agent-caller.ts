import {
  type Audience,
  rank,
  SENSITIVITIES,
  type Sensitivity,
  VISIBILITY_CLASSES,
} from '../policy/vocabulary.js'
import type { Access, Credential } from '../runtime/caller.js'

export interface AgentOptions {
  /** What a model is trusted with that comes with the credential of a person; `medium` at first, as records are. */
  readonly maxSensitivity?: Sensitivity
}

/** Sealed and firewalled text is for no model that is not known to be local (OV-4). */
const MOST_VISIBLE = 'privileged'

/**
 * Whoever comes through MCP is a model. The credential of a person becomes that of an agent who works for them, with no
 * more trust than the credential has and than models are given here. An agent or a recipient stays what it is (DE-3, PC-2).
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
      // People are trusted with what is theirs, whether they say so or not.
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
