import { z } from 'zod'
import { KINDS } from '../../policy/vocabulary.js'
import { tokenize } from '../../search/tokenize.js'
import { jsonObject, moment, name, principal, text } from '../input.js'
import { PART_KINDS, POSTURES, type Posture } from './router/posture.js'
import { searchScope } from './router/scope.js'

export { POSTURES, type Posture }

/** How many results a search ranks at most: twice as many as usual where each is short, or many are needed (SR-8). */
export const topKOf = (posture: Posture, usual: number): number =>
  posture === 'metadata_primary' || posture === 'cross_source_synthesis' ? 2 * usual : usual

export const FACETS = ['kind', 'tag', 'corpus', 'person', 'sensitivity', 'scope'] as const
export type Facet = (typeof FACETS)[number]

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** What may narrow a search: conditions that hold before anything is counted (OP-3). */
export const filters = {
  kinds: z.array(z.enum(KINDS)).min(1).max(KINDS.length).optional(),
  /** All of them. */
  tags: z.array(name).min(1).max(50).optional(),
  createdAfter: moment.optional(),
  createdBefore: moment.optional(),
  occurredAfter: moment.optional(),
  occurredBefore: moment.optional(),
  owner: principal.optional(),
  corpus: name.optional(),
  /** Records in which all of these people take part, by name. */
  people: z.array(name).min(1).max(50).optional(),
  /** Custom fields that have these plain values, or hold them in a list. */
  fields: jsonObject(16_384).pipe(z.record(z.string(), fieldValue)).optional(),
}

/** How records are found: by words, by what they mean, or by both. */
export const MODES = ['text', 'vector', 'hybrid'] as const
export type Mode = (typeof MODES)[number]

const share = z.number().min(0).max(1)

const word = name.refine(value => tokenize(value).length === 1, { message: 'must be one word' })

/** Words that stand for another one; those of a corpus count only for who sees it (QX-3). */
const synonyms = z.strictObject({
  of: word,
  terms: z.array(word).min(1).max(20),
  corpus: name.optional(),
})

export const QUESTION = {
  /** Words, "phrases", -exclusions and prefix*. */
  query: text(2_000).refine(value => value.trim().length > 0, { message: 'must not be empty' }),
  ...filters,
  /** Both, unless said otherwise; without a provider of vectors, words alone. */
  mode: z.enum(MODES).default('hybrid'),
  /** A cosine distance: what lies that far or farther is not found by its meaning (RC-4). */
  maxDistance: z.number().min(0).max(2).optional(),
  /** How much newer records are preferred: each half-life halves what a record's age adds. */
  recency: z
    .strictObject({ weight: share.default(0.2), halfLifeDays: z.number().positive().max(36_500).default(30) })
    .optional(),
  /** How much salient records are preferred. */
  salience: z.strictObject({ weight: share.default(0.2) }).optional(),
  posture: z.enum(POSTURES).default('mixed_surface_disclosed'),
  /** Whether other forms of a word count as well. */
  stemming: z.boolean().default(true),
  synonyms: z.array(synonyms).max(50).default([]),
  /** Whether citations and acts count in whatever form they are written. */
  citations: z.boolean().default(true),
  /** Whether legal terms and what they are short for count as one. */
  legalTerms: z.boolean().default(true),
  /** Whether what the best results speak of orders the others as well; it finds nothing more. */
  feedback: z.boolean().default(true),
  /** Whether words near in meaning count as well, where a provider knows words. */
  neighbours: z.boolean().default(false),
}

/** What a router makes of a scope (SR-4). */
const questionScope = searchScope.extend({
  /** The zone in which the host's days are meant. */
  hostTimeZone: z.string().optional(),
  /** The parts of filings that count; all of them where it is not said. */
  partKinds: z.array(z.enum(PART_KINDS)).optional(),
})
export type QuestionScope = z.output<typeof questionScope>

export const question = z.strictObject({ ...QUESTION, scope: questionScope.optional() })
export type Question = z.output<typeof question>
