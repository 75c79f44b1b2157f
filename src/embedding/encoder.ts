import { z } from 'zod'
import { ENCODER, ENCODER_WEIGHTS } from './encoder-model.js'
import { inWorker } from './in-worker.js'
import { ModelThread } from './model-thread.js'
import { packageFile } from './package-file.js'
import type { EmbeddingProvider } from './provider.js'
import { requirePackages } from './require-packages.js'
import { applyDefaults, checkOptions, type ModelSettings, modelSettingsShape } from './settings.js'

export type EncoderOptions = Pick<ModelSettings, 'weight' | 'near'>

const schema = z.strictObject({ weight: modelSettingsShape.weight, near: modelSettingsShape.near })

const DEFAULTS = { weight: 0.2, near: 0.6, batchSize: 8, maxCharacters: 1_000 }

/**
 * Runs the Universal Sentence Encoder (lite, English, 512 dimensions) on this machine. It reads whole sentences and is
 * about a hundred times slower than the built-in provider. The two work best together.
 *
 * @example
 * await open({ embedding: [builtIn(), encoder()] })
 */
export function encoder(options: EncoderOptions = {}): EmbeddingProvider {
  checkOptions('encoder', schema, options)
  requirePackages([ENCODER, '@energetic-ai/core', ENCODER_WEIGHTS], 'encoder')
  return inWorker(
    { model: 'use_lite/1', local: true, ...applyDefaults(options, DEFAULTS) },
    new ModelThread(packageFile('dist/embedding/encoder-model.js'), null),
    1,
  )
}
