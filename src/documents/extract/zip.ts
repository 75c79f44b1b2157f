import { type UnzipFileInfo, unzipSync } from 'fflate'
import { type ReadLimits, UnreadableFile } from './extracted.js'

export const DOCX_BODY = 'word/document.xml'
export const XLSX_BODY = 'xl/workbook.xml'
export const PPTX_BODY = 'ppt/presentation.xml'
export const ODF_BODY = 'content.xml'

/** The entry names in the directory of a zip file. Nothing is unpacked. */
export function zipNames(bytes: Uint8Array): ReadonlySet<string> {
  const names = new Set<string>()
  list(bytes, ({ name }) => {
    names.add(name)
    return false
  })
  return names
}

/** Unpacks the wanted entries that exist. Their declared sizes limit how much is unpacked. */
export function unzip(
  bytes: Uint8Array,
  wanted: readonly string[],
  limits: ReadLimits,
): Record<string, Uint8Array> {
  const sizes = new Map<string, number>()
  let entries = 0
  let total = 0
  const files = list(bytes, ({ name, size, originalSize }) => {
    if (++entries > limits.zipEntries) throw new UnreadableFile('too_large', 'holds too many files')
    if (!wanted.includes(name)) return false
    if (sizes.has(name)) throw new UnreadableFile('damaged', 'holds a file twice')
    sizes.set(name, originalSize)
    total += originalSize
    const ratio = originalSize / Math.max(size, 1)
    if (total > limits.zipBytes || (originalSize > MIB && ratio > limits.zipRatio))
      throw new UnreadableFile('too_large', 'unpacks to too much')
    return true
  })
  return files
}
const MIB = 1_048_576

function list(bytes: Uint8Array, wants: (file: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: wants })
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) throw thrown
    throw new UnreadableFile('damaged', 'is a damaged zip file')
  }
}
