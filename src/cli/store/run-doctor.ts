import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { builtIn } from '../../embedding/built-in.js'
import { ERRORS, PrivityError } from '../../errors.js'
import { assemble } from '../../open.js'
import { SYSTEM_CLOCK } from '../../runtime/clock.js'
import { asWriter } from '../../runtime/sending.js'
import type { Database } from '../../storage/database.js'
import { isSecurityInstalled, newestSchema, refuseOlderStore } from '../../storage/migrate.js'
import { countCaptureJobs } from '../../storage/queries/capture-jobs.js'
import { listTenants } from '../../storage/queries/list-tenants.js'
import { requireSecondLock } from '../../storage/queries/require-second-lock.js'
import { readSchemaVersion } from '../../storage/queries/schema-version.js'
import { examineRoles } from '../../storage/usable-roles.js'
import { VERSION } from '../../version.js'
import type { StorePlace } from '../access.js'
import type { Context } from '../command.js'
import { CommandStopped } from '../command-stopped.js'
import { formatBytes, formatCount, padEnd, toOneLine } from '../output/text.js'
import { type Finding, judgeDiskSpace, judgeNode, judgeSchema } from './checks.js'
import { openDatabase } from './open-database.js'

const STYLES = { ok: 'green', warning: 'yellow', problem: 'red' } as const

/** Checks everything that must be right, and changes nothing. */
export async function runDoctor(context: Context): Promise<void> {
  const { terminal, options } = context
  const findings: Finding[] = []
  for await (const finding of findAll(context, options.flag('deep'))) {
    findings.push(finding)
    if (terminal.json) continue
    const { check, state, says } = finding
    terminal.line(
      `${terminal.style(STYLES[state], padEnd(state, 7))}  ${padEnd(check, 10)}  ${toOneLine(says)}`,
    )
  }
  const healthy = findings.every(({ state }) => state !== 'problem')
  if (terminal.json) terminal.document({ ok: healthy, findings })
  if (!healthy) throw new CommandStopped(ERRORS.setup_incomplete.exit)
}

async function* findAll(context: Context, deep: boolean): AsyncGenerator<Finding> {
  yield { check: 'privity', state: 'ok', says: VERSION }
  yield judgeNode(process.version)
  yield await examineProvider()
  const place = context.place()
  if ('url' in place) yield await examineServer(context)
  else yield* examineStore(place, deep)
}

async function examineProvider(): Promise<Finding> {
  const check = 'embedding'
  const provider = builtIn()
  const started = performance.now()
  try {
    const [vector] = await provider.embed(['memory'], 'query', AbortSignal.timeout(30_000))
    if (!vector) return { check, state: 'problem', says: `${provider.model} gave no vector` }
    const ms = Math.round(performance.now() - started)
    return {
      check,
      state: 'ok',
      says: `${provider.model}, ${vector.length} dimensions, ${ms} ms for the first word`,
    }
  } catch (error) {
    return { check, state: 'problem', says: `${provider.model}: ${messageOf(error)}` }
  } finally {
    await provider.close?.()
  }
}

async function examineServer(context: Context): Promise<Finding> {
  const check = 'server'
  const started = performance.now()
  try {
    const { handle } = await context.open()
    await handle.capabilities.list()
    return { check, state: 'ok', says: `answered in ${Math.round(performance.now() - started)} ms` }
  } catch (error) {
    return { check, state: 'problem', says: messageOf(error) }
  }
}

async function* examineStore(place: StorePlace, deep: boolean): AsyncGenerator<Finding> {
  if ('dataDir' in place) {
    yield await examineDisk(place.dataDir)
    if (!existsSync(join(place.dataDir, 'pgdata'))) {
      yield { check: 'store', state: 'warning', says: `none in ${place.dataDir}; privity migrate makes it` }
      return
    }
  } else yield { check: 'disk', state: 'ok', says: 'is the database server’s to watch' }
  let db: Database
  try {
    db = await openDatabase(place)
  } catch (error) {
    yield { check: 'store', state: 'problem', says: messageOf(error) }
    return
  }
  try {
    yield { check: 'store', state: 'ok', says: `opened (${db.engine})` }
    yield* examineDatabase(db, deep)
  } finally {
    await db.close()
  }
}

async function* examineDatabase(db: Database, deep: boolean): AsyncGenerator<Finding> {
  try {
    await refuseOlderStore(db)
  } catch (error) {
    yield { check: 'schema', state: 'problem', says: messageOf(error) }
    return
  }
  const schema = judgeSchema(await readSchemaVersion(db), await newestSchema())
  yield schema
  if (schema.state !== 'ok') return
  const { user, unusable } = await examineRoles(db)
  yield unusable.length === 0
    ? { check: 'roles', state: 'ok', says: 'all there' }
    : {
        check: 'roles',
        state: 'problem',
        says:
          `${user} cannot use ${unusable.join(', ')}; run privity migrate, or as an administrator of the server: ` +
          `grant ${unusable.join(', ')} to "${user}" (privity migrate --sql prints how to make them)`,
      }
  if (!(await isSecurityInstalled(db))) {
    yield {
      check: 'security',
      state: 'problem',
      says: 'policies, grants or functions of row-level security are missing or were changed; privity migrate installs them again',
    }
    return
  }
  try {
    await requireSecondLock(db)
    yield { check: 'security', state: 'ok', says: 'row-level security is in force' }
  } catch (error) {
    yield { check: 'security', state: 'problem', says: messageOf(error) }
    return
  }
  if (unusable.length === 0) yield await examineCapture(db)
  if (deep && unusable.length === 0) yield* examineAudit(db)
}

/** Turns that a model has not read yet, or could not read (WR-7). */
async function examineCapture(db: Database): Promise<Finding> {
  const check = 'capture'
  let waiting = 0
  let failed = 0
  for (const { tenant } of await listTenants(db)) {
    const counts = await db.transaction(asWriter(tenant), tx => countCaptureJobs(tx, tenant))
    waiting += counts.waiting
    failed += counts.failed
  }
  const waits =
    waiting === 0 ? 'no conversation waits' : `${formatCount(waiting, 'piece')} of conversations wait`
  if (failed === 0) return { check, state: 'ok', says: `${waits} for a model` }
  const says = `a model could not read ${formatCount(failed, 'piece')} of conversations; see privity captures list --state failed`
  return { check, state: 'warning', says }
}

async function* examineAudit(db: Database): AsyncGenerator<Finding> {
  const tenants = await listTenants(db)
  // It does not close the database: whoever opened that closes it.
  const privity = await assemble({ ...keptOpen(db) }, SYSTEM_CLOCK)
  try {
    for (const { tenant } of tenants) {
      const { ok, entries, problems } = await privity
        .as({ tenant, actor: 'owner', audience: 'host' })
        .audit.verify()
      const what = `${tenant}: ${formatCount(entries, 'entry', 'entries')}`
      yield ok
        ? { check: 'audit', state: 'ok', says: what }
        : {
            check: 'audit',
            state: 'problem',
            says: `${what}, ${problems.map(({ kind }) => kind).join(', ')}`,
          }
    }
  } finally {
    await privity.close()
  }
}

const keptOpen = (db: Database): Database => ({
  engine: db.engine,
  transaction: (options, fn) => db.transaction(options, fn),
  statement: (options, sql, params) => db.statement(options, sql, params),
  script: sql => db.script(sql),
  close: async () => {},
})

async function examineDisk(dataDir: string): Promise<Finding> {
  try {
    const { bavail, blocks, bsize } = await statfs(existsSync(dataDir) ? dataDir : '.')
    const free = bavail * bsize
    const total = blocks * bsize
    return {
      check: 'disk',
      state: judgeDiskSpace(free, total),
      says: `${formatBytes(free)} free of ${formatBytes(total)}`,
    }
  } catch {
    return { check: 'disk', state: 'warning', says: 'its free space cannot be read' }
  }
}

const messageOf = (error: unknown) =>
  error instanceof PrivityError || error instanceof Error ? error.message : 'failed'
