import { z } from 'zod'
import { isTimeZone } from '../legal-date.js'
import { EXECUTOR_CLASSES } from './router/assign.js'

/** The weight of each executor; 1 for one that is not named. */
export const executorWeights = z.partialRecord(z.enum(EXECUTOR_CLASSES), z.number().min(0).max(100))

/** The settings that 002 leaves to the operator, with their defaults (SR-15). */
export const searchSettings = z.strictObject({
  /** The constant k of reciprocal rank fusion: the higher, the less the first ranks are favoured. */
  rrfK: z.int().min(1).max(10_000).default(60),
  /** If the first executor finds fewer results than this, the others append theirs. */
  backfillBelow: z.int().min(0).max(1_000).default(5),
  /** The weights of executors in a weighted sum. */
  weights: executorWeights.default({}),
  /** How many results a search ranks; twice as many for a metadata lookup or a synthesis. */
  topK: z.int().min(1).max(500).default(50),
  /** A model's classification of a question is disclosed prominently if its confidence is below this. */
  disclosureBelow: z.number().min(0).max(1).default(0.85),
  /** After this many seconds, facts are read again even if nothing says that they changed. */
  overlayTtlSeconds: z.number().min(0).max(86_400).default(60),
  /** The time zone of the host, in which days of a scope may be meant. */
  timeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, { message: 'must be the name of a time zone' })
    .default('UTC'),
})
export type SearchSettings = z.output<typeof searchSettings>

export const SEARCH_DEFAULTS: SearchSettings = searchSettings.parse({})
