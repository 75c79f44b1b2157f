import type { UploadControls, UploadInspection } from '../policy/upload-controls.js'
import type { Mark } from '../policy/watermark.js'
import type { RecognisedPage } from '../storage/queries/recognitions.js'
import type { Waiter } from './fairness/fair-line.js'

export type { RecognisedPage }

/** What is done with files of any type, in processes of their own. It is called outside of transactions. */
export interface Extraction {
  /** Extracts the text. */
  extract(
    bytes: Uint8Array,
    name: string,
    party: Waiter,
    recognised?: readonly RecognisedPage[],
  ): Promise<ExtractedFile | ExtractFailure>
  /** Puts a watermark on a copy. */
  mark(
    bytes: Uint8Array,
    name: string,
    mark: Mark,
    party: Waiter,
  ): Promise<{ readonly bytes: Uint8Array } | ExtractFailure>
  /** Finds the numbers of watermarks. */
  findMarks(
    bytes: Uint8Array,
    name: string,
    party: Waiter,
  ): Promise<{ readonly numbers: readonly string[] } | ExtractFailure>
  /** Checks a file that a recipient sends in. */
  inspectUpload(
    bytes: Uint8Array,
    name: string,
    declaredType: string | null,
    controls: UploadControls,
    party: Waiter,
  ): Promise<UploadInspection | ExtractFailure>
}

/** Recognises the text of scanned pages, in the background. */
export interface Recogniser {
  /** The engine and its settings. */
  readonly name: string
  /** Called when a tenant is first used in this process: goes on with what was left undone. */
  noteTenant(tenant: string): void
  /** Called when a file with scanned pages was queued. */
  noteWork(tenant: string): void
}

/** What was read from a file. */
export interface ExtractedFile {
  readonly mediaType: string
  readonly text: string
  readonly title: string | null
  readonly pages: readonly {
    readonly number: number
    readonly start: number
    readonly end: number
    readonly state: 'text' | 'empty' | 'needs_ocr' | 'failed'
    /** What is printed around the text: the number of the page, the stamp of a filing system, running heads and feet. */
    readonly label?: string
    readonly stamp?: string
    readonly heads?: readonly string[]
    /** How sure the text recognition was of it, from 0 to 100, where its text was recognised. */
    readonly confidence?: number
  }[]
  readonly headings: readonly { readonly start: number; readonly end: number; readonly level: number }[]
  readonly about: Readonly<Record<string, string>>
  /** Only for messages: where attached files are in the text, and which ones could not be read. */
  readonly attached?: readonly { readonly name: string; readonly start: number; readonly end: number }[]
  readonly notRead?: readonly { readonly name: string; readonly message: string }[]
  readonly state: 'complete' | 'partial' | 'needs_ocr'
}

/** Why nothing could be read from a file. */
export interface ExtractFailure {
  readonly problem: string
  readonly message: string
}
