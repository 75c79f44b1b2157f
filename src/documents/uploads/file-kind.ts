/** What a file is by its first bytes, with the names that it may be given. */
interface FileKind {
  readonly mediaType: string
  /** Other types that stand for the same. */
  readonly aliases?: readonly string[]
  readonly extensions: readonly string[]
  readonly starts: readonly string[]
}

const KINDS: readonly FileKind[] = [
  { mediaType: 'application/pdf', extensions: ['pdf'], starts: ['%PDF-'] },
  { mediaType: 'image/png', extensions: ['png'], starts: ['\x89PNG\r\n\x1a\n'] },
  { mediaType: 'image/jpeg', extensions: ['jpg', 'jpeg'], starts: ['\xff\xd8\xff'] },
  { mediaType: 'image/gif', extensions: ['gif'], starts: ['GIF87a', 'GIF89a'] },
  { mediaType: 'image/tiff', extensions: ['tif', 'tiff'], starts: ['II*\0', 'MM\0*'] },
  { mediaType: 'application/rtf', aliases: ['text/rtf'], extensions: ['rtf', 'doc'], starts: ['{\\rtf'] },
  {
    mediaType: 'application/gzip',
    aliases: ['application/x-gzip'],
    extensions: ['gz', 'tgz'],
    starts: ['\x1f\x8b'],
  },
  {
    mediaType: 'application/x-ole-storage',
    aliases: [
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.ms-outlook',
    ],
    extensions: ['doc', 'xls', 'ppt', 'msg', 'dot', 'xlt', 'pot'],
    starts: ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  },
  { mediaType: 'application/x-7z-compressed', extensions: ['7z'], starts: ['7z\xbc\xaf\x27\x1c'] },
  { mediaType: 'application/vnd.rar', extensions: ['rar'], starts: ['Rar!\x1a\x07'] },
  { mediaType: 'application/x-xz', extensions: ['xz'], starts: ['\xfd7zXZ\0'] },
  { mediaType: 'application/x-bzip2', extensions: ['bz2'], starts: ['BZh'] },
  { mediaType: 'application/zstd', extensions: ['zst'], starts: ['\x28\xb5\x2f\xfd'] },
  {
    mediaType: 'application/x-msdownload',
    aliases: ['application/vnd.microsoft.portable-executable'],
    extensions: ['exe', 'dll', 'com', 'scr', 'sys'],
    starts: ['MZ'],
  },
  { mediaType: 'application/x-elf', extensions: ['so', 'bin', 'elf'], starts: ['\x7fELF'] },
  {
    mediaType: 'application/x-mach-binary',
    extensions: ['dylib', 'bin'],
    starts: ['\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe'],
  },
]

const OFFICE = 'application/vnd.openxmlformats-officedocument'
/** Zip files are told apart by what they hold. */
const ZIPS: readonly (Omit<FileKind, 'starts'> & { readonly holds: RegExp })[] = [
  {
    mediaType: `${OFFICE}.wordprocessingml.document`,
    aliases: ['application/vnd.ms-word.document.macroenabled.12'],
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
    holds: /^word\/document\d*\.xml$/,
  },
  {
    mediaType: `${OFFICE}.spreadsheetml.sheet`,
    aliases: [
      'application/vnd.ms-excel.sheet.macroenabled.12',
      'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    ],
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlsb'],
    holds: /^xl\/workbook\.(?:xml|bin)$/,
  },
  {
    mediaType: `${OFFICE}.presentationml.presentation`,
    aliases: ['application/vnd.ms-powerpoint.presentation.macroenabled.12'],
    extensions: ['pptx', 'pptm', 'potx', 'ppsx'],
    holds: /^ppt\/presentation\.xml$/,
  },
]
const ZIP: Omit<FileKind, 'starts'> = {
  mediaType: 'application/zip',
  aliases: ['application/x-zip-compressed'],
  extensions: ['zip', 'jar', 'odt', 'ods', 'odp', 'epub'],
}
const TEXT: Omit<FileKind, 'starts'> = { mediaType: 'text/plain', extensions: [] }
const UNKNOWN: Omit<FileKind, 'starts'> = { mediaType: 'application/octet-stream', extensions: [] }

const CLAIMED = new Set([...KINDS, ...ZIPS, ZIP].flatMap(({ extensions }) => extensions))
const BINARY_TYPES = new Set(
  [...KINDS, ...ZIPS, ZIP].flatMap(({ mediaType, aliases = [] }) => [mediaType, ...aliases]),
)

export type KnownKind = Omit<FileKind, 'starts'>

/** The kind of a file by its bytes; `names` are those in it, if it is a zip file. */
export function kindOf(bytes: Uint8Array, names: readonly string[]): KnownKind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1')
  if (['PK\x03\x04', 'PK\x05\x06'].some(start => head.startsWith(start)))
    return ZIPS.find(({ holds }) => names.some(name => holds.test(name))) ?? ZIP
  const known = KINDS.find(({ starts }) => starts.some(start => head.startsWith(start)))
  if (known !== undefined) return known
  // A PDF may begin with some bytes of its transport.
  if (head.includes('%PDF-')) return KINDS[0] as KnownKind
  return isText(bytes) ? TEXT : UNKNOWN
}

function isText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 65_536)
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) return true
  return !start.includes(0)
}

/** Whether a file is what its name and its sender say it is. */
export function isAsDeclared(kind: KnownKind, name: string, declared: string | null): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const hasName = CLAIMED.has(extension)
    ? kind.extensions.includes(extension)
    : !BINARY_TYPES.has(kind.mediaType) || extension === ''
  if (!hasName) return false
  const said = declared?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (said === '' || said === 'application/octet-stream') return true
  if (kind.mediaType === 'text/plain')
    return !BINARY_TYPES.has(said) && !/^(?:image|audio|video|font)\/(?!svg)/.test(said)
  return said === kind.mediaType || (kind.aliases ?? []).includes(said)
}

const PACKED = new Set([
  'application/x-7z-compressed',
  'application/vnd.rar',
  'application/x-xz',
  'application/x-bzip2',
  'application/zstd',
])
/** Whether a file is an archive that cannot be unpacked here, so that nobody knows how large it is. */
export const isSealedArchive = ({ mediaType }: KnownKind): boolean => PACKED.has(mediaType)
