export const MEDIA_TYPES = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/rtf',
  'text/html',
  'text/markdown',
  'text/plain',
  'message/rfc822',
  'application/mbox',
  'image/png',
  'image/jpeg',
] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** `needs_ocr`: the page shows an image and has no text. `failed`: the page could not be read. */
export type PageState = 'text' | 'empty' | 'needs_ocr' | 'failed'

export interface Page {
  readonly number: number
  /** Pages have no gaps between them: a page break belongs to the page before it. */
  readonly start: number
  readonly end: number
  readonly state: PageState
  /** The number printed on the page, the stamp of a filing system, and running heads and feet. None of it is text. */
  readonly label?: string
  readonly stamp?: string
  readonly heads?: readonly string[]
  /** How sure the text recognition was of the page, from 0 to 100, where its text was recognised. */
  readonly confidence?: number
}

export interface Heading {
  readonly start: number
  readonly end: number
  /** 1 is the top level. */
  readonly level: number
}

/** The range of an attached file, from the line that names it to its end. Its own attachments follow it. */
export interface AttachedFile {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** An attachment that could not be read. */
export interface UnreadFile extends ReadFailure {
  readonly name: string
}

/** What was extracted from a file. All offsets count UTF-16 code units of `text`. */
export interface ExtractedText {
  readonly mediaType: MediaType
  /** Well-formed Unicode with `\n` at line ends and no NUL. */
  readonly text: string
  /** The title in the metadata of the file, or its first heading. */
  readonly title: string | null
  /** Empty for formats without pages. */
  readonly pages: readonly Page[]
  /** Empty for formats that do not mark headings. */
  readonly headings: readonly Heading[]
  /** The metadata found in the file: author, from, date and so on. */
  readonly about: Readonly<Record<string, string>>
  /** For messages: the attachments in order. */
  readonly attached?: readonly AttachedFile[]
  readonly notRead?: readonly UnreadFile[]
  /** `partial`: some pages or attachments could not be read. `needs_ocr`: all could, but some hold only pictures. */
  readonly state: 'complete' | 'partial' | 'needs_ocr'
}

export const PROBLEMS = [
  'unknown_type',
  'encrypted',
  'damaged',
  'too_large',
  'took_too_long',
  'too_much_memory',
  'no_ocr',
] as const
export type Problem = (typeof PROBLEMS)[number]

/** Why a file could not be read. The message never quotes the content of the file. */
export interface ReadFailure {
  readonly problem: Problem
  readonly message: string
}

export const isFailure = (answer: ExtractedText | ReadFailure): answer is ReadFailure => 'problem' in answer

/** Thrown when a file cannot be read. */
export class UnreadableFile extends Error implements ReadFailure {
  readonly problem: Problem

  constructor(problem: Problem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** Limits on reading one file. */
export interface ReadLimits {
  readonly bytes: number
  /** Length of the extracted text, in UTF-16 code units. */
  readonly characters: number
  readonly pages: number
  /** How deeply elements may be nested. */
  readonly depth: number
  readonly zipEntries: number
  /** Total size of what is unpacked from one zip file. */
  readonly zipBytes: number
  /** Highest compression ratio of a zip entry larger than 1 MiB. */
  readonly zipRatio: number
  /** How many attachments of a message are read, including the attachments of attached messages. */
  readonly attachments: number
  /** How deeply messages may be attached to each other. */
  readonly mailDepth: number
}

const MIB = 1_048_576

export const READ_LIMITS: ReadLimits = {
  bytes: 64 * MIB,
  characters: 16 * MIB,
  pages: 20_000,
  depth: 1_000,
  zipEntries: 10_000,
  zipBytes: 256 * MIB,
  zipRatio: 200,
  attachments: 100,
  mailDepth: 4,
}
