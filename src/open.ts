import { z } from 'zod'
import { Extractor } from './documents/extract/extract.js'
import { builtIn } from './embedding/built-in.js'
import type { EmbeddingProvider } from './embedding/provider.js'
import { PrivityError } from './errors.js'
import { type Handle, makeHandle } from './handle.js'
import { MailDelivery, type MailOptions } from './mail/mail-delivery.js'
import type { Mailer } from './mail/mailer.js'
import { type DeliveryOptions, WebhookDelivery } from './notifications/webhook-delivery.js'
import { type InputOf, OPERATIONS, type OutputOf, operationNamed } from './operations.js'
import { type HalfLives, halfLifeOf } from './policy/half-lives.js'
import { KINDS } from './policy/vocabulary.js'
import { ApiKeys } from './runtime/api-keys.js'
import { AuditLanes } from './runtime/audit-lanes.js'
import { type Access, type Credential, readCredential } from './runtime/caller.js'
import { type Clock, SYSTEM_CLOCK } from './runtime/clock.js'
import { ChatCalls, type ChatModel } from './runtime/completions.js'
import { Consolidation, type ConsolidationOptions, consolidationOptions } from './runtime/consolidation.js'
import type { Domain } from './runtime/domain.js'
import { Embeddings } from './runtime/embedding/embeddings.js'
import { type Health, HealthChecks } from './runtime/health.js'
import { Cells } from './runtime/index/cells.js'
import { parse } from './runtime/input.js'
import { KeyRing } from './runtime/key-ring.js'
import { type Capacity, capacityOption, Leases } from './runtime/leases.js'
import type { Outbox } from './runtime/outbox.js'
import { type RequestOptions, Runtime } from './runtime/runtime.js'
import { searchSettings } from './runtime/search/settings.js'
import { builtInRegistry, TenantFactsCache } from './runtime/tenant-facts.js'
import type { Tokenizer } from './runtime/tokenizer.js'
import { EndingProfiles } from './sharing/ending-profiles.js'
import { redeemLink } from './sharing/operations/redeem.js'
import { ShareTokens } from './sharing/share-tokens.js'
import type { Database, Observe } from './storage/database.js'
import { migrate } from './storage/migrate.js'
import { openPglite } from './storage/pglite.js'
import { openPostgres } from './storage/postgres.js'
import { requireSecondLock } from './storage/queries/require-second-lock.js'

/** Where to keep memory, and the two things a test may replace. */
export interface OpenOptions {
  /** A folder for the embedded store. Without it and without a databaseUrl, memory lasts as long as the process. */
  readonly dataDir?: string
  /** A Postgres 15 or newer; with `?pgbouncer=true` behind a pooler that keeps no prepared statements. */
  readonly databaseUrl?: string
  /** Connections to hold to Postgres. */
  readonly poolSize?: number
  /**
   * How many requests of a tenant may run at once in all processes of this store, by capacity class of a capability. A
   * class that is not named has no room at all.
   */
  readonly capacity?: Readonly<Record<string, Capacity>>
  /** Bytes that indexes may take in this process; cells that were not used for longest make room. 1 GiB at first. */
  readonly indexMemory?: number
  /** Days in which records of a kind lose half of their salience, where they differ from HALF_LIFE_DAYS; or `never`. */
  readonly halfLives?: HalfLives
  /** The model that makes semantic records of episodic ones. None at first: nothing is consolidated. */
  readonly consolidation?: ConsolidationOptions
  /**
   * The model that words what crosses the bridge of a mediation and proposes what a turn retrieves. None at first: both
   * are done by what is built in, which needs no network. And how many days a request to share something waits for its
   * decision; 30 at first.
   */
  readonly mediation?: { readonly model?: ChatModel | undefined; readonly requestDays?: number | undefined }
  /**
   * How searches are routed: what 002 leaves to whoever runs it, and a model that is asked what a question is after where
   * no pattern says so. None at first.
   */
  readonly search?: z.input<typeof searchSettings> & { readonly model?: ChatModel | undefined }
  /** What counts the tokens of what a model is given, where it has a budget of them. o200k_base at first. */
  readonly tokenizer?: Tokenizer
  /**
   * What corpora of a field of knowledge are read and searched by, such as `legal({ corpora: ['briefs'] })` of
   * `privity/legal`. None at first.
   */
  readonly domain?: Domain
  /**
   * Where vectors come from; several stand side by side. The built-in one at first, which needs no network; none at all
   * (`[]`) leaves search by words.
   */
  readonly embedding?: readonly EmbeddingProvider[]
  /** Webhooks lead to addresses of the internet alone, unless private ones are allowed: for one's own network, and tests. */
  readonly webhooks?: { readonly allowPrivate?: boolean | undefined }
  /** What hands on mail, such as codes for who opens a link. None at first: what needs mail is refused. */
  readonly mail?: { readonly mailer: Mailer }
  /** Whether what time or another process left to do is looked for now and then; unless said otherwise, it is. */
  readonly sweeps?: boolean
  readonly clock?: Clock
  /** Sees the text of every SQL statement, never a value. */
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
  mediation: z
    .strictObject({ model: chatModel.optional(), requestDays: z.number().positive().max(3_650).optional() })
    .optional(),
  search: searchSettings.extend({ model: chatModel.optional() }).partial().optional(),
  tokenizer: tokenizer.optional(),
  domain: domainOption.optional(),
  embedding: z.array(provider).max(4).optional(),
  webhooks: z.strictObject({ allowPrivate: z.boolean().optional() }).optional(),
  mail: z.strictObject({ mailer }).optional(),
  sweeps: z.boolean().optional(),
  clock: z.custom<Clock>(value => typeof value === 'object' && value !== null).optional(),
  observe: z.custom<Observe>(value => typeof value === 'function').optional(),
})

/** An open store. */
export interface Privity {
  /** A caller: everything done through it is decided for it. */
  as(credential: Credential): Handle
  /** Runs an operation by name: what doors are made from. */
  invoke(
    credential: Credential,
    operation: string,
    input: unknown,
    options?: RequestOptions,
  ): Promise<unknown>
  /**
   * Reads an API key that was presented at a door. Malformed, unknown, forged, revoked and expired ones are refused
   * alike. Each request looks again whether it stands, in its own snapshot.
   */
  authenticate(presented: string): Promise<Access>
  /**
   * Opens a profile by a share link, for somebody who has nothing but its token. Unknown, revoked, expired and exhausted
   * tokens are refused alike.
   */
  redeem(input: InputOf<'links.redeem'>, options?: RequestOptions): Promise<OutputOf<'links.redeem'>>
  readonly engine: Database['engine']
  /**
   * Resolves once everything that can be embedded now has been. Searching never needs it: what still waits is found by
   * its words.
   */
  caughtUp(): Promise<void>
  /** Whether requests can be answered now, and what stands in the way. Cheap enough to be asked all the time. */
  health(): Promise<Health>
  /**
   * Makes a new key for cursors, sealed questions and digests. Every process of this store takes it up by itself; what
   * older keys made stays readable.
   */
  rotateSecrets(): Promise<{ keyId: string; createdAt: string }>
  /** Finishes what runs, closes the audit lanes and the store. */
  close(): Promise<void>
}

/**
 * Opens the store, making or upgrading it where needed.
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

/** The store, ready: schema current, row-level security in force. */
export async function openStore(options: OpenOptions): Promise<Database> {
  const { dataDir, databaseUrl, poolSize, observe } = parse(optionsSchema, options)
  if (dataDir !== undefined && databaseUrl !== undefined)
    throw new PrivityError('invalid_input', 'give a dataDir or a databaseUrl, not both')
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

/** The composition root. Closing what it returns closes the store. */
export async function assemble(
  db: Database,
  clock: Clock,
  {
    dataDir,
    capacity,
    indexMemory,
    halfLives,
    consolidation: consolidating,
    mediation,
    search: { model: reading, ...settings } = {},
    tokenizer: counting,
    domain,
    embedding = [],
    webhooks,
    mail,
    sweeps = false,
  }: Omit<OpenOptions, 'databaseUrl' | 'poolSize' | 'clock' | 'observe' | 'webhooks' | 'mail'> & {
    readonly webhooks?: DeliveryOptions
    readonly mail?: MailOptions
  } = {},
): Promise<Privity> {
  const audit = new AuditLanes(db, clock)
  const apiKeys = new ApiKeys(db, clock)
  const embeddings = new Embeddings(db, embedding, clock)
  const models = embedding.map(({ model }) => model)
  if (new Set(models).size < models.length)
    throw new PrivityError('invalid_input', 'embedding: two providers have the same model name')
  const cells = new Cells(db, {
    models,
    domain: domain ?? null,
    ...(indexMemory === undefined ? {} : { memory: indexMemory }),
  })
  const consolidation = consolidating === undefined ? null : new Consolidation(consolidating)
  const chat = mediation?.model === undefined ? null : new ChatCalls(mediation.model)
  const reader = reading === undefined ? null : new ChatCalls(reading)
  const extractor = new Extractor()
  const leases = new Leases(db, clock, capacity)
  const keys = await KeyRing.open(db, { refreshes: sweeps })
  const posting = new WebhookDelivery(db, keys, clock, { sweeps, ...webhooks })
  const mailing = mail === undefined ? null : new MailDelivery(db, keys, clock, { sweeps, ...mail })
  const runtime = new Runtime({
    db,
    audit,
    apiKeys,
    clock,
    tenants: new TenantFactsCache(builtInRegistry(OPERATIONS)),
    keys,
    leases,
    halfLifeOf: halfLifeOf(halfLives),
    ...(mediation?.requestDays === undefined ? {} : { mediation: { requestDays: mediation.requestDays } }),
    consolidation,
    chat,
    reader,
    search: searchSettings.parse(settings),
    ...(counting === undefined ? {} : { tokenizer: counting }),
    domain: domain ?? null,
    cells,
    embeddings,
    extraction: extractor,
    outbox: outboxOf(posting, mailing),
  })
  const shareTokens = new ShareTokens(db, clock)
  const ending = new EndingProfiles(db, clock, { sweeps })
  const health = new HealthChecks({ db, audit, embeddings, dataDir })
  let closing: Promise<void> | null = null
  return {
    engine: db.engine,
    as(credential) {
      const caller = readCredential(credential)
      return makeHandle((name, input, options) =>
        runtime.invoke(operationNamed(name), caller, input, options),
      )
    },
    async invoke(credential, name, input, options) {
      return runtime.invoke(operationNamed(name), readCredential(credential), input, options)
    },
    authenticate: presented => apiKeys.authenticate(presented),
    async redeem(input, options) {
      const caller = readCredential(await shareTokens.authenticate(input, options))
      return runtime.invoke(redeemLink, caller, input, options)
    },
    caughtUp: () => embeddings.caughtUp(),
    health: () => health.check(),
    rotateSecrets: () => keys.rotate(),
    close() {
      consolidation?.close()
      chat?.close()
      reader?.close()
      keys.close()
      closing ??= runtime
        .settle()
        .then(() =>
          Promise.all([
            audit.close(),
            ending.close(),
            apiKeys.close(),
            leases.close(),
            cells.close(),
            embeddings.close(),
            extractor.close(),
            posting.close(),
            mailing?.close(),
          ]),
        )
        .then(() => {})
        .finally(() => db.close())
      return closing
    },
  }
}

/** Both ways to send, as one. */
export const outboxOf = (posting: WebhookDelivery, mailing: MailDelivery | null): Outbox => ({
  mails: mailing !== null,
  noteWork(tenant) {
    posting.noteWork(tenant)
    mailing?.noteWork(tenant)
  },
  requireSendable: url => posting.requireSendable(url),
})
