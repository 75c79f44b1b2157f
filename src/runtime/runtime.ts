import { z } from 'zod'
import { type ErrorCode, PrivityError } from '../errors.js'
import { isAgentAudience } from '../policy/subject.js'
import type { Database, Transaction } from '../storage/database.js'
import type { UnboundEntry } from '../storage/queries/audit-lane.js'
import { areSendable } from '../storage/queries/embeddings.js'
import { ensureActors } from '../storage/queries/ensure-actors.js'
import { lockOwners } from '../storage/queries/lock.js'
import { findRequest } from '../storage/queries/operations.js'
import { loadPreview } from '../storage/queries/profiles.js'
import type { ApiKeys } from './api-keys.js'
import type { AuditLanes } from './audit-lanes.js'
import {
  type Caller,
  clampCaller,
  clearanceDigest,
  heldClearance,
  type RequestCaller,
  type RequestClaims,
  requestClearance,
  trustContext,
} from './caller.js'
import { CaptureAnswers, type CaptureModel } from './capture/capture-model.js'
import { checkOutput } from './check-output.js'
import type { Clock } from './clock.js'
import { type ChatCalls, Completions, type LeavingRecorder } from './completions.js'
import { type Consolidation, Summaries } from './consolidation.js'
import type { Domain } from './domain.js'
import type { Embeddings } from './embedding/embeddings.js'
import { Meanings } from './embedding/meanings.js'
import type { Extraction, Recogniser } from './extraction.js'
import { FactsCache, type Identity, identityOf, loadIdentity } from './facts.js'
import type { Cells } from './index/cells.js'
import { Decisions } from './index/visible-set.js'
import { id, name, parse } from './input.js'
import type { KeyRing } from './key-ring.js'
import { KnownCallers } from './known-callers.js'
import { holderOf, type Lease, type Leases } from './leases.js'
import { LOOK_AS, type LookedAs, lookAs, lookAsRecipient, viewer } from './look-as.js'
import {
  type Asks,
  mayCall,
  type Operation,
  type Rate,
  type ReadOperation,
  ratesOf,
  type WriteOperation,
} from './operation.js'
import type { Outbox } from './outbox.js'
import { enterProfile, type ProfileEntry, ProfileNotActive, type RunningProfile } from './profile.js'
import { limitsOf, Rates } from './rates.js'
import { attachReason, reasonOf, refuse, refuseCaller } from './refusal.js'
import { absent, ReadRequest, type RequestParts, WriteRequest } from './request.js'
import { RequestReads, type RequestSources } from './request-reads.js'
import { rlsSettings } from './rls-settings.js'
import { Preparations, RunAgain } from './run-again.js'
import type { SentenceListener } from './search/router/answer.js'
import { SEARCH_DEFAULTS, type SearchSettings } from './search/settings.js'
import { SharedReads } from './shared-reads.js'
import { gateCaller, type TenantFacts, type TenantFactsCache } from './tenant-facts.js'
import { Threads } from './threads/threads.js'
import { o200k, type Tokenizer } from './tokenizer.js'

/** Options that any request may have beside its input. */
export interface RequestOptions extends RequestClaims {
  /** Makes it safe to repeat a write: with the same key it is done only once. */
  readonly idempotencyKey?: string | undefined
  /** Ids of the operations that led to this one. */
  readonly causalParents?: readonly string[] | undefined
  /** Changes a record only if this is its present version, as the caller sees it. */
  readonly ifVersion?: string | undefined
  /** Set by a door, so that its log, the audit and the caller use the same id. */
  readonly requestId?: string | undefined
  /**
   * Set by a door, and aborted when nobody waits for the answer any more. The request then leaves the lines in which it
   * waits, with the error `busy`; a write that was begun is still done.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Hears the sentences of an answer (`documents.answer`) while a model writes them. The answer that is returned holds: it
   * has fewer sentences if what they rest on changed in the meantime.
   */
  readonly onSentence?: SentenceListener | undefined
}

/** How often a request decides again when facts move, before it gives up. */
const ATTEMPTS = 8

/** How many callers' pseudonyms are cached. */
const MOST_ACTORS = 100_000

/** Errors that the caller did not cause. They are not audited, because that may be impossible just then. */
const INFRASTRUCTURE: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'storage_full',
  'audit_unavailable',
  'busy',
  'closed',
  'internal',
])

/** The state of a request outside of its transactions. */
interface RequestState {
  /** The capacity lease, released at the end; null if it was refused, undefined until it is requested. */
  lease: Lease | null | undefined
  /** The rates that the request was counted against; in how many seconds to ask again if it exceeded a limit, or null. */
  readonly counted: Map<Rate, number | null>
  /** The caller as far as it is known: clamped to its claims, then narrowed by its profile. */
  caller: RequestCaller | null
  readonly prepared: Preparations
  signal: AbortSignal | undefined
  onSentence: SentenceListener | null
}

interface Pseudonyms {
  readonly actorId: string
  readonly forId: string
}

/** What came of a write. */
interface Done {
  readonly request: WriteRequest
  readonly refs: readonly string[]
  readonly refused: string | null
  readonly replayed: boolean
  readonly operationDigest: string | null
  readonly output: unknown
}

type Models = Pick<RequestParts, 'completions' | 'reader' | 'answers' | 'captureAnswers'>

/** Runs operations. Every door uses this one path. */
export class Runtime {
  readonly #db: Database
  readonly #audit: AuditLanes
  readonly #apiKeys: Pick<ApiKeys, 'noteUse'>
  readonly #tenants: TenantFactsCache
  readonly #keys: Pick<KeyRing, 'secrets'>
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #rates: Rates
  readonly #cells: Cells
  readonly #embeddings: Embeddings
  readonly #extraction: Extraction
  readonly #recogniser: Recogniser | null
  readonly #outbox: Outbox
  readonly #halfLifeOf: RequestParts['halfLifeOf']
  readonly #mediation: RequestParts['mediation']
  readonly #consolidation: Consolidation | null
  readonly #chat: ChatCalls | null
  readonly #reader: ChatCalls | null
  readonly #capture: CaptureModel | null
  readonly #answerer: ChatCalls | null
  readonly #facts: FactsCache
  readonly #settings: SearchSettings
  readonly #tokenizer: Tokenizer
  readonly #domain: Domain | null
  readonly #decisions = new Decisions()
  readonly #known = new KnownCallers()
  readonly #sources: RequestSources
  readonly #threads: Threads
  readonly #actors = new Map<string, Promise<Pseudonyms>>()
  readonly #running = new Set<Promise<unknown>>()
  #settling = false

  constructor(parts: {
    db: Database
    audit: AuditLanes
    apiKeys: Pick<ApiKeys, 'noteUse'>
    tenants: TenantFactsCache
    keys: Pick<KeyRing, 'secrets'>
    clock: Clock
    leases: Leases
    cells: Cells
    embeddings: Embeddings
    extraction: Extraction
    recogniser?: Recogniser | null
    outbox: Outbox
    halfLifeOf: RequestParts['halfLifeOf']
    mediation?: Partial<RequestParts['mediation']>
    consolidation: Consolidation | null
    chat?: ChatCalls | null
    /** The model that classifies the intent of questions. */
    reader?: ChatCalls | null
    /** The model that makes facts of conversations. */
    capture?: CaptureModel | null
    answerer?: ChatCalls | null
    search?: SearchSettings
    tokenizer?: Tokenizer
    domain?: Domain | null
    threads?: Threads
  }) {
    this.#db = parts.db
    this.#sources = { db: parts.db, shared: new SharedReads(parts.db), known: this.#known }
    this.#audit = parts.audit
    this.#apiKeys = parts.apiKeys
    this.#tenants = parts.tenants
    this.#keys = parts.keys
    this.#clock = parts.clock
    this.#leases = parts.leases
    this.#rates = new Rates(parts.db, parts.clock)
    this.#cells = parts.cells
    this.#embeddings = parts.embeddings
    this.#extraction = parts.extraction
    this.#recogniser = parts.recogniser ?? null
    this.#outbox = parts.outbox
    this.#halfLifeOf = parts.halfLifeOf
    this.#mediation = { requestDays: 30, approveContributions: true, ...parts.mediation }
    this.#tokenizer = parts.tokenizer ?? o200k
    this.#consolidation = parts.consolidation
    this.#chat = parts.chat ?? null
    this.#reader = parts.reader ?? null
    this.#capture = parts.capture ?? null
    this.#answerer = parts.answerer ?? null
    this.#settings = parts.search ?? SEARCH_DEFAULTS
    this.#domain = parts.domain ?? null
    this.#threads = parts.threads ?? new Threads()
    this.#facts = new FactsCache({
      ttl: this.#settings.overlayTtlSeconds * 1_000,
      now: () => parts.clock.now().getTime(),
    })
  }

  /** Answers one request, or throws a PrivityError. */
  invoke<Output extends z.ZodType>(
    operation: ReadOperation<z.ZodType, Output> | WriteOperation<z.ZodType, Output>,
    caller: Caller,
    input: unknown,
    options: RequestOptions = {},
  ): Promise<z.output<Output>> {
    if (this.#settling) return Promise.reject(new PrivityError('closed', 'privity is closed'))
    const answer = this.#answer(operation, caller, input, options)
    this.#running.add(answer)
    const done = () => this.#running.delete(answer)
    answer.then(done, done)
    return answer
  }

  /** Accepts no more requests, and waits for those that are running. */
  async settle(): Promise<void> {
    this.#settling = true
    await Promise.allSettled(this.#running)
  }

  async #answer<Output extends z.ZodType>(
    operation: ReadOperation<z.ZodType, Output> | WriteOperation<z.ZodType, Output>,
    caller: Caller,
    input: unknown,
    options: RequestOptions,
  ): Promise<z.output<Output>> {
    const pseudonyms = await this.#pseudonyms(caller)
    const held: RequestState = {
      lease: undefined,
      counted: new Map(),
      caller: null,
      prepared: new Preparations(),
      signal: undefined,
      onSentence: null,
    }
    let requestId: string | undefined
    try {
      const request = readOptions(options, operation)
      requestId = request.requestId
      held.signal = request.signal
      held.onSentence = request.onSentence ?? null
      const claims = operation.forModel === true ? { ...request, respectConsent: true } : request
      const clamped = clampCaller(caller, claims)
      held.caller = clamped
      requireCaller(operation, clamped)
      const value = parse(operation.input, input)
      const looking = request.as === undefined ? null : await this.#lookAs(clamped, request.as)
      if (looking !== null) requireCaller(operation, looking)
      const output =
        operation.access === 'read'
          ? await this.#read(
              operation,
              looking ?? clamped,
              pseudonyms,
              value,
              request,
              held,
              looking && clamped,
            )
          : await this.#write(operation, clamped, pseudonyms, value, request, held)
      checkOutput(operation, output)
      return output
    } catch (error) {
      // If the connection is lost at a commit, the write may be committed and still need its audit entry.
      if (operation.access === 'write' && isUnavailable(error)) this.#audit.recover(caller.tenant)
      await this.#recordRefusal(
        operation,
        held.caller ?? clampCaller(caller, {}),
        pseudonyms,
        error,
        requestId,
      )
      throw error
    } finally {
      // The answer does not wait for the release.
      void held.lease?.release()
    }
  }

  /** The caller as somebody else. Whose preview it is must be known before the request's own transaction begins. */
  async #lookAs(caller: RequestCaller, as: LookedAs): Promise<RequestCaller> {
    if (!('profile' in as)) return lookAs(caller, as)
    const { tenant } = caller
    const preview = await this.#db.transaction(
      { access: 'read', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      tx => loadPreview(tx, tenant, as.profile),
    )
    return lookAsRecipient(caller, preview)
  }

  async #read<Output extends z.ZodType>(
    operation: ReadOperation<z.ZodType, Output>,
    caller: RequestCaller,
    pseudonyms: Pseudonyms,
    input: unknown,
    { requestId }: ParsedOptions,
    held: RequestState,
    /** Who looks as the caller. They are in the audit, and the caller was shown nothing (DE-7). */
    looker: RequestCaller | null,
  ): Promise<z.output<Output>> {
    const question = operation.asks?.(input) ?? null
    const meanings = await this.#meanings(question, caller, pseudonyms)
    const models = this.#models(operation, caller, pseudonyms)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { now, request, output } = await this.#ready(() => {
        // Taken for each attempt, because the request may have waited for an index.
        const now = this.#clock.now()
        return RequestReads.attempt(this.#sources, caller, now, async reads => {
          const parts = await this.#admit(
            operation,
            input,
            reads,
            caller,
            pseudonyms,
            now,
            held,
            meanings,
            models,
            looker,
          )
          const request = new ReadRequest(parts)
          const unseen = answerWithoutSight(operation, request)
          return {
            now,
            request,
            output: unseen === undefined ? await operation.run(request, input, question) : unseen,
          }
        })
      })
      // The second transaction: the answer is sent only once its entry is committed, and only if its facts have not
      // moved.
      const outcome = await this.#audit.submit(caller.tenant, {
        entry: entryOf(this.#clock, operation, looker ?? request.caller, pseudonyms, now, {
          outcome: 'ok',
          refs: request.shown,
          counts: looker === null ? request.counts : { ...request.counts, lookedAs: 1 },
          requestId,
        }),
        restsOn: request.restsOn,
        exposure: looker === null ? exposureOf(request, pseudonyms) : null,
        run: request.run,
        claim: request.claimed?.take ?? null,
      })
      if (outcome === 'written') return output as z.output<Output>
      if (outcome === 'taken' && request.claimed !== null) throw request.claimed.taken
    }
    throw new PrivityError('busy', 'policies changed while this request ran; try again')
  }

  async #write<Output extends z.ZodType>(
    operation: WriteOperation<z.ZodType, Output>,
    caller: RequestCaller,
    pseudonyms: Pseudonyms,
    input: unknown,
    options: ParsedOptions,
    held: RequestState,
  ): Promise<z.output<Output>> {
    const operationId = this.#clock.newId('operation')
    const meanings = await this.#meanings(operation.asks?.(input) ?? null, caller, pseudonyms)
    const summaries = this.#summaries(operation, caller, pseudonyms)
    const models = this.#models(operation, caller, pseudonyms)
    const admit = (reads: RequestReads, now: Date) =>
      this.#admit(operation, input, reads, caller, pseudonyms, now, held, meanings, models)
    const run = async (request: WriteRequest): Promise<Done> => {
      const { output, refs, refused = null, causes = [], effects = [] } = await operation.run(request, input)
      request.requireVersionLookedAt()
      const operationDigest = await request.complete({
        operationId,
        name: operation.name,
        ...pseudonyms,
        audience: caller.audience,
        authenticated: caller.trust?.authenticated ?? false,
        effects: [...operation.effects, ...effects],
        reversibility: operation.reversibility,
        refs,
        causalParents: [...new Set([...(options.causalParents ?? []), ...causes])],
        idempotencyKey: options.idempotencyKey ?? null,
        requestDigest: options.idempotencyKey === undefined ? null : request.parts.secrets.keep(asked()),
        policyGeneration: await request.advanceGenerations(),
        createdAt: request.now,
        label: request.clearance,
        credential: request.credential,
      })
      return { request, refs, refused, replayed: false, operationDigest, output }
    }
    // Built only if needed, because a file is long.
    const asked = () => JSON.stringify([operation.name, input])
    let needsTransaction = options.idempotencyKey !== undefined || operation.onlyAdds?.(input) !== true
    const sources: RequestSources = {
      ...this.#sources,
      needsTransaction() {
        needsTransaction = true
      },
    }
    const done = await this.#ready((): Promise<Done> => {
      // Taken for each attempt, because the request may have waited for a model.
      const now = this.#clock.now()
      if (!needsTransaction)
        return RequestReads.attempt(sources, caller, now, async reads => {
          const parts = await admit(reads, now)
          const request = new WriteRequest(parts, summaries, options.ifVersion ?? null, 'appending')
          answerWithoutSight(operation, request)
          return run(request)
        })
      return this.#db.transaction(
        { access: 'write', role: 'privity_writer', settings: rlsSettings(caller, now) },
        async tx => {
          const mode = operation.changesFacts ? 'exclusive' : 'shared'
          // The principal is locked first: its groups are certain only once nobody can change them.
          await lockOwners(tx, caller.tenant, [caller.actingFor], mode)
          const parts = await admit(RequestReads.within(tx, caller, now), now)
          const groups = [...parts.identity.principals].filter(principal => principal !== caller.actingFor)
          await lockOwners(tx, caller.tenant, groups, mode)
          const request = new WriteRequest(parts, summaries, options.ifVersion ?? null)
          answerWithoutSight(operation, request)

          if (options.idempotencyKey !== undefined) {
            const { credential } = request
            const by = {
              ...pseudonyms,
              credential,
              name: operation.name,
              idempotencyKey: options.idempotencyKey,
            }
            const known = await findRequest(tx, caller.tenant, by)
            if (known !== undefined) {
              if (!parts.secrets.isKeptOf(known.requestDigest, asked()))
                throw new PrivityError(
                  'idempotency_conflict',
                  'this idempotency key was used for another request',
                )
              return {
                request,
                refs: [],
                refused: null,
                replayed: true,
                operationDigest: null,
                output: await operation.replay(request, known.refs, input),
              }
            }
          }
          return run(request)
        },
      )
    })
    if (done.request.changesFacts) this.#known.noteChange(caller.tenant)
    this.#embeddings.noteRecords(caller.tenant, done.request.written)
    if (done.request.hasToSend) this.#outbox.noteWork(caller.tenant)
    if (done.request.hasScans) this.#recogniser?.noteWork(caller.tenant)
    await this.#audit.submit(caller.tenant, {
      entry: entryOf(this.#clock, operation, done.request.caller, pseudonyms, done.request.now, {
        outcome: done.refused === null ? 'ok' : 'not_allowed',
        reason: done.refused,
        refs: done.refs,
        counts: done.request.counts,
        operationId: done.replayed ? null : operationId,
        operationDigest: done.operationDigest,
        requestId: options.requestId,
      }),
      restsOn: new Map(),
      exposure: exposureOf(done.request, pseudonyms),
      run: done.request.run,
    })
    return done.output as z.output<Output>
  }

  /** Summaries by the consolidation model, for a write. */
  #summaries(operation: Operation, caller: RequestCaller, pseudonyms: Pseudonyms): Summaries {
    const isLocal = this.#consolidation?.model.local === true
    return new Summaries(this.#consolidation, this.#noteLeaving(operation, caller, pseudonyms, isLocal))
  }

  /** The chat models, for any request. */
  #models(operation: Operation, caller: RequestCaller, pseudonyms: Pseudonyms): Models {
    const of = (calls: ChatCalls | null) =>
      new Completions(calls, this.#noteLeaving(operation, caller, pseudonyms, calls?.model.local === true))
    return {
      completions: of(this.#chat),
      reader: of(this.#reader),
      answers: of(this.#answerer),
      captureAnswers: this.#captureAnswers(operation, caller, pseudonyms),
    }
  }

  /** The model that makes facts of conversations, with the tenant's budget of calls. */
  #captureAnswers(operation: Operation, caller: RequestCaller, pseudonyms: Pseudonyms): CaptureAnswers {
    const model = this.#capture
    const noteLeaving = this.#noteLeaving(operation, caller, pseudonyms, model?.model.local === true)
    return new CaptureAnswers(model, noteLeaving, calls =>
      this.#rates.countModelCalls(caller.tenant, calls, model?.callsPerDay ?? 0),
    )
  }

  /** Records in the audit what is sent to a model, before it is sent. */
  #noteLeaving(
    operation: Operation,
    caller: RequestCaller,
    pseudonyms: Pseudonyms,
    isLocal: boolean,
  ): LeavingRecorder {
    return async (refs, restsOn) => {
      const entry = entryOf(this.#clock, operation, caller, pseudonyms, this.#clock.now(), {
        outcome: 'ok',
        refs,
      })
      const noted = await this.#audit.submit(caller.tenant, { entry, restsOn, exposure: null, run: null })
      if (noted !== 'written') return 'moved'
      if (isLocal || refs.length === 0) return 'written'
      // A label may have been raised since, so it is checked again right before the text is sent (OV-4).
      const sendable = await this.#db.transaction(
        { access: 'read', role: 'privity_writer', settings: { 'privity.tenant': caller.tenant } },
        tx => areSendable(tx, caller.tenant, refs),
      )
      return sendable ? 'written' : 'moved'
    }
  }

  /**
   * Embeds the operation's question in advance if all providers are local. Otherwise the question is sent only after
   * the caller was admitted, and the transaction starts again (CP-3).
   */
  async #meanings(
    question: Asks | null,
    { tenant }: RequestCaller,
    { actorId, forId }: Pseudonyms,
  ): Promise<Meanings> {
    const meanings = new Meanings(this.#embeddings, JSON.stringify([tenant, actorId, forId]))
    const asked = question?.meaning ?? null
    if (asked !== null && this.#embeddings.areLocal) await meanings.prepare(asked)
    return meanings
  }

  /**
   * Runs a transaction again after something was prepared outside of it: the vector of a question, a summary, a key
   * that another process made, or an index that is not at the point of the snapshot (NI-7).
   */
  async #ready<T>(transaction: () => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return await transaction()
      } catch (error) {
        if (!(error instanceof RunAgain)) throw error
        await error.ready()
      }
    }
    throw new PrivityError('busy', 'the index changed while this request ran; try again')
  }

  /** Loads who the caller is and checks what it may do at all, in the request's own snapshot (CP-3). */
  async #admit(
    operation: Operation,
    input: unknown,
    reads: RequestReads,
    credential: RequestCaller,
    pseudonyms: Pseudonyms,
    now: Date,
    held: RequestState,
    meanings: Meanings,
    models: Models,
    looker: RequestCaller | null = null,
  ): Promise<RequestParts> {
    const { tx } = reads
    const known = identityOf(credential, await reads.caller())
    const tenantFacts = await this.#tenants.read(reads, credential.tenant, known.tenantGeneration)
    const { caller, identity, profile } = await this.#enter(
      operation,
      tx,
      credential,
      known,
      tenantFacts,
      now,
    )
    const leaseClass = tenantFacts.registry.capabilities.get(operation.name)?.metadata.capacityLeaseClass
    const lease = leaseClass === undefined ? 'not_needed' : held.lease === null ? 'refused' : 'granted'
    const verdict = gateCaller(operation.name, caller, tenantFacts, lease, profile)
    if (leaseClass !== undefined && held.lease === undefined && verdict.permitted)
      throw new RunAgain(async () => {
        const holder = holderOf(caller, pseudonyms)
        const byHost = tenantFacts.capacities.get(leaseClass)
        held.lease = await this.#leases.take(caller.tenant, leaseClass, holder, byHost)
      })
    held.caller = looker ?? caller
    // Whoever left the group that owns a link no longer looks through it.
    if (looker !== null && profile !== null) {
      const { principals } = await loadIdentity(tx, looker, now)
      if (!principals.has(profile.row.owner)) throw absent()
    }
    reads.whenConfirmed(() => this.#apiKeys.noteUse(caller))
    // Whoever looks as somebody else must be allowed to do that, and what they look at, themselves.
    for (const capability of looker === null ? [] : [LOOK_AS, operation.name]) {
      const own = gateCaller(capability, looker as RequestCaller, tenantFacts, 'not_needed')
      if (!own.permitted) throw refuse(own.reasonCode, looker as RequestCaller, tenantFacts.reasonCodes)
    }
    if (!verdict.permitted) throw refuse(verdict.reasonCode, caller, tenantFacts.reasonCodes, profile)
    const count = (rate: Rate) => {
      // Looking as a recipient uses up nothing of what recipients may do (DE-8).
      if (looker !== null || profile === null || limitsOf(profile, rate).length === 0) return
      const retryAfter = held.counted.get(rate)
      if (retryAfter === undefined)
        throw new RunAgain(async () => {
          const by = { ...pseudonyms, audience: caller.audience }
          held.counted.set(rate, await this.#rates.count(caller.tenant, rate, profile, by))
        })
      if (retryAfter !== null)
        throw refuse('rate_limit_exceeded', caller, tenantFacts.reasonCodes, profile, {
          retryAfterSeconds: retryAfter,
        })
    }
    for (const rate of ratesOf(operation, input)) count(rate)
    return {
      reads,
      tx,
      caller,
      identity,
      profile,
      tenantFacts,
      readTenantFacts: async () =>
        this.#tenants.read(reads, caller.tenant, (await reads.caller()).tenantGeneration),
      capacityOf: leaseClass => this.#leases.boundsOf(leaseClass, tenantFacts.capacities.get(leaseClass)),
      cache: this.#facts,
      cells: this.#cells,
      embeddings: this.#embeddings,
      meanings,
      ...models,
      onSentence: held.onSentence,
      searchSettings: this.#settings,
      tokenizer: this.#tokenizer,
      domain: this.#domain,
      prepared: held.prepared,
      extraction: this.#extraction,
      recogniser: this.#recogniser,
      decisions: this.#decisions,
      threads: this.#threads,
      outbox: this.#outbox,
      secrets: this.#keys.secrets,
      halfLifeOf: this.#halfLifeOf,
      mediation: this.#mediation,
      clock: this.#clock,
      now,
      party: {
        tenant: caller.tenant,
        credential: caller.key ?? JSON.stringify([caller.audience, pseudonyms]),
        signal: held.signal,
      },
      countView: () => count('view'),
      ...pseudonyms,
    }
  }

  /**
   * Applies the profile that the caller names or is bound to; nothing runs under a profile that is not active (SP-5).
   */
  async #enter(
    { access }: Operation,
    tx: Transaction,
    caller: RequestCaller,
    identity: Identity,
    { reasonCodes }: TenantFacts,
    now: Date,
  ): Promise<Omit<ProfileEntry, 'profile'> & { profile: RunningProfile | null }> {
    const { profile } = caller
    if (profile === null) return { caller, identity, profile: null }
    try {
      return await enterProfile(tx, { ...caller, profile }, identity, now, access)
    } catch (error) {
      if (!(error instanceof ProfileNotActive)) throw error
      throw attachReason(refuse(error.reasonCode, caller, reasonCodes), error.endedBy ?? error.reasonCode)
    }
  }

  /** Audits a refused request: every attempt leaves an entry. */
  async #recordRefusal(
    operation: Operation,
    caller: RequestCaller,
    pseudonyms: Pseudonyms,
    error: unknown,
    requestId: string | undefined,
  ): Promise<void> {
    if (!(error instanceof PrivityError)) return
    error.requestId = requestId
    const reason = reasonOf(error)
    // A refusal for lack of capacity is `busy` as well, but has a reason.
    if (reason === null && INFRASTRUCTURE.has(error.code)) return
    const detail = { outcome: error.code, refs: [], reason, requestId }
    const entry = entryOf(this.#clock, operation, caller, pseudonyms, this.#clock.now(), detail)
    error.requestId = entry.entryId
    await this.#audit.submit(caller.tenant, {
      entry,
      restsOn: new Map(),
      exposure: null,
      run: null,
    })
  }

  /** The caller's pseudonyms in the audit. The first request creates the tenant, the actor and its own person. */
  #pseudonyms(caller: Caller): Promise<Pseudonyms> {
    const key = JSON.stringify([caller.tenant, caller.actor, caller.actingFor])
    let known = this.#actors.get(key)
    if (known === undefined) {
      known = this.#register(caller)
      if (this.#actors.size >= MOST_ACTORS) this.#actors.clear()
      this.#actors.set(key, known)
      known.catch(() => this.#actors.delete(key))
    }
    return known
  }

  async #register(caller: Caller): Promise<Pseudonyms> {
    this.#embeddings.noteTenant(caller.tenant)
    this.#recogniser?.noteTenant(caller.tenant)
    const names = [...new Set([caller.actor, caller.actingFor])].sort()
    const actors = names.map(actor => ({ actor, actorId: this.#clock.newId('actor') }))
    const self = { actor: caller.actingFor, personId: this.#clock.newId('person') }
    const ids = await this.#db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': caller.tenant } },
      tx => ensureActors(tx, caller.tenant, actors, self, this.#clock.now()),
    )
    const idOf = (actor: string) => {
      const actorId = ids.get(actor)
      if (actorId === undefined) throw new PrivityError('internal', 'the actor could not be registered')
      return actorId
    }
    return { actorId: idOf(caller.actor), forId: idOf(caller.actingFor) }
  }
}

const requestOptions = z.strictObject({
  trust: trustContext.optional(),
  respectConsent: z.boolean().optional(),
  profile: id.optional(),
  forModel: z.boolean().optional(),
  as: viewer.optional(),
  idempotencyKey: name.optional(),
  causalParents: z.array(id).max(1_000).optional(),
  ifVersion: name.optional(),
  requestId: id.optional(),
  signal: z.instanceof(AbortSignal).optional(),
  onSentence: z.custom<SentenceListener>(value => typeof value === 'function').optional(),
}) satisfies z.ZodType<RequestOptions>
type ParsedOptions = z.output<typeof requestOptions>

const isUnavailable = (error: unknown) => error instanceof PrivityError && error.code === 'unavailable'

/** Options are validated like input, because they come from callers too. */
function readOptions(options: RequestOptions, operation: Operation): ParsedOptions {
  const parsed = parse(requestOptions, options)
  if (parsed.idempotencyKey !== undefined && operation.access === 'read')
    throw new PrivityError('invalid_input', 'idempotencyKey: is for writes only; leave it out')
  if (parsed.ifVersion !== undefined && operation.access === 'read')
    throw new PrivityError('invalid_input', 'ifVersion: is for writes only; leave it out')
  if (parsed.as !== undefined && operation.access === 'write')
    throw new PrivityError('invalid_input', 'as: is for reads only; leave it out of a write')
  return parsed
}

/** Refuses a request before anything is read (TR-2, WR-4). */
function requireCaller(operation: Operation, caller: RequestCaller): void {
  if (caller.trust === null) {
    throw attachReason(
      new PrivityError(
        'trust_required',
        'trust: an agent needs a trust context, for example {"maxSensitivity":"low"}; add one to its credential or key',
        { reason: 'session.trust_missing' },
      ),
      'session.trust_missing',
    )
  }
  if (!mayCall(operation.callers, caller.audience)) throw refuseCaller(operation.callers, caller)
}

/**
 * The answer to a caller who does not see everything, from an operation that needs that; undefined if it may go on. It
 * is the same whatever there is (NI-5, NI-11).
 */
function answerWithoutSight({ needsWholeSight }: Operation, { seesEverything }: ReadRequest): unknown {
  if (needsWholeSight === undefined || seesEverything) return undefined
  if (needsWholeSight === 'absent') throw absent()
  return needsWholeSight.otherwise
}

function entryOf(
  clock: Clock,
  operation: Operation,
  caller: RequestCaller,
  pseudonyms: Pseudonyms,
  now: Date,
  detail: {
    outcome: string
    refs: readonly string[]
    counts?: Readonly<Record<string, number>>
    reason?: string | null
    operationId?: string | null
    operationDigest?: string | null
    requestId?: string | undefined
  },
): UnboundEntry {
  return {
    entryId: detail.requestId ?? clock.newId('entry'),
    at: now.toISOString(),
    ...pseudonyms,
    audience: caller.audience,
    operation: operation.name,
    authenticated: caller.trust?.authenticated ?? false,
    outcome: detail.outcome,
    reason: detail.reason ?? null,
    refs: [...detail.refs].sort(),
    counts: { ...detail.counts, records: detail.refs.length },
    operationId: detail.operationId ?? null,
    operationDigest: detail.operationDigest ?? null,
    label: requestClearance(caller),
  }
}

const HOUR = 3_600_000

/** What an agent was shown, which labels what it writes later; a person's own reading labels nothing (WR-2). */
function exposureOf(request: ReadRequest, pseudonyms: Pseudonyms) {
  const { caller, exposure } = request
  if (exposure === null || !isAgentAudience(caller.audience)) return null
  const clearance = heldClearance(caller)
  const hour = new Date(Math.floor(request.now.getTime() / HOUR) * HOUR)
  const key = { ...pseudonyms, session: caller.session, credential: clearanceDigest(clearance), hour }
  return { key, label: exposure, clearance, records: request.exposedBy }
}
