import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A file that was found in a folder, with what it was then. */
export interface FoundFile {
  readonly path: string
  /** The folder that it must not lead out of, and the real path of that folder. */
  readonly root: string
  readonly realRoot: string
  readonly found: FileIdentity
}

export type FileIdentity = Pick<Stats, 'dev' | 'ino' | 'size'>

/** Thrown if a path no longer leads to the file or folder that was found there, or never did. */
export class FileMoved extends Error {
  readonly code = 'changed'

  constructor(message: string) {
    super(message)
    this.name = 'FileMoved'
  }
}

const REPLACED = 'was replaced or changed while it was being read'
const A_LINK = 'was replaced by a symbolic link, or is in a folder that was'

/** Looks at a file in a folder, without following a symbolic link. */
export async function findFile(
  path: string,
  { root, realRoot }: Pick<FoundFile, 'root' | 'realRoot'>,
): Promise<FoundFile & { readonly stats: Stats }> {
  const stats = await lstat(path)
  if (!stats.isFile()) throw new FileMoved(stats.isSymbolicLink() ? A_LINK : REPLACED)
  return { path, root, realRoot, found: stats, stats }
}

/** Looks at a file that somebody named. A link that they named leads to one file, from now on. */
export async function findNamedFile(path: string): Promise<FoundFile> {
  const real = await realpath(path)
  const root = join(real, '..')
  return { path: real, root, realRoot: root, found: await stat(real) }
}

/** Whether a folder is where its path says: no folder on the way from the root is a symbolic link. */
export const isFolderWithin = async (
  folder: string,
  { root, realRoot }: Pick<FoundFile, 'root' | 'realRoot'>,
): Promise<boolean> => (await realpath(folder)) === join(realRoot, relative(root, folder))

/** Requires it. */
export async function requireFolderWithin(folder: string, within: Parameters<typeof isFolderWithin>[1]) {
  if (!(await isFolderWithin(folder, within))) throw new FileMoved(A_LINK)
}

/** A file that is open and is the one that was found. */
export interface OpenFile {
  readonly size: number
  /** The first bytes. */
  head(bytes: number): Promise<Buffer>
  /** All of it. */
  read(): Promise<Buffer>
}

/**
 * Opens the file that was found and nothing else: a file or a folder on its way that was replaced by a symbolic link
 * in the meantime is refused, and so is another file in its place. All checks are made on what was opened.
 */
export async function withFile<T>(file: FoundFile, use: (opened: OpenFile) => Promise<T>): Promise<T> {
  // A pipe must not block, so it is opened without waiting for a writer and refused afterwards.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file.path, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? new FileMoved(A_LINK) : error
  })
  try {
    await requireSame(handle, file)
    const { size } = file.found
    return await use({
      size,
      head: async bytes => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
        return buffer.subarray(0, bytesRead)
      },
      read: () => readWhole(handle, size),
    })
  } finally {
    await handle.close()
  }
}

async function requireSame(handle: FileHandle, { path, root, realRoot, found }: FoundFile): Promise<void> {
  const opened = await handle.stat()
  if (!opened.isFile()) throw new FileMoved(REPLACED)
  if ((await realPathOf(handle, opened, path)) !== join(realRoot, relative(root, path)))
    throw new FileMoved(A_LINK)
  if (opened.dev !== found.dev || opened.ino !== found.ino || opened.size !== found.size)
    throw new FileMoved(REPLACED)
}

/** Where the opened file is. Linux knows that of the open file itself, so that nobody can change the answer. */
async function realPathOf(handle: FileHandle, opened: Stats, path: string): Promise<string | null> {
  if (process.platform === 'linux') {
    const known = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null)
    if (known !== null) return known
  }
  const real = await realpath(path)
  const there = await lstat(real)
  return there.dev === opened.dev && there.ino === opened.ino ? real : null
}

/** Reads as many bytes as the file had, and requires that there are no more: it may be growing. */
async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  if (length !== size) throw new FileMoved(REPLACED)
  return bytes.subarray(0, size)
}
