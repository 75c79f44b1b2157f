import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { PrivityError } from '../../errors.js'
import type { Database } from '../database.js'
import { errorCode } from '../storage-error.js'
import { type BackupPart, damaged, readBackupLines } from './backup-lines.js'
import { type RestoreProgress, type RestoreSummary, restoreBackup } from './restore-backup.js'
import { type BackupOptions, type BackupSummary, writeBackup } from './write-backup.js'

/** How a backup file is encrypted, in the format of the program `age`. */
export type BackupLock =
  /** Whoever knows the passphrase can read it. */
  | { readonly passphrase: string }
  /** Whoever has the private key of one of these public keys (`age1…`) can read it; this machine need not. */
  | { readonly recipients: readonly string[] }

/** What opens an encrypted backup: its passphrase, or a private key (`AGE-SECRET-KEY-1…`). */
export type BackupKey = { readonly passphrase: string } | { readonly identity: string }

const AGE_MAGIC = 'age-encryption.org/'
/** Fast enough not to be the bottleneck, and within a few percent of the best. */
const GZIP_LEVEL = 5

/**
 * Writes a backup of a store to a file, compressed, and encrypted if asked. The file appears under its name when it is
 * complete and on the disk; an existing one stays until then.
 */
export async function backUpToFile(
  db: Database,
  file: string,
  { lock, ...options }: { lock?: BackupLock } & BackupOptions = {},
): Promise<BackupSummary & { bytes: number }> {
  const encrypter = lock === undefined ? undefined : encrypterOf(lock)
  const draft = `${file}.${randomUUID()}.partial`
  const handle = await open(draft, 'wx', 0o600).catch(e => Promise.reject(fileError(e, file)))
  try {
    const lines = new PassThrough()
    const gzip = createGzip({ level: GZIP_LEVEL })
    const sealed = encrypter === undefined ? gzip : await encrypt(encrypter, gzip)
    // It syncs and closes the file when everything is written.
    const output = handle.createWriteStream({ flush: true })
    const written = Promise.all([pipeline(lines, gzip), pipeline(sealed, output)])
    // Its failure is reported where it is awaited.
    written.catch(() => {})
    const write = async (text: string) => {
      if (lines.destroyed) await written
      if (!lines.write(text)) await Promise.race([onceDrained(lines), written])
    }
    let summary: BackupSummary
    try {
      summary = await writeBackup(db, write, options)
      lines.end()
      await written
    } catch (e) {
      lines.destroy()
      await written.catch(() => {})
      throw fileError(e, file)
    }
    const { size: bytes } = await stat(draft)
    await rename(draft, file)
    await syncFolder(dirname(resolve(file)))
    return { ...summary, bytes }
  } catch (e) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw e
  }
}

/** Fills an empty store from a file. */
export function restoreFromFile(
  db: Database,
  file: string,
  {
    key,
    ...options
  }: { key?: BackupKey; onProgress?: (progress: RestoreProgress) => void; signal?: AbortSignal } = {},
): Promise<RestoreSummary> {
  return readingFrom(file, key, lines => restoreBackup(db, lines, options))
}

/** Reads a whole backup file and checks it against its checksums, without a store. */
export function checkBackupFile(
  file: string,
  key?: BackupKey,
): Promise<Extract<BackupPart, { kind: 'end' }> & Extract<BackupPart, { kind: 'header' }>['header']> {
  return readingFrom(file, key, async lines => {
    let header: Extract<BackupPart, { kind: 'header' }>['header'] | undefined
    let end: Extract<BackupPart, { kind: 'end' }> | undefined
    for await (const part of readBackupLines(lines)) {
      if (part.kind === 'header') header = part.header
      if (part.kind === 'end') end = part
    }
    if (header === undefined || end === undefined) throw damaged('it ends too early')
    return { ...header, ...end }
  })
}

async function readingFrom<T>(
  file: string,
  key: BackupKey | undefined,
  run: (lines: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const encrypted = await isEncrypted(file)
  if (encrypted && key === undefined)
    throw new PrivityError('invalid_input', `${file} is encrypted: give its passphrase or its private key`)
  if (!encrypted && key !== undefined)
    throw new PrivityError('invalid_input', `${file} is not encrypted: leave the passphrase or key out`)
  const source = createReadStream(file)
  const gunzip = createGunzip()
  let failed: unknown
  const opened = key === undefined ? source : await decrypt(key, source, file)
  const noteFailure = (e: unknown) => {
    failed ??= e
  }
  opened.once('error', noteFailure)
  gunzip.once('error', noteFailure)
  const reading = pipeline(opened, gunzip).catch(noteFailure)
  const requireReadable = () => {
    // A file that was cut or altered fails in the decompression or decryption, and then looks as if it ended.
    if (failed !== undefined)
      throw damaged(
        key === undefined ? 'it cannot be decompressed' : 'it cannot be decrypted or decompressed',
      )
  }
  try {
    const result = await run(createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY }))
    await reading
    requireReadable()
    return result
  } catch (e) {
    requireReadable()
    throw e
  } finally {
    source.destroy()
    gunzip.destroy()
    await reading
  }
}

/** Whether a file is encrypted with age. */
export async function isEncrypted(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) throw new PrivityError('invalid_input', `${file} is not a file`)
    const handle = await open(file, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(AGE_MAGIC.length), 0, AGE_MAGIC.length, 0)
      return buffer.toString('latin1', 0, bytesRead) === AGE_MAGIC
    } finally {
      await handle.close()
    }
  } catch (e) {
    throw fileError(e, file)
  }
}

function encrypterOf(lock: BackupLock): Encrypter {
  const encrypter = new Encrypter()
  if ('passphrase' in lock) {
    if (lock.passphrase === '') throw new PrivityError('invalid_input', 'the passphrase is empty')
    encrypter.setPassphrase(lock.passphrase)
    return encrypter
  }
  for (const recipient of lock.recipients)
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new PrivityError('invalid_input', `${recipient} is not a public key of age, such as age1qqq…`)
    }
  return encrypter
}

// Node's streams and those of the web have types of their own for the same thing.
async function encrypt(encrypter: Encrypter, plain: Readable): Promise<Readable> {
  const sealed = await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array>)
  return Readable.fromWeb(sealed as WebStream<Uint8Array>)
}

async function decrypt(key: BackupKey, sealed: Readable, file: string): Promise<Readable> {
  const decrypter = new Decrypter()
  try {
    if ('passphrase' in key) decrypter.addPassphrase(key.passphrase)
    else decrypter.addIdentity(key.identity)
  } catch {
    throw new PrivityError('invalid_input', 'that is not a private key of age, such as AGE-SECRET-KEY-1…')
  }
  try {
    const plain = await decrypter.decrypt(Readable.toWeb(sealed) as ReadableStream<Uint8Array>)
    return Readable.fromWeb(plain as WebStream<Uint8Array>)
  } catch {
    throw new PrivityError(
      'invalid_input',
      `${file} cannot be decrypted: the ${'passphrase' in key ? 'passphrase' : 'private key'} is wrong, or the file is damaged`,
    )
  }
}

const onceDrained = (stream: PassThrough) => new Promise<void>(drained => stream.once('drain', drained))

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function fileError(e: unknown, file: string): unknown {
  if (e instanceof PrivityError) return e
  switch (errorCode(e)) {
    case 'ENOENT':
      return new PrivityError('invalid_input', `${file} does not exist, or its folder does not`)
    case 'EISDIR':
      return new PrivityError('invalid_input', `${file} is a folder`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new PrivityError('unavailable', `${file} may not be read or written`)
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new PrivityError('storage_full', `the disk is full; ${file} was not written`)
    default:
      return e
  }
}
