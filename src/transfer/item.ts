import { z } from 'zod'
import type { InputOf } from '../operations.js'
import { id } from '../runtime/input.js'
import { face } from '../runtime/vocabulary.js'

/** A record to store, as `remember` accepts it. */
export type RecordToImport = InputOf<'memory.remember'>['records'][number]

/** What an export adds to the fields that recreate a record. */
export const exportedRecord = z.object({
  id,
  face: face.default('full'),
  /** Relations that start at this record. */
  relations: z.array(z.object({ type: z.string(), record: id })).default([]),
  /** Present if somebody contests the record, with their reason if they gave one. */
  contested: z.object({ reason: z.string().nullable() }).optional(),
})
export type ExportedRecord = z.output<typeof exportedRecord>

/** What a reader found at one position of its source: a line, a file or a message. */
export type Item =
  | {
      readonly kind: 'record'
      readonly where: string
      /** Not validated yet. */
      readonly draft: unknown
      readonly exported?: ExportedRecord
      /** An identity that does not depend on the position, such as a path or a Message-ID. */
      readonly identity?: string
    }
  /** Skipped because it holds nothing to keep. */
  | { readonly kind: 'skipped'; readonly where: string; readonly why: string }
  /** Skipped because it cannot be read. */
  | { readonly kind: 'problem'; readonly where: string; readonly problem: string }

/** The bytes of a file, a request or a pipe. */
export type Bytes = AsyncIterable<Uint8Array | string>
