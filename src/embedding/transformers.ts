import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { inWorker } from './in-worker.js'
import { ModelThread } from './model-thread.js'
import { packageFile } from './package-file.js'
import type { EmbeddingProvider } from './provider.js'
import { requirePackages } from './require-packages.js'
import {
  addPrefix,
  applyDefaults,
  checkOptions,
  digestSettings,
  type ModelSettings,
  modelSettingsShape,
} from './settings.js'
import { TRANSFORMERS, type TransformersModelOptions } from './transformers-model.js'

/** The model file for each number type, by the names of transformers.js. */
const FILE_OF = {
  fp32: 'model',
  fp16: 'model_fp16',
  q8: 'model_quantized',
  int8: 'model_int8',
  uint8: 'model_uint8',
  q4: 'model_q4',
  q4f16: 'model_q4f16',
  bnb4: 'model_bnb4',
} as const

export interface TransformersOptions extends ModelSettings {
  /**
   * The folder of a transformers.js model: `config.json`, `tokenizer.json`, `tokenizer_config.json`,
   * `onnx/model.onnx`.
   */
  readonly folder: string
  /** Selects one of the folder's ONNX files: `fp32` is `onnx/model.onnx`, `q8` is `onnx/model_quantized.onnx`. */
  readonly dtype?: keyof typeof FILE_OF
  /** How token vectors are combined into one. See the model card; usually `mean`. */
  readonly pooling?: TransformersModelOptions['pooling']
}

const schema = z.strictObject({
  ...modelSettingsShape,
  folder: z.string().min(1),
  dtype: z.enum(Object.keys(FILE_OF) as [keyof typeof FILE_OF]).optional(),
  pooling: z.enum(['mean', 'cls', 'last_token']).optional(),
})

const DEFAULTS = { weight: 0.5, near: 0.5, batchSize: 8, maxCharacters: 8_000 }

/**
 * Runs a model from a folder on this machine with `@huggingface/transformers`. Nothing is downloaded.
 *
 * @example
 * transformers({ folder: './models/all-MiniLM-L6-v2' })
 */
export function transformers(options: TransformersOptions): EmbeddingProvider {
  checkOptions('transformers', schema, options)
  requirePackages([TRANSFORMERS], 'transformers')
  const { dtype = 'fp32', pooling = 'mean' } = options
  const folder = resolve(options.folder)
  const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json', `onnx/${FILE_OF[dtype]}.onnx`]
  for (const file of files)
    if (!existsSync(join(folder, file)))
      throw new PrivityError('invalid_input', `transformers: the folder has no ${file}`)

  const settings = digestSettings([pooling, options.queryPrefix, options.documentPrefix])
  const model: TransformersModelOptions = { folder, dtype, pooling }
  const provider = inWorker(
    {
      model:
        options.name ??
        `transformers/${basename(folder)}/${hashOf(files.map(file => join(folder, file)))}${settings}`,
      local: true,
      ...applyDefaults(options, DEFAULTS),
    },
    new ModelThread(packageFile('dist/embedding/transformers-model.js'), model),
    1,
  )
  return {
    ...provider,
    embed: (texts, purpose, signal) => provider.embed(addPrefix(options, texts, purpose), purpose, signal),
  }
}

/**
 * Hashes the model files, so that replacing a model in the folder changes its name. Reads in pieces, because models
 * are large.
 */
function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(1024 * 1024)
  for (const file of [...files, ...files.map(file => `${file}_data`).filter(existsSync)]) {
    const opened = openSync(file, 'r')
    try {
      for (let read = readSync(opened, piece); read > 0; read = readSync(opened, piece))
        hash.update(piece.subarray(0, read))
    } finally {
      closeSync(opened)
    }
  }
  return hash.digest('hex').slice(0, 12)
}
