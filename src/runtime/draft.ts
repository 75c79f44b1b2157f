import { z } from 'zod'
import {
  KINDS,
  SENSITIVITIES,
  SURFACES,
  TARGET_KINDS,
  VERSION_KINDS,
  VESSELS,
  VISIBILITY_CLASSES,
} from '../policy/vocabulary.js'
import { id, jsonObject, languageCode, moment, name, principal, scopeName, text } from './input.js'

export const MOST_TEXT_BYTES = 1_048_576
const fraction = z.number().min(0).max(1)

/** No text is longer; with room for what stands around a span. */
const MOST_OFFSET = 2_000_000_000

/** A place in a source that a record speaks of. */
export const span = z
  .strictObject({
    document: name,
    start: z.int().min(0).max(MOST_OFFSET),
    end: z.int().min(0).max(MOST_OFFSET),
    page: z.int().min(0).optional(),
    /** Which version of the document is meant, where it has several. */
    version: name.optional(),
  })
  .refine(({ start, end }) => end >= start, { message: 'must not end before it starts' })

/** What is known of where a record came from. Other records are named by `derivedFrom`, never here (NI-6). */
export const provenance = z.strictObject({
  source: text(2_000).optional(),
  uri: text(2_000).optional(),
  model: name.optional(),
  tool: name.optional(),
  note: text(10_000).optional(),
})

/** The parts of a record that a revision may give anew. */
export const contentFields = {
  title: text(2_000).optional(),
  text: text(MOST_TEXT_BYTES).refine(value => value.length > 0, { message: 'must not be empty' }),
  /** A BCP 47 code; without one, search tells the language from the text. */
  language: languageCode.optional(),
  tags: z.array(name).max(100).optional(),
  fields: jsonObject(65_536).optional(),
  salience: fraction.optional(),
  /** Does not fade. */
  pinned: z.boolean().optional(),
  confidence: fraction.optional(),
  provenance: provenance.optional(),
  spans: z.array(span).max(1_000).optional(),
  occurredAt: moment.optional(),
  validFrom: moment.optional(),
  validTo: moment.optional(),
  expiresAt: moment.optional(),
}

/** The label a writer asks for; it may come out stricter. */
export const labelFields = {
  sensitivity: z.enum(SENSITIVITIES).optional(),
  scope: scopeName.optional(),
  visibilityClass: z.enum(VISIBILITY_CLASSES).optional(),
  /** People, by name. Names that are new become people whose consent is pending. */
  participants: z.array(name).max(1_000).optional(),
}

export const inOrder = (from: Date | undefined, to: Date | undefined) =>
  from === undefined || to === undefined || from <= to

export const draft = z
  .strictObject({
    kind: z.enum(KINDS),
    vessel: z.enum(VESSELS).default('user'),
    owner: principal.optional(),
    ...contentFields,
    ...labelFields,
    markedShareable: z.boolean().optional(),
    surface: z.enum(SURFACES).optional(),
    corpus: name.optional(),
    filingUnit: name.optional(),
    version: name.optional(),
    versionKind: z.enum(VERSION_KINDS).optional(),
    part: name.optional(),
    document: name.optional(),
    segment: name.optional(),
    /** Records this one was made from: it takes their labels (TR-7). */
    derivedFrom: z.array(id).max(1_000).optional(),
    /** Records of kind `entity` that it speaks of. */
    mentions: z.array(id).max(1_000).optional(),
    /** Whether entities of its owner are to be found by their names (title, `fields.aliases`) in its text as well. */
    linkEntities: z.boolean().optional(),
    /** The record whose redacted twin this is (OV-3). */
    redactedOf: id.optional(),
  })
  .refine(({ validFrom, validTo }) => inOrder(validFrom, validTo), {
    message: 'must not end before it begins',
    path: ['validTo'],
  })

export type Draft = z.output<typeof draft>

/** What an overlay or a grant names, of an owner. */
export const target = z.strictObject({ kind: z.enum(TARGET_KINDS), ref: name, owner: principal.optional() })
