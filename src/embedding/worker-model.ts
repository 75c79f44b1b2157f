import type { Purpose } from './provider.js'

/**
 * A model as its thread sees it. It is given one text at a time: in one run of a quantised model, the texts would
 * share a scale and so shape each other's vectors. (SC-3)
 */
export interface WorkerModel {
  embed(text: string, purpose: Purpose): Promise<Float32Array | null> | Float32Array | null
  neighbours?(word: string, most: number): readonly string[]
}

/** What a module that is run in a thread exports as `load`. */
export type LoadModel<Options> = (options: Options) => Promise<WorkerModel>

/** What a thread starts with: the module's address, and what its `load` is given. */
export interface ThreadStart {
  readonly module: string
  readonly options: unknown
}

export type ThreadRequest =
  | { readonly kind: 'embed'; readonly texts: readonly string[]; readonly purpose: Purpose }
  | { readonly kind: 'neighbours'; readonly word: string; readonly most: number }

export type ThreadReply =
  | { readonly kind: 'vectors'; readonly vectors: readonly (Float32Array | null)[] }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'failed' }
  /** Why may be told: no text had reached the model. */
  | { readonly kind: 'not_loaded'; readonly why: string }
