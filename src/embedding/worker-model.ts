import type { Purpose } from './provider.js'

/**
 * A model inside its thread. It gets one text at a time, because in one run of a quantised model the texts would
 * share a scale and so affect each other's vectors. (SC-3)
 */
export interface WorkerModel {
  embed(text: string, purpose: Purpose): Promise<Float32Array | null> | Float32Array | null
  neighbours?(word: string, most: number): readonly string[]
}

/** The type of `load`, which a module that runs in a thread must export. */
export type LoadModel<Options> = (options: Options) => Promise<WorkerModel>

/** The data with which a thread starts: the module's URL, and the options for its `load`. */
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
  /** The reason may be reported, because no text had reached the model. */
  | { readonly kind: 'not_loaded'; readonly why: string }
