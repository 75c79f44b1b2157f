import { opendir, realpath, stat } from 'node:fs/promises'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { declaredEncoding, mendWindows1252 } from '../../documents/extract/decode-text.js'
import {
  FileMoved,
  type FoundFile,
  findFile,
  findNamedFile,
  isFolderWithin,
  withFile,
} from '../../documents/read-file-within.js'
import { MOST_TEXT_BYTES } from '../../runtime/draft.js'
import { decoderOf } from '../decode.js'
import type { Item } from '../item.js'
import { cleanName, omitEmpty } from '../names.js'
import { fieldsOf, readFrontMatter } from './front-matter.js'

export interface FolderOptions {
  readonly encoding?: string | undefined
  readonly onBytes?: ((bytes: number) => void) | undefined
}

/** Allows for front matter and for encodings with two bytes per letter. */
const MOST_FILE_BYTES = 4 * MOST_TEXT_BYTES

/** Reads a folder of text and Markdown files with its subfolders, one record per file. A single file works too. */
export async function* readFolder(path: string, options: FolderOptions = {}): AsyncGenerator<Item> {
  const root = resolve(path)
  const isFolder = (await stat(root)).isDirectory()
  const within = { root, realRoot: await realpath(root) }
  const files = isFolder ? listTextFiles(root, within) : [root]
  for await (const file of files) {
    const where = isFolder ? relative(root, file).replaceAll(sep, '/') : basename(file)
    const find = isFolder ? findFile(file, within) : findNamedFile(file)
    yield await find
      .then(found => readTextFile(found, where, options))
      .catch((error: unknown): Item => ({ kind: 'problem', where, problem: reasonOf(error) }))
  }
}

/** Lists files in order of name, so that every run has the same order. Hidden files are skipped. */
export async function* listTextFiles(
  folder: string,
  within: Pick<FoundFile, 'root' | 'realRoot'>,
): AsyncGenerator<string> {
  const entries = []
  for await (const entry of await opendir(folder)) if (!entry.name.startsWith('.')) entries.push(entry)
  // A link that has taken the place of a folder is skipped like any other link.
  if (!(await isFolderWithin(folder, within))) return
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    // Symbolic links are not followed, because they could lead out of the folder or in circles.
    if (entry.isDirectory()) yield* listTextFiles(path, within)
    else if (entry.isFile()) yield path
  }
}

async function readTextFile(
  file: FoundFile,
  where: string,
  { encoding, onBytes }: FolderOptions,
): Promise<Item> {
  const { size } = file.found
  if (size > MOST_FILE_BYTES) {
    onBytes?.(size)
    return { kind: 'problem', where, problem: `is larger than ${MOST_FILE_BYTES} bytes` }
  }
  const bytes = await withFile(file, opened => opened.read())
  onBytes?.(size)
  if (bytes.length === 0) return { kind: 'skipped', where, why: 'is empty' }
  const declared = encoding ?? declaredEncoding(bytes)
  if (declared === undefined && bytes.includes(0)) return { kind: 'problem', where, problem: 'is not text' }
  let text: string
  try {
    const decoder = decoderOf(declared ?? 'utf-8')
    text = decoder.decode(bytes)
    if (decoder.encoding === 'windows-1252') text = mendWindows1252(text)
  } catch {
    return { kind: 'problem', where, problem: `is not ${(declared ?? 'UTF-8').toUpperCase()}` }
  }
  return draftOf(text, file.path, where)
}

function draftOf(whole: string, file: string, where: string): Item {
  let read: ReturnType<typeof readFrontMatter>
  try {
    read = readFrontMatter(whole)
  } catch {
    return { kind: 'problem', where, problem: 'has front matter that is not YAML' }
  }
  const text = read.text.trim()
  if (text === '') return { kind: 'skipped', where, why: 'is empty' }
  const heading = /^#[ \t]+(.+?)[ \t]*#*$/m.exec(text.slice(0, 2_000))
  const title = heading !== null && text.startsWith(heading[0]) ? heading[1] : basename(file, extname(file))
  return {
    kind: 'record',
    where,
    identity: where,
    draft: omitEmpty({
      kind: 'note',
      title: cleanName(title),
      ...fieldsOf(read.fields),
      text,
      provenance: { source: 'file', uri: where },
    }),
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof FileMoved) return error.message
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return `cannot be read${code}`
}
