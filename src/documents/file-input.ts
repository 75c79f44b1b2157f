import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { SURFACES, type Surface, VERSION_KINDS } from '../policy/vocabulary.js'
import { labelFields } from '../runtime/draft.js'
import { languageCode, moment, name, text } from '../runtime/input.js'
import { isTimeZone, isZone, type LegalDate, legalDate } from '../runtime/legal-date.js'
import { PART_KINDS } from '../runtime/search/router/posture.js'
import { DOCUMENT_TYPES } from './structure/document-type.js'

export const MOST_FILE_BYTES = 36 * 1_048_576
/** As it is written in base64. */
const MOST_CONTENT = (MOST_FILE_BYTES / 3) * 4

/** What is said of a file of no bytes: there is nothing in it to be a document. */
export const EMPTY_FILE = 'the file is empty'

/** Short enough for the names of its versions, parts and segments, which begin with it. */
export const MOST_NAME_BYTES = 160

/** The name of a file. */
export const documentName = name.refine(value => Buffer.byteLength(value) <= MOST_NAME_BYTES, {
  message: `must be at most ${MOST_NAME_BYTES} bytes`,
  params: { code: 'too_large' },
})

export const content = z
  .string()
  .refine(value => value.length <= MOST_CONTENT, {
    message: `must be at most ${MOST_CONTENT} characters of base64`,
    params: { code: 'too_large' },
    abort: true,
  })
  .refine(value => Buffer.from(value, 'base64').toString('base64') === value, { message: 'must be base64' })

const timeZone = name.refine(isTimeZone, { message: 'must be a time zone, such as Europe/Berlin' })

const zone = name.refine(isZone, { message: 'must be a time zone, such as Europe/Berlin or +10:00' })
const givenDate = z.union([z.iso.date(), z.strictObject({ date: z.iso.date(), timeZone: zone })])

const DATES = ['filingDate', 'effectiveDate', 'rulingDate', 'docketEntryDate', 'sentDate'] as const

/** What is known of a document beside its text. It wins over what is found in the text. */
export const metadata = z.strictObject({
  caseNumber: name.optional(),
  court: name.optional(),
  parties: z.array(name).max(100).optional(),
  documentType: z.enum(DOCUMENT_TYPES).optional(),
  filingDate: givenDate.optional(),
  effectiveDate: givenDate.optional(),
  rulingDate: givenDate.optional(),
  docketEntryDate: givenDate.optional(),
  sentDate: givenDate.optional(),
})

/** The fields that a document may have, in the order in which they are told. */
export const FIELDS = ['documentType', 'caseNumber', 'court', 'parties', ...DATES] as const
export type Field = (typeof FIELDS)[number]
export type Fields = Readonly<Partial<Record<Field, unknown>>>

/** What may be asked for with a file. */
export const askedFields = {
  title: text(2_000)
    .refine(value => value.trim().length > 0, { message: 'must not be empty' })
    .optional(),
  language: languageCode.optional(),
  /** What all of it is, where its own headings are not to be asked. */
  partKind: z.enum(PART_KINDS).optional(),
  /** What of its corpus it is, for views: `source_documents` unless it is said. */
  surface: z.enum(SURFACES).optional(),
  tags: z.array(name).max(100).optional(),
  /** Where dates of the document were set, unless it says so itself. */
  timeZone: timeZone.optional(),
  expiresAt: moment.optional(),
}

export const placeFields = {
  filingUnit: name.optional(),
  versionKind: z.enum(VERSION_KINDS).optional(),
}

/** Everything that a source keeps of what was asked, as JSON. */
export const asked = z.object({
  ...askedFields,
  ...labelFields,
  /** What its writer had been shown (WR-2). */
  atLeast: z
    .object({
      sensitivity: z.string(),
      scope: z.string().nullable(),
      visibilityClass: z.string(),
      participants: z.array(z.string()).max(100_000),
    })
    .optional(),
})
export type Asked = z.output<typeof asked>

export const DEFAULT_TIME_ZONE = 'UTC'
export const DEFAULT_SURFACE = 'source_documents' satisfies Surface

/** Dates as they are kept: with their zone and the instant they name. */
export function readMetadata(given: z.output<typeof metadata>, zone: string): Fields {
  const dates = DATES.flatMap((field): [Field, LegalDate][] => {
    const value = given[field]
    if (value === undefined) return []
    const read = typeof value === 'string' ? legalDate(value, zone) : legalDate(value.date, value.timeZone)
    if (read === null) throw new PrivityError('invalid_input', `metadata.${field}: there is no such day`)
    return [[field, read]]
  })
  return { ...given, ...Object.fromEntries(dates) }
}
