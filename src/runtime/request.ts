import { PrivityError } from '../errors.js'
import { type Face, type Level, NONE, shownLevel } from '../policy/faces.js'
import { joinLabels, type Label, LEAST_LABEL, metadataLabel } from '../policy/labels.js'
import type { ContractFacts, Subject } from '../policy/subject.js'
import type { RecordTimes } from '../policy/tuple.js'
import { salienceNow } from '../search/salience.js'
import type { Transaction } from '../storage/database.js'
import { advanceGeneration } from '../storage/queries/advance-generation.js'
import { fetchEdges } from '../storage/queries/fetch-edges.js'
import { fetchRecords, type RecordRow } from '../storage/queries/fetch-records.js'
import type { NewSearchRun } from '../storage/queries/search-runs.js'
import { type Role, setRole } from '../storage/queries/set-role.js'
import type { RequestCaller } from './caller.js'
import type { Clock } from './clock.js'
import type { Completions } from './completions.js'
import type { Summaries } from './consolidation.js'
import type { Domain } from './domain.js'
import type { Embeddings } from './embedding/embeddings.js'
import type { Meanings } from './embedding/meanings.js'
import type { Extraction } from './extraction.js'
import { compartmentsOf, type DecisionInput, facesOf } from './faces-of.js'
import { type CitedOwners, type FactsCache, type Generations, type Identity, loadSubject } from './facts.js'
import type { Cells } from './index/cells.js'
import type { Decisions } from './index/visible-set.js'
import { type KnownEdge, knownEdges } from './known-edges.js'
import type { ClassBounds } from './leases.js'
import type { Outbox } from './outbox.js'
import type { RunningProfile } from './profile.js'
import { hasWords, type RecordView, viewRecord } from './record-view.js'
import type { Preparations } from './run-again.js'
import type { SearchSettings } from './search/settings.js'
import type { Secrets } from './secrets.js'
import type { TenantFacts } from './tenant-facts.js'
import type { Tokenizer } from './tokenizer.js'

/** What every request has at hand. */
export interface MediationSettings {
  /** How many days a request to share something waits for its decision (CB-5). */
  readonly requestDays: number
}

export interface RequestParts {
  readonly tx: Transaction
  readonly caller: RequestCaller
  readonly identity: Identity
  /** The profile that it runs under; null where its credential is all there is. */
  readonly profile: RunningProfile | null
  readonly tenantFacts: TenantFacts
  /** The same, read again: for a change that waited its turn. */
  readonly readTenantFacts: () => Promise<TenantFacts>
  /** How much there is of a class of capacity; null is none. */
  readonly capacityOf: (leaseClass: string) => ClassBounds | null
  readonly cache: FactsCache
  readonly cells: Cells
  readonly embeddings: Embeddings
  /** What its questions mean. */
  readonly meanings: Meanings
  /** What a model makes of what it is asked, outside of any transaction. */
  readonly completions: Completions
  /** What a model makes of what a question is after. */
  readonly reader: Completions
  readonly searchSettings: SearchSettings
  /** What counts the tokens of what a model is given. */
  readonly tokenizer: Tokenizer
  /** What corpora of it are read and searched by; null where there is none. */
  readonly domain: Domain | null
  readonly mediation: MediationSettings
  /** What takes its time, and is done outside of any transaction. */
  readonly prepared: Preparations
  /** What reads files, which takes its time as well. */
  readonly extraction: Extraction
  readonly decisions: Decisions
  readonly outbox: Outbox
  readonly secrets: Secrets
  /** In how many milliseconds a record of a kind loses half of its salience. */
  readonly halfLifeOf: (kind: string) => number
  readonly clock: Clock
  /** One moment for the whole request. */
  readonly now: Date
  /** Pseudonyms of the caller, as history knows it. */
  readonly actorId: string
  readonly forId: string
}

/** A record and how much of it this caller may see. */
export interface DecidedRecord {
  readonly row: RecordRow
  readonly level: Level
}

/** One request in one snapshot. It remembers what its answer rests on and what it shows. */
export class ReadRequest {
  readonly parts: RequestParts
  readonly #generations = new Map<string, string | undefined>()
  readonly #shown = new Set<string>()
  readonly #labels = new WeakMap<RecordView, Label>()
  readonly #counts = new Map<string, number>()
  #contract: ContractFacts | null = null
  #facts: Subject | null = null
  #exposure: Label | null = null
  #run: NewSearchRun | null = null
  #claim: { take: (tx: Transaction) => Promise<boolean>; taken: PrivityError } | null = null

  constructor(parts: RequestParts) {
    this.parts = parts
    // What the caller may do at all was decided by the tenant's own facts.
    this.#generations.set('', parts.identity.tenantGeneration ?? undefined)
    for (const [owner, generation] of parts.profile?.generations ?? [])
      this.#generations.set(owner, generation)
  }

  /** The role its statements run as. */
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

  /** The generations this request's decisions used. */
  get restsOn(): Generations {
    return this.#generations
  }
  /** Ids of records whose faces are in the answer. */
  get shown(): readonly string[] {
    return [...this.#shown].sort()
  }
  /** The label of all words in the answer; null when there were none (WR-2). */
  get exposure(): Label | null {
    return this.#exposure
  }

  /** What this request leaves of its search, written together with its audit entry. */
  get run(): NewSearchRun | null {
    return this.#run
  }
  leave(run: NewSearchRun): void {
    this.#run = run
  }

  /** Something that only one request can have: where another was first, this one is refused with the error. */
  claim(take: (tx: Transaction) => Promise<boolean>, taken: PrivityError): void {
    this.#claim = { take, taken }
  }
  get claimed(): { take: (tx: Transaction) => Promise<boolean>; taken: PrivityError } | null {
    return this.#claim
  }

  /** As many results as were asked for, or as its profile lets an answer have (SP-10). */
  atMost(limit: number): number {
    return Math.min(limit, this.parts.profile?.most.results ?? limit)
  }

  /** From here on, what is read is read under the contract of a mediation. */
  enterContract(contract: ContractFacts): void {
    this.#contract = contract
    this.#facts = null
  }
  get contract(): ContractFacts | null {
    return this.#contract
  }

  /** Figures for the audit entry, beside how many records were shown: never content (AU-3). */
  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by)
  }
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }

  /** The subject with all facts that some compartments ask for. */
  async subjectFor(cited: CitedOwners): Promise<Subject> {
    const { tx, cache, caller, identity, now } = this.parts
    const { subject, generations } = await loadSubject(
      tx,
      cache,
      caller,
      identity,
      cited,
      now.getTime(),
      this.#contract,
    )
    for (const [owner, generation] of generations) this.#generations.set(owner, generation)
    return subject
  }

  /**
   * The same for everything in the cells that this caller could see anything of. A snapshot reads these facts once: from
   * here on they decide every record, and one that cites other facts lies in no such cell and is not seen. A request
   * that changes something reads them each time, as its statements do not all see the same.
   */
  async subjectForCells(cited: CitedOwners): Promise<Subject> {
    const facts = this.#facts ?? (await this.subjectFor(cited))
    if (this.role === 'privity_app') this.#facts = facts
    return facts
  }

  /**
   * Records as their faces, with the relations that may be known (NI-6, PC-5). The same statements run whatever the
   * records are and however many edges are hidden. What enters the answer must be passed to `show`.
   */
  async view(rows: readonly RecordRow[]): Promise<(RecordView | null)[]> {
    const edgeRows = await fetchEdges(
      this.tx,
      this.tenant,
      rows.map(row => row.id),
    )
    const faces = await this.faces([
      ...rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })),
      ...edgeRows,
    ])
    const edges = new Map<string, KnownEdge[]>(rows.map(row => [row.id, []]))
    for (const edge of knownEdges(edgeRows, faces.slice(rows.length))) edges.get(edge.record)?.push(edge)
    return rows.map((row, at) => {
      const level = shownLevel(faces[at] ?? NONE)
      const shown = level === 'full' ? (edges.get(row.id) ?? []) : []
      const view = viewRecord(row, level, this.salienceOf(row), shown)
      if (view !== null) this.#labels.set(view, joinLabels(row.tuple, ...shown.map(({ label }) => label)))
      return view
    })
  }

  /** Edges of records that are seen in full, as far as they may be known. */
  async edgesOf(ids: readonly string[]): Promise<KnownEdge[]> {
    const rows = await fetchEdges(this.tx, this.tenant, ids)
    return knownEdges(rows, await this.faces(rows))
  }

  /** How much a record matters now. */
  salienceOf({ salience, salienceAt, pinned, tuple }: RecordRow): number {
    const stored = { salience, since: salienceAt.getTime(), pinned }
    return salienceNow(stored, this.parts.halfLifeOf(tuple.kind), this.now.getTime())
  }

  /** Notes that a view is in the answer. */
  show(view: RecordView): void {
    this.#shown.add(view.id)
    const label = this.#labels.get(view)
    if (label === undefined || !hasWords(view)) return
    this.expose(view.face === 'metadata' ? metadataLabel(label) : label)
  }

  /** The same, where it is shown in another form than a view. */
  showRow({ id, tuple }: Pick<RecordRow, 'id' | 'tuple'>, level: Level): void {
    if (level === 'none') return
    this.#shown.add(id)
    this.expose(level === 'metadata' ? metadataLabel(tuple) : tuple)
  }

  /** Notes that words under this label are in the answer; null is under none. */
  expose(label: Label | null): void {
    if (label !== null) this.#exposure = joinLabels(this.#exposure ?? LEAST_LABEL, label)
  }

  /** How much of each record is shown under its own id. */
  async decide(rows: readonly RecordRow[]): Promise<DecidedRecord[]> {
    const faces = await this.faces(rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })))
    return rows.map((row, at) => ({ row, level: shownLevel(faces[at] ?? NONE) }))
  }

  /** The faces of some records: each distinct tuple is decided once. */
  async faces(records: readonly DecisionInput[]): Promise<Face[]> {
    const compartments = compartmentsOf(records)
    return facesOf(this.#facts ?? (await this.subjectFor(compartments.table.cited)), records, compartments)
  }
}

/** A request that changes something. Reads inside it go through the same gates and policies. */
export class WriteRequest extends ReadRequest {
  /** What a model makes of records, asked outside of the transaction. */
  readonly summaries: Summaries
  readonly #changedOwners = new Set<string>()
  readonly #written: string[] = []
  readonly #ifVersion: string | null
  #versionLookedAt = false
  #hasToSend = false
  #generation: string | null = null

  constructor(parts: RequestParts, summaries: Summaries, ifVersion: string | null) {
    super(parts)
    this.summaries = summaries
    this.#ifVersion = ifVersion
  }

  override get role(): Role {
    return 'privity_writer'
  }

  /** Records by id as this caller may see them; runs the same statements whatever is found (NI-5). */
  async fetchVisible(ids: readonly string[]): Promise<Map<string, DecidedRecord>> {
    await setRole(this.tx, 'privity_app')
    const rows = await fetchRecords(this.tx, this.tenant, ids)
    await setRole(this.tx, 'privity_writer')
    return new Map((await this.decide(rows)).map(decided => [decided.row.id, decided]))
  }

  /** The same, for records that must be seen in full; anything less is absent. */
  async requireFull(ids: readonly string[]): Promise<RecordRow[]> {
    const found = await this.fetchVisible(ids)
    return ids.map(id => {
      const decided = found.get(id)
      if (decided?.level !== 'full') throw absent()
      return decided.row
    })
  }

  /** Records that the caller may change: seen in full, in a vessel it may write to (WR-1). */
  async requireWritable(ids: readonly string[]): Promise<RecordRow[]> {
    const rows = await this.requireFull(ids)
    for (const { tuple } of rows) {
      if (tuple.vessel !== 'user') throw absent()
      this.requireOwner(tuple.owner)
    }
    if (this.#ifVersion !== null) await this.#requireVersion(rows, this.#ifVersion)
    return rows
  }

  /** The version is that of the face, and the record is locked: it stays what it is until this request ends (NI-9). */
  async #requireVersion(rows: readonly RecordRow[], version: string): Promise<void> {
    if (rows.length !== 1)
      throw new PrivityError(
        'invalid_input',
        'ifVersion: names the version of one record, and this changes several',
      )
    await setRole(this.tx, 'privity_app')
    const [view] = await this.view(rows)
    await setRole(this.tx, 'privity_writer')
    this.#versionLookedAt = true
    if (view?.version !== version)
      throw new PrivityError('version_conflict', 'the record has changed; read it again')
  }

  /** A condition that nothing looked at must not seem to have held. */
  requireVersionLookedAt(): void {
    if (this.#ifVersion !== null && !this.#versionLookedAt)
      throw new PrivityError(
        'invalid_input',
        'ifVersion: this operation changes no record that has a version',
      )
  }

  /** The caller may act for this owner, or the owner does not exist for it. */
  requireOwner(owner: string): void {
    if (!this.parts.identity.principals.has(owner)) throw absent()
  }

  /** Notes that records were written: once they stand, they are embedded. */
  noteWritten(ids: readonly string[]): void {
    this.#written.push(...ids)
  }
  get written(): readonly string[] {
    return this.#written
  }

  /** Notes that something waits in the outbox: once it stands, it is sent. */
  leavesToSend(): void {
    this.#hasToSend = true
  }
  get hasToSend(): boolean {
    return this.#hasToSend
  }

  /** Notes that facts of this owner change with this request. */
  changesFactsOf(owner: string): void {
    this.#changedOwners.add(owner)
  }

  /** Advances the generation of every owner whose facts changed. The last statement but the operation itself. */
  async advanceGenerations(): Promise<string | null> {
    if (this.#changedOwners.size === 0) return null
    await advanceGeneration(this.tx, this.tenant, [...this.#changedOwners], this.generation)
    return this.generation
  }

  /** What this request makes of facts that it changes: one generation for all of them. */
  get generation(): string {
    this.#generation ??= this.parts.clock.newId('generation')
    return this.#generation
  }
}

export const timesOf = (row: Pick<RecordRow, 'createdAt' | 'expiresAt'>): RecordTimes => ({
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt?.getTime() ?? null,
})

/** Absent and not permitted are one answer (NI-5). */
export function absent(): PrivityError {
  return new PrivityError('not_found', 'not found')
}
