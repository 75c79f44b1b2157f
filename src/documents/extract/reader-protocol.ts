import type { UploadControls, UploadInspection } from '../../policy/upload-controls.js'
import type { Mark } from '../../policy/watermark.js'
import type { RecognisedPage } from '../../runtime/extraction.js'
import type { OcrProvider } from '../ocr/provider.js'
import type { ExtractedText, ReadFailure, ReadLimits } from './extracted.js'

interface OnFile {
  readonly bytes: Uint8Array
  readonly name: string
}

/** What the reader process does with a file. It gets one task at a time. */
export type ReaderTask =
  | (OnFile & {
      readonly task: 'read'
      readonly limits: ReadLimits
      /** What was recognised of its scanned pages before. */
      readonly recognised: readonly RecognisedPage[]
    })
  | (OnFile & { readonly task: 'recognise'; readonly page: number; readonly provider: OcrProvider })
  | (OnFile & { readonly task: 'mark'; readonly mark: Mark })
  | (OnFile & { readonly task: 'find_marks' })
  | (OnFile & {
      readonly task: 'inspect_upload'
      readonly declaredType: string | null
      readonly controls: UploadControls
    })

/** What each task answers if it succeeds. */
export interface TaskAnswers {
  readonly read: ExtractedText
  readonly recognise: RecognisedPage
  readonly mark: { readonly bytes: Uint8Array }
  readonly find_marks: { readonly numbers: readonly string[] }
  readonly inspect_upload: UploadInspection
}
export type AnswerTo<Task extends ReaderTask> = TaskAnswers[Task['task']] | ReadFailure

export type ReaderReply =
  /** The process has started. */
  | { readonly kind: 'ready' }
  /** `spent`: the process uses so much memory that the next file should get a new process. */
  | { readonly kind: 'done'; readonly answer: AnswerTo<ReaderTask>; readonly spent: boolean }

/** Limits of a reader process. It kills itself when it exceeds them, in case its parent is gone. */
export interface ProcessLimits {
  /** Total memory (resident set size), in bytes. */
  readonly memory: number
  readonly milliseconds: number
}
