import type { UploadControls, UploadInspection } from '../../policy/upload-controls.js'
import {
  officeIsActive,
  oleIsActive,
  pdfIsActive,
  stripOffice,
  stripPdf,
  textIsActive,
  toParts,
} from './active-content.js'
import {
  ArchiveRefused,
  endsAsZip,
  gunzip,
  MOST_DEPTH,
  UnpackingBudget,
  unpack,
  type ZipEntry,
  zipEntries,
} from './archive.js'
import { isAsDeclared, isSealedArchive, type KnownKind, kindOf } from './file-kind.js'

/**
 * Checks a file that a recipient sends in, in the order of ST-7: size, type, archives, active content. Call it only in a
 * process that may be killed: see `Extractor`.
 */
export async function inspectUpload(
  bytes: Uint8Array,
  name: string,
  declaredType: string | null,
  controls: UploadControls,
): Promise<UploadInspection> {
  const plain = { mediaType: 'application/octet-stream', hasActiveContent: false, stripped: null }
  if (bytes.length > controls.maxFileSizeBytes) return { ...plain, failure: 'file_size_exceeds_cap' }
  try {
    const found = read(bytes)
    const { mediaType } = found.kind
    if (controls.mimeTypeSniffing && (found.isTwofold || !isAsDeclared(found.kind, name, declaredType)))
      return { ...plain, mediaType, failure: 'mime_type_mismatch' }
    const budget = controls.archiveDecompressionBombGuard
      ? new UnpackingBudget(
          bytes.length,
          controls.archiveMaxDecompressionRatio,
          controls.archiveMaxDecompressedSize,
        )
      : new UnpackingBudget(bytes.length, Number.POSITIVE_INFINITY, UNGUARDED_BYTES)
    const isActive = await lookInto(found, bytes, name, budget, 0)
    if (!isActive) return { ...plain, mediaType, failure: null }
    const active = { ...plain, mediaType, hasActiveContent: true }
    switch (controls.activeContentBlockOrWarn) {
      case 'block':
        return { ...active, failure: 'active_content_blocked' }
      case 'warn_user':
        return { ...active, failure: null }
      case 'strip_active_content': {
        const stripped = await strip(found, bytes)
        const isClean =
          stripped !== null && !(await lookInto(read(stripped), stripped, name, freshBudget(), 0))
        return isClean
          ? { ...active, failure: null, stripped }
          : { ...active, failure: 'active_content_blocked' }
      }
    }
  } catch (thrown) {
    if (thrown instanceof ArchiveRefused) return { ...plain, failure: thrown.failure }
    throw thrown
  }
}

/** Even without the guard, looking for active content ends somewhere. */
const UNGUARDED_BYTES = 1_000_000_000
const freshBudget = () => new UnpackingBudget(1, Number.POSITIVE_INFINITY, UNGUARDED_BYTES)

interface Found {
  readonly kind: KnownKind
  readonly entries: readonly ZipEntry[]
  /** Whether it is an archive too, beside what it begins as. */
  readonly isTwofold: boolean
}

function read(bytes: Uint8Array): Found {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)
  const entries = isZip ? zipEntries(bytes) : []
  // Nobody knows what another program would make of an archive whose directory is broken.
  if (entries === null) throw new ArchiveRefused('decompression_bomb_detected')
  return {
    kind: kindOf(
      bytes,
      entries.map(({ name }) => name),
    ),
    entries,
    isTwofold: !isZip && endsAsZip(bytes),
  }
}

/** Unpacks everything that can be unpacked, within the budget, and tells whether anything in it runs. */
async function lookInto(
  { kind, entries, isTwofold }: Found,
  bytes: Uint8Array,
  name: string,
  budget: UnpackingBudget,
  depth: number,
): Promise<boolean> {
  if (isSealedArchive(kind)) throw new ArchiveRefused('decompressed_size_exceeds_cap')
  if (depth > MOST_DEPTH) throw new ArchiveRefused('decompression_bomb_detected')
  if (isTwofold) return true
  const { mediaType } = kind
  if (mediaType === 'application/gzip') {
    const inner = gunzip(bytes, budget)
    return (
      inner !== null && (await lookInto(read(inner), inner, name.replace(/\.t?gz$/i, ''), budget, depth + 1))
    )
  }
  if (entries.length > 0) {
    // What is encrypted or too large cannot be looked into, so it may run; so may what another program finds elsewhere.
    let isActive = entries.some(({ isEncrypted, leavesFolder }) => isEncrypted || leavesFolder)
    const parts = toParts(
      entries.filter(({ isEncrypted }) => !isEncrypted),
      entry => {
        const unpacked = unpack(entry, budget)
        if (unpacked === null) isActive = true
        return unpacked
      },
    )
    if (mediaType !== 'application/zip') return officeIsActive(parts) || isActive
    for (const part of parts)
      if (await lookInto(read(part.bytes), part.bytes, part.name, budget, depth + 1)) isActive = true
    return isActive
  }
  switch (mediaType) {
    case 'application/pdf':
      return pdfIsActive(bytes)
    case 'application/x-ole-storage':
      return oleIsActive(bytes)
    case 'application/x-msdownload':
    case 'application/x-elf':
    case 'application/x-mach-binary':
      return true
    default:
      return textIsActive(bytes, name, mediaType === 'text/plain')
  }
}

/** Only macros of Office files and scripts of PDF files can be taken out. */
async function strip({ kind, entries }: Found, bytes: Uint8Array): Promise<Uint8Array | null> {
  if (kind.mediaType === 'application/pdf') return stripPdf(bytes)
  const isOffice = kind.mediaType.startsWith('application/vnd.openxmlformats')
  if (!isOffice || entries.some(({ isEncrypted }) => isEncrypted)) return null
  return stripOffice(toParts(entries, entry => unpack(entry, freshBudget())))
}
