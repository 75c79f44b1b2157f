import {
  type Audience,
  rank,
  SENSITIVITIES,
  type Sensitivity,
  VISIBILITY_CLASSES,
} from '../policy/vocabulary.js'
import type { Access, Credential } from './caller.js'

export interface AgentOptions {
  /** The highest sensitivity that a model may see with a person's credential. Default: `medium`, as for records. */
  readonly maxSensitivity?: Sensitivity
}

/** A model that is not known to be local never gets sealed or firewalled text (OV-4). */
const MOST_VISIBLE = 'privileged'

/** The name of the agent that a model is when it comes with a person's credential. */
export const agentNameOf = (actor: string): string => `mcp:${actor}`

/**
 * Every MCP client is a model, and so is whoever asks through an adapter. A person's credential becomes that of an
 * agent working for them, with no more trust than the credential has and than models get here. The credential of an
 * agent or a recipient stays as it is (DE-3, PC-2).
 */
export function agentCredential(
  credential: Credential,
  { maxSensitivity = 'medium' }: AgentOptions = {},
): Credential {
  const audience: Audience = credential.audience ?? 'owner'
  if (audience === 'agent' || audience === 'recipient') return credential
  const { trust, visibility, ...rest } = credential
  return {
    ...rest,
    actor: agentNameOf(credential.actor),
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
}

/** The same for what a door was shown. */
export const asAgent = (access: Access, options: AgentOptions = {}): Access => ({
  ...access,
  credential: agentCredential(access.credential, options),
})

function least<Value extends string>(list: readonly Value[], held: Value | undefined, most: Value): Value {
  return held !== undefined && rank(list, held) < rank(list, most) ? held : most
}
