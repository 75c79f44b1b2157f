import { z } from 'zod'
import { isTimeZone } from '../legal-date.js'
import { EXECUTOR_CLASSES } from './router/assign.js'

/** Executors by what they count; one that is not named counts as one does. */
export const executorWeights = z.partialRecord(z.enum(EXECUTOR_CLASSES), z.number().min(0).max(100))

/** What 002 leaves to whoever runs it, with its defaults (SR-15). */
export const searchSettings = z.strictObject({
  /** How little first ranks are preferred where lists are fused. */
  rrfK: z.int().min(1).max(10_000).default(60),
  /** Below this many results of the first executor, others append theirs. */
  backfillBelow: z.int().min(0).max(1_000).default(5),
  /** What each executor counts, where their results are fused by a weighted sum. */
  weights: executorWeights.default({}),
  /** How many results a search ranks; twice as many where metadata is asked for, or a synthesis. */
  topK: z.int().min(1).max(500).default(50),
  /** A model's reading of a question is shown prominently where it is less sure than this. */
  disclosureBelow: z.number().min(0).max(1).default(0.85),
  /** After so many seconds facts are read anew even where nothing says that they changed. */
  overlayTtlSeconds: z.number().min(0).max(86_400).default(60),
  /** The host's own time zone, in which days of a scope may be meant. */
  timeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, { message: 'must be the name of a time zone' })
    .default('UTC'),
})
export type SearchSettings = z.output<typeof searchSettings>

export const SEARCH_DEFAULTS: SearchSettings = searchSettings.parse({})
