import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { link } from '../../scripts/on-demand.js'
import type { EmbeddingProvider } from '../../src/embedding/provider.js'
import { type TransformersOptions, transformers } from '../../src/embedding/transformers.js'
import { TINY_WORDS, writeTinyTransformer } from '../support/tiny-transformer.js'

let root: string
let folder: string
const made: EmbeddingProvider[] = []

beforeAll(async () => {
  await link('providers', ['@huggingface/transformers'])
  root = mkdtempSync(join(tmpdir(), 'privity-transformers-'))
  folder = join(root, 'tiny')
  writeTinyTransformer(folder)
}, 600_000)
afterAll(async () => {
  await Promise.all(made.map(provider => provider.close?.()))
  rmSync(root, { recursive: true, force: true })
})

function make(options: Partial<TransformersOptions> = {}): EmbeddingProvider {
  const provider = transformers({ folder, ...options })
  made.push(provider)
  return provider
}
const { signal } = new AbortController()
const vectorOf = async (
  provider: EmbeddingProvider,
  text: string,
  purpose: 'query' | 'document' = 'query',
) => [...((await provider.embed([text], purpose, signal))[0] ?? [])]

describe('a transformers.js model folder', () => {
  it('is run as it is: words, the mean of them, and nothing for nothing', async () => {
    const provider = make()
    const vectors = await provider.embed(['cat', 'Cat kitten', 'tax', '\u200b'], 'document', signal)
    expect(vectors.map(vector => vector && [...vector])).toEqual([
      [1, 0.25, 0, 0],
      [1, 0.375, 0, 0],
      [0, 0, 1, 0],
      null,
    ])
  })

  it('[SC-3] gives a text the same vector in any company', async () => {
    const provider = make()
    const [alone] = await provider.embed(['cat'], 'document', signal)
    const long = 'tax tax tax tax tax tax'
    const together = await provider.embed([long, 'cat', long], 'document', signal)
    expect(together[1]).toEqual(alone)
  })

  it('cuts what is longer than the model takes', async () => {
    expect(await vectorOf(make(), `${'cat '.repeat(8)}${'tax '.repeat(80)}`)).toEqual([1, 0.25, 0, 0])
  })

  it('pools as it is told', async () => {
    expect(await vectorOf(make({ pooling: 'cls' }), 'tax cat')).toEqual([0, 0, 1, 0])
    expect(await vectorOf(make({ pooling: 'last_token' }), 'tax cat')).toEqual([0.5, 0.125, 0, 0])
  })

  it('puts the prefix of its purpose before each text', async () => {
    const provider = make({ queryPrefix: 'tax ', documentPrefix: 'passage ' })
    expect(await vectorOf(provider, 'cat', 'query')).toEqual([0.25, 0.0625, 0.5, 0])
    expect(await vectorOf(provider, 'cat', 'document')).toEqual([0.5, 0.25, 0.125, 0])
  })

  it('runs the file of its number type', async () => {
    const copy = join(root, 'quantized')
    cpSync(folder, copy, { recursive: true })
    renameSync(join(copy, 'onnx/model.onnx'), join(copy, 'onnx/model_quantized.onnx'))
    expect(await vectorOf(make({ folder: copy, dtype: 'q8' }), 'cat')).toEqual([1, 0.25, 0, 0])
    expect(() => transformers({ folder: copy })).toThrow('transformers: the folder has no onnx/model.onnx')
  })

  it('[OV-4] is local', () => {
    expect(make().local).toBe(true)
  })

  it('is named after its folder, its files and how it is used', () => {
    const other = join(root, 'other', 'tiny')
    writeTinyTransformer(other, { ...TINY_WORDS, tax: [0, 0, 9, 0] })
    const name = make().model
    expect(name).toMatch(/^transformers\/tiny\/[0-9a-f]{12}\/[0-9a-f]{12}$/)
    expect(make({ weight: 0.1, near: 0.2, batchSize: 1 }).model).toBe(name)
    expect(basename(other)).toBe('tiny')
    const others = [
      { folder: other },
      { pooling: 'cls' as const },
      { queryPrefix: 'a' },
      { documentPrefix: 'a' },
    ]
    expect(new Set([{}, ...others].map(options => make(options).model)).size).toBe(5)
    expect(make({ name: 'ours/1' }).model).toBe('ours/1')
  })

  it('fails with the reason when its files are not a model', async () => {
    const broken = join(root, 'broken')
    cpSync(folder, broken, { recursive: true })
    writeFileSync(join(broken, 'onnx/model.onnx'), 'not a model')
    await expect(vectorOf(make({ folder: broken }), 'cat')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^the model could not be loaded: .+/),
    })
  })

  it('refuses a folder without a model', () => {
    expect(() => transformers({ folder: root })).toThrow('transformers: the folder has no config.json')
  })
})
