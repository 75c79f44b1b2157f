/** How files that recipients send in are checked (ST-7, ExternalUploadFileSafetyControls of 002 §7.4). */
export interface UploadControls {
  readonly mimeTypeSniffing: boolean
  readonly maxFileSizeBytes: number
  readonly archiveDecompressionBombGuard: boolean
  readonly archiveMaxDecompressionRatio: number
  readonly archiveMaxDecompressedSize: number
  readonly activeContentMacroWarning: boolean
  readonly activeContentBlockOrWarn: (typeof ACTIVE_CONTENT_ACTIONS)[number]
  readonly localDuplicateCheck: boolean
  readonly onSafetyFailure: (typeof SAFETY_FAILURE_ACTIONS)[number]
}

export const ACTIVE_CONTENT_ACTIONS = ['block', 'warn_user', 'strip_active_content'] as const
export const SAFETY_FAILURE_ACTIONS = [
  'reject_with_reason',
  'quarantine_and_alert_host',
  'warn_recipient_proceed_anyway',
] as const

/** The controls of a link that names none. */
export const DEFAULT_UPLOAD_CONTROLS: UploadControls = {
  mimeTypeSniffing: true,
  maxFileSizeBytes: 100_000_000,
  archiveDecompressionBombGuard: true,
  archiveMaxDecompressionRatio: 100,
  archiveMaxDecompressedSize: 1_000_000_000,
  activeContentMacroWarning: true,
  activeContentBlockOrWarn: 'warn_user',
  localDuplicateCheck: true,
  onSafetyFailure: 'reject_with_reason',
}

/** Why a file failed the checks, in the order of the checks. */
export type UploadFailure =
  | 'file_size_exceeds_cap'
  | 'mime_type_mismatch'
  | 'decompression_bomb_detected'
  | 'decompressed_size_exceeds_cap'
  | 'active_content_blocked'

/** What the checks found of a file. */
export interface UploadInspection {
  /** The type by its bytes. */
  readonly mediaType: string
  readonly failure: UploadFailure | null
  readonly hasActiveContent: boolean
  /** The file without its active content, where that was asked for and is verified; null if it is as it was. */
  readonly stripped: Uint8Array | null
}

/** The strictest of several controls: every profile of a chain may only narrow. */
export function strictestControls(all: readonly UploadControls[]): UploadControls {
  return all.reduce((a, b) => ({
    mimeTypeSniffing: a.mimeTypeSniffing || b.mimeTypeSniffing,
    maxFileSizeBytes: Math.min(a.maxFileSizeBytes, b.maxFileSizeBytes),
    archiveDecompressionBombGuard: a.archiveDecompressionBombGuard || b.archiveDecompressionBombGuard,
    archiveMaxDecompressionRatio: Math.min(a.archiveMaxDecompressionRatio, b.archiveMaxDecompressionRatio),
    archiveMaxDecompressedSize: Math.min(a.archiveMaxDecompressedSize, b.archiveMaxDecompressedSize),
    activeContentMacroWarning: a.activeContentMacroWarning || b.activeContentMacroWarning,
    activeContentBlockOrWarn: firstOf(
      ['block', 'strip_active_content', 'warn_user'],
      a.activeContentBlockOrWarn,
      b.activeContentBlockOrWarn,
    ),
    localDuplicateCheck: a.localDuplicateCheck || b.localDuplicateCheck,
    onSafetyFailure: firstOf(
      ['reject_with_reason', 'quarantine_and_alert_host', 'warn_recipient_proceed_anyway'],
      a.onSafetyFailure,
      b.onSafetyFailure,
    ),
  }))
}

const firstOf = <Value>(order: readonly Value[], ...given: readonly Value[]): Value =>
  order.find(value => given.includes(value)) as Value
