import { opendir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** A file in a folder, or a place in it that could not be looked into. */
export type FolderEntry =
  | { readonly path: string; readonly document: string }
  | { readonly document: string; readonly problem: string }

/** What the documents of a folder begin with: its own name, so that files of two folders do not share theirs. */
export const folderName = (folder: string): string => basename(resolve(folder)).normalize('NFC')

/**
 * The files of a folder and the folders in it, in order of their names, so that running again finds the same order.
 * Each is named by its path from the folder on, and with the name of the folder before it. What is hidden is left alone,
 * and links are too: they could lead out of the folder, or around in it.
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
