import { randomUUID } from 'node:crypto'
import { PrivityError } from '../errors.js'
import type { Handle } from '../handle.js'
import { foldName } from '../policy/person-name.js'
import { draft as draftSchema } from '../runtime/draft.js'
import { parse } from '../runtime/input.js'
import { batchKey, type CheckedRecord, ImportBatch, recordKey } from './batch.js'
import type { Item, RecordToImport } from './item.js'
import { Relations } from './relations.js'

export interface ImportOptions {
  /** Default fields for records that do not set them. Tags are added to those of the record. */
  readonly defaults?: Partial<RecordToImport>
  /** Names of the owner, who is not listed as a participant of their own memories. */
  readonly me?: readonly string[]
  /** Stops at the first problem instead of skipping it. */
  readonly strict?: boolean
  /** Reads and validates without storing anything. */
  readonly dryRun?: boolean
  /** Changes the idempotency keys: with another salt, records that were imported before are stored again. */
  readonly salt?: string
  /** Stops the import after the current batch. */
  readonly signal?: AbortSignal
  /** Called after each batch. */
  onProgress?(progress: ImportProgress): void
  /** Called for everything that was skipped because it could not be read or stored. */
  onProblem?(problem: ImportProblem): void
}

export interface ImportProblem {
  readonly where: string
  readonly problem: string
}

export interface ImportProgress {
  /** Records that are stored now, including those of earlier runs. */
  readonly stored: number
  /** Relations created between the records. */
  readonly related: number
  /** Items skipped because they had nothing to keep, counted by reason. */
  readonly skipped: Readonly<Record<string, number>>
  readonly problems: number
  /** The position of the last item that is stored. */
  readonly reached: string | null
  /** Whether the import was stopped before the end. */
  readonly stopped: boolean
}

/**
 * Stores the records that a reader found. Running it again on the same source stores nothing twice, so run it again
 * to finish an import that ended early. Records with an identity of their own (a file's path, a message's id) are
 * sent one by one, so that only new ones are stored when a source has grown. Others are sent in batches.
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

/** Errors that may be caused by only some records of a batch. */
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

  /** The validated record to send, or undefined if the item is not a record. */
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
    const { defaults = {} } = this.#options
    const me = new Set(this.#options.me?.map(foldName))
    if (typeof given !== 'object' || given === null) return given
    const draft: Record<string, unknown> = { ...defaults, ...given }
    const { tags, participants } = draft
    if (Array.isArray(tags)) draft.tags = [...new Set([...tags, ...(defaults.tags ?? [])])]
    if (Array.isArray(participants))
      draft.participants = participants.filter(name => typeof name !== 'string' || !me.has(foldName(name)))
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

  /** Stores a batch. If it is refused, it is split in halves until only the faulty records are left out. */
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
      // A repeated request is refused as a whole if some of its records no longer exist.
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
   * Whether a request with this key was carried out before: then another request with it is a conflict. The probe
   * names a record that does not exist, so it can never be carried out itself.
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

/** Yields items until the signal aborts, without waiting for an item that may never come. */
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
    // This is not awaited, because it may itself wait for something that never comes.
    iterator.return?.()?.catch(() => {})
  }
}

/** Removes the index within the batch from a message, because it means nothing to the author of the source. */
function explain({ code, message }: PrivityError): string {
  if (code === 'not_found') return 'names an owner or a record that is not there'
  return message.replace(/^records\.\d+\.?/, '')
}
