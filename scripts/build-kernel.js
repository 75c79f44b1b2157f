#!/usr/bin/env node
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

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
const COMPILER = 'assemblyscript/asc'
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

/**
 * What the checked-in file has to hold.
 *
 * @param {(typeof KERNELS)[number]} kernel
 */
export async function generate({ source, constant }) {
  /** @type {Compiler} */
  const asc = await import(COMPILER)
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
  const from = source.pathname.split('/').at(-1)
  return [
    `// Generated from ${from} by scripts/build-kernel.js: not to be edited.`,
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
