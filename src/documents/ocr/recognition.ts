import { setImmediate } from 'node:timers/promises'
import { type ErrorCode, PrivityError } from '../../errors.js'
import type { Clock } from '../../runtime/clock.js'
import type { RecognisedPage, Recogniser } from '../../runtime/extraction.js'
import type { Database, Transaction } from '../../storage/database.js'
import {
  type ClaimedRecognition,
  claimRecognition,
  loadRecognisedPages,
  releaseRecognition,
  saveRecognisedPage,
} from '../../storage/queries/recognitions.js'
import { readContent } from '../../storage/queries/sources.js'
import { Extractor } from '../extract/extract.js'
import type { OcrProvider } from './provider.js'

/** How long one process has a file to itself. Another one goes on with it if this one ends. */
const CLAIM_MS = 5 * 60_000
/** How many pages of a file are recognised before it is the turn of the next file, of another tenant if there is one. */
const PAGES_AT_A_TURN = 4
/** Pages of a file that are recognised before it is made again; the next ones follow. */
const MOST_PAGES = 500
/** A page that was begun so often without an end is left out. */
const MOST_ATTEMPTS = 3
/** How long to wait after the store or the engine failed. */
const PAUSE_MS = 30_000
const PAGE_MS = 120_000
const TRANSIENT: ReadonlySet<ErrorCode> = new Set(['busy', 'unavailable', 'closed'])

/** A document whose scanned pages were all recognised. */
export type RecognisedFile = Pick<ClaimedRecognition, 'principal' | 'owner' | 'document' | 'sourceId'>

/**
 * Recognises scanned pages in the background, one at a time, in a process of its own: tenants take turns, and so do the
 * files of a tenant. Each page is kept as it is recognised, so nothing is done twice after a crash.
 */
export class Recognition implements Recogniser {
  readonly #db: Database
  readonly #provider: OcrProvider
  readonly #clock: Clock
  readonly #finish: (tenant: string, file: RecognisedFile) => Promise<void>
  readonly #extractor: Extractor
  /** Tenants that may have something to do, in the order of their turns. */
  readonly #tenants = new Set<string>()
  readonly #known = new Set<string>()
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(
    db: Database,
    provider: OcrProvider,
    clock: Clock,
    finish: (tenant: string, file: RecognisedFile) => Promise<void>,
  ) {
    this.#db = db
    this.#provider = provider
    this.#clock = clock
    this.#finish = finish
    // Its own process, so that files which are taken in never wait for it.
    this.#extractor = new Extractor({ atOnce: 1, milliseconds: PAGE_MS })
  }

  get name(): string {
    return this.#provider.name
  }

  noteTenant(tenant: string): void {
    if (this.#known.has(tenant)) return
    this.#known.add(tenant)
    this.noteWork(tenant)
  }

  noteWork(tenant: string): void {
    if (this.#closed) return
    this.#tenants.add(tenant)
    this.#start()
  }

  /** Resolves once everything that can be recognised now is recognised. */
  async caughtUp(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#extractor.close()
    await this.#running
  }

  #start(): void {
    if (this.#running !== null || this.#closed || this.#timer !== undefined) return
    this.#running = this.#run().finally(() => {
      this.#running = null
      if (this.#tenants.size > 0) this.#start()
    })
  }

  async #run(): Promise<void> {
    // Whoever left work here is answered first.
    await setImmediate()
    for (const tenant of this.#tenants) {
      if (this.#closed) return
      this.#tenants.delete(tenant)
      try {
        // Added again, it is last in the order.
        if (await this.#turn(tenant)) this.#tenants.add(tenant)
      } catch {
        if (this.#closed) return
        this.#tenants.add(tenant)
        this.#pause()
        return
      }
    }
  }

  #pause(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#start()
    }, PAUSE_MS).unref()
  }

  /** Recognises some pages of one file. Returns false if the tenant has nothing to do. */
  async #turn(tenant: string): Promise<boolean> {
    const now = this.#clock.now()
    const until = new Date(now.getTime() + CLAIM_MS)
    const file = await this.#write(tenant, tx => claimRecognition(tx, tenant, now, until))
    if (file === null) return false
    let { pages, attempts, problem } = file
    try {
      const { bytes, recognised } = await this.#read(tenant, async tx => ({
        bytes: await readContent(tx, tenant, file.sourceId),
        recognised: await loadRecognisedPages(tx, tenant, file.sourceId),
      }))
      if (bytes === null) problem = 'no_content'
      else {
        pages ??= await this.#scannedPages(tenant, file, bytes, recognised)
        const done = new Set(recognised.map(({ page }) => page))
        const left = pages.filter(page => !done.has(page))
        for (const page of left.slice(0, PAGES_AT_A_TURN)) {
          const read = await this.#recognise(tenant, file, bytes, page)
          if (read === null && attempts < MOST_ATTEMPTS) return true
          const kept = read ?? { page, confidence: 0, items: [], failed: true as const }
          await this.#write(tenant, tx =>
            saveRecognisedPage(tx, tenant, file.sourceId, this.#provider.name, kept),
          )
          attempts = 0
        }
        if (left.length <= PAGES_AT_A_TURN) {
          await this.#write(tenant, tx => this.#release(tx, tenant, { ...file, pages, attempts, problem }))
          problem = await this.#finishOrSay(tenant, file)
        }
      }
    } catch (thrown) {
      if (attempts >= MOST_ATTEMPTS) problem = 'failed'
      throw thrown
    } finally {
      await this.#write(tenant, tx => this.#release(tx, tenant, { ...file, pages, attempts, problem })).catch(
        () => {},
      )
    }
    return true
  }

  /** Makes the document again. Returns why that is not tried any more, if it is not. */
  async #finishOrSay(tenant: string, file: RecognisedFile): Promise<string | null> {
    try {
      await this.#finish(tenant, file)
      return null
    } catch (thrown) {
      // The person may be gone, or may not write any more. Somebody else's files go on.
      if (thrown instanceof PrivityError && !TRANSIENT.has(thrown.code)) return thrown.code
      throw thrown
    }
  }

  #release(tx: Transaction, tenant: string, row: ClaimedRecognition): Promise<void> {
    return releaseRecognition(tx, tenant, row, this.#clock.now())
  }

  /** The pages that have only pictures. What cannot be read at all has none. */
  async #scannedPages(
    tenant: string,
    { document }: ClaimedRecognition,
    bytes: Uint8Array,
    recognised: readonly RecognisedPage[],
  ): Promise<number[]> {
    const read = await this.#extractor.extract(bytes, document, partyOf(tenant), recognised)
    if ('problem' in read) return []
    return read.pages
      .filter(({ state }) => state === 'needs_ocr')
      .map(({ number }) => number)
      .slice(0, MOST_PAGES)
  }

  /** What is on a page; null if it could not be recognised this time. */
  async #recognise(
    tenant: string,
    { document }: ClaimedRecognition,
    bytes: Uint8Array,
    page: number,
  ): Promise<RecognisedPage | null> {
    const read = await this.#extractor.recognise(bytes, document, page, this.#provider, partyOf(tenant))
    if (!('problem' in read)) return read
    if (read.problem === 'no_ocr') throw new Error('the text recognition does not start')
    return null
  }

  #read<T>(tenant: string, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(
      { access: 'read', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      fn,
    )
  }

  #write<T>(tenant: string, fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      fn,
    )
  }
}

const partyOf = (tenant: string) => ({ tenant, credential: 'ocr' })
