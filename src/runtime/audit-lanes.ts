import { setImmediate as nextTurn } from 'node:timers/promises'
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
  loadUnaudited,
  type UnboundEntry,
} from '../storage/queries/audit-lane.js'
import { type ExposureKey, exposureKeyText } from '../storage/queries/exposures.js'
import { type NewSearchRun, purgeSearchRuns } from '../storage/queries/search-runs.js'
import {
  type AuditOutcome,
  type AuditToWrite,
  type ExposureToWrite,
  writeAudit,
} from '../storage/queries/write-audit.js'
import { chain, ENTRY_VERSION, laneSeed } from './audit-chain.js'
import type { Clock } from './clock.js'
import type { Generations } from './facts.js'

/** How many exposures are known to be stored at most; the next one begins anew. */
const MOST_EXPOSURES = 10_000

/** An audit entry, with the conditions under which its answer may be sent. */
export interface Submission {
  readonly entry: UnboundEntry
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
/** How often a batch is written again with what turned out to be different. */
const ATTEMPTS = 100
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
    await nextTurn()
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
    const recovered = await this.#prepare(recovers, batch)
    if (recovered.length === RECOVERED_AT_ONCE) this.#recovered = false
    const outcomes = batch.map((): Outcome => 'written')
    const recorded = new Set<string>()
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const standing = batch.filter((_, at) => outcomes[at] === 'written')
      // An operation both recovered and submitted gets one entry only, and so does one that another lane recorded.
      const unrecorded = withoutRepeats([...recovered, ...standing.map(({ entry }) => entry)], recorded)
      const written = await this.#writeOnce(standing, unrecorded)
      switch (written.outcome) {
        case 'written':
          await this.#purge(standing)
          return outcomes
        case 'taken':
          for (const one of written.submissions) outcomes[batch.indexOf(one)] = 'taken'
          break
        case 'moved':
          for (const [at, { restsOn }] of batch.entries())
            if (outcomes[at] === 'written' && !stands(restsOn, written.generations)) outcomes[at] = 'moved'
          break
        case 'recorded':
          for (const operation of written.operations) recorded.add(operation)
          break
        case 'exposed':
          for (const { hour, ...row } of written.exposures)
            this.#exposures.set(exposureKeyText({ ...row, hour: new Date(hour) }), row)
          break
      }
    }
    throw new Error('what the audit rests on keeps changing')
  }

  /** Writes all entries of a batch and what belongs to them, or none. */
  async #writeOnce(
    batch: readonly WaitingSubmission[],
    entries: readonly UnboundEntry[],
  ): Promise<AuditOutcome | Taken> {
    const exposures = this.#exposuresToWrite(batch)
    const chained = this.#chain(entries.map(entry => this.#bind(entry)))
    const restsOn = batch.flatMap(({ restsOn }) =>
      [...restsOn].map(([owner, generation = null]) => ({ owner, generation })),
    )
    const audit: AuditToWrite = {
      tenant: this.#tenant,
      lane: this.#id,
      opensAt: this.#opened ? null : this.#clock.now().toISOString(),
      restsOn: [...new Map(restsOn.map(one => [JSON.stringify(one), one])).values()],
      exposures,
      runs: batch.flatMap(({ run }) => run ?? []),
      entries: chained,
    }
    const isEmpty = chained.length === 0 && restsOn.length === 0 && this.#opened
    const result = isEmpty ? ({ outcome: 'written' } as const) : await this.#send(batch, audit)
    if (result.outcome !== 'written') return result
    // The lane may move on only after the commit.
    const last = chained.at(-1)
    if (last !== undefined) {
      this.#seq = last.seq
      this.#head = last.hash
    }
    for (const { key, label } of exposures) {
      // Those of earlier hours are of no more use.
      if (this.#exposures.size >= MOST_EXPOSURES) this.#exposures.clear()
      this.#exposures.set(exposureKeyText(key), label)
    }
    return result
  }

  /** One statement, or a transaction where somebody claims what only one can have. */
  async #send(batch: readonly WaitingSubmission[], audit: AuditToWrite): Promise<AuditOutcome | Taken> {
    const claims = batch.filter(({ claim }) => claim)
    const options = { access: 'log', tenant: this.#tenant } as const
    if (claims.length === 0) {
      const result = await writeAudit((sql, params) => this.#db.statement(options, sql, params), audit)
      // Even if nothing else was written.
      this.#opened = true
      return result
    }
    try {
      const result = await this.#transaction(async tx => {
        const taken: WaitingSubmission[] = []
        for (const one of claims) if (!(await one.claim?.(tx))) taken.push(one)
        const result =
          taken.length > 0
            ? ({ outcome: 'taken', submissions: taken } as const)
            : await writeAudit((sql, params) => tx.query(sql, params), audit)
        if (result.outcome !== 'written') throw new Undone(result)
        return result
      })
      this.#opened = true
      return result
    } catch (error) {
      if (!(error instanceof Undone)) throw error
      return error.result
    }
  }

  /** What has to be known before the entries can be chained, and entries that others left to be written. */
  async #prepare(recovers: boolean, batch: readonly WaitingSubmission[]): Promise<UnboundEntry[]> {
    const unknown = this.#unknownActors(batch.map(({ entry }) => entry))
    if (!recovers && unknown.length === 0) return []
    return this.#db.transaction({ ...this.#options, access: 'read' }, async tx => {
      const recovered = recovers ? await loadUnaudited(tx, this.#tenant, RECOVERED_AT_ONCE) : []
      const wanted = [...new Set([...unknown, ...this.#unknownActors(recovered)])]
      if (wanted.length === 0) return recovered
      if (this.#digests.size + wanted.length > MOST_DIGESTS) this.#digests.clear()
      const all =
        this.#digests.size === 0 ? this.#actorsOf([...recovered, ...batch.map(b => b.entry)]) : wanted
      for (const [id, digest] of await loadActorDigests(tx, this.#tenant, all)) this.#digests.set(id, digest)
      return recovered
    })
  }

  #actorsOf(entries: readonly AuditEntryRow[]): string[] {
    return [...new Set(entries.flatMap(({ actorId, forId }) => [actorId, forId]))]
  }
  #unknownActors(entries: readonly AuditEntryRow[]): string[] {
    return this.#actorsOf(entries).filter(id => !this.#digests.has(id))
  }

  async #purge(batch: readonly WaitingSubmission[]): Promise<void> {
    if (batch.every(({ run }) => run === null)) return
    const now = this.#clock.now()
    if (now.getTime() - this.#purgedAt < PURGE_EVERY) return
    this.#purgedAt = now.getTime()
    const options = { access: 'log', tenant: this.#tenant } as const
    try {
      await purgeSearchRuns((sql, params) => this.#db.statement(options, sql, params), this.#tenant, now)
    } catch {
      // The entries are written. What is due is deleted with the next search.
      this.#purgedAt = Number.NEGATIVE_INFINITY
    }
  }

  /** Exposures that are not stored yet: they only grow, so one that is covered needs no write. */
  #exposuresToWrite(batch: readonly WaitingSubmission[]): ExposureToWrite[] {
    const wanted = new Map<string, ExposureToWrite>()
    for (const { exposure } of batch) {
      if (exposure === null) continue
      const text = exposureKeyText(exposure.key)
      const before = this.#exposures.get(text) ?? null
      const known = wanted.get(text)?.label ?? before
      const label = known === null ? exposure.label : joinLabels(known, exposure.label)
      if (known !== null && sameLabel(known, label)) continue
      const records = [...(wanted.get(text)?.records ?? []), ...exposure.records]
      wanted.set(text, { ...exposure, before, label, records })
    }
    return [...wanted.values()]
  }

  #bind(entry: UnboundEntry): AuditEntryRow & EntryBindings {
    return {
      ...entry,
      version: ENTRY_VERSION,
      actorDigest: this.#digests.get(entry.actorId) ?? null,
      forDigest: this.#digests.get(entry.forId) ?? null,
    }
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
    return this.#db.transaction({ ...this.#options, access: 'write' }, fn)
  }
  get #options() {
    return { role: 'privity_writer', settings: { 'privity.tenant': this.#tenant } }
  }
}

/** Requests that claim what another has. */
interface Taken {
  readonly outcome: 'taken'
  readonly submissions: readonly WaitingSubmission[]
}

/** Thrown to roll a transaction back. */
class Undone extends Error {
  readonly result: Exclude<AuditOutcome, { outcome: 'written' }> | Taken

  constructor(result: Undone['result']) {
    super('rolled back')
    this.result = result
  }
}

/** Whether these generations are those of now, as far as they are among them. */
const stands = (restsOn: Generations, now: Readonly<Record<string, string | null>>): boolean =>
  [...restsOn].every(([owner, generation]) => !(owner in now) || (now[owner] ?? undefined) === generation)

function withoutRepeats(
  entries: readonly UnboundEntry[],
  recorded: ReadonlySet<string>,
): readonly UnboundEntry[] {
  const seen = new Set(recorded)
  return entries.filter(({ operationId }) => {
    if (operationId === null) return true
    if (seen.has(operationId)) return false
    seen.add(operationId)
    return true
  })
}
