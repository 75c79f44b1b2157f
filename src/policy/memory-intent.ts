import { readSignals } from './message-signals.js'

/** The purpose of a turn, which decides how much memory it may use. (RC-13) */
export const MEMORY_INTENTS = [
  'avoid_recall',
  'stage_enforcement',
  'emotional_validation',
  'offer_continuity',
  'recall_commitment',
] as const
export type MemoryIntent = (typeof MEMORY_INTENTS)[number]

/** How much memory is retrieved. */
export const MEMORY_DEPTHS = ['none', 'minimal', 'light', 'full'] as const
export type MemoryDepth = (typeof MEMORY_DEPTHS)[number]

export interface Turn {
  /** The caller's actual stage, not a claimed one (RC-8). */
  readonly stage: number
  /** The latest emotional reading, from 1 to 10; null if there is none. */
  readonly intensity: number | null
  readonly message: string
  readonly firstTurn: boolean
}

const DEPTHS: Readonly<Record<MemoryIntent, MemoryDepth>> = {
  avoid_recall: 'none',
  stage_enforcement: 'none',
  emotional_validation: 'minimal',
  offer_continuity: 'light',
  recall_commitment: 'full',
}

/** From this intensity on, a person is listened to and not reminded of anything. */
const TOO_INTENSE = 8

/**
 * Determines the purpose of a turn. The first rule that matches decides. (RC-13)
 *
 * @example
 * memoryIntent({ stage: 4, intensity: 3, message: 'What did we agree on?', firstTurn: false })
 * // { intent: 'recall_commitment', depth: 'full' }
 */
export function memoryIntent(turn: Turn): { readonly intent: MemoryIntent; readonly depth: MemoryDepth } {
  const intent = intentOf(turn)
  return { intent, depth: intent === 'recall_commitment' && turn.stage === 2 ? 'light' : DEPTHS[intent] }
}

function intentOf({ stage, intensity, message, firstTurn }: Turn): MemoryIntent {
  const { distress, commitment, skipping } = readSignals(message)
  // The negated comparison also counts NaN as intense.
  if ((intensity !== null && !(intensity < TOO_INTENSE)) || distress !== null) return 'avoid_recall'
  if (stage === 1) return 'emotional_validation'
  if (commitment) return 'recall_commitment'
  if (skipping) return 'stage_enforcement'
  if (firstTurn) return 'offer_continuity'
  return stage === 2 || stage === 3 || stage === 4 ? 'recall_commitment' : 'stage_enforcement'
}
