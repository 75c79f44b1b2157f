import { realpath } from 'node:fs/promises'
import type { FoundFile } from '../documents/read-file-within.js'
import type { Handle } from '../handle.js'
import { documentsIn, ingestFile, isRejected, MOVED, UNLIKE_BEFORE } from './ingest-file.js'
import { listFolder } from './list-folder.js'
import {
  type FireEntry,
  fireWatch,
  type Watch,
  type WatchOptions,
  watchUntilStopped,
} from './watch-until-stopped.js'

const INTERVAL_MS = 5_000

/** The state of a file: its size and time now, those when it was ingested, and the documents in it. */
interface KnownFileState {
  look: string
  taken: string | null
  documents: readonly string[]
}

/**
 * Watches a folder until it is stopped. A file is ingested once its size and time have not changed for one interval;
 * each scan that finds something new is one event of the watch. A deleted file is recorded, and its document stays.
 *
 * @example
 * const { bindings } = await ana.bindings.list()
 * for (const binding of bindings) await watchFolder(ana, binding, { signal: AbortSignal.timeout(60_000) })
 */
export function watchFolder(handle: Handle, watch: Watch, options: WatchOptions = {}): Promise<void> {
  const watched = new WatchedFolder(handle, watch, options)
  return watchUntilStopped(options, options.intervalMs ?? INTERVAL_MS, () => watched.look())
}

class WatchedFolder {
  readonly #handle: Handle
  readonly #binding: Watch
  readonly #options: WatchOptions
  readonly #files = new Map<string, KnownFileState>()
  /** Documents that the ledger had before this run. */
  #before: Set<string> | null = null
  /** Where the folder was at the first look. A link that takes its place later is not followed. */
  #realRoot: string | null = null
  #isFirst = true

  constructor(handle: Handle, watch: Watch, options: WatchOptions) {
    this.#handle = handle
    this.#binding = watch
    this.#options = options
  }

  async look(): Promise<void> {
    const startedAt = new Date()
    const { signal, onProblem } = this.#options
    this.#before ??= await this.#brought()
    const present = new Map<string, { file: FoundFile; look: string }>()
    const unseen: string[] = []
    this.#realRoot ??= await realpath(this.#binding.location)
    for await (const found of listFolder(this.#binding.location, undefined, this.#realRoot)) {
      if ('problem' in found) {
        unseen.push(found.document)
        onProblem?.(found)
        continue
      }
      present.set(found.document, found)
    }
    const entries: FireEntry[] = []
    const settled: { known: KnownFileState; look: string; documents: readonly string[] }[] = []
    let isWaiting = false
    for (const [document, { file, look }] of present) {
      const known = this.#files.get(document)
      if (known === undefined) this.#files.set(document, { look, taken: null, documents: [document] })
      if (known?.look !== look) isWaiting = true
      if (known !== undefined && known.look === look && known.taken !== look) {
        if (signal?.aborted) break
        const taken = await this.#take(file, document)
        // What took its place is looked at by the next scan.
        if (taken === null) {
          isWaiting = true
          continue
        }
        entries.push(...taken)
        settled.push({ known, look, documents: taken.map(entry => entry.document) })
      }
      if (known !== undefined) known.look = look
    }
    if (signal?.aborted) return this.#settle(entries, settled, [], startedAt)
    const gone = this.#gone(present, unseen, isWaiting)
    entries.push(...gone.map((document): FireEntry => ({ document, outcome: 'removed' })))
    await this.#settle(entries, settled, gone, startedAt)
  }

  /** Records the events first: only what was recorded counts as done. */
  async #settle(
    entries: readonly FireEntry[],
    settled: readonly { known: KnownFileState; look: string; documents: readonly string[] }[],
    gone: readonly string[],
    startedAt: Date,
  ): Promise<void> {
    if (entries.length > 0) await fireWatch(this.#handle, this.#binding, entries, startedAt, this.#options)
    for (const { known, look, documents } of settled) Object.assign(known, { taken: look, documents })
    for (const document of gone) {
      this.#before?.delete(document)
      for (const [file, { documents }] of this.#files)
        if (documents.includes(document)) this.#files.delete(file)
    }
    if (settled.length > 0) this.#isFirst = false
  }

  /** Returns null if the file was replaced since it was found; nothing of it is ingested then. */
  async #take(file: FoundFile, document: string): Promise<FireEntry[] | null> {
    const { onProblem } = this.#options
    const { id, corpus, owner, defaults } = this.#binding
    const entries: FireEntry[] = []
    for await (const one of documentsIn(file, document)) {
      if ('problem' in one) {
        onProblem?.(one)
        if (one.code === MOVED) return null
        entries.push({ document: one.document, outcome: 'failed', problem: one.code })
        continue
      }
      if (await isRejected(this.#handle, id, one.bytes)) {
        // A file that was rejected before this run is not reported again.
        if (!this.#isFirst) entries.push({ document: one.document, outcome: 'rejected' })
        continue
      }
      const taken = await ingestFile(this.#handle, one.document, one.bytes, {
        ...defaults,
        corpus,
        owner,
        binding: id,
      })
      if ('problem' in taken) {
        onProblem?.(taken)
        // A name that cannot be stored cannot be recorded either.
        if (taken.code !== 'invalid_name')
          entries.push({ document: one.document, outcome: 'failed', problem: taken.code })
        continue
      }
      const { outcome, source, problem, likeBefore } = taken.ingested
      if (likeBefore === false) onProblem?.({ document: one.document, problem: UNLIKE_BEFORE })
      if (problem !== null) onProblem?.({ document: one.document, problem: `cannot be read (${problem})` })
      entries.push({ document: one.document, outcome, source })
    }
    return entries
  }

  /** Documents whose files are gone, except in folders that could not be read. */
  #gone(present: ReadonlyMap<string, unknown>, unseen: readonly string[], isWaiting: boolean): string[] {
    const isUnseen = (file: string) => unseen.some(folder => file.startsWith(`${folder}/`))
    const gone: string[] = []
    for (const [file, { taken, documents }] of this.#files) {
      if (present.has(file) || isUnseen(file)) continue
      if (taken === null) this.#files.delete(file)
      else gone.push(...documents)
    }
    // A message may be in a mailbox that has not been read yet.
    if (!isWaiting) {
      const known = new Set([...this.#files.values()].flatMap(({ documents }) => documents))
      for (const document of this.#before ?? [])
        if (!known.has(document) && !gone.includes(document) && !isUnseen(document)) gone.push(document)
    }
    return gone
  }

  /** The documents that the ledger lists as present. */
  async #brought(): Promise<Set<string>> {
    const documents = new Set<string>()
    for (let cursor: string | undefined; ; ) {
      const page = await this.#handle.bindings.contributions({
        binding: this.#binding.id,
        limit: 200,
        ...(cursor === undefined ? {} : { cursor }),
      })
      for (const { document, state } of page.contributions)
        if (document !== null && (state === 'confirmed' || state === 'extraction_failed'))
          documents.add(document)
      if (page.cursor === null) return documents
      cursor = page.cursor
    }
  }
}
