import { createHash } from 'node:crypto'
import { sniff, splitMbox } from '../documents/extract/extract.js'
import { documentName, EMPTY_FILE, MOST_NAME_BYTES } from '../documents/file-input.js'
import { FileMoved, type FoundFile, type OpenFile, withFile } from '../documents/read-file-within.js'
import { PrivityError } from '../errors.js'
import type { Handle } from '../handle.js'
import { MOST_FILE_BYTES } from '../runtime/file-content.js'
import { explainReadError } from './list-folder.js'

type Ingest = Parameters<Handle['documents']['ingest']>[0]
export type IngestResult = Awaited<ReturnType<Handle['documents']['ingest']>>

/** The options for every file. */
export type IngestDefaults = Omit<Ingest, 'document' | 'content'>

/** The result for a file: the answer of the store, or why it was not ingested. */
export type TakeInResult =
  | { readonly document: string; readonly ingested: IngestResult }
  | { readonly document: string; readonly code: string; readonly problem: string }

/** The warning about a version that has almost nothing in common with the one before. */
export const UNLIKE_BEFORE =
  'replaces a version that it has next to nothing in common with: if it is another file, give it another name'

/** A mailbox is split into messages, so it may be larger than a single file. */
const MOST_MAILBOX_BYTES = 512 * 1_048_576

/** Errors that concern only the current file. After any other error it is no use to continue. */
const OF_THE_FILE = new Set(['invalid_input', 'too_large', 'conflict', 'not_found'])

/** The documents in a file: the file itself or, for a mailbox, one for each message. */
export async function* documentsIn(
  file: FoundFile,
  document: string,
): AsyncGenerator<
  | { readonly document: string; readonly bytes: Uint8Array }
  | { readonly document: string; readonly code: string; readonly problem: string }
> {
  const problem = (code: string, text: string) => ({ document, code, problem: text })
  try {
    const { isMailbox, most, bytes } = await withFile(file, async opened => {
      const isMailbox = await startsMailbox(opened, document)
      const most = isMailbox ? MOST_MAILBOX_BYTES : MOST_FILE_BYTES
      return { isMailbox, most, bytes: opened.size > most ? null : await opened.read() }
    })
    if (bytes === null) yield problem('too_large', `is larger than ${most / 1_048_576} MiB`)
    else if (!isMailbox) yield { document, bytes }
    else
      for await (const message of splitMbox(bytes))
        yield { document: `${document}/${message.name}`, bytes: message.bytes }
  } catch (error) {
    yield problem(error instanceof FileMoved ? MOVED : 'unreadable', explainReadError(error))
  }
}

/** The SHA-256 of a file that can be a document; null for a mailbox, and for what is left to `documentsIn` to report. */
export async function hashOf(file: FoundFile, document: string): Promise<string | null> {
  if (!documentName.safeParse(document).success) return null
  try {
    return await withFile(file, async opened =>
      opened.size === 0 || opened.size > MOST_FILE_BYTES || (await startsMailbox(opened, document))
        ? null
        : createHash('sha256')
            .update(await opened.read())
            .digest('hex'),
    )
  } catch {
    return null
  }
}

/** The code of a file that was replaced between being found and being read. A watch looks at it again. */
export const MOVED = 'changed'

const HEAD = 1_024

const startsMailbox = async (opened: OpenFile, document: string) =>
  typeOf(await opened.head(HEAD), document) === 'application/mbox'

/** The media type; null if the file cannot be read. */
function typeOf(bytes: Uint8Array, document: string): string | null {
  try {
    return sniff(bytes, document)
  } catch {
    return null
  }
}

/** Why a file would be refused whatever its content is; null if it would not be. */
export function findFileRefusal(
  document: string,
  bytes: Uint8Array,
): { readonly code: string; readonly problem: string } | null {
  const named = documentName.safeParse(document)
  if (!named.success) return { code: 'invalid_name', problem: badName(document, named.error.issues) }
  return bytes.length === 0 ? { code: 'invalid_input', problem: EMPTY_FILE } : null
}

function badName(document: string, issues: readonly { readonly message: string }[]): string {
  const bytes = Buffer.byteLength(document)
  const isLong = bytes > MOST_NAME_BYTES
  return isLong
    ? `its name with its folders is ${bytes} bytes long, and may be ${MOST_NAME_BYTES}: rename it, or call it something shorter`
    : `its name ${issues.at(-1)?.message}`
}

/** Ingests a file. Errors that concern only this file are returned; all others are thrown. */
export async function ingestFile(
  handle: Handle,
  document: string,
  bytes: Uint8Array,
  defaults: IngestDefaults,
): Promise<TakeInResult> {
  const refusal = findFileRefusal(document, bytes)
  if (refusal !== null) return { document, ...refusal }
  try {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    return { document, ingested: await handle.documents.ingest({ ...defaults, document, content }) }
  } catch (error) {
    if (!(error instanceof PrivityError) || !OF_THE_FILE.has(error.code)) throw error
    return { document, code: error.code, problem: error.message }
  }
}

/** Whether these bytes were rejected, so that a watch must not bring them again. */
export async function isRejected(handle: Handle, watch: string, bytes: Uint8Array): Promise<boolean> {
  const { rejected } = await handle.bindings.rejected({ binding: watch, sha256: [sha256Of(bytes)] })
  return rejected.length > 0
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
