import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PrivityError } from '../errors.js'
import { type Handle, makeHandle } from '../handle.js'
import type { Privity } from '../open.js'
import type { Audience, Sensitivity } from '../policy/vocabulary.js'
import type { Credential, TrustContext } from '../runtime/caller.js'
import { chatModelOf } from './chat-model.js'
import type { Command, Values } from './command.js'
import { domainOf } from './legal-corpora.js'
import { mailOption } from './mailer-of.js'
import { ocrOption } from './ocr-of.js'
import { UsageError } from './usage-error.js'

/** What a command works on: the same methods for a store in this process and for a server. */
export interface CommandAccess {
  readonly handle: Handle
  /** The store, if it is in this process. */
  readonly privity: Privity | null
  readonly credential: Credential | null
  /** Resolves when everything that was written has its vectors, or after a timeout. */
  settled(): Promise<void>
  /** Resolves when all scanned pages are recognised that can be now, or once nobody waits any more. */
  recognised(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** A store, as a folder or a database URL. */
export type StorePlace = { readonly dataDir: string } | { readonly databaseUrl: string }
export type Place = StorePlace | { readonly url: string; readonly key: string }

const DEFAULT_DIR = './privity-data'
const SETTLE_MS = 30_000

/** The place that the options name. An option on the command line takes precedence over the environment. */
export function placeOf(
  options: Values,
  isWritten: (name: string) => boolean,
  { name: command, needs, onServer }: Pick<Command, 'name' | 'needs' | 'onServer'>,
): Place {
  const kinds = ['url', 'database-url', 'data-dir'] as const
  const written = kinds.filter(isWritten)
  if (written.length > 1)
    throw new UsageError(`give only one of ${written.map(name => `--${name}`).join(' and ')}`)
  const [kind = 'data-dir'] =
    written.length > 0 ? written : kinds.filter(name => options.text(name) !== undefined)
  const value = options.text(kind)
  if (kind === 'data-dir') return { dataDir: value ?? DEFAULT_DIR }
  if (kind === 'database-url') return { databaseUrl: value ?? '' }
  if (needs === 'store') {
    const found = written.length > 0 ? 'not on a server' : 'and PRIVITY_URL names a server: unset it, or'
    const instead = onServer === undefined ? '' : `; ${onServer}`
    throw new UsageError(
      `${command} works on a store, ${found}${written.length > 0 ? ':' : ''} give --data-dir or --database-url${instead}`,
      command,
    )
  }
  const key = options.text('key')
  if (key === undefined) throw new UsageError('a server needs an API key: set PRIVITY_KEY, or add --key')
  return { url: value ?? '', key }
}

/** Requires that the store exists, so that a misspelt folder is not created. */
export function requireStore(place: StorePlace, command: Command): void {
  if (command.makesStore || !('dataDir' in place) || existsSync(join(place.dataDir, 'pgdata'))) return
  throw new PrivityError(
    'setup_incomplete',
    `there is no store in ${place.dataDir}; name another with --data-dir, or make one with privity migrate`,
  )
}

export function credentialOf(options: Values, audience: Audience = 'owner'): Credential {
  const trust = trustOf(options)
  const actingFor = options.text('for')
  return {
    tenant: options.text('tenant') ?? 'default',
    actor: options.text('as') ?? 'owner',
    audience: (options.text('audience') as Audience | undefined) ?? audience,
    ...(actingFor === undefined ? {} : { for: actingFor }),
    ...(trust === undefined ? {} : { trust }),
  }
}

/** Whoever has the folder or the database password vouches for the caller that they name. */
function trustOf(options: Values): TrustContext | undefined {
  const maxSensitivity = options.text('max-sensitivity') as Sensitivity | undefined
  const scopes = options.texts('scope')
  if (maxSensitivity === undefined) {
    if (scopes !== undefined) throw new UsageError('--scope needs --max-sensitivity')
    return undefined
  }
  return { maxSensitivity, authenticated: true, ...(scopes === undefined ? {} : { scopes }) }
}

export async function openAccess(
  place: Place,
  options: Values,
  command: Command,
  isWritten: (name: string) => boolean,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CommandAccess> {
  if ('url' in place) return openServer(place, options, isWritten)
  requireStore(place, command)
  const { open } = await import('../open.js')
  const privity = await open({
    ...place,
    ...domainOf(env, { withExample: command.name === 'start' }),
    ...(await chatModelOf(env)),
    ...(await mailOption(env)),
    ...(await ocrOption(env)),
    webhooks: { allowPrivate: allowsPrivateWebhooks(env) },
  })
  const credential = credentialOf(options, command.audience)
  return {
    handle: privity.as(credential),
    privity,
    credential,
    settled: () => orAfter(privity.caughtUp(), SETTLE_MS),
    recognised: signal => Promise.race([privity.caughtUp(), whenAborted(signal)]),
    close: () => privity.close(),
  }
}

function allowsPrivateWebhooks({
  PRIVITY_WEBHOOKS_PRIVATE: said = 'off',
}: Parameters<typeof openAccess>[4]): boolean {
  if (said !== 'on' && said !== 'off') throw new UsageError('PRIVITY_WEBHOOKS_PRIVATE must be on or off')
  return said === 'on'
}

/** The key decides who the caller is; options can only narrow that. */
async function openServer(
  { url, key }: { url: string; key: string },
  options: Values,
  isWritten: (name: string) => boolean,
): Promise<CommandAccess> {
  const who = (['tenant', 'as', 'audience', 'for'] as const).find(isWritten)
  if (who !== undefined) throw new UsageError(`--${who} cannot be given with a server: the key says who asks`)
  const { connect } = await import('../client/index.js')
  const server = connect({ url, key })
  const trust = trustOf(options)
  return {
    handle:
      trust === undefined
        ? server
        : makeHandle((name, input, asked) => server.invoke(name, input, { trust, ...asked })),
    privity: null,
    credential: null,
    settled: async () => {},
    recognised: async () => {},
    close: async () => {},
  }
}

const whenAborted = (signal: AbortSignal | undefined) =>
  new Promise<void>(resolve => signal?.addEventListener('abort', () => resolve()))

async function orAfter(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    work.catch(() => {}),
    new Promise<void>(resolve => {
      timer = setTimeout(resolve, ms)
    }),
  ])
  clearTimeout(timer)
}
