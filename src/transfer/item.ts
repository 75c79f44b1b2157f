import { z } from 'zod'
import type { InputOf } from '../operations.js'
import { id } from '../runtime/input.js'

/** A record to be, as `remember` takes it. */
export type RecordToImport = InputOf<'memory.remember'>['records'][number]

/** What an export says of a record besides what makes it again. */
export const exportedRecord = z.object({
  id,
  face: z.enum(['full', 'preview', 'metadata']).default('full'),
  /** Edges that start from it. */
  relations: z.array(z.object({ type: z.string(), record: id })).default([]),
  /** That somebody disagrees, and why if they said. */
  contested: z.object({ reason: z.string().nullable() }).optional(),
})
export type ExportedRecord = z.output<typeof exportedRecord>

/** What a reader found at a place of its source: a line, a file, a message. */
export type Item =
  | {
      readonly kind: 'record'
      readonly where: string
      /** Not yet checked. */
      readonly draft: unknown
      readonly exported?: ExportedRecord
      /** What it is known by wherever it stands: its path, its Message-ID. */
      readonly identity?: string
    }
  /** Left out because it holds nothing to keep. */
  | { readonly kind: 'skipped'; readonly where: string; readonly why: string }
  /** Left out because it cannot be read. */
  | { readonly kind: 'problem'; readonly where: string; readonly problem: string }

/** The bytes of a file, a request or a pipe. */
export type Bytes = AsyncIterable<Uint8Array | string>
