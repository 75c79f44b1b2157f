import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ERRORS, PrivityError } from '../../errors.js'
import type { BackupKey, BackupLock } from '../../storage/backup/backup-file.js'
import type { StorePlace } from '../access.js'
import { askSecret } from '../ask-secret.js'
import type { Command, Context, Options } from '../command.js'
import { CommandStopped, INTERRUPTED, untilInterrupted } from '../command-stopped.js'
import { ProgressBar } from '../output/progress-bar.js'
import { formatBytes, formatCount, formatDuration, formatMoment } from '../output/text.js'
import { UsageError } from '../usage-error.js'
import { storeOf } from './hosts.js'

const PASSPHRASE: Options = {
  'passphrase-file': {
    type: 'text',
    value: 'FILE',
    describe: 'a file whose first line is the passphrase; or set PRIVITY_BACKUP_PASSPHRASE',
  },
}
const KEY_OPTIONS: Options = {
  ...PASSPHRASE,
  'identity-file': {
    type: 'text',
    value: 'FILE',
    describe: 'a file with the private key (AGE-SECRET-KEY-1…) of a backup made with --recipient',
  },
}

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write a backup of the whole store, or of one tenant, while it is in use',
  arguments: [{ name: 'file' }],
  options: {
    ...PASSPHRASE,
    encrypt: { type: 'flag', describe: 'encrypt it with a passphrase; asks for one unless it is given' },
    recipient: {
      type: 'texts',
      value: 'age1…',
      describe: 'encrypt it for a public key of age, whose private key need not be here; may be repeated',
    },
    'only-tenant': {
      type: 'text',
      value: 'NAME',
      describe:
        'only this tenant, with everything that is stored of it; it can be restored into a store of its own',
    },
    force: { type: 'flag', describe: 'replace an existing file' },
  },
  examples: [
    { line: 'backup memory.privity', does: 'the embedded store, also while its server runs' },
    { line: 'backup memory.privity --encrypt', does: 'the same, encrypted with a passphrase' },
    { line: 'backup acme.privity --only-tenant acme', does: 'one tenant, to hand it over or to keep it' },
    {
      line: 'backup memory.privity --database-url postgres://localhost/privity',
      does: 'a store on Postgres',
    },
  ],
  needs: 'store',
  completesFiles: true,
  async run(context) {
    const { args, options, place, terminal } = context
    const [file = ''] = args
    if (existsSync(file) && !options.flag('force'))
      throw new PrivityError(
        'conflict',
        `${file} exists already; choose another file, or replace it with --force`,
      )
    const store = storeOf(place(), backupCommand)
    const lock = await lockOf(context)
    const tenant = options.text('only-tenant')
    const { backUpToFile } = await import('../../storage/backup/backup-file.js')
    const { requireTenant } = await import('../../storage/delete-tenant.js')
    await working(context, 'row', async (signal, progress) => {
      const source = await openSource(store)
      try {
        if (tenant !== undefined) await requireTenant(source.db, tenant)
        const result = await backUpToFile(source.db, file, {
          ...(tenant === undefined ? {} : { tenant }),
          ...(lock === undefined ? {} : { lock }),
          signal,
          onProgress: ({ rows, ofRows }) => progress.show({ done: rows, share: rows / ofRows }),
        })
        progress.clear()
        if (terminal.json)
          terminal.document({ file, tenant: tenant ?? null, encrypted: lock !== undefined, ...result })
        else {
          terminal.line(
            `${file}: ${formatCount(result.rows, 'row')} (${formatBytes(result.bytes)}${lock === undefined ? ', not encrypted' : ', encrypted'}) in ${formatDuration(progress.elapsedMs)}`,
          )
          terminal.note(`prove that it can be restored: privity backup verify ${file}`)
        }
      } finally {
        await source.close()
      }
    })
  },
}

export const verifyCommand: Command = {
  name: 'backup verify',
  summary: 'Restore a backup into a temporary store, and check its checksums, audit and indexes',
  arguments: [{ name: 'file' }],
  options: KEY_OPTIONS,
  examples: [{ line: 'backup verify memory.privity', does: 'the drill; the store itself is not touched' }],
  needs: 'nothing',
  completesFiles: true,
  async run(context) {
    const { args, terminal } = context
    const [file = ''] = args
    const key = await keyOf(context, file)
    const { verifyBackup } = await import('../store/verify-backup.js')
    await working(context, 'row', async (signal, progress) => {
      let rows = 0
      const result = await verifyBackup(file, {
        ...(key === undefined ? {} : { key }),
        signal,
        onProgress: table => {
          rows += table.rows
          progress.show({ done: rows, share: null })
        },
      })
      progress.clear()
      const sound = result.tenants.every(({ ok }) => ok)
      if (terminal.json) terminal.document({ file, ok: sound, ...result })
      else {
        const { header } = result
        terminal.line(
          `${file}: made ${formatMoment(header.createdAt)}, schema ${header.schema}, ${formatCount(result.rows, 'row')}, checksums match`,
        )
        for (const { tenant, ok, entries, records, problems } of result.tenants)
          terminal.line(
            `  ${tenant}: ${formatCount(records, 'record')}, audit of ${formatCount(entries, 'entry', 'entries')} ${ok ? 'verified' : `NOT verified (${problems.join(', ')})`}`,
          )
        terminal.line(sound ? 'This backup can be restored.' : 'Do not rely on this backup.')
      }
      if (!sound) throw new CommandStopped(ERRORS.setup_incomplete.exit)
    })
  },
}

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Fill a new, empty store from a backup',
  arguments: [{ name: 'file' }],
  options: KEY_OPTIONS,
  examples: [
    { line: 'restore memory.privity --data-dir ./restored', does: 'into a new folder' },
    {
      line: 'restore memory.privity --database-url postgres://localhost/restored',
      does: 'into an empty database; a backup of an embedded store fits as well',
    },
  ],
  needs: 'store',
  makesStore: true,
  completesFiles: true,
  async run(context) {
    const { args, place, terminal } = context
    const [file = ''] = args
    const store = storeOf(place(), restoreCommand)
    const key = await keyOf(context, file)
    const { checkBackupFile, restoreFromFile } = await import('../../storage/backup/backup-file.js')
    const { requireSecondLock } = await import('../../storage/queries/require-second-lock.js')
    const { openDatabase } = await import('../store/open-database.js')
    await working(context, 'row', async (signal, progress) => {
      // Before anything is made: a damaged file leaves no empty store behind.
      const { rows: ofRows } = await checkBackupFile(file, key)
      const made = 'dataDir' in store && !existsSync(join(store.dataDir, 'pgdata'))
      const db = await openDatabase(store)
      let restored = false
      try {
        let rows = 0
        const result = await restoreFromFile(db, file, {
          ...(key === undefined ? {} : { key }),
          signal,
          onProgress: table => {
            rows += table.rows
            progress.show({ done: rows, share: rows / Math.max(1, ofRows) })
          },
        })
        await requireSecondLock(db)
        restored = true
        progress.clear()
        if (terminal.json) terminal.document({ file, ...result })
        else
          terminal.line(
            `restored ${formatCount(result.rows, 'row')} from ${formatMoment(result.header.createdAt)} in ${formatDuration(progress.elapsedMs)}; check it with: privity doctor --deep`,
          )
      } finally {
        await db.close()
        if (!restored && made && 'dataDir' in store)
          await rm(join(store.dataDir, 'pgdata'), { recursive: true, force: true })
      }
    })
  },
}

/** The store to read: itself, or a copy of its files if another process holds it. */
async function openSource(place: StorePlace) {
  const { openDatabase } = await import('../store/open-database.js')
  try {
    const db = await openDatabase(place)
    return { db, close: () => db.close() }
  } catch (e) {
    if (!(e instanceof PrivityError && e.code === 'store_locked' && 'dataDir' in place)) throw e
    const { requestCopy } = await import('../store/control.js')
    const copy = await requestCopy(place.dataDir)
    try {
      const db = await openDatabase({ dataDir: copy })
      return { db, close: () => db.close().finally(() => rm(copy, { recursive: true, force: true })) }
    } catch (failed) {
      await rm(copy, { recursive: true, force: true })
      throw failed
    }
  }
}

async function working(
  { terminal }: Context,
  thing: string,
  run: (signal: AbortSignal, progress: ProgressBar) => Promise<void>,
): Promise<void> {
  const { signal, done } = untilInterrupted()
  const progress = new ProgressBar(terminal, thing)
  try {
    await run(signal, progress)
  } catch (e) {
    if (!signal.aborted) throw e
    progress.clear()
    if (!terminal.json) terminal.note('stopped; nothing was written')
    throw new CommandStopped(INTERRUPTED)
  } finally {
    progress.clear()
    done()
  }
}

async function lockOf({ options, env, terminal }: Context): Promise<BackupLock | undefined> {
  const recipients = options.texts('recipient')
  const given = await givenPassphrase(options.text('passphrase-file'), env)
  if (recipients !== undefined) {
    if (given !== undefined || options.flag('encrypt'))
      throw new UsageError('encrypt a backup with a passphrase or for a --recipient, not both')
    return { recipients }
  }
  if (given !== undefined) return { passphrase: given }
  if (!options.flag('encrypt')) return undefined
  return { passphrase: await askSecret(terminal, 'passphrase', 'give --passphrase-file') }
}

/** Asks for the passphrase of an encrypted backup only if nothing else opens it. */
async function keyOf({ options, env, terminal }: Context, file: string): Promise<BackupKey | undefined> {
  const identityFile = options.text('identity-file')
  if (identityFile !== undefined) {
    const line = (await readText(identityFile)).split('\n').find(each => each.startsWith('AGE-SECRET-KEY-'))
    if (line === undefined) throw new UsageError(`${identityFile} has no line AGE-SECRET-KEY-1…`)
    return { identity: line.trim() }
  }
  const { isEncrypted } = await import('../../storage/backup/backup-file.js')
  if (!(await isEncrypted(file))) return undefined
  const given = await givenPassphrase(options.text('passphrase-file'), env)
  if (given !== undefined) return { passphrase: given }
  return {
    passphrase: await askSecret(terminal, 'passphrase', 'give --passphrase-file or --identity-file', {
      once: true,
    }),
  }
}

async function givenPassphrase(file: string | undefined, env: Context['env']): Promise<string | undefined> {
  if (file === undefined) return env.PRIVITY_BACKUP_PASSPHRASE
  const [line = ''] = (await readText(file)).split('\n')
  if (line.trim() === '') throw new UsageError(`${file} has no passphrase in its first line`)
  return line.replace(/\r$/, '')
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read`)
  }
}
