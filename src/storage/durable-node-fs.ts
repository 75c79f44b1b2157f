import { closeSync, fstatSync, fsyncSync, openSync, statfsSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { type SyncedFiles, syncedKey } from './pgdata.js'
import { errorCode } from './storage-error.js'

/**
 * PGlite's folder with an fsync that reaches the disk; its own does nothing.
 *
 * After a crash Postgres syncs every file twice, one by one. What is in `synced` was synced already, and is skipped
 * for as long as it has not changed.
 */
export class DurableNodeFS extends NodeFS {
  readonly #synced: SyncedFiles
  /** Why the last write that failed did. */
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

  /** For a Postgres that has stopped and will not do so itself. */
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

/** In the numbering of WASI, which Emscripten uses. */
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
  /** The file's descriptor in Node; a folder has none. */
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
