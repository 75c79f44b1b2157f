import { documentName } from '../documents/file-input.js'
import type { Handle } from '../handle.js'
import { Addresses, AddressRefused } from '../notifications/addresses.js'
import { type FeedEntry, pageOf, readFeed } from './feed.js'
import { fetchFeed, type Seen } from './fetch-feed.js'
import { isRejected, sha256Of, takeIn } from './take-in.js'
import { type Binding, type FireEntry, fire, type WatchOptions, watching } from './watching.js'

const INTERVAL_MS = 15 * 60_000

export interface WatchFeedOptions extends WatchOptions {
  /** Whether the feed may be on this machine or in its own network. */
  readonly allowPrivate?: boolean
}

/**
 * Watches a feed until it is told to stop: RSS 2.0, Atom or JSON Feed. Each entry is a document, named by the binding and
 * the id of the entry; one that has changed is a new version of it. What a feed no longer lists stays.
 */
export function watchFeed(handle: Handle, binding: Binding, options: WatchFeedOptions = {}): Promise<void> {
  const watched = new WatchedFeed(handle, binding, options)
  return watching(options, options.intervalMs ?? INTERVAL_MS, () => watched.look())
}

class WatchedFeed {
  readonly #handle: Handle
  readonly #binding: Binding
  readonly #options: WatchFeedOptions
  readonly #addresses: Addresses
  /** What was written down already, by name. */
  readonly #taken = new Map<string, string>()
  #seen: Seen = {}

  constructor(handle: Handle, binding: Binding, options: WatchFeedOptions) {
    this.#handle = handle
    this.#binding = binding
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
      const bytes = pageOf(one)
      const digest = sha256Of(bytes)
      // An entry that is listed twice counts as it is listed first.
      if (this.#taken.get(document) === digest || taken.has(document)) continue
      const entry = await this.#take(document, bytes)
      if (entry !== null) entries.push(entry)
      taken.set(document, digest)
    }
    if (entries.length > 0) await fire(this.#handle, this.#binding, entries, startedAt, this.#options)
    for (const [document, digest] of taken) this.#taken.set(document, digest)
    this.#seen = { etag: fetched.etag, lastModified: fetched.lastModified }
  }

  async #fetch() {
    try {
      return await fetchFeed(this.#binding.location, this.#seen, this.#addresses)
    } catch (error) {
      if (error instanceof AddressRefused) throw new Error('the feed leads to a private address')
      throw error
    }
  }

  async #take(document: string, bytes: Uint8Array): Promise<FireEntry | null> {
    const { onProblem } = this.#options
    const { id, corpus, owner, defaults } = this.#binding
    if (await isRejected(this.#handle, id, bytes)) return null
    const taken = await takeIn(this.#handle, document, bytes, { ...defaults, corpus, owner, binding: id })
    if ('problem' in taken) {
      onProblem?.(taken)
      return { document, outcome: 'failed', problem: taken.code }
    }
    return { document, outcome: taken.ingested.outcome, source: taken.ingested.source }
  }
}

/** Readable where it can be; an id that is too long or no name is known by its digest. */
function nameOf(binding: Binding, { id }: FeedEntry): string {
  const name = `${binding.name}/${id}`
  return documentName.safeParse(name).success
    ? name
    : `${binding.name.slice(0, 40)}/${sha256Of(Buffer.from(id))}`
}
