import { randomUUID } from 'node:crypto'
import { PrivityError } from '../errors.js'
import type { Handle } from '../handle.js'
import { draft as draftSchema } from '../runtime/draft.js'
import { parse } from '../runtime/input.js'
import { batchKey, type CheckedRecord, ImportBatch, recordKey } from './batch.js'
import type { Item, RecordToImport } from './item.js'
import { Relations } from './relations.js'

export interface ImportOptions {
  /** Given to records that say nothing else; tags are added. */
  readonly defaults?: Partial<RecordToImport>
  /** Names of the owner: no participants of their own memories. */
  readonly me?: readonly string[]
  /** Stops at the first problem instead of leaving it out. */
  readonly strict?: boolean
  /** Reads and checks, and stores nothing. */
  readonly dryRun?: boolean
  /** Makes keys of its own: with another one, what was imported before is stored once more. */
  readonly salt?: string
  /** Ends the import after the batch that is being stored. */
  readonly signal?: AbortSignal
  /** Told after each batch. */
  onProgress?(progress: ImportProgress): void
  /** Told of everything that was left out as it could not be read or stored. */
  onProblem?(problem: ImportProblem): void
}

export interface ImportProblem {
  readonly where: string
  readonly problem: string
}

export interface ImportProgress {
  /** Records that stand now; on a second run, those of the first count too. */
  readonly stored: number
  /** Relations made between them. */
  readonly related: number
  /** Left out as there was nothing to keep, by why. */
  readonly skipped: Readonly<Record<string, number>>
  readonly problems: number
  /** The last place that is stored. */
  readonly reached: string | null
  /** Whether it was stopped before the end. */
  readonly stopped: boolean
}

/**
 * Stores what a reader found. Running it again on the same source stores nothing twice, so an import that ended early is
 * finished by running it again. Records that are known by themselves (a file by its path, a message by its id) are sent
 * one by one: of a source that has grown, only what is new is stored. Others are sent in batches.
 *
 * @example
 * await importRecords(ana, readJsonLines(createReadStream('memory.jsonl')), { onProblem: console.warn })
 */
export async function importRecords(
  handle: Handle,
  items: AsyncIterable<Item>,
  options: ImportOptions = {},
): Promise<ImportProgress> {
  return new Import(handle, options).run(items)
}

/** What only some records of a batch may be at fault for. */
const OF_CONTENT = new Set(['invalid_input', 'not_found', 'too_large'])

class Import {
  readonly #handle: Handle
  readonly #options: ImportOptions
  readonly #relations: Relations
  readonly #skipped: Record<string, number> = {}
  #ordinal = 0
  #stored = 0
  #problems = 0
  #reached: string | null = null
  #stopped = false

  constructor(handle: Handle, options: ImportOptions) {
    this.#handle = handle
    this.#options = options
    this.#relations = new Relations(handle, problem => this.#report(problem))
  }

  async run(items: AsyncIterable<Item>): Promise<ImportProgress> {
    const { signal } = this.#options
    let batch = new ImportBatch()
    for await (const item of until(signal, items)) {
      const record = this.#check(item)
      if (record === undefined) continue
      if (record.identity !== undefined) {
        await this.#storeAlone(record, record.identity)
        continue
      }
      if (!batch.fits(record)) {
        await this.#store(batch)
        batch = new ImportBatch()
        if (signal?.aborted) break
      }
      batch.add(record)
    }
    this.#stopped = signal?.aborted ?? false
    if (!this.#stopped) await this.#store(batch)
    if (!this.#stopped && this.#relations.waiting > 0)
      this.#skip('is a relation to a record that is not in the source', this.#relations.waiting)
    return this.#progress()
  }

  #progress(): ImportProgress {
    return {
      stored: this.#stored,
      related: this.#relations.made,
      skipped: { ...this.#skipped },
      problems: this.#problems,
      reached: this.#reached,
      stopped: this.#stopped,
    }
  }

  /** The record as it is going to be sent, if it is one. */
  #check(item: Item): CheckedRecord | undefined {
    if (item.kind === 'skipped') this.#skip(item.why)
    else if (item.kind === 'problem') this.#report(item)
    else {
      try {
        const draft = this.#amend(item.draft)
        parse(draftSchema, draft)
        const { where, exported, identity } = item
        return { where, draft: draft as RecordToImport, exported, identity }
      } catch (error) {
        if (!(error instanceof PrivityError)) throw error
        this.#report({ where: item.where, problem: error.message })
      }
    }
    return undefined
  }

  #amend(given: unknown): unknown {
    const { defaults = {}, me = [] } = this.#options
    if (typeof given !== 'object' || given === null) return given
    const draft: Record<string, unknown> = { ...defaults, ...given }
    const { tags, participants } = draft
    if (Array.isArray(tags)) draft.tags = [...new Set([...tags, ...(defaults.tags ?? [])])]
    if (Array.isArray(participants)) draft.participants = participants.filter(name => !me.includes(name))
    return draft
  }

  async #store({ records }: ImportBatch): Promise<void> {
    if (records.length === 0) return
    this.#ordinal++
    const drafts = records.map(({ draft }) => draft)
    await this.#sendUnder(batchKey(drafts, this.#ordinal, this.#options.salt), records)
  }

  #storeAlone(record: CheckedRecord, identity: string): Promise<void> {
    return this.#sendUnder(recordKey(record.draft, identity, this.#options.salt), [record])
  }

  async #sendUnder(key: string, records: readonly CheckedRecord[]): Promise<void> {
    if (this.#options.dryRun) this.#stored += records.length
    else await this.#send(records, key)
    this.#reached = records.at(-1)?.where ?? null
    this.#options.onProgress?.(this.#progress())
  }

  /** All of them, or, where some are refused, the others: in halves, down to those that are at fault. */
  async #send(records: readonly CheckedRecord[], key: string): Promise<void> {
    let ids: string[]
    try {
      const stored = await this.#handle.remember(
        records.map(({ draft }) => draft),
        { idempotencyKey: key },
      )
      ids = stored.map(({ id }) => id)
    } catch (error) {
      if (!(error instanceof PrivityError) || !OF_CONTENT.has(error.code)) throw error
      // A repeated request is refused as a whole where some of its records are no longer there.
      if (error.code === 'not_found' && (await this.#wasSent(key))) {
        this.#skip('was stored before, with records that have been forgotten since', records.length)
        return
      }
      await this.#sendApart(records, key, error)
      return
    }
    this.#stored += ids.length
    await this.#relations.follow(records, ids)
  }

  async #sendApart(records: readonly CheckedRecord[], key: string, error: PrivityError): Promise<void> {
    const [first] = records
    if (records.length === 1 && first !== undefined) {
      this.#report({ where: first.where, problem: explain(error) })
      return
    }
    const half = Math.ceil(records.length / 2)
    await this.#send(records.slice(0, half), `${key}.1`)
    await this.#send(records.slice(half), `${key}.2`)
  }

  /**
   * Whether a request under this key was carried out before: another request under it is then a conflict. That other
   * one names a record that does not exist, so it can never be carried out itself.
   */
  async #wasSent(key: string): Promise<boolean> {
    const never: RecordToImport = { kind: 'note', text: 'never stored', derivedFrom: [randomUUID()] }
    try {
      await this.#handle.remember([never], { idempotencyKey: key })
      return false
    } catch (error) {
      return error instanceof PrivityError && error.code === 'idempotency_conflict'
    }
  }

  #skip(why: string, count = 1): void {
    this.#skipped[why] = (this.#skipped[why] ?? 0) + count
  }

  #report({ where, problem }: ImportProblem): void {
    if (this.#options.strict) throw new PrivityError('invalid_input', `${where}: ${problem}`)
    this.#problems++
    this.#options.onProblem?.({ where, problem })
  }
}

/** What comes until it is told to stop; it does not wait for what may never come. */
async function* until<T>(signal: AbortSignal | undefined, items: AsyncIterable<T>): AsyncGenerator<T> {
  if (signal === undefined) {
    yield* items
    return
  }
  const iterator = items[Symbol.asyncIterator]()
  const stopped = new Promise<null>(resolve =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  )
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), stopped])
      if (next === null || next.done) return
      yield next.value
    }
  } finally {
    // Not waited for: it may itself wait for what never comes.
    iterator.return?.()?.catch(() => {})
  }
}

/** The place of a record in its batch says nothing to whoever wrote the source. */
function explain({ code, message }: PrivityError): string {
  if (code === 'not_found') return 'names an owner or a record that is not there'
  return message.replace(/^records\.\d+\.?/, '')
}
