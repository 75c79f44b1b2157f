import { type Mark, markText } from '../policy/watermark.js'
import type { ExtractFailure } from '../runtime/extraction.js'
import { refuse } from '../runtime/refusal.js'
import type { DecidedRecord, ReadRequest } from '../runtime/request.js'
import type { loadChunks } from '../runtime/seen-chunks.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { setRole } from '../storage/queries/set-role.js'
import { findSourcesOf, readContent, type SourceRow } from '../storage/queries/sources.js'

/** A file on its way out. */
export interface Copy {
  readonly fileName: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

type Chunks = Awaited<ReturnType<typeof loadChunks>>

/**
 * The file that a document was made of, if this caller may have all of it: the file holds the words of every chunk, so
 * each must be seen in full (ST-8). Null for a document without a file, and for one that may not leave whole.
 */
export async function findOriginal(
  request: ReadRequest,
  { row, level }: DecidedRecord,
  chunks: Chunks,
): Promise<SourceRow | null> {
  const { tx, tenant, role } = request
  // Files are read by their owner; that this caller may have this one is decided by its card and its chunks.
  await setRole(tx, 'privity_writer')
  const sources = await findSourcesOf(tx, tenant, [row.id])
  await setRole(tx, role)
  const source = sources.find(({ recordId }) => recordId === row.id)
  const seen = chunks.filter(chunk => chunk.level === 'full')
  if (source === undefined || level !== 'full' || seen.length !== source.segments) return null
  const most = request.parts.profile?.most.bytes ?? Number.POSITIVE_INFINITY
  if (source.size > most) return null
  return source
}

/** A copy of a file with its mark. The slow part is done outside of the transaction, which starts again. */
export async function copyFile(
  request: ReadRequest,
  source: SourceRow,
  makeMark: () => Mark | null,
): Promise<Copy & { readonly mark: Mark | null }> {
  const { tx, tenant, role } = request
  const { prepared, extraction, party } = request.parts
  const read = async () => {
    await setRole(tx, 'privity_writer')
    const bytes = await readContent(tx, tenant, source.sourceId)
    await setRole(tx, role)
    if (bytes === null) throw new Error('a file has no content')
    return bytes
  }
  const about = {
    fileName: source.document.slice(source.document.lastIndexOf('/') + 1),
    mediaType: source.mediaType ?? 'application/octet-stream',
  }
  const mark = makeMark()
  if (mark === null) return { ...about, bytes: await read(), mark }
  const name = JSON.stringify(['copy', source.sourceId, mark.visibility])
  const bytes = prepared.has(name) ? new Uint8Array() : await read()
  const marked = prepared.of<{ answer: { bytes: Uint8Array } | ExtractFailure; mark: Mark }>(
    name,
    async () => ({
      answer: await extraction.mark(bytes, source.document, mark, party),
      mark,
    }),
  )
  if ('problem' in marked.answer) throw cannotMark(request)
  return { ...about, bytes: marked.answer.bytes, mark: marked.mark }
}

/** A copy of the text that may be seen. */
export function copyText(row: RecordRow, text: string, mark: Mark | null): Copy {
  return {
    fileName: textNameOf(row),
    mediaType: 'text/plain; charset=utf-8',
    bytes: Buffer.from(mark === null ? text : markText(text, mark)),
  }
}

/** A copy that cannot be marked does not leave at all (ST-4). It depends on the file alone, which the caller sees. */
function cannotMark({ parts }: ReadRequest): Error {
  return refuse('share.watermark_not_possible', parts.caller, parts.tenantFacts.reasonCodes, parts.profile)
}

/** A file name that any file system accepts. */
function textNameOf({ title, document, id: recordId }: RecordRow): string {
  const plain = (title ?? document ?? recordId).normalize('NFKC').replace(/[^\p{L}\p{N} ._-]+/gu, '_')
  const trimmed = plain.replace(/^[ ._]+|[ ._]+$/g, '').slice(0, 100)
  return `${trimmed === '' ? recordId : trimmed}.txt`
}
