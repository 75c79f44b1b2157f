import { PrivityError } from '../errors.js'
import type { DeliveryRights } from '../policy/delivery.js'
import { type Face, type Level, NONE, shownLevel } from '../policy/faces.js'
import { joinLabels, type Label, LEAST_LABEL, lowers, metadataLabel } from '../policy/labels.js'
import { STRICTEST_LABEL, type StoredLabel, seesStored } from '../policy/stored-label.js'
import type { ContractFacts, Subject } from '../policy/subject.js'
import { ownerOfKey, type RecordTimes, sortedSet } from '../policy/tuple.js'
import { salienceNow } from '../search/salience.js'
import type { Transaction } from '../storage/database.js'
import { advanceGeneration } from '../storage/queries/advance-generation.js'
import { type EdgeRow, fetchEdges } from '../storage/queries/fetch-edges.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { insertRecords, type NewRecord } from '../storage/queries/insert-records.js'
import type { NamedTargets } from '../storage/queries/named-targets.js'
import { insertOperation, type OperationRow } from '../storage/queries/operations.js'
import type { Evidence } from '../storage/queries/read.js'
import type { NewSearchRun } from '../storage/queries/search-runs.js'
import type { Role } from '../storage/queries/set-role.js'
import { clearanceDigest, type RequestCaller, requestClearance } from './caller.js'
import type { CaptureAnswers } from './capture/capture-model.js'
import type { Clock } from './clock.js'
import type { Completions } from './completions.js'
import type { Summaries } from './consolidation.js'
import { deliver, deliveryRights, isDocument } from './deliver.js'
import type { Domain } from './domain.js'
import type { Embeddings } from './embedding/embeddings.js'
import type { Meanings } from './embedding/meanings.js'
import type { Extraction, Recogniser } from './extraction.js'
import { compartmentsOf, type DecisionInput, facesOf } from './faces-of.js'
import { type CitedOwners, type FactsCache, type Generations, type Identity, loadSubject } from './facts.js'
import type { Waiter } from './fairness/fair-line.js'
import type { Cells } from './index/cells.js'
import type { Decisions } from './index/visible-set.js'
import { type KnownEdge, knownEdges } from './known-edges.js'
import type { ClassBounds } from './leases.js'
import type { Outbox } from './outbox.js'
import type { RunningProfile } from './profile.js'
import { hasWords, type RecordView, viewRecord } from './record-view.js'
import type { RequestReads } from './request-reads.js'
import type { Preparations } from './run-again.js'
import type { SentenceListener } from './search/router/answer.js'
import type { SearchSettings } from './search/settings.js'
import type { Secrets } from './secrets.js'
import type { TenantFacts } from './tenant-facts.js'
import type { Threads } from './threads/threads.js'
import type { Tokenizer } from './tokenizer.js'

/** Settings for mediations. */
export interface MediationSettings {
  /** How many days a request to share something waits for its decision (CB-5). */
  readonly requestDays: number
  /** Whether what is given to the library waits for a host (RC-14). */
  readonly approveContributions: boolean
}

/** What every request has at hand. */
export interface RequestParts {
  /** How it reads. */
  readonly reads: RequestReads
  /** For statements of its own, all in one snapshot. */
  readonly tx: Transaction
  readonly caller: RequestCaller
  readonly identity: Identity
  /** The profile that the request runs under; null if only its credential applies. */
  readonly profile: RunningProfile | null
  readonly tenantFacts: TenantFacts
  /** Reads the tenant facts again, for a change that waited for a lock. */
  readonly readTenantFacts: () => Promise<TenantFacts>
  /** The capacity of a class; null means none. */
  readonly capacityOf: (leaseClass: string) => ClassBounds | null
  readonly cache: FactsCache
  readonly cells: Cells
  readonly embeddings: Embeddings
  /** The embeddings of the request's questions. */
  readonly meanings: Meanings
  /** Answers of the chat model, requested outside of any transaction. */
  readonly completions: Completions
  /** Answers of the model that classifies the intent of questions. */
  readonly reader: Completions
  /** Answers of the model that makes facts of conversations. */
  readonly captureAnswers: CaptureAnswers
  /** Answers to questions about documents, and who hears their sentences while they are written. */
  readonly answers: Completions
  readonly onSentence: SentenceListener | null
  readonly searchSettings: SearchSettings
  /** Counts the tokens of what a model is given. */
  readonly tokenizer: Tokenizer
  /** How corpora of the domain are read and searched; null if there is none. */
  readonly domain: Domain | null
  readonly mediation: MediationSettings
  /** Results of slow work, done outside of any transaction. */
  readonly prepared: Preparations
  /** Reads files, which is slow as well. */
  readonly extraction: Extraction
  /** Recognises scanned pages; null if there is no text recognition. */
  readonly recogniser: Recogniser | null
  readonly decisions: Decisions
  /** For what needs a core for long. */
  readonly threads: Threads
  readonly outbox: Outbox
  readonly secrets: Secrets
  /** The half-life of the salience of a kind of record, in milliseconds. */
  readonly halfLifeOf: (kind: string) => number
  readonly clock: Clock
  /** The time of the request, the same throughout. */
  readonly now: Date
  /** The pseudonyms of the caller in the audit. */
  readonly actorId: string
  /** Who slow work is done for, in lines that credentials share (OP-8). */
  readonly party: Waiter
  readonly forId: string
  /** Counts the request as a view against the rates of its profile, once, or refuses it (SP-10). */
  readonly countView: () => void
}

/** A record, and the level at which this caller may see it. */
export interface DecidedRecord {
  readonly row: RecordRow
  readonly level: Level
}

/** One request in one snapshot. It keeps track of what its answer rests on and what it shows. */
export class ReadRequest {
  readonly parts: RequestParts
  readonly #generations = new Map<string, string | undefined>()
  readonly #shown = new Set<string>()
  /** The edges of records that came with them. */
  readonly #edges = new WeakMap<readonly RecordRow[], readonly EdgeRow[]>()
  readonly #labels = new WeakMap<RecordView, Label>()
  /** The views that hold the text of a document. */
  readonly #texts = new WeakSet<RecordView>()
  #rights: DeliveryRights | null = null
  readonly #counts = new Map<string, number>()
  #contract: ContractFacts | null = null
  #facts: Subject | null = null
  #exposure: Label | null = null
  /** Records that raised the label of the answer when they were shown. */
  readonly #exposedBy: string[] = []
  #run: NewSearchRun | null = null
  #claim: { take: (tx: Transaction) => Promise<boolean>; taken: PrivityError } | null = null

  constructor(parts: RequestParts) {
    this.parts = parts
    // The tenant's own facts decided what the caller may do at all.
    this.#generations.set('', parts.identity.tenantGeneration ?? undefined)
    for (const [owner, generation] of parts.profile?.generations ?? [])
      this.#generations.set(owner, generation)
  }

  /** The database role that its statements run as. */
  get role(): Role {
    return 'privity_app'
  }
  get tx(): Transaction {
    return this.parts.tx
  }
  get tenant(): string {
    return this.parts.caller.tenant
  }
  get caller(): RequestCaller {
    return this.parts.caller
  }
  get now(): Date {
    return this.parts.now
  }

  /** The generations that this request's decisions rest on. */
  get restsOn(): Generations {
    return this.#generations
  }
  /** Ids of records whose faces are in the answer. */
  get shown(): readonly string[] {
    return [...this.#shown].sort()
  }
  /** The label of all words in the answer; null if there are none (WR-2). */
  get exposure(): Label | null {
    return this.#exposure
  }

  /** The records that raised that label, so that a writer can be told which they were (WR-6). */
  get exposedBy(): readonly string[] {
    return this.#exposedBy
  }

  /** The stored run of this request's search, written together with its audit entry. */
  get run(): NewSearchRun | null {
    return this.#run
  }
  leave(run: NewSearchRun): void {
    this.#run = run
  }

  /**
   * Claims something that only one request can have. If another request was first, this one fails with the given
   * error.
   */
  claim(take: (tx: Transaction) => Promise<boolean>, taken: PrivityError): void {
    this.#claim = { take, taken }
  }
  get claimed(): { take: (tx: Transaction) => Promise<boolean>; taken: PrivityError } | null {
    return this.#claim
  }

  /** The limit that was asked for, or that of the profile if that is lower (SP-10). */
  atMost(limit: number): number {
    return Math.min(limit, this.parts.profile?.most.results ?? limit)
  }

  /** What this caller may do with documents at all. */
  get deliveryRights(): DeliveryRights {
    this.#rights ??= deliveryRights(this)
    return this.#rights
  }

  /**
   * Records that the text of documents is part of the answer: one view, however much it is. What somebody reads under
   * a profile is counted against its rates and in its log (NI-12).
   */
  noteView(): void {
    if (this.parts.profile === null) return
    this.parts.countView()
    this.#counts.set('views', 1)
  }

  /** From now on, records are read under the contract of a mediation. */
  enterContract(contract: ContractFacts): void {
    this.#contract = contract
    this.#facts = null
  }
  get contract(): ContractFacts | null {
    return this.#contract
  }

  /** Runs what reads under another contract, or under none. */
  async underContract<Result>(contract: ContractFacts | null, run: () => Promise<Result>): Promise<Result> {
    const [before, facts] = [this.#contract, this.#facts]
    this.#contract = contract
    this.#facts = null
    try {
      return await run()
    } finally {
      this.#contract = before
      this.#facts = facts
    }
  }

  /** Adds to the numbers in the audit entry, besides how many records were shown. They are never content (AU-3). */
  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by)
  }
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }

  /** The subject with all facts that these compartments need. */
  async subjectFor(cited: CitedOwners, supposes = false): Promise<Subject> {
    const { reads, cache, caller, identity, now } = this.parts
    const { subject, generations } = await loadSubject(
      reads,
      cache,
      caller,
      identity,
      cited,
      now.getTime(),
      this.#contract,
      supposes,
    )
    for (const [owner, generation] of generations) this.#generations.set(owner, generation)
    return subject
  }

  /**
   * The same for all cells in which this caller could see anything. A snapshot reads these facts once, and they
   * decide every record from then on; a record that cites other facts is in none of these cells and is not visible. A
   * write reads them each time, because its statements do not all see the same data.
   */
  async subjectForCells(cited: CitedOwners): Promise<Subject> {
    const facts = this.#facts ?? (await this.subjectFor(cited, true))
    if (this.role === 'privity_app') this.#facts = facts
    return facts
  }

  /**
   * Fetches records by id, under row-level security, with all that it takes to view them. It is one statement, the same
   * whether a record is visible, hidden or absent (NI-5).
   */
  async fetch(ids: readonly string[]): Promise<readonly RecordRow[]> {
    const { records, edges } = await this.parts.reads.records(ids)
    this.#edges.set(records, edges)
    return records
  }

  /** The same together with what bears them out, with so many characters around each place that they speak of. */
  async fetchWithEvidence(
    ids: readonly string[],
    reach: number,
  ): Promise<{ rows: readonly RecordRow[]; evidence: Evidence }> {
    const { records, edges, evidence } = await this.parts.reads.records(ids, { reach })
    this.#edges.set(records, edges)
    return { rows: records, evidence }
  }

  /**
   * Returns records as their faces, with the relations that the caller may know (NI-6, PC-5). The same statements run
   * whatever the records are and however many edges are hidden. Pass everything that enters the answer to `show`.
   */
  async view(rows: readonly RecordRow[]): Promise<(RecordView | null)[]> {
    const ids = rows.map(row => row.id)
    const edgeRows = this.#edges.get(rows) ?? (await fetchEdges(this.tx, this.tenant, ids))
    const faces = await this.faces([
      ...rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })),
      ...edgeRows,
    ])
    const edges = new Map<string, KnownEdge[]>(rows.map(row => [row.id, []]))
    for (const edge of knownEdges(edgeRows, faces.slice(rows.length))) edges.get(edge.record)?.push(edge)
    return rows.map((row, at) => {
      const level = shownLevel(faces[at] ?? NONE)
      const shown = level === 'full' ? (edges.get(row.id) ?? []) : []
      const delivered = deliver(this, row, level, 'text')
      const view = viewRecord(row, level, this.salienceOf(row), shown, delivered, this.namesIn(row))
      if (view === null) return null
      this.#labels.set(view, joinLabels(row.tuple, ...shown.map(({ label }) => label)))
      if (isDocument(row.tuple) && (view.payload?.text ?? '') !== '') this.#texts.add(view)
      return view
    })
  }

  /** The edges of records visible in full, as far as the caller may know them. */
  async edgesOf(ids: readonly string[]): Promise<KnownEdge[]> {
    const rows = await fetchEdges(this.tx, this.tenant, ids)
    return knownEdges(rows, await this.faces(rows))
  }

  /** The salience of a record at the time of the request. */
  salienceOf({ salience, salienceAt, pinned, tuple }: RecordRow): number {
    const stored = { salience, since: salienceAt.getTime(), pinned }
    return salienceNow(stored, this.parts.halfLifeOf(tuple.kind), this.now.getTime())
  }

  /** Records that a view is part of the answer, with its text unless the answer leaves that out. */
  show(view: RecordView, text: 'with its text' | 'without its text' = 'with its text'): void {
    this.#shown.add(view.id)
    if (text === 'with its text' && this.#texts.has(view)) this.noteView()
    const label = this.#labels.get(view)
    if (label === undefined || !hasWords(view)) return
    this.#exposeRecord(view.id, view.face === 'metadata' ? metadataLabel(label) : label)
  }

  /** Does the same for a record that is shown in a form other than a view. */
  showRow({ id, tuple }: Pick<RecordRow, 'id' | 'tuple'>, level: Level): void {
    if (level === 'none') return
    this.#shown.add(id)
    this.#exposeRecord(id, level === 'metadata' ? metadataLabel(tuple) : tuple)
  }

  #exposeRecord(id: string, label: Label): void {
    if (lowers(label, this.#exposure ?? LEAST_LABEL)) this.#exposedBy.push(id)
    this.expose(label)
  }

  /** Records that words under this label are part of the answer; null stands for no label. */
  expose(label: Label | null): void {
    if (label !== null) this.#exposure = joinLabels(this.#exposure ?? LEAST_LABEL, label)
  }

  /** The most that this request may be shown; it labels what the request stores beside records (NI-10). */
  get clearance(): StoredLabel {
    return requestClearance(this.caller)
  }
  /** A digest of the clearance. Names and keys are unique within it, so that they tell nobody else anything. */
  get credential(): string {
    return clearanceDigest(this.clearance)
  }

  /**
   * Those of some stored things that the caller sees: their labels pass the gates that a record of that label would
   * (NI-10). The same statements run whatever there is.
   */
  async seen<Stored extends { readonly label: StoredLabel | null }>(
    things: readonly Stored[],
  ): Promise<Stored[]> {
    const { profile = null } = this.clearance
    const people = things.flatMap(({ label }) => (label ?? STRICTEST_LABEL).participants)
    const subject = await this.subjectFor({ owners: new Set(people.map(ownerOfKey)), consents: new Set() })
    return things.filter(({ label }) => seesStored(subject, profile, label))
  }

  /** Whether the caller sees everything that its principal may see, so that nothing it acts on is hidden (NI-11). */
  get seesEverything(): boolean {
    return this.parts.identity.views === null && !lowers(STRICTEST_LABEL, this.clearance)
  }

  /** Whether the caller is told everything about the people of an owner: all of them, under all their names (NI-10). */
  knowsEverybodyOf(owner: string): boolean {
    return this.seesEverything && this.parts.identity.principals.has(owner)
  }

  /** The names of the people in a record, as this caller knows them. */
  namesIn({ tuple, people }: RecordRow): readonly string[] {
    if (people.length === 0) return []
    const isTold = this.knowsEverybodyOf(tuple.owner)
    return sortedSet(people.map(({ name, written }) => (isTold ? name : written)).filter(Boolean))
  }

  /** The level at which each record is visible. */
  async decide(rows: readonly RecordRow[]): Promise<DecidedRecord[]> {
    const faces = await this.faces(rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })))
    return rows.map((row, at) => ({ row, level: shownLevel(faces[at] ?? NONE) }))
  }

  /** The faces of some records. Each distinct tuple is decided once. */
  async faces(records: readonly DecisionInput[]): Promise<Face[]> {
    const compartments = compartmentsOf(records)
    return facesOf(this.#facts ?? (await this.subjectFor(compartments.table.cited)), records, compartments)
  }
}

/** A request that changes something. Its reads pass the same gates and policies. */
export class WriteRequest extends ReadRequest {
  /** Summaries by a model, requested outside of the transaction. */
  readonly summaries: Summaries
  readonly #changedOwners = new Set<string>()
  readonly #written: string[] = []
  /** What is written together with the operation, by one statement; null if there is a transaction to write it in. */
  readonly #toAppend: { records: NewRecord[]; places: Set<string>; named: NamedTargets[] } | null
  readonly #ifVersion: string | null
  #versionLookedAt = false
  #hasToSend = false
  #hasScans = false
  #generation: string | null = null

  constructor(
    parts: RequestParts,
    summaries: Summaries,
    ifVersion: string | null,
    mode: 'in a transaction' | 'appending' = 'in a transaction',
  ) {
    super(parts)
    this.summaries = summaries
    this.#ifVersion = ifVersion
    this.#toAppend = mode === 'appending' ? { records: [], places: new Set(), named: [] } : null
  }

  override get role(): Role {
    return 'privity_writer'
  }

  /** Loads records by id as this caller may see them. The same statements run whatever is found (NI-5). */
  async fetchVisible(ids: readonly string[]): Promise<Map<string, DecidedRecord>> {
    const decided = await this.decide(await this.fetch(ids))
    return new Map(decided.map(one => [one.row.id, one]))
  }

  /** Does the same for records that must be visible in full; anything less counts as absent. */
  async requireFull(ids: readonly string[]): Promise<RecordRow[]> {
    const found = await this.fetchVisible(ids)
    return ids.map(id => {
      const decided = found.get(id)
      if (decided?.level !== 'full') throw absent()
      return decided.row
    })
  }

  /** Loads records that the caller may change: visible in full, in a vessel that it may write to (WR-1). */
  async requireWritable(ids: readonly string[]): Promise<RecordRow[]> {
    const rows = await this.requireFull(ids)
    for (const { tuple } of rows) {
      if (tuple.vessel !== 'user') throw absent()
      this.requireOwner(tuple.owner)
    }
    if (this.#ifVersion !== null) await this.#requireVersion(rows, this.#ifVersion)
    return rows
  }

  /**
   * Compares the version of the face. The record is locked, so it does not change before this request ends (NI-9).
   */
  async #requireVersion(rows: readonly RecordRow[], version: string): Promise<void> {
    if (rows.length !== 1)
      throw new PrivityError(
        'invalid_input',
        'ifVersion: works for one record, and this request changes several; leave it out',
      )
    const [view] = await this.view(await this.fetch(rows.map(({ id }) => id)))
    this.#versionLookedAt = true
    if (view?.version !== version)
      throw new PrivityError(
        'version_conflict',
        'the record has changed since you read it; read it again and retry',
      )
  }

  /** Fails if `ifVersion` was given but never checked, so that it does not seem to have matched. */
  requireVersionLookedAt(): void {
    if (this.#ifVersion !== null && !this.#versionLookedAt)
      throw new PrivityError('invalid_input', 'ifVersion: this operation changes no record; leave it out')
  }

  /** Requires that the caller may act for this owner; otherwise the owner does not exist for it. */
  requireOwner(owner: string): void {
    if (!this.parts.identity.principals.has(owner)) throw absent()
  }

  /** Those of some targets that the tuples of new records have to name. */
  async namedTargets(targets: readonly string[]): Promise<NamedTargets> {
    const named = await this.parts.reads.namedTargets(targets)
    for (const target of targets) this.#toAppend?.places.add(target)
    this.#toAppend?.named.push(named)
    return named
  }

  /** Adds records with everything that belongs to them, now or together with the operation. */
  async add(records: readonly NewRecord[]): Promise<void> {
    if (this.#toAppend === null) await insertRecords(this.tx, this.tenant, records)
    else this.#toAppend.records.push(...records)
  }

  /** Writes the operation, with what was left to be written together with it. Returns the digest of its row. */
  async complete(operation: OperationRow): Promise<string> {
    if (this.#toAppend === null) return insertOperation(this.tx, this.tenant, operation)
    const { records, places, named } = this.#toAppend
    return this.parts.reads.append({
      records,
      operation,
      targets: [...places],
      named: {
        overlaid: new Set(named.flatMap(({ overlaid }) => [...overlaid])),
        scoped: new Set(named.flatMap(({ scoped }) => [...scoped])),
      },
    })
  }

  /** Records that these records were written. They are embedded after the commit. */
  noteWritten(ids: readonly string[]): void {
    this.#written.push(...ids)
  }
  get written(): readonly string[] {
    return this.#written
  }

  /** Records that something waits in the outbox. It is sent after the commit. */
  leavesToSend(): void {
    this.#hasToSend = true
  }
  get hasToSend(): boolean {
    return this.#hasToSend
  }

  /** Records that a file with scanned pages was queued. They are recognised after the commit. */
  leavesScans(): void {
    this.#hasScans = true
  }
  get hasScans(): boolean {
    return this.#hasScans
  }

  /** Records that this request changes facts of this owner. */
  changesFactsOf(owner: string): void {
    this.#changedOwners.add(owner)
  }

  get changesFacts(): boolean {
    return this.#changedOwners.size > 0
  }

  /** The same, for facts that this request itself decides by from here on. */
  async renewFactsOf(owner: string): Promise<void> {
    this.changesFactsOf(owner)
    await advanceGeneration(this.tx, this.tenant, [owner], this.parts.clock.newId('generation'))
  }

  /** Advances the generation of every owner whose facts changed. Only the insert of the operation comes later. */
  async advanceGenerations(): Promise<string | null> {
    if (this.#changedOwners.size === 0) return null
    await advanceGeneration(this.tx, this.tenant, [...this.#changedOwners], this.generation)
    return this.generation
  }

  /** The new generation, shared by all facts that this request changes. */
  get generation(): string {
    this.#generation ??= this.parts.clock.newId('generation')
    return this.#generation
  }
}

export const timesOf = (row: Pick<RecordRow, 'createdAt' | 'expiresAt'>): RecordTimes => ({
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt?.getTime() ?? null,
})

/** Absent and not permitted get the same answer (NI-5). */
export function absent(): PrivityError {
  return new PrivityError('not_found', 'not found')
}
