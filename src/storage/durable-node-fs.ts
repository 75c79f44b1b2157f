import { closeSync, fstatSync, fsyncSync, openSync, statfsSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { type SyncedFiles, syncedKey } from './pgdata.js'
import { errorCode } from './storage-error.js'

/**
 * PGlite's folder with an fsync that reaches the disk. PGlite's own fsync does nothing.
 *
 * After a crash Postgres syncs every file twice, one by one. Files in `synced` are on disk already and are skipped
 * until they change.
 */
export class DurableNodeFS extends NodeFS {
  readonly #synced: SyncedFiles
  /** The error code of the last write that failed. */
  writeFailure: string | undefined
  #module: EmscriptenModule | undefined

  constructor(pgdata: string, synced: SyncedFiles) {
    super(pgdata)
    this.#synced = synced
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args)
    const amend = (module: EmscriptenModule) => this.#amend(module)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), amend] } }
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.rootDir)
    return bavail * bsize
  }

  /** Closes the files of a Postgres that has stopped and can no longer do so itself. */
  closeFiles(): void {
    for (const stream of this.#module?.FS.streams ?? []) if (stream?.nfd !== undefined) closeSync(stream.nfd)
    this.#module = undefined
  }

  #amend(module: EmscriptenModule): void {
    this.#module = module
    const { FS } = module
    const { NODEFS } = FS.filesystems
    const { tryFSOperation } = NODEFS
    NODEFS.stream_ops.fsync = ({ nfd, node }) => {
      try {
        if (nfd === undefined) syncFolder(NODEFS.realPath(node))
        else if (!this.#synced.has(syncedKey(fstatSync(nfd, { bigint: true })))) fsyncSync(nfd)
      } catch {
        throw new FS.ErrnoError(EIO)
      }
      return 0
    }
    NODEFS.tryFSOperation = operation =>
      tryFSOperation(() => {
        try {
          return operation()
        } catch (e) {
          if (DISK_FULL.has(errorCode(e) ?? '')) this.writeFailure = errorCode(e)
          throw e
        }
      })
  }
}

/** The WASI number of this error, which Emscripten uses. */
const EIO = 29

const DISK_FULL = new Set(['ENOSPC', 'EFBIG', 'EDQUOT'])

/** The part of Emscripten's file system that this needs. */
interface EmscriptenModule {
  FS: {
    filesystems: {
      NODEFS: {
        stream_ops: { fsync?: (stream: Stream) => number }
        realPath(node: object): string
        tryFSOperation<T>(operation: () => T): T
      }
    }
    ErrnoError: new (errno: number) => Error
    streams: readonly (Stream | null)[]
  }
}

interface Stream {
  /** Node's descriptor of the file; a folder has none. */
  nfd?: number
  node: object
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
