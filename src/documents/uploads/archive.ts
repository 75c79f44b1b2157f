import { Gunzip, Inflate } from 'fflate'
import type { UploadFailure } from '../../policy/upload-controls.js'

/** An entry of a zip file, as its directory says. */
export interface ZipEntry {
  readonly name: string
  readonly isEncrypted: boolean
  /** Whether it is a link to another file, or would be unpacked elsewhere than into the folder that was chosen. */
  readonly leavesFolder: boolean
  readonly method: number
  readonly size: number
  readonly data: Uint8Array
}

/** Thrown when an archive does not pass. */
export class ArchiveRefused extends Error {
  readonly failure: UploadFailure

  constructor(failure: UploadFailure) {
    super(failure)
    this.failure = failure
  }
}

const MOST_ENTRIES = 10_000
/** Archives nested more deeply than anybody packs them. */
export const MOST_DEPTH = 6
/** An entry that is looked into is held in memory, so it may not be larger. */
const MOST_HELD = 64 * 1_048_576
const SLICE = 65_536
/** Small archives of repeating text pack well without being bombs. */
const RATIO_FROM = 1_048_576

/** The entries of a zip file. Null if it has no directory that can be read. */
export function zipEntries(bytes: Uint8Array): ZipEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  const least = Math.max(0, end - 65_535)
  while (end >= least && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < least || end < 0) return null
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  const entries: ZipEntry[] = []
  // 65,535 entries, or one at 4 GiB, means that the numbers stand elsewhere: far beyond what is let in.
  if (count > MOST_ENTRIES || at === 0xffff_ffff) throw new ArchiveRefused('decompressed_size_exceeds_cap')
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) return null
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const [nameLength, extra, comment] = [28, 30, 32].map(field => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ]
    const local = view.getUint32(at + 42, true)
    if (local + 30 > bytes.length || view.getUint32(local, true) !== 0x04034b50) return null
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    if (size === 0xffff_ffff || packed === 0xffff_ffff)
      throw new ArchiveRefused('decompressed_size_exceeds_cap')
    if (start + packed > bytes.length) return null
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + at + 46, nameLength)
      .toString('utf8')
      .replaceAll('\\', '/')
    const mode = view.getUint16(at + 40, true)
    entries.push({
      name,
      leavesFolder: (mode & FILE_TYPE) === SYMBOLIC_LINK || LEAVES_FOLDER.test(name),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      size,
      data: bytes.subarray(start, start + packed),
    })
    at += 46 + nameLength + extra + comment
  }
  return entries
}

const FILE_TYPE = 0xf000
const SYMBOLIC_LINK = 0xa000
const LEAVES_FOLDER = /^(?:\/|[a-z]:)|(?:^|\/)\.\.(?:\/|$)/i

/**
 * Whether a file that begins as something else ends as a zip file. Programs that unpack read from the end, so it would be
 * another file for them.
 */
export function endsAsZip(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let end = bytes.length - 22; end >= Math.max(0, bytes.length - 22 - 65_535); end--) {
    if (view.getUint32(end, true) !== 0x06054b50 || view.getUint16(end + 10, true) === 0) continue
    // Where the directory stands is counted from the beginning of the file, or from that of the archive.
    const starts = [view.getUint32(end + 16, true), end - view.getUint32(end + 12, true)]
    if (starts.some(at => at >= 0 && at + 4 <= end && view.getUint32(at, true) === 0x02014b50)) return true
  }
  return false
}

/** Counts what archives unpack to, all of them together, and stops as soon as that is too much. */
export class UnpackingBudget {
  readonly #received: number
  readonly #ratio: number
  readonly #most: number
  #total = 0

  constructor(received: number, ratio: number, most: number) {
    this.#received = Math.max(1, received)
    this.#ratio = ratio
    this.#most = most
  }

  add(bytes: number): void {
    this.#total += bytes
    if (this.#total > RATIO_FROM && this.#total / this.#received > this.#ratio)
      throw new ArchiveRefused('decompression_bomb_detected')
    if (this.#total > this.#most) throw new ArchiveRefused('decompressed_size_exceeds_cap')
  }
}

/** Unpacks what was deflated, whatever its directory says of its size. Null if it is not kept because it is large. */
export function unpack(entry: ZipEntry, budget: UnpackingBudget): Uint8Array | null {
  if (entry.method === 0) {
    budget.add(entry.data.length)
    return entry.data.length > MOST_HELD ? null : entry.data
  }
  if (entry.method !== 8) throw new ArchiveRefused('decompressed_size_exceeds_cap')
  // A directory that promises more than it holds is taken at its word too.
  return collect(entry.data, take => new Inflate(take), budget, entry.size)
}

export const gunzip = (bytes: Uint8Array, budget: UnpackingBudget): Uint8Array | null =>
  collect(bytes, take => new Gunzip(take), budget, 0)

function collect(
  packed: Uint8Array,
  start: (take: (chunk: Uint8Array) => void) => { push(chunk: Uint8Array, final?: boolean): void },
  budget: UnpackingBudget,
  promised: number,
): Uint8Array | null {
  const pieces: Uint8Array[] = []
  let size = 0
  const stream = start(chunk => {
    size += chunk.length
    budget.add(chunk.length)
    if (size <= MOST_HELD) pieces.push(chunk)
  })
  for (let at = 0; at < packed.length; at += SLICE)
    stream.push(packed.subarray(at, at + SLICE), at + SLICE >= packed.length)
  if (promised > size) budget.add(promised - size)
  return size > MOST_HELD ? null : Buffer.concat(pieces)
}
