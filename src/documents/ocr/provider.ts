/** A word or several that stand together on a line, with its place in pixels; y grows downwards. */
export interface RecognisedRun {
  readonly text: string
  readonly left: number
  readonly right: number
  /** Where the line ends below, and how high its letters are. */
  readonly bottom: number
  readonly size: number
}

/** What was recognised in an image. */
export interface RecognisedImage {
  readonly width: number
  readonly height: number
  readonly runs: readonly RecognisedRun[]
  /** How sure the engine is of the whole, from 0 to 100. */
  readonly confidence: number
}

/** Recognises text in images, one after the other. */
export interface OcrEngine {
  /** Takes a PNG, JPEG or PGM file. Rejects if it cannot be read. */
  recognise(image: Uint8Array): Promise<RecognisedImage>
}

/**
 * Which engine recognises text. It is started in a process of its own, so it is named by a module that exports
 * `load(options): Promise<OcrEngine>`.
 */
export interface OcrProvider {
  /** The name and settings that are kept with what it recognised. */
  readonly name: string
  /** The URL of the module. */
  readonly module: string
  /** What `load` is given. It is sent to the other process, so it holds plain values only. */
  readonly options: unknown
}
