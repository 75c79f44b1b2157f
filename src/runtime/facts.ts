import { PrivityError } from '../errors.js'
import type { CompartmentTable } from '../policy/compartments.js'
import type {
  ConsentFacts,
  ContractFacts,
  EffectiveView,
  Lookup,
  PersonFacts,
  SessionFacts,
  Subject,
} from '../policy/subject.js'
import { ownerOfKey, personKey } from '../policy/tuple.js'
import type { Transaction } from '../storage/database.js'
import { type CallerRow, loadCaller } from '../storage/queries/load-caller.js'
import type { RequestCaller } from './caller.js'
import { principalsOf } from './known-callers.js'
import type { RequestReads } from './request-reads.js'

/** The facts of one owner in one generation. */
interface OwnerFacts {
  readonly generation: string | undefined
  readonly people: ReadonlyMap<string, PersonFacts>
  readonly overlays: ReadonlyMap<string, readonly string[]>
  readonly grants: ReadonlyMap<string, ReadonlySet<string>>
}

/** The generations that a decision rests on, by owner. If one of them moves, the decision is void. */
export type Generations = ReadonlyMap<string, string | undefined>

export interface FactsCacheOptions {
  readonly limit?: number
  readonly ttl?: number
  readonly now?: () => number
}

/**
 * A cache of facts per owner. A cached value is used only if its generation is the one in the present snapshot, so
 * the cache changes timing and nothing else (NI-7, NI-8).
 */
export class FactsCache {
  readonly #owners = new Map<string, OwnerFacts & { readonly readAt: number }>()
  readonly #limit: number
  readonly #ttl: number
  readonly #now: () => number

  /**
   * After `ttl` milliseconds a cached value is read again whatever its generation; this is only a fallback (OV-5).
   */
  constructor({ limit = 10_000, ttl = 60_000, now = Date.now }: FactsCacheOptions = {}) {
    this.#limit = limit
    this.#ttl = ttl
    this.#now = now
  }

  /** The facts of these owners in these generations. */
  async read(
    reads: Pick<RequestReads, 'ownerFacts'>,
    tenant: string,
    owners: readonly string[],
    generations: Generations,
  ): Promise<Map<string, OwnerFacts>> {
    const found = new Map<string, OwnerFacts>()
    const stale: string[] = []
    for (const owner of owners) {
      const kept = this.#owners.get(cacheKey(tenant, owner))
      const isFresh = kept !== undefined && Math.abs(this.#now() - kept.readAt) < this.#ttl
      if (isFresh && kept.generation === generations.get(owner)) found.set(owner, kept)
      else stale.push(owner)
    }
    if (stale.length > 0) {
      for (const [owner, facts] of await load(reads, stale, generations)) {
        found.set(owner, facts)
        this.#keep(cacheKey(tenant, owner), facts)
      }
    }
    return found
  }

  #keep(key: string, facts: OwnerFacts): void {
    this.#owners.delete(key)
    this.#owners.set(key, { ...facts, readAt: this.#now() })
    if (this.#owners.size > this.#limit) {
      const oldest = this.#owners.keys().next()
      if (!oldest.done) this.#owners.delete(oldest.value)
    }
  }
}

const cacheKey = (tenant: string, owner: string) => JSON.stringify([tenant, owner])

async function load(
  reads: Pick<RequestReads, 'ownerFacts'>,
  owners: readonly string[],
  generations: Generations,
): Promise<Map<string, OwnerFacts>> {
  const facts = new Map(
    owners.map(owner => [
      owner,
      {
        generation: generations.get(owner),
        people: new Map<string, PersonFacts>(),
        overlays: new Map<string, string[]>(),
        grants: new Map<string, Set<string>>(),
      },
    ]),
  )
  const rows = await reads.ownerFacts(owners)
  for (const row of rows.people)
    facts
      .get(row.owner)
      ?.people.set(personKey(row.owner, row.personId), { consent: row.consent, actor: row.actor })
  for (const row of rows.overlays) {
    const overlays = facts.get(row.owner)?.overlays
    overlays?.set(row.target, [...(overlays.get(row.target) ?? []), row.restriction])
  }
  for (const row of rows.grants) {
    const grants = facts.get(row.owner)?.grants
    grants?.set(row.target, new Set([...(grants.get(row.target) ?? []), row.grantee]))
  }
  return facts
}

/** Who the caller is in this snapshot. It is loaded before anything is decided. */
export interface Identity {
  readonly principals: ReadonlySet<string>
  readonly sessions: ReadonlyMap<string, SessionFacts>
  readonly tenantGeneration: string | null
  /** When the caller's API key expires; null if it never does or there is none. */
  readonly keyExpiresAt: Date | null
  /** What the caller sees of each corpus, by corpus key; null for a caller that is not bound by views. */
  readonly views: ReadonlyMap<string, EffectiveView> | null
}

/** Rejects a caller whose API key is no longer valid (NI-7). */
export async function loadIdentity(tx: Transaction, caller: RequestCaller, now: Date): Promise<Identity> {
  return identityOf(caller, await loadCaller(tx, caller.tenant, caller.actingFor, caller, now))
}

export function identityOf(caller: RequestCaller, row: CallerRow): Identity {
  if (caller.key !== null && row.key?.stands !== true) throw unauthenticated()
  const sessions = new Map(
    row.sessions.map(({ sessionId, relationship, participants }) => [
      sessionId,
      { relationship, participants: new Set(participants) },
    ]),
  )
  const expiresAt = row.key?.expiresAt ?? null
  return {
    principals: new Set(principalsOf(caller, row)),
    sessions,
    tenantGeneration: row.tenantGeneration,
    keyExpiresAt: expiresAt === null ? null : new Date(expiresAt),
    views: null,
  }
}

/** Every invalid credential gets this one answer, whatever is wrong with it (NI-5). */
export function unauthenticated(): PrivityError {
  return new PrivityError('unauthenticated', 'a valid credential is required')
}

/** The owner of what a session as a whole produced; its generation moves with the session. */
export const sessionOwner = (session: string): string => `session:${session}`

/** The owners and consents whose facts a table of compartments needs. */
export type CitedOwners = CompartmentTable['cited']

/** Builds the subject with every fact that is needed, in the generations that the request rests on. */
export async function loadSubject(
  reads: Pick<RequestReads, 'facts' | 'supposeFacts' | 'ownerFacts'>,
  cache: FactsCache,
  caller: RequestCaller,
  identity: Identity,
  cited: CitedOwners,
  now: number,
  contract: ContractFacts | null = null,
  /** Whether what is remembered will do for now, because a later statement of the request confirms it. */
  supposes = false,
): Promise<{ subject: Subject; generations: Generations }> {
  const owners = new Set([...identity.principals, ...cited.owners])
  // Stages and states belong to the facts of the session.
  if (contract !== null) owners.add(sessionOwner(contract.session))
  const named = [...owners].sort()
  const consentIds = [...cited.consents].sort()
  const known = await (supposes ? reads.supposeFacts(named, consentIds) : reads.facts(named, consentIds))
  const facts = await cache.read(reads, caller.tenant, named, known.generations)
  const consents = new Map<string, ConsentFacts>()
  for (const id of cited.consents) {
    const row = known.consents.get(id)
    if (row !== undefined)
      consents.set(id, { decision: row.decision, revoked: row.revoked, active: row.active })
  }
  const subject: Subject = {
    tenant: caller.tenant,
    actor: caller.actor,
    actingFor: caller.actingFor,
    audience: caller.audience,
    principals: identity.principals,
    trust: caller.trust,
    respectConsent: caller.respectConsent,
    people: byOwner(facts, owner => owner.people),
    sessions: identity.sessions,
    contract,
    consents,
    visibility: { ceiling: caller.ceiling, floor: caller.floor },
    views: identity.views,
    overlays: byOwner(facts, owner => owner.overlays),
    grants: { has: target => isGranted(facts, identity.principals, target) },
    now,
  }
  const generations = new Map([...facts].map(([owner, { generation }]) => [owner, generation] as const))
  return { subject, generations }
}

/** A single lookup over the facts of all loaded owners. */
function byOwner<Value>(
  facts: ReadonlyMap<string, OwnerFacts>,
  part: (owner: OwnerFacts) => ReadonlyMap<string, Value>,
): Lookup<Value> {
  return {
    get(key) {
      // A key contains its owner, so at most one owner has it. Looking in all of them is cheaper than parsing the
      // key.
      for (const owner of facts.values()) {
        const value = part(owner).get(key)
        if (value !== undefined) return value
      }
      // Facts that were not loaded do not mean that nothing is restricted: the gate must fail, and a failing gate
      // denies.
      if (!facts.has(ownerOfKey(key))) throw new Error('facts of this owner were not loaded')
      return undefined
    },
  }
}

function isGranted(
  facts: ReadonlyMap<string, OwnerFacts>,
  principals: ReadonlySet<string>,
  target: string,
): boolean {
  const grantees = facts.get(ownerOfKey(target))?.grants.get(target)
  return grantees !== undefined && [...principals].some(principal => grantees.has(principal))
}
