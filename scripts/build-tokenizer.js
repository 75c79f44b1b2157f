#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { install, resolveIn } from './on-demand.js'

/** The one encoding that is used, of a package that brings thirty megabytes of others. */
export const TOKENIZER = new URL('../models/o200k-base.cjs', import.meta.url)

/** What the checked-in file has to hold. */
export async function bundleTokenizer() {
  await install('generate')
  const { outputFiles } = await build({
    entryPoints: [resolveIn('generate', 'gpt-tokenizer/encoding/o200k_base')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(TOKENIZER, await bundleTokenizer())
