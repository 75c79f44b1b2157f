import type { MemoryDepth, MemoryIntent } from '../policy/memory-intent.js'
import type { ChatMessage } from '../runtime/completions.js'
import { asData } from '../runtime/data-markers.js'
import { planBuiltIn } from './retrieval-plan.js'

const INSTRUCTIONS = [
  'You choose what a mediator may look up before answering a person. You do not answer the person.',
  'You are given their message and the list of queries that may run now. Answer with a JSON array of those queries that',
  'help with this message, copied exactly, best first; an empty array if none does. Nothing else.',
].join('\n')

/**
 * The prompt for a model that proposes a plan. It holds the message and what the stage allows, and no records
 * (RC-11).
 */
export const planningPrompt = (asked: {
  readonly stage: number
  readonly userId: string
  readonly intent: MemoryIntent
  readonly depth: MemoryDepth
  readonly message: string
}): ChatMessage[] => [
  { role: 'system', content: INSTRUCTIONS },
  {
    role: 'user',
    content: asData({
      message: asked.message,
      intent: asked.intent,
      queries: planBuiltIn(asked.stage, asked.userId, asked.depth),
    }),
  },
]

/**
 * Extracts the plan from a model's answer, ignoring text around it. Anything that is not JSON is a malformed plan
 * (RC-16).
 */
export function readPlan(answer: string): unknown {
  const from = answer.indexOf('[')
  const to = answer.lastIndexOf(']')
  try {
    return JSON.parse(from < 0 || to < from ? answer : answer.slice(from, to + 1))
  } catch {
    return null
  }
}
