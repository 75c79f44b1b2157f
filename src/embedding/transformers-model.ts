import type { WorkerModel } from './worker-model.js'

export const TRANSFORMERS: string = '@huggingface/transformers'

export interface TransformersModelOptions {
  readonly folder: string
  readonly dtype: string
  readonly pooling: 'mean' | 'cls' | 'last_token'
}

/** The part of the package that is used here. */
interface Transformers {
  readonly env: Record<string, unknown>
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extract>
}
interface Extract {
  (text: string, options: { pooling: string }): Promise<Tensor>
  tokenizer(text: string): { input_ids: Tensor }
}
interface Tensor {
  readonly type: string
  readonly data: ArrayLike<number>
}

/** Loads a model from a folder only, without downloads and without a cache. */
export async function load({ folder, dtype, pooling }: TransformersModelOptions): Promise<WorkerModel> {
  const { env, pipeline }: Transformers = await import(TRANSFORMERS)
  Object.assign(env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    useFSCache: false,
    useWasmCache: false,
    useBrowserCache: false,
    fetch: () => Promise.reject(new Error('models are not downloaded')),
    // Its log messages may contain more than should be logged.
    logLevel: 50,
  })
  const extract = await pipeline('feature-extraction', folder, {
    dtype,
    device: 'cpu',
    local_files_only: true,
  })
  return {
    async embed(text) {
      if (extract.tokenizer(text).input_ids.data.length === 0) return null
      const { type, data } = await extract(text, { pooling })
      if (type !== 'float32') throw new Error(`the model answers in ${type}`)
      return Float32Array.from(data)
    },
  }
}
