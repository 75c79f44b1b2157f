import type { OpenOptions } from '../open.js'
import { UsageError } from './usage-error.js'

type Env = Readonly<Record<string, string | undefined>>

/** The chat model that the environment names: it words what is shared in a mediation, plans turns and consolidates. */
export async function chatModelOf(env: Env): Promise<Pick<OpenOptions, 'mediation' | 'consolidation'>> {
  const { PRIVITY_CHAT_URL: url, PRIVITY_CHAT_MODEL: model, PRIVITY_CHAT_KEY: apiKey } = env
  const local = env.PRIVITY_CHAT_LOCAL ?? 'off'
  if (url === undefined && model === undefined) return {}
  if (url === undefined || model === undefined)
    throw new UsageError('PRIVITY_CHAT_URL and PRIVITY_CHAT_MODEL belong together')
  if (local !== 'on' && local !== 'off') throw new UsageError('PRIVITY_CHAT_LOCAL must be on or off')
  const { openAICompatibleChat } = await import('../chat/openai-compatible-chat.js')
  const chat = openAICompatibleChat({
    url,
    model,
    local: local === 'on',
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  return { mediation: { model: chat }, consolidation: { model: chat } }
}
