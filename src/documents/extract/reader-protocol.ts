import type { ExtractedText, ReadFailure, ReadLimits } from './extracted.js'

/** A file for the reader process to read. It gets one at a time. */
export interface ReaderRequest {
  readonly bytes: Uint8Array
  readonly name: string
  readonly limits: ReadLimits
}

export type ReaderReply =
  /** The process has started. */
  | { readonly kind: 'ready' }
  /** `spent`: the process uses so much memory that the next file should get a new process. */
  | { readonly kind: 'read'; readonly answer: ExtractedText | ReadFailure; readonly spent: boolean }

/** Limits of a reader process. It kills itself when it exceeds them, in case its parent is gone. */
export interface ProcessLimits {
  /** Total memory (resident set size), in bytes. */
  readonly memory: number
  readonly milliseconds: number
}
