import { z } from 'zod'

/** How far a file that was taken in has been read. */
export const fileState = z.enum(['extracting', 'complete', 'partial', 'needs_ocr', 'failed']).meta({
  id: 'FileState',
  description: 'How much of a file could be read; `extracting` until it is read.',
})

/** What reading a file found out about it. */
export const readingFields = {
  problem: z
    .string()
    .nullable()
    .meta({ description: 'Why the file could not be read, as a code; null if it could.' }),
  mediaType: z
    .string()
    .nullable()
    .meta({ description: 'The media type that was recognised; null if none was.' }),
}
