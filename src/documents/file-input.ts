import { z } from 'zod'
import { PrivityError } from '../errors.js'
import type { Surface } from '../policy/vocabulary.js'
import { labelFields } from '../runtime/draft.js'
import { languageCode, moment, name, text } from '../runtime/input.js'
import { isTimeZone, isZone, type LegalDate, makeLegalDate } from '../runtime/legal-date.js'
import { partKind } from '../runtime/search/router/posture.js'
import { surface, versionKind } from '../runtime/vocabulary.js'
import { DOCUMENT_TYPES } from './structure/document-type.js'

/** The error for a file without bytes, which cannot become a document. */
export const EMPTY_FILE = 'the file is empty'

/** The names of versions, parts and chunks start with this name, so it must leave room for their endings. */
export const MOST_NAME_BYTES = 160

export const documentName = name
  .refine(value => Buffer.byteLength(value) <= MOST_NAME_BYTES, {
    message: `must be at most ${MOST_NAME_BYTES} bytes`,
    params: { code: 'too_large' },
  })
  .meta({
    description: 'The name of the file; its extension may tell what it is.',
    example: 'briefs/motion.pdf',
  })

const timeZone = name.refine(isTimeZone, { message: 'must be a time zone, such as Europe/Berlin' })

const zone = name.refine(isZone, { message: 'must be a time zone, such as Europe/Berlin or +10:00' })
const givenDate = z
  .union([
    z.iso.date(),
    z.strictObject({
      date: z.iso.date().meta({ description: 'The day.', example: '2026-03-01' }),
      timeZone: zone.meta({
        description: 'The time zone of the day, as an IANA name.',
        example: 'Europe/Berlin',
      }),
    }),
  ])
  .meta({ id: 'DocumentDate', description: 'A day, with its time zone where that is known.' })

const DATES = ['filingDate', 'effectiveDate', 'rulingDate', 'docketEntryDate', 'sentDate'] as const

export const fileMetadata = z
  .strictObject({
    caseNumber: name.optional().meta({ description: 'The number of the case.', example: '2:24-cv-01234' }),
    court: name
      .optional()
      .meta({ description: 'The name of the court.', example: 'United States District Court' }),
    parties: z
      .array(name)
      .max(100)
      .optional()
      .meta({ description: 'The names of the parties.', example: ['Berg'] }),
    documentType: z
      .enum(DOCUMENT_TYPES)
      .optional()
      .meta({ description: 'What sort of document it is.', example: 'motion' }),
    filingDate: givenDate.optional().meta({ description: 'The day it was filed.', example: '2026-03-01' }),
    effectiveDate: givenDate
      .optional()
      .meta({ description: 'The day from which it is in force.', example: '2026-03-01' }),
    rulingDate: givenDate.optional().meta({ description: 'The day of the ruling.', example: '2026-03-01' }),
    docketEntryDate: givenDate
      .optional()
      .meta({ description: 'The day it was entered on the docket.', example: '2026-03-01' }),
    sentDate: givenDate
      .optional()
      .meta({ description: 'The day the message was sent.', example: '2026-03-01' }),
  })
  .meta({ id: 'DocumentMetadata', description: 'What is known of a document.' })

/** The fields that a document may have, in display order. */
export const DOCUMENT_FIELDS = ['documentType', 'caseNumber', 'court', 'parties', ...DATES] as const
export type DocumentField = (typeof DOCUMENT_FIELDS)[number]
export const documentField = z
  .enum(DOCUMENT_FIELDS)
  .meta({ id: 'DocumentField', description: 'A field that a document may have.' })
export type DocumentFields = Readonly<Partial<Record<DocumentField, unknown>>>

/** The options that a caller may give with a file. */
export const fileRequestFields = {
  title: text(2_000)
    .refine(value => value.trim().length > 0, { message: 'must not be empty' })
    .optional()
    .meta({
      description: 'Its title. Default: the title that the file gives itself.',
      example: 'Motion to dismiss',
    }),
  language: languageCode
    .optional()
    .meta({ description: 'Its language, as a BCP 47 code. Default: detected from the text.', example: 'en' }),
  partKind: partKind
    .optional()
    .meta({ description: 'What sort of part the whole file is. Default: read from its headings.' }),
  surface: surface.optional().meta({
    description:
      'The surface of its corpus that it belongs to, which views choose by. Default: `source_documents`.',
  }),
  tags: z
    .array(name)
    .max(100)
    .optional()
    .meta({ description: 'Words to find it by.', example: ['garden'] }),
  timeZone: timeZone.optional().meta({
    description: 'The time zone of its dates, where it does not say so itself.',
    example: 'Europe/Berlin',
  }),
  expiresAt: moment.optional().meta({ description: 'When it expires: nobody is shown it from then on.' }),
}

export const filingFields = {
  filingUnit: name.optional().meta({ description: 'The filing it is a version of.', example: 'motion-12' }),
  versionKind: versionKind.optional().meta({ description: 'What sort of version it is.' }),
}

/** The options that are stored with a source, as JSON. */
export const fileRequest = z.object({
  ...fileRequestFields,
  ...labelFields,
  /** The label of what the writer had been shown (WR-2). */
  atLeast: z
    .object({
      sensitivity: z.string(),
      scope: z.string().nullable(),
      visibilityClass: z.string(),
      participants: z.array(z.string()).max(100_000),
    })
    .optional(),
})
export type FileRequest = z.output<typeof fileRequest>

export const DEFAULT_TIME_ZONE = 'UTC'
export const DEFAULT_SURFACE = 'source_documents' satisfies Surface

/** Converts given dates to the stored form: day, time zone and instant. */
export function readMetadata(given: z.output<typeof fileMetadata>, zone: string): DocumentFields {
  const dates = DATES.flatMap((field): [DocumentField, LegalDate][] => {
    const value = given[field]
    if (value === undefined) return []
    const read =
      typeof value === 'string' ? makeLegalDate(value, zone) : makeLegalDate(value.date, value.timeZone)
    if (read === null)
      throw new PrivityError(
        'invalid_input',
        `metadata.${field}: must be a date that exists, for example 2026-02-28`,
      )
    return [[field, read]]
  })
  return { ...given, ...Object.fromEntries(dates) }
}
