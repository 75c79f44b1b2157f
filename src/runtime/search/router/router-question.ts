import { z } from 'zod'
import { FUSION_STRATEGIES } from '../../../search/fuse.js'
import { id, text } from '../../input.js'
import { type ParsedQuestion, parseQuestion, QUESTION } from '../question.js'
import { executorWeights } from '../settings.js'
import { queryIntent } from './intent.js'
import { filingContentScope, POSTURES } from './posture.js'
import { searchScope } from './scope.js'

/** A question to the router, with what a caller may say about how to answer it. */
export const ROUTER_QUESTION = {
  query: text(2_000)
    .refine(value => value.trim().length > 0, { message: 'must not be empty' })
    .meta({
      description: 'The question: words, "phrases", -exclusions and prefix*.',
      example: 'motion to dismiss',
    }),
  // SR-2
  intent: queryIntent
    .optional()
    .meta({ description: 'What the question is for. Default: told from its words.' }),
  corrects: id
    .optional()
    .meta({ description: 'The search whose intent this one corrects, by its `searchRunId`.' }),
  posture: text(100)
    .optional()
    .meta({
      description: `What the answer is to be made of: ${POSTURES.map(one => `\`${one}\``).join(', ')}.`,
      example: POSTURES[0],
    }),
  filingContentScope: filingContentScope.optional().meta({ description: 'Which parts of filings count.' }),
  scope: searchScope
    .optional()
    .meta({ description: 'Where to look: dates, cases, collections, filings and classes.' }),
  mode: QUESTION.mode,
  fusion: z
    .enum(FUSION_STRATEGIES)
    .optional()
    .meta({ description: 'How the results of several executors are put in one order.' }),
  weights: executorWeights
    .optional()
    .meta({ description: "What each executor counts in a weighted sum. Default: the host's settings." }),
  requireComplete: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to refuse an answer from an index that is not current.' }),
  stemming: QUESTION.stemming,
  synonyms: QUESTION.synonyms,
  neighbours: QUESTION.neighbours,
  citations: QUESTION.citations,
  legalTerms: QUESTION.legalTerms,
}

export const routerQuestion = z.strictObject(ROUTER_QUESTION)
export type RouterQuestion = z.output<typeof routerQuestion>

/** A question to the router, parsed once and used throughout. */
export interface RoutedQuestion extends ParsedQuestion {
  readonly asked: RouterQuestion
}

export function parseRouterQuestion(asked: RouterQuestion): RoutedQuestion {
  const { query, mode, stemming, synonyms, neighbours, citations, legalTerms, scope } = asked
  const worded = { query, mode, stemming, synonyms, neighbours, citations, legalTerms, scope }
  // The posture is only a placeholder until the intent is known.
  return { asked, ...parseQuestion({ ...worded, posture: 'mixed_surface_disclosed', feedback: true }) }
}
