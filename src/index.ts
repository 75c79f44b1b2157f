export {
  type OpenAICompatibleChatOptions,
  openAICompatibleChat,
} from './chat/openai-compatible-chat.js'
export type { OcrProvider } from './documents/ocr/provider.js'
export { type TesseractOptions, tesseract } from './documents/ocr/tesseract.js'
export { builtIn } from './embedding/built-in.js'
export { type EncoderOptions, encoder } from './embedding/encoder.js'
export { type OpenAICompatibleOptions, openAICompatible } from './embedding/openai-compatible.js'
export { EmbeddingError, type EmbeddingErrorKind, type EmbeddingProvider } from './embedding/provider.js'
export { type TransformersOptions, transformers } from './embedding/transformers.js'
export { ERRORS, type ErrorCode, PrivityError } from './errors.js'
export type * from './generated/types.js'
export type { Handle } from './handle.js'
export { folderMailer } from './mail/folder-mailer.js'
export type { Mail, Mailer } from './mail/mailer.js'
export { type SmtpOptions, smtpMailer } from './mail/smtp-mailer.js'
export { verifyWebhook } from './notifications/signature.js'
export { type OpenOptions, open, type Privity } from './open.js'
export { OPERATIONS } from './operations.js'
export { HALF_LIFE_DAYS, type HalfLives } from './policy/half-lives.js'
export { type Access, type Credential, inSession } from './runtime/caller.js'
export type { CaptureOptions } from './runtime/capture/capture-model.js'
export type { Clock } from './runtime/clock.js'
export type { ChatMessage, ChatModel } from './runtime/completions.js'
export type { ConsolidationModel, ConsolidationOptions } from './runtime/consolidation.js'
export type { Health, HealthCheck, HealthStatus } from './runtime/health.js'
export { ModelError } from './runtime/model-calls.js'
export type { Operation } from './runtime/operation.js'
export type { RequestOptions } from './runtime/runtime.js'
export type { Tokenizer } from './runtime/tokenizer.js'
export {
  type IngestFolderOptions,
  type IngestProblem,
  type IngestProgress,
  ingestFolder,
} from './watching/ingest-folder.js'
export { type WatchFeedOptions, watchFeed } from './watching/watch-feed.js'
export { watchFolder } from './watching/watch-folder.js'
export type { WatchOptions } from './watching/watch-until-stopped.js'
