import type { Extracted, ExtractFailure } from '../runtime/extraction.js'
import type { WriteRequest } from '../runtime/request.js'
import type { SourceRow } from '../storage/queries/sources.js'
import { type Asked, DEFAULT_TIME_ZONE } from './file-input.js'
import { type Structure, structureOf } from './structure/structure.js'

/** A file as it was read: its text and how that is laid out. */
export interface ReadFile {
  readonly extracted: Extracted
  readonly structure: Structure
}

/** Reads a file, outside of the transaction: that begins again once it is done. */
export function readFile(
  request: WriteRequest,
  { document, sha256 }: Pick<SourceRow, 'document' | 'sha256'>,
  { timeZone = DEFAULT_TIME_ZONE, partKind }: Pick<Asked, 'timeZone' | 'partKind'>,
  bytes: Uint8Array,
): ReadFile | ExtractFailure {
  const { prepared, extraction } = request.parts
  const said = JSON.stringify(['file', document, Buffer.from(sha256).toString('hex'), timeZone, partKind])
  return prepared.of(said, async () => {
    const extracted = await extraction.extract(bytes, document)
    if ('problem' in extracted) return extracted
    const structure = structureOf(extracted, { timeZone })
    return { extracted, structure: partKind === undefined ? structure : asOnePart(structure, partKind) }
  })
}

/** All of it as one part of the kind that it was said to be. */
function asOnePart(structure: Structure, kind: Structure['parts'][number]['kind']): Structure {
  const end = structure.parts.at(-1)?.end ?? 0
  return {
    ...structure,
    parts: structure.parts.length === 0 ? [] : [{ kind, title: null, start: 0, end }],
    segments: structure.segments.map(segment => ({ ...segment, part: 0 })),
  }
}
