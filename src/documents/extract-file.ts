import { createHash } from 'node:crypto'
import type { ExtractedFile, ExtractFailure, RecognisedPage } from '../runtime/extraction.js'
import type { WriteRequest } from '../runtime/request.js'
import { jobModule } from '../runtime/threads/threads.js'
import type { SourceRow } from '../storage/queries/sources.js'
import { DEFAULT_TIME_ZONE, type FileRequest } from './file-input.js'
import { type Structure, type StructureOptions, structureOf } from './structure/structure.js'
import { structureInput } from './structure/structure-job.js'

/** The text extracted from a file, and its structure. */
export interface FileReading {
  readonly extracted: ExtractedFile
  readonly structure: Structure
}

/** The structure of longer texts is read in another thread. */
const LONG_TEXT = 65_536
const STRUCTURE = jobModule('documents/structure/structure-job.js')

/** Reads a file outside of the transaction, which starts again when the reading is done. */
export function extractFile(
  request: WriteRequest,
  { document, sha256, corpus }: Pick<SourceRow, 'document' | 'sha256' | 'corpus'>,
  { timeZone = DEFAULT_TIME_ZONE, partKind }: Pick<FileRequest, 'timeZone' | 'partKind'>,
  bytes: Uint8Array,
  recognised: readonly RecognisedPage[] = [],
): FileReading | ExtractFailure {
  const { prepared, extraction, threads, party, domain: known } = request.parts
  const domain = known?.has(corpus) ? known : null
  const said = JSON.stringify([
    'file',
    document,
    Buffer.from(sha256).toString('hex'),
    timeZone,
    partKind,
    digestOf(recognised),
  ])
  /** Long texts are read in another thread, unless only this one knows their domain (OP-8). */
  const readStructure = (
    extracted: ExtractedFile,
    options: StructureOptions,
  ): Promise<Structure> | Structure =>
    extracted.text.length <= LONG_TEXT || (options.domain !== null && options.domain.module === undefined)
      ? structureOf(extracted, options)
      : threads.run<Structure>(party, {
          module: STRUCTURE,
          input: structureInput(extracted, options),
        })
  return prepared.of(said, async () => {
    const extracted = await extraction.extract(bytes, document, party, recognised)
    if ('problem' in extracted) return extracted
    const structure = await readStructure(extracted, { timeZone, domain })
    return { extracted, structure: partKind === undefined ? structure : asOnePart(structure, partKind) }
  })
}

const digestOf = (recognised: readonly RecognisedPage[]) =>
  recognised.length === 0 ? null : createHash('sha256').update(JSON.stringify(recognised)).digest('hex')

/** Treats the whole file as one part, of the kind that the caller named. */
function asOnePart(structure: Structure, kind: Structure['parts'][number]['kind']): Structure {
  const end = structure.parts.at(-1)?.end ?? 0
  return {
    ...structure,
    parts: structure.parts.length === 0 ? [] : [{ kind, title: null, start: 0, end }],
    chunks: structure.chunks.map(chunk => ({ ...chunk, part: 0 })),
  }
}
