import { createHash } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import type { EmbeddingProvider, Purpose } from './provider.js'

/** Settings of a model, available for every provider except the built-in one. */
export interface ModelSettings {
  /** Replaces the name that is made from the settings. Choose another name whenever the vectors would differ. */
  readonly name?: string
  /**
   * The weight of semantic similarity against keywords, 0 to 1; a function gets the average number of words per text.
   */
  readonly weight?: number | ((words: number) => number)
  /** The lowest cosine at which a text is found by semantic similarity alone. */
  readonly near?: number
  readonly batchSize?: number
  readonly maxCharacters?: number
  /** The prefixes that the model expects before a question and before a document. */
  readonly queryPrefix?: string
  readonly documentPrefix?: string
}

export const modelSettingsShape = {
  name: z.string().min(1).max(200).optional(),
  weight: z
    .union([
      z.number().min(0).max(1),
      z.custom<(words: number) => number>(value => typeof value === 'function'),
    ])
    .optional(),
  near: z.number().min(-1).max(1).optional(),
  batchSize: z.int().min(1).max(10_000).optional(),
  maxCharacters: z.int().min(1).max(10_000_000).optional(),
  queryPrefix: z.string().optional(),
  documentPrefix: z.string().optional(),
}

/** Reports which option is wrong, but never its value, which may be a key. */
export function checkOptions(factory: string, schema: z.ZodType, options: unknown): void {
  const checked = schema.safeParse(options)
  if (checked.success) return
  const [issue] = checked.error.issues
  const names = issue?.code === 'unrecognized_keys' ? issue.keys : (issue?.path ?? [])
  throw new PrivityError('invalid_input', `${factory}: invalid option ${names.join('.')}`.trim())
}

/** The properties of a provider that follow from its settings alone. */
export function applyDefaults(
  settings: ModelSettings,
  defaults: { readonly weight: number; readonly near: number; batchSize: number; maxCharacters: number },
): Pick<EmbeddingProvider, 'weight' | 'near' | 'batchSize' | 'maxCharacters'> {
  const weight = settings.weight ?? defaults.weight
  return {
    weight: typeof weight === 'function' ? weight : () => weight,
    near: settings.near ?? defaults.near,
    batchSize: settings.batchSize ?? defaults.batchSize,
    maxCharacters: settings.maxCharacters ?? defaults.maxCharacters,
  }
}

export const addPrefix = (settings: ModelSettings, texts: readonly string[], purpose: Purpose): string[] => {
  const prefix = (purpose === 'query' ? settings.queryPrefix : settings.documentPrefix) ?? ''
  return texts.map(text => prefix + text)
}

/** A short digest of values that shape a model's vectors; empty if there are none. */
export function digestSettings(values: readonly (string | undefined)[]): string {
  if (values.every(value => !value)) return ''
  return `/${createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 12)}`
}
