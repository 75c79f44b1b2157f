import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { KINDS } from '../../policy/vocabulary.js'
import { MOST_EXCLUDED, MOST_PHRASES, MOST_TERMS, parseQuery, type Query } from '../../search/query.js'
import { tokenize } from '../../search/tokenize.js'
import type { QueryToEmbed } from '../embedding/embeddings.js'
import { jsonObject, moment, name, principal, text } from '../input.js'
import { recordKind } from '../vocabulary.js'
import { POSTURES, type Posture, partKind, posture } from './router/posture.js'
import { searchScope } from './router/scope.js'

export { POSTURES, type Posture }

/** How many results a search ranks at most: twice the usual number if each is short or many are needed (SR-8). */
export const topKOf = (posture: Posture, usual: number): number =>
  posture === 'metadata_primary' || posture === 'cross_source_synthesis' ? 2 * usual : usual

export const FACETS = ['kind', 'tag', 'corpus', 'person', 'sensitivity', 'scope'] as const
export type Facet = (typeof FACETS)[number]

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** The filters of a search, which apply before anything is counted (OP-3). */
export const filters = {
  kinds: z
    .array(recordKind)
    .min(1)
    .max(KINDS.length)
    .optional()
    .meta({ description: 'Only records of these kinds.', example: ['semantic'] }),
  tags: z
    .array(name)
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Only records with all of these tags.', example: ['garden'] }),
  createdAfter: moment.optional().meta({ description: 'Only records kept at or after this moment.' }),
  createdBefore: moment.optional().meta({ description: 'Only records kept before this moment.' }),
  occurredAfter: moment.optional().meta({ description: 'Only what happened at or after this moment.' }),
  occurredBefore: moment.optional().meta({ description: 'Only what happened before this moment.' }),
  owner: principal.optional().meta({
    description: 'Only records of this owner: a person, `group:<id>` or `role:<id>/<role>`.',
    example: 'ana',
  }),
  corpus: name.optional().meta({ description: 'Only this collection.', example: 'letters' }),
  people: z
    .array(name)
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Only records in which all of these people take part, by name.', example: ['ben'] }),
  asOf: z
    .union([moment, z.literal('any')])
    .optional()
    .meta({
      description:
        'Only what holds at this moment, by `validFrom` and `validTo`; `any` for all times. Default: now.',
      example: '2026-01-01T00:00:00Z',
    }),
  minSalience: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'Only records that matter at least this much now, from 0 to 1.', example: 0.3 }),
  fields: jsonObject(16_384)
    .pipe(z.record(z.string(), fieldValue))
    .optional()
    .meta({
      description: 'Only records whose own fields have these values, or hold them in a list.',
      example: { room: 'kitchen' },
    }),
}

/** Whether records are found by words, by meaning, or by both. */
export const MODES = ['text', 'vector', 'hybrid'] as const
export type Mode = (typeof MODES)[number]

const share = z.number().min(0).max(1)

const word = name.refine(value => tokenize(value).length === 1, { message: 'must be one word' })

// QX-3
const synonyms = z
  .strictObject({
    of: word.meta({ description: 'The word.', example: 'car' }),
    terms: z
      .array(word)
      .min(1)
      .max(20)
      .meta({ description: 'Words that stand for it.', example: ['auto'] }),
    corpus: name.optional().meta({ description: 'Only in this collection.', example: 'letters' }),
  })
  .meta({ id: 'Synonyms', description: 'A word, and words that stand for it.' })

export const QUESTION = {
  query: text(2_000)
    .refine(value => value.trim().length > 0, { message: 'must not be empty' })
    .meta({
      description: 'What to look for: words, "phrases", -exclusions and prefix*.',
      example: 'where do the tomatoes go?',
    }),
  ...filters,
  mode: z.enum(MODES).default('hybrid').meta({
    description:
      'Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone.',
  }),
  // RC-4
  maxDistance: z.number().min(0).max(2).optional().meta({
    description:
      'A cosine distance, from 0 to 2. Records that far or farther are not found by their meaning.',
    example: 0.6,
  }),
  // SC-7
  minScore: share.optional().meta({
    description:
      'The least score of a result. Scores mean the same from question to question: a record with all words of a question has about 0.6.',
    example: 0.3,
  }),
  recency: z
    .strictObject({
      weight: share.default(0.2).meta({ description: 'Its share of the score, from 0 to 1.' }),
      halfLifeDays: z
        .number()
        .positive()
        .max(36_500)
        .default(30)
        .meta({ description: 'Days after which age counts half.' }),
    })
    .optional()
    .meta({ description: 'How much to prefer newer records.' }),
  salience: z
    .strictObject({
      weight: share.default(0.2).meta({ description: 'Its share of the score, from 0 to 1.' }),
    })
    .optional()
    .meta({ description: 'How much to prefer salient records.' }),
  posture: posture
    .default('mixed_surface_disclosed')
    .meta({ description: 'What the answer is to be made of.' }),
  stemming: z.boolean().default(true).meta({ description: 'Whether other forms of a word count as well.' }),
  synonyms: z.array(synonyms).max(50).default([]).meta({ description: 'Words that stand for other words.' }),
  citations: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether citations and acts count in whatever form they are written.' }),
  legalTerms: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether a legal term and its abbreviation count as one.' }),
  feedback: z.boolean().default(true).meta({
    description: 'Whether to reorder results by what the best ones speak of. It finds nothing more.',
  }),
  neighbours: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether words near in meaning count as well, where the provider knows words.' }),
}

/** A scope with what the router adds to it (SR-4). */
const questionScope = searchScope.extend({
  /** The time zone of the host's dates. */
  hostTimeZone: z.string().optional(),
  /** The kinds of parts of filings that count; all if absent. */
  partKinds: z.array(partKind).optional(),
})
export type QuestionScope = z.output<typeof questionScope>

export const question = z.strictObject({ ...QUESTION, scope: questionScope.optional() })
export type Question = z.output<typeof question>

/** The filters of a search, without the query. */
export type Conditions = Pick<Question, keyof typeof filters | 'scope'>

/** A question on its way to the answer. It is parsed once, before anything is read. */
export interface ParsedQuestion {
  readonly question: Question
  /** The parsed query text. */
  readonly query: Query
  /** What has to be embedded before the question can be answered; null if keywords are enough. */
  readonly meaning: QueryToEmbed | null
}

/** Parses a question, or throws if it cannot be searched for. */
export function parseQuestion(question: Question): ParsedQuestion {
  const query = parseQuery(question.query)
  if (query.terms.length === 0)
    throw new PrivityError('invalid_input', 'query: must contain at least one word to search for')
  if (query.dropped)
    throw new PrivityError(
      'invalid_input',
      `query: must hold at most ${MOST_TERMS} words, ${MOST_PHRASES} phrases and ${MOST_EXCLUDED} exclusions`,
    )
  if ((question.recency?.weight ?? 0) + (question.salience?.weight ?? 0) > 1)
    throw new PrivityError('invalid_input', 'recency, salience: their weights together must be at most 1')
  return { question, query, meaning: meaningOf(question, query) }
}

function meaningOf({ mode, neighbours }: Question, query: Query): QueryToEmbed | null {
  const nearWordsOf = neighbours
    ? query.terms.filter(({ prefix, exact }) => !prefix && !exact).map(({ term }) => term)
    : []
  if (mode === 'text' && nearWordsOf.length === 0) return null
  return { text: mode === 'text' ? '' : query.meant, nearWordsOf }
}
