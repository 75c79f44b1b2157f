import { corpusKey, type PolicyTuple } from './tuple.js'
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
  readonly temporalMode: string
  /** The earliest snapshot of the views: what came later is not shown. Null only where every view is live. */
  readonly snapshotAt: number | null
  /** The latest, where all of them are snapshots: what was replaced later is still shown. Null where one is live. */
  readonly stoodAt: number | null
  /** Target keys, one set for each view that is limited to some documents: a record must be in every one. */
  readonly scopes: readonly ReadonlySet<string>[]
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
  /** By corpus key. Null for everyone whom none binds. */
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

/** Recipients, and whoever is of no known audience counts as one (DE-2). */
export function isRecipient(audience: string): boolean {
  return isAgentAudience(audience) && audience !== 'agent'
}

/** Views bind recipients, and whoever else is given some: an agent that inherits only part of what its host sees. */
export function isBoundByViews({ audience, views }: Pick<Subject, 'audience' | 'views'>): boolean {
  return isRecipient(audience) || views !== null
}

/** The view of the corpus that a record lies in. */
export function viewOf(
  { views }: Pick<Subject, 'views'>,
  { owner, corpus }: Pick<PolicyTuple, 'owner' | 'corpus'>,
): EffectiveView | undefined {
  return corpus === null ? undefined : views?.get(corpusKey(owner, corpus))
}
