import { randomUUID } from 'node:crypto'
import type { EmbeddingProvider } from '../../src/embedding/provider.js'
import type { assemble, Privity } from '../../src/open.js'
import type { PolicyTuple } from '../../src/policy/tuple.js'
import { compartmentId } from '../../src/runtime/compartment-id.js'
import { sessionOwner } from '../../src/runtime/facts.js'
import type { Observe } from '../../src/storage/database.js'
import { advanceGeneration } from '../../src/storage/queries/advance-generation.js'
import { insertRecords } from '../../src/storage/queries/insert-records.js'
import { internCompartments } from '../../src/storage/queries/intern-compartments.js'
import { type TestClock, testClock } from '../../src/testing/clock.js'
import { type SharedStore, sharedStore } from './shared-store.js'
import type { Engine } from './stores.js'

type Options = Parameters<typeof assemble>[2]
export type Couple = Awaited<ReturnType<Mediated['couple']>>

/** A store for mediations, with a clock that is moved by hand and ways past every operation. */
export interface Mediated {
  readonly store: SharedStore
  readonly privity: Privity
  readonly clock: TestClock
  /** One more Privity on the same store. */
  instance(options?: Options): Promise<Privity>
  /** A session of alice and bob that is active, both at stage 0, in a tenant of its own unless one is named. */
  couple(on?: Privity, tenant?: string): ReturnType<typeof coupleOn>
  /** Puts somebody at a stage, whatever its gates say. */
  setStage(at: { tenant: string; session: string }, actor: string, stage: number): Promise<void>
  /** Writes a record as it is, past every operation. Answers its id. */
  put(tuple: Partial<PolicyTuple> & Put): Promise<string>
  dispose(): Promise<void>
}

export interface Put {
  readonly tenant: string
  readonly kind: string
  readonly text: string
  readonly fields?: Readonly<Record<string, unknown>>
  readonly sources?: readonly string[]
  readonly at?: Date
}

export async function mediated(
  engine: Engine,
  { observe, ...options }: { observe?: Observe } & Options = {},
): Promise<Mediated> {
  const store = await sharedStore(engine, observe ? { observe } : {})
  const moved = testClock()
  // Ids of their own: several Privity share this clock, and tests run in one store.
  const clock: TestClock = { ...moved, newId: () => randomUUID() }
  const made: Privity[] = []
  const instance = async (more: Options = {}) => {
    const privity = await store.instance(clock, { embedding: [], ...options, ...more })
    made.push(privity)
    return privity
  }
  const privity = await instance()
  return {
    store,
    privity,
    clock,
    instance,
    couple: (on = privity, tenant = store.tenant()) => coupleOn(on, tenant),
    setStage: ({ tenant, session }, actor, stage) =>
      store.db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
        await tx.query(
          `update privity.session_participants set stage = $4
           where tenant_id = $1 and session_id = $2 and actor = $3`,
          [tenant, session, actor, stage],
        )
        await advanceGeneration(tx, tenant, [sessionOwner(session)], randomUUID())
      }),
    put: given => putRecord(store, clock, given),
    async dispose() {
      await Promise.all(made.map(each => each.close()))
      await store.dispose()
    },
  }
}

async function coupleOn(privity: Privity, tenant: string) {
  const alice = privity.as({ tenant, actor: 'alice' })
  const bob = privity.as({ tenant, actor: 'bob' })
  const { id: session, relationship } = await alice.sessions.create({ participants: ['bob'] })
  await bob.sessions.join(session)
  return {
    tenant,
    session,
    relationship,
    alice,
    bob,
    host: privity.as({ tenant, actor: 'warden', audience: 'host' }),
    /** A model that works for somebody. */
    agentOf: (principal: string, maxSensitivity: 'low' | 'medium' | 'high' = 'high') =>
      privity.as({
        tenant,
        actor: 'mediator',
        audience: 'agent',
        for: principal,
        trust: { maxSensitivity },
      }),
  }
}

async function putRecord(
  store: SharedStore,
  clock: TestClock,
  { text, fields, sources, at, ...given }: Partial<PolicyTuple> & Put,
): Promise<string> {
  const id = randomUUID()
  const tuple: PolicyTuple = {
    vessel: 'user',
    owner: 'alice',
    session: null,
    relationship: null,
    contentType: null,
    confirmed: false,
    addressees: [],
    corpus: null,
    surface: null,
    markedShareable: false,
    redacted: false,
    opening: false,
    sensitivity: 'medium',
    scope: null,
    visibilityClass: 'party_confidential',
    participants: [],
    consentRecord: null,
    inputConsents: [],
    overlayTargets: [],
    scopeTargets: [],
    citedPlaces: [],
    endedAt: null,
    lifecycle: 'active',
    ...given,
  }
  const record = {
    recordId: id,
    compartmentId: compartmentId(tuple),
    tuple,
    author: 'alice',
    filingUnit: null,
    version: null,
    versionKind: null,
    part: null,
    document: null,
    segment: null,
    conversation: null,
    turn: null,
    speaker: null,
    targets: [],
    redactedOf: null,
    participantIds: [],
    title: null,
    text,
    language: null,
    tags: [],
    fields: fields ?? {},
    salience: 0.5,
    pinned: false,
    confidence: 1,
    provenance: {},
    spans: [],
    occurredAt: null,
    validFrom: null,
    validTo: null,
    expiresAt: null,
    createdAt: (at ?? clock.now()).toISOString(),
    sources: sources ?? [],
  }
  await store.db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
    await internCompartments(tx, tuple.tenant, new Map([[record.compartmentId, tuple]]))
    await insertRecords(tx, tuple.tenant, [record])
  })
  return id
}

/**
 * Vectors by hand: a text that says `cosine 0.71` is that near to every question, and any other text is as near as can be.
 */
export const byHand: EmbeddingProvider = {
  model: 'by-hand/1',
  local: true,
  weight: () => 0.5,
  near: 0,
  batchSize: 64,
  maxCharacters: 10_000,
  embed: async texts =>
    texts.map(text => {
      const cosine = Number(/cosine (-?[\d.]*\d)/.exec(text)?.[1] ?? 1)
      return Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine))
    }),
}
