import { opendir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** A file in a folder, or a subfolder that could not be read. */
export type FolderEntry =
  | { readonly path: string; readonly document: string }
  | { readonly document: string; readonly problem: string }

/** The prefix of document names: the folder's own name, so that files of two folders do not clash. */
export const folderName = (folder: string): string => basename(resolve(folder)).normalize('NFC')

/**
 * Lists the files of a folder and its subfolders in order of name, so that every run has the same order. Each is
 * named by its path, starting with the name of the folder. Hidden files and symbolic links are skipped; links could
 * lead out of the folder or in circles.
 */
export async function* listFolder(folder: string, named = folderName(folder)): AsyncGenerator<FolderEntry> {
  yield* filesBelow(await entriesOf(folder), folder, named)
}

type Entries = Awaited<ReturnType<typeof entriesOf>>

async function entriesOf(folder: string) {
  const entries = []
  for await (const entry of await opendir(folder)) if (!entry.name.startsWith('.')) entries.push(entry)
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function* filesBelow(entries: Entries, folder: string, named: string): AsyncGenerator<FolderEntry> {
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const document = `${named === '' ? '' : `${named}/`}${entry.name.normalize('NFC')}`
    if (entry.isFile()) yield { path, document }
    else if (entry.isDirectory()) yield* filesWithin(path, document)
  }
}

async function* filesWithin(folder: string, named: string): AsyncGenerator<FolderEntry> {
  const entries = await entriesOf(folder).catch((error: unknown) => explainReadError(error))
  if (typeof entries === 'string') yield { document: named, problem: entries }
  else yield* filesBelow(entries, folder, named)
}

export function explainReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return `cannot be read${code}`
}
