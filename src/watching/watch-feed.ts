import { documentName } from '../documents/file-input.js'
import type { Handle } from '../handle.js'
import { Addresses, AddressRefused } from '../notifications/addresses.js'
import { entryPage, type FeedEntry, readFeed } from './feed.js'
import { type FeedValidators, fetchFeed } from './fetch-feed.js'
import { ingestFile, isRejected, sha256Of } from './ingest-file.js'
import {
  type FireEntry,
  fireWatch,
  type Watch,
  type WatchOptions,
  watchUntilStopped,
} from './watch-until-stopped.js'

const INTERVAL_MS = 15 * 60_000

export interface WatchFeedOptions extends WatchOptions {
  /** Whether the feed may be on this machine or in a private network. */
  readonly allowPrivate?: boolean
}

/**
 * Watches an RSS 2.0, Atom or JSON Feed until it is stopped. Each entry is a document, named after the watch and the
 * id of the entry; a changed entry becomes a new version. An entry that the feed no longer lists stays a document.
 */
export function watchFeed(handle: Handle, watch: Watch, options: WatchFeedOptions = {}): Promise<void> {
  const watched = new WatchedFeed(handle, watch, options)
  return watchUntilStopped(options, options.intervalMs ?? INTERVAL_MS, () => watched.look())
}

class WatchedFeed {
  readonly #handle: Handle
  readonly #binding: Watch
  readonly #options: WatchFeedOptions
  readonly #addresses: Addresses
  /** Digests of the entries that were recorded, by document name. */
  readonly #taken = new Map<string, string>()
  #seen: FeedValidators = {}

  constructor(handle: Handle, watch: Watch, options: WatchFeedOptions) {
    this.#handle = handle
    this.#binding = watch
    this.#options = options
    this.#addresses = new Addresses(options.allowPrivate ?? false)
  }

  async look(): Promise<void> {
    const startedAt = new Date()
    const fetched = await this.#fetch()
    if (fetched === null) return
    const listed = readFeed(fetched.text)
    if (listed === null) throw new Error('the address leads to no feed')
    const entries: FireEntry[] = []
    const taken = new Map<string, string>()
    for (const one of listed) {
      if (this.#options.signal?.aborted) return
      const document = nameOf(this.#binding, one)
      const bytes = entryPage(one)
      const digest = sha256Of(bytes)
      // If an entry is listed twice, the first one counts.
      if (this.#taken.get(document) === digest || taken.has(document)) continue
      const entry = await this.#take(document, bytes)
      if (entry !== null) entries.push(entry)
      taken.set(document, digest)
    }
    if (entries.length > 0) await fireWatch(this.#handle, this.#binding, entries, startedAt, this.#options)
    for (const [document, digest] of taken) this.#taken.set(document, digest)
    this.#seen = { etag: fetched.etag, lastModified: fetched.lastModified }
  }

  async #fetch() {
    try {
      return await fetchFeed(this.#binding.location, this.#seen, this.#addresses)
    } catch (error) {
      if (error instanceof AddressRefused)
        throw new Error('the address of the feed is private or cannot be resolved')
      throw error
    }
  }

  async #take(document: string, bytes: Uint8Array): Promise<FireEntry | null> {
    const { onProblem } = this.#options
    const { id, corpus, owner, defaults } = this.#binding
    if (await isRejected(this.#handle, id, bytes)) return null
    const taken = await ingestFile(this.#handle, document, bytes, { ...defaults, corpus, owner, binding: id })
    if ('problem' in taken) {
      onProblem?.(taken)
      return { document, outcome: 'failed', problem: taken.code }
    }
    return { document, outcome: taken.ingested.outcome, source: taken.ingested.source }
  }
}

/** A readable name if possible; an id that is too long or not a valid name is replaced by its digest. */
function nameOf(watch: Watch, { id }: FeedEntry): string {
  const name = `${watch.name}/${id}`
  return documentName.safeParse(name).success
    ? name
    : `${watch.name.slice(0, 40)}/${sha256Of(Buffer.from(id))}`
}
