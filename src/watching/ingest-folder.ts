import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Extractor, isFailure } from '../documents/extract/extract.js'
import { type FoundFile, findNamedFile } from '../documents/read-file-within.js'
import { PrivityError } from '../errors.js'
import type { Handle } from '../handle.js'
import {
  documentsIn,
  findFileRefusal,
  hashOf,
  type IngestDefaults,
  ingestFile,
  UNLIKE_BEFORE,
} from './ingest-file.js'
import { listFolder } from './list-folder.js'

export interface IngestFolderOptions extends IngestDefaults {
  /** The document name of a single file (default: its file name), or the prefix for the files of a folder. */
  readonly document?: string
  /** Checks the files without ingesting any. */
  readonly dryRun?: boolean
  /** Stops after the current file. */
  readonly signal?: AbortSignal
  /** Called after each file. */
  onProgress?(progress: IngestProgress): void
  /** Called for each file that was not ingested, could not be read fully, or seems to replace an unrelated one. */
  onProblem?(problem: IngestProblem): void
}

export interface IngestProblem {
  readonly document: string
  readonly problem: string
}

export interface IngestProgress {
  readonly created: number
  readonly versioned: number
  /** Files with the same bytes and a changed description. */
  readonly described: number
  readonly unchanged: number
  /** Files that were stored but cannot be read, or were not ingested at all. */
  readonly failed: number
  /** How many of the above have pages that are images of text. */
  readonly needOcr: number
  /** How many of the above are versions that have almost nothing in common with the one before. */
  readonly unlike: number
  /** In a dry run: files that would be ingested. */
  readonly readable: number
  /** How many files were looked at, of how many. */
  readonly files: number
  readonly filesInAll: number
  /** The last document that was processed. */
  readonly reached: string | null
  /** Whether it was stopped before the end. */
  readonly stopped: boolean
}

/** Why a stored file could not be read, in words. */
const PROBLEMS: Readonly<Record<string, string>> = {
  unknown_type: 'is of a type that is not read',
  encrypted: 'needs a password',
  damaged: 'is damaged',
  too_large: 'is too large to be read',
  took_too_long: 'took too long to read',
  too_much_memory: 'took too much memory to read',
}

/**
 * Ingests a folder or a single file. Each file becomes a document, named after the folder and its path in it
 * (`briefs/motion.pdf`); in a mailbox, each message does. A single file is named after the file alone. Running it
 * again skips unchanged files, so run it again to finish one that ended early. The document of a deleted file stays.
 *
 * @example
 * await ingestFolder(ana, 'briefs', { corpus: 'brief-bank', onProblem: console.warn })
 */
export async function ingestFolder(
  handle: Handle,
  folder: string,
  options: IngestFolderOptions,
): Promise<IngestProgress> {
  const { document: named, dryRun = false, signal, onProgress, onProblem, ...defaults } = options
  const counts = {
    created: 0,
    versioned: 0,
    described: 0,
    unchanged: 0,
    failed: 0,
    needOcr: 0,
    unlike: 0,
    readable: 0,
  }
  let reached: string | null = null
  let files = 0
  let filesInAll = 0
  const progress = (stopped: boolean): IngestProgress => ({ ...counts, files, filesInAll, reached, stopped })
  const fail = (document: string, problem: string) => {
    counts.failed++
    onProblem?.({ document, problem })
  }
  const needOcr = (document: string) => {
    counts.needOcr++
    onProblem?.({ document, problem: 'needs OCR: its pages are pictures' })
  }
  const unread = (document: string, attached: string) =>
    onProblem?.({ document, problem: `attached ${attached}` })
  // A dry run extracts the files too, so that it reports the same problems.
  const reader = dryRun && defaults.extract !== 'later' ? new Extractor() : null
  const look = async (document: string, bytes: Uint8Array) => {
    const refusal = findFileRefusal(document, bytes)
    if (refusal !== null) return fail(document, refusal.problem)
    const read = await reader?.extract(bytes, document)
    if (read !== undefined && isFailure(read)) return fail(document, inWords(read.problem))
    counts.readable++
    if (read?.state === 'needs_ocr') needOcr(document)
    for (const { name, message } of read?.notRead ?? []) unread(document, `${name} ${message}`)
  }
  const take = async (document: string, bytes: Uint8Array) => {
    if (dryRun) return look(document, bytes)
    const taken = await ingestFile(handle, document, bytes, defaults)
    if ('problem' in taken) return fail(document, taken.problem)
    const { outcome, state, problem, likeBefore, notRead } = taken.ingested
    if (state === 'failed') return fail(document, inWords(problem))
    if (outcome !== 'failed') counts[outcome]++
    if (state === 'needs_ocr') needOcr(document)
    for (const one of notRead) unread(document, one)
    if (likeBefore === false) {
      counts.unlike++
      onProblem?.({ document, problem: UNLIKE_BEFORE })
    }
  }

  const seen = new Set<string>()
  try {
    // All are listed before the first is read, so that the progress can be told.
    const listed = []
    for await (const found of await filesOf(folder, named)) listed.push(found)
    filesInAll = listed.length
    const isKnown = knownFiles(handle, listed, dryRun ? null : defaults)
    for (const [at, found] of listed.entries()) {
      if (signal?.aborted) return progress(true)
      files++
      if ('problem' in found) fail(found.document, found.problem)
      else if (seen.has(found.document))
        fail(found.document, 'has the same name as another file, written differently')
      else if (await isKnown(at)) {
        counts.unchanged++
        reached = found.document
        onProgress?.(progress(false))
      } else
        for await (const one of documentsIn(found.file, found.document)) {
          if ('problem' in one) fail(one.document, one.problem)
          else await take(one.document, one.bytes)
          reached = one.document
          onProgress?.(progress(false))
          if (signal?.aborted) return progress(true)
        }
      seen.add(found.document)
    }
    return progress(false)
  } finally {
    await reader?.close()
  }
}

/** How many files are looked up at once. */
const CHECKED_AT_ONCE = 500

type ListedFile = { readonly document: string } & (
  | { readonly file: FoundFile }
  | { readonly problem: string }
)

/**
 * Whether a file is stored already with the same bytes, which is asked for many at once. Where options could describe a file
 * anew, or the caller may not ask, each file is sent.
 */
function knownFiles(
  handle: Handle,
  listed: readonly ListedFile[],
  defaults: IngestDefaults | null,
): (at: number) => Promise<boolean> {
  if (defaults === null || Object.keys(defaults).some(key => key !== 'corpus' && key !== 'extract'))
    return async () => false
  let until = 0
  let known: ReadonlySet<string> = new Set()
  return async at => {
    if (at >= until) {
      const files: { document: string; sha256: string }[] = []
      for (const found of listed.slice(at, at + CHECKED_AT_ONCE)) {
        const sha256 = 'file' in found ? await hashOf(found.file, found.document) : null
        if (sha256 !== null) files.push({ document: found.document, sha256 })
      }
      until = at + CHECKED_AT_ONCE
      known = new Set(files.length === 0 ? [] : await askUnchanged(handle, defaults.corpus, files))
    }
    return known.has(listed[at]?.document ?? '')
  }
}

async function askUnchanged(
  handle: Handle,
  corpus: string,
  files: readonly { document: string; sha256: string }[],
): Promise<readonly string[]> {
  try {
    return (await handle.documents.unchanged({ corpus, files: [...files] })).unchanged
  } catch (error) {
    if (error instanceof PrivityError && error.code === 'not_allowed') return []
    throw error
  }
}

const inWords = (problem: string | null) => PROBLEMS[problem ?? ''] ?? 'cannot be read'

async function filesOf(path: string, document: string | undefined) {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new PrivityError('not_found', `there is no file or folder ${path}`)
    throw new PrivityError('invalid_input', `${path} cannot be read (${String(error.code)})`)
  })
  if (!found.isDirectory())
    return [{ file: await findNamedFile(path), document: document ?? basename(path).normalize('NFC') }]
  return listFolder(path, document)
}
