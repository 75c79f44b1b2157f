export {
  type OpenAICompatibleChatOptions,
  openAICompatibleChat,
} from './chat/openai-compatible-chat.js'
export { ERRORS, type ErrorCode, PrivityError } from './errors.js'
export type { Credential, TrustContext } from './runtime/caller.js'
export type { Clock } from './runtime/clock.js'
export { type ConsolidationModel, type ConsolidationOptions, ModelError } from './runtime/consolidation.js'
export type { Handle } from './runtime/handle.js'
export { type OpenOptions, open, type Privity } from './runtime/open.js'
export type { Operation } from './runtime/operation.js'
export { OPERATIONS } from './runtime/operations/all.js'
export type { RecordView } from './runtime/record-view.js'
export type { RequestOptions } from './runtime/runtime.js'
