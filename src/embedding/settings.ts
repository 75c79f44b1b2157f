import { createHash } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import type { EmbeddingProvider, Purpose } from './provider.js'

/** What belongs to a model and can be set for each that is not built in. */
export interface ModelSettings {
  /** Instead of the name made from the settings. Give another one whenever the vectors would be others. */
  readonly name?: string
  /** How much meaning weighs against words, 0 to 1; a function is given how many words the text has. */
  readonly weight?: number | ((words: number) => number)
  /** Below this cosine a text is not found by its meaning alone. */
  readonly near?: number
  readonly batchSize?: number
  readonly maxCharacters?: number
  /** What the model wants before a question, and before what is searched. */
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

/** Says which option is wrong, and never what was in it: it may be a key. */
export function checkOptions(factory: string, schema: z.ZodType, options: unknown): void {
  const checked = schema.safeParse(options)
  if (checked.success) return
  const [issue] = checked.error.issues
  const names = issue?.code === 'unrecognized_keys' ? issue.keys : (issue?.path ?? [])
  throw new PrivityError('invalid_input', `${factory}: invalid option ${names.join('.')}`.trim())
}

/** What of a provider follows from its settings alone. */
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

/** A few characters that stand for values which shape a model's vectors; nothing where there are none. */
export function digestSettings(values: readonly (string | undefined)[]): string {
  if (values.every(value => !value)) return ''
  return `/${createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 12)}`
}
