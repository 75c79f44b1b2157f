import { opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** A file in a folder, or a place in it that could not be looked into. */
export type Found =
  | { readonly path: string; readonly document: string }
  | { readonly document: string; readonly problem: string }

/**
 * The files of a folder and the folders in it, in order of their names, so that running again finds the same order.
 * Each is named by its path from the folder on. What is hidden is left alone, and links are too: they could lead out of the
 * folder, or around in it.
 */
export async function* filesIn(folder: string, within = ''): AsyncGenerator<Found> {
  const entries = []
  try {
    for await (const entry of await opendir(folder)) if (!entry.name.startsWith('.')) entries.push(entry)
  } catch (error) {
    if (within === '') throw error
    yield { document: within, problem: reasonOf(error) }
    return
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const document = `${within === '' ? '' : `${within}/`}${entry.name.normalize('NFC')}`
    if (entry.isDirectory()) yield* filesIn(path, document)
    else if (entry.isFile()) yield { path, document }
  }
}

export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return `cannot be read${code}`
}
