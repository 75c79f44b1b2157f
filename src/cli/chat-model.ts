import type { OpenOptions } from '../open.js'
import { UsageError } from './usage-error.js'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings of the chat model from the environment: it words what is shared, plans turns, consolidates, answers
 * questions and, if that is turned on, reads captured conversations for facts. Also how long a request to share waits, and whether the
 * library waits for a host.
 */
export async function chatModelOf(
  env: Env,
): Promise<Pick<OpenOptions, 'mediation' | 'consolidation' | 'answers' | 'capture'>> {
  const { PRIVITY_CHAT_URL: url, PRIVITY_CHAT_MODEL: model, PRIVITY_CHAT_KEY: apiKey } = env
  const local = env.PRIVITY_CHAT_LOCAL ?? 'off'
  const capturing = env.PRIVITY_CAPTURE_MODEL ?? 'off'
  const waiting = { ...requestDaysOf(env), ...approvalOf(env) }
  if (capturing !== 'on' && capturing !== 'off')
    throw new UsageError('PRIVITY_CAPTURE_MODEL must be on or off')
  if (url === undefined && model === undefined && capturing === 'on')
    throw new UsageError('PRIVITY_CAPTURE_MODEL needs PRIVITY_CHAT_URL and PRIVITY_CHAT_MODEL')
  if (url === undefined && model === undefined) return { mediation: waiting }
  if (url === undefined || model === undefined)
    throw new UsageError('set both PRIVITY_CHAT_URL and PRIVITY_CHAT_MODEL, or neither')
  if (local !== 'on' && local !== 'off') throw new UsageError('PRIVITY_CHAT_LOCAL must be on or off')
  const { openAICompatibleChat } = await import('../chat/openai-compatible-chat.js')
  const chat = openAICompatibleChat({
    url,
    model,
    local: local === 'on',
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  return {
    mediation: { model: chat, ...waiting },
    consolidation: { model: chat },
    answers: { model: chat },
    ...(capturing === 'on' && { capture: { model: chat } }),
  }
}

function approvalOf({ PRIVITY_LIBRARY_APPROVAL: said }: Env): { approveContributions?: boolean } {
  if (said === undefined) return {}
  if (said !== 'on' && said !== 'off') throw new UsageError('PRIVITY_LIBRARY_APPROVAL must be on or off')
  return { approveContributions: said === 'on' }
}

function requestDaysOf({ PRIVITY_REQUEST_DAYS: said }: Env): { requestDays?: number } {
  if (said === undefined) return {}
  const requestDays = Number(said)
  if (!(requestDays > 0 && requestDays <= 3_650))
    throw new UsageError('PRIVITY_REQUEST_DAYS must be a number of days')
  return { requestDays }
}
