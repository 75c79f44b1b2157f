export const MEDIA_TYPES = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/html',
  'text/markdown',
  'text/plain',
  'message/rfc822',
  'application/mbox',
] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** `needs_ocr`: it shows a picture and holds no text. `failed`: it could not be read. */
export type PageState = 'text' | 'empty' | 'needs_ocr' | 'failed'

export interface Page {
  readonly number: number
  /** Pages follow each other without a gap: the break between two belongs to the one before. */
  readonly start: number
  readonly end: number
  readonly state: PageState
}

export interface Heading {
  readonly start: number
  readonly end: number
  /** 1 is the highest. */
  readonly level: number
}

/** A file that is attached to a message: from the line that names it to its end, and what is attached to itself follows. */
export interface AttachedFile {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** What is attached to a message and could not be read. */
export interface UnreadFile extends ReadFailure {
  readonly name: string
}

/** What a file says. Every place in it is counted in UTF-16 units of `text`. */
export interface ExtractedText {
  readonly mediaType: MediaType
  /** Well-formed Unicode with `\n` at line ends and no NUL. */
  readonly text: string
  /** As the file names itself, or its first heading. */
  readonly title: string | null
  /** Only of formats that have pages. */
  readonly pages: readonly Page[]
  /** Only of formats that mark them. */
  readonly headings: readonly Heading[]
  /** What the file says of itself, as found: author, from, date … */
  readonly about: Readonly<Record<string, string>>
  /** Of messages: what is attached to them, in its order. */
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
] as const
export type Problem = (typeof PROBLEMS)[number]

/** Why a file could not be read. The message holds nothing of what is in it. */
export interface ReadFailure {
  readonly problem: Problem
  readonly message: string
}

export const isFailure = (answer: ExtractedText | ReadFailure): answer is ReadFailure => 'problem' in answer

/** Thrown by a reader that cannot go on. */
export class UnreadableFile extends Error implements ReadFailure {
  readonly problem: Problem

  constructor(problem: Problem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** What one file may cost. */
export interface ReadLimits {
  readonly bytes: number
  /** Of the text that comes out, in UTF-16 units. */
  readonly characters: number
  readonly pages: number
  /** How deep elements may stand in each other. */
  readonly depth: number
  readonly zipEntries: number
  /** Of all that is unpacked of one zip file. */
  readonly zipBytes: number
  /** How many times larger than packed an entry of more than a MiB may be. */
  readonly zipRatio: number
  /** How many files that are attached to a message are read, with those attached to them. */
  readonly attachments: number
  /** How deep a message may be attached to another. */
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
