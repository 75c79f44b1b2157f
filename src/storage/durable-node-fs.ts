import { closeSync, fstatSync, fsyncSync, openSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { type Synced, syncedKey } from './pgdata.js'

/**
 * PGlite's folder with an fsync that reaches the disk; its own does nothing.
 *
 * After a crash Postgres syncs every file twice, one by one. What is in `synced` was synced already, and is skipped
 * for as long as it has not changed.
 */
export class DurableNodeFS extends NodeFS {
  readonly #synced: Synced

  constructor(pgdata: string, synced: Synced) {
    super(pgdata)
    this.#synced = synced
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args)
    const addFsync = (module: EmscriptenModule) => this.#addFsync(module)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } }
  }

  #addFsync({ FS }: EmscriptenModule): void {
    const { NODEFS } = FS.filesystems
    NODEFS.stream_ops.fsync = ({ nfd, node }) => {
      try {
        if (nfd === undefined) syncFolder(NODEFS.realPath(node))
        else if (!this.#synced.has(syncedKey(fstatSync(nfd, { bigint: true })))) fsyncSync(nfd)
      } catch {
        throw new FS.ErrnoError(EIO)
      }
      return 0
    }
  }
}

/** In the numbering of WASI, which Emscripten uses. */
const EIO = 29

/** The part of Emscripten's file system that this needs. */
interface EmscriptenModule {
  FS: {
    filesystems: {
      NODEFS: {
        stream_ops: { fsync?: (stream: { nfd?: number; node: object }) => number }
        realPath(node: object): string
      }
    }
    ErrnoError: new (errno: number) => Error
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
