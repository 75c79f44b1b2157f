import { z } from 'zod'
import { FUSION_STRATEGIES } from '../../../search/fuse.js'
import { id, text } from '../../input.js'
import { MODES, QUESTION } from '../question.js'
import { executorWeights } from '../settings.js'
import { QUERY_INTENTS } from './intent.js'
import { FILING_CONTENT_SCOPES } from './posture.js'
import { searchScope } from './scope.js'

/** A question to the router: what is asked, and what a caller may say about how. */
export const ROUTER_QUESTION = {
  query: text(2_000).refine(value => value.trim().length > 0, { message: 'must not be empty' }),
  /** What the question is for; told from its words where it is not said (SR-2). */
  intent: z.enum(QUERY_INTENTS).optional(),
  /** The search whose intent this one puts right. */
  corrects: id.optional(),
  /** What an answer should be made of; one of the postures of 002 §12.1. */
  posture: text(100).optional(),
  filingContentScope: z.enum(FILING_CONTENT_SCOPES).optional(),
  scope: searchScope.optional(),
  mode: z.enum(MODES).default('hybrid'),
  fusion: z.enum(FUSION_STRATEGIES).optional(),
  /** What each executor counts in a weighted sum; the host's settings where it is not said. */
  weights: executorWeights.optional(),
  /** Whether no answer is better than one from an index that is not current. */
  requireComplete: z.boolean().default(false),
  stemming: QUESTION.stemming,
  synonyms: QUESTION.synonyms,
  neighbours: QUESTION.neighbours,
  citations: QUESTION.citations,
  legalTerms: QUESTION.legalTerms,
}

export const routerQuestion = z.strictObject(ROUTER_QUESTION)
export type RouterQuestion = z.output<typeof routerQuestion>
