import type { Party } from './fairness/fair-line.js'

/** Extracts the text of files of any type. It is called outside of transactions. */
export interface Extraction {
  extract(bytes: Uint8Array, name: string, party: Party): Promise<ExtractedFile | ExtractFailure>
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
