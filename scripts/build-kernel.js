#!/usr/bin/env node
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { importOnDemand } from './on-demand.js'

/** What is compiled, where it goes, and the name of the constant that holds it. */
export const KERNELS = [
  {
    source: '../src/search/vector-kernel/kernel.as',
    generated: '../src/search/vector-kernel/kernel-wasm.ts',
    constant: 'KERNEL',
  },
  {
    source: '../bench/vectors/read-all.as',
    generated: '../bench/vectors/read-all-wasm.js',
    constant: 'READ_ALL',
  },
].map(({ source, generated, constant }) => ({
  source: new URL(source, import.meta.url),
  generated: new URL(generated, import.meta.url),
  constant,
}))

/**
 * @typedef {{
 *   readFile(name: string): string | null,
 *   listFiles(): string[],
 *   writeFile(name: string, content: Uint8Array | string): void,
 * }} Files
 * @typedef {{ main(args: readonly string[], files: Files): Promise<{ error: Error | null, stderr: object }> }} Compiler
 */
const COMPILER = 'assemblyscript/dist/asc.js'
const OPTIONS = [
  ['--outFile', 'kernel.wasm'],
  ['--runtime', 'stub'],
  ['--enable', 'simd'],
  ['--use', 'abort='],
  ['--importMemory'],
  ['--noExportMemory'],
  ['--optimizeLevel', '3'],
  ['--noAssert'],
].flat()

/** The first line of a generated file, which names its source and how that was compiled. @param {URL} source @param {string} text */
export function headerOf(source, text) {
  const digest = createHash('sha256').update(text).update(OPTIONS.join(' ')).digest('hex')
  return `// Generated from ${source.pathname.split('/').at(-1)} by scripts/build-kernel.js: not to be edited. ${digest}`
}

/**
 * What the checked-in file has to hold.
 *
 * @param {(typeof KERNELS)[number]} kernel
 */
export async function generate({ source, constant }) {
  /** @type {Compiler} */
  const asc = await importOnDemand('generate', COMPILER)
  const text = await readFile(source, 'utf8')
  /** @type {Uint8Array | undefined} */
  let wasm
  const { error, stderr } = await asc.main(['kernel.ts', ...OPTIONS], {
    readFile: name => (name === 'kernel.ts' ? text : null),
    listFiles: () => [],
    writeFile: (_, content) => {
      if (typeof content !== 'string') wasm = content
    },
  })
  if (error || wasm === undefined) throw new Error(`it does not compile: ${stderr}`, { cause: error })
  return [
    headerOf(source, text),
    `export const ${constant} =`,
    `  '${Buffer.from(wasm).toString('base64')}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const kernel of KERNELS) {
    await writeFile(kernel.generated, await generate(kernel))
    console.log(`wrote ${fileURLToPath(kernel.generated)}`)
  }
