import type { Audience } from './vocabulary.js'

/** How far this caller is trusted, after its claim was clamped to what it holds (TR-2, TR-4). */
export interface Trust {
  readonly maxSensitivity: string
  readonly scopes: 'all' | ReadonlySet<string>
  /** Recorded, never a gate. */
  readonly authenticated: boolean
}

export interface PersonFacts {
  readonly consent: string
  /** The actor this person is, where known. */
  readonly actor: string | null
}

/** A mediation session that the caller takes part in. */
export interface SessionFacts {
  readonly participants: ReadonlySet<string>
  readonly relationship: string
}

/** The caller's place in a mediation process: picks the retrieval contract (RC-8). */
export interface ContractFacts {
  /** What is read, and for whom: retrieved for a model, or looked at by a participant. */
  readonly purpose: 'turn' | 'browse'
  readonly session: string
  readonly relationship: string
  readonly stage: number
  /** The least stage of all participants: shared types need at least 2. */
  readonly leastStage: number
  readonly active: boolean
}

export interface ConsentFacts {
  readonly decision: string
  readonly revoked: boolean
  readonly active: boolean
}

/** One corpus as a recipient may see it, several views already met into one (SV-2). */
export interface EffectiveView {
  readonly surfaces: ReadonlySet<string>
  readonly derivedMemorySharePolicy: string
  readonly hostAnnotationPolicy: string
  readonly visibilityClassCeiling: string
  readonly snapshotAt: number | null
}

/** Facts are only ever asked for by key: they may lie in several layers behind it. */
export interface Lookup<Value> {
  get(key: string): Value | undefined
}

/**
 * A caller and every fact a gate may ask for, read in one snapshot. Immutable; gates add nothing to it.
 * A fact that is absent denies (DE-2).
 */
export interface Subject {
  readonly tenant: string
  readonly actor: string
  /** Whose memory is read: the actor, or the person an agent works for. */
  readonly actingFor: string
  readonly audience: Audience
  /** `actingFor` with its groups and roles. */
  readonly principals: ReadonlySet<string>
  readonly trust: Trust | null
  readonly respectConsent: boolean
  /** By person key. */
  readonly people: Lookup<PersonFacts>
  readonly sessions: ReadonlyMap<string, SessionFacts>
  readonly contract: ContractFacts | null
  readonly consents: Lookup<ConsentFacts>
  readonly visibility: { readonly ceiling: string; readonly floor: string | null } | null
  /** By corpus key. Null for everyone who is not a recipient. */
  readonly views: ReadonlyMap<string, EffectiveView> | null
  /** Restrictions by target key. */
  readonly overlays: Lookup<readonly string[]>
  /** Target keys that an explicit grant opens for one of the principals. */
  readonly grants: { has(target: string): boolean }
  readonly now: number
}

/** PC-2: consent is asked of people for everyone who is not plainly the owner. */
export function isAgentAudience(audience: string): boolean {
  return audience !== 'owner' && audience !== 'host'
}

/** Views bind recipients, and whoever is of no known audience counts as one (DE-2). */
export function isRecipient(audience: string): boolean {
  return isAgentAudience(audience) && audience !== 'agent'
}
