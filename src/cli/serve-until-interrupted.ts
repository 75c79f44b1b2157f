import cluster from 'node:cluster'
import { fstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SIGN_IN_MINUTES } from '../authentication/sign-in-tokens.js'
import { connect } from '../client/index.js'
import { PrivityError } from '../errors.js'
import { type LoadedCaller, loadExample } from '../example-world/load.js'
import { WORLDS } from '../example-world/world.js'
import { type ServeOptions, type Server, serve } from '../http/serve.js'
import { readServerConfig } from '../http/server-config.js'
import type { Privity } from '../open.js'
import type { Sensitivity } from '../policy/vocabulary.js'
import type { Credential } from '../runtime/caller.js'
import { VERSION } from '../version.js'
import type { Place } from './access.js'
import type { Context } from './command.js'
import { untilInterrupted } from './command-stopped.js'
import { omitUndefined } from './omit-undefined.js'
import type { Terminal } from './output/terminal.js'
import { noteServerAddress } from './server-address.js'
import { sharedSignInTokens } from './shared-sign-in-tokens.js'
import { listenForControl } from './store/control.js'

/** How long running requests, and then the store, have to finish after a signal. */
const ENDED_WITHIN_MS = 15_000

/** Serves a store, prints how to reach it, and finishes running requests at Ctrl-C. */
export async function serveUntilInterrupted(
  privity: Privity,
  owner: Credential,
  { options, env, terminal }: Context,
  withExample: boolean,
  /** Where the store is, for other commands that want it; null if none can. */
  place: Place | null,
): Promise<void> {
  const wanted = options.text('log') ?? (terminal.isWatched || isOneStream() ? 'none' : 'json')
  const { pino, destination } = (await import('pino')).default
  const server = await serve(privity, {
    ...(await configOf(options.text('config'))),
    ...omitUndefined({
      port: options.number('port'),
      host: options.text('host'),
      hosts: options.texts('allow-host'),
      origins: options.texts('origin'),
      mcpSensitivity: options.text('mcp-sensitivity') as Sensitivity | undefined,
    }),
    logger: wanted === 'none' ? null : pino(destination(2)),
    metricsToken: env.PRIVITY_METRICS_TOKEN ?? null,
    ...(cluster.isWorker ? { signInTokens: sharedSignInTokens() } : {}),
  })
  const { signal, done } = untilInterrupted(ENDED_WITHIN_MS)
  const forgetAddress = await noteServerAddress(place, server.url)
  const stopControl =
    place !== null && 'dataDir' in place ? await listenForControl(privity, place.dataDir) : async () => {}
  const untilStopped = async () => {
    if (!signal.aborted)
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
  }
  try {
    // Of several processes the first one speaks.
    if (cluster.isWorker && cluster.worker?.id !== 1) {
      await untilStopped()
      return await server.close()
    }
    // Whoever watches signs in by the address and makes keys in the console; a program reads the key.
    const secret = terminal.isWatched ? undefined : await firstKey(privity, owner)
    const signIn = server.signInAddress({ tenant: owner.tenant, actor: owner.actor, audience: 'host' })
    if (!terminal.json) {
      introduce(terminal, server, signIn, place)
      // Printed immediately: the output may be cut off later, and the key is not shown again.
      if (secret !== undefined) handOver(terminal, owner, secret)
      if (withExample) terminal.note(terminal.style('dim', '\nloading the example worlds …', 'stderr'))
    }
    const callers = withExample ? await loadExample(privity) : []
    if (terminal.json)
      terminal.document({ url: server.url, signIn, ...omitUndefined({ secret }), ...described(callers) })
    else {
      if (withExample) await show(terminal, server, callers)
      terminal.line(`${withExample ? '\n' : ''}Stop   Ctrl-C stops the server.`)
    }
    await untilStopped()
    if (terminal.isWatched) terminal.note('\nfinishing what was begun …')
    await server.close()
  } finally {
    await stopControl()
    await forgetAddress()
    // A failure leaves no server behind that nobody knows of.
    await server.close(0)
    done()
  }
}

/** Whether both outputs go to the same pipe or file, where lines of the log would stand between those for people. */
function isOneStream(): boolean {
  try {
    const [out, error] = [fstatSync(1), fstatSync(2)]
    return out.dev === error.dev && out.ino === error.ino
  } catch {
    return false
  }
}

const described = (callers: readonly LoadedCaller[]) =>
  callers.length === 0
    ? {}
    : {
        example: callers.map(({ who, key, world, secret }) => ({
          tenant: world.name,
          name: key.name,
          who,
          secret,
        })),
      }

async function configOf(path: string | undefined): Promise<Partial<ServeOptions>> {
  if (path === undefined) return {}
  try {
    return readServerConfig(await readFile(path, 'utf8'))
  } catch (error) {
    const why = error instanceof PrivityError ? error.message : 'the file cannot be read'
    throw new PrivityError('invalid_input', `${path}: ${why}`)
  }
}

/** Creates a first key if the store has no host key; all others can be made with it. It is shown only now. */
async function firstKey(privity: Privity, { tenant, actor }: Credential): Promise<string | undefined> {
  const host = privity.as({ tenant, actor, audience: 'host' })
  const now = new Date().toISOString()
  const { keys } = await host.keys.list({ limit: 200 })
  const stands = keys.some(
    ({ audience, revokedAt, expiresAt }) =>
      audience === 'host' && revokedAt === null && (expiresAt === null || expiresAt > now),
  )
  if (stands) return undefined
  // Two processes that start at once create only one key.
  const name = `host, made at start ${keys.length + 1}`
  const made = await host.keys.create({ name, actor, audience: 'host' }, { idempotencyKey: name })
  return made.secret ?? undefined
}

/** Three lines, of which the last is how to stop: where to sign in, and where the data lies. */
function introduce(terminal: Terminal, { url }: Server, signIn: string, place: Place | null): void {
  const { line } = bound(terminal)
  terminal.note(terminal.style('dim', `Privity ${VERSION} is listening on ${url}`, 'stderr'))
  line(`Open   ${terminal.style('cyan', signIn)}  (signs you in once, within ${SIGN_IN_MINUTES} minutes)`)
  line(`Data   ${placeInWords(place)}`)
}

function placeInWords(place: Place | null): string {
  if (place === null) return 'in memory; it is gone when the server stops'
  if ('dataDir' in place) return resolve(place.dataDir)
  // The address of a database may contain a password.
  return 'the Postgres database that PRIVITY_DATABASE_URL or --database-url names'
}

function handOver(terminal: Terminal, { tenant, actor }: Credential, secret: string): void {
  const { line } = bound(terminal)
  line(`${terminal.style('bold', 'Your key')}, shown this once (tenant ${tenant}, host ${actor}):`)
  line(`  ${terminal.style('yellow', secret)}`)
  line('  It makes all other keys: privity keys create --help')
}

/** How many lines of an answer are printed. */
const MOST_LINES = 3

/** Prints what each caller is told over HTTP, and what to type next. */
async function show(terminal: Terminal, { url }: Server, callers: readonly LoadedCaller[]): Promise<void> {
  const { line } = bound(terminal)
  const toTry: string[] = []
  for (const world of WORLDS) {
    const own = callers.filter(caller => caller.world === world)
    line(`\n${terminal.style('bold', `Example: ${world.about}`)} (tenant ${world.name})`)
    line(`  ${world.asked}`)
    for (const caller of own) {
      const { who, key, secret } = caller
      const { lines, more } = await world.ask(connect({ url, key: secret }), caller, MOST_LINES)
      line(`\n  ${terminal.style('cyan', key.name)}: ${who}`)
      line(`    ${terminal.style('dim', secret)}`)
      for (const told of lines) line(`    · ${told}`)
      if (more > 0) line(terminal.style('dim', `    and ${more} more`))
      if (lines.length === 0) line('    · nothing')
    }
    for (const { as, shows, line } of await world.toTry(connect({ url, key: own[0]?.secret ?? '' }), { url }))
      toTry.push(
        terminal.style('dim', `  # ${world.about}${as === null ? `: ${shows}` : `, with the key of ${as}`}`),
        `  ${line}`,
      )
  }
  line(`\n${terminal.style('bold', 'Try')} (the keys of the examples are new with each start):`)
  line(`  export PRIVITY_URL=${url} PRIVITY_KEY=…   # one of the keys above`)
  for (const each of toTry) line(each)
  line(terminal.style('dim', '  # an assistant that speaks MCP'))
  line(
    '  claude mcp add --transport http privity $PRIVITY_URL/mcp --header "Authorization: Bearer $PRIVITY_KEY"',
  )
  line('  docs/http.md, docs/cli.md, docs/mcp.md, docs/mediation.md and docs/sharing.md go on from here.')
}

const bound = (terminal: Terminal) => ({ line: (text: string) => terminal.line(text) })
