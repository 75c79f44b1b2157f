import { z } from 'zod'
import { Extractor } from './documents/extract/extract.js'
import type { OcrProvider } from './documents/ocr/provider.js'
import { Recognition } from './documents/ocr/recognition.js'
import { recogniseDocument } from './documents/operations/recognise.js'
import { builtIn } from './embedding/built-in.js'
import type { EmbeddingProvider } from './embedding/provider.js'
import { PrivityError } from './errors.js'
import { type Handle, makeHandle } from './handle.js'
import { MailDelivery, type MailOptions } from './mail/mail-delivery.js'
import type { Mailer } from './mail/mailer.js'
import { CheckIns } from './mediation/check-ins.js'
import { type DeliveryOptions, WebhookDelivery } from './notifications/webhook-delivery.js'
import { type InputOf, OPERATIONS, type OutputOf, operationNamed } from './operations.js'
import { type HalfLives, halfLifeOf } from './policy/half-lives.js'
import { KINDS } from './policy/vocabulary.js'
import { agentCredential } from './runtime/agent-caller.js'
import { ApiKeys } from './runtime/api-keys.js'
import { AuditLanes } from './runtime/audit-lanes.js'
import { type Access, type Caller, type Credential, readCredential } from './runtime/caller.js'
import {
  CAPTURE_TIMEOUT_MS,
  CaptureModel,
  type CaptureOptions,
  captureOptions,
} from './runtime/capture/capture-model.js'
import { CaptureQueue } from './runtime/capture/capture-queue.js'
import type { JobCredential } from './runtime/capture/job-credential.js'
import { type Clock, SYSTEM_CLOCK } from './runtime/clock.js'
import { ChatCalls, type ChatModel } from './runtime/completions.js'
import { Consolidation, type ConsolidationOptions, consolidationOptions } from './runtime/consolidation.js'
import type { Domain } from './runtime/domain.js'
import { Embeddings } from './runtime/embedding/embeddings.js'
import { shareFairly } from './runtime/fairness/fair-database.js'
import type { Load } from './runtime/fairness/fair-share.js'
import { ForwardClock } from './runtime/forward-clock.js'
import { type Health, HealthChecks } from './runtime/health.js'
import { Cells } from './runtime/index/cells.js'
import { parse } from './runtime/input.js'
import { KeyRing } from './runtime/key-ring.js'
import { type Capacity, capacityOption, Leases } from './runtime/leases.js'
import { extractFacts } from './runtime/operations/captures.js'
import type { Outbox } from './runtime/outbox.js'
import { type RequestOptions, Runtime } from './runtime/runtime.js'
import { searchSettings } from './runtime/search/settings.js'
import { builtInRegistry, TenantFactsCache } from './runtime/tenant-facts.js'
import { Threads } from './runtime/threads/threads.js'
import type { Tokenizer } from './runtime/tokenizer.js'
import { sensitivity } from './runtime/vocabulary.js'
import { EndingProfiles } from './sharing/ending-profiles.js'
import { HostAlerts } from './sharing/host-alerts.js'
import { redeemLink } from './sharing/operations/redeem.js'
import { ShareTokens } from './sharing/share-tokens.js'
import type { BackupLock } from './storage/backup/backup-file.js'
import type { BackupProgress, BackupSummary } from './storage/backup/write-backup.js'
import type { Database, Observe } from './storage/database.js'
import { migrate } from './storage/migrate.js'
import { openPglite } from './storage/pglite.js'
import { DEFAULT_POOL_SIZE, openPostgres } from './storage/postgres.js'
import { loadLatestTime } from './storage/queries/latest-time.js'
import { requireSecondLock } from './storage/queries/require-second-lock.js'

/** Where memory is stored, which models are used, and what tests may replace. */
export interface OpenOptions {
  /** The folder of the embedded store. Without it and `databaseUrl`, memory lasts only as long as the process. */
  readonly dataDir?: string
  /** A Postgres database, version 15 or newer. Add `?pgbouncer=true` behind a pooler without prepared statements. */
  readonly databaseUrl?: string
  /** The maximum number of connections to Postgres. */
  readonly poolSize?: number
  /**
   * How many requests of a tenant may run at once in all processes of this store, by the capacity class of a
   * capability. A class that is not named has no capacity.
   */
  readonly capacity?: Readonly<Record<string, Capacity>>
  /**
   * The maximum size of all indexes in this process in bytes; the least recently used cells are evicted. Default: 1
   * GiB.
   */
  readonly indexMemory?: number
  /** The half-life of salience by kind of record, in days or `never`, if it differs from HALF_LIFE_DAYS. */
  readonly halfLives?: HalfLives
  /** The model that consolidates episodic records into semantic ones. Default: none, so nothing is consolidated. */
  readonly consolidation?: ConsolidationOptions
  /**
   * The model that makes facts of captured conversations in the background, beside the rules. Default: none, so only
   * rules make facts.
   */
  readonly capture?: CaptureOptions
  /**
   * The model that words what crosses the bridge of a mediation and proposes what a turn retrieves. Default: built-in
   * code, which needs no network. `requestDays` is how many days a request to share waits for a decision. Default:
   * 30. `approveContributions` is whether what people give to the library waits for a host. Default: true.
   */
  readonly mediation?: {
    readonly model?: ChatModel | undefined
    readonly requestDays?: number | undefined
    readonly approveContributions?: boolean | undefined
  }
  /**
   * Settings of the search router that 002 leaves to the operator, and a model that classifies the intent of
   * questions that no pattern recognises. Default: no model.
   */
  readonly search?: z.input<typeof searchSettings> & { readonly model?: ChatModel | undefined }
  /** The model that answers questions from documents (`documents.answer`). Default: none, so passages are gathered. */
  readonly answers?: { readonly model: ChatModel }
  /** Counts the tokens of what a model is given, if there is a token budget. Default: o200k_base. */
  readonly tokenizer?: Tokenizer
  /**
   * How corpora of a field of knowledge are read and searched, for example `legal({ corpora: ['briefs'] })` from
   * `privity/legal`. Default: none.
   */
  readonly domain?: Domain
  /**
   * The embedding providers, used side by side. Default: the built-in one, which needs no network. With none (`[]`),
   * search uses keywords only.
   */
  readonly embedding?: readonly EmbeddingProvider[]
  /**
   * Recognises the text of scanned pages and images, in the background, for example `tesseract()`. Default: none, so
   * their state stays `needs_ocr`.
   */
  readonly ocr?: OcrProvider
  /** Webhooks may call public internet addresses only. Allow private ones for your own network and for tests. */
  readonly webhooks?: { readonly allowPrivate?: boolean | undefined }
  /** Sends mail, such as the codes for opening a link. Default: none, so whatever needs mail is refused. */
  readonly mail?: { readonly mailer: Mailer }
  /** Whether to look regularly for work that is due or that another process left. Default: yes. */
  readonly sweeps?: boolean
  readonly clock?: Clock
  /** Called with the text of every SQL statement, never with its values. */
  readonly observe?: Observe
}

const provider = z.custom<EmbeddingProvider>(
  value => typeof value === 'object' && value !== null && 'model' in value && 'embed' in value,
  { message: 'must be an embedding provider' },
)

const chatModel = z.custom<ChatModel>(
  value => typeof value === 'object' && value !== null && 'name' in value && 'complete' in value,
  { message: 'must be a chat model' },
)

const tokenizer = z.custom<Tokenizer>(
  value => typeof value === 'object' && value !== null && 'name' in value && 'count' in value,
  { message: 'must be a tokenizer' },
)

const domainOption = z.custom<Domain>(
  value => typeof value === 'object' && value !== null && 'has' in value && 'layoutOf' in value,
  { message: 'must be a domain, such as legal() of privity/legal' },
)

const mailer = z.custom<Mailer>(value => typeof value === 'object' && value !== null && 'send' in value, {
  message: 'must be a mailer',
})

const optionsSchema = z.strictObject({
  dataDir: z.string().min(1).optional(),
  databaseUrl: z.string().min(1).optional(),
  poolSize: z.int().min(1).max(1_000).optional(),
  capacity: capacityOption.optional(),
  indexMemory: z.int().min(0).optional(),
  halfLives: z
    .partialRecord(z.enum(KINDS), z.union([z.number().positive(), z.literal('never')]).optional())
    .optional(),
  consolidation: consolidationOptions.optional(),
  capture: captureOptions.optional(),
  mediation: z
    .strictObject({
      model: chatModel.optional(),
      requestDays: z.number().positive().max(3_650).optional(),
      approveContributions: z.boolean().optional(),
    })
    .optional(),
  search: searchSettings.extend({ model: chatModel.optional() }).partial().optional(),
  answers: z.strictObject({ model: chatModel }).optional(),
  tokenizer: tokenizer.optional(),
  domain: domainOption.optional(),
  embedding: z.array(provider).max(4).optional(),
  ocr: z
    .custom<OcrProvider>(
      value => typeof value === 'object' && value !== null && 'module' in value && 'options' in value,
      { message: 'must be a text recognition, such as tesseract()' },
    )
    .optional(),
  webhooks: z.strictObject({ allowPrivate: z.boolean().optional() }).optional(),
  mail: z.strictObject({ mailer }).optional(),
  sweeps: z.boolean().optional(),
  clock: z.custom<Clock>(value => typeof value === 'object' && value !== null).optional(),
  observe: z.custom<Observe>(value => typeof value === 'function').optional(),
})

/** An open store. */
export interface Privity {
  /** The methods for one caller: everything done through them is decided for that caller. */
  as(credential: Credential): Handle
  /** Runs an operation by name. Doors are built on this. */
  invoke(
    credential: Credential,
    operation: string,
    input: unknown,
    options?: RequestOptions,
  ): Promise<unknown>
  /**
   * Authenticates an API key presented at a door. Malformed, unknown, forged, revoked and expired keys get the same
   * answer. Each request checks again, in its own snapshot, that the key is valid.
   */
  authenticate(presented: string): Promise<Access>
  /**
   * Opens a profile by a share link, for somebody who has only its token. Unknown, revoked, expired and exhausted
   * tokens get the same answer.
   */
  redeem(input: InputOf<'links.redeem'>, options?: RequestOptions): Promise<OutputOf<'links.redeem'>>
  readonly engine: Database['engine']
  /** The time by which keys, links and records expire. It never goes back, even if the system's clock does. */
  now(): Date
  /**
   * Resolves once captured turns that are due were read by the model for capture, every scanned page that can be recognised
   * now is, and everything that can be embedded now is embedded. Searches never need to wait for it: records without a
   * vector are found by their words, and receipts name files whose pages wait.
   */
  caughtUp(): Promise<void>
  /** Whether requests can be answered now, and if not, why. It is cheap enough to be polled. */
  health(): Promise<Health>
  /** Encrypts a text that a door gives to a client to bring back. Only this store can read it (OP-6). */
  seal(plain: string, boundTo: string): string
  /** Opens a sealed text, and throws if it was sealed elsewhere or for another purpose. */
  unseal(sealed: string, boundTo: string): Promise<string>
  /** For doors: how much waits for what, and the threads for what takes long. */
  readonly work: StoreWork
  /**
   * Makes a new key for cursors, sealed questions and digests. Every process of this store starts to use it by
   * itself; what older keys made stays readable.
   */
  rotateSecrets(): Promise<{ keyId: string; createdAt: string }>
  /**
   * Writes a backup of the whole store, all tenants, to a file, while requests go on (OP-1). It is compressed, and
   * encrypted if `lock` says how. `privity restore` fills an empty store from it.
   */
  backup(
    file: string,
    options?: { lock?: BackupLock; onProgress?: (progress: BackupProgress) => void; signal?: AbortSignal },
  ): Promise<BackupSummary & { bytes: number }>
  /** For doors: copies the files of an embedded store into a folder, from which a backup can be written. */
  copyFiles(folder: string): Promise<void>
  /** Finishes running requests, then closes the audit lanes and the store. */
  close(): Promise<void>
}

/** What the requests of a store share. */
export interface StoreWork {
  readonly threads: Threads
  /** How much runs and waits: for connections to the store, for threads and for files to be read. */
  load(): Readonly<Record<'connections' | 'threads' | 'files', Load>>
}

/**
 * Opens the store, and creates or migrates it if necessary.
 *
 * @example
 * const privity = await open({ dataDir: './runtime/memory' })
 * const ana = privity.as({ tenant: 'home', actor: 'ana' })
 */
export async function open(options: OpenOptions = {}): Promise<Privity> {
  const db = await openStore(options)
  try {
    return await assemble(db, options.clock ?? SYSTEM_CLOCK, {
      ...options,
      embedding: options.embedding ?? [builtIn()],
      sweeps: options.sweeps ?? true,
    })
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Opens a store and makes it ready: migrates its schema and requires that row-level security is in force. */
export async function openStore(options: OpenOptions): Promise<Database> {
  const { dataDir, databaseUrl, poolSize, observe } = parse(optionsSchema, options)
  if (dataDir !== undefined && databaseUrl !== undefined)
    throw new PrivityError('invalid_input', 'pass either dataDir or databaseUrl, not both')
  const seen = observe === undefined ? {} : { observe }
  const db =
    databaseUrl === undefined
      ? await openPglite({ dataDir: dataDir ?? null, ...seen })
      : await openPostgres({ url: databaseUrl, ...(poolSize === undefined ? {} : { poolSize }), ...seen })
  try {
    await migrate(db)
    await requireSecondLock(db)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** How long `close` waits for files that are being read. Requests for those that take longer fail as closed. */
const FILES_CLOSE_MS = 3_000

/** How long a model may take to write an answer. A server ends a request earlier if its `requestTimeout` says so. */
const ANSWER_MS = 120_000

/** The composition root. Closing what it returns also closes the store. */
export async function assemble(
  store: Database,
  given: Clock,
  {
    dataDir,
    capacity,
    indexMemory,
    halfLives,
    consolidation: consolidating,
    capture: capturing,
    mediation,
    search: { model: reading, ...settings } = {},
    answers,
    tokenizer: counting,
    domain,
    embedding = [],
    ocr,
    webhooks,
    mail,
    sweeps = false,
    poolSize = DEFAULT_POOL_SIZE,
  }: Omit<OpenOptions, 'databaseUrl' | 'clock' | 'observe' | 'webhooks' | 'mail'> & {
    readonly webhooks?: DeliveryOptions
    readonly mail?: MailOptions
  } = {},
): Promise<Privity> {
  const db = shareFairly(store, store.engine === 'pglite' ? 1 : poolSize)
  const clock = new ForwardClock(given, await loadLatestTime(db))
  const audit = new AuditLanes(db, clock)
  const apiKeys = new ApiKeys(db, clock)
  const embeddings = new Embeddings(db, embedding, clock)
  const models = embedding.map(({ model }) => model)
  if (new Set(models).size < models.length)
    throw new PrivityError('invalid_input', 'embedding: two providers have the same model name')
  const threads = new Threads()
  const cells = new Cells(db, {
    models,
    domain: domain ?? null,
    threads,
    writesOf: db.writesOf,
    ...(indexMemory === undefined ? {} : { memory: indexMemory }),
  })
  const consolidation = consolidating === undefined ? null : new Consolidation(consolidating)
  const capture = capturing === undefined ? null : new CaptureModel(capturing)
  const chat = mediation?.model === undefined ? null : new ChatCalls(mediation.model)
  const reader = reading === undefined ? null : new ChatCalls(reading)
  const answerer = answers === undefined ? null : new ChatCalls(answers.model, ANSWER_MS)
  const extractor = new Extractor()
  const recognition =
    ocr === undefined
      ? null
      : new Recognition(db, ocr, clock, async (tenant, { principal, owner, document, sourceId }) => {
          const caller = readCredential({ tenant, actor: principal })
          await runtime.invoke(recogniseDocument, caller, { owner, document, source: sourceId })
        })
  const leases = new Leases(db, clock, capacity)
  const keys = await KeyRing.open(db, { refreshes: sweeps })
  const posting = new WebhookDelivery(db, keys, clock, { sweeps, ...webhooks })
  const mailing = mail === undefined ? null : new MailDelivery(db, keys, clock, { sweeps, ...mail })
  const alerts = new HostAlerts(db, keys, clock, senderOf(posting, mailing), { sweeps })
  const queue =
    capturing === undefined
      ? null
      : new CaptureQueue(db, keys, clock, (by, records, job) => extractAs(runtime, by, records, job), {
          sweeps,
          timeoutMs: capturing.timeoutMs ?? CAPTURE_TIMEOUT_MS,
          retriesMs: capturing.retriesMs,
        })
  const runtime: Runtime = new Runtime({
    db,
    audit,
    apiKeys,
    clock,
    tenants: new TenantFactsCache(builtInRegistry(OPERATIONS)),
    keys,
    leases,
    halfLifeOf: halfLifeOf(halfLives),
    mediation: {
      ...(mediation?.requestDays === undefined ? {} : { requestDays: mediation.requestDays }),
      ...(mediation?.approveContributions === undefined
        ? {}
        : { approveContributions: mediation.approveContributions }),
    },
    consolidation,
    chat,
    reader,
    capture,
    answerer,
    search: searchSettings.parse(settings),
    ...(counting === undefined ? {} : { tokenizer: counting }),
    domain: domain ?? null,
    threads,
    cells,
    embeddings,
    extraction: extractor,
    recogniser: recognition,
    outbox: outboxOf(posting, mailing, alerts, queue),
  })
  const shareTokens = new ShareTokens(db, clock, alerts)
  const ending = new EndingProfiles(db, clock, { sweeps })
  const checkIns = new CheckIns(db, clock, senderOf(posting, mailing), { sweeps })
  const health = new HealthChecks({ db, audit, embeddings, dataDir, clock })
  let closing: Promise<void> | null = null
  return {
    engine: db.engine,
    now: clock.now,
    as(credential) {
      const caller = readCredential(credential)
      return makeHandle((name, input, options) =>
        runtime.invoke(operationNamed(name), callerFor(credential, options, caller), input, options),
      )
    },
    async invoke(credential, name, input, options) {
      return runtime.invoke(operationNamed(name), callerFor(credential, options), input, options)
    },
    authenticate: presented => apiKeys.authenticate(presented),
    async redeem(input, options) {
      const caller = readCredential(await shareTokens.authenticate(input, options))
      return runtime.invoke(redeemLink, caller, input, options)
    },
    async caughtUp() {
      await recognition?.caughtUp()
      await queue?.caughtUp()
      await embeddings.caughtUp()
    },
    health: () => health.check(),
    seal: (plain, boundTo) => keys.secrets.seal(plain, boundTo),
    unseal: (sealed, boundTo) => keys.read(sealed, boundTo),
    work: {
      threads,
      load: () => ({ connections: db.load, threads: threads.load, files: extractor.load }),
    },
    rotateSecrets: () => keys.rotate(),
    // Loaded when it is needed: few programs make backups.
    backup: async (file, options) =>
      (await import('./storage/backup/back-up-store.js')).backUpStore(store, file, options),
    copyFiles: async folder => (await import('./storage/backup/back-up-store.js')).copyFilesOf(store, folder),
    close() {
      consolidation?.close()
      queue?.stop()
      capture?.close()
      chat?.close()
      reader?.close()
      answerer?.close()
      keys.close()
      // A request must not keep the store from closing because its file takes for ever to read.
      const impatient = setTimeout(() => void extractor.close(), FILES_CLOSE_MS).unref()
      closing ??= Promise.all([recognition?.close(), runtime.settle()])
        .finally(() => clearTimeout(impatient))
        .then(() => alerts.close())
        .then(() =>
          Promise.all([
            audit.close(),
            ending.close(),
            checkIns.close(),
            apiKeys.close(),
            leases.close(),
            cells.close().then(() => threads.close()),
            embeddings.close(),
            extractor.close(),
            posting.close(),
            mailing?.close(),
            queue?.close(),
          ]),
        )
        .then(() => {})
        .finally(() => db.close())
      return closing
    },
  }
}

/**
 * The caller of a request. One that is made for a model is that of an agent; a trust context that it names replaces
 * the sensitivity that models get by default, and the credential limits both.
 */
function callerFor(credential: Credential, options: RequestOptions | undefined, plain?: Caller): Caller {
  if (options?.forModel !== true) return plain ?? readCredential(credential)
  const named = sensitivity.safeParse(options.trust?.maxSensitivity).data
  return readCredential(agentCredential(credential, named === undefined ? {} : { maxSensitivity: named }))
}

/** Lets the model read captured turns, with the credential that captured them; once, however often it is tried. */
async function extractAs(
  runtime: Runtime,
  { credential, respectConsent }: JobCredential,
  records: readonly string[],
  job: string,
): Promise<{ facts: number; heldBack: number }> {
  const { facts, heldBack } = await runtime.invoke(
    extractFacts,
    readCredential(credential),
    { records },
    { respectConsent, idempotencyKey: `capture ${job}` },
  )
  return { facts: facts.length, heldBack: heldBack.length }
}

/** Combines webhooks and mail. */
const senderOf = (posting: WebhookDelivery, mailing: MailDelivery | null) => ({
  mails: mailing !== null,
  noteWork(tenant: string) {
    posting.noteWork(tenant)
    mailing?.noteWork(tenant)
  },
})

/** What requests leave to be sent. */
export const outboxOf = (
  posting: WebhookDelivery,
  mailing: MailDelivery | null,
  alerts: Pick<HostAlerts, 'note'>,
  queue: Pick<CaptureQueue, 'noteWork'> | null = null,
): Outbox => ({
  mails: mailing !== null,
  noteWork(tenant) {
    senderOf(posting, mailing).noteWork(tenant)
    queue?.noteWork(tenant)
  },
  noteRefused: (tenant, link) => alerts.note(tenant, link, 'refused'),
  requireSendable: url => posting.requireSendable(url),
})
