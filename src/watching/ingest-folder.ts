import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Extractor, isFailure } from '../documents/extract/extract.js'
import { PrivityError } from '../errors.js'
import type { Handle } from '../handle.js'
import {
  documentsIn,
  findFileRefusal,
  type IngestDefaults,
  ingestFile,
  UNLIKE_BEFORE,
} from './ingest-file.js'
import { listFolder } from './list-folder.js'

export interface IngestFolderOptions extends IngestDefaults {
  /** What a single file is called, else its own name; of a folder, what its files are called by before their paths. */
  readonly document?: string
  /** Looks at the files, and takes none in. */
  readonly dryRun?: boolean
  /** Ends it after the file under way. */
  readonly signal?: AbortSignal
  /** Told after each file. */
  onProgress?(progress: IngestProgress): void
  /** Told of every file that was not taken in, could not be read whole, or seems to replace another one. */
  onProblem?(problem: IngestProblem): void
}

export interface IngestProblem {
  readonly document: string
  readonly problem: string
}

export interface IngestProgress {
  readonly created: number
  readonly versioned: number
  /** The same bytes, and something new that was said of them. */
  readonly described: number
  readonly unchanged: number
  /** Kept, and not readable; or not taken in at all. */
  readonly failed: number
  /** Among those above: taken in, with pages that are pictures of text. */
  readonly needOcr: number
  /** Among those above: versions that have next to nothing in common with the one before. */
  readonly unlike: number
  /** Of a dry run: those that would be taken in. */
  readonly readable: number
  /** The last document that was dealt with. */
  readonly reached: string | null
  /** Whether it was stopped before the end. */
  readonly stopped: boolean
}

/** What a file that was kept and not read suffers from, in words. */
const PROBLEMS: Readonly<Record<string, string>> = {
  unknown_type: 'is of a type that is not read',
  encrypted: 'needs a password',
  damaged: 'is damaged',
  too_large: 'is too large to be read',
  took_too_long: 'took too long to read',
  too_much_memory: 'took too much memory to read',
}

/**
 * Takes in a folder, or one file: each file is a document, named by the folder and its path in it (`briefs/motion.pdf`);
 * of a mailbox, each message is. A single file has its own name alone. Running it again does nothing for files that are the same, so that one that ended early is finished by
 * running it again. A file that is gone stays a document.
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
  const progress = (stopped: boolean): IngestProgress => ({ ...counts, reached, stopped })
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
  // A dry run reads what would be read, and so comes to the same.
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
    for await (const found of await filesOf(folder, named)) {
      if (signal?.aborted) return progress(true)
      if ('problem' in found) fail(found.document, found.problem)
      else if (seen.has(found.document))
        fail(found.document, 'has the same name as another file, written differently')
      else
        for await (const one of documentsIn(found.path, found.document)) {
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

const inWords = (problem: string | null) => PROBLEMS[problem ?? ''] ?? 'cannot be read'

async function filesOf(path: string, document: string | undefined) {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new PrivityError('not_found', `there is no file or folder ${path}`)
    throw new PrivityError('invalid_input', `${path} cannot be read (${String(error.code)})`)
  })
  if (!found.isDirectory()) return [{ path, document: document ?? basename(path).normalize('NFC') }]
  return listFolder(path, document)
}
