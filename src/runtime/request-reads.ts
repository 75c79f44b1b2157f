import type { Database, Transaction } from '../storage/database.js'
import { appendRecords, type RecordsToAppend } from '../storage/queries/append-records.js'
import { type Conversation, type Exposure, READ_EXPOSURES } from '../storage/queries/exposures.js'
import type { EdgeRow } from '../storage/queries/fetch-edges.js'
import type { FaceRow } from '../storage/queries/fetch-faces.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { KEPT_BY_GENERATION } from '../storage/queries/kept-by-generation.js'
import type { CallerRow } from '../storage/queries/load-caller.js'
import type { ConsentRow } from '../storage/queries/load-consents.js'
import { loadOwnerFacts, type OwnerFactRows } from '../storage/queries/load-owner-facts.js'
import { loadTenantFacts, type TenantFactsRow } from '../storage/queries/load-tenant-facts.js'
import {
  findNamedTargets,
  type NamedTargetRow,
  type NamedTargets,
  namedTargets,
} from '../storage/queries/named-targets.js'
import {
  type Answered,
  type Evidence,
  type ReadAnswer,
  type Reading,
  type ReadQuestion,
  readTogether,
  type Send,
} from '../storage/queries/read.js'
import type { FilesInQuestion, ReadingProgress } from '../storage/queries/reading-progress.js'
import { type Role, setRole } from '../storage/queries/set-role.js'
import type { RequestCaller } from './caller.js'
import type { CellView } from './index/cell.js'
import type { Cells, LookedAt } from './index/cells.js'
import { type KnownCaller, type KnownCallers, principalsOf } from './known-callers.js'
import { rlsSettings } from './rls-settings.js'
import { RunAgain } from './run-again.js'
import type { SharedReads } from './shared-reads.js'

/** Something that this attempt rests on has changed since it was read. A new attempt sees it as it is now. */
class Moved extends RunAgain {
  constructor() {
    super(async () => {}, 'what this request rests on has changed')
  }
}

/** Where a request has its answers from, unless it has a transaction. */
export interface RequestSources {
  readonly db: Database
  readonly shared: SharedReads
  readonly known: KnownCallers
  /** Called when a request that writes needs a transaction. It then starts again with one; what reads opens one. */
  readonly needsTransaction?: () => void
}

export interface FetchedRecords {
  readonly records: readonly RecordRow[]
  readonly edges: readonly EdgeRow[]
  /** What bears them out, if that was asked for. */
  readonly evidence: Evidence
}

/**
 * How one attempt of a request reads. Each statement is a snapshot of its own: it brings what was asked for, together
 * with who the caller is and the generations of the facts that decide about it. An attempt begins with what is
 * remembered of its caller; as soon as a statement says otherwise, it starts again with that (NI-7). Nothing leaves an
 * attempt before a statement has confirmed what it began with.
 *
 * A request that needs several statements in one snapshot opens a transaction with the first that it sends to `tx`.
 * From then on, everything is read in it.
 */
export class RequestReads {
  /** Opens a transaction for whatever is sent first. */
  readonly tx: Transaction
  readonly #db: Database | null
  readonly #shared: SharedReads | null
  readonly #known: KnownCallers | null
  readonly #needsTransaction: (() => void) | undefined
  readonly #caller: RequestCaller
  readonly #now: Date
  readonly #generations = new Map<string, string | undefined>()
  readonly #consents = new Map<string, ConsentRow | undefined>()
  #remembered: KnownCaller | null = null
  /** Decisions rest on their facts whatever they are about, so these are asked for with everything. */
  #principals: readonly string[] = []
  readonly #looked: { readonly cells: Cells; readonly looked: LookedAt; isConfirmed?: boolean }[] = []
  /** What the next statement is to bring as well. */
  #filesInQuestion: FilesInQuestion | null = null
  #reading: ReadingProgress | null = null
  #isConfirmed = false
  #waiting: (() => void)[] = []
  /** In a write: whether what was read last has not decided about anything yet. */
  #isFresh = false
  #within: Transaction | null
  #opening: Promise<Transaction> | null = null
  #ended: Promise<unknown> = Promise.resolve()
  #end: { resolve(): void; reject(error: unknown): void } | null = null

  private constructor(from: RequestSources | { tx: Transaction }, caller: RequestCaller, now: Date) {
    this.#db = 'db' in from ? from.db : null
    this.#shared = 'shared' in from ? from.shared : null
    this.#known = 'known' in from ? from.known : null
    this.#needsTransaction = 'db' in from ? from.needsTransaction : undefined
    this.#within = 'tx' in from ? from.tx : null
    this.#caller = caller
    this.#now = now
    this.tx = { query: async (sql, params) => (await this.#transaction()).query(sql, params) }
  }

  /** Runs one attempt of a request that only reads, or that only adds records. */
  static async attempt<T>(
    from: RequestSources,
    caller: RequestCaller,
    now: Date,
    run: (reads: RequestReads) => Promise<T>,
  ): Promise<T> {
    const reads = new RequestReads(from, caller, now)
    try {
      const result = await run(reads)
      await reads.#confirm()
      await reads.#close(null)
      return result
    } catch (error) {
      // A refusal is an answer too. What could not be confirmed because the store failed is reported as it came.
      const moved = error instanceof RunAgain ? null : await reads.#confirm().catch(asRunAgain)
      await reads.#close(moved ?? error)
      throw moved ?? error
    }
  }

  /** Reads in the transaction of a request that writes. Its statements may see different things, so nothing is kept. */
  static within(tx: Transaction, caller: RequestCaller, now: Date): RequestReads {
    return new RequestReads({ tx }, caller, now)
  }

  /** Does something once the store has said that the caller is who it was taken for. */
  whenConfirmed(act: () => void): void {
    if (this.#isConfirmed) act()
    else this.#waiting.push(act)
  }

  /** Who the caller is. */
  async caller(): Promise<CallerRow> {
    const known = this.#known?.recall(this.#caller) ?? null
    if (known !== null) {
      this.#remembered = known
      this.#principals = known.principals
      return known.row
    }
    return (await this.#read({}, this.#known === null ? '' : KEPT_BY_GENERATION)).caller
  }

  /** Records with their edges, as far as row-level security shows them. The same statement, whatever there is (NI-5). */
  async records(ids: readonly string[], evidence?: { readonly reach: number }): Promise<FetchedRecords> {
    const answer = await this.#read({ records: ids, ...(evidence && { evidence }) })
    this.#isFresh = true
    return answer
  }

  /**
   * The generations of facts, and consents. What an earlier statement brought is not asked for again; in a write, only
   * what came with the records to decide about is.
   */
  async facts(
    owners: readonly string[],
    consentIds: readonly string[],
  ): Promise<{
    generations: ReadonlyMap<string, string | undefined>
    consents: ReadonlyMap<string, ConsentRow | undefined>
  }> {
    const missing = {
      owners: owners.filter(owner => !this.#generations.has(owner)),
      consents: consentIds.filter(id => !this.#consents.has(id)),
    }
    const isMissing = missing.owners.length > 0 || missing.consents.length > 0
    const writes = this.#known === null
    if (writes && (isMissing || !this.#isFresh)) await this.#read({ owners, consents: consentIds })
    else if (isMissing) await this.#read(missing)
    this.#isFresh = false
    return { generations: this.#generations, consents: this.#consents }
  }

  /**
   * The same, but taken as they were last read if they are remembered. The next statement confirms them.
   */
  async supposeFacts(owners: readonly string[], consentIds: readonly string[]) {
    if (this.#known === null || this.#within !== null) return this.facts(owners, consentIds)
    const { tenant } = this.#caller
    const missing = { owners: [] as string[], consents: [] as string[] }
    for (const owner of owners) {
      if (this.#generations.has(owner)) continue
      const known = this.#known.recallFact<string | undefined>(tenant, 'generation', owner)
      if (known === undefined) missing.owners.push(owner)
      else this.#suppose(this.#generations, owner, known.value)
    }
    for (const id of consentIds) {
      if (this.#consents.has(id)) continue
      const known = this.#known.recallFact<ConsentRow | undefined>(tenant, 'consent', id)
      if (known === undefined) missing.consents.push(id)
      else this.#suppose(this.#consents, id, known.value)
    }
    if (missing.owners.length > 0 || missing.consents.length > 0)
      await this.#read(missing, KEPT_BY_GENERATION)
    return { generations: this.#generations, consents: this.#consents }
  }

  #suppose<Value>(into: Map<string, Value>, id: string, value: Value): void {
    into.set(id, value)
    this.#isConfirmed = false
  }

  /** The indexes of some cells. In a transaction they are brought to where it is; otherwise the next statement confirms them. */
  async cells(cells: Cells, names: readonly string[], role: Role): Promise<readonly CellView[]> {
    if (this.#within === null) {
      const looked = await cells.look(this.#caller.tenant, names)
      this.#looked.push({ cells, looked })
      this.#isConfirmed = false
      return looked.views
    }
    await setRole(this.#within, 'privity_index')
    const takesIn = role === 'privity_app'
    const views = await cells.sync(this.#within, this.#caller.tenant, names, { takesIn })
    await setRole(this.#within, role)
    return views
  }

  /** What the faces of records are made from, under row-level security. */
  async faces(ids: readonly string[]): Promise<readonly FaceRow[]> {
    return (await this.#read({ faces: ids })).faces
  }

  /** What an agent was shown in a conversation since a time. */
  async exposures(conversation: Conversation, since: Date): Promise<readonly Exposure[]> {
    const { actorId, forId, session } = conversation
    if (this.#within !== null)
      return this.#within.query<Exposure>(READ_EXPOSURES, [
        this.#caller.tenant,
        actorId,
        forId,
        session,
        since,
      ])
    const exposures = { actorId, forId, session, since: since.toISOString() }
    return (await this.#read({ exposures })).exposures
  }

  /** Those of some targets that the tuples of records have to name. Where no transaction is open, as they were last read. */
  async namedTargets(targets: readonly string[]): Promise<NamedTargets> {
    const { tenant } = this.#caller
    const known = this.#known
    if (this.#within !== null || known === null) return findNamedTargets(this.tx, tenant, targets)
    const remembered = targets.map(target => known.recallFact<NamedTargetRow[]>(tenant, 'target', target))
    if (!remembered.includes(undefined)) return namedTargets(remembered.flatMap(fact => fact?.value ?? []))
    const beforehand = known.mark(tenant)
    const { named } = await this.#read({ targets }, KEPT_BY_GENERATION)
    this.#learnTargets(targets, named, beforehand)
    return namedTargets(named)
  }

  #learnTargets(targets: readonly string[], named: readonly NamedTargetRow[], beforehand: number): void {
    for (const target of targets) {
      const rows = named.filter(row => row.target === target)
      this.#known?.learnFact(this.#caller.tenant, 'target', target, rows, beforehand)
    }
  }

  /**
   * Adds records by a statement that first confirms what this attempt began with, under the locks of the owners.
   * Returns the digest of the operation's row.
   */
  async append(added: Pick<RecordsToAppend, 'records' | 'targets' | 'named' | 'operation'>): Promise<string> {
    const [db, known, remembered] = [this.#db, this.#known, this.#remembered]
    if (db === null || known === null || remembered === null)
      throw new Error('only a request without a transaction appends')
    const { tenant, actingFor, key, profile } = this.#caller
    // What a statement brought may be outdated by now, and no lock holds it.
    if (this.#consents.size > 0) await this.#transaction()
    const { principals } = remembered
    const { generations } = await this.supposeFacts(['', ...principals], [])
    const beforehand = known.mark(tenant)
    const outcome = await appendRecords(
      (sql, params) => db.statement({ access: 'write', tenant }, sql, params),
      {
        ...added,
        tenant,
        owners: [actingFor, ...principals.filter(owner => owner !== actingFor).sort()],
        caller: { principal: actingFor, key, profile, now: this.#now.toISOString() },
        supposed: {
          caller: remembered.row,
          generations: Object.fromEntries([...generations].map(([owner, now = null]) => [owner, now])),
        },
      },
    )
    if (outcome.outcome === 'moved') {
      this.#learnTargets(added.targets, outcome.named, beforehand)
      this.#meet({ ...outcome, consents: [] }, [], beforehand)
      throw new Moved()
    }
    for (const act of this.#waiting.splice(0)) act()
    this.#isConfirmed = true
    return outcome.digest
  }

  /** How far some files have been read. It comes with the next statement, or with one of its own once it is needed. */
  reading(files: FilesInQuestion): () => Promise<ReadingProgress> {
    this.#filesInQuestion = files
    this.#reading = null
    return async () => {
      if (this.#reading === null) await this.#read({})
      if (this.#reading === null) throw new Error('how far files have been read was not asked for')
      return this.#reading
    }
  }

  /** The facts of owners in the generations that this attempt rests on. A generation names them for good. */
  async ownerFacts(owners: readonly string[]): Promise<OwnerFactRows> {
    const { tenant } = this.#caller
    const beforehand = this.#known?.mark(tenant) ?? 0
    const rows = await loadOwnerFacts(this.#send, tenant, owners)
    let moved = false
    for (const owner of owners) {
      const now = rows.generations[owner]
      if (now === this.#generations.get(owner)) continue
      // The next attempt must not suppose the old one again.
      this.#known?.learnFact(tenant, 'generation', owner, now, beforehand)
      moved = true
    }
    if (moved) throw new Moved()
    return rows
  }

  async tenantFacts(generation: string | null): Promise<TenantFactsRow> {
    const row = await loadTenantFacts(this.#send, this.#caller.tenant)
    if (row.generation !== generation) {
      // The next attempt must not suppose the old one again.
      this.#known?.forget(this.#caller)
      throw new Moved()
    }
    return row
  }

  async #read(
    asked: Partial<Omit<ReadQuestion, 'settings' | 'tenant' | 'caller' | 'reading'>>,
    mark = '',
  ): Promise<ReadAnswer> {
    const { tenant, actingFor, key, profile } = this.#caller
    const beforehand = this.#known?.mark(tenant) ?? 0
    const looked = this.#looked.filter(one => !one.isConfirmed)
    const since = new Map(looked.flatMap(({ cells, looked }) => [...cells.sinceOf(looked)]))
    const settings = this.#within === null ? { settings: rlsSettings(this.#caller, this.#now) } : {}
    const reading = this.#filesInQuestion
    const answer = await this.#ask({
      question: {
        ...settings,
        tenant,
        caller: { principal: actingFor, key, profile, now: this.#now.toISOString() },
        ...asked,
        ...(reading && { reading }),
        // What was supposed is to be confirmed.
        owners: [...new Set(['', ...this.#principals, ...this.#generations.keys(), ...(asked.owners ?? [])])],
        consents: [...new Set([...this.#consents.keys(), ...(asked.consents ?? [])])],
      },
      since,
      mark,
    })
    for (const one of looked) {
      if (answer.changes === null) throw new Error('no changes were read')
      const disagreement = one.cells.disagreement(one.looked, answer.changes)
      if (disagreement !== null) throw disagreement
      // From here on the transaction sees no more than this; another statement may.
      one.isConfirmed = this.#within !== null
    }
    this.#meet(answer, asked.consents ?? [], beforehand)
    if (reading !== null) {
      this.#reading = answer.reading
      this.#filesInQuestion = null
    }
    return answer
  }

  /** Compares an answer with what this attempt began with and has read before. */
  #meet(
    answer: Pick<ReadAnswer, 'caller' | 'generations' | 'consents'>,
    consents: readonly string[],
    beforehand: number,
  ): void {
    const known = this.#known?.learn(this.#caller, answer.caller, beforehand) ?? null
    const isSame = this.#remembered === null || this.#remembered.text === known?.text
    this.#remembered = known
    this.#principals = known?.principals ?? principalsOf(this.#caller, answer.caller)
    if (!isSame) throw new Moved()
    const { tenant } = this.#caller
    for (const act of this.#waiting.splice(0)) act()
    if (this.#known === null) {
      // What a write read before may be outdated by now.
      this.#generations.clear()
      this.#consents.clear()
    }
    let moved = false
    for (const [owner, generation] of Object.entries(answer.generations)) {
      const now = generation ?? undefined
      this.#known?.learnFact(tenant, 'generation', owner, now, beforehand)
      if (this.#generations.has(owner) && this.#generations.get(owner) !== now) moved = true
      this.#generations.set(owner, now)
    }
    const found = new Map(answer.consents.map(row => [row.consentRecordId, row]))
    for (const id of new Set([...this.#consents.keys(), ...consents, ...found.keys()])) {
      const now = found.get(id)
      this.#known?.learnFact(tenant, 'consent', id, now, beforehand)
      if (this.#consents.has(id) && JSON.stringify(this.#consents.get(id)) !== JSON.stringify(now))
        moved = true
      this.#consents.set(id, now)
    }
    if (moved) throw new Moved()
    this.#isConfirmed = true
  }

  async #confirm(): Promise<void> {
    if (!this.#isConfirmed) await this.#read({})
  }

  /** In the transaction if there is one, else together with what others ask. */
  async #ask(reading: Reading): Promise<Answered> {
    if (this.#within === null && this.#shared !== null) return this.#shared.read(reading)
    const [answer] = await readTogether(this.#send, [reading])
    if (answer === undefined) throw new Error('a question was not answered')
    return answer
  }

  readonly #send: Send = (sql, params) => {
    if (this.#within !== null) return this.#within.query(sql, params)
    if (this.#db === null) throw new Error('a request has a transaction or a database')
    return this.#db.statement({ access: 'read', tenant: this.#caller.tenant }, sql, params)
  }

  /** The transaction that is open, or a new one that begins by confirming what was read before it. */
  #transaction(): Promise<Transaction> {
    if (this.#within !== null && this.#opening === null) return Promise.resolve(this.#within)
    if (this.#needsTransaction !== undefined)
      throw new RunAgain(async () => this.#needsTransaction?.(), 'this write needs a transaction')
    this.#opening ??= this.#open().then(async tx => {
      this.#within = tx
      await this.#read({})
      return tx
    })
    return this.#opening
  }

  #open(): Promise<Transaction> {
    const db = this.#db
    if (db === null) throw new Error('a request has a transaction or a database')
    return new Promise((opened, failed) => {
      let hasBegun = false
      const settings = rlsSettings(this.#caller, this.#now)
      this.#ended = db.transaction({ access: 'read', role: 'privity_app', settings }, tx => {
        // The transaction has to be repeated, and with it everything that was done in it.
        if (hasBegun) throw new RunAgain(async () => {}, 'the transaction has to be repeated')
        hasBegun = true
        return new Promise<void>((resolve, reject) => {
          this.#end = { resolve, reject }
          opened(tx)
        })
      })
      this.#ended.catch(failed)
    })
  }

  /** Ends the transaction, if one was opened. */
  async #close(error: unknown): Promise<void> {
    if (this.#opening === null) return
    await this.#opening.catch(() => {})
    if (error === null) this.#end?.resolve()
    else this.#end?.reject(error)
    const ended = await this.#ended.then(
      () => null,
      (failure: unknown) => ({ failure }),
    )
    if (ended !== null && (error === null || ended.failure instanceof RunAgain)) throw ended.failure
  }
}

const asRunAgain = (error: unknown) => (error instanceof RunAgain ? error : null)
