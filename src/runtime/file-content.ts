import { z } from 'zod'

export const MOST_FILE_BYTES = 36 * 1_048_576
/** The size of the largest file in base64. */
const MOST_CONTENT = (MOST_FILE_BYTES / 3) * 4

/** A file in an input. */
export const fileContent = z
  .string()
  .refine(value => value.length <= MOST_CONTENT, {
    message: `must be at most ${MOST_CONTENT} characters of base64`,
    params: { code: 'too_large' },
    abort: true,
  })
  .refine(value => Buffer.from(value, 'base64').toString('base64') === value, { message: 'must be base64' })
