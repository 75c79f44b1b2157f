import { opendir, realpath } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { FileMoved, type FoundFile, findFile, requireFolderWithin } from '../documents/read-file-within.js'

/** A file in a folder, or a subfolder that could not be read. */
export type FolderEntry =
  | { readonly file: FoundFile; readonly document: string; readonly look: string }
  | { readonly document: string; readonly problem: string }

/** The prefix of document names: the folder's own name, so that files of two folders do not clash. */
export const folderName = (folder: string): string => basename(resolve(folder)).normalize('NFC')

/**
 * Lists the files of a folder and its subfolders in order of name, so that every run has the same order. Each is
 * named by its path, starting with the name of the folder. Hidden files and symbolic links are skipped; links could
 * lead out of the folder or in circles, also those that replace a file or a folder in the meantime.
 */
export async function* listFolder(
  folder: string,
  named = folderName(folder),
  realRoot?: string,
): AsyncGenerator<FolderEntry> {
  const within = { root: folder, realRoot: realRoot ?? (await realpath(folder)) }
  yield* filesBelow(await entriesOf(folder, within), folder, named, within)
}

type Within = Pick<FoundFile, 'root' | 'realRoot'>

type Entries = Awaited<ReturnType<typeof entriesOf>>

async function entriesOf(folder: string, within: Within) {
  const entries = []
  for await (const entry of await opendir(folder)) if (!entry.name.startsWith('.')) entries.push(entry)
  // Checked after it was listed, so that the names are not those of another folder.
  await requireFolderWithin(folder, within)
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function* filesBelow(
  entries: Entries,
  folder: string,
  named: string,
  within: Within,
): AsyncGenerator<FolderEntry> {
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const document = `${named === '' ? '' : `${named}/`}${entry.name.normalize('NFC')}`
    if (entry.isFile()) yield* fileAt(path, document, within)
    else if (entry.isDirectory()) yield* filesWithin(path, document, within)
  }
}

async function* fileAt(path: string, document: string, within: Within): AsyncGenerator<FolderEntry> {
  try {
    const { stats, ...file } = await findFile(path, within)
    yield { file, document, look: `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}` }
  } catch (error) {
    // A file that disappears while the folder is listed is gone, and that is no problem.
    if (isGone(error)) return
    yield { document, problem: explainReadError(error) }
  }
}

async function* filesWithin(folder: string, named: string, within: Within): AsyncGenerator<FolderEntry> {
  const entries = await entriesOf(folder, within).catch((error: unknown) => explainReadError(error))
  if (typeof entries === 'string') yield { document: named, problem: entries }
  else yield* filesBelow(entries, folder, named, within)
}

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

export function explainReadError(error: unknown): string {
  if (error instanceof FileMoved) return error.message
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return `cannot be read${code}`
}
