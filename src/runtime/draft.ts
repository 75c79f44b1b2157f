import { z } from 'zod'
import { TARGET_KINDS, VESSELS } from '../policy/vocabulary.js'
import {
  id,
  jsonObject,
  languageCode,
  moment,
  name,
  personName,
  principal,
  scopeName,
  text,
} from './input.js'
import { TYPED_FIELD, type Typed, typed, typedOf } from './typed.js'
import { recordKind, sensitivity, surface, versionKind, visibilityClass } from './vocabulary.js'

export const MOST_TEXT_BYTES = 1_048_576
const fraction = z.number().min(0).max(1)

/** The highest number that the column holds. */
const MOST_TURN = 2_147_483_647

/** Longer than any text can be, with room for what surrounds a span. */
const MOST_OFFSET = 2_000_000_000

export const span = z
  .strictObject({
    document: name.meta({ description: 'The name of the document.', example: 'letter-12' }),
    start: z
      .int()
      .min(0)
      .max(MOST_OFFSET)
      .meta({ description: 'The first character, counted from 0.', example: 0 }),
    end: z.int().min(0).max(MOST_OFFSET).meta({ description: 'The character after the last.', example: 12 }),
    page: z.int().min(0).optional().meta({ description: 'The page, counted from 1.', example: 1 }),
    version: name
      .optional()
      .meta({ description: 'Which version of the document is meant, where it has several.', example: 'v2' }),
  })
  .refine(({ start, end }) => end >= start, { message: 'must not end before it starts' })
  .meta({ id: 'Span', description: 'A place in a document.' })

// NI-6
export const provenance = z
  .strictObject({
    source: text(2_000).optional().meta({ description: 'A person, a system or a file.', example: 'ana' }),
    uri: text(2_000)
      .optional()
      .meta({ description: 'Where it can be read.', example: 'https://example.com/letter' }),
    model: name.optional().meta({ description: 'The model that wrote it.', example: 'writer-1' }),
    tool: name.optional().meta({ description: 'The tool that wrote it.', example: 'importer' }),
    note: text(10_000).optional().meta({ description: 'Anything else.', example: 'Told on the phone.' }),
  })
  .meta({ id: 'Provenance', description: 'Where a record came from.' })

/** The parts of a record that a revision may replace. */
export const contentFields = {
  title: text(2_000).optional().meta({ description: 'A short title.', example: 'Garden' }),
  text: text(MOST_TEXT_BYTES)
    .refine(value => value.length > 0, { message: 'must not be empty' })
    .meta({ description: 'What it says.', example: 'The tomatoes go to the south wall.' }),
  language: languageCode
    .optional()
    .meta({ description: 'Its language, as a BCP 47 code. Default: detected from the text.', example: 'en' }),
  tags: z
    .array(name)
    .max(100)
    .optional()
    .meta({ description: 'Words to find it by.', example: ['garden'] }),
  fields: jsonObject(65_536)
    .optional()
    .meta({ description: 'Fields of your own, as JSON.', example: { room: 'kitchen' } }),
  // TR-10
  typed: typed.optional().meta({
    description:
      'Its structured part, for the kind of the record: what an entity is called, how something is done, a plan, where work stands, what a fact says in parts, what tools did. It is kept in `fields.typed`.',
  }),
  salience: fraction.optional().meta({
    description: 'How much it matters, from 0 to 1. It fades with the half-life of its kind.',
    example: 0.5,
  }),
  pinned: z.boolean().optional().meta({ description: 'Whether its salience does not fade.', example: true }),
  confidence: fraction.optional().meta({ description: 'How certain it is, from 0 to 1.', example: 0.9 }),
  provenance: provenance
    .optional()
    .meta({ description: 'Where it came from. Name other records in `derivedFrom`, not here.' }),
  spans: z.array(span).max(1_000).optional().meta({ description: 'Places in sources that it speaks of.' }),
  occurredAt: moment.optional().meta({ description: 'When it happened.' }),
  validFrom: moment.optional().meta({ description: 'When it begins to hold.' }),
  validTo: moment.optional().meta({ description: 'When it ceases to hold.' }),
  expiresAt: moment.optional().meta({ description: 'When it expires: nobody is shown it from then on.' }),
}

/** The label that a writer asks for; the record may get a stricter one. */
export const labelFields = {
  sensitivity: sensitivity.optional().meta({
    description:
      'How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive.',
    example: 'low',
  }),
  scope: scopeName
    .optional()
    .meta({ description: 'The part of life or work it belongs to.', example: 'home' }),
  visibilityClass: visibilityClass
    .optional()
    .meta({ description: 'Who may see it at all, from open to firewalled.', example: 'public_open' }),
  participants: z
    .array(personName)
    .max(1_000)
    .optional()
    .meta({
      description: 'People in it, by name. New names become people whose consent is pending.',
      example: ['ben'],
    }),
}

export const isInOrder = (from: Date | undefined, to: Date | undefined) =>
  from === undefined || to === undefined || from <= to

export const draft = z
  .strictObject({
    kind: recordKind.meta({ description: 'What sort of record it is.', example: 'semantic' }),
    vessel: z
      .enum(VESSELS)
      .default('user')
      .meta({ description: "Whose memory it is in: one user's, shared, or everybody's." }),
    owner: principal.optional().meta({
      description: 'Who owns it: a person, `group:<id>` or `role:<id>/<role>`. Default: the caller.',
      example: 'ana',
    }),
    ...contentFields,
    ...labelFields,
    markedShareable: z
      .boolean()
      .optional()
      .meta({ description: 'Whether its owner allows it to be shared.', example: false }),
    surface: surface
      .optional()
      .meta({ description: 'The search surface it belongs to.', example: 'source_documents' }),
    corpus: name.optional().meta({ description: 'The collection it belongs to.', example: 'letters' }),
    filingUnit: name
      .optional()
      .meta({ description: 'The filing that its versions belong to.', example: 'motion-12' }),
    version: name.optional().meta({ description: 'The version of the filing.', example: 'v2' }),
    versionKind: versionKind
      .optional()
      .meta({ description: 'What sort of version it is.', example: 'original_as_filed' }),
    part: name.optional().meta({ description: 'The part of the document.', example: 'argument' }),
    document: name
      .optional()
      .meta({ description: 'The document it is, or is part of.', example: 'letter-12' }),
    segment: name.optional().meta({ description: 'The segment of the part.', example: 'argument-3' }),
    // SC-8
    conversation: name.optional().meta({
      description:
        'The conversation it is a turn of. A search reads a short turn together with the turns around it.',
      example: 'call-2026-05-03',
    }),
    turn: z
      .int()
      .min(0)
      .max(MOST_TURN)
      .optional()
      .meta({ description: 'Its place in the conversation; the lowest comes first.', example: 4 }),
    speaker: name.optional().meta({
      description: 'Who said or wrote it. Name people in `participants` as well: their consent counts.',
      example: 'ben',
    }),
    // TR-7
    derivedFrom: z
      .array(id)
      .max(1_000)
      .optional()
      .meta({ description: 'Records it was made from, by their ids. It takes over their labels.' }),
    mentions: z
      .array(id)
      .max(1_000)
      .optional()
      .meta({ description: 'Records of kind `entity` that it speaks of, by their ids.' }),
    linkEntities: z
      .boolean()
      .optional()
      .meta({ description: 'Whether to find more entities by their names in its text.', example: true }),
    // OV-3
    redactedOf: id.optional().meta({ description: 'The record whose redacted twin this is, by its id.' }),
  })
  .refine(({ validFrom, validTo }) => isInOrder(validFrom, validTo), {
    message: 'must not end before it begins',
    path: ['validTo'],
  })
  .refine(({ conversation, turn }) => turn === undefined || conversation !== undefined, {
    message: 'needs a conversation',
    path: ['turn'],
  })
  .superRefine((made, context) => {
    const problem = typedProblem(made)
    if (problem !== null) context.addIssue({ code: 'custom', ...problem })
  })
  .meta({ id: 'RecordDraft', description: 'A record to keep.' })

export type Draft = z.output<typeof draft>

/** What is wrong with the structured part of a record, wherever it stands; null if nothing is (TR-10). */
function typedProblem({
  kind,
  typed: given,
  fields = {},
  spans = [],
  derivedFrom = [],
}: {
  kind: string
  typed?: Typed | undefined
  fields?: Readonly<Record<string, unknown>> | undefined
  spans?: readonly unknown[] | undefined
  derivedFrom?: readonly string[] | undefined
}): { path: string[]; message: string } | null {
  const inFields = TYPED_FIELD in fields
  if (given !== undefined && inFields)
    return { path: ['fields', TYPED_FIELD], message: 'must be left out where typed is given' }
  if (inFields && typedOf(fields) === null)
    return { path: ['fields', TYPED_FIELD], message: 'must be what typed takes' }
  const part = given ?? typedOf(fields)
  const path = given === undefined ? ['fields', TYPED_FIELD, 'kind'] : [TYPED_FIELD, 'kind']
  if (part === null) return null
  if (part.kind !== kind) return { path, message: `must be ${kind}, the kind of the record` }
  const isBare = spans.length + derivedFrom.length === 0
  if (part.kind === 'semantic' && part.requiresEvidence === true && isBare)
    return {
      path: ['spans'],
      message: 'must name evidence, as typed.requiresEvidence says; or name derivedFrom',
    }
  return null
}

/** The fields of a record with its structured part among them. */
export const withTyped = ({ fields = {}, typed }: Pick<Draft, 'fields' | 'typed'>) =>
  typed === undefined ? fields : { ...fields, [TYPED_FIELD]: typed }

/** An owner's thing that an overlay or a grant applies to. */
export const target = z
  .strictObject({
    kind: z.enum(TARGET_KINDS).meta({ description: 'What sort of thing is named.', example: 'document' }),
    ref: name.meta({ description: 'Its name, or the id of a record.', example: 'letter-12' }),
    owner: principal.optional().meta({ description: 'Who owns it. Default: you.', example: 'ana' }),
  })
  .meta({ id: 'TargetInput', description: 'What a grant or an overlay is to apply to.' })
