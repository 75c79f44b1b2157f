import type { ExtractedText, ReadFailure, ReadLimits } from './extracted.js'

/** What a reading process is sent, one at a time. */
export interface ReaderRequest {
  readonly bytes: Uint8Array
  readonly name: string
  readonly limits: ReadLimits
}

export type ReaderReply =
  /** It has started. */
  | { readonly kind: 'ready' }
  /** `spent`: it holds so much memory that the next file shall have a new one. */
  | { readonly kind: 'read'; readonly answer: ExtractedText | ReadFailure; readonly spent: boolean }

/** What a reading process may use; it ends itself when it uses more, whether or not anybody is left to end it. */
export interface ProcessLimits {
  /** Of all its memory, in bytes. */
  readonly memory: number
  readonly milliseconds: number
}
