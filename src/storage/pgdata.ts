import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { PrivityError } from '../errors.js'
import { errorCode } from './storage-error.js'

/** The major version of Postgres whose data files PGlite can read. */
const POSTGRES_VERSION = '18'

/** True if there is a store to open, false if there is none yet. Throws if the folder holds anything else. */
export async function hasPgdata(pgdata: string): Promise<boolean> {
  let version: string
  try {
    version = (await readFile(join(pgdata, 'PG_VERSION'), 'utf8')).trim()
  } catch (e) {
    if (errorCode(e) !== 'ENOENT') throw e
    if (await exists(pgdata)) throw new PrivityError('invalid_input', `${pgdata} does not hold a store`)
    return false
  }
  if (version === POSTGRES_VERSION) return true
  throw new PrivityError(
    'invalid_input',
    `${pgdata} was made by postgres ${version}, and this build reads ${POSTGRES_VERSION}`,
  )
}

/**
 * Unpacks a tarball of a data directory. It is written to a temporary folder, synced and then renamed, so that an
 * existing `pgdata` is always complete, even if the process or the machine stops. (PGlite's own `loadDataDir` writes
 * in place and takes twice as long.)
 */
export async function createPgdata(pgdata: string, tarball: Blob): Promise<SyncedFiles> {
  const draft = `${pgdata}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  const written = [draft]
  for (const entry of readTar(await unzip(Buffer.from(await tarball.arrayBuffer())))) {
    const path = join(draft, entry.name)
    if (!path.startsWith(draft + sep))
      throw new PrivityError('invalid_input', 'the tarball leaves its folder')
    if (entry.content === undefined) await mkdir(path, { recursive: true, mode: 0o700 })
    else await writeFile(path, entry.content, { mode: 0o600 })
    written.push(path)
  }
  const synced = await syncAll(written)
  await rename(draft, pgdata)
  await syncAll([dirname(pgdata)])
  return synced
}

/** Syncs the files of a process that did not shut its store down. */
export async function syncAfterCrash(pgdata: string): Promise<SyncedFiles> {
  if (!(await exists(join(pgdata, 'postmaster.pid')))) return new Set()
  const entries = await readdir(pgdata, { recursive: true })
  return syncAll(entries.map(entry => join(pgdata, entry)))
}

/** The files that were synced, identified by their state at that time. */
export type SyncedFiles = ReadonlySet<string>

/** Identifies the state of a file: the key changes when the file is written, truncated or replaced. */
export function syncedKey({ ino, ctimeNs }: { ino: bigint; ctimeNs: bigint }): string {
  return `${ino}/${ctimeNs}`
}

interface TarEntry {
  name: string
  /** Undefined for a folder. */
  content: Buffer | undefined
}

const BLOCK = 512

/** Reads the subset of ustar that PGlite writes: files and folders, with names of up to 100 characters. */
function* readTar(tar: Buffer): Generator<TarEntry> {
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const text = (from: number, length: number) =>
      tar.toString('utf8', at + from, at + from + length).split('\0', 1)[0] ?? ''
    const name = text(0, 100)
    const size = Number.parseInt(text(124, 12), 8)
    const isFolder = text(156, 1) === '5'
    if (text(257, 5) !== 'ustar' || !(size >= 0))
      throw new PrivityError('invalid_input', 'the tarball is damaged')
    at += BLOCK
    yield { name, content: isFolder ? undefined : tar.subarray(at, at + size) }
    at += Math.ceil(size / BLOCK) * BLOCK
  }
}

async function unzip(file: Buffer): Promise<Buffer> {
  const zipped = file[0] === 0x1f && file[1] === 0x8b
  return zipped ? await promisify(gunzip)(file) : file
}

/** Syncs several files at once: the file system then commits them together, which is twenty times faster. */
async function syncAll(paths: readonly string[]): Promise<SyncedFiles> {
  const synced = new Set<string>()
  const queue = paths.values()
  const sync = async () => {
    for (const path of queue) {
      const file = await open(path, 'r')
      try {
        const stat = await file.stat({ bigint: true })
        await file.sync()
        synced.add(syncedKey(stat))
      } finally {
        await file.close()
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, sync))
  return synced
}

async function exists(path: string): Promise<boolean> {
  try {
    await (await open(path, 'r')).close()
    return true
  } catch (e) {
    if (errorCode(e) === 'ENOENT') return false
    throw e
  }
}
