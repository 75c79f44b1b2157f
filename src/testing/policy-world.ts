import type {
  ConsentFacts,
  ContractFacts,
  EffectiveView,
  PersonFacts,
  SessionFacts,
  Subject,
  Trust,
} from '../policy/subject.js'
import { type PolicyTuple, personKey, type RecordTimes, sortedSet } from '../policy/tuple.js'

/** What a store holds about one tenant, as far as a gate may need it. */
export interface WorldFacts {
  readonly tenant: string
  readonly people: readonly (PersonFacts & { readonly id: string; readonly owner: string })[]
  readonly memberships: readonly { readonly group: string; readonly member: string; readonly role: string }[]
  readonly sessions: readonly {
    readonly id: string
    readonly relationship: string
    readonly participants: readonly { readonly actor: string; readonly stage: number }[]
  }[]
  readonly consents: readonly (ConsentFacts & { readonly id: string })[]
  /** Targets that had an overlay before but have none now. */
  readonly overlaidBefore: readonly string[]
  readonly overlays: readonly { readonly target: string; readonly restriction: string }[]
  readonly grants: readonly { readonly target: string; readonly grantee: string }[]
}

export interface WorldRecord {
  readonly id: string
  /** Every target by which an overlay could reach this record. */
  readonly targets: readonly string[]
  readonly fields: Omit<PolicyTuple, 'overlayTargets'>
  readonly times: RecordTimes
}

/** A caller as defined by its credential and request; everything else about it is a fact. */
export interface WorldCaller {
  readonly tenant: string
  readonly actor: string
  readonly actingFor: string
  readonly audience: string
  readonly trust: Trust | null
  readonly respectConsent: boolean
  readonly visibility: Subject['visibility']
  /** The mediation session of the request, if any. */
  readonly mediation: {
    readonly session: string
    readonly active: boolean
    readonly purpose: ContractFacts['purpose']
  } | null
  readonly views: ReadonlyMap<string, EffectiveView> | null
  readonly now: number
}

export interface PolicyWorld {
  readonly facts: WorldFacts
  readonly records: readonly WorldRecord[]
  readonly callers: readonly WorldCaller[]
}

/** The tuple of a record under these facts. */
export function tupleOf(facts: WorldFacts, { fields, targets }: WorldRecord): PolicyTuple {
  const overlaid = new Set([...facts.overlaidBefore, ...facts.overlays.map(({ target }) => target)])
  return { ...fields, overlayTargets: sortedSet(targets.filter(target => overlaid.has(target))) }
}

/** The subject that a caller becomes under these facts. Facts of one tenant do not apply to another. */
export function subjectOf(facts: WorldFacts, caller: WorldCaller): Subject {
  const own = caller.tenant === facts.tenant ? facts : noFacts(caller.tenant)
  const principals = principalsOf(own, caller.actingFor)
  const overlays = new Map<string, string[]>()
  for (const { target, restriction } of own.overlays)
    overlays.set(target, [...(overlays.get(target) ?? []), restriction])
  const granted = own.grants.filter(({ grantee }) => principals.has(grantee))
  return {
    tenant: caller.tenant,
    actor: caller.actor,
    actingFor: caller.actingFor,
    // Generated callers may have an audience that this build does not know.
    audience: caller.audience as Subject['audience'],
    principals,
    trust: caller.trust,
    respectConsent: caller.respectConsent,
    people: new Map(own.people.map(({ id, owner, ...person }) => [personKey(owner, id), person])),
    sessions: sessionsOf(own, caller.actingFor),
    contract: contractOf(own, caller),
    consents: new Map(own.consents.map(({ id, ...consent }) => [id, consent])),
    visibility: caller.visibility,
    views: caller.views,
    overlays,
    grants: new Set(granted.map(({ target }) => target)),
    now: caller.now,
  }
}

function noFacts(tenant: string): WorldFacts {
  return {
    tenant,
    people: [],
    memberships: [],
    sessions: [],
    consents: [],
    overlaidBefore: [],
    overlays: [],
    grants: [],
  }
}

function principalsOf({ memberships }: WorldFacts, actor: string): ReadonlySet<string> {
  const held = memberships.filter(({ member }) => member === actor)
  const groups = held.map(({ group }) => `group:${group}`)
  const roles = held.filter(({ role }) => role !== '').map(({ group, role }) => `role:${group}/${role}`)
  return new Set([actor, ...groups, ...roles])
}

function sessionsOf({ sessions }: WorldFacts, actor: string): ReadonlyMap<string, SessionFacts> {
  return new Map(
    sessions.flatMap(({ id, relationship, participants }) => {
      const actors = new Set(participants.map(participant => participant.actor))
      return actors.has(actor) ? [[id, { relationship, participants: actors }] as const] : []
    }),
  )
}

/** The caller's own stage selects the contract (RC-8). In somebody else's session the contract forbids everything. */
function contractOf({ sessions }: WorldFacts, { mediation, actingFor }: WorldCaller): ContractFacts | null {
  if (mediation === null) return null
  const session = sessions.find(({ id }) => id === mediation.session)
  const own = session?.participants.find(({ actor }) => actor === actingFor)
  return {
    purpose: mediation.purpose,
    session: mediation.session,
    relationship: session?.relationship ?? '',
    stage: own?.stage ?? Number.NaN,
    leastStage: Math.min(...(session?.participants ?? []).map(({ stage }) => stage)),
    active: mediation.active && own !== undefined,
  }
}
