import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { PrivityError } from '../../errors.js'
import type { Database } from '../database.js'
import { openPglite } from '../pglite.js'
import { backUpToFile } from './backup-file.js'

type Options = NonNullable<Parameters<typeof backUpToFile>[2]>

/**
 * Backs up a store that is in use. Postgres reads a snapshot beside the requests. An embedded store has one connection,
 * so its files are copied between two transactions, and the backup is written from the copy.
 */
export async function backUpStore(db: Database, file: string, options: Options = {}) {
  if (db.copyFiles === undefined) return backUpToFile(db, file, options)
  // Beside the backup: that disk must have room anyway.
  const folder = await mkdtemp(join(dirname(resolve(file)), '.privity-backup-')).catch(() =>
    mkdtemp(join(tmpdir(), 'privity-backup-')),
  )
  try {
    await db.copyFiles(folder)
    return await backUpCopy(folder, file, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes a backup from the copied files of an embedded store. */
export async function backUpCopy(folder: string, file: string, options: Options = {}) {
  const copy = await openPglite({ dataDir: folder })
  try {
    return await backUpToFile(copy, file, options)
  } finally {
    await copy.close()
  }
}

export async function copyFilesOf(db: Database, folder: string): Promise<void> {
  if (db.copyFiles === undefined)
    throw new PrivityError('invalid_input', 'only an embedded store in a folder has files to copy')
  await db.copyFiles(folder)
}
