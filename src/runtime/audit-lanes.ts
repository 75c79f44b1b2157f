import { PrivityError } from '../errors.js'
import { joinLabels, type Label, sameLabel } from '../policy/labels.js'
import type { StoredLabel } from '../policy/stored-label.js'
import type { Database, Transaction } from '../storage/database.js'
import { loadActorDigests } from '../storage/queries/audit-bindings.js'
import {
  type AuditEntryRow,
  type ChainedEntry,
  closeLane,
  type EntryBindings,
  insertEntries,
  insertLane,
  loadUnaudited,
  markAudited,
} from '../storage/queries/audit-lane.js'
import {
  type ExposureKey,
  exposureKeyText,
  loadExposures,
  saveExposures,
} from '../storage/queries/exposures.js'
import { loadGenerations } from '../storage/queries/load-generations.js'
import { insertSearchRuns, type NewSearchRun, purgeSearchRuns } from '../storage/queries/search-runs.js'
import { chain, ENTRY_VERSION, laneSeed } from './audit-chain.js'
import type { Clock } from './clock.js'
import type { Generations } from './facts.js'

/** How many exposures are known to be stored at most; the next one begins anew. */
const MOST_EXPOSURES = 10_000

/** An audit entry, with the conditions under which its answer may be sent. */
export interface Submission {
  readonly entry: AuditEntryRow
  /** If one of these generations moved since the decision, nothing is written and the request decides again. */
  readonly restsOn: Generations
  /** What the answer shows an agent; it is recorded before the answer is sent (WR-2). */
  readonly exposure: {
    readonly key: ExposureKey
    readonly label: Label
    readonly clearance: StoredLabel | null
    /** The records that raised the label. */
    readonly records: readonly string[]
  } | null
  /** The stored run of a search. It is written in the same transaction as the entry, or not at all (CV-1). */
  readonly run: NewSearchRun | null
  /**
   * Further writes in the transaction of the entry. Returns false if another request came first; then nothing is
   * written.
   */
  readonly claim?: ((tx: Transaction) => Promise<boolean>) | null
}

type Outcome = 'written' | 'moved' | 'taken'
interface WaitingSubmission extends Submission {
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** The lanes of this process: one per tenant, opened at its first entry. */
export class AuditLanes {
  readonly #db: Database
  readonly #clock: Clock
  readonly #lanes = new Map<string, Lane>()
  #closed = false
  #failedAt: number | null = null

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Resolves once the entry is committed; no answer is sent before that. */
  submit(tenant: string, submission: Submission): Promise<Outcome> {
    if (this.#closed) return Promise.reject(new PrivityError('closed', 'privity is closed'))
    let lane = this.#lanes.get(tenant)
    if (lane === undefined || lane.broken) {
      lane = new Lane(this.#db, this.#clock, tenant)
      this.#lanes.set(tenant, lane)
    }
    const outcome = lane.submit(submission)
    outcome.then(
      () => {
        this.#failedAt = null
      },
      () => {
        this.#failedAt = performance.now()
      },
    )
    return outcome
  }

  /** The `performance.now` at which the latest entry could not be written; null if it was written. */
  get failedAt(): number | null {
    return this.#failedAt
  }

  /** Tells the lane of this tenant to look for a committed write that has no audit entry. */
  recover(tenant: string): void {
    this.#lanes.get(tenant)?.recover()
  }

  /** Writes what is waiting and closes every lane in its tenant's register. */
  async close(): Promise<void> {
    this.#closed = true
    for (const lane of this.#lanes.values()) await lane.close()
  }
}

const BATCH = 500
const RECOVERED_AT_ONCE = 1_000
const PURGE_EVERY = 3_600_000
/** How many pseudonyms' digests a lane caches. */
const MOST_DIGESTS = 10_000

/** One hash chain. Entries that arrive while a batch is being written form the next batch, so they share a commit. */
class Lane {
  readonly #db: Database
  readonly #clock: Clock
  readonly #tenant: string
  readonly #id: string
  #waiting: WaitingSubmission[] = []
  #writing: Promise<void> | null = null
  #opened = false
  /** False while there may be operations that were committed without an audit entry. */
  #recovered = false
  #seq = 0
  #head: string
  /**
   * When expired ephemeral receipts were last deleted. The first search deletes them, and later ones now and then.
   */
  #purgedAt = Number.NEGATIVE_INFINITY
  /** Exposures known to be stored. They only grow, so an exposure that is already covered needs no write. */
  readonly #exposures = new Map<string, Label>()
  /** The digests of actors' names. A name never changes; once it is erased, its digest cannot be checked anyway. */
  readonly #digests = new Map<string, string>()
  /** If the outcome of a commit is unknown, so is the head: this lane ends and a new one begins. */
  broken = false

  constructor(db: Database, clock: Clock, tenant: string) {
    this.#db = db
    this.#clock = clock
    this.#tenant = tenant
    this.#id = clock.newId('lane')
    this.#head = laneSeed(tenant, this.#id)
  }

  submit(submission: Submission): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...submission, resolve, reject })
      this.#writing ??= this.#drain().finally(() => {
        this.#writing = null
      })
    })
  }

  /**
   * With the next batch, adds entries for operations whose process died or lost its connection before writing theirs.
   */
  recover(): void {
    this.#recovered = false
  }

  async #drain(): Promise<void> {
    // Lets everything that is submitted in this turn of the event loop join the first batch.
    await null
    while (this.#waiting.length > 0 || (this.#opened && !this.#recovered && !this.broken)) {
      const batch = this.#waiting.splice(0, BATCH)
      try {
        const outcomes = await this.#write(batch)
        for (const [at, waiting] of batch.entries()) waiting.resolve(outcomes[at] ?? 'moved')
      } catch (error) {
        this.broken = true
        const failure = new PrivityError(
          'audit_unavailable',
          'the audit log could not be written, so the request was not answered; try again',
          {
            cause: error,
          },
        )
        for (const waiting of [...batch, ...this.#waiting.splice(0)]) waiting.reject(failure)
      }
    }
  }

  async #write(batch: readonly WaitingSubmission[]): Promise<Outcome[]> {
    const recovers = !this.#recovered
    // This is set before the statements run, so that operations reported meanwhile are left to the next batch.
    this.#recovered = true
    const result = await this.#transaction(async tx => {
      if (!this.#opened) await insertLane(tx, this.#tenant, this.#id, this.#clock.now())
      const recovered = recovers ? await loadUnaudited(tx, this.#tenant, RECOVERED_AT_ONCE) : []
      const outcomes = await this.#checkGenerations(tx, batch)
      for (const [at, { claim }] of batch.entries())
        if (outcomes[at] === 'written' && claim && !(await claim(tx))) outcomes[at] = 'taken'
      const standing = batch.filter((_, at) => outcomes[at] === 'written')
      const exposures = await this.#noteExposures(tx, standing)
      const runs = standing.flatMap(({ run }) => run ?? [])
      await insertSearchRuns(tx, this.#tenant, runs)
      const purges = runs.length > 0 && this.#clock.now().getTime() - this.#purgedAt >= PURGE_EVERY
      if (purges) await purgeSearchRuns(tx, this.#tenant, this.#clock.now())
      const entries = await this.#unaudited(tx, [...recovered, ...standing.map(({ entry }) => entry)])
      const chained = this.#chain(entries)
      if (chained.length > 0) await insertEntries(tx, this.#tenant, this.#id, chained)
      return { outcomes, exposures, chained, purges, more: recovered.length === RECOVERED_AT_ONCE }
    })
    // The lane may move on only after the commit.
    this.#opened = true
    if (result.purges) this.#purgedAt = this.#clock.now().getTime()
    if (result.more) this.#recovered = false
    const last = result.chained.at(-1)
    if (last !== undefined) {
      this.#seq = last.seq
      this.#head = last.hash
    }
    for (const [key, label] of result.exposures) {
      // Those of earlier hours are of no more use.
      if (this.#exposures.size >= MOST_EXPOSURES) this.#exposures.clear()
      this.#exposures.set(key, label)
    }
    return result.outcomes
  }

  async #checkGenerations(tx: Transaction, batch: readonly WaitingSubmission[]): Promise<Outcome[]> {
    const owners = new Set(batch.flatMap(({ restsOn }) => [...restsOn.keys()]))
    if (owners.size === 0) return batch.map(() => 'written')
    const now = await loadGenerations(tx, this.#tenant, [...owners].sort())
    return batch.map(({ restsOn }) =>
      [...restsOn].every(([owner, generation]) => now.get(owner) === generation) ? 'written' : 'moved',
    )
  }

  async #noteExposures(tx: Transaction, batch: readonly WaitingSubmission[]): Promise<Map<string, Label>> {
    const wanted = new Map<string, NonNullable<Submission['exposure']>>()
    for (const { exposure } of batch) {
      if (exposure === null) continue
      const text = exposureKeyText(exposure.key)
      const known = wanted.get(text)?.label ?? this.#exposures.get(text)
      const label = known === undefined ? exposure.label : joinLabels(known, exposure.label)
      if (known !== undefined && sameLabel(known, label)) continue
      const records = [...(wanted.get(text)?.records ?? []), ...exposure.records]
      wanted.set(text, { ...exposure, label, records })
    }
    if (wanted.size === 0) return new Map()
    const stored = await loadExposures(
      tx,
      this.#tenant,
      [...wanted.values()].map(({ key }) => key),
    )
    const joined = [...wanted].map(([text, { key, label, clearance, records }]) => {
      const before = stored.get(text)
      return { key, clearance, records, label: before === undefined ? label : joinLabels(before, label) }
    })
    await saveExposures(tx, this.#tenant, joined)
    return new Map(joined.map(({ key, label }) => [exposureKeyText(key), label]))
  }

  /** Leaves out entries of operations that another lane has already recorded, and binds the others (AU-1). */
  async #unaudited(
    tx: Transaction,
    entries: readonly AuditEntryRow[],
  ): Promise<(AuditEntryRow & EntryBindings)[]> {
    const ids = entries.flatMap(({ operationId }) => operationId ?? [])
    const marked = ids.length === 0 ? new Map() : await markAudited(tx, this.#tenant, [...new Set(ids)])
    const digests = await this.#digestsOf(tx, entries)
    return entries.flatMap(entry => {
      const operationDigest = entry.operationId === null ? null : marked.get(entry.operationId)
      if (operationDigest === undefined) return []
      // An operation both recovered and submitted gets one entry only.
      if (entry.operationId !== null) marked.delete(entry.operationId)
      return {
        ...entry,
        version: ENTRY_VERSION,
        actorDigest: digests.get(entry.actorId) ?? null,
        forDigest: digests.get(entry.forId) ?? null,
        operationDigest,
      }
    })
  }

  async #digestsOf(tx: Transaction, entries: readonly AuditEntryRow[]): Promise<ReadonlyMap<string, string>> {
    const wanted = new Set(entries.flatMap(({ actorId, forId }) => [actorId, forId]))
    const unknown = [...wanted].filter(id => !this.#digests.has(id))
    if (unknown.length === 0) return this.#digests
    if (this.#digests.size + unknown.length > MOST_DIGESTS) {
      this.#digests.clear()
      return this.#digestsOf(tx, entries)
    }
    for (const [id, digest] of await loadActorDigests(tx, this.#tenant, unknown))
      this.#digests.set(id, digest)
    return this.#digests
  }

  #chain(entries: readonly (AuditEntryRow & EntryBindings)[]): ChainedEntry[] {
    let seq = this.#seq
    let head = this.#head
    return entries.map(entry => {
      const chained = chain(entry, ++seq, head)
      head = chained.hash
      return chained
    })
  }

  async close(): Promise<void> {
    await this.#writing
    if (!this.#opened || this.broken) return
    await this.#transaction(tx =>
      closeLane(tx, this.#tenant, this.#id, this.#clock.now(), this.#seq, this.#head),
    )
  }

  #transaction<T>(fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': this.#tenant } },
      fn,
    )
  }
}
