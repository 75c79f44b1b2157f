import { corpusKey, type PolicyTuple } from './tuple.js'
import type { Audience } from './vocabulary.js'

/** How far the caller is trusted, after its claim was limited to what it holds (TR-2, TR-4). */
export interface Trust {
  readonly maxSensitivity: string
  readonly scopes: 'all' | ReadonlySet<string>
  /** Recorded, but never used by a gate. */
  readonly authenticated: boolean
}

export interface PersonFacts {
  readonly consent: string
  /** The actor that this person is, if known. */
  readonly actor: string | null
}

/** A mediation session in which the caller takes part. */
export interface SessionFacts {
  readonly participants: ReadonlySet<string>
  readonly relationship: string
}

/** The caller's state in a mediation, which selects the retrieval contract (RC-8). */
export interface ContractFacts {
  /** Whether records are retrieved for a model or browsed by a participant. */
  readonly purpose: 'turn' | 'browse'
  readonly session: string
  readonly relationship: string
  readonly stage: number
  /** The lowest stage of all participants. Shared types require at least 2. */
  readonly leastStage: number
  readonly active: boolean
}

export interface ConsentFacts {
  readonly decision: string
  readonly revoked: boolean
  readonly active: boolean
}

/** The effective view of one corpus for a recipient: the meet of all its views (SV-2). */
export interface EffectiveView {
  readonly surfaces: ReadonlySet<string>
  readonly derivedMemorySharePolicy: string
  /** Whether one of the views includes only memories with provenance, which a stricter policy of another does not lift. */
  readonly asksProvenance: boolean
  readonly hostAnnotationPolicy: string
  readonly visibilityClassCeiling: string
  readonly temporalMode: string
  /** The earliest snapshot of the views; later records are not shown. Null only if every view is live. */
  readonly snapshotAt: number | null
  /**
   * The latest snapshot, if all views are snapshots; records that were replaced later are still shown. Null if one is
   * live.
   */
  readonly stoodAt: number | null
  /** Sets of target keys, one for each view that is limited to some documents. A record must match every set. */
  readonly scopes: readonly ReadonlySet<string>[]
}

/** Facts are only looked up by key, because they may be stored in several layers. */
export interface Lookup<Value> {
  get(key: string): Value | undefined
}

/**
 * A caller and every fact that a gate may need, read in one snapshot. It is immutable; gates add nothing to it. A
 * missing fact denies (DE-2).
 */
export interface Subject {
  readonly tenant: string
  readonly actor: string
  /** The owner of the memory that is read: the actor, or the person for whom an agent works. */
  readonly actingFor: string
  readonly audience: Audience
  /** `actingFor`, with its groups and roles. */
  readonly principals: ReadonlySet<string>
  readonly trust: Trust | null
  readonly respectConsent: boolean
  /** The people, by person key. */
  readonly people: Lookup<PersonFacts>
  readonly sessions: ReadonlyMap<string, SessionFacts>
  readonly contract: ContractFacts | null
  readonly consents: Lookup<ConsentFacts>
  readonly visibility: { readonly ceiling: string; readonly floor: string | null } | null
  /** The effective views, by corpus key. Null for a caller whom no view binds. */
  readonly views: ReadonlyMap<string, EffectiveView> | null
  /** The restrictions, by target key. */
  readonly overlays: Lookup<readonly string[]>
  /** The target keys that an explicit grant opens to one of the principals. */
  readonly grants: { has(target: string): boolean }
  readonly now: number
}

/** Participants' consent is required for every audience that is not plainly the owner or host (PC-2). */
export function isAgentAudience(audience: string): boolean {
  return audience !== 'owner' && audience !== 'host'
}

/** Whether the audience is a recipient. An unknown audience counts as one (DE-2). */
export function isRecipient(audience: string): boolean {
  return isAgentAudience(audience) && audience !== 'agent'
}

/**
 * Views bind recipients and everyone else who has some, such as an agent that inherits only part of what its host
 * sees.
 */
export function isBoundByViews({ audience, views }: Pick<Subject, 'audience' | 'views'>): boolean {
  return isRecipient(audience) || views !== null
}

/** The effective view of the corpus of a record. */
export function viewOf(
  { views }: Pick<Subject, 'views'>,
  { owner, corpus }: Pick<PolicyTuple, 'owner' | 'corpus'>,
): EffectiveView | undefined {
  return corpus === null ? undefined : views?.get(corpusKey(owner, corpus))
}
